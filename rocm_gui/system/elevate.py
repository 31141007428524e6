"""One step with administrator's rights: asked for by the system's own question, for exactly one command.

Source: Microsoft, ``ShellExecuteExW`` (verb ``runas``), ``IsUserAnAdmin``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any, ClassVar

from rocm_gui.core.errors import AppError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_REFUSED = 1223  # ERROR_CANCELLED: the question was answered with no
_NO_CLOSE_PROCESS = 0x40
_WAIT_SLICE_MS = 200
_TIMED_OUT = 0x102


def is_admin() -> bool:
    """Whether this process has administrator's (root's) rights already."""
    if sys.platform == "win32":
        import ctypes

        try:
            return bool(ctypes.windll.shell32.IsUserAnAdmin())
        except (AttributeError, OSError):
            return False
    return os.geteuid() == 0


def own_command(arguments: Sequence[str]) -> tuple[str, ...]:
    """This very program with other arguments: the frozen one, or the interpreter with the package."""
    if getattr(sys, "frozen", False):
        return (sys.executable, *arguments)
    return (sys.executable, "-m", "rocm_gui", *arguments)


def run_elevated(argv: Sequence[str], *, folder: Path | None = None, timeout_s: float = 600) -> int:
    """Run ``argv`` with administrator's rights, without a window, and wait; returns its exit code. Windows only.

    Raises:
        AppError: ``elevation_refused`` where the person or the system said no, ``elevation_failed``,
            ``elevation_timeout``.
    """
    if sys.platform != "win32":
        raise AppError("elevation_failed", ExitCode.DENIED, reason=sys.platform)
    import ctypes
    from ctypes import wintypes

    class Request(ctypes.Structure):
        _fields_: ClassVar[Any] = [
            ("size", wintypes.DWORD),
            ("mask", wintypes.ULONG),
            ("window", wintypes.HWND),
            ("verb", wintypes.LPCWSTR),
            ("file", wintypes.LPCWSTR),
            ("parameters", wintypes.LPCWSTR),
            ("folder", wintypes.LPCWSTR),
            ("show", ctypes.c_int),
            ("instance", wintypes.HINSTANCE),
            ("id_list", ctypes.c_void_p),
            ("class_name", wintypes.LPCWSTR),
            ("class_key", wintypes.HKEY),
            ("hot_key", wintypes.DWORD),
            ("icon", wintypes.HANDLE),
            ("process", wintypes.HANDLE),
        ]

    request = Request(
        size=ctypes.sizeof(Request),
        mask=_NO_CLOSE_PROCESS,
        verb="runas",
        file=argv[0],
        parameters=subprocess.list2cmdline(list(argv[1:])),
        folder=str(folder) if folder is not None else None,
        show=0,
    )
    if not ctypes.windll.shell32.ShellExecuteExW(ctypes.byref(request)):
        number = ctypes.GetLastError()
        code = "elevation_refused" if number == _REFUSED else "elevation_failed"
        raise AppError(code, ExitCode.DENIED, reason=ctypes.FormatError(number).strip() or number)
    kernel = ctypes.windll.kernel32
    try:
        for _ in range(int(timeout_s * 1000 / _WAIT_SLICE_MS)):  # in slices, so that Ctrl-C comes through
            if kernel.WaitForSingleObject(request.process, _WAIT_SLICE_MS) != _TIMED_OUT:
                break
        else:
            raise AppError("elevation_timeout", ExitCode.CRASHED, seconds=int(timeout_s))
        code_number = wintypes.DWORD()
        kernel.GetExitCodeProcess(request.process, ctypes.byref(code_number))
        return int(code_number.value)
    finally:
        kernel.CloseHandle(request.process)
