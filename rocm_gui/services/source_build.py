"""Building from source: step by step, with progress, cancelled safely, resumed without starting over.

A build has a folder of its own. ``.rocm_gui_build.json`` in it, written before each step and after it, tells what was
planned and how far it is; a process killed at any moment is continued from there.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.events import Log, Progress
from rocm_gui.core.jobs import JobSpec, JobState
from rocm_gui.core.parsers.build_output import FirstError, clean, progress_of
from rocm_gui.core.recipes import BuildPlan, BuildStep, Recipe, make_plan
from rocm_gui.core.setup_events import RateMeter, SetupEvent, StepChanged, StepLog, StepProgress
from rocm_gui.core.troubles import Trouble, match
from rocm_gui.services.build_environment import build_environment, forget_foreign_cache, may_write, shown_sudo
from rocm_gui.services.build_needs import NeedResult, check_needs, facts_of
from rocm_gui.services.build_record import MARKER, BuildRecord, keep, known_folders, note_folder, read_record, save
from rocm_gui.services.env_tree import remove_tree
from rocm_gui.services.job import Job, new_job_id
from rocm_gui.services.setup_store import TargetLock
from rocm_gui.system.elevate import run_elevated

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Mapping

    from rocm_gui.core.events import AnyEvent
    from rocm_gui.core.jobs import AnyJobEvent, JobView
    from rocm_gui.core.model import Machine
    from rocm_gui.core.plan import StepState
    from rocm_gui.core.recipes import BuildOptions
    from rocm_gui.core.troubles import System
    from rocm_gui.system.paths import Paths

    Listen = Callable[[SetupEvent], None]

_POLL_S = 0.1
_SILENCE_S = 3600.0  # a single link of a large library can be silent for long
_TAIL = 400


class BuildOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a run ended."""

    state: Literal["done", "failed", "cancelled"]
    plan: BuildPlan
    step: str | None = None
    exit_code: int | None = None
    error: str | None = None  # the first error in the tool's words
    error_file: str | None = None
    error_line: int | None = None
    error_lines: tuple[str, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    reason: str | None = None  # why a program could not be started


class SourceBuild:
    """Plans and runs builds on this machine."""

    def __init__(
        self,
        paths: Paths,
        recipes: Mapping[str, Recipe],
        machine: Callable[[], Machine],
        troubles: tuple[Trouble, ...] = (),
        system: System = "linux",
    ) -> None:
        self._paths = paths
        self.recipes = recipes
        self._machine_source = machine
        self._machine: Machine | None = None
        self._troubles = troubles
        self._system: System = system

    @property
    def machine(self) -> Machine:
        """This machine; looked at where it is first needed, which should be a background thread."""
        if self._machine is None:
            self._machine = self._machine_source()
        return self._machine

    def recipe(self, recipe_id: str) -> Recipe:
        """A recipe by its id.

        Raises:
            AppError: ``build_recipe``.
        """
        found = self.recipes.get(recipe_id)
        if found is None:
            raise AppError("build_recipe", ExitCode.USAGE, recipe=recipe_id, names=", ".join(self.recipes))
        return found

    def default_folder(self, recipe_id: str) -> str:
        """Where a build of ``recipe_id`` would stand: short, since Windows' compilers know no long paths."""
        if sys.platform == "win32":
            return f"{os.environ.get('SYSTEMDRIVE', 'C:')}\\rocm-build\\{recipe_id}"
        return str(Path.home() / "rocm-build" / recipe_id)

    def check(self, options: BuildOptions) -> tuple[NeedResult, ...]:
        """What the recipe needs and what of it is here."""
        return check_needs(self.recipe(options.recipe_id), options, self.machine)

    def plan(self, options: BuildOptions, needs: tuple[NeedResult, ...] | None = None) -> BuildPlan:
        """The plan for ``options``; ``needs`` spares asking every tool again where ``check`` was called before.

        Raises:
            AppError: as ``make_plan``; ``build_source_missing``, ``build_no_cmakelists``, ``build_inside_source``.
        """
        recipe = self.recipe(options.recipe_id)
        plan = make_plan(recipe, options, facts_of(self.machine, self.check(options) if needs is None else needs))
        if plan.url is None:
            source = Path(plan.source_dir)
            if not source.is_dir():
                raise AppError("build_source_missing", ExitCode.USAGE, path=plan.source_dir)
            if not (source / "CMakeLists.txt").is_file():
                raise AppError("build_no_cmakelists", ExitCode.USAGE, path=plan.source_dir)
            if source.resolve() == Path(plan.work_dir).resolve():
                raise AppError("build_inside_source", ExitCode.USAGE, path=plan.source_dir)
        steps = tuple(
            msgspec.structs.replace(step, needs_admin=True)
            if step.id == "build_install" and not may_write(Path(plan.prefix))
            else step
            for step in plan.steps
        )
        return msgspec.structs.replace(plan, steps=steps)

    def run(self, plan: BuildPlan, on_event: Listen, cancel: threading.Event) -> BuildOutcome:
        """Carry ``plan`` out; a build of the same plan that stands there is continued.

        Raises:
            AppError: ``build_foreign``, ``build_other_plan``, ``setup_busy``, ``build_folder``.
        """
        work = Path(plan.work_dir)
        with TargetLock(self._paths, work):
            record = self._open(plan)
            return self._carry_out(record, on_event, cancel)

    def resume(self, work_dir: Path, on_event: Listen, cancel: threading.Event) -> BuildOutcome:
        """Go on with the build in ``work_dir``.

        Raises:
            AppError: ``build_none``, ``setup_busy``.
        """
        with TargetLock(self._paths, work_dir):
            return self._carry_out(read_record(work_dir), on_event, cancel)

    def known(self) -> tuple[BuildRecord, ...]:
        """The builds that this program began, newest first; folders that are gone are passed over."""
        found: list[BuildRecord] = []
        for name in known_folders(self._paths):
            with contextlib.suppress(AppError):
                found.append(read_record(Path(name)))
        return tuple(sorted(found, key=lambda record: record.updated_s, reverse=True))

    def clean(self, work_dir: Path, what: Literal["build", "all"]) -> tuple[str, ...]:
        """Remove the build folder, or all that this build made; what was here before stays. Returns what was removed.

        Raises:
            AppError: ``build_none``, ``setup_busy``, ``build_folder``.
        """
        with TargetLock(self._paths, work_dir):
            record = read_record(work_dir)
            plan = record.plan
            wanted = (
                [plan.build_dir]
                if what == "build"
                else [plan.build_dir, plan.source_dir, str(Path(plan.work_dir, "tools"))]
            )
            removed: list[str] = []
            try:
                for folder in wanted:
                    if folder in record.made and Path(folder).is_dir():
                        remove_tree(Path(folder))
                        removed.append(folder)
                if what == "all":
                    (work_dir / MARKER).unlink(missing_ok=True)
                    if plan.work_dir in record.made and not any(work_dir.iterdir()):
                        work_dir.rmdir()
                        removed.append(plan.work_dir)
                else:
                    left = tuple(key for key in record.done if key.split(":")[0] in ("clone", "sources"))
                    save(msgspec.structs.replace(record, done=left, running=None, state="new"))
            except OSError as error:
                reason = error.strerror or str(error)
                raise AppError("build_folder", ExitCode.DENIED, path=str(work_dir), reason=reason) from error
            return tuple(removed)

    # ---- inside

    def _open(self, plan: BuildPlan) -> BuildRecord:
        work = Path(plan.work_dir)
        if (work / MARKER).exists():
            record = read_record(work)
            if record.plan != plan:
                if record.plan.source_dir != plan.source_dir or record.plan.url != plan.url:
                    other = record.plan.url or record.plan.source_dir
                    raise AppError("build_other_plan", ExitCode.USAGE, path=plan.work_dir, source=other)
                left = tuple(key for key in record.done if key.split(":")[0] in ("clone", "sources"))
                if record.plan.options.ref != plan.options.ref:
                    left = ()
                record = msgspec.structs.replace(record, plan=plan, done=left)
            return record
        existed = work.exists()
        if existed and (not work.is_dir() or any(work.iterdir())):
            raise AppError("build_foreign", ExitCode.USAGE, path=plan.work_dir)
        made = [] if existed else [plan.work_dir]
        parts = (plan.source_dir, plan.build_dir, str(Path(plan.work_dir, "tools")))
        made += [folder for folder in parts if not Path(folder).exists()]
        try:
            work.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = error.strerror or str(error)
            raise AppError("build_folder", ExitCode.DENIED, path=plan.work_dir, reason=reason) from error
        record = BuildRecord(plan=plan, made=tuple(made))
        save(record)
        note_folder(self._paths, plan.work_dir)
        return record

    def _carry_out(self, record: BuildRecord, on_event: Listen, cancel: threading.Event) -> BuildOutcome:
        plan = record.plan
        count = len(plan.steps)
        record = keep(record, state="running")
        try:
            for index, step in enumerate(plan.steps, start=1):
                if _key(plan, index) in record.done:
                    on_event(StepChanged(step=step.id, state="skipped", index=index, count=count))
                    continue
                on_event(StepChanged(step=step.id, state="running", index=index, count=count))
                record = keep(record, running=_key(plan, index))
                outcome = self._step(plan, step, on_event, cancel)
                state: StepState = "done" if outcome is None else outcome.state
                on_event(StepChanged(step=step.id, state=state, index=index, count=count))
                if outcome is not None:
                    keep(record, state=outcome.state, running=None)
                    return outcome
                record = keep(record, done=(*record.done, _key(plan, index)), running=None)
        except OSError as error:
            reason = error.strerror or str(error)
            raise AppError("build_folder", ExitCode.FAILED, path=plan.work_dir, reason=reason) from error
        keep(record, state="done")
        return BuildOutcome(state="done", plan=plan)

    def _step(self, plan: BuildPlan, step: BuildStep, on_event: Listen, cancel: threading.Event) -> BuildOutcome | None:
        if step.needs_admin:
            return self._elevated(plan, step)
        if step.id == "configure":
            forget_foreign_cache(plan)
        Path(plan.build_dir).parent.mkdir(parents=True, exist_ok=True)
        env = build_environment(self.machine, compiles=step.id in ("configure", "build", "build_install"))
        for argv in step.commands:
            if step.id == "clone" and "clone" in argv and Path(plan.source_dir).exists():
                remove_tree(Path(plan.source_dir))  # ours, and not finished
            if "submodule" in argv and not Path(plan.source_dir, ".gitmodules").exists():
                continue
            outcome = self._command(plan, step, argv, env, on_event, cancel)
            if outcome is not None:
                return outcome
        return None

    def _command(
        self,
        plan: BuildPlan,
        step: BuildStep,
        argv: tuple[str, ...],
        env: dict[str, str],
        on_event: Listen,
        cancel: threading.Event,
    ) -> BuildOutcome | None:
        if cancel.is_set():
            return BuildOutcome(state="cancelled", plan=plan, step=step.id)
        first, tail, meter = FirstError(), list[str](), RateMeter()

        def parse(text: str) -> AnyEvent | None:
            line = clean(text)
            found = progress_of(line)
            if found is None or found.unit != "objects":
                tail.append(line)
                del tail[:-_TAIL]
            severity = first.hear(line)
            if found is not None and severity == "info":
                meter.add(time.monotonic(), found.done)
                return Progress(done=found.done, total=found.total, unit=found.unit)
            return Log(text=line, level=severity, stream="stdout")

        def hear(_view: JobView, event: AnyJobEvent) -> None:
            if isinstance(event, Progress):
                on_event(
                    StepProgress(
                        step=step.id, done=event.done, total=event.total, unit=event.unit, rate=meter.rate,
                        remaining_s=meter.remaining_s(event.total),
                    )
                )  # fmt: skip
            elif isinstance(event, Log) and event.text.strip():
                on_event(StepLog(step=step.id, text=event.text, level=event.level))

        on_event(StepLog(step=step.id, text="$ " + " ".join(argv)))
        spec = JobSpec(
            id=new_job_id(f"build-{step.id}"),
            kind="build",
            argv=argv,
            env=env,
            cwd=step.cwd if Path(step.cwd).is_dir() else plan.work_dir,
            silence_timeout_s=_SILENCE_S,
            protocol="lines",
            merged=True,
        )
        job = Job(spec, self._paths.jobs, hear, parse)
        job.start()
        try:
            while not job.wait(_POLL_S).state.terminal:
                if cancel.is_set():
                    job.cancel()
            view = job.view
        finally:
            job.close()
        if view.state is JobState.DONE:
            return None
        if view.state is JobState.CANCELLED or cancel.is_set():
            return BuildOutcome(state="cancelled", plan=plan, step=step.id)
        return self._failed(plan, step, view, first, tail)

    def _failed(
        self, plan: BuildPlan, step: BuildStep, view: JobView, first: FirstError, tail: list[str]
    ) -> BuildOutcome:
        problem = first.problem
        failure = view.failure
        text = "\n".join((*first.lines, *tail))
        return BuildOutcome(
            state="failed",
            plan=plan,
            step=step.id,
            exit_code=view.exit_code,
            error=problem.text if problem else next((line for line in reversed(tail) if line.strip()), None),
            error_file=problem.file if problem else None,
            error_line=problem.line if problem else None,
            error_lines=first.lines or tuple(tail[-8:]),
            troubles=tuple(match(text, self._system, self._troubles)[:3]),
            reason=failure.message if failure is not None and failure.code == "job_not_started" else None,
        )

    def _elevated(self, plan: BuildPlan, step: BuildStep) -> BuildOutcome | None:
        if sys.platform != "win32":
            line = " && ".join(shown_sudo(argv) for argv in step.commands)
            raise AppError("build_needs_sudo", ExitCode.DENIED, prefix=plan.prefix, line=line)
        for argv in step.commands:
            code = run_elevated(argv, folder=Path(plan.work_dir), timeout_s=3600)
            if code != 0:
                return BuildOutcome(state="failed", plan=plan, step=step.id, exit_code=code)
        return None


def _key(plan: BuildPlan, index: int) -> str:
    return f"{plan.steps[index - 1].id}:{index}"
