"""What to do, in numbered steps: a sentence, a command to copy, and a button where the program can do it itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Text
from rocm_gui.ui.widgets.code_box import CodeBox

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocm_gui.ui.theme import Theme


@dataclass(frozen=True)
class RemedyView:
    """One step in words; ``action`` is the button's text, ``code`` lines for a terminal."""

    text: str
    code: str = ""
    note: str = ""
    action: str = ""


class RemedySteps(QWidget):
    """A numbered list that is made anew for each remedy."""

    acted = Signal(int)  # index of the step whose button was pressed

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.buttons: dict[int, QPushButton] = {}
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(round(2.5 * unit(self.font())))

    def present(self, steps: Sequence[RemedyView]) -> None:
        """Show ``steps``; a single one has no number."""
        self.buttons = {}
        while (entry := self._layout.takeAt(0)) is not None:
            widget = entry.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for index, step in enumerate(steps):
            self._layout.addWidget(self._row(index, step, numbered=len(steps) > 1))
        self.setVisible(bool(steps))

    def _row(self, index: int, step: RemedyView, *, numbered: bool) -> QWidget:
        size = round(unit(self.font()))
        row = QWidget(self)
        across = QHBoxLayout(row)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(2 * size)
        if numbered:
            number = Text(f"{index + 1}", "body", "accent", parent=row)
            number.setFixedWidth(round(5 * unit(self.font())))
            across.addWidget(number, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(size)
        text = Text(step.text, wrap=True, parent=row).selectable()
        text.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        words.addWidget(text)
        if step.code:
            code = CodeBox(self._theme, row)
            code.set_text(step.code)
            words.addWidget(code)
        if step.note:
            words.addWidget(Text(step.note, "note", "muted", wrap=True, parent=row))
        words.addStretch(1)
        across.addLayout(words, 1)
        if step.action:
            button = QPushButton(step.action, row)
            button.setAccessibleName(f"{step.action}: {step.text}")
            button.clicked.connect(lambda _on=False, index=index: self.acted.emit(index))
            across.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
            self.buttons[index] = button
        return row
