"""Takes a setup back: the last change first, each only where it still is what the journal says."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.setup_events import SetupEvent, StepProgress
from rocm_gui.core.undo import Decision, Observed, decide, undo_order
from rocm_gui.services.download import sha256_of
from rocm_gui.services.env_tree import compare, read_manifest, remove_tree
from rocm_gui.services.setup_context import remove_leftovers
from rocm_gui.services.setup_steps import changes_environment
from rocm_gui.services.setup_store import state_errors
from rocm_gui.services.stash import replaced_since, restore_stash
from rocm_gui.system.files import write_atomic

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Mapping

    from rocm_gui.core.journal import EventName, Fact, Made, MadeState, SetupRecord
    from rocm_gui.services.setup_store import Journal, Setup
    from rocm_gui.system.paths import Paths

_SHOWN = 20  # names in a report


class UndoReport(msgspec.Struct, frozen=True, kw_only=True):
    """What undo did, or with ``dry_run`` would do, in that order."""

    setup_id: str
    target: str
    decisions: tuple[Decision, ...]
    dry_run: bool = False

    @property
    def conflicts(self) -> tuple[Decision, ...]:
        """What stays although we made it, since somebody changed it."""
        return tuple(decision for decision in self.decisions if decision.conflict)

    @property
    def complete(self) -> bool:
        """Whether nothing of ours is left."""
        return not self.conflicts


def undo_setup(
    paths: Paths,
    setup: Setup,
    journal: Journal,
    *,
    force: bool = False,
    emit: Callable[[SetupEvent], None],
    cancel: threading.Event,
) -> UndoReport:
    """Take ``setup`` back. Cut at any point, it can be done again.

    Raises:
        AppError: ``undo_not_possible`` where the system refuses a removal, what is done is journaled;
            ``undo_cancelled``; ``state_unusable``.
    """
    notes = _Notes(journal)
    notes.write("undo_begin", facts={"force": force})
    decisions: list[Decision] = []
    record = journal.record
    for state in undo_order(record):
        if cancel.is_set():
            raise AppError("undo_cancelled", ExitCode.CANCELLED, target=setup.plan.target)
        decision = decide_one(record, state, force=force)
        decisions.append(decision)
        try:
            _carry_out(state, decision, emit)
        except OSError as error:
            raise AppError(
                "undo_not_possible",
                ExitCode.DENIED if isinstance(error, PermissionError) else ExitCode.FAILED,
                path=error.filename or decision.path,
                reason=error.strerror or str(error),
            ) from error
        if decision.action == "keep":
            notes.write("conflict", state.step, state.made, {"reason": decision.reason})
        kept_ours = decision.reason == "not_empty" and any(other.conflict for other in decisions)
        if not decision.conflict and not kept_ours:  # a folder with something of ours in it is tried again next time
            notes.write("undone", state.step, state.made)
    remove_tree(setup.staged)
    remove_tree(paths.cache / "tmp" / setup.plan.setup_id)
    report = UndoReport(setup_id=setup.plan.setup_id, target=setup.plan.target, decisions=tuple(decisions))
    if report.complete:
        notes.write("undo_done")
    notes.close()
    return report


class _Notes:
    """What undo writes into the journal. A full disk must not forbid what frees it: such lines are written later.

    A crash before that costs nothing, since what is gone already is found gone when undo is asked for again.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._waiting: list[tuple[EventName, str, Made | None, Mapping[str, Fact] | None]] = []

    def write(
        self, event: EventName, step: str = "", made: Made | None = None, facts: Mapping[str, Fact] | None = None
    ) -> None:
        """Write a line, after those that wait."""
        self._waiting.append((event, step, made, facts))
        with contextlib.suppress(OSError):
            self._write_waiting()

    def close(self) -> None:
        """Write what still waits.

        Raises:
            AppError: ``state_unusable``.
        """
        with state_errors(self._journal.path):
            self._write_waiting()

    def _write_waiting(self) -> None:
        while self._waiting:
            event, step, made, facts = self._waiting[0]
            self._journal.write(event, step, made=made, facts=facts)
            del self._waiting[0]


def preview_undo(setup: Setup, *, force: bool = False) -> UndoReport:
    """What ``undo_setup`` would do now."""
    decisions = tuple(decision for _, decision in preview(setup.record(), force=force))
    return UndoReport(setup_id=setup.plan.setup_id, target=setup.plan.target, decisions=decisions, dry_run=True)


def preview(record: SetupRecord, *, force: bool = False) -> list[tuple[MadeState, Decision]]:
    """Each change with its decision, in order. Folders are judged as if all that comes before them were gone."""
    decisions: list[tuple[MadeState, Decision]] = []
    gone: set[str] = set()
    for state in undo_order(record):
        decision = decide_one(record, state, force=force, gone=gone)
        decisions.append((state, decision))
        if decision.action == "remove":
            gone.add(os.path.normcase(state.made.path))
    return decisions


def decide_one(record: SetupRecord, state: MadeState, *, force: bool = False, gone: set[str] | None = None) -> Decision:
    """The decision about one change, from what stands there now."""
    if state.made.kind == "tree" and any(
        step.state == "interrupted" and changes_environment(step.id) for step in record.steps.values()
    ):
        state = msgspec.structs.replace(state, certain=False)  # killed while files came in: the list is older than they
    return decide(state, observe(state, gone or set()), force=force)


def observe(state: MadeState, gone: set[str]) -> Observed:
    """What stands where a change was made."""
    made = state.made
    path = Path(made.path)
    backup = made.backup is not None and Path(made.backup).exists()
    if made.kind == "stashed":
        return Observed(kind="folder", changed=replaced_since(made)[:_SHOWN], backup_present=backup)
    if not os.path.lexists(path):
        return Observed(kind="absent", backup_present=backup)
    if path.is_symlink() or not (path.is_file() or path.is_dir()):
        return Observed(kind="other", backup_present=backup)
    if path.is_file():
        return Observed(kind="file", sha256=sha256_of(path), backup_present=backup)
    if made.kind == "tree" and made.manifest is not None and state.certain:
        manifest = read_manifest(Path(made.manifest))
        if manifest is not None:
            found = compare(path, manifest)
            return Observed(
                kind="folder",
                added=found.added[:_SHOWN],
                changed=found.changed[:_SHOWN],
                packages=found.packages[:_SHOWN],
            )
    entries = [entry.name for entry in path.iterdir() if os.path.normcase(entry) not in gone]
    return Observed(kind="folder", entries=tuple(sorted(entries)[:_SHOWN]))


def _carry_out(state: MadeState, decision: Decision, emit: Callable[[SetupEvent], None]) -> None:
    made = state.made
    path = Path(made.path)
    if decision.action == "restore":
        if made.kind == "stashed":
            restore_stash(made)
        elif made.backup is not None:
            write_atomic(path, Path(made.backup).read_bytes())
    elif decision.action == "remove":
        if made.kind == "folder":
            path.rmdir()
        elif made.kind == "tree":

            def tell(count: int) -> None:
                emit(StepProgress(step=state.step, done=count, unit="files", item=made.path))

            remove_tree(path, tell)
        else:
            path.unlink(missing_ok=True)
    if made.kind in ("file", "replaced_file"):
        remove_leftovers(path)
