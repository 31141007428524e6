"""The questions that were answered, in order: each can be gone back to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QFont, QPainter, QPen
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rocm_gui.ui.theme import scaled_font, unit
from rocm_gui.ui.widgets.basics import Text
from rocm_gui.ui.widgets.card_button import CardButton

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from rocm_gui.ui.theme import Theme

ICONS = {
    "ok": ("ok", "ok"),
    "warn": ("warn", "warn"),
    "bad": ("fail", "bad"),
    "unknown": ("unknown", "muted"),
    "person": ("person", "accent"),
}


@dataclass(frozen=True)
class AnswerView:
    """One answered question; ``state`` is ok, warn, bad, unknown or person, ``found`` what a check saw."""

    question: str
    answer: str
    by: str  # who answered: "Checked", "You"
    state: str = "unknown"
    found: str = ""


class TrailRow(CardButton):
    """A question and its answer."""

    def __init__(self, theme: Theme, view: AnswerView, parent: QWidget) -> None:
        super().__init__("trailRow", parent)
        self._theme = theme
        self.view = view
        size = round(unit(self.font()))
        self._icon = self.inside(QLabel(self))
        self._icon.setFixedWidth(5 * size)
        question = Text(view.question, "body", wrap=True, parent=self)
        answer = Text(view.answer, "body", parent=self)
        answer.setFont(scaled_font(QApplication.font(), 10.0, weight=QFont.Weight.DemiBold))
        by = Text(view.by, "note", "muted", parent=self)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self.inside(question))
        if view.found:
            words.addWidget(self.inside(Text(view.found, "note", "muted", wrap=True, parent=self)))
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * size, round(1.5 * size), 2 * size, round(1.5 * size))
        row.setSpacing(2 * size)
        top = Qt.AlignmentFlag.AlignTop
        row.addWidget(self._icon, 0, top)
        row.addLayout(words, 1)
        row.addWidget(self.inside(answer), 0, top)
        row.addWidget(self.inside(by), 0, top)
        self.setAccessibleName(f"{view.question} {view.answer}. {view.by}. {view.found}".strip())
        theme.changed.connect(self._recolour)
        self._recolour()

    @property
    def icon_x(self) -> float:
        """Where the middle of the shape stands."""
        return 2 * round(unit(self.font())) + self._icon.width() / 2

    def _recolour(self) -> None:
        icon, role = ICONS[self.view.state]
        self._icon.setPixmap(self._theme.pixmap(icon, role, round(4.5 * unit(self.font())), self.devicePixelRatioF()))
        self._icon.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)


class AnswerTrail(QWidget):
    """Rows on a line that leads to the question asked now."""

    chosen = Signal(int)  # index of the question to go back to

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: tuple[AnswerView, ...] = ()
        self.rows: list[TrailRow] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(round(unit(self.font())))
        theme.changed.connect(self.update)
        self.hide()

    def present(self, answers: Sequence[AnswerView], hint: str = "") -> None:
        """Show ``answers``; ``hint`` says what a press does."""
        if tuple(answers) != self._shown:
            self._shown = tuple(answers)
            for row in self.rows:
                row.hide()
                row.deleteLater()
            self.rows = [TrailRow(self._theme, view, self) for view in answers]
            for index, row in enumerate(self.rows):
                row.clicked.connect(lambda _on=False, index=index: self.chosen.emit(index))
                self._layout.addWidget(row)
        for row in self.rows:
            row.setToolTip(hint)
        self.setVisible(bool(self.rows))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The line between the shapes."""
        if len(self.rows) < 2:
            return
        painter = QPainter(self)
        painter.setPen(QPen(self._theme.tokens.color("line_strong"), 1.5))
        room = round(8.5 * unit(self.font()))
        for row, following in zip(self.rows, self.rows[1:], strict=False):
            x = row.icon_x
            top, bottom = row.geometry().top() + room, following.geometry().top() + round(unit(self.font()))
            if bottom > top:
                painter.drawLine(QPointF(x, top), QPointF(x, bottom))
        painter.end()
