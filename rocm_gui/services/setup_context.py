"""What every step of a setup works with: its plan, its journal, its ears, and the tools it may use."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import msgspec

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.events import AnyEvent, Log, Progress, Stage
from rocm_gui.core.journal import Made
from rocm_gui.core.parsers.pip import clean, errors_of, pip_event
from rocm_gui.core.setup_events import RateMeter, SetupEvent, StepLog, StepProgress
from rocm_gui.services.download import Cancelled, Network, sha256_of
from rocm_gui.services.env_tree import remove_tree, write_manifest
from rocm_gui.system.files import write_atomic
from rocm_gui.system.process import child_env

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Generator, Mapping

    from rocm_gui.core.plan import Plan, Step
    from rocm_gui.core.verification import EnvironmentProbe, VerificationReport
    from rocm_gui.services.setup_store import Journal, Setup
    from rocm_gui.system.paths import Paths

# The person's pip may be told to install elsewhere; what a setup installs goes into its environment.
_INTO_ENVIRONMENT: dict[str, str | None] = {
    "PIP_USER": "0",  # as a value it outranks pip's configuration files
    **dict.fromkeys(("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_PYTHON", "PIP_DRY_RUN")),
    **dict.fromkeys(("PIP_QUIET", "PIP_VERBOSE", "PIP_LOG")),  # its words are read here: progress, and what went wrong
}
_NO_ROOM_BYTES = 16 << 20  # less than the smallest thing that a step installs
OUTPUT_KEPT = 400  # lines of a failed program that are searched for known troubles


class CommandEnd(msgspec.Struct, frozen=True, kw_only=True):
    """How a program of a step ended."""

    code: int | None
    lines: tuple[str, ...] = ()  # the last lines of both outputs
    cancelled: bool = False
    timed_out: bool = False
    not_started: str | None = None  # why

    @property
    def ok(self) -> bool:
        """Whether it did its work."""
        return self.code == 0 and not self.cancelled and not self.timed_out


class RunCommand(Protocol):
    """Runs one program of a step."""

    def __call__(
        self,
        job_id: str,
        argv: tuple[str, ...],
        env: dict[str, str],
        *,
        on_event: Callable[[AnyEvent], None],
        parse_line: Callable[[str], AnyEvent | None],
        cancel: threading.Event,
        silence_s: float,
    ) -> CommandEnd:
        """Run ``argv`` to its end."""
        ...


class Probe(Protocol):
    """The shape of ``services.probe.probe_environment``."""

    def __call__(self, python: str, *, paths: Paths, env: Mapping[str, str | None] | None = None) -> EnvironmentProbe:
        """What the environment of ``python`` holds."""
        ...


class Verify(Protocol):
    """The shape of ``services.verifier.verify_environment``, with what a setup knows."""

    def __call__(
        self,
        plan: Plan,
        *,
        on_event: Callable[[AnyEvent], None],
        cancel: threading.Event,
        env: Mapping[str, str | None],
    ) -> VerificationReport:
        """Prove the environment of ``plan``."""
        ...


@dataclass(frozen=True)
class Tools:
    """What the steps call; tests put others in."""

    run: RunCommand
    probe: Probe
    verify: Verify
    reach: Callable[[str, Network], str | None]  # url -> None where it answers, else why not
    scripts: Callable[[Plan, Mapping[str, str]], dict[str, bytes]]  # start scripts by file name
    render: Callable[[VerificationReport], dict[str, bytes]]  # reports by file name
    clock: Callable[[], float] = time.monotonic


class StepFailedError(AppError):
    """A step failed; ``output`` is what its program said last, searched for known troubles."""

    def __init__(
        self, code: str, exit_code: ExitCode = ExitCode.FAILED, /, *, output: str = "", **facts: object
    ) -> None:
        super().__init__(code, exit_code, **facts)
        self.output = output


def leftovers(path: Path) -> list[Path]:
    """Temporary files of an atomic write of ``path`` that a kill left behind."""
    return list(path.parent.glob(f".{path.name}.*.tmp"))


def remove_leftovers(path: Path) -> None:
    """Remove them."""
    for temporary in leftovers(path):
        temporary.unlink(missing_ok=True)


@dataclass
class StepContext:
    """One step being carried out."""

    paths: Paths
    setup: Setup
    journal: Journal
    step: Step
    tools: Tools
    emit: Callable[[SetupEvent], None]
    cancel: threading.Event
    replacing: bool = False  # an older verified environment of ours stands in the target until this one is proved
    meter: RateMeter = field(default_factory=RateMeter)

    @property
    def plan(self) -> Plan:
        """The plan."""
        return self.setup.plan

    @property
    def target(self) -> Path:
        """The target folder."""
        return Path(self.plan.target)

    @property
    def environment(self) -> Path:
        """The folder of the new environment."""
        return Path(self.plan.environment)

    def check_cancel(self) -> None:
        """Stop here where the person asked to."""
        if self.cancel.is_set():
            raise Cancelled

    # ---- programs

    def run_commands(self, *, silence_s: float = 900) -> None:
        """Run the step's commands in order.

        Raises:
            StepFailedError: where one fails.
            Cancelled: where the person asked to stop.
        """
        with self.temporary_folder() as temporary:
            env = child_env({**_INTO_ENVIRONMENT, **temporary, **self.step.variables})
            for number, argv in enumerate(self.step.commands, start=1):
                self.run_command(argv, env, number, silence_s=silence_s)

    def run_command(self, argv: tuple[str, ...], env: dict[str, str], number: int, *, silence_s: float) -> CommandEnd:
        """Run one program and report its progress."""
        self.check_cancel()
        self.meter = RateMeter()
        job_id = f"{self.plan.setup_id}-{self.step.id}-{number}"
        end = self.tools.run(
            job_id, argv, env, on_event=self.on_tool, parse_line=pip_event, cancel=self.cancel, silence_s=silence_s
        )
        if end.cancelled or (self.cancel.is_set() and not end.ok):
            raise Cancelled
        if not end.ok:
            raise self._failure(argv, end)
        return end

    def _failure(self, argv: tuple[str, ...], end: CommandEnd) -> StepFailedError:
        output = "\n".join((*end.lines, *self._no_room()))
        facts: dict[str, object] = {"step": self.step.id, "program": argv[0], "exit_code": end.code}
        if end.not_started is not None:
            return StepFailedError("setup_command_not_started", output=output, **facts, reason=end.not_started)
        if end.timed_out:
            return StepFailedError("setup_command_hung", ExitCode.CRASHED, output=output, **facts)
        errors = errors_of(output) or tuple(line for line in map(clean, end.lines[-3:]) if line)
        reason = " / ".join(errors[-3:]) or None
        return StepFailedError("setup_command_failed", output=output, **facts, reason=reason)

    def _no_room(self) -> list[str]:
        """What a program says on a full drive, where it kept that to itself as venv does about ensurepip."""
        for place in (self.target, self.paths.cache):
            with contextlib.suppress(OSError):
                if shutil.disk_usage(place).free < _NO_ROOM_BYTES:
                    return [os.strerror(errno.ENOSPC)]
        return []

    @contextlib.contextmanager
    def temporary_folder(self) -> Generator[dict[str, str | None]]:
        """Variables that keep temporary files of programs in the product's own cache, whatever happens to them."""
        folder = self.paths.cache / "tmp" / self.plan.setup_id
        remove_tree(folder)
        folder.mkdir(parents=True)
        try:
            yield dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))
        finally:
            with contextlib.suppress(OSError):  # a scanner may hold a file: the next run removes it
                remove_tree(folder)

    # ---- telling

    def on_tool(self, event: AnyEvent) -> None:
        """Pass on what a program says."""
        if isinstance(event, Progress):
            self.progress(event.done, event.total, event.unit)
        elif isinstance(event, Stage):
            self.emit(StepLog(step=self.step.id, text=event.id))
        elif isinstance(event, Log):
            self.emit(StepLog(step=self.step.id, text=event.text, level=event.level))

    def progress(self, done: float | None, total: float | None, unit: str, item: str | None = None) -> None:
        """Tell how far the step is, with speed and time left."""
        if done is not None:
            self.meter.add(self.tools.clock(), done)
        self.emit(
            StepProgress(
                step=self.step.id,
                done=done,
                total=total,
                unit=unit,
                rate=self.meter.rate,
                remaining_s=self.meter.remaining_s(total),
                item=item,
            )
        )

    # ---- changes to the machine: each is in the journal before it is made

    def make_folder(self, path: Path) -> None:
        """Make ``path`` and its missing parents, each a change of its own."""
        missing: list[Path] = []
        place = path
        while not place.exists():
            missing.append(place)
            place = place.parent
        for folder in reversed(missing):
            made = Made(kind="folder", path=str(folder))
            self.journal.write("intent", self.step.id, made=made)
            folder.mkdir(exist_ok=True)
            self.journal.write("changed", self.step.id, made=made)

    def make_file(self, path: Path, content: bytes, *, executable: bool = False) -> None:
        """Write ``path``; what stood there before is kept for undo unless it was ours."""
        digest = hashlib.sha256(content).hexdigest()
        known = next((m.made for m in self.journal.record.made if m.made.path == str(path) and not m.undone), None)
        if known is not None and known.sha256 == digest and path.is_file() and sha256_of(path) == digest:
            return
        if known is not None:  # written before by this setup: the first backup counts
            made = msgspec.structs.replace(known, sha256=digest, former_sha256=known.sha256)
        elif path.exists():
            made = self._backed_up(path, digest)
        else:
            made = Made(kind="file", path=str(path), sha256=digest)
        self.journal.write("intent", self.step.id, made=made)
        remove_leftovers(path)
        write_atomic(path, content, mode=0o755 if executable else None)
        self.journal.write("changed", self.step.id, made=made)

    def _backed_up(self, path: Path, digest: str) -> Made:
        former = path.read_bytes()
        backup = self.setup.folder / "backup" / f"{hashlib.sha256(str(path).encode()).hexdigest()[:12]}-{path.name}"
        write_atomic(backup, former)
        return Made(
            kind="replaced_file",
            path=str(path),
            sha256=digest,
            backup=str(backup),
            backup_sha256=hashlib.sha256(former).hexdigest(),
        )

    def list_environment(self) -> None:
        """Write down which files the environment has now, for undo and for the next interruption."""
        write_manifest(self.setup.manifest_path, self.environment)
        self.journal.write("changed", self.step.id, made=self.environment_made())

    def environment_made(self) -> Made:
        """The environment as a change."""
        return Made(kind="tree", path=str(self.environment), manifest=str(self.setup.manifest_path))
