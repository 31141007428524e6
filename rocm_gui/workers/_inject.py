"""Faults on request, so that the tests of the verification can see each one named. Standard library only.

The faults are real ones: a real access violation, a real failed allocation, a real missing library.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
import time

NAMES = ("wrong_result", "crash", "hang", "oom", "missing_dll", "exception", "abort", "miopen")


class Injection:
    """``NAME:PLACE``: which fault, in which test or act; ``NAME:PLACE:miopen`` only while MIOpen is on."""

    def __init__(self, name: str, place: str, condition: str = "") -> None:
        if name not in NAMES:
            raise ValueError(f"unknown fault {name!r}; known: {', '.join(NAMES)}")
        self.name = name
        self.place = place
        self.condition = condition

    @classmethod
    def parse(cls, text: str) -> Injection:
        """From the command line; a ValueError becomes argparse's own message."""
        name, _, rest = text.partition(":")
        place, _, condition = rest.partition(":")
        return cls(name, place, condition)

    def at(self, place: str, *, miopen: bool = True) -> bool:
        """Whether the fault belongs here."""
        return self.place == place and (self.condition != "miopen" or miopen)


def strike(injection: Injection | None, place: str, *, miopen: bool = True) -> None:
    """Commit the fault if it belongs to ``place``. A wrong result is the caller's to make."""
    if injection is None or not injection.at(place, miopen=miopen):
        return
    if injection.name == "crash":
        _crash()
    elif injection.name == "abort":
        os.abort()
    elif injection.name == "hang":
        while True:
            time.sleep(3600)
    elif injection.name == "oom":
        import torch

        torch.empty(1 << 55, dtype=torch.uint8)
    elif injection.name == "missing_dll":
        ctypes.CDLL("absent_amdhip64_7.dll" if sys.platform == "win32" else "libabsent_amdhip64.so.7")
    elif injection.name == "exception":
        raise RuntimeError("injected failure")
    elif injection.name == "miopen":
        raise RuntimeError("miopenStatusUnknownError")


def _crash() -> None:
    if sys.platform == "win32":
        with contextlib.suppress(OSError):  # ctypes makes a Python error of an access violation in its own call
            ctypes.windll.kernel32.RaiseException(0xC0000005, 1, 0, None)  # non-continuable
        ctypes.windll.kernel32.TerminateProcess(ctypes.c_void_p(-1), ctypes.c_uint(0xC0000005))
    else:
        signal.signal(signal.SIGSEGV, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGSEGV)
        time.sleep(60)
