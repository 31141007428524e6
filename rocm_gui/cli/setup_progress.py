"""Shows a running setup: JSON lines, one live line on a terminal, or a plain line a second elsewhere."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING

from rocm_gui.core.plan_report import size_text
from rocm_gui.core.setup_events import SetupEvent, StepChanged, StepLog, StepProgress

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from types import FrameType

    from rocm_gui.cli.output import Output

_MARKS = {
    "done": "ok",
    "skipped": "ok",
    "undone": "ok",
    "warning": "warn",
    "cancelled": "warn",
    "interrupted": "warn",
    "failed": "fail",
}
_NOISE = (  # of pip, on every run
    "Looking in ",
    "WARNING: Location ",
    "WARNING: pip is using lazily downloaded wheels",
    "Obtaining dependency information ",
    "ERROR: Operation cancelled by user",
)
_LIVE_EVERY_S = 0.1
_PLAIN_EVERY_S = 1.0


class ProgressPrinter:
    """Hears a setup's events, from any thread, and prints them for a person or a program."""

    def __init__(self, out: Output, *, verbose: bool = False, clock: Callable[[], float] = time.monotonic) -> None:
        self._out = out
        self._verbose = verbose
        self._clock = clock
        self._lock = threading.Lock()
        self._live = not out.json_mode and sys.stderr.isatty()
        self._told = float("-inf")
        self._line = ""
        self._mark = ""
        self._text = ""

    def __call__(self, event: SetupEvent) -> None:
        """Print ``event``."""
        with self._lock:
            if self._out.json_mode:
                self._json(event)
            elif isinstance(event, StepChanged):
                self._step(event)
            elif isinstance(event, StepProgress):
                self._progress(event)
            else:
                self._log(event)

    def close(self) -> None:
        """Leave no half line behind."""
        with self._lock:
            self._wipe()

    def _json(self, event: SetupEvent) -> None:
        if isinstance(event, StepProgress):
            now = self._clock()
            whole = event.total is not None and event.done == event.total
            if now - self._told < _LIVE_EVERY_S and not whole:
                return
            self._told = now
        self._out.document(event)

    def _step(self, event: StepChanged) -> None:
        self._wipe()
        self._told = float("-inf")
        title = self._out.texts.get(f"setup.step.{event.step}")
        self._mark = f"[{event.index}/{event.count}] {title}"
        if event.state == "running":
            if self._live:
                self._draw(self._mark)
            else:
                self._out.say(self._mark + " …")
            return
        state = self._out.texts.get(f"setup.state.{event.state}")
        kind = _MARKS.get(event.state)
        sign = self._out.mark(kind) if kind else " "
        facts = self._facts(event)
        self._out.say(f"{sign} {self._mark}{self._out.texts.colon}{state}{facts}")

    def _facts(self, event: StepChanged) -> str:
        code = f"setup.facts.{event.step}"
        if event.state not in ("done", "warning") or not event.facts or not self._out.texts.has(code):
            return ""
        if any(event.facts.get(name) is None for name in _NEEDED.get(event.step, ())):
            return ""
        facts = dict(event.facts)
        if isinstance(facts.get("bytes"), (int, float)):
            facts["bytes"] = size_text(float(facts["bytes"] or 0))
        if event.step == "verify":
            facts["verdict"] = self._out.texts.get(f"setup.verdict.{facts['verdict']}")
        return self._out.texts.aside(self._out.texts.get(code, **facts))

    def _progress(self, event: StepProgress) -> None:
        now = self._clock()
        if now - self._told < (_LIVE_EVERY_S if self._live else _PLAIN_EVERY_S):
            return
        text = progress_text(event, self._out)
        if not text or (text == self._text and not self._live):
            return
        self._told = now
        self._text = text
        if self._live:
            self._draw(f"{self._mark}  {text}")
        else:
            self._out.say("    " + text)

    def _log(self, event: StepLog) -> None:
        if event.level in ("error", "warning") or self._verbose:
            self._wipe()
            self._out.say("    " + event.text)
        elif self._live:
            now = self._clock()
            if now - self._told >= _PLAIN_EVERY_S:
                text = log_text(event, self._out)
                if text is not None:
                    self._draw(f"{self._mark}  {text}")

    def _draw(self, text: str) -> None:
        width = max(20, shutil.get_terminal_size().columns - 1)
        shown = _cut(text, width)
        pad = " " * max(0, _width(self._line) - _width(shown))
        self._out.say_raw("\r" + shown + pad)
        self._line = shown

    def _wipe(self) -> None:
        if self._line:
            self._out.say_raw("\r" + " " * _width(self._line) + "\r")
            self._line = ""


_NEEDED = {
    "download": ("bytes",),
    "resolve": ("torch",),
    "verify": ("verdict",),
    "start_script": ("hip_visible_devices",),
}


def progress_text(event: StepProgress, out: Output) -> str:
    """``412 MB of 2.9 GB (14 %), 11.3 MB/s, 3 min 40 s left, torch-...whl``."""
    parts: list[str] = []
    if event.unit == "bytes" and event.done is not None:
        done = size_text(event.done)
        if event.total:
            share = min(100, int(100 * event.done / event.total))
            parts.append(out.texts.get("setup.progress.of", done=done, total=size_text(event.total), percent=share))
        else:
            parts.append(done)
        if event.rate:
            parts.append(f"{size_text(event.rate)}/s")
    elif event.done is not None:
        unit = f"setup.progress.{event.unit}"
        total = None if event.total is None else int(event.total)
        parts.append(out.texts.get(unit if total is not None else unit + "_open", done=int(event.done), total=total))
    if event.remaining_s is not None and event.remaining_s >= 1 and event.unit in ("bytes", "targets"):
        parts.append(out.texts.get("setup.progress.left", time=time_text(event.remaining_s, out)))
    if event.item:
        parts.append(event.item)
    return out.texts.listed(parts)


def log_text(event: StepLog, out: Output) -> str | None:
    """What a line of a program says for a person who watches the live line; None where that is nothing."""
    text = event.text.strip()
    if out.texts.has(f"verify.test.{text}"):
        return out.texts.get(f"verify.test.{text}")
    word, _, rest = text.partition(" ")
    if out.texts.has(f"setup.pip.{word}"):
        what = rest.partition(" (from ")[0]
        return out.texts.get(f"setup.pip.{word}", what=re.split(r"[\\/]", what)[-1])
    return None if text.startswith(_NOISE) else text


def time_text(seconds: float, out: Output) -> str:
    """``3 min 40 s``, ``1 h 5 min``, ``12 s``."""
    whole = round(seconds)
    if whole >= 3600:
        return out.texts.get("setup.time.hours", hours=whole // 3600, minutes=whole % 3600 // 60)
    if whole >= 60:
        return out.texts.get("setup.time.minutes", minutes=whole // 60, seconds=whole % 60)
    return out.texts.get("setup.time.seconds", seconds=whole)


def _width(text: str) -> int:
    import unicodedata

    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


def _cut(text: str, width: int) -> str:
    if _width(text) <= width:
        return text
    while text and _width(text) > width - 1:
        text = text[:-1]
    return text + "…"


@contextlib.contextmanager
def cancel_on_signal(out: Output) -> Generator[threading.Event]:
    """An event that the first Ctrl-C (or a request to terminate) sets; the second one ends the program at once.

    Nothing is lost by the second: the journal is on the disk and child processes end with us.
    """
    cancel = threading.Event()

    def handle(_number: int, _frame: FrameType | None) -> None:
        if cancel.is_set():
            os._exit(130)
        cancel.set()
        out.call_out("\n" + out.texts.get("setup.cancelling"))

    numbers = [signal.SIGINT, signal.SIGTERM]
    if sys.platform == "win32":
        numbers.append(signal.SIGBREAK)
    former = {number: signal.signal(number, handle) for number in numbers}
    try:
        yield cancel
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)
