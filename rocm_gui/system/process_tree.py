"""A child process together with everything that it starts, so that all of it can be ended."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import signal
import subprocess
import sys
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

if sys.platform == "win32":
    from rocm_gui.system.win_job import JobObject, prepare_process, resume_process

_CREATE_SUSPENDED = 0x00000004
_CMD_SIGNS = re.compile(r'[%&|<>^!"\r\n]')
_REAP_TIMEOUT_S = 5.0

# Kills the group when our end of the pipe closes without a word, that is, when we died: by kill -9 too.
_GUARD = 'read -r word || kill -s KILL -- "-$1"'


def refuse_unsafe_batch(argv: Sequence[str]) -> None:
    """Batch files are run by ``cmd.exe``, which reads their arguments by rules that no quoting makes safe.

    https://flatt.tech/research/posts/batbadbut-you-cant-securely-execute-commands-on-windows

    Raises:
        OSError: where ``argv`` is a batch file with an argument that ``cmd.exe`` would take apart.
    """
    if argv[0].lower().rstrip(" .").endswith((".bat", ".cmd")) and any(_CMD_SIGNS.search(word) for word in argv[1:]):
        raise OSError(errno.EINVAL, 'a batch file cannot be given an argument with one of the signs % & | < > ^ ! "')


class ProcessTree:
    """A running program, in a session of its own (POSIX) or a Job object (Windows).

    ``guarded`` ends the tree even when this program is killed; on Windows that is always so. ``share_console`` lets
    it, on Windows, use the console that this program runs in: then Ctrl-C there reaches both.

    Raises:
        OSError: where the program cannot be started.
    """

    def __init__(
        self,
        argv: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: str | None = None,
        stdin: int | None = subprocess.DEVNULL,
        stdout: int | IO[bytes] | None = subprocess.DEVNULL,
        stderr: int | IO[bytes] = subprocess.DEVNULL,
        guarded: bool = False,
        share_console: bool = False,
    ) -> None:
        self._guard: subprocess.Popen[bytes] | None = None
        refuse_unsafe_batch(argv)
        if sys.platform == "win32":
            prepare_process()
            self._job = JobObject()
            flags = _CREATE_SUSPENDED | (0 if share_console else subprocess.CREATE_NO_WINDOW)
            try:
                self.process = subprocess.Popen(
                    list(argv),
                    env=dict(env),
                    cwd=cwd,
                    stdin=stdin,
                    stdout=stdout,
                    stderr=stderr,
                    bufsize=0,
                    creationflags=flags,
                )
            except BaseException:
                self._job.close()
                raise
            self._enter_job()
        else:
            self.process = subprocess.Popen(
                list(argv),
                env=dict(env),
                cwd=cwd,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                bufsize=0,
                start_new_session=True,
            )
            if guarded:
                self._start_guard()

    @property
    def pid(self) -> int:
        """The process id of the program itself."""
        return self.process.pid

    def take_stdout(self) -> IO[bytes]:
        """Hand over the pipe of standard output; from now on its owner closes it."""
        pipe, self.process.stdout = self.process.stdout, None
        assert pipe is not None, "started without a pipe"
        return pipe

    def exited(self) -> bool:
        """Whether the program itself has ended. It is not reaped, so that its group's number stays its own."""
        if self.process.returncode is not None:
            return True
        if sys.platform == "win32":
            return self.process.poll() is not None
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return True

    def interrupt(self) -> bool:
        """Ask the whole tree to stop as Ctrl-C does; False where the system has no such thing for it."""
        if sys.platform == "win32":
            return False  # a console event cannot reach a child with a hidden console of its own
        self._signal_group(signal.SIGINT)
        return True

    def terminate(self) -> None:
        """Ask the whole tree to end; on Windows, which cannot ask, end it."""
        if sys.platform == "win32":
            self._job.terminate()
        else:
            self._signal_group(signal.SIGTERM)

    def kill(self) -> None:
        """End the whole tree at once."""
        if sys.platform == "win32":
            self._job.terminate()
            with contextlib.suppress(OSError):
                self.process.kill()
        else:
            self._signal_group(signal.SIGKILL)

    def finish(self) -> int | None:
        """End what is left of the tree and reap it; returns the program's exit code.

        The code is the signal's negative on POSIX and unsigned on Windows; None when the program cannot be ended
        (uninterruptible in the kernel).
        """
        if sys.platform == "win32":
            if not self.exited():
                self.kill()
            self._job.terminate()
            self._job.wait_empty(_REAP_TIMEOUT_S)
        elif self.process.returncode is None:
            self._signal_group(signal.SIGKILL)
            self._release_guard()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_REAP_TIMEOUT_S)
        self.close()
        return self.process.returncode

    def close(self) -> None:
        """Give back handles and pipes; safe to call twice."""
        self._release_guard()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        if sys.platform == "win32":
            self._job.close()

    def _signal_group(self, number: int) -> None:
        # Only while the leader is not reaped: afterwards its number may belong to a stranger.
        if sys.platform != "win32" and self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)

    def _start_guard(self) -> None:
        with contextlib.suppress(OSError):  # no /bin/sh: the tree runs without a guard
            self._guard = subprocess.Popen(
                ["/bin/sh", "-c", _GUARD, "guard", str(self.pid)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={},  # a frozen program's library path is not for /bin/sh
                cwd="/",
                bufsize=0,
                start_new_session=True,
            )

    def _release_guard(self) -> None:
        guard, self._guard = self._guard, None
        if guard is None or guard.stdin is None:
            return
        with contextlib.suppress(OSError):
            guard.stdin.write(b"done\n")
            guard.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            guard.wait(_REAP_TIMEOUT_S)

    if sys.platform == "win32":

        def _enter_job(self) -> None:
            """Adopt the suspended process, then let it run; nothing it starts can slip out in between."""
            handle = int(self.process._handle)  # type: ignore[attr-defined]  # noqa: SLF001 - Popen has no public one
            try:
                self._job.adopt(handle)
                resume_process(handle)
            except OSError:
                self.process.kill()
                self.close()
                raise
