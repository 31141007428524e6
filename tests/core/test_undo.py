"""What undo may touch: a table of every kind of change against what may stand there now."""

from __future__ import annotations

import pytest

from rocm_gui.core.journal import Made, MadeState, SetupRecord
from rocm_gui.core.undo import Observed, decide, undo_order

ABSENT = Observed(kind="absent")
FOLDER = Made(kind="folder", path="/t")
TREE = Made(kind="tree", path="/t/env", manifest="/s/m")
FILE = Made(kind="file", path="/t/start.sh", sha256="new", former_sha256="older")
REPLACED = Made(kind="replaced_file", path="/t/start.sh", sha256="new", backup="/s/b", backup_sha256="old")
STASH = Made(kind="stashed", path="/site", backup="/b", manifest="/s/stash")


def file(sha: str, *, backup: bool = True) -> Observed:
    return Observed(kind="file", sha256=sha, backup_present=backup)


@pytest.mark.parametrize(
    ("made", "now", "plain", "forced"),
    [
        (FOLDER, ABSENT, "nothing:gone", "nothing:gone"),
        (FOLDER, Observed(kind="folder"), "remove:None", "remove:None"),
        (FOLDER, Observed(kind="folder", entries=("mine",)), "keep:not_empty", "keep:not_empty"),
        (FOLDER, file("x"), "keep:replaced", "keep:replaced"),
        (TREE, ABSENT, "nothing:gone", "nothing:gone"),
        (TREE, Observed(kind="folder"), "remove:None", "remove:None"),
        (TREE, Observed(kind="folder", added=("a",), packages=("pandas 2",)), "keep:added", "remove:None"),
        (TREE, Observed(kind="folder", changed=("a",)), "keep:changed", "remove:None"),
        (TREE, Observed(kind="other"), "keep:replaced", "keep:replaced"),
        (FILE, file("new"), "remove:None", "remove:None"),
        (FILE, file("older"), "remove:None", "remove:None"),
        (FILE, file("theirs"), "keep:changed", "remove:None"),
        (FILE, Observed(kind="folder"), "keep:replaced", "keep:replaced"),
        (REPLACED, file("new"), "restore:None", "restore:None"),
        (REPLACED, file("old"), "nothing:gone", "nothing:gone"),
        (REPLACED, file("theirs"), "keep:changed", "restore:None"),
        (REPLACED, file("new", backup=False), "keep:backup_missing", "keep:backup_missing"),
        (REPLACED, Observed(kind="absent", backup_present=True), "restore:None", "restore:None"),
        (STASH, Observed(kind="folder"), "restore:None", "restore:None"),
        (STASH, Observed(kind="folder", changed=("torch-2",)), "keep:changed", "restore:None"),
    ],
)
def test_decisions(made: Made, now: Observed, plain: str, forced: str) -> None:
    state = MadeState(made=made, step="x", certain=True)
    for force, expected in ((False, plain), (True, forced)):
        decision = decide(state, now, force=force)
        assert f"{decision.action}:{decision.reason}" == expected
        assert decision.conflict == (decision.action == "keep" and decision.reason != "not_empty")


def test_what_was_announced_and_never_confirmed_is_ours() -> None:
    state = MadeState(made=TREE, step="environment", certain=False)
    assert decide(state, Observed(kind="folder", added=("half",), changed=("x",))).action == "remove"


def test_order_is_last_first_and_folders_at_the_end_deepest_first() -> None:
    made = [
        Made(kind="folder", path="/a"),
        Made(kind="folder", path="/a/t"),
        Made(kind="file", path="/a/t/.rocm_gui.json", sha256="x"),
        Made(kind="tree", path="/a/t/env"),
        Made(kind="removed_tree", path="/a/t/old"),
        Made(kind="file", path="/a/t/gone", sha256="x"),
    ]
    states = tuple(MadeState(made=item, step="s", certain=True, undone=item.path.endswith("gone")) for item in made)
    record = SetupRecord(phase="done", steps={}, made=states)
    assert [state.made.path for state in undo_order(record)] == ["/a/t/env", "/a/t/.rocm_gui.json", "/a/t", "/a"]
