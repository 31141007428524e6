"""Keeps the computer from going to sleep while something long runs; its screen may turn off."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

from rocm_gui.system.process import child_env, find_program

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# https://learn.microsoft.com/windows/win32/api/winbase/nf-winbase-setthreadexecutionstate
_ES_CONTINUOUS = 0x80000000
_ES_SYSTEM_REQUIRED = 0x00000001
_JOIN_S = 3.0


def inhibitors(reason: str) -> tuple[tuple[str, ...], ...]:
    """Commands of Linux that hold sleep off as long as they run, best first; ``cat`` ends with our end of its pipe.

    A call over D-Bus would not do: such an inhibition ends with the connection that asked for it.
    """
    return (
        ("systemd-inhibit", "--what=idle:sleep", "--mode=block", "--who=rocm-gui", f"--why={reason}", "cat"),
        ("gnome-session-inhibit", "--inhibit", "suspend:idle", "--reason", reason, "cat"),
        ("kde-inhibit", "--power", "cat"),
    )


class KeepAwake:
    """A request to stay awake, from ``acquire`` to ``release``; ends with this process however that ends.

    ``method`` names what holds it ("windows", "systemd-inhibit", ...); None where nothing does.
    """

    def __init__(
        self,
        reason: str,
        *,
        commands: Sequence[Sequence[str]] | None = None,
        set_state: Callable[[int], int] | None = None,
    ) -> None:
        self._commands = tuple(inhibitors(reason)) if commands is None else tuple(map(tuple, commands))
        self._set_state = set_state if set_state is not None else _windows_call()
        self._released = threading.Event()
        self._settled = threading.Event()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None
        self.method: str | None = None

    def acquire(self) -> None:
        """Ask to stay awake; returns at once."""
        if self._thread is not None:
            return
        work = self._hold_windows if self._set_state is not None else self._hold_posix
        self._thread = threading.Thread(target=work, name="keep-awake", daemon=True)
        self._thread.start()
        self._settled.wait(1.0)

    def release(self) -> None:
        """Let the computer sleep again; safe to call twice."""
        with self._lock:
            self._released.set()
            self._end(self._process)
        if self._thread is not None:
            self._thread.join(_JOIN_S)
        self.method = None

    def _hold_windows(self) -> None:
        """The state belongs to the thread that sets it: this one lives as long as the request."""
        assert self._set_state is not None
        if self._set_state(_ES_CONTINUOUS | _ES_SYSTEM_REQUIRED):
            self.method = "windows"
        self._settled.set()
        self._released.wait()
        self._set_state(_ES_CONTINUOUS)

    def _hold_posix(self) -> None:
        """One command after the other, until one stays; each ends by itself where it is refused."""
        for command in self._commands:
            process = self._start(command)
            if process is None:
                continue
            self.method = command[0]
            self._settled.set()
            process.wait()
            self.method = None
            if self._released.is_set():
                break
        self._settled.set()

    def _start(self, command: Sequence[str]) -> subprocess.Popen[bytes] | None:
        env = child_env()
        program = find_program(command[0], env)
        if program is None:
            return None
        with self._lock:
            if self._released.is_set():
                return None
            try:
                self._process = subprocess.Popen(
                    [program, *command[1:]],
                    env=env,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,  # no terminal to ask for a password on, and no Ctrl-C
                )
            except OSError:
                return None
            return self._process

    @staticmethod
    def _end(process: subprocess.Popen[bytes] | None) -> None:
        if process is None:
            return
        if process.stdin is not None:
            with contextlib.suppress(OSError):
                process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_JOIN_S / 2)
            return
        process.kill()


def _windows_call() -> Callable[[int], int] | None:
    if sys.platform != "win32":
        return None
    import ctypes

    call = ctypes.WinDLL("kernel32").SetThreadExecutionState
    call.argtypes = (ctypes.c_uint32,)
    call.restype = ctypes.c_uint32
    return call
