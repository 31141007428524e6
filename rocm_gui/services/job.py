"""One child process under control: its lines become events, its end is certain."""

from __future__ import annotations

import logging
import secrets
import subprocess
import threading
import time
from datetime import datetime
from typing import TYPE_CHECKING, Final

from rocm_gui.core.jobs import (
    JobCancelRequested,
    JobEnded,
    JobStarted,
    JobStartFailed,
    JobStarting,
    first_view,
    reduce,
)
from rocm_gui.services.job_files import JobFiles
from rocm_gui.services.job_watch import GRACE_S, LINGER_S, Requests, Watch
from rocm_gui.system.process import child_env, find_program
from rocm_gui.system.process_tree import ProcessTree

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rocm_gui.core.events import AnyEvent
    from rocm_gui.core.jobs import AnyJobEvent, JobSpec, JobView

CLOSE_TIMEOUT_S: Final = 8.0
_WAIT_SLICE_S = 0.2

_log = logging.getLogger(__name__)


def new_job_id(kind: str) -> str:
    """A name that sorts by local time: ``20261201-094512-verify-1f3a``."""
    return f"{datetime.now().astimezone():%Y%m%d-%H%M%S}-{kind}-{secrets.token_hex(2)}"


class Job:
    """Runs one ``JobSpec``. ``start`` returns at once; everything after happens on the job's own threads.

    ``on_event(view, event)`` is called for every event, in order, from one thread (a job that is cancelled before
    its start reports from the caller's); the last call has a terminal view. It must not block for long: the child is
    held up meanwhile. ``parse_line`` turns a line of a ``"lines"`` program into an event; None for a line that is no
    more than text. The record and standard error stand in ``jobs_dir``; without one they are temporary.
    """

    def __init__(
        self,
        spec: JobSpec,
        jobs_dir: Path | None = None,
        on_event: Callable[[JobView, AnyJobEvent], None] | None = None,
        parse_line: Callable[[str], AnyEvent | None] | None = None,
        *,
        grace_s: float = GRACE_S,
        linger_s: float = LINGER_S,
    ) -> None:
        self.spec = spec
        self._jobs_dir = jobs_dir
        self._on_event = on_event
        self._parse_line = parse_line
        self._grace_s = grace_s
        self._linger_s = linger_s
        self._view = first_view(spec)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._requests = Requests()
        self._done = threading.Event()

    @property
    def view(self) -> JobView:
        """How things stand now."""
        return self._view

    def start(self) -> None:
        """Start the program. Failing to is an event, not an exception; a cancelled job stays cancelled.

        Raises:
            RuntimeError: when called twice.
        """
        with self._lock:
            if self._thread is not None:
                raise RuntimeError("a job starts once")
            if self._requests.cancel.is_set():
                return
            self._thread = threading.Thread(target=self._run, name=f"job-{self.spec.id}", daemon=True)
            self._thread.start()

    def cancel(self) -> None:
        """Ask the job to stop: politely, then firmly, then by force; returns at once."""
        with self._lock:
            first = not self._requests.cancel.is_set()
            self._requests.cancel.set()
            started = self._thread is not None
        if first and not started:
            self._emit(JobCancelRequested(at_s=time.time()))
            self._done.set()

    def wait(self, timeout_s: float | None = None) -> JobView:
        """Wait for the end, at most ``timeout_s``; returns the view as it is then."""
        if threading.current_thread() is self._thread:  # from the callback there is nothing to wait for
            return self._view
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while True:  # in slices: Windows lets Ctrl-C through only between two waits
            left_s = _WAIT_SLICE_S if deadline is None else min(_WAIT_SLICE_S, deadline - time.monotonic())
            if self._done.wait(max(0.0, left_s)) or left_s <= 0:
                return self._view

    def close(self, timeout_s: float = CLOSE_TIMEOUT_S) -> JobView:
        """Cancel, wait, and in the last second of ``timeout_s`` kill whatever is left."""
        self.cancel()
        if not self.wait(max(0.0, timeout_s - 1.0)).state.terminal:
            self._requests.kill.set()
        view = self.wait(1.0)
        if self._thread is not None and threading.current_thread() is not self._thread:
            self._thread.join(1.0 if view.state.terminal else 0.0)
        return view

    def _emit(self, event: AnyJobEvent) -> JobView:
        self._view = reduce(self._view, event)
        if self._on_event is not None:
            try:
                self._on_event(self._view, event)
            except Exception:  # noqa: BLE001 - a faulty listener must not lose us the child
                _log.exception("listener of job %s", self.spec.id)
        return self._view

    def _run(self) -> None:
        spec = self.spec
        starting = JobStarting(job=spec.id, kind=spec.kind, argv=spec.argv, at_s=time.time())
        try:
            try:
                files = JobFiles(self._jobs_dir, spec.id)
            except OSError as error:
                self._emit(starting)
                self._emit(JobStartFailed(reason=str(error), program=spec.argv[0], at_s=time.time()))
                return
            try:
                files.record(starting)
                self._emit(starting)
                last = self._run_with(files)
                files.record(last)
            finally:
                files.close()  # before the last word is out: who hears it may read or remove the files
            self._emit(last)
        finally:
            self._done.set()

    def _run_with(self, files: JobFiles) -> JobEnded | JobStartFailed:
        """From start to end; the event that ends it is the caller's to tell."""

        def publish(event: AnyJobEvent) -> JobView:
            files.record(event)
            return self._emit(event)

        spec = self.spec
        env = child_env() if spec.env is None else spec.env
        program = find_program(spec.argv[0], env)
        try:
            if program is None:
                raise FileNotFoundError(2, "not found on PATH", spec.argv[0])
            tree = ProcessTree(
                [program, *spec.argv[1:]],
                env=env,
                cwd=spec.cwd,
                stdin=subprocess.PIPE if spec.protocol == "worker" else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT if spec.merged else files.stderr,
                guarded=True,
            )
        except (OSError, ValueError) as error:  # ValueError: a NUL in an argument
            reason = getattr(error, "strerror", None) or str(error)
            return JobStartFailed(reason=reason, program=spec.argv[0], at_s=time.time())
        exit_code: int | None = None
        try:
            publish(JobStarted(pid=tree.pid, at_s=time.time()))
            watch = Watch(
                tree,
                spec,
                files,
                self._requests,
                publish,
                self._parse_line,
                grace_s=self._grace_s,
                linger_s=self._linger_s,
            )
            watch.follow()
            tree.kill()  # what it left behind; its own exit code stands already
            watch.finish()
        finally:
            exit_code = tree.finish()
        return JobEnded(exit_code=exit_code, at_s=time.time())
