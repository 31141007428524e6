"""The plan before it happens: every command, every change, what it costs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from rocm_gui.core.plan_report import (
    change_text,
    commands_of,
    plan_document,
    plan_is_windows,
    plan_lines,
    size_text,
    variables_of,
    worded,
)
from rocm_gui.core.texts import pick
from rocm_gui.ui.engine_words import window_words
from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Card, Text
from rocm_gui.ui.widgets.code_box import CodeBox
from rocm_gui.ui.widgets.remarks import Remarks
from rocm_gui.ui.widgets.save_dialog import ask_where_to_save
from rocm_gui.ui.wizard.step_page import StepPage

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtGui import QResizeEvent

    from rocm_gui.core.plan import Plan, Step
    from rocm_gui.core.routes import GuideStep
    from rocm_gui.core.texts import Texts
    from rocm_gui.ui.theme import Theme

# Remarks of a plan that only tell; all others are worth a second look.
TELLING = {"source_used", "source_user_pip", "python_chosen", "version_from_index", "igpu_hidden", "several_targets"}


FOUR = 130  # spacing units that four numbers need beside each other


class StepCard(Card):
    """One step: its commands to copy, what they are given, what changes."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._theme = theme

    def present(self, number: int, step: Step, texts: Texts, *, windows: bool, admin: str) -> None:
        """Show ``step``; once."""
        self.set_title(f"{number}  {texts.get(f'setup.step.{step.id}')}")
        if step.needs_admin:
            self.pill.set_state(admin, "warn")
        for command in commands_of(step, windows=windows):
            self.add_code(command)
        variables = variables_of(step, texts)
        if variables is not None:
            self.body.addWidget(Text(variables, "note", "muted", wrap=True, parent=self).selectable())
        if step.changes:
            changes = "\n".join(change_text(change, texts) for change in step.changes)
            self.body.addWidget(Text(changes, "note", wrap=True, parent=self).selectable())

    def present_guide(self, number: int, step: GuideStep, texts: Texts, pill: str) -> None:
        """Show a step that the person does."""
        self.set_title(f"{number}  {step.shell or ''}".rstrip())
        self.pill.set_state(pill, "accent")
        self.body.addWidget(Text(pick(step.text, texts.language) or "", wrap=True, parent=self).selectable())
        if step.lines:
            self.add_code("\n".join(step.lines))

    def add_code(self, text: str) -> None:
        """A box with ``text`` to copy."""
        box = CodeBox(self._theme, self)
        box.set_text(text)
        self.body.addWidget(box)


class ReviewPage(StepPage):
    """Shows the plan, and starts it."""

    name = "review"

    def build(self) -> None:
        """Busy line, totals, remarks, steps."""
        size = round(unit(self.font()))
        self._shown: tuple[Plan, str] | None = None
        self._waiting: list[Callable[[], None]] = []
        self._filler = QTimer(self)
        self._filler.setInterval(0)
        self._filler.timeout.connect(self._on_fill)
        self._busy = QWidget(self)
        busy = QVBoxLayout(self._busy)
        busy.setContentsMargins(0, 0, 0, 0)
        self._busy_text = Text("", parent=self._busy, wrap=True)
        bar = QProgressBar(self._busy)
        bar.setRange(0, 0)
        bar.setTextVisible(False)
        busy.addWidget(self._busy_text)
        busy.addWidget(bar)
        self._summary = Card(parent=self)
        self._tiles = QGridLayout()
        self._tiles.setHorizontalSpacing(6 * size)
        self._tiles.setVerticalSpacing(0)
        self._tile_names = [Text("", "note", "muted", parent=self._summary) for _ in range(4)]
        self._tile_values = [Text("", "number", parent=self._summary) for _ in range(4)]
        self._tiles.setColumnStretch(4, 1)
        self._place_tiles(4)
        self._places = Text("", "note", "muted", wrap=True, parent=self._summary).selectable()
        self.copy_button = QPushButton(self._summary)
        self.copy_button.clicked.connect(self._copy)
        self.save_button = QPushButton(self._summary)
        self.save_button.clicked.connect(self._ask_and_save)
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * size)
        buttons.addWidget(self.copy_button)
        buttons.addWidget(self.save_button)
        buttons.addStretch(1)
        self._summary.body.addLayout(self._tiles)
        self._summary.body.addWidget(self._places)
        self._summary.body.addLayout(buttons)
        self._notices = Card(parent=self)
        self.notices = Remarks(self.gui.theme, self._notices)
        self._notices.body.addWidget(self.notices)
        self._steps = QWidget(self)
        self._steps_layout = QVBoxLayout(self._steps)
        self._steps_layout.setContentsMargins(0, 0, 0, 0)
        self._steps_layout.setSpacing(round(2.5 * size))
        for widget in (self._busy, self._summary, self._notices, self._steps):
            self.content.addWidget(widget)
        self.content.addStretch(1)
        self.banner.acted.connect(self._on_again)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Four numbers in a row where there is room, else two."""
        super().resizeEvent(event)
        self._place_tiles(4 if event.size().width() > FOUR * unit(self.font()) else 2)

    def _place_tiles(self, columns: int) -> None:
        for index, (name, value) in enumerate(zip(self._tile_names, self._tile_values, strict=True)):
            line, column = divmod(index, columns)
            self._tiles.addWidget(name, 2 * line, column)
            self._tiles.addWidget(value, 2 * line + 1, column)

    def retranslate(self) -> None:
        """Set every text."""
        self.title.setText(self.tr("Review"))
        self._busy_text.setText(self.tr("Working out the plan and asking the package index…"))
        self.copy_button.setText(self.tr("&Copy plan"))
        self.save_button.setText(self.tr("&Save plan…"))
        names = [self.tr("Download"), self.tr("On the disk"), self.tr("Steps"), self.tr("Administrator")]
        for label, text in zip(self._tile_names, names, strict=True):
            label.setText(text)
        self._notices.set_title(self.tr("To know before"))
        self._shown = None

    def enter(self) -> None:
        """Plan anew where the options changed."""
        self._plan_if_wanted()

    def show_model(self) -> None:
        """The plan, why there is none, or that it is being made."""
        model = self.model
        self._plan_if_wanted()
        self._busy.setVisible(model.plan is None and model.plan_error is None)
        self.sentence.setText(self._sentence(model.plan))
        if model.plan_error is not None and model.activity != "planning":
            error = worded(model.plan_error, self.texts)
            self.banner.present(self.gui.error_text(error), "bad", self.tr("Try again"))
        elif model.run_error is not None:
            self.banner.present(self.gui.error_text(model.run_error), "bad")
        else:
            self.banner.hide()
        plan = model.plan
        for widget in (self._summary, self._steps):
            widget.setVisible(plan is not None)
        self._notices.setVisible(plan is not None and bool(plan.notices))
        if plan is not None:
            self._show_plan(plan)

    @property
    def settled(self) -> bool:
        """Whether every step of the plan stands there."""
        return self.model.plan is None or (self._shown is not None and not self._waiting)

    @property
    def complete(self) -> bool:
        """Whether there is a plan that can be carried out here."""
        plan = self.model.plan
        return (
            plan is not None
            and plan.kind == "install"
            and self.gui.context.simulated is None
            and self.model.activity == "idle"
        )

    @property
    def next_text(self) -> str:
        """Install."""
        return self.tr("&Install")

    def advance(self) -> bool:
        """Start the run; the next page shows it."""
        outcome, plan = self.model.outcome, self.model.plan
        if plan is None or (outcome is not None and outcome.setup_id == plan.setup_id):
            return plan is not None  # carried out before: only look at it
        self.model.apply()
        return True

    def _plan_if_wanted(self) -> None:
        if self.model.activity == "idle" and self.model.diagnosis is not None and self.model.plan_wanted:
            self.model.make_plan()

    def _on_again(self) -> None:
        self.model.make_plan()

    def _sentence(self, plan: Plan | None) -> str:
        if plan is None:
            return self.tr("Nothing has been changed yet.")
        if plan.kind == "guide":
            return self.tr("This route is a guide: you do its steps yourself, this program installs nothing.")
        if self.gui.context.simulated is not None:
            return self.tr("This computer is simulated: the plan can be read, copied and saved, not carried out.")
        return self.tr("Nothing has been changed yet. This is everything that will be, in this order.")

    def _show_plan(self, plan: Plan) -> None:
        language = self.gui.languages.language
        if self._shown == (plan, language):
            return
        self._shown = (plan, language)
        guide = plan.kind == "guide"
        download = sum(step.download_bytes or 0 for step in plan.steps)
        disk = sum(c.size_bytes or 0 for step in plan.steps for c in step.changes if c.kind == "install")
        admin = any(step.needs_admin for step in plan.steps)
        values = [
            size_text(download) if download else self.tr("not known"),
            size_text(disk) if disk else self.tr("not known"),
            str(len(plan.steps) or len(plan.guide)),
            self.tr("needed") if admin else self.tr("not needed"),
        ]
        for column, (label, value) in enumerate(zip(self._tile_values, values, strict=True)):
            label.setText(value)
            hidden = guide and column != 2
            label.setVisible(not hidden)
            self._tile_names[column].setVisible(not hidden)
        self._summary.set_title(self._route_title(plan), plan.route_id)
        if self.gui.context.simulated is not None:
            self._summary.pill.set_state(self.tr("simulated"), "neutral")
        self._places.setText("" if guide else self.tr("Into {environment}, from {python}").format(
            environment=plan.environment, python=plan.base_python))  # fmt: skip
        self._places.setVisible(not guide)
        texts = self.texts
        self.notices.present([
            (
                "ok" if notice.code in TELLING else "warn",
                window_words(texts.get(f"setup.notice.{notice.code}", **notice.facts)),
            )
            for notice in plan.notices
        ])  # fmt: skip
        self._fill_steps(plan, texts)

    def _route_title(self, plan: Plan) -> str:
        choice = self.model.choice
        if choice is None or choice.route.id != plan.route_id:
            return plan.route_id
        return pick(choice.route.title, self.gui.languages.language) or plan.route_id

    def _fill_steps(self, plan: Plan, texts: Texts) -> None:
        """Cards come one a turn of the event loop: a long plan must not hold the window."""
        while (item := self._steps_layout.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        windows = plan_is_windows(plan)
        self._waiting = [
            *(partial(self._add_guide, number, step, texts) for number, step in enumerate(plan.guide, start=1)),
            *(partial(self._add_step, number, step, texts, windows) for number, step in enumerate(plan.steps, start=1)),
        ]
        self._filler.start()

    def _on_fill(self) -> None:
        if self._waiting:
            self._waiting.pop(0)()
        else:
            self._filler.stop()

    def _add_guide(self, number: int, step: GuideStep, texts: Texts) -> None:
        card = StepCard(self.gui.theme, self._steps)
        card.present_guide(number, step, texts, self.tr("done by you"))
        self._steps_layout.addWidget(card)

    def _add_step(self, number: int, step: Step, texts: Texts, windows: bool) -> None:
        card = StepCard(self.gui.theme, self._steps)
        card.present(number, step, texts, windows=windows, admin=self.tr("Needs administrator"))
        self._steps_layout.addWidget(card)

    def _copy(self) -> None:
        if self.model.plan is not None:
            QGuiApplication.clipboard().setText("\n".join(plan_lines(self.model.plan, self.texts)) + "\n")

    def _ask_and_save(self) -> None:
        title, kinds = self.tr("Save the plan"), [self.tr("Plan (*.json)")]
        ask_where_to_save(self, title, kinds, "rocm-gui-plan.json", self.save_to)

    def save_to(self, path: Path) -> None:
        """Write the plan as the JSON document of the command line."""
        if self.model.plan is None:
            return
        document = msgspec.json.format(msgspec.json.encode(plan_document(self.model.plan, self.texts)), indent=2)
        try:
            path.write_bytes(document + b"\n")
        except OSError as error:
            text = self.tr("{path} could not be written: {reason}. Choose another folder.")
            self.banner.present(text.format(path=path, reason=error.strerror or error), "bad")
