"""The end of an older environment: its folder goes, its other files pass into the newer setup's care."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from rocm_gui.core.journal import Made
from rocm_gui.services.env_tree import remove_tree
from rocm_gui.services.setup_store import Journal

if TYPE_CHECKING:
    from rocm_gui.core.journal import MadeState
    from rocm_gui.services.setup_context import StepContext
    from rocm_gui.services.setup_store import Setup


def take_over(ctx: StepContext, older: Setup) -> None:
    """Make the newer setup answerable for what ``older`` made, and remove the older environment.

    Can be cut at any point and done again. From the first line on, undo of the newer setup takes all of it back.
    """
    record = older.record()
    left = [state for state in record.made if not state.undone]
    _adopt(ctx, left)
    for state in left:
        path = Path(state.made.path)
        if state.made.kind == "tree" and path != ctx.environment:
            gone = Made(kind="removed_tree", path=state.made.path)
            ctx.journal.write("intent", ctx.step.id, made=gone)
            remove_tree(path, lambda count, path=path: ctx.progress(count, None, "files", str(path)))
            ctx.journal.write("changed", ctx.step.id, made=gone)
            ctx.journal.write("undone", ctx.step.id, made=state.made)
    journal = Journal(older.journal_path)
    try:
        journal.write("undo_begin", facts={"superseded_by": ctx.plan.setup_id})
        for state in left:
            journal.write("undone", state.step, made=state.made)
        journal.write("undo_done", facts={"superseded_by": ctx.plan.setup_id})
    finally:
        journal.close()


def _adopt(ctx: StepContext, left: list[MadeState]) -> None:
    mine = {(state.made.kind, state.made.path): state.made for state in ctx.journal.record.made if not state.undone}
    for state in left:
        made = state.made
        replaced = mine.get(("replaced_file", made.path))
        if replaced is not None:  # the former content belonged to the older environment: nothing to go back to
            plain = msgspec.structs.replace(replaced, kind="file", backup=None, backup_sha256=None)
            ctx.journal.write("changed", ctx.step.id, made=plain)
            ctx.journal.write("undone", ctx.step.id, made=replaced)
        elif (made.kind, made.path) not in mine:
            ctx.journal.write("changed", ctx.step.id, made=made)
