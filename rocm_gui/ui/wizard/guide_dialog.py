"""Read-only views of what a person does: a guide's steps, and the tutorial's with what is true of each today."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from rocm_gui.core.planner import fill_guide
from rocm_gui.core.route_choice import system_of
from rocm_gui.core.texts import pick
from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Card, ScrollBody, State, Text
from rocm_gui.ui.widgets.code_box import CodeBox, mono_font
from rocm_gui.ui.widgets.remarks import Remark

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from rocm_gui.core.model import Host, Machine
    from rocm_gui.core.routes import GuideStep, RouteChoice
    from rocm_gui.services.tutorial import TutorialStep
    from rocm_gui.ui.app import Gui


class StepsDialog(QDialog):
    """A title, a sentence, content that scrolls, and Close."""

    def __init__(self, gui: Gui, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gui = gui
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        size = round(unit(self.font()))
        column = QVBoxLayout(self)
        column.setContentsMargins(6 * size, 5 * size, 6 * size, 5 * size)
        column.setSpacing(2 * size)
        self.title = Text("", "title", wrap=True, parent=self)
        self.sentence = Text("", "body", "muted", wrap=True, parent=self)
        area = QScrollArea(self)
        area.setObjectName("pageScroll")
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        inside = ScrollBody()
        self.content = QVBoxLayout(inside)
        self.content.setContentsMargins(0, 0, size, 0)
        self.content.setSpacing(3 * size)
        area.setWidget(inside)
        self.close_button = QPushButton(self.tr("Close"), self)
        self.close_button.setDefault(True)
        self.close_button.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.close_button)
        column.addWidget(self.title)
        column.addWidget(self.sentence)
        column.addWidget(area, 1)
        column.addLayout(row)

    def showEvent(self, event: QShowEvent) -> None:
        """Most of the window below it; Qt's own choice is a part of the screen."""
        if not event.spontaneous():
            parent = self.parentWidget()
            window = parent.window() if parent is not None else None
            room = window.size() if window is not None else QSize(1000, 700)
            self.resize(min(round(230 * unit(self.font())), room.width() - 48), room.height() - 48)
        super().showEvent(event)

    def _say(self, title: str, sentence: str) -> None:
        self.setWindowTitle(title)
        self.title.setText(title)
        self.sentence.setText(sentence)

    def _code(self, lines: tuple[str, ...], card: Card) -> None:
        box = CodeBox(self._gui.theme, card)
        box.set_text("\n".join(lines))
        card.body.addWidget(box)

    def _shell_name(self, shell: str | None) -> str:
        return {
            "powershell": "PowerShell",
            "cmd": self.tr("Command Prompt"),
            "bash": self.tr("Terminal"),
            "python": "Python",
        }.get(shell or "", "")


class GuideDialog(StepsDialog):
    """The steps of a guide, with the lines filled in for this computer."""

    def __init__(self, gui: Gui, choice: RouteChoice, machine: Machine, parent: QWidget | None = None) -> None:
        super().__init__(gui, parent)
        route, language = choice.route, gui.languages.language
        self._say(pick(route.title, language) or route.id, pick(route.summary, language) or "")
        if route.limits:
            limits = Card(parent=self)
            limits.set_title(self.tr("Good to know"))
            for limit in route.limits:
                remark = Remark(gui.theme, limits)
                remark.present("warn", pick(limit, language) or "")
                limits.body.addWidget(remark)
            self.content.addWidget(limits)
        for number, step in enumerate(fill_guide(choice, machine), start=1):
            self._add_step(number, step)
        source = self.tr("Source: {source}, {date}").format(source=route.source, date=route.checked)
        self.content.addWidget(Text(source, "note", "muted", wrap=True, parent=self).selectable())
        self.content.addStretch(1)

    def _add_step(self, number: int, step: GuideStep) -> None:
        card = Card(parent=self)
        card.set_title(self.tr("Step {number}").format(number=number), self._shell_name(step.shell))
        card.body.addWidget(Text(pick(step.text, self._gui.languages.language) or "", wrap=True, parent=card))
        if step.lines:
            self._code(step.lines, card)
        self.content.addWidget(card)


class TutorialDialog(StepsDialog):
    """Every step of the tutorial, what is true of it on this system, and what works instead."""

    def __init__(self, gui: Gui, host: Host | None, parent: QWidget | None = None) -> None:
        super().__init__(gui, parent)
        self._system = system_of(host)
        self._say(
            self.tr("The tutorial, step by step"),
            self.tr("The lines are quoted to be recognised, not to be run. Judged for {system}.").format(
                system=gui.context.texts(gui.languages.language).get(f"route.system.{self._system or 'windows'}")
            ),
        )
        section = ""
        for step in gui.context.tutorial():
            name = pick(step.section, gui.languages.language) or ""
            if name != section:
                section = name
                self.content.addWidget(Text(name, "heading", parent=self))
            self._add_step(step)
        self.content.addStretch(1)

    def _add_step(self, step: TutorialStep) -> None:
        language = self._gui.languages.language
        card = Card(parent=self)
        head = QHBoxLayout()
        quote = Text("\n".join(step.lines), wrap=True, parent=card).selectable()
        quote.setFont(mono_font())
        head.addWidget(quote, 1)
        head.addWidget(self._pill(step, card), 0, Qt.AlignmentFlag.AlignTop)
        card.body.addLayout(head)
        card.body.addWidget(Text(pick(step.why, language) or "", wrap=True, parent=card))
        remark = Remark(self._gui.theme, card)
        remark.present("ok", pick(step.instead, language) or "")
        card.body.addWidget(remark)
        if step.instead_lines:
            self._code(step.instead_lines, card)
        card.body.addWidget(Text(step.source, "note", "muted", wrap=True, parent=card).selectable())
        self.content.addWidget(card)

    def _pill(self, step: TutorialStep, card: Card) -> QWidget:
        words: dict[str, tuple[str, State]] = {
            "works": (self.tr("Works"), "ok"),
            "dated": (self.tr("Dated"), "warn"),
            "wrong": (self.tr("Does not work"), "bad"),
            "absent": (self.tr("Not on this system"), "neutral"),
        }
        card.pill.set_state(*words[step.verdict(self._system)])
        return card.pill
