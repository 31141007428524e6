"""The state of the guided setup and the commands that change it; pages only show it.

Everything slow runs in background threads; ``changed`` says that something is different, ``logged`` carries lines.
"""

from __future__ import annotations

import logging
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec
from PySide6.QtCore import QObject, QTimer, Signal

from rocm_gui.core.errors import AppError
from rocm_gui.core.model import SetupOptions
from rocm_gui.core.plan import StepState
from rocm_gui.core.settings import with_settings
from rocm_gui.core.setup_events import SetupEvent, StepChanged, StepLog, StepProgress
from rocm_gui.services.drafts import Draft

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocm_gui.core.plan import Plan
    from rocm_gui.core.routes import RouteChoice
    from rocm_gui.services.doctor import Diagnosis
    from rocm_gui.services.installer import Outcome, StatusReport
    from rocm_gui.services.undo import UndoReport
    from rocm_gui.ui.app import Gui

_LOG = logging.getLogger(__name__)
Activity = Literal["idle", "scanning", "planning", "applying", "undoing"]
PAGES = ("welcome", "hardware", "software", "route", "options", "review", "install", "verify", "finish")
EMIT_MS = 50  # at most 20 changes a second reach the pages, however fast an installer talks


class StepView(msgspec.Struct, kw_only=True):
    """One step of the running setup as it is shown."""

    id: str
    state: StepState = "waiting"
    started_s: float | None = None
    ended_s: float | None = None
    progress: StepProgress | None = None


class WizardModel(QObject):
    """The guided setup. Public attributes are read by pages, in the GUI thread only."""

    changed = Signal()
    logged = Signal(list)  # (text, level) of each new line
    applied = Signal()  # a run ended; see outcome
    page_wanted = Signal(str)

    def __init__(self, gui: Gui, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._gui = gui
        self.activity: Activity = "idle"
        self.options = SetupOptions()
        self.diagnosis: Diagnosis | None = gui.diagnosis
        self.scan_error: AppError | None = None
        self.plan: Plan | None = None
        self.plan_error: AppError | None = None
        self.steps: list[StepView] = []
        self.outcome: Outcome | None = None
        self.run_error: AppError | None = None
        self.undo_report: UndoReport | None = None
        self.undo_progress: StepProgress | None = None
        self.unfinished: tuple[StatusReport, ...] = ()
        self.pausing = False  # asked to pause after the current step
        self.paused = False
        self._page = "welcome"
        self._begun_target: str | None = None
        self._planned_for: SetupOptions | None = None
        self._cancel = threading.Event()
        self._go_on = threading.Event()
        self._go_on.set()
        self._inbox: list[SetupEvent] = []
        self._inbox_lock = threading.Lock()
        self._timer = QTimer(self)
        self._timer.setInterval(EMIT_MS)
        self._timer.timeout.connect(self._drain)
        self._scan_ticket = 0
        self._draft = Draft()
        self._draft_lock = threading.Lock()

    # ---- what pages ask

    @property
    def choice(self) -> RouteChoice | None:
        """The route that the setup will take."""
        diagnosis = self.diagnosis
        if diagnosis is None:
            return None
        if self.options.route_id is None:
            return diagnosis.choice
        return next((choice for choice in diagnosis.choices if choice.route.id == self.options.route_id), None)

    @property
    def target(self) -> str | None:
        """The folder that the setup will fill."""
        return self.options.target or (self.diagnosis.target if self.diagnosis else None)

    @property
    def begun_target(self) -> str | None:
        """The folder of the setup that was begun here or, by the draft, before; None once it was undone."""
        return self._begun_target

    @property
    def effective_options(self) -> SetupOptions:
        """The options with the settings where they leave something open."""
        return with_settings(self.options, self._gui.context.settings)

    @property
    def plan_wanted(self) -> bool:
        """Whether there is no plan for the options as they are now, and nothing that says why."""
        fresh = self._planned_for == self.effective_options
        return not fresh or (self.plan is None and self.plan_error is None)

    @property
    def busy(self) -> bool:
        """Whether the machine is being changed: leaving needs a question."""
        return self.activity in ("applying", "undoing")

    @property
    def remaining_s(self) -> float | None:
        """Seconds that the current step still needs, where its program tells."""
        current = next((step for step in self.steps if step.state == "running"), None)
        return current.progress.remaining_s if current is not None and current.progress is not None else None

    # ---- commands

    def scan(self) -> None:
        """Look at the machine (again) and judge it for the options as they are."""
        self._scan_ticket += 1
        ticket = self._scan_ticket
        if self.activity == "idle":
            self.activity = "scanning"
        options = self.effective_options
        self.scan_error = None
        self.changed.emit()

        def done(diagnosis: Diagnosis) -> None:
            if ticket == self._scan_ticket:
                self.diagnosis = diagnosis
                self._end_activity("scanning")
                self._gui.set_diagnosis(diagnosis)
                self.changed.emit()

        def failed(error: BaseException) -> None:
            if ticket == self._scan_ticket:
                self.scan_error = _known(error)
                self._end_activity("scanning")
                self.changed.emit()

        self._gui.background.run(lambda: self._gui.context.doctor.diagnose(options), done, failed)

    def set_options(self, **values: object) -> None:
        """Change options; a plan made for others is dropped."""
        changed = msgspec.structs.replace(self.options, **values)
        if changed != self.options:
            self.options = changed
            self.plan = None
            self.plan_error = None
            self.changed.emit()

    def make_plan(self) -> None:
        """Work out every command and change; asks the route's indexes."""
        diagnosis = self.diagnosis
        if diagnosis is None or self.activity != "idle":
            return
        self.activity = "planning"
        self.plan = None
        self.plan_error = None
        options = self._planned_for = self.effective_options
        self.changed.emit()

        def done(plan: Plan) -> None:
            self._end_activity("planning")
            if options == self.effective_options:
                self.plan = plan
            self.changed.emit()

        def failed(error: BaseException) -> None:
            self._end_activity("planning")
            self.plan_error = _known(error)
            self.changed.emit()

        planner = self._gui.context.make_planner
        self._gui.background.run(lambda: planner(diagnosis.machine).plan(options), done, failed)

    def apply(self) -> None:
        """Carry the plan out."""
        plan = self.plan
        if plan is None or self.busy:
            return
        self._begun_target = plan.target
        self._start_run([step.id for step in plan.steps])
        installer = self._gui.context.installer
        self._run(lambda: installer.apply(plan, self._hear, self._cancel))

    def resume(self, target: str) -> None:
        """Go on with the setup of ``target`` where it stopped."""
        if self.busy:
            return
        self._begun_target = target
        known = next((report for report in self.unfinished if report.target == target), None)
        self._start_run([row[0] for row in known.steps] if known else [step.id for step in self.steps])
        installer = self._gui.context.installer
        self._run(lambda: installer.resume(Path(target), self._hear, self._cancel))

    def undo(self, target: str, *, force: bool = False) -> None:
        """Take back what the setup of ``target`` did."""
        if self.busy:
            return
        self.activity = "undoing"
        self.undo_report = None
        self.undo_progress = None
        self.run_error = None
        self._cancel = threading.Event()
        self.changed.emit()
        installer = self._gui.context.installer

        def done(report: UndoReport) -> None:
            self._drain()
            self._end_activity("undoing")
            self.undo_report = report
            self.outcome = None
            for step in self.steps if report.complete else ():
                step.state = "waiting" if step.state == "waiting" else "undone"
            self._begun_target = None
            self._keep_draft()
            self.find_unfinished()
            self.changed.emit()

        def failed(error: BaseException) -> None:
            self._end_activity("undoing")
            self.run_error = _known(error)
            self.changed.emit()

        cancel = self._cancel
        self._timer.start()
        self._gui.background.run(lambda: installer.undo(Path(target), self._hear, cancel, force=force), done, failed)

    def pause(self) -> None:
        """Stop after the current step, until ``go_on``."""
        self.pausing = True
        self._go_on.clear()
        self.changed.emit()

    def go_on(self) -> None:
        """Continue after a pause."""
        self.pausing = self.paused = False
        self._go_on.set()
        self.changed.emit()

    def cancel(self) -> None:
        """Stop now; what was made is kept for resume or undo."""
        self._cancel.set()
        self.go_on()

    def find_unfinished(self) -> None:
        """Look for setups that an earlier run left open."""

        def done(reports: tuple[StatusReport, ...]) -> None:
            self.unfinished = reports
            self.changed.emit()

        self._gui.background.run(self._gui.context.unfinished_setups, done)

    def close(self) -> None:
        """Stop what runs, which the journal keeps resumable; what was typed last is kept too."""
        self._keep_draft()
        self._timer.stop()
        self.cancel()

    # ---- the draft

    def turned_to(self, page: str) -> None:
        """Remember the page for the next start."""
        self._page = page
        self._keep_draft()

    def restore(self) -> str:
        """Take up a draft; returns the page that it was on (never one whose work would have to run again)."""
        draft = self._gui.context.load_draft()
        if draft is None:
            return "welcome"
        self.options = draft.options
        self._begun_target = draft.target
        return draft.page if draft.page in PAGES[: PAGES.index("review")] else "options"

    def _keep_draft(self) -> None:
        self._draft = Draft(page=self._page, options=self.options, target=self._begun_target)

        def work() -> None:
            with self._draft_lock:  # whichever thread comes last writes the newest
                self._gui.context.save_draft(self._draft)

        self._gui.background.run(work)

    # ---- the run

    def _start_run(self, step_ids: list[str]) -> None:
        self.activity = "applying"
        self.outcome = None
        self.run_error = None
        self.undo_report = None
        self._cancel = threading.Event()
        self.go_on()
        self.steps = [StepView(id=step_id) for step_id in step_ids]
        self._keep_draft()
        self._timer.start()
        self.changed.emit()

    def _run(self, work: Callable[[], Outcome]) -> None:
        def done(outcome: Outcome) -> None:
            self._drain()
            self._end_activity("applying")
            self.outcome = outcome
            self.steps = [
                next((step for step in self.steps if step.id == step_id), StepView(id=step_id, state=state))
                for step_id, state in outcome.steps
            ]
            self.find_unfinished()
            self.changed.emit()
            self.applied.emit()

        def failed(error: BaseException) -> None:
            self._drain()
            self._end_activity("applying")
            self.run_error = _known(error)
            self.changed.emit()
            self.applied.emit()

        self._gui.background.run(work, done, failed)

    def _hear(self, event: SetupEvent) -> None:
        """Called in the installer's thread."""
        with self._inbox_lock:
            self._inbox.append(event)
        ended = isinstance(event, StepChanged) and event.state in ("done", "warning", "skipped")
        if ended and not self._go_on.is_set() and event.index < event.count:  # type: ignore[union-attr]
            self._gui.background.call(self._on_paused)
            self._go_on.wait()

    def _on_paused(self) -> None:
        if self.pausing:
            self.paused = True
            self.changed.emit()

    def _drain(self) -> None:
        with self._inbox_lock:
            events, self._inbox = self._inbox, []
        if not events:
            return
        lines = [(event.text, event.level) for event in events if isinstance(event, StepLog)]
        if lines:
            self.logged.emit(lines)
        for event in events:
            if isinstance(event, StepLog):
                continue
            step = next((step for step in self.steps if step.id == event.step), None)
            if isinstance(event, StepProgress):
                if self.activity == "undoing":
                    self.undo_progress = event
                elif step is not None:
                    step.progress = event
            elif isinstance(event, StepChanged):
                if step is None:
                    step = StepView(id=event.step)
                    self.steps.append(step)
                self._change_step(step, event)
        self.changed.emit()

    def _change_step(self, step: StepView, event: StepChanged) -> None:
        if event.state == "running" and step.state != "running":
            step.started_s = time.monotonic()
            step.progress = None
        elif step.state == "running":
            step.ended_s = time.monotonic()
        step.state = event.state

    def _end_activity(self, activity: Activity) -> None:
        if self.activity == activity:
            self.activity = "idle"
        if not self.busy:
            self._timer.stop()


def _known(error: BaseException) -> AppError:
    """The error as one with a sentence; an unforeseen one keeps its own words."""
    if isinstance(error, AppError):
        return error
    _LOG.error("unforeseen", exc_info=error)
    return AppError("unforeseen", reason=f"{type(error).__name__}: {error}")
