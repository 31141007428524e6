"""A guided flow: answers so far, then one question, one cause, or the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from rocm_gui.ui.pages.troubleshooting.cause_card import CauseCard
from rocm_gui.ui.pages.troubleshooting.part import TroublePart, show_whole
from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.answer_trail import AnswerTrail
from rocm_gui.ui.widgets.basics import Card, Text
from rocm_gui.ui.widgets.busy_line import BusyLine

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from rocm_gui.ui.app import Gui
    from rocm_gui.ui.pages.troubleshooting.model import TroubleshootingModel
    from rocm_gui.ui.pages.troubleshooting.views import EndView, FlowView, QuestionView

BESIDE_UNITS = 200  # question and trail beside each other need this
NARROW_UNITS = 110
END_ICONS = {"ok": ("ok", "ok"), "warn": ("warn", "warn"), "unknown": ("unknown", "muted")}


class QuestionCard(Card):
    """A question with three answers."""

    answered = Signal(str)  # yes, no, unsure

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.how = Text("", "body", "muted", wrap=True, parent=self).selectable()
        self.body.addWidget(self.how)
        self.buttons = {name: QPushButton(self) for name in ("yes", "no", "unsure")}
        row = QHBoxLayout()
        row.setSpacing(2 * round(unit(self.font())))
        for name, button in self.buttons.items():
            button.clicked.connect(lambda _on=False, name=name: self.answered.emit(name))
            button.setMinimumWidth(round(24 * unit(self.font())))
            row.addWidget(button)
        row.addStretch(1)
        self.body.addLayout(row)

    def present(self, view: QuestionView) -> None:
        """Ask."""
        self.set_title(view.text)
        self.pill.set_state(self.tr("Question {number}").format(number=view.number), "neutral")
        self.how.setText(view.how)
        self.how.setVisible(bool(view.how))
        words = {"yes": self.tr("&Yes"), "no": self.tr("&No"), "unsure": self.tr("Not &sure")}
        for name, button in self.buttons.items():
            button.setText(words[name])
            button.setAccessibleName("{}: {}".format(words[name].replace("&", ""), view.text))


class FlowEndCard(Card):
    """Nothing more to ask: how it stands, and where to go from here."""

    def __init__(self, gui: Gui, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._theme = gui.theme
        size = round(unit(self.font()))
        self._icon = QLabel(self)
        self._text = Text("", wrap=True, parent=self).selectable()
        self.restart = QPushButton(self)
        self.explain = QPushButton(self)
        self.bundle = QPushButton(self)
        head = QHBoxLayout()
        head.setSpacing(3 * size)
        head.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self._text, 1)
        self._row = row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        row.setSpacing(2 * size)
        for button in (self.restart, self.explain, self.bundle):
            row.addWidget(button)
        row.addStretch(1)
        self.body.addLayout(head)
        self.body.addLayout(row)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The buttons below each other where they do not fit beside each other."""
        super().resizeEvent(event)
        beside = event.size().width() > NARROW_UNITS * unit(self.font())
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)

    def minimumSizeHint(self) -> QSize:
        """As narrow as its widest button."""
        return QSize(round(60 * unit(self.font())), super().minimumSizeHint().height())

    def present(self, view: EndView) -> None:
        """Show the end."""
        self.set_title(view.title)
        self._text.setText(view.text)
        icon, role = END_ICONS[view.state]
        pixels = round(6 * unit(self.font()))
        self._icon.setPixmap(self._theme.pixmap(icon, role, pixels, self.devicePixelRatioF()))
        self.restart.setText(self.tr("Start &over"))
        self.explain.setText(self.tr("&Explain an error"))
        self.bundle.setText(self.tr("Support &bundle"))


class FlowPart(TroublePart):
    """Follows the model's flow; the keyboard goes on where the next answer is wanted."""

    text_wanted = Signal()
    bundle_wanted = Signal()

    def __init__(self, gui: Gui, model: TroubleshootingModel, parent: QWidget | None = None) -> None:
        super().__init__(gui, parent)
        self._model = model
        self._shown: FlowView | None = None
        self.busy = BusyLine(gui.theme, self)
        self.controls.addWidget(self.busy)
        self._trail_card = Card(parent=self)
        self.trail = AnswerTrail(gui.theme, self._trail_card)
        self.trail.chosen.connect(model.go_back)
        self._trail_card.body.addWidget(self.trail)
        self.question = QuestionCard(self)
        self.question.answered.connect(model.answer)
        self.cause = CauseCard(gui.theme, self)
        self.again = self.cause.add_button(primary=True)
        self.again.clicked.connect(model.check_cause)
        self.onward = self.cause.add_button()
        self.onward.clicked.connect(model.pass_cause)
        self.end = FlowEndCard(gui, self)
        self.end.restart.clicked.connect(lambda: model.start_flow(model.flow_name))
        self.end.explain.clicked.connect(self.text_wanted)
        self.end.bundle.clicked.connect(self.bundle_wanted)
        now = QVBoxLayout()
        now.setSpacing(self.content.spacing())
        for card in (self.question, self.cause, self.end):
            now.addWidget(card)
            card.hide()
        now.addStretch(1)
        trail = QVBoxLayout()
        trail.addWidget(self._trail_card)
        trail.addStretch(1)
        self._trail_card.hide()
        self._both = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._both.setSpacing(self.content.spacing())
        self._both.addLayout(now, 3)
        self._both.addLayout(trail, 2)
        self.content.addLayout(self._both)
        self.content.addStretch(1)
        model.flow_changed.connect(self.show_model)

    def retranslate(self) -> None:
        """Set every text again."""
        super().retranslate()
        self._trail_card.set_title(self.tr("Answered so far"))
        self.busy.set_text(self.tr("Checking…"))
        self.again.setText(self.tr("&Check again"))
        self.onward.setText(self.tr("It is so&mething else"))
        self._shown = None
        self.show_model()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The trail beside the question where there is room, else below it: the question stays where it is."""
        super().resizeEvent(event)
        beside = event.size().width() > BESIDE_UNITS * unit(self.font())
        self._both.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)

    def show_model(self) -> None:
        """The flow as it is now."""
        view, error = self._model.flow(), self._model.flow_error
        if error is None:
            self.banner.hide()
        else:
            self.banner.present(self.gui.error_text(error), "bad")
        self.busy.set_busy(busy=self._model.checking)
        for button in (*self.question.buttons.values(), self.onward):
            button.setEnabled(not self._model.checking)
        if view is None or view == self._shown:
            return
        moved = self._shown is None or (view.question, view.cause, view.end) != (
            self._shown.question, self._shown.cause, self._shown.end
        )  # fmt: skip
        self._shown = view
        self.title.setText(view.title)
        self.sentence.setText(view.sentence)
        self.trail.present(view.answers, self.tr("Back to this question"))
        self._trail_card.setVisible(bool(view.answers))
        for card, part in ((self.question, view.question), (self.cause, view.cause), (self.end, view.end)):
            card.setVisible(part is not None)
        if view.question is not None:
            self.question.present(view.question)
        if view.cause is not None:
            self.cause.present(view.cause)
        if view.end is not None:
            self.end.present(view.end)
        if moved:
            QTimer.singleShot(0, self, self._lead)

    def _lead(self) -> None:
        """Put the keyboard and the view where the person goes on."""
        shown = [card for card in (self.question, self.cause, self.end) if not card.isHidden()]
        if not shown or not self.isVisible():
            return
        wanted = {self.question: self.question.buttons["yes"], self.cause: self.again, self.end: self.end.restart}
        wanted[shown[0]].setFocus(Qt.FocusReason.OtherFocusReason)
        show_whole(self.scroll_area, shown[0])
