"""A pill with the shape of a state beside its word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QWidget

from rocm_gui.ui.theme import scaled_font, unit
from rocm_gui.ui.widgets.basics import Text, restyle

if TYPE_CHECKING:
    from rocm_gui.ui.theme import Theme

# state -> icon, colour role
SHAPES = {
    "ok": ("ok", "ok"),
    "warn": ("warn", "warn"),
    "bad": ("fail", "bad"),
    "unknown": ("unknown", "muted"),
    "missing": ("minus", "muted"),
}


class StatePill(QFrame):
    """Shape, word and colour say the same; ``outlined`` draws the pill's line around them."""

    def __init__(self, theme: Theme, parent: QWidget | None = None, *, outlined: bool = True) -> None:
        super().__init__(parent)
        self.setObjectName("statePill" if outlined else "stateWord")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._theme = theme
        self.state = "unknown"
        size = round(unit(self.font()))
        self._icon = QLabel(self)
        self._word = Text("", "note", parent=self)
        self._word.setFont(scaled_font(self._word.font(), 10.0, weight=QFont.Weight.DemiBold))
        row = QHBoxLayout(self)
        side = 2 * size if outlined else 0
        row.setContentsMargins(side, size // 4, side, size // 4)
        row.setSpacing(size)
        row.addWidget(self._icon)
        row.addWidget(self._word)
        theme.changed.connect(self._recolour)

    @property
    def word(self) -> str:
        """What it says."""
        return self._word.text()

    def present(self, state: str, word: str) -> None:
        """Show ``state``: ok, warn, bad, unknown or missing."""
        self.state = state
        self._word.setText(word)
        self.setProperty("state", SHAPES[state][1])
        restyle(self)
        self._recolour()

    def _recolour(self) -> None:
        icon, role = SHAPES[self.state]
        self._word.set_tone(role)
        pixels = round(3.2 * unit(self.font()))
        self._icon.setPixmap(self._theme.pixmap(icon, role, pixels, self.devicePixelRatioF()))
