"""Says that something is being worked out: after a moment, and then long enough to be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QTimer
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Text

if TYPE_CHECKING:
    from rocm_gui.ui.theme import Theme

SHOW_AFTER_MS = 150
SHOW_AT_LEAST_MS = 500


class BusyLine(QWidget):
    """Hidden while idle; keeps its room so that nothing below it moves."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icon = QLabel(self)
        self._text = Text("", "note", "muted", parent=self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(round(1.5 * unit(self.font())))
        row.addWidget(self._icon)
        row.addWidget(self._text)
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        self._since = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_timeout)
        self._busy = False
        theme.changed.connect(self._recolour)
        self._recolour()
        self.hide()

    def set_text(self, text: str) -> None:
        """What is being done."""
        self._text.setText(text)
        self.setAccessibleName(text)

    def set_busy(self, *, busy: bool) -> None:
        """Begin or end."""
        if busy == self._busy:
            return
        self._busy = busy
        if busy:
            self._timer.start(SHOW_AFTER_MS)
        elif self.isHidden():
            self._timer.stop()
        else:
            self._timer.start(max(0, SHOW_AT_LEAST_MS - self._since.elapsed()))

    def _on_timeout(self) -> None:
        if self._busy:
            self._since.start()
        self.setVisible(self._busy)

    def _recolour(self) -> None:
        pixels = round(4 * unit(self.font()))
        self._icon.setPixmap(self._theme.pixmap("running", "accent", pixels, self.devicePixelRatioF()))
