"""Which change may be taken back and how, decided from the journal and from what stands there now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from rocm_gui.core.journal import MadeState, SetupRecord

Action = Literal["remove", "restore", "nothing", "keep"]
Reason = Literal["changed", "added", "not_empty", "replaced", "backup_missing", "gone"]


class Observed(msgspec.Struct, frozen=True, kw_only=True):
    """What stands at a path now."""

    kind: Literal["absent", "file", "folder", "other"]
    sha256: str | None = None  # of a file
    entries: tuple[str, ...] = ()  # of a folder
    added: tuple[str, ...] = ()  # of a tree: files that its manifest does not list
    changed: tuple[str, ...] = ()  # of a tree: files that differ from its manifest
    packages: tuple[str, ...] = ()  # of a tree: packages among what was added
    backup_present: bool = False


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What undo does with one change."""

    path: str
    action: Action
    reason: Reason | None = None
    details: tuple[str, ...] = ()

    @property
    def conflict(self) -> bool:
        """Whether a thing of ours stays because somebody changed it."""
        return self.action == "keep" and self.reason not in ("not_empty", None)


def undo_order(record: SetupRecord) -> tuple[MadeState, ...]:
    """The changes still to be taken back, last first; folders after everything else, the deepest first."""
    open_ones = [state for state in record.made if not state.undone and state.made.kind != "removed_tree"]
    things = [state for state in reversed(open_ones) if state.made.kind != "folder"]
    folders = [state for state in open_ones if state.made.kind == "folder"]
    return (*things, *sorted(folders, key=lambda state: len(state.made.path), reverse=True))


def decide(state: MadeState, now: Observed, *, force: bool = False) -> Decision:
    """What to do about one change, given what is there ``now``.

    A change that was announced and never confirmed (a kill in between) may be half there: what stands is ours.
    ``force`` takes back also what was changed since; foreign files in our folders stay in any case.
    """
    made = state.made
    path = made.path
    if made.kind == "folder":
        return _folder(path, now)
    if made.kind == "stashed":
        if state.certain and now.changed and not force:
            return Decision(path=path, action="keep", reason="changed", details=now.changed)
        return Decision(path=path, action="restore")
    if now.kind == "absent":
        if made.kind == "replaced_file" and now.backup_present:
            return Decision(path=path, action="restore")
        return Decision(path=path, action="nothing", reason="gone")
    if made.kind == "tree":
        return _tree(path, now, certain=state.certain, force=force)
    return _file(state, now, force=force)


def _folder(path: str, now: Observed) -> Decision:
    if now.kind == "absent":
        return Decision(path=path, action="nothing", reason="gone")
    if now.kind != "folder":
        return Decision(path=path, action="keep", reason="replaced")
    if now.entries:
        return Decision(path=path, action="keep", reason="not_empty", details=now.entries)
    return Decision(path=path, action="remove")


def _tree(path: str, now: Observed, *, certain: bool, force: bool) -> Decision:
    if now.kind != "folder":
        return Decision(path=path, action="keep", reason="replaced")
    if certain and not force:
        if now.packages or now.added:
            return Decision(path=path, action="keep", reason="added", details=now.packages or now.added)
        if now.changed:
            return Decision(path=path, action="keep", reason="changed", details=now.changed)
    return Decision(path=path, action="remove")


def _file(state: MadeState, now: Observed, *, force: bool) -> Decision:
    made = state.made
    if now.kind != "file":
        return Decision(path=made.path, action="keep", reason="replaced")
    if made.kind == "file":
        ours = now.sha256 in (made.sha256, made.former_sha256)
        return Decision(
            path=made.path, action="remove" if ours or force else "keep", reason=None if ours or force else "changed"
        )
    if now.sha256 == made.backup_sha256:
        return Decision(path=made.path, action="nothing", reason="gone")  # the former content stands already
    if now.sha256 not in (made.sha256, made.former_sha256) and not force:
        return Decision(path=made.path, action="keep", reason="changed")
    if not now.backup_present:
        return Decision(path=made.path, action="keep", reason="backup_missing")
    return Decision(path=made.path, action="restore")
