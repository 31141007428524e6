"""Runs a person's own script: output live, Ctrl-C to the script first, the computer awake, a crash explained."""

from __future__ import annotations

import codecs
import platform
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.script_faults import Explanation, ScriptOutcome, exit_code_of, explain_script, state_of
from rocm_gui.core.troubles import load_troubles
from rocm_gui.services.script_environment import PreparedScript, ScriptRequest, prepare_script
from rocm_gui.system.awake import KeepAwake
from rocm_gui.system.datafiles import read_toml
from rocm_gui.system.pipe_reader import PipeReader
from rocm_gui.system.process import run
from rocm_gui.system.process_tree import ProcessTree

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocm_gui.core.troubles import System, Trouble
    from rocm_gui.system.paths import Paths

__all__ = ["PreparedScript", "ScriptRequest", "ScriptRun", "Streams", "known_troubles", "prepare_script"]

Stream = Literal["stdout", "stderr"]
GRACE_S: Final = 3.0  # between asking the script to end and ending it
_HELD_S = 1.0  # how long something that the script left behind may hold its output
_INTERRUPTER_S = 10.0
_TICK_S = 0.1
_KEPT_CHARACTERS = 64_000


@dataclass(frozen=True)
class Streams:
    """How the script's standard streams are wired.

    ``own_stdin`` lets it read our standard input, ``own_stdout`` write to our standard output directly (POSIX
    terminals: programs then keep their colours and progress bars); ``share_console`` as ``ProcessTree``.
    """

    own_stdin: bool = False
    own_stdout: bool = False
    share_console: bool = False


class ScriptRun:
    """One run. ``run`` blocks until the end; ``interrupt`` may be called from any thread or signal handler.

    ``on_output(stream, data)`` hears every piece of output as it comes, one call at a time, from threads of the run.
    """

    def __init__(
        self,
        prepared: PreparedScript,
        on_output: Callable[[Stream, bytes], None],
        *,
        streams: Streams | None = None,
        troubles: tuple[Trouble, ...] = (),
        awake: KeepAwake | None = None,
        grace_s: float = GRACE_S,
    ) -> None:
        self._prepared = prepared
        self._on_output = on_output
        self._streams = streams or Streams()
        self._troubles = troubles
        self._awake = awake if awake is not None else KeepAwake("a script is running")
        self._grace_s = grace_s
        self._lock = threading.Lock()
        self._stir = threading.Event()
        self._over = threading.Event()
        self._asked = 0  # how often somebody asked to stop
        self._heeded = 0
        self._kill_at: float | None = None
        self._timed_out = False
        self._errors = ""

    @property
    def asked_to_stop(self) -> int:
        """How often ``interrupt`` was called."""
        return self._asked

    def interrupt(self) -> None:
        """Ask to stop: the first time as Ctrl-C does, then firmly; what has not ended after ``grace_s`` is killed."""
        self._asked += 1
        self._stir.set()

    def run(self) -> ScriptOutcome:
        """Run the script to its end.

        Raises:
            AppError: ``script_not_started``.
        """
        began = time.monotonic()
        tree = self._start()
        self._awake.acquire()
        code: int | None = None
        try:
            readers = self._readers(tree)
            pumps = [
                threading.Thread(target=self._pump, args=(stream, reader), name=f"script-{stream}", daemon=True)
                for stream, reader in readers.items()
            ]
            for pump in pumps:
                pump.start()
            self._follow(tree, began)
            self._drain(tree, pumps)
            self._over.set()
            for reader in readers.values():
                reader.close()
        finally:
            kept_awake = self._awake.method
            code = tree.finish()
            self._awake.release()
        return self._outcome(code, time.monotonic() - began, kept_awake)

    def _start(self) -> ProcessTree:
        prepared = self._prepared
        try:
            return ProcessTree(
                prepared.argv,
                env=prepared.env,
                cwd=prepared.cwd,
                stdin=None if self._streams.own_stdin else subprocess.DEVNULL,
                stdout=None if self._streams.own_stdout else subprocess.PIPE,
                stderr=subprocess.PIPE,
                guarded=True,
                share_console=self._streams.share_console,
            )
        except (OSError, ValueError) as error:  # ValueError: a NUL in an argument
            reason = getattr(error, "strerror", None) or str(error)
            raise AppError("script_not_started", ExitCode.USAGE, program=prepared.argv[0], reason=reason) from error

    def _readers(self, tree: ProcessTree) -> dict[Stream, PipeReader]:
        readers: dict[Stream, PipeReader] = {}
        if not self._streams.own_stdout:
            readers["stdout"] = PipeReader(tree.take_stdout(), "script-read-stdout")
        pipe, tree.process.stderr = tree.process.stderr, None
        assert pipe is not None
        readers["stderr"] = PipeReader(pipe, "script-read-stderr")
        return readers

    def _pump(self, stream: Stream, reader: PipeReader) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        while not self._over.is_set():
            data = reader.get(_TICK_S * 5)
            if data is None:
                continue
            if not data:
                break
            if stream == "stderr":
                self._errors = (self._errors + decoder.decode(data))[-_KEPT_CHARACTERS:]
            with self._lock:
                self._on_output(stream, data)
        self._stir.set()

    def _follow(self, tree: ProcessTree, began: float) -> None:
        """Until the script itself has ended."""
        limit_s = self._prepared.request.timeout_s
        while not tree.exited():
            self._stir.wait(_TICK_S)
            self._stir.clear()
            now = time.monotonic()
            while self._heeded < self._asked:
                self._heeded += 1
                self._stop(tree, self._heeded)
            if limit_s is not None and now - began > limit_s and not self._timed_out and not self._asked:
                self._timed_out = True
                self._stop(tree, 2)
            if self._kill_at is not None and now > self._kill_at:
                tree.kill()

    def _stop(self, tree: ProcessTree, time_asked: int) -> None:
        # A script that shares our console has been told by the system already.
        if time_asked == 1 and (self._streams.share_console or tree.interrupt() or self._interrupt_hidden(tree.pid)):
            return
        if time_asked <= 2:
            tree.terminate()
            self._kill_at = time.monotonic() + self._grace_s
        else:
            tree.kill()

    def _interrupt_hidden(self, pid: int) -> bool:
        """Ctrl-C into the hidden console of a script on Windows."""
        command = self._prepared.interrupter
        return bool(command) and run([*command, str(pid)], timeout_s=_INTERRUPTER_S).ok

    def _drain(self, tree: ProcessTree, pumps: list[threading.Thread]) -> None:
        """The rest of the output; what the script started and left behind is ended."""
        deadline = time.monotonic() + _HELD_S
        for pump in pumps:
            pump.join(max(0.0, deadline - time.monotonic()))
        tree.kill()
        for pump in pumps:
            pump.join(_HELD_S)

    def _outcome(self, code: int | None, seconds: float, kept_awake: str | None) -> ScriptOutcome:
        state = state_of(code, cancelled=self._asked > 0, timed_out=self._timed_out)
        explanation: Explanation | None = None
        if state in ("failed", "crashed"):
            explanation = explain_script(code, self._errors, _system(), self._troubles)
        return ScriptOutcome(
            state=state,
            exit_code=exit_code_of(state, code),
            script_exit_code=code,
            seconds=seconds,
            kept_awake=kept_awake,
            explanation=explanation,
        )


def known_troubles(paths: Paths) -> tuple[Trouble, ...]:
    """The troubles that a script's errors are compared with."""
    return load_troubles(read_toml(paths.resources / "data" / "troubles.toml"))


def _system() -> System:
    if sys.platform == "win32":
        return "windows"
    return "wsl" if "microsoft" in platform.release().lower() else "linux"
