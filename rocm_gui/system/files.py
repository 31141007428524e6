"""Writes that survive a crash: whole-file replacement and single lines, both flushed to the disk."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

# Virus scanners and indexers open a fresh file for some tens of milliseconds, which Windows answers with
# access denied (5), a sharing violation (32) or a lock violation (33).
_BUSY = (5, 32, 33)
_RETRY_FOR_S = 2.0
_TEMPORARY = ".rocm_gui.tmp"
_LEFT_OVER_S = 60.0


def write_atomic(path: Path, data: bytes | str, *, mode: int | None = None) -> None:
    """Replace ``path`` by ``data`` (text as UTF-8): after a crash there is the old file or the new one, never a part.

    Missing folders are made. The file keeps its permissions unless ``mode`` is given; a symbolic link stays one and
    what it points to is replaced.

    Raises:
        OSError: where the folder cannot be written, the disk is full, or Windows refuses for two seconds.
    """
    content = data.encode() if isinstance(data, str) else data
    target = Path(os.path.realpath(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=_TEMPORARY, dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        permissions = mode if mode is not None else _mode_of(target)
        if sys.platform != "win32":
            temporary.chmod(permissions)
        retry_busy(lambda: temporary.replace(target))
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    _sync_folder(target.parent)
    remove_leftovers(target.parent, older_than_s=_LEFT_OVER_S)


def remove_leftovers(folder: Path, *, older_than_s: float = 0.0) -> None:
    """Remove the unfinished files that ``write_atomic`` leaves in ``folder`` when it is killed."""
    with contextlib.suppress(OSError):
        for path in folder.glob(f".*{_TEMPORARY}"):
            with contextlib.suppress(OSError):
                if time.time() - path.stat().st_mtime >= older_than_s:
                    path.unlink()


def append_line_fsync(path: Path, line: bytes | str) -> None:
    """Append one line and its newline to ``path`` in a single write, on the disk when this returns.

    A last line that a crash cut short is ended first, so that it can never swallow the new one.

    Raises:
        OSError: where the file cannot be written.
        ValueError: where ``line`` holds a newline of its own.
    """
    content = line.encode() if isinstance(line, str) else line
    content = content.removesuffix(b"\n")
    if b"\n" in content:
        raise ValueError("one line at a time")
    path.parent.mkdir(parents=True, exist_ok=True)
    with retry_busy(lambda: path.open("ab+", buffering=0)) as file:
        fresh = file.tell() == 0
        if not fresh:
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                content = b"\n" + content
        view = memoryview(content + b"\n")
        while view:
            view = view[file.write(view) or 0 :]
        os.fsync(file.fileno())
    if fresh:
        _sync_folder(path.parent)


def retry_busy(operation: Callable[[], T]) -> T:
    """``operation``, tried again for up to two seconds while Windows says that another program holds the file."""
    deadline = time.monotonic() + _RETRY_FOR_S
    pause_s = 0.005
    while True:
        try:
            return operation()
        except OSError as error:
            if getattr(error, "winerror", None) not in _BUSY or time.monotonic() > deadline:
                raise
        time.sleep(pause_s)
        pause_s = min(pause_s * 2, 0.1)


def _mode_of(path: Path) -> int:
    try:
        return path.stat().st_mode & 0o7777
    except OSError:
        return 0o666 & ~_umask()


def _umask() -> int:
    """The umask, read without changing it for other threads where the system tells it."""
    with contextlib.suppress(OSError, ValueError):
        for line in Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("Umask:"):
                return int(line.split()[1], 8)
    return 0o077


def _sync_folder(folder: Path) -> None:
    """Put the folder's entry for a new file on the disk too; Windows has no such call and needs none."""
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
