"""Runs one of our workers under a foreign Python to its end and gathers what it said before it ended."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.events import Hello, Partial, Stage
from rocm_gui.core.faults import fault_of_crash, fault_of_exception, fault_of_timeout
from rocm_gui.core.jobs import JobSpec, JobState
from rocm_gui.services.job import Job, new_job_id
from rocm_gui.system.process import child_env

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Mapping, Sequence

    from rocm_gui.core.jobs import AnyJobEvent, JobView
    from rocm_gui.core.verification import Fault
    from rocm_gui.system.paths import Paths

_SLICE_S = 0.1


@dataclass
class WorkerRun:
    """What a worker said and how it ended."""

    partials: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    hello: bool = False
    stage: str | None = None  # the last one begun
    stage_began: float = 0.0
    state: JobState = JobState.QUEUED
    fault: Fault | None = None  # None: it ended with a result
    exit_code: int | None = None
    seconds: float = 0.0


def run_worker(
    python: str,
    worker: str,
    arguments: Sequence[str] = (),
    *,
    paths: Paths,
    limit_s: Callable[[str | None], float],
    env: Mapping[str, str | None] | None = None,
    cancel: threading.Event | None = None,
    on_event: Callable[[AnyJobEvent], None] | None = None,
) -> WorkerRun:
    """Run ``workers/WORKER.py`` with ``python``.

    ``limit_s`` answers how many seconds the given stage (None: before the first) may last; a stage that lasts
    longer ends the worker, and the fault is a timeout.

    Raises:
        AppError: ``verify_cancelled``, once the worker is gone.
    """
    outcome = WorkerRun(stage_began=time.monotonic())

    def hear(view: JobView, event: AnyJobEvent) -> None:
        outcome.state = view.state
        if isinstance(event, Hello):
            outcome.hello = True
        elif isinstance(event, Stage):
            outcome.stage, outcome.stage_began = event.id, time.monotonic()
        elif isinstance(event, Partial):
            outcome.partials.append(event.data)
        if on_event is not None:
            on_event(event)

    spec = JobSpec(
        id=new_job_id(worker),
        kind=worker,
        argv=(python, "-u", "-X", "utf8", str(paths.workers / f"{worker}.py"), *arguments),
        env=child_env({"PYTHONWARNINGS": None, "PYTHONOPTIMIZE": None, **(env or {})}),  # a warning is no fault
    )
    job = Job(spec, paths.jobs, hear)
    began = time.monotonic()
    late_s: float | None = None
    try:
        job.start()
        view = job.wait(_SLICE_S)
        while not view.state.terminal:
            if cancel is not None and cancel.is_set():
                job.cancel()
            limit = limit_s(outcome.stage)
            if late_s is None and time.monotonic() - outcome.stage_began > limit:
                late_s = limit
                job.cancel()
            view = job.wait(_SLICE_S)
    finally:
        job.close()
    if cancel is not None and cancel.is_set() and view.state is not JobState.DONE:
        raise AppError("verify_cancelled", ExitCode.CANCELLED)
    outcome.state, outcome.exit_code = view.state, view.exit_code
    outcome.seconds = time.monotonic() - began
    outcome.fault = _fault(view, late_s)
    return outcome


def _fault(view: JobView, late_s: float | None) -> Fault | None:
    stderr = "\n".join(view.stderr_tail)
    if view.state is JobState.DONE:
        return None
    if late_s is not None:
        return fault_of_timeout(late_s, view.exit_code)
    if view.state is JobState.FAILED and view.failure is not None:
        failure = view.failure
        return fault_of_exception(str(failure.facts.get("kind", failure.code)), failure.message, stderr)
    return fault_of_crash(view.exit_code, stderr)
