"""A heading that folds its content in and out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication, QToolButton, QVBoxLayout, QWidget

from rocm_gui.ui.theme import scaled_font, unit

if TYPE_CHECKING:
    from rocm_gui.ui.theme import Theme


class Fold(QWidget):
    """Folded at first; ``body`` takes the content."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        size = round(unit(self.font()))
        self.head = QToolButton(self)
        self.head.setObjectName("foldHead")
        self.head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.setCheckable(True)
        self.head.setFont(scaled_font(QApplication.font(), 11.5, weight=QFont.Weight.DemiBold))
        self.head.toggled.connect(self._on_toggled)
        self._inside = QWidget(self)
        self.body = QVBoxLayout(self._inside)
        self.body.setContentsMargins(0, size, 0, 0)
        self.body.setSpacing(2 * size)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self._inside)
        self._inside.hide()
        theme.changed.connect(self._recolour)
        self._recolour()

    def set_title(self, title: str) -> None:
        """The words of the heading."""
        self.head.setText(title)

    def unfold(self) -> None:
        """Show the content."""
        self.head.setChecked(True)

    def _on_toggled(self, checked: bool) -> None:
        self._inside.setVisible(checked)
        self._recolour()

    def _recolour(self) -> None:
        pixels = round(4 * unit(self.font()))
        self.head.setIconSize(QSize(pixels, pixels))
        self.head.setIcon(self._theme.icon("chevron-down" if self.head.isChecked() else "chevron-right", "muted"))
