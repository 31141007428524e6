"""A route as a choice, or as a line with a button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QPushButton, QRadioButton, QVBoxLayout, QWidget

from rocm_gui.ui.engine_words import sentences
from rocm_gui.ui.theme import scaled_font, unit
from rocm_gui.ui.widgets.basics import Pill, State, Text
from rocm_gui.ui.widgets.fold import Fold
from rocm_gui.ui.widgets.remarks import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QMouseEvent

    from rocm_gui.ui.theme import Theme


class RouteOption(QFrame):
    """A radio button with a title, what it is, numbers, remarks, and limits that fold out."""

    chosen = Signal(str)  # the route's id, when the person chose it

    def __init__(self, theme: Theme, route_id: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.route_id = route_id
        self._theme = theme
        size = round(unit(self.font()))
        self.radio = QRadioButton(self)
        self.radio.clicked.connect(lambda: self.chosen.emit(self.route_id))
        self._title = Text("", "heading", wrap=True, parent=self)
        self.radio.setFont(self._title.font())  # as high as the first line of the title
        self.pill = Pill(parent=self)
        self.pill.hide()
        self._summary = Text("", wrap=True, parent=self)
        self._facts = Text("", "note", "muted", wrap=True, parent=self)
        self._remarks = QVBoxLayout()
        self._remarks.setSpacing(size // 2)
        self._limits = Fold(theme, self)
        self._limits.head.setFont(scaled_font(self.font(), 9.0))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(2 * size)
        grid.setVerticalSpacing(size)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self.radio, 0, 0)
        grid.addWidget(self._title, 0, 1)
        grid.addWidget(self.pill, 0, 2, Qt.AlignmentFlag.AlignVCenter)
        grid.addWidget(self._summary, 1, 1, 1, 2)
        grid.addWidget(self._facts, 2, 1, 1, 2)
        grid.addLayout(self._remarks, 3, 1, 1, 2)
        grid.addWidget(self._limits, 4, 1, 1, 2)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def present(
        self,
        title: str,
        summary: str,
        facts: str,
        remarks: Sequence[tuple[str, str]] = (),
        limits: Sequence[str] = (),
    ) -> None:
        """Show the route; ``remarks`` are (status, sentence)."""
        self._title.setText(title)
        self._summary.setText(summary)
        self._facts.setText(facts)
        for status, text in remarks:
            remark = Remark(self._theme, self)
            remark.present(status, text)
            self._remarks.addWidget(remark)
        for limit in limits:
            self._limits.body.addWidget(Text(limit, "note", "muted", wrap=True, parent=self))
        self._limits.set_title(self.tr("Good to know (%n)", "", len(limits)))
        self._limits.setVisible(bool(limits))
        self.radio.setAccessibleName(title)
        self.radio.setAccessibleDescription(sentences(summary, facts, *(text for _, text in remarks)))

    def set_pill(self, text: str, state: State) -> None:
        """A word about the route."""
        self.pill.set_state(text, state)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The whole row is the button's target."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.radio.setFocus(Qt.FocusReason.MouseFocusReason)
            self.radio.click()
        super().mouseReleaseEvent(event)


class RouteLine(QFrame):
    """A title, a muted sentence, and perhaps a button."""

    acted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        size = round(unit(self.font()))
        self._title = Text("", wrap=True, parent=self)
        self._text = Text("", "note", "muted", wrap=True, parent=self)
        self.pill = Pill(parent=self)
        self.pill.hide()
        self.action = QPushButton(self)
        self.action.clicked.connect(self.acted)
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(self._title)
        column.addWidget(self._text)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * size)
        row.addLayout(column, 1)
        row.addWidget(self.pill, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.action)

    def present(self, title: str, text: str, action: str = "") -> None:
        """Show the line."""
        self._title.setText(title)
        self._text.setText(text)
        self.action.setText(action)
        self.action.setVisible(bool(action))
        self.action.setAccessibleName(f"{action} {title}")
        self.setAccessibleName(f"{title}: {text}")

    def set_pill(self, text: str, state: State) -> None:
        """A word at the right."""
        self.pill.set_state(text, state)
