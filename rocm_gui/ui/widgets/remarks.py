"""Short sentences, each with the shape and the colour of its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocm_gui.ui.theme import Theme

ICONS = {"ok": ("ok", "ok"), "warn": ("warn", "warn"), "fail": ("fail", "bad"), "unknown": ("unknown", "muted")}


class Remark(QWidget):
    """One sentence."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.status = "unknown"
        size = round(unit(self.font()))
        self._icon = QLabel(self)
        self._icon.setFixedWidth(round(4.5 * unit(self.font())))
        self._text = Text("", wrap=True, parent=self).selectable()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * size)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._text, 1)
        theme.changed.connect(self._recolour)

    @property
    def text(self) -> str:
        """What it says."""
        return self._text.text()

    def present(self, status: str, text: str) -> None:
        """Say ``text``; ``status`` is ok, warn, fail or unknown."""
        self.status = status
        self._text.setText(text)
        self.setAccessibleName(text)
        self._recolour()

    def _recolour(self) -> None:
        icon, role = ICONS[self.status]
        pixels = round(4.2 * unit(self.font()))
        self._icon.setPixmap(self._theme.pixmap(icon, role, pixels, self.devicePixelRatioF()))


class Remarks(QWidget):
    """A column of them; takes no room while empty."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: list[tuple[str, str]] = []
        self._rows: list[Remark] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(round(1.5 * unit(self.font())))
        self.hide()

    @property
    def texts(self) -> list[str]:
        """What is said now."""
        return [text for _, text in self._shown]

    def present(self, remarks: Sequence[tuple[str, str]]) -> None:
        """Show (status, sentence) pairs."""
        if list(remarks) == self._shown:
            return
        self._shown = list(remarks)
        while len(self._rows) < len(remarks):
            row = Remark(self._theme, self)
            self._rows.append(row)
            self._layout.addWidget(row)
        for index, row in enumerate(self._rows):
            row.setVisible(index < len(remarks))
            if index < len(remarks):
                row.present(*remarks[index])
        self.setVisible(bool(remarks))
