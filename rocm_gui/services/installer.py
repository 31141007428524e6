"""Carries out, continues, takes back and describes setups."""

from __future__ import annotations

import contextlib
import logging
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.journal import EventName, Fact, SetupRecord
from rocm_gui.core.plan import Plan, Step, StepState
from rocm_gui.core.setup_events import SetupEvent, StepChanged
from rocm_gui.core.troubles import System, Trouble, match
from rocm_gui.services import repair, setup_steps
from rocm_gui.services.download import Cancelled
from rocm_gui.services.setup_context import StepContext, StepFailedError, Tools
from rocm_gui.services.setup_fetch import download
from rocm_gui.services.setup_files import local_path, read_report
from rocm_gui.services.setup_store import (
    Journal,
    Setup,
    TargetLock,
    create_setup,
    current_setup,
    rescue_journal,
    setups_of,
    state_errors,
)
from rocm_gui.services.undo import UndoReport, preview, preview_undo, undo_setup

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocm_gui.system.paths import Paths

    Listen = Callable[[SetupEvent], None]

STEPS: dict[str, Callable[[StepContext], dict[str, Fact]]] = {
    "preflight": setup_steps.preflight,
    "environment": setup_steps.make_environment,
    "pip": setup_steps.upgrade_pip,
    "resolve": setup_steps.resolve,
    "download": download,
    "install": setup_steps.install,
    "extras": setup_steps.extras,
    "start_script": setup_steps.start_script,
    "verify": setup_steps.verify,
    "finish": setup_steps.finish,
}
REPAIR_STEPS: dict[str, Callable[[StepContext], dict[str, Fact]]] = {
    "preflight": repair.preflight,
    "resolve": setup_steps.resolve,
    "download": download,
    "install": repair.replace,
    "verify": repair.verify,
    "finish": repair.finish,
}
_LOG = logging.getLogger(__name__)
_FILLS_ENVIRONMENT = ("environment", "pip", "install", "extras")


@dataclass(frozen=True)
class Outcome:
    """How carrying out a setup ended."""

    setup_id: str
    target: str
    state: StepState  # done, failed, cancelled
    steps: tuple[tuple[str, StepState], ...]
    step: str | None = None  # where it stopped
    error: AppError | None = None
    troubles: tuple[Trouble, ...] = ()
    verdict: str | None = None

    @property
    def exit_code(self) -> ExitCode:
        """The exit code of the command."""
        if self.state == "cancelled":
            return ExitCode.CANCELLED
        if self.error is not None:
            return self.error.exit_code
        return ExitCode.OK


class MadeNow(msgspec.Struct, frozen=True, kw_only=True):
    """A change and what undo would do with it now."""

    kind: str
    path: str
    step: str
    undo: str  # remove, restore, nothing, keep
    reason: str | None = None
    details: tuple[str, ...] = ()


class StatusReport(msgspec.Struct, frozen=True, kw_only=True):
    """How a setup stands."""

    schema: int = 1
    setup_id: str
    route_id: str
    target: str
    environment_python: str
    phase: str  # new, running, interrupted, failed, cancelled, done, undoing, undone
    running_pid: int | None = None
    steps: tuple[tuple[str, StepState, dict[str, Fact]], ...] = ()
    made: tuple[MadeNow, ...] = ()
    failed_code: str | None = None
    last_change: str | None = None
    torn: bool = False
    next: tuple[str, ...] = ()  # commands that make sense now: resume, undo


class RepairPreview(msgspec.Struct, frozen=True, kw_only=True):
    """The difference that a repair would make."""

    python: str
    version: str
    changes: tuple[repair.PackageChange, ...]
    kept: int  # packages that stay


class Installer:
    """Setups on this machine. ``tools`` are what the steps call, ``troubles`` what failures are compared with."""

    def __init__(self, paths: Paths, tools: Tools, *, troubles: Sequence[Trouble] = (), system: System) -> None:
        self._paths = paths
        self._tools = tools
        self._troubles = tuple(troubles)
        self._system: System = system

    def apply(self, plan: Plan, on_event: Listen, cancel: threading.Event | None = None) -> Outcome:
        """Carry out ``plan``.

        Raises:
            AppError: ``route_is_guide``, ``setup_busy`` or ``state_unusable``; what fails in a step is in the outcome.
        """
        if plan.kind == "guide":
            raise AppError("route_is_guide", ExitCode.USAGE, route=plan.route_id)
        with TargetLock(self._paths, Path(plan.target)):
            setup = create_setup(self._paths, plan)
            with contextlib.closing(Journal(setup.journal_path)) as journal:
                with state_errors(setup.folder):
                    journal.write("opened", facts={"route": plan.route_id})
                return self._carry_out(setup, journal, on_event, cancel or threading.Event())

    def resume(self, target: Path, on_event: Listen, cancel: threading.Event | None = None) -> Outcome:
        """Go on where the setup of ``target`` stopped.

        Raises:
            AppError: ``setup_unknown``, ``setup_busy``, ``setup_undone``, ``setup_undoing``, ``journal_damaged`` or
                ``state_unusable``.
        """
        with TargetLock(self._paths, target):
            setup = current_setup(self._paths, target)
            with contextlib.closing(Journal(setup.journal_path)) as journal:
                phase = journal.record.phase
                if phase in ("undone", "undoing"):
                    raise AppError(f"setup_{phase}", ExitCode.USAGE, target=str(target))
                if phase == "done":
                    return _outcome(setup, journal.record)
                with state_errors(setup.folder):
                    journal.write("resumed")
                return self._carry_out(setup, journal, on_event, cancel or threading.Event())

    def undo(
        self,
        target: Path,
        on_event: Listen,
        cancel: threading.Event | None = None,
        *,
        force: bool = False,
        dry_run: bool = False,
    ) -> UndoReport:
        """Take the setup of ``target`` back, or with ``dry_run`` say what that would do.

        ``force`` takes back also what was changed since, and where the journal is damaged goes by its sound part.

        Raises:
            AppError: ``setup_unknown``, ``setup_busy``, ``setup_undone``, ``undo_not_possible``, ``undo_cancelled``
                or ``journal_damaged``.
        """
        if dry_run:
            return preview_undo(current_setup(self._paths, target), force=force)
        with TargetLock(self._paths, target):
            if force:
                for known in setups_of(self._paths, target):
                    rescue_journal(known)
            setup = current_setup(self._paths, target)
            with contextlib.closing(Journal(setup.journal_path)) as journal:
                if journal.record.phase == "undone":
                    raise AppError("setup_undone", ExitCode.USAGE, target=str(target))
                return undo_setup(
                    self._paths, setup, journal, force=force, emit=on_event, cancel=cancel or threading.Event()
                )

    def status(self, target: Path) -> StatusReport:
        """How the setup of ``target`` stands; reads only.

        Raises:
            AppError: ``setup_unknown`` or ``journal_damaged``.
        """
        setup = current_setup(self._paths, target)
        record = setup.record()
        lock = TargetLock(self._paths, target)
        running = lock.held()
        phase = str(record.phase)
        if phase in ("applying", "undoing"):
            phase = "running" if running else ("interrupted" if phase == "applying" else "undoing")
        failed = next((step for step in record.steps.values() if step.state == "failed"), None)
        return StatusReport(
            setup_id=setup.plan.setup_id,
            route_id=setup.plan.route_id,
            target=setup.plan.target,
            environment_python=setup.plan.environment_python,
            phase=phase,
            running_pid=lock.holder() if running else None,
            steps=tuple(_step_row(setup.plan, record, running=running)),
            made=tuple(_made_now(record)),
            failed_code=str(failed.facts.get("code")) if failed is not None else None,
            last_change=record.last_time,
            torn=record.torn,
            next=_next(phase),
        )

    def repair_difference(self, plan: Plan, on_event: Listen, cancel: threading.Event) -> RepairPreview:
        """What the repair ``plan`` would change. Asks the index and changes nothing.

        Raises:
            AppError: as the steps ``preflight`` and ``resolve`` of a repair; ``Cancelled`` where asked to stop.
        """
        environment = repair.read_environment(plan.environment_python)
        setup = Setup(self._paths.setups / plan.setup_id, plan)
        step = next(step for step in plan.steps if step.id == "resolve")
        setup.folder.mkdir(parents=True, exist_ok=True)
        with contextlib.closing(Journal(setup.journal_path)) as journal:
            ctx = StepContext(self._paths, setup, journal, step, self._tools, on_event, cancel)
            setup_steps.resolve(ctx)
        changes = repair.difference(environment, read_report(setup, step.id))
        untouched = len(environment.packages) - sum(change.before is not None for change in changes)
        return RepairPreview(
            python=plan.environment_python, version=environment.version, changes=changes, kept=untouched
        )

    def setups(self, target: Path) -> tuple[Setup, ...]:
        """Every setup of ``target``, newest first."""
        return setups_of(self._paths, target)

    # ---- the run

    def _carry_out(self, setup: Setup, journal: Journal, on_event: Listen, cancel: threading.Event) -> Outcome:
        plan = setup.plan
        others = [other for other in setups_of(self._paths, Path(plan.target)) if other.folder != setup.folder]
        replacing = any(other.is_open() for other in others)
        functions = REPAIR_STEPS if plan.kind == "repair" else STEPS
        step = plan.steps[0]

        def context(of: Step) -> StepContext:
            return StepContext(self._paths, setup, journal, of, self._tools, on_event, cancel, replacing=replacing)

        try:
            start = _first_step(context, plan, journal.record)
            for index, step in enumerate(plan.steps, start=1):
                if index <= start:
                    state = journal.record.steps[step.id].state
                    on_event(StepChanged(step=step.id, state=state, index=index, count=len(plan.steps)))
                    continue
                if cancel.is_set():
                    raise Cancelled  # noqa: TRY301 - one place for both ways to stop
                journal.write("begin", step.id)
                on_event(StepChanged(step=step.id, state="running", index=index, count=len(plan.steps)))
                facts = functions[step.id](context(step))
                journal.write("done", step.id, facts=facts)
                state = journal.record.steps[step.id].state
                on_event(StepChanged(step=step.id, state=state, index=index, count=len(plan.steps), facts=facts))
        except (Cancelled, AppError, OSError) as error:
            return self._stopped(setup, journal, step, error, on_event, cancel)
        return _outcome(setup, journal.record)

    def _stopped(
        self,
        setup: Setup,
        journal: Journal,
        step: Step,
        error: Exception,
        on_event: Listen,
        cancel: threading.Event,
    ) -> Outcome:
        """Write down how the run ended and explain it."""
        index = setup.plan.steps.index(step) + 1
        count = len(setup.plan.steps)
        if isinstance(error, Cancelled) or cancel.is_set():
            _note(journal, "cancelled", step.id, {})
            on_event(StepChanged(step=step.id, state="cancelled", index=index, count=count))
            return _outcome(setup, journal.record, step=step.id, state="cancelled")
        known = error if isinstance(error, AppError) else _os_error(error, step)
        facts: dict[str, Fact] = {
            key: value if isinstance(value, (str, int, float, bool)) or value is None else str(value)
            for key, value in known.facts.items()
        }
        facts.pop("step", None)
        _note(journal, "failed", step.id, {"code": known.code, **facts})
        on_event(StepChanged(step=step.id, state="failed", index=index, count=count, facts={"code": known.code}))
        text = "\n".join([getattr(known, "output", ""), str(known.facts.get("reason") or "")])
        troubles = tuple(match(text, self._system, self._troubles))
        return _outcome(setup, journal.record, step=step.id, state="failed", error=known, troubles=troubles)


def _note(journal: Journal, event: EventName, step: str, facts: dict[str, Fact]) -> None:
    """Write an end down. Where the disk is full the step stays begun, which resume and undo know as an interruption."""
    try:
        journal.write(event, step, facts=facts)
    except OSError as error:
        _LOG.warning("journal not written: %s", error)


def _os_error(error: Exception, step: Step) -> AppError:
    reason = getattr(error, "strerror", None) or str(error)
    path = getattr(error, "filename", None)
    code = ExitCode.DENIED if isinstance(error, PermissionError) else ExitCode.FAILED
    return StepFailedError("setup_os_error", code, output=str(error), step=step.id, path=path, reason=reason)


def _first_step(context: Callable[[Step], StepContext], plan: Plan, record: SetupRecord) -> int:
    """The index of the step to begin with: the first that is not done, or an earlier one whose work is gone."""
    ids = [step.id for step in plan.steps]
    first = next((index for index, step_id in enumerate(ids) if not record.done(step_id)), len(ids))
    if "environment" not in ids or first <= ids.index("environment"):
        return first
    environment = ids.index("environment")
    filled = [step_id for step_id in ids[:first] if step_id in _FILLS_ENVIRONMENT]
    ctx = context(plan.steps[environment])
    last = filled[-1]
    begun = first < len(ids) and ids[first] in record.steps
    if begun and ids[first] in _FILLS_ENVIRONMENT:
        whole = setup_steps.restore_environment(ctx, last)
    else:
        whole = setup_steps.still_good(ctx, last)
    if not whole:
        return environment
    return min(first, _first_missing_file(ctx, ids[:first], begun=begun))


def _first_missing_file(ctx: StepContext, done: Sequence[str], *, begun: bool) -> int:
    """The index of ``resolve`` or ``download`` where its files are gone before they were installed.

    Where the installation was ``begun`` and did not end well, the files are checked once more: they may be why.
    """
    if "install" in done:
        return len(done)
    if "resolve" in done:
        try:
            packages = read_report(ctx.setup, "resolve").packages
        except StepFailedError:
            return list(done).index("resolve")
        if "download" not in done:
            return len(done)
        if begun or not all(local_path(ctx.paths.downloads, package).is_file() for package in packages):
            return list(done).index("download")
    return len(done)


def _outcome(
    setup: Setup,
    record: SetupRecord,
    *,
    step: str | None = None,
    state: StepState = "done",
    error: AppError | None = None,
    troubles: tuple[Trouble, ...] = (),
) -> Outcome:
    verified = record.steps.get("verify")
    verdict = verified.facts.get("verdict") if verified is not None else None
    return Outcome(
        setup_id=setup.plan.setup_id,
        target=setup.plan.target,
        state=state,
        steps=tuple((row[0], row[1]) for row in _step_row(setup.plan, record, running=False)),
        step=step,
        error=error,
        troubles=troubles,
        verdict=verdict if isinstance(verdict, str) else None,
    )


def _step_row(plan: Plan, record: SetupRecord, *, running: bool) -> list[tuple[str, StepState, dict[str, Fact]]]:
    rows: list[tuple[str, StepState, dict[str, Fact]]] = []
    for step in plan.steps:
        known = record.steps.get(step.id)
        state: StepState = "waiting" if known is None else known.state
        if state == "interrupted" and running:
            state = "running"
        rows.append((step.id, state, known.facts if known is not None else {}))
    return rows


def _made_now(record: SetupRecord) -> list[MadeNow]:
    return [
        MadeNow(
            kind=state.made.kind,
            path=state.made.path,
            step=state.step,
            undo=decision.action,
            reason=decision.reason,
            details=decision.details,
        )
        for state, decision in preview(record)
    ]


def _next(phase: str) -> tuple[str, ...]:
    if phase in ("interrupted", "failed", "cancelled"):
        return ("resume", "undo")
    return ("undo",) if phase in ("done", "undoing") else ()
