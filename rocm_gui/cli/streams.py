"""Standard streams that are missing, full or abandoned by their reader."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO


def open_missing_streams() -> None:
    """Let a standard stream that this program was started without lead nowhere.

    Else the next file that is opened would get its number and be written into by whatever prints.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            stream = open(os.devnull, "r" if number == 0 else "w", encoding="utf-8", errors="replace")  # noqa: PTH123, SIM115 - lives as long as the program
            with contextlib.suppress(OSError):
                if stream.fileno() != number and not _is_open(number):
                    os.dup2(stream.fileno(), number)
            setattr(sys, name, stream)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def drop(stream: TextIO) -> None:
    """Let ``stream`` lead nowhere from now on, what it still holds included; or it complains as the program ends."""
    with contextlib.suppress(OSError, ValueError):
        handle = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(handle, stream.fileno())
        finally:
            os.close(handle)
    with contextlib.suppress(OSError, ValueError):
        stream.flush()


def flush_or_drop() -> OSError | None:
    """Send off what both output streams hold; returns why standard output could not be written.

    A reader that went away is no reason.
    """
    failed: OSError | None = None
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:  # noqa: PERF203 - two streams
            drop(stream)
        except OSError as error:
            drop(stream)
            failed = error if stream is sys.stdout else failed
        except ValueError:  # closed
            continue
    return failed
