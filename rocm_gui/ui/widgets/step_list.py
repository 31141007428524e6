"""Steps in a column: number, name and a state word, the current one highlighted. Wizard rail and install list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rocm_gui.ui.theme import Theme, unit
from rocm_gui.ui.widgets.basics import Text, restyle

if TYPE_CHECKING:
    from collections.abc import Sequence

# state -> icon, colour role
LOOKS = {
    "waiting": ("waiting", "muted"),
    "current": ("running", "accent"),
    "running": ("running", "accent"),
    "done": ("ok", "ok"),
    "warning": ("warn", "warn"),
    "failed": ("fail", "bad"),
    "skipped": ("skipped", "muted"),
    "cancelled": ("skipped", "warn"),
    "interrupted": ("warn", "warn"),
    "undone": ("skipped", "muted"),
}


class StepRow(QFrame):
    """One step."""

    def __init__(self, theme: Theme, number: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("stepRow")
        self._theme = theme
        self._number = number
        self.state = "waiting"
        self._shown: tuple[str, str, str, bool, str] | None = None
        size = round(unit(self.font()))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(2 * size, size, 2 * size, size)
        layout.setSpacing(2 * size)
        self._icon = QLabel(self)
        self._icon.setFixedSize(5 * size, 5 * size)
        self._icon.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._name = Text("", "body", wrap=True, parent=self)
        self._word = Text("", "note", "muted", parent=self)
        layout.addWidget(self._icon)
        layout.addWidget(self._name, 1)
        layout.addWidget(self._word)

    def present(self, name: str, state: str, word: str, *, current: bool) -> None:
        """Show the step; what stands there already costs nothing, however often it is shown."""
        shown = (name, state, word, current, self._theme.tokens.name)
        if shown == self._shown:
            return
        self._shown = shown
        self.state = state
        self._name.setText(f"{self._number}  {name}")
        self._word.setText(word)
        icon, role = LOOKS[state]
        self._word.set_tone(role)
        pixels = round(4.5 * unit(self.font()))
        self._icon.setPixmap(self._theme.pixmap(icon, role, pixels, self.devicePixelRatioF()))
        self.setAccessibleName(f"{self._number} {name}, {word}")
        self.setToolTip(word)
        if self.property("current") != current:
            self.setProperty("current", current)
            restyle(self)

    def set_compact(self, *, compact: bool) -> None:
        """Without the state word; its tool tip has it then."""
        self._word.setVisible(not compact)


class StepList(QWidget):
    """All steps of something."""

    def __init__(self, theme: Theme, count: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        size = round(unit(self.font()))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(size // 2)
        self.rows = [StepRow(theme, number, self) for number in range(1, count + 1)]
        self._shown: list[tuple[str, str]] = [("", "waiting")] * count
        self._current: int | None = None
        for row in self.rows:
            layout.addWidget(row)
        layout.addStretch(1)
        theme.changed.connect(self._show)

    def present(self, steps: Sequence[tuple[str, str]], current: int | None) -> None:
        """(name, state) of every step, and the index of the current one."""
        self._shown = list(steps)
        self._current = current
        self._show()

    def set_compact(self, *, compact: bool) -> None:
        """Leave the state words to the shapes and to the accessible names where room is short."""
        for row in self.rows:
            row.set_compact(compact=compact)

    def state_word(self, state: str) -> str:
        """The state in a word."""
        return {
            "waiting": self.tr("Waiting"),
            "current": self.tr("Now"),
            "running": self.tr("Running"),
            "done": self.tr("Done"),
            "warning": self.tr("Look at this"),
            "failed": self.tr("Failed"),
            "skipped": self.tr("Skipped"),
            "cancelled": self.tr("Cancelled"),
            "interrupted": self.tr("Interrupted"),
            "undone": self.tr("Undone"),
        }[state]

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._show()
        super().changeEvent(event)

    def _show(self) -> None:
        for index, (row, (name, state)) in enumerate(zip(self.rows, self._shown, strict=False)):
            row.present(name, state, self.state_word(state), current=index == self._current)
