"""Where setups are remembered: one folder each below the product's own state, with plan and journal."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, final

import msgspec

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.journal import (
    Entry,
    EventName,
    Fact,
    JournalDamagedError,
    Made,
    SetupRecord,
    decode_journal,
    encode_entry,
    fold,
)
from rocm_gui.core.plan import Plan
from rocm_gui.system.files import write_atomic

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping

    from rocm_gui.system.paths import Paths

MARKER = ".rocm_gui.json"


@contextlib.contextmanager
def state_errors(place: Path) -> Generator[None]:
    """Says that the product's own folder is at fault, not what the person asked for.

    Raises:
        AppError: ``state_unusable`` instead of ``OSError``.
    """
    try:
        yield
    except OSError as error:
        code = ExitCode.DENIED if isinstance(error, PermissionError) else ExitCode.FAILED
        path = str(error.filename or place)
        raise AppError("state_unusable", code, path=path, reason=error.strerror or str(error)) from error


class Marker(msgspec.Struct, frozen=True, kw_only=True):
    """The content of ``.rocm_gui.json`` in a target folder: whose it is and whether it passed verification."""

    setup_id: str
    created: str
    environment: str
    verified: bool = False


class Journal:
    """A journal open for writing; every line is on the disk when ``write`` returns."""

    def __init__(self, path: Path, now: Callable[[], datetime] | None = None) -> None:
        self.path = path
        self._now = now or (lambda: datetime.now(timezone.utc).astimezone())
        with state_errors(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            data = path.read_bytes() if path.exists() else b""
            self._entries, sound = _decode(path, data)
            self._handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
        self.torn = sound < len(data)
        self._end = sound
        if self.torn:
            self._cut()
        os.lseek(self._handle, sound, os.SEEK_SET)

    @property
    def record(self) -> SetupRecord:
        """The sum of all lines so far."""
        return fold(self._entries, torn=self.torn)

    def write(
        self,
        event: EventName,
        step: str = "",
        *,
        made: Made | None = None,
        facts: Mapping[str, Fact] | None = None,
    ) -> None:
        """Append one line and wait until it is on the disk.

        Raises:
            OSError: where that is not possible, as on a full disk; then the journal stands as before.
        """
        time_text = self._now().isoformat(timespec="milliseconds")
        entry = Entry(
            seq=len(self._entries) + 1, time=time_text, event=event, step=step, made=made, facts=dict(facts or {})
        )
        line = encode_entry(entry)
        data = memoryview(line)
        try:
            while data:
                data = data[os.write(self._handle, data) :]
            os.fsync(self._handle)
        except OSError:
            self._cut()  # or the next line would be appended to half of this one, which damages the journal for good
            raise
        self._end += len(line)
        self._entries = (*self._entries, entry)

    def _cut(self) -> None:
        os.ftruncate(self._handle, self._end)
        os.lseek(self._handle, self._end, os.SEEK_SET)

    def close(self) -> None:
        """Close the file."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


@dataclass(frozen=True)
class Setup:
    """A setup that the store knows."""

    folder: Path
    plan: Plan

    @property
    def journal_path(self) -> Path:
        """The journal."""
        return self.folder / "journal.jsonl"

    @property
    def report_path(self) -> Path:
        """The installation report of pip."""
        return self.folder / "report.json"

    @property
    def locked_path(self) -> Path:
        """The requirement file of the local installation."""
        return self.folder / "locked.txt"

    @property
    def manifest_path(self) -> Path:
        """The list of files of the finished environment."""
        return self.folder / "manifest.tsv"

    @property
    def staged(self) -> Path:
        """Files that wait for the new environment's verification."""
        return self.folder / "staged"

    def is_open(self) -> bool:
        """Whether anything that it made is still answered for by it."""
        record = self.record()
        return record.phase not in ("new", "undone") and any(not state.undone for state in record.made)

    def record(self) -> SetupRecord:
        """The journal as it stands, read only."""
        with state_errors(self.journal_path):
            try:
                data = self.journal_path.read_bytes()
            except FileNotFoundError:
                data = b""
        entries, sound = _decode(self.journal_path, data)
        return fold(entries, torn=sound < len(data))


def _decode(path: Path, data: bytes) -> tuple[tuple[Entry, ...], int]:
    try:
        return decode_journal(data)
    except JournalDamagedError as error:
        raise AppError("journal_damaged", ExitCode.USAGE, path=str(path), line=error.line) from error


def rescue_journal(setup: Setup) -> Path | None:
    """Cut a damaged journal down to the lines before the damage; returns where the damaged one is kept.

    None where the journal is sound. What later lines told is not undone then: it stays where it is.

    Raises:
        AppError: ``state_unusable``.
    """
    path = setup.journal_path
    with state_errors(path):
        data = path.read_bytes() if path.exists() else b""
        try:
            decode_journal(data)
        except JournalDamagedError as error:
            kept = path.with_name("journal.damaged.jsonl")
            number = 2
            while kept.exists():
                kept = path.with_name(f"journal.damaged{number}.jsonl")
                number += 1
            write_atomic(kept, data)
            write_atomic(path, b"".join(line + b"\n" for line in data.split(b"\n")[: error.line - 1]))
            return kept
    return None


def create_setup(paths: Paths, plan: Plan) -> Setup:
    """Write ``plan`` down as a new setup; the same plan again is the same setup."""
    setup = Setup(paths.setups / plan.setup_id, plan)
    with state_errors(setup.folder):
        write_atomic(setup.folder / "plan.json", msgspec.json.format(msgspec.json.encode(plan), indent=1))
    return setup


def all_setups(paths: Paths) -> Iterator[Setup]:
    """Every setup whose plan can be read, newest first."""
    with state_errors(paths.setups):
        folders = sorted(paths.setups.iterdir(), reverse=True) if paths.setups.is_dir() else []
    for folder in folders:
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            yield Setup(folder, msgspec.json.decode((folder / "plan.json").read_bytes(), type=Plan))


def setups_of(paths: Paths, target: Path) -> tuple[Setup, ...]:
    """The setups of the folder ``target``, newest first."""
    key = _key(target)
    return tuple(setup for setup in all_setups(paths) if _key(Path(setup.plan.target)) == key)


def current_setup(paths: Paths, target: Path) -> Setup:
    """The setup of ``target`` that resume, undo and status are about: the newest that holds something, else the newest.

    Raises:
        AppError: ``setup_unknown`` where there is none, ``setup_record_lost`` where only its marker is left.
    """
    setups = setups_of(paths, target)
    if not setups:
        lost = read_marker(target) is not None
        raise AppError("setup_record_lost" if lost else "setup_unknown", ExitCode.USAGE, target=str(target))
    return next((setup for setup in setups if setup.is_open()), setups[0])


def read_marker(target: Path) -> Marker | None:
    """The marker of ours in ``target``; None where there is none that can be read."""
    try:
        return msgspec.json.decode((target / MARKER).read_bytes(), type=Marker)
    except (OSError, msgspec.MsgspecError):
        return None


def encode_marker(marker: Marker) -> bytes:
    """The marker as a small file."""
    return msgspec.json.format(msgspec.json.encode(marker), indent=1) + b"\n"


def _key(target: Path) -> str:
    return os.path.normcase(os.path.realpath(target))


@final
class TargetLock:
    """One process at a time for a target folder, by a lock of the operating system that dies with its process.

    The file stands in the product's state, not in the target; it tells who holds the lock.
    """

    def __init__(self, paths: Paths, target: Path) -> None:
        digest = hashlib.sha256(_key(target).encode("utf-8", "surrogatepass")).hexdigest()[:24]
        self.path = paths.setups / "locks" / f"{digest}.lock"
        self._target = target
        self._handle = -1

    def __enter__(self) -> TargetLock:
        """Take the lock.

        Raises:
            AppError: ``setup_busy`` with the process id of the holder, or ``state_unusable``.
        """
        with state_errors(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
        try:
            _lock(handle)
        except OSError as error:
            os.close(handle)
            raise AppError("setup_busy", target=str(self._target), pid=self.holder()) from error
        self._handle = handle
        with contextlib.suppress(OSError):  # on a full disk the lock holds, it only does not tell whose it is
            os.ftruncate(handle, 0)
            os.lseek(handle, 0, os.SEEK_SET)
            os.write(handle, f"{os.getpid()} {time.time():.0f}\n".encode())
        return self

    def __exit__(self, *_: object) -> None:
        """Give the lock back."""
        if self._handle >= 0:
            os.ftruncate(self._handle, 0)
            _unlock(self._handle)
            os.close(self._handle)
            self._handle = -1

    def holder(self) -> int | None:
        """The process id written by the holder; None where it cannot be told."""
        with contextlib.suppress(OSError, ValueError, IndexError):
            return int(self.path.read_text(encoding="ascii").split()[0])
        return None

    def held(self) -> bool:
        """Whether a process holds the lock now."""
        try:
            handle = os.open(self.path, os.O_RDWR | getattr(os, "O_BINARY", 0))
        except OSError:
            return False
        try:
            _lock(handle)
        except OSError:
            return True
        else:
            _unlock(handle)
            return False
        finally:
            os.close(handle)


_LOCKED_BYTE = 1 << 20  # beyond the text: a lock on Windows forbids others to read what it covers

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

    def _unlock(handle: int) -> None:
        os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)
