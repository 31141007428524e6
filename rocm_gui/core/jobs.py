"""What a job is and how its state follows from what happens: ``reduce`` decides, nothing else does."""

from __future__ import annotations

import signal
from enum import Enum
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.events import AnyEvent, Event, Failure, Hello, Log, Metric, Partial, Progress, Result, Stage

LOG_LINES = 200  # kept in a view; the whole is in the job's files
STDERR_LINES = 40
LINE_CHARACTERS = 4000  # of one line in a view
PARTIALS = 1000

Protocol = Literal["worker", "lines"]
TimeoutKind = Literal["total", "silence"]


class JobState(str, Enum):
    """Where a job is. The last five are terminal."""

    QUEUED = "queued"
    STARTING = "starting"
    RUNNING = "running"
    CANCELLING = "cancelling"  # being stopped, on request or because its time is up
    DONE = "done"
    FAILED = "failed"  # it said so itself, or could not be started
    CANCELLED = "cancelled"
    TIMED_OUT = "timed_out"
    CRASHED = "crashed"  # ended by a signal or exception, or without a result

    @property
    def terminal(self) -> bool:
        """Whether a job in this state never changes again."""
        return self in _TERMINAL


_TERMINAL = frozenset({JobState.DONE, JobState.FAILED, JobState.CANCELLED, JobState.TIMED_OUT, JobState.CRASHED})


class JobSpec(msgspec.Struct, frozen=True, kw_only=True):
    """What to run and for how long."""

    id: str
    kind: str  # "verify", "pip", "bandwidth", ...
    argv: tuple[str, ...]
    env: dict[str, str] | None = None  # the whole environment; None: the product's own for children
    cwd: str | None = None
    total_timeout_s: float | None = None
    silence_timeout_s: float | None = None  # nothing on standard output and error for so long
    protocol: Protocol = "worker"
    merged: bool = False  # standard error comes with standard output, in order: for tools that tell progress there
    resource: str | None = None  # jobs that name the same one (a GPU's PCI address) run one at a time


class JobStarting(Event, tag="job_starting", frozen=True, kw_only=True):
    """The program is about to be started. ``at_s`` here and below: seconds since 1970, UTC."""

    job: str = ""
    kind: str = ""
    argv: tuple[str, ...] = ()
    at_s: float | None = None


class JobStarted(Event, tag="job_started", frozen=True, kw_only=True):
    """The program runs."""

    pid: int
    at_s: float | None = None


class JobStartFailed(Event, tag="job_start_failed", frozen=True, kw_only=True):
    """The system could not start the program."""

    reason: str
    program: str = ""
    at_s: float | None = None


class JobCancelRequested(Event, tag="job_cancel_requested", frozen=True, kw_only=True):
    """Somebody asked to stop the job."""

    at_s: float | None = None


class JobTimedOut(Event, tag="job_timed_out", frozen=True, kw_only=True):
    """A time limit has passed; the job is being ended."""

    limit: TimeoutKind
    limit_s: float
    at_s: float | None = None


class JobRecordCut(Event, tag="job_record_cut", frozen=True, kw_only=True):
    """The record of the job is full: from here on it holds no more than how the job ends."""


class JobEnded(Event, tag="job_ended", frozen=True, kw_only=True):
    """The program is gone. ``exit_code``: negative signal number on POSIX, unsigned on Windows; None: not known."""

    exit_code: int | None
    at_s: float | None = None


JobEvent = JobStarting | JobStarted | JobStartFailed | JobCancelRequested | JobTimedOut | JobRecordCut | JobEnded
AnyJobEvent = AnyEvent | JobEvent


class JobView(msgspec.Struct, frozen=True, kw_only=True):
    """All that can be said of a job at one moment; immutable, so that any thread may keep it."""

    id: str
    kind: str
    protocol: Protocol = "worker"
    resource: str | None = None
    state: JobState = JobState.QUEUED
    pid: int | None = None
    started_at_s: float | None = None
    ended_at_s: float | None = None
    hello: Hello | None = None
    stage: Stage | None = None
    progress: Progress | None = None
    metric: Metric | None = None  # the last one
    partials: tuple[dict[str, Any], ...] = ()  # finished parts of the result, there even when the program crashes later
    result: dict[str, Any] | None = None
    failure: Failure | None = None
    cancel_requested: bool = False
    timeout: TimeoutKind | None = None
    timeout_s: float | None = None
    exit_code: int | None = None
    log_tail: tuple[str, ...] = ()
    stderr_tail: tuple[str, ...] = ()

    @property
    def duration_s(self) -> float | None:
        """Seconds from start to end; None before."""
        if self.started_at_s is None or self.ended_at_s is None:
            return None
        return max(0.0, self.ended_at_s - self.started_at_s)

    @property
    def unclean_exit(self) -> bool:
        """The result is there, but the program died afterwards: seen when GPU libraries are unloaded."""
        return self.state is JobState.DONE and self.exit_code not in (0, None)


def first_view(spec: JobSpec) -> JobView:
    """The view of a job that waits."""
    return JobView(id=spec.id, kind=spec.kind, protocol=spec.protocol, resource=spec.resource)


def reduce(view: JobView, event: AnyJobEvent) -> JobView:
    """The view after ``event``. Total: any event may come in any state, and a terminal state is never left."""
    if view.state.terminal:
        return view
    if isinstance(event, Log):
        return _with_log(view, event)
    if isinstance(event, (Hello, Stage, Progress, Metric, Partial, Result, Failure)):
        return _on_wire(view, event)
    return _on_life(view, event)


def _with_log(view: JobView, event: Log) -> JobView:
    text = event.text[:LINE_CHARACTERS]
    if event.stream == "stderr":
        return replace(view, stderr_tail=(*view.stderr_tail[1 - STDERR_LINES :], text))
    return replace(view, log_tail=(*view.log_tail[1 - LOG_LINES :], text))


def _on_wire(view: JobView, event: Hello | Stage | Progress | Metric | Partial | Result | Failure) -> JobView:
    if isinstance(event, Progress):
        return replace(view, progress=event)
    if isinstance(event, Metric):
        return replace(view, metric=event)
    if isinstance(event, Stage):
        return replace(view, stage=event, progress=None)
    if isinstance(event, Hello):
        return replace(view, hello=event)
    if isinstance(event, Partial):
        return replace(view, partials=(*view.partials[1 - PARTIALS :], event.data))
    if view.result is not None or view.failure is not None:
        return view  # the first last word counts
    if isinstance(event, Result):
        return replace(view, result=event.data)
    return replace(view, failure=event)


def _on_life(view: JobView, event: JobEvent) -> JobView:
    if isinstance(event, JobStarting):
        return replace(view, state=JobState.STARTING) if view.state is JobState.QUEUED else view
    if isinstance(event, JobStarted):
        state = JobState.CANCELLING if view.state is JobState.CANCELLING else JobState.RUNNING
        return replace(view, state=state, pid=event.pid, started_at_s=event.at_s)
    if isinstance(event, JobCancelRequested):
        if view.state is JobState.QUEUED:
            return replace(view, state=JobState.CANCELLED, cancel_requested=True, ended_at_s=event.at_s)
        return replace(view, state=JobState.CANCELLING, cancel_requested=True)
    if isinstance(event, JobTimedOut):
        if view.state is JobState.CANCELLING or view.result is not None:
            return view
        return replace(view, state=JobState.CANCELLING, timeout=event.limit, timeout_s=event.limit_s)
    if isinstance(event, JobStartFailed):
        state = JobState.CANCELLED if view.cancel_requested else JobState.FAILED
        failure = Failure(
            code="job_not_started", message=event.reason, facts={"program": event.program, "reason": event.reason}
        )
        return replace(view, state=state, failure=view.failure or failure, ended_at_s=event.at_s)
    if isinstance(event, JobEnded):
        return replace(view, state=_outcome(view, event.exit_code), exit_code=event.exit_code, ended_at_s=event.at_s)
    return view


def _outcome(view: JobView, exit_code: int | None) -> JobState:
    """The terminal state of a program that is gone."""
    if view.result is not None:
        return JobState.DONE  # whole before the program ended: a late cancel or a crash while unloading takes nothing
    if view.timeout is not None:
        return JobState.TIMED_OUT
    if view.cancel_requested:
        return JobState.CANCELLED
    if view.failure is not None:
        return JobState.FAILED
    if view.protocol == "worker" or exit_code is None or _is_crash(exit_code):
        return JobState.CRASHED
    return JobState.DONE if exit_code == 0 else JobState.FAILED


def _is_crash(exit_code: int) -> bool:
    """Signals are negative; Windows' exception codes are NTSTATUS errors, 0xC0000000 and up."""
    return exit_code < 0 or exit_code >= 0xC0000000


def job_error(view: JobView, stderr_file: str | None = None) -> AppError | None:
    """What a person must hear of a job that has ended; None where all went well."""
    if view.state is JobState.CANCELLED:
        return AppError("job_cancelled", ExitCode.CANCELLED, kind=view.kind)
    if view.state is JobState.TIMED_OUT:
        return AppError(f"job_timed_out_{view.timeout}", ExitCode.CRASHED, kind=view.kind, timeout_s=view.timeout_s)
    code = exit_code_text(view.exit_code)
    if view.state is JobState.CRASHED:
        return AppError("job_crashed", ExitCode.CRASHED, kind=view.kind, exit_code=code, stderr=stderr_file)
    if view.state is not JobState.FAILED:
        return None
    if view.failure is not None and view.failure.code == "job_not_started":
        return AppError("job_not_started", **view.failure.facts)
    last_line = view.failure.message if view.failure else next(iter((view.stderr_tail or view.log_tail)[-1:]), None)
    return AppError("job_failed", kind=view.kind, exit_code=code, last_line=last_line, stderr=stderr_file)


def exit_code_text(code: int | None) -> str | None:
    """An exit code as people look it up: ``0xC0000005`` for Windows' exceptions, ``-11 (SIGSEGV)`` for signals."""
    if code is None:
        return None
    if code >= 0x80000000:
        return f"0x{code:08X}"
    if code < 0:
        try:
            return f"{code} ({signal.Signals(-code).name})"
        except ValueError:
            pass
    return str(code)
