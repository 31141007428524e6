"""Follows a running process tree: output in, events out, limits kept, stopped step by step when need be."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import time
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING, Final

from rocm_gui.core.events import Log, decode_event
from rocm_gui.core.jobs import JobCancelRequested, JobTimedOut
from rocm_gui.core.lines import LineSplitter
from rocm_gui.system.pipe_reader import PipeReader
from rocm_gui.system.process import decode_output

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocm_gui.core.events import AnyEvent
    from rocm_gui.core.jobs import AnyJobEvent, JobSpec, JobView
    from rocm_gui.services.job_files import JobFiles
    from rocm_gui.system.process_tree import ProcessTree

GRACE_S: Final = 3.0  # between the steps of stopping
LINGER_S: Final = 10.0  # from the last word to the exit: GPU libraries are seen to hang while they are unloaded
_KILL_WAIT_S = 5.0  # after that the program is stuck in the kernel, and the job ends without it
_HELD_PIPE_S = 1.0  # how long others may hold the output of a program that has ended
_FLOODED_PIPE_S = 30.0
_TICK_S = 0.1
_LINE_LIMIT_BYTES = 8 << 20
_CANCEL_LINE = b'{"cmd":"cancel"}\n'

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Requests:
    """What other threads may ask of a running job."""

    cancel: Event = field(default_factory=Event)
    kill: Event = field(default_factory=Event)


class Watch:
    """One tree from its start to its end; all of it on the thread that calls ``follow``."""

    def __init__(
        self,
        tree: ProcessTree,
        spec: JobSpec,
        files: JobFiles,
        requests: Requests,
        publish: Callable[[AnyJobEvent], JobView],
        parse_line: Callable[[str], AnyEvent | None] | None,
        *,
        grace_s: float = GRACE_S,
        linger_s: float = LINGER_S,
    ) -> None:
        self._tree = tree
        self._spec = spec
        self._files = files
        self._requests = requests
        self._publish = publish
        self._parse_line = parse_line
        self._grace_s = grace_s
        self._linger_s = linger_s
        self._splitter = LineSplitter(_LINE_LIMIT_BYTES, carriage_returns=spec.protocol == "lines")
        self._reader = PipeReader(tree.take_stdout(), name=f"job-{spec.id}-reader")
        self._started_at = self._heard_at = self._looked_at = time.monotonic()
        self._last_word_at: float | None = None
        self._exited_at: float | None = None
        self._steps: list[Callable[[], bool]] | None = None  # of stopping; None: nobody wants to stop it
        self._next_step_at = 0.0

    def follow(self) -> None:
        """Return when the program is gone, or cannot be made to go."""
        pause_s = 0.001
        while True:
            piece = self._reader.get(_TICK_S)
            now = time.monotonic()
            if piece:
                self._heard_at = now
                self._take(self._splitter.feed(piece))
                if now - self._looked_at < _TICK_S:
                    continue
            self._looked_at = now
            self._listen_to_stderr(now)
            self._keep_limits(now)
            if self._gone(now, idle=piece is None, ended=piece == b""):
                return
            if piece == b"":  # it closed its output: usually it is just about to exit
                time.sleep(pause_s)
                pause_s = min(2 * pause_s, _TICK_S)

    def finish(self) -> None:
        """Take what the program, dead by now, has said last."""
        deadline = time.monotonic() + _HELD_PIPE_S
        while (piece := self._reader.get(_TICK_S)) != b"" and time.monotonic() < deadline:
            self._take(self._splitter.feed(piece or b""))
        self._reader.close()
        self._take(self._splitter.flush())
        for last in (False, True):
            while (logs := self._files.read_stderr(last=last)) is not None:
                for log in logs:
                    self._publish(log)

    def _take(self, lines: list[bytes]) -> None:
        for line in lines:
            view = self._publish(self._event(line))
            if self._last_word_at is None and (view.result is not None or view.failure is not None):
                self._last_word_at = time.monotonic()
        self._files.flush()

    def _event(self, line: bytes) -> AnyEvent:
        if self._spec.protocol == "worker":
            return decode_event(line)
        text = decode_output(line)
        event: AnyEvent | None = None
        if self._parse_line is not None:
            try:
                event = self._parse_line(text)
            except Exception:  # noqa: BLE001 - a parser that stumbles must not lose us the child
                _log.exception("line parser of job %s", self._spec.id)
        return event or Log(text=text, stream="stdout")

    def _listen_to_stderr(self, now: float) -> None:
        logs = self._files.read_stderr()
        if logs is not None:
            self._heard_at = now
            for log in logs:
                self._publish(log)

    def _keep_limits(self, now: float) -> None:
        if self._tree.exited():
            return
        if self._steps is None:
            self._begin_to_stop(now)
        if self._requests.kill.is_set() and self._steps != []:
            self._stop(now, [self._kill])
        while self._steps and now >= self._next_step_at:
            step = self._steps.pop(0)
            if step():
                self._next_step_at = now + (self._grace_s if self._steps else _KILL_WAIT_S)

    def _begin_to_stop(self, now: float) -> None:
        """Start the steps of stopping where somebody asked to, or a limit has passed."""
        spec = self._spec
        if self._requests.cancel.is_set():
            self._publish(JobCancelRequested(at_s=time.time()))
            polite = self._send_cancel if spec.protocol == "worker" else self._tree.interrupt
            self._stop(now, [polite, self._terminate, self._kill])
        elif self._last_word_at is not None:
            if now - self._last_word_at > self._linger_s:
                _log.warning("job %s has said its last word and does not end", spec.id)
                self._stop(now, [self._terminate, self._kill])
        elif spec.total_timeout_s is not None and now - self._started_at > spec.total_timeout_s:
            self._publish(JobTimedOut(limit="total", limit_s=spec.total_timeout_s, at_s=time.time()))
            self._stop(now, [self._terminate, self._kill])
        elif spec.silence_timeout_s is not None and now - self._heard_at > spec.silence_timeout_s:
            self._publish(JobTimedOut(limit="silence", limit_s=spec.silence_timeout_s, at_s=time.time()))
            self._stop(now, [self._terminate, self._kill])

    def _stop(self, now: float, steps: list[Callable[[], bool]]) -> None:
        self._steps = steps
        self._next_step_at = now

    def _gone(self, now: float, *, idle: bool, ended: bool) -> bool:
        if not self._tree.exited():
            return self._steps == [] and now >= self._next_step_at
        if ended:
            return True
        self._exited_at = self._exited_at or now
        since_s = now - self._exited_at
        if since_s > _HELD_PIPE_S:
            self._tree.kill()  # a grandchild holds the pipe
        return (idle and since_s > 2 * _HELD_PIPE_S) or since_s > _FLOODED_PIPE_S

    def _send_cancel(self) -> bool:
        pipe = self._tree.process.stdin
        if pipe is None:
            return False
        with contextlib.suppress(OSError):  # the worker may be gone, or never read: neither holds us up
            if sys.platform != "win32":
                os.set_blocking(pipe.fileno(), False)
            os.write(pipe.fileno(), _CANCEL_LINE)
        return True

    def _terminate(self) -> bool:
        self._tree.terminate()
        return True

    def _kill(self) -> bool:
        self._tree.kill()
        return True
