"""The worker's side of the wire: JSON lines to the parent, a cancel line from it. Standard library only."""

from __future__ import annotations

import contextlib
import json
import math
import os
import sys
import threading
import time
import traceback
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

PROTOCOL = 1


class Cancelled(Exception):  # noqa: N818 - an outcome, not an error
    """The parent asked the worker to stop."""


def _finite(value: object) -> object:
    """JSON has no NaN or infinity: a missing number is null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return value


class Emitter:
    """Owns the real standard input and output.

    From now on everything else that is printed goes to standard error, and whoever else reads finds an empty input.
    """

    def __init__(self, worker: str) -> None:
        self._start = time.perf_counter()
        self._lock = threading.Lock()
        self._cancel = threading.Event()
        sys.stdout.flush()
        wire = os.dup(1)
        os.dup2(2, 1)  # prints of libraries, C level too, cannot reach the wire
        self._wire = wire
        self._orders = os.dup(0)
        with open(os.devnull, "rb") as nothing:  # noqa: PTH123
            os.dup2(nothing.fileno(), 0)  # children of ours must not hang on, or swallow, the parent's line
        threading.Thread(target=self._watch_stdin, name="cancel-watch", daemon=True).start()
        python = "{}.{}.{}".format(*sys.version_info[:3])
        self._send("hello", protocol=PROTOCOL, pid=os.getpid(), worker=worker, python=python)

    @property
    def cancelled(self) -> bool:
        """Whether the parent asked to stop; long loops look here or call ``check_cancel``."""
        return self._cancel.is_set()

    def check_cancel(self) -> None:
        """Raise ``Cancelled`` when the parent asked to stop."""
        if self._cancel.is_set():
            raise Cancelled

    def stage(self, stage_id: str, index: int | None = None, count: int | None = None) -> None:
        """A named part of the work begins."""
        self._send("stage", id=stage_id, index=index, count=count)

    def progress(
        self,
        done: float | None = None,
        total: float | None = None,
        unit: str = "",
        remaining_s: float | None = None,
    ) -> None:
        """How far the current stage is; without numbers, a heartbeat."""
        self._send("progress", done=done, total=total, unit=unit, remaining_s=remaining_s)

    def metric(self, name: str, value: float | None, unit: str = "", **labels: str) -> None:
        """A measured value."""
        self._send("metric", name=name, value=value, unit=unit, labels=labels)

    def log(self, text: str, level: str = "info") -> None:
        """A line for the reader of the log."""
        self._send("log", text=text, level=level, stream="worker")

    def partial(self, data: dict[str, Any]) -> None:
        """One finished part of the result, kept by the parent even where this process dies later."""
        self._send("partial", data=data)

    def result(self, data: dict[str, Any]) -> None:
        """The last line of work that succeeded."""
        self._send("result", data=data)

    def failure(self, code: str, message: str = "", trace: str | None = None, **facts: object) -> None:
        """The last line of work that failed in a way the worker understands."""
        self._send("failure", code=code, message=message, facts=facts, traceback=trace)

    def _send(self, kind: str, **fields: object) -> None:
        record = {"type": kind, "time_s": round(time.perf_counter() - self._start, 6), **fields}
        line = json.dumps(_finite(record), ensure_ascii=False, default=str).encode("utf-8", "backslashreplace") + b"\n"
        with self._lock:
            view = memoryview(line)
            while view:
                view = view[os.write(self._wire, view) :]

    def _watch_stdin(self) -> None:
        # Not sys.stdin: its lock, held by a daemon thread, is a fatal error when the interpreter ends.
        rest = b""
        with contextlib.suppress(OSError):
            while chunk := os.read(self._orders, 4096):
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    with contextlib.suppress(ValueError):
                        message = json.loads(line)
                        if isinstance(message, dict) and message.get("cmd") == "cancel":
                            self._cancel.set()


def run(worker: str, work: Callable[[Emitter], dict[str, Any]]) -> int:
    """Run ``work`` under an Emitter and end with exactly one ``result`` or ``failure``; returns the exit code."""
    emitter = Emitter(worker)
    try:
        data = work(emitter)
    except Cancelled:
        emitter.failure("cancelled", "stopped on request")
        return 130
    except BaseException as error:  # noqa: BLE001 - the wire must end with one terminal line whatever happened
        emitter.failure(
            "exception", f"{type(error).__name__}: {error}", traceback.format_exc(), kind=type(error).__name__
        )
        return 1
    emitter.result(data)
    return 0
