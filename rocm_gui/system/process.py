"""Runs a foreign program to its end: always a time limit, never a shell, never a console window."""

from __future__ import annotations

import contextlib
import locale
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_gui.system.process_tree import ProcessTree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_HELD_PIPE_S = 1.0  # how long a program that has ended may leave its output in the hands of a grandchild
_SLICE_S = 0.25

# Settings of *our* Python that would break or mislead another one.
_FOREIGN = (
    "PYTHONHOME",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHONEXECUTABLE",
    "PYTHONIOENCODING",
    "PYTHONLEGACYWINDOWSSTDIO",
    "PYTHONBREAKPOINT",
    "PYTHONINSPECT",
    "__PYVENV_LAUNCHER__",
    "VIRTUAL_ENV",
    "VIRTUAL_ENV_PROMPT",
)


@dataclass(frozen=True)
class Completed:
    """How a program ended and what it said."""

    argv: tuple[str, ...]
    code: int | None  # negative signal number on POSIX, unsigned on Windows; None: not started, or killed by us
    stdout: str
    stderr: str
    duration_s: float
    timed_out: bool = False
    missing: bool = False  # there is no such program
    error: str | None = None  # why it could not be started

    @property
    def ok(self) -> bool:
        """Whether it ended by itself with code 0."""
        return self.code == 0 and not self.timed_out


def run(
    argv: Sequence[str],
    *,
    timeout_s: float,
    env: Mapping[str, str] | None = None,
    cwd: Path | str | None = None,
    input_text: str | None = None,
) -> Completed:
    """Run ``argv`` and wait, at most ``timeout_s``; then the program and all it started are killed.

    A bare name is looked up in the ``PATH`` of ``env`` only, never in the current folder. ``env`` replaces the
    environment (default: ``child_env()``). A missing program is an answer, not an exception.
    """
    environ = child_env() if env is None else env
    started = time.monotonic()
    command = tuple(argv)
    program = find_program(command[0], environ)
    if program is None:
        return Completed(command, None, "", "", 0.0, missing=True, error="not found")
    try:
        tree = ProcessTree(
            [program, *command[1:]],
            env=environ,
            cwd=None if cwd is None else str(cwd),
            stdin=subprocess.DEVNULL if input_text is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
    except OSError as error:
        missing = isinstance(error, FileNotFoundError) and (cwd is None or Path(cwd).is_dir())
        return Completed(command, None, "", "", _since(started), missing=missing, error=error.strerror or str(error))
    data = None if input_text is None else input_text.encode()
    try:
        stdout, stderr, timed_out = _communicate(tree, data, started + timeout_s)
    finally:  # KeyboardInterrupt included: nothing of the tree stays behind
        code = tree.finish()
    return Completed(
        command,
        None if timed_out else code,
        decode_output(stdout),
        decode_output(stderr),
        _since(started),
        timed_out=timed_out,
    )


def _communicate(tree: ProcessTree, data: bytes | None, deadline: float) -> tuple[bytes, bytes, bool]:
    """Standard output, standard error and whether time ran out."""
    timed_out = False
    held_since: float | None = None
    partial = _try_communicate(tree, data, deadline)
    while isinstance(partial, subprocess.TimeoutExpired):
        now = time.monotonic()
        if tree.exited():  # a process that it started holds the pipes
            held_since = held_since or now
            if now > held_since + _HELD_PIPE_S:
                tree.kill()
            if now > held_since + 2 * _HELD_PIPE_S:  # and has left the tree: take what has come
                return partial.output or b"", partial.stderr or b"", timed_out
        elif now >= deadline:
            timed_out = True
            tree.kill()
            if now > deadline + 2 * _HELD_PIPE_S:  # cannot be killed: stuck in the kernel
                return partial.output or b"", partial.stderr or b"", timed_out
        partial = _try_communicate(tree, data, deadline)
    return *partial, timed_out


def _try_communicate(
    tree: ProcessTree, data: bytes | None, deadline: float
) -> tuple[bytes, bytes] | subprocess.TimeoutExpired:
    """One slice of waiting: the whole output, or the exception that holds what came so far."""
    left_s = deadline - time.monotonic()
    try:
        return tree.process.communicate(data, timeout=min(_SLICE_S, left_s) if left_s > 0 else _SLICE_S)
    except subprocess.TimeoutExpired as partial:
        return partial


def _since(started: float) -> float:
    return time.monotonic() - started


def child_env(extra: Mapping[str, str | None] | None = None) -> dict[str, str]:
    """An environment for foreign programs and Pythons: ours, less what belongs to our own Python.

    Python children speak UTF-8. A frozen program's library path, search path entries and ``_MEIPASS`` variables are
    taken out again. ``extra`` is laid over it; a value of None removes the variable.
    """
    env = {key: value for key, value in os.environ.items() if key.upper() not in _FOREIGN}
    if getattr(sys, "frozen", False):
        _unfreeze(env, str(getattr(sys, "_MEIPASS", "")))
    env["PYTHONUTF8"] = "1"
    for key, value in (extra or {}).items():
        if value is None:
            env.pop(key, None)
        else:
            env[key] = value
    return env


def _unfreeze(env: dict[str, str], bundle: str) -> None:
    """Undo what PyInstaller's loader and hooks did to the environment."""
    for key in [key for key in env if key.startswith(("_PYI_", "_MEIPASS"))]:
        del env[key]
    for key in ("LD_LIBRARY_PATH", "LIBPATH"):
        original = env.pop(f"{key}_ORIG", None)
        if original is not None:
            env[key] = original
        else:
            env.pop(key, None)
    if not bundle:
        return
    for key, value in list(env.items()):
        kept = [part for part in value.split(os.pathsep) if not part.startswith(bundle)]
        if len(kept) < len(value.split(os.pathsep)):
            if kept:
                env[key] = os.pathsep.join(kept)
            else:
                del env[key]


def find_program(name: str, environ: Mapping[str, str] | None = None) -> str | None:
    """The full path of ``name`` by the ``PATH`` of ``environ``; a name with a folder in it is taken as it is.

    The current folder is never searched, unlike ``CreateProcess`` and ``shutil.which`` on Windows: a ``git.exe``
    that lies in a downloads folder must not be run.
    """
    if os.path.dirname(name):  # noqa: PTH120 - "./x" and "x" must stay apart
        return name
    variables = os.environ if environ is None else environ
    folders = next((value for key, value in variables.items() if key.upper() == "PATH"), os.defpath).split(os.pathsep)
    endings = [""]
    if sys.platform == "win32":
        known = variables.get("PATHEXT", ".COM;.EXE;.BAT;.CMD").split(";")
        if not any(name.lower().endswith(ending.lower()) for ending in known if ending):
            endings = [ending for ending in known if ending]
    for folder in folders:
        if not folder or not Path(folder).is_absolute():
            continue
        for ending in endings:
            candidate = Path(folder.strip('"'), name + ending)
            with contextlib.suppress(OSError):
                if candidate.is_file() and os.access(candidate, os.X_OK):
                    return str(candidate)
    return None


def decode_output(data: bytes) -> str:
    """Text of a foreign program: UTF-8, UTF-16 where it plainly is (``wsl.exe``), else the system's code page.

    Line ends become LF; what cannot be decoded becomes U+FFFD.
    """
    return _decode(data).replace("\r\n", "\n")


def _decode(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace")
    if len(data) >= 4 and not any(data[1:64:2]) and all(data[0:64:2]):
        return data.decode("utf-16-le", errors="replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    if sys.platform == "win32":
        for encoding in ("oem", locale.getpreferredencoding(do_setlocale=False)):
            with contextlib.suppress(UnicodeDecodeError, LookupError):
                return data.decode(encoding)
    return data.decode("utf-8", errors="replace")
