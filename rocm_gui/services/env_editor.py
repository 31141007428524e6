"""Environment variables changed safely: shown first, kept in a backup, written once, taken back exactly.

Every batch has a folder of its own with ``batch.json`` (what stood and what was to stand, written before the first
change), ``before.json`` and, on Windows, ``before.reg``. A process killed in the middle leaves a batch whose undo
restores what was written and passes over what was not.
"""

from __future__ import annotations

import contextlib
import os
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

import msgspec

from rocm_gui.core import path_list
from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.variables import (
    Backup,
    Change,
    Edit,
    EnvState,
    Meter,
    Scope,
    changes_of,
    is_list,
    meters,
    reg_file,
    restore_changes,
    undo_changes,
)
from rocm_gui.system.files import write_atomic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, MutableMapping

_STAMP = "%Y%m%d-%H%M%S-%f"  # ids sort by time


class VariableStore(Protocol):
    """Where variables are kept: the registry, a profile, or a recorded one."""

    @property
    def windows(self) -> bool:
        """Which rules hold."""
        ...

    def read(self) -> EnvState:
        """Both scopes as they stand now."""
        ...

    def write(self, change: Change) -> None:
        """Make one change, or raise."""
        ...

    def announce(self) -> None:
        """Tell running programs."""
        ...


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """What would be written; nothing is, until ``apply`` gets this very object."""

    changes: tuple[Change, ...]
    windows: bool
    needs_admin: bool = False
    warnings: tuple[Meter, ...] = ()  # limits that the new lists pass
    conflicts: tuple[Change, ...] = ()  # of an undo: changed by somebody since, left alone


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """Changes that were written together."""

    schema: int = 1
    id: str
    created: str  # aware ISO time
    state: Literal["writing", "done", "undone", "partly_undone"]
    windows: bool
    changes: tuple[Change, ...]
    undoes: str | None = None  # id of the batch that this one takes back


class EnvEditor:
    """Reads, previews, writes and takes back.

    Args:
        store: where the variables are.
        folder: of the batches and their backups.
        environ: of this program; gets the new values so that later steps see them.
        elevated: writes changes of the machine's scope with other rights; None where there is no such way.
    """

    def __init__(
        self,
        store: VariableStore,
        folder: Path,
        environ: MutableMapping[str, str] | None = None,
        elevated: Callable[[tuple[Change, ...]], None] | None = None,
    ) -> None:
        self._store = store
        self._folder = folder
        self._environ = os.environ if environ is None else environ
        self._elevated = elevated

    @property
    def windows(self) -> bool:
        """Which rules hold."""
        return self._store.windows

    def read(self) -> EnvState:
        """Both scopes as they stand now."""
        return self._store.read()

    def rows(self, state: EnvState, name: str = "PATH") -> tuple[tuple[path_list.Row, ...], ...]:
        """The entries of the machine's and of the user's list."""
        return path_list.rows(state.path_texts(name), state.environ, windows=state.windows, exists=folder_exists)

    def preview(self, edits: Iterable[Edit]) -> Preview:
        """What ``edits`` would change.

        Raises:
            AppError: as ``changes_of``.
        """
        state = self.read()
        return self._preview(state, changes_of(state, edits, folder_exists))

    def preview_undo(self, batch_id: str | None = None, *, force: bool = False) -> tuple[Batch, Preview]:
        """What taking back a batch (the newest one) would change.

        Raises:
            AppError: ``env_no_batch``, ``env_batch_undone``.
        """
        batch = self._batch(batch_id)
        if batch.state == "undone":
            raise AppError("env_batch_undone", ExitCode.USAGE, id=batch.id)
        state = self.read()
        back, conflicts = undo_changes(state, batch.changes, force=force)
        return batch, self._preview(state, back, conflicts)

    def preview_restore(self, file: Path, scopes: Iterable[Scope] = ("user",)) -> Preview:
        """What would make ``scopes`` as ``file`` keeps them.

        Raises:
            AppError: ``file_unreadable``, ``env_backup_malformed``, ``env_backup_system``.
        """
        backup = read_backup(file)
        state = self.read()
        if (backup.system == "windows") != state.windows:
            raise AppError("env_backup_system", ExitCode.USAGE, path=str(file), system=backup.system)
        return self._preview(state, restore_changes(state, backup, scopes))

    def apply(self, preview: Preview, *, undoes: str | None = None) -> Batch | None:
        """Write what ``preview`` showed; None where there was nothing to do.

        Raises:
            AppError: ``env_changed_meanwhile`` where a value is not what the preview saw; ``env_denied``;
                ``env_not_written`` with how much was written; ``env_backup_failed``; as the elevated writer.
        """
        if not preview.changes:
            return None
        state = self.read()
        self._check(state, preview.changes)
        now = datetime.now(timezone.utc).astimezone()
        batch = Batch(
            id=now.strftime(_STAMP),
            created=now.isoformat(timespec="seconds"),
            state="writing",
            windows=state.windows,
            changes=preview.changes,
            undoes=undoes,
        )
        self._keep(batch, state)
        self._write(batch, preview)
        self._set_state(batch, "done")
        for change in preview.changes:
            self._update_own(change, state)
        return msgspec.structs.replace(batch, state="done")

    def undo(self, batch_id: str | None = None, *, force: bool = False) -> tuple[Batch, Preview]:
        """Take a batch back; what somebody changed since stays and is told, unless ``force``."""
        batch, preview = self.preview_undo(batch_id, force=force)
        self.take_back(batch, preview)
        return batch, preview

    def take_back(self, batch: Batch, preview: Preview) -> None:
        """Undo ``batch`` as ``preview_undo`` showed it.

        Raises:
            AppError: as ``apply``.
        """
        self.apply(preview, undoes=batch.id)
        self._set_state(batch, "partly_undone" if preview.conflicts else "undone")

    def history(self) -> tuple[Batch, ...]:
        """All batches, newest first; unreadable ones are passed over."""
        found: list[Batch] = []
        if self._folder.is_dir():
            for file in sorted(self._folder.glob("*/batch.json"), reverse=True):
                with contextlib.suppress(OSError, msgspec.DecodeError):
                    found.append(msgspec.json.decode(file.read_bytes(), type=Batch))
        return tuple(found)

    def backup(self, file: Path) -> tuple[Path, ...]:
        """Keep both scopes in ``file`` (JSON) and, on Windows, beside it as ``.reg``; returns what was written.

        Raises:
            AppError: ``env_backup_failed``.
        """
        return self._save_backup(self.read(), file)

    def _preview(self, state: EnvState, changes: tuple[Change, ...], conflicts: tuple[Change, ...] = ()) -> Preview:
        after = _after(state, changes)
        passed: list[Meter] = []
        for change in changes:
            if change.name.upper() == "PATH":
                before = {meter.id: meter for meter in meters(state, change.scope)}
                passed += [m for m in meters(after, change.scope) if m.over and not before[m.id].over]
        return Preview(
            changes=changes,
            windows=state.windows,
            needs_admin=state.windows and any(c.scope == "machine" and not state.machine.writable for c in changes),
            warnings=tuple(passed),
            conflicts=conflicts,
        )

    def _check(self, state: EnvState, changes: tuple[Change, ...]) -> None:
        for change in changes:
            stored = state.scope(change.scope).get(change.name, windows=state.windows)
            if (stored[1] if stored else None) != change.before:
                raise AppError("env_changed_meanwhile", ExitCode.FAILED, name=change.name, scope=change.scope)

    def _write(self, batch: Batch, preview: Preview) -> None:
        machine = tuple(c for c in preview.changes if c.scope == "machine") if preview.needs_admin else ()
        written = 0
        try:
            if machine:  # asked first: a refusal leaves everything as it was
                (self._elevated or _no_way)(machine)
                written += len(machine)
            for change in preview.changes:
                if change not in machine:
                    self._store.write(change)
                    written += 1
        except PermissionError as error:
            raise AppError("env_denied", ExitCode.DENIED, name=error.filename, scope="", id=batch.id) from error
        except OSError as error:
            reason = error.strerror or str(error)
            raise AppError("env_not_written", id=batch.id, written=written, reason=reason) from error
        finally:
            if written:
                self._store.announce()
            else:
                self._set_state(batch, "undone")

    def _keep(self, batch: Batch, state: EnvState) -> None:
        place = self._folder / batch.id
        self._save_backup(state, place / "before.json")
        try:
            write_atomic(place / "batch.json", msgspec.json.encode(batch), mode=0o600)
        except OSError as error:
            reason = error.strerror or str(error)
            raise AppError("env_backup_failed", path=str(place), reason=reason) from error

    def _save_backup(self, state: EnvState, file: Path) -> tuple[Path, ...]:
        backup = Backup(
            created=datetime.now(timezone.utc).astimezone().isoformat(timespec="seconds"),
            system="windows" if state.windows else "linux",
            user=state.user.values,
            machine=state.machine.values if state.windows else None,
        )
        written = [file]
        try:
            write_atomic(file, msgspec.json.format(msgspec.json.encode(backup), indent=1), mode=0o600)
            if state.windows:
                scopes = {s: v for s, v in (("user", backup.user), ("machine", backup.machine)) if v is not None}
                write_atomic(file.with_suffix(".reg"), reg_file(scopes), mode=0o600)  # type: ignore[arg-type]
                written.append(file.with_suffix(".reg"))
        except OSError as error:
            reason = error.strerror or str(error)
            raise AppError("env_backup_failed", path=str(file), reason=reason) from error
        return tuple(written)

    def _set_state(self, batch: Batch, state: Literal["done", "undone", "partly_undone"]) -> None:
        file = self._folder / batch.id / "batch.json"
        try:
            write_atomic(file, msgspec.json.encode(msgspec.structs.replace(batch, state=state)), mode=0o600)
        except OSError as error:
            reason = error.strerror or str(error)
            raise AppError("env_backup_failed", path=str(file), reason=reason) from error

    def _batch(self, batch_id: str | None) -> Batch:
        batches = self.history()
        if batch_id is None:
            open_ones = [b for b in batches if b.state != "undone" and b.undoes is None]
            if not open_ones:
                raise AppError("env_no_batch", ExitCode.USAGE, id="")
            return open_ones[0]
        found = next((batch for batch in batches if batch.id == batch_id), None)
        if found is None:
            raise AppError("env_no_batch", ExitCode.USAGE, id=batch_id)
        return found

    def _update_own(self, change: Change, state: EnvState) -> None:
        """The same change in this process, whose PATH may hold more than the two scopes."""
        windows = state.windows
        if change.scope == "machine" and state.user.get(change.name, windows=windows) and not is_list(change.name):
            return  # the user's own value wins
        texts = [value.text if value is not None else None for value in (change.before, change.after)]
        if not is_list(change.name):
            if texts[1] is None:
                self._environ.pop(change.name, None)
            else:
                self._environ[change.name] = path_list.expand(texts[1], state.environ, windows=windows)
            return
        old, new = (path_list.split(text or "", windows=windows) for text in texts)
        held = self._environ.get(change.name, "")
        for entry in old:
            if entry and entry not in new:
                held = path_list.remove(held, entry, state.environ, windows=windows)
        for entry in new:
            if entry and entry not in old and entry != f"${change.name}":
                expanded = path_list.expand(entry, state.environ, windows=windows)
                held = path_list.add(held, expanded, state.environ, windows=windows)
        self._environ[change.name] = held


def _no_way(changes: tuple[Change, ...]) -> None:
    raise PermissionError(13, "denied", changes[0].name)


def read_backup(file: Path) -> Backup:
    """The backup that ``file`` holds.

    Raises:
        AppError: ``file_unreadable``, ``env_backup_malformed``.
    """
    try:
        return msgspec.json.decode(file.read_bytes(), type=Backup)
    except OSError as error:
        raise AppError("file_unreadable", ExitCode.USAGE, path=str(file), reason=error.strerror) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise AppError("env_backup_malformed", ExitCode.USAGE, path=str(file), reason=str(error)) from error


def folder_exists(folder: str) -> bool | None:
    """Whether an entry's folder is there; None where that cannot be known, as on a drive that does not answer."""
    if folder.startswith(("$", "\\\\")) or "%" in folder:
        return None
    try:
        return Path(folder).is_dir()
    except (OSError, ValueError):
        return None


def _after(state: EnvState, changes: Iterable[Change]) -> EnvState:
    values = {scope: dict(state.scope(scope).values or {}) for scope in ("user", "machine")}
    for change in changes:
        values[change.scope].pop(change.name, None)
        if change.after is not None:
            values[change.scope][change.name] = change.after
    return msgspec.structs.replace(
        state,
        user=msgspec.structs.replace(state.user, values=values["user"]),
        machine=msgspec.structs.replace(state.machine, values=values["machine"]),
    )
