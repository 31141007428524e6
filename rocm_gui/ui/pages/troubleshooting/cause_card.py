"""A cause: its layer, what shows it, the steps that mend it, and how to see that it is cured."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Card, Text
from rocm_gui.ui.widgets.code_box import CodeBox
from rocm_gui.ui.widgets.remedy_steps import RemedySteps

if TYPE_CHECKING:
    from rocm_gui.ui.pages.troubleshooting.views import CauseView
    from rocm_gui.ui.theme import Theme


class CauseCard(Card):
    """Shows one ``CauseView``; ``buttons`` takes what the place where it stands offers."""

    acted = Signal(int)  # index of the step whose button was pressed

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        size = round(unit(self.font()))
        self.view: CauseView | None = None
        self._text = Text("", wrap=True, parent=self).selectable()
        self._evidence_title = Text("", "note", "muted", parent=self)
        self._evidence = CodeBox(theme, self)
        self._steps_title = Text("", "note", "muted", parent=self)
        self.steps = RemedySteps(theme, self)
        self.steps.acted.connect(self.acted)
        self._verify_title = Text("", "note", "muted", parent=self)
        self._verify = Text("", wrap=True, parent=self).selectable()
        self._verify_code = CodeBox(theme, self)
        self._source = Text("", "note", "muted", wrap=True, parent=self).selectable()
        parts = (
            self._text, self._evidence_title, self._evidence, self._steps_title, self.steps, self._verify_title,
            self._verify, self._verify_code, self._source,
        )  # fmt: skip
        for part in parts:
            if part in (self._evidence_title, self._steps_title, self._verify_title):
                part.setContentsMargins(0, size, 0, 0)  # begins something new
            self.body.addWidget(part)
        self.buttons = QHBoxLayout()
        self.buttons.setSpacing(2 * size)
        self._row: list[QPushButton] = []
        self.body.addLayout(self.buttons)
        self.buttons.addStretch(1)

    def add_button(self, *, primary: bool = False) -> QPushButton:
        """A button in the last row, without words yet."""
        button = QPushButton(self)
        if primary:
            button.setProperty("kind", "primary")
        self.buttons.insertWidget(len(self._row), button)
        self._row.append(button)
        return button

    def present(self, view: CauseView, identity: str = "") -> None:
        """Show ``view``; what it leaves out takes no room."""
        self.view = view
        self.set_title(view.title, identity)
        self.pill.set_state(view.layer, "bad" if view.state == "bad" else "warn")
        self.steps.present(view.steps)
        self._evidence.set_text("\n".join(view.evidence))
        self._verify_code.set_text(view.verify_code)
        for label, text in ((self._text, view.text), (self._verify, view.verify)):
            label.setText(text)
            label.setVisible(bool(text))
        self._source.setText(self.tr("Source: {source}").format(source=view.source) if view.source else "")
        self._source.setVisible(bool(view.source))
        self._evidence_title.setText(self.tr("What shows it"))
        self._steps_title.setText(self.tr("What to do"))
        self._verify_title.setText(self.tr("How to see that it is cured"))
        self._evidence_title.setVisible(bool(view.evidence))
        self._verify_title.setVisible(bool(view.verify or view.verify_code))
        self._evidence.setVisible(bool(view.evidence))
        self._verify_code.setVisible(bool(view.verify_code))
        self._steps_title.setVisible(bool(view.steps))
