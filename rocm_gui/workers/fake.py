"""A worker that does what its arguments say, one word after another: for tests and for trying the job pages.

Words are ``name`` or ``name:value``. Steps: stage:ID, progress:COUNT, metric:NAME=VALUE, log:TEXT, print:TEXT,
partial:JSON, flood:LINES, complain:LINES (standard error), bar:COUNT (carriage returns), raw:TEXT, bytes (not UTF-8),
huge:BYTES (one line), tail:TEXT (no newline), wait:SECONDS (heeds a cancel), sleep:SECONDS (heeds nothing), ignore
(SIGTERM and SIGINT), orphan:SECONDS and escape:SECONDS (a grandchild that holds the output; escape leaves the session
too), close (its output). Ends: result:JSON, failure:CODE, raise:TEXT, exit:CODE, signal:NUMBER, hang.
With ``--plain`` as first word it speaks plain lines instead of the protocol.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

import _emit

_STEP_S = 0.01
_ORPHAN = "import sys, time; time.sleep(float(sys.argv[1]))"


class _Script:
    """The words, carried out on the wire or, without an emitter, on standard output."""

    def __init__(self, emitter: _emit.Emitter | None) -> None:
        self._emitter = emitter
        self._wire = 1 if emitter is None else emitter._wire  # noqa: SLF001 - the fake misbehaves on purpose

    def run(self, words: list[str]) -> dict[str, Any]:
        """Carry out every word; the data of the result."""
        for word in words:
            name, _, value = word.partition(":")
            if name == "result":
                return json.loads(value or "{}")
            getattr(self, f"do_{name}")(value)
        return {}

    def _raw(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._wire, view) :]

    def _say(self, text: str) -> None:
        if self._emitter is None:
            self._raw(text.encode() + b"\n")
        else:
            self._emitter.log(text)

    def do_stage(self, value: str) -> None:
        assert self._emitter is not None
        self._emitter.stage(value)

    def do_progress(self, value: str) -> None:
        assert self._emitter is not None
        for step in range(int(value)):
            self._emitter.check_cancel()
            self._emitter.progress(step + 1, int(value), "steps")
            time.sleep(_STEP_S)

    def do_metric(self, value: str) -> None:
        assert self._emitter is not None
        name, _, number = value.partition("=")
        self._emitter.metric(name, float(number))

    def do_partial(self, value: str) -> None:
        self._raw(json.dumps({"type": "partial", "data": json.loads(value)}).encode() + b"\n")

    def do_log(self, value: str) -> None:
        self._say(value)

    def do_print(self, value: str) -> None:
        print(value, flush=True)  # noqa: T201

    def do_flood(self, value: str) -> None:
        for number in range(int(value)):
            self._say(f"line {number}")

    def do_complain(self, value: str) -> None:
        for number in range(int(value)):
            os.write(2, f"complaint {number}\n".encode())

    def do_bar(self, value: str) -> None:
        for number in range(int(value)):
            self._raw(f"\r{number + 1} of {value}".encode())
        self._raw(b"\n")

    def do_raw(self, value: str) -> None:
        self._raw(value.encode() + b"\n")

    def do_bytes(self, value: str) -> None:
        del value
        self._raw(b"caf\xe9 \xff\xfe\x00 end\n")

    def do_huge(self, value: str) -> None:
        block = b"x" * 65536
        for _ in range(int(value) // len(block)):
            self._raw(block)
        self._raw(b"\n")

    def do_tail(self, value: str) -> None:
        self._raw(value.encode())

    def do_wait(self, value: str) -> None:
        deadline = time.monotonic() + float(value)
        while time.monotonic() < deadline:
            if self._emitter is not None:
                self._emitter.check_cancel()
            time.sleep(_STEP_S)

    def do_sleep(self, value: str) -> None:
        deadline = time.monotonic() + float(value)
        while time.monotonic() < deadline:
            time.sleep(_STEP_S)

    def do_hang(self, value: str) -> None:
        del value
        while True:
            time.sleep(60)

    def do_ignore(self, value: str) -> None:
        del value
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def do_orphan(self, value: str) -> None:
        self._orphan(value, escape=False)

    def do_escape(self, value: str) -> None:
        self._orphan(value, escape=True)

    def _orphan(self, seconds: str, *, escape: bool) -> None:
        child = subprocess.Popen(
            [sys.executable, "-c", _ORPHAN, seconds],
            stdin=subprocess.DEVNULL,
            stdout=self._wire,
            stderr=2,
            start_new_session=escape,
        )
        if self._emitter is not None:
            self._emitter.metric("orphan_pid", child.pid)

    def do_close(self, value: str) -> None:
        del value
        os.close(self._wire)

    def do_failure(self, value: str) -> None:
        assert self._emitter is not None
        self._emitter.failure(value, "as the script says")
        os._exit(1)

    def do_raise(self, value: str) -> None:
        raise RuntimeError(value)

    def do_exit(self, value: str) -> None:
        os._exit(int(value))

    def do_signal(self, value: str) -> None:
        os.kill(os.getpid(), int(value))


def main(words: list[str]) -> int:
    """Carry out ``words``."""
    if words[:1] == ["--plain"]:
        _Script(None).run(words[1:])
        return 0
    return _emit.run("fake", lambda emitter: _Script(emitter).run(words))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
