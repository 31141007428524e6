"""The navigation rail: pages at the left, Settings at the bottom, icons alone where the window is narrow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from rocm_gui.ui.theme import Theme, scaled_font, unit
from rocm_gui.ui.widgets.basics import Text

if TYPE_CHECKING:
    from collections.abc import Sequence


class Rail(QFrame):
    """One button a page, exclusive; up and down move, Enter opens."""

    chosen = Signal(str)

    def __init__(
        self, theme: Theme, names: Sequence[str], bottom: Sequence[str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("rail")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self._theme = theme
        self._collapsed = False
        self._buttons: dict[str, QToolButton] = {}
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        size = round(unit(self.font()))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(int(2.5 * size), 4 * size, int(2.5 * size), 3 * size)
        layout.setSpacing(size // 2)
        self._brand = Text("ROCm GUI", "heading", parent=self)
        self._brand.setFont(scaled_font(self.font(), 12.0, weight=QFont.Weight.Bold))
        self._brand.setContentsMargins(2 * size, 0, 0, 2 * size)
        layout.addWidget(self._brand)
        for name in names:
            layout.addWidget(self._button(name))
        layout.addStretch(1)
        for name in bottom:
            layout.addWidget(self._button(name))
        theme.changed.connect(self._recolour)
        self._recolour()

    def label(self, name: str, text: str, shortcut: str = "") -> None:
        """The words of a page's button, and its shortcut."""
        button = self._buttons[name]
        button.setText(text)
        button.setAccessibleName(text)
        button.setToolTip(f"{text} ({shortcut})" if shortcut else text)

    def select(self, name: str) -> None:
        """Mark the page that is shown."""
        self._buttons[name].setChecked(True)

    def focus_current(self) -> None:
        """Give the keyboard to the button of the page that is shown."""
        button = self._group.checkedButton() or next(iter(self._buttons.values()))
        button.setFocus(Qt.FocusReason.TabFocusReason)

    def collapse(self, *, collapsed: bool) -> None:
        """Icons alone, or icons with words."""
        if collapsed == self._collapsed:
            return
        self._collapsed = collapsed
        style = Qt.ToolButtonStyle.ToolButtonIconOnly if collapsed else Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        for button in self._buttons.values():
            button.setToolButtonStyle(style)
        self._brand.setVisible(not collapsed)
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """188 px at the default font and more where the words need it, or just the icons."""
        size = unit(self.font())
        own = super().sizeHint()
        width = round((15 if self._collapsed else 47) * size)
        return QSize(max(width, own.width()), own.height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down move the focus along the rail."""
        order = list(self._buttons.values())
        focused = self.focusWidget()
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and isinstance(focused, QToolButton) and focused in order:
            step = 1 if event.key() == Qt.Key.Key_Down else -1
            order[(order.index(focused) + step) % len(order)].setFocus(Qt.FocusReason.TabFocusReason)
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Keep the width in step with the font."""
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()
        super().changeEvent(event)

    def _button(self, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("railItem")
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves no ring behind
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        pixels = round(4.5 * unit(self.font()))
        button.setIconSize(QSize(pixels, pixels))
        button.clicked.connect(lambda: self.chosen.emit(name))
        self._group.addButton(button)
        self._buttons[name] = button
        return button

    def _recolour(self) -> None:
        for name, button in self._buttons.items():
            button.setIcon(self._theme.icon(name, "muted", "accent"))
