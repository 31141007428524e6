"""The journal: readable after a cut at any byte, folded into what is done, made and left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocm_gui.core.journal import Entry, JournalDamagedError, Made, decode_journal, encode_entry, fold

FOLDER = Made(kind="folder", path="/t")
TREE = Made(kind="tree", path="/t/env", manifest="/s/manifest.tsv")


def entries(*rows: tuple) -> tuple[Entry, ...]:
    return tuple(
        Entry(
            seq=number,
            time="2026-12-01T00:00:00+00:00",
            event=row[0],
            step=row[1] if len(row) > 1 else "",
            made=row[2] if len(row) > 2 else None,
            facts=row[3] if len(row) > 3 else {},
        )
        for number, row in enumerate(rows, start=1)
    )


WHOLE = entries(
    ("opened",),
    ("begin", "preflight"),
    ("done", "preflight", None, {"python": "3.12.7"}),
    ("begin", "environment"),
    ("intent", "environment", FOLDER),
    ("changed", "environment", FOLDER),
    ("intent", "environment", TREE),
    ("changed", "environment", TREE),
    ("done", "environment"),
)
DATA = b"".join(encode_entry(entry) for entry in WHOLE)


@given(st.integers(min_value=0, max_value=len(DATA)))
def test_a_cut_at_any_byte_loses_at_most_the_last_line(cut: int) -> None:
    found, sound = decode_journal(DATA[:cut])
    assert found == WHOLE[: len(found)]
    assert DATA[:sound] == b"".join(encode_entry(entry) for entry in found)
    assert cut - sound < max(len(encode_entry(entry)) for entry in WHOLE)
    fold(found, torn=sound < cut)


def test_damage_in_the_middle_is_not_taken_for_a_cut() -> None:
    lines = DATA.split(b"\n")
    for number in range(1, len(lines) - 1):
        broken = b"\n".join([*lines[: number - 1], b"{garbage", *lines[number:]])
        with pytest.raises(JournalDamagedError) as caught:
            decode_journal(broken)
        assert caught.value.line == number
    with pytest.raises(JournalDamagedError):
        decode_journal(b"\n".join(lines[1:]))  # a line is missing


def test_fold_of_a_whole_run() -> None:
    record = fold(WHOLE)
    assert record.phase == "applying"
    assert record.current is None
    assert record.done("preflight")
    assert record.steps["preflight"].facts == {"python": "3.12.7"}
    assert [(state.made.path, state.certain, state.undone) for state in record.made] == [
        ("/t", True, False),
        ("/t/env", True, False),
    ]


def test_interrupted_step_and_uncertain_change() -> None:
    record = fold(WHOLE[:7])
    assert record.current == "environment"
    assert record.interrupted
    assert record.steps["environment"].state == "interrupted"
    assert record.made[1].certain is False


def test_ends_of_a_run() -> None:
    failed = fold((*WHOLE, *entries(*[("x",)] * 0)))
    assert failed.phase == "applying"
    tail = [("begin", "pip"), ("failed", "pip", None, {"code": "x"})]
    assert fold(entries(("opened",), *tail)).phase == "failed"
    assert fold(entries(("opened",), ("begin", "pip"), ("cancelled", "pip"))).phase == "cancelled"
    assert fold(entries(("opened",), ("begin", "finish"), ("done", "finish"))).phase == "done"
    warned = fold(entries(("begin", "verify"), ("done", "verify", None, {"warning": True})))
    assert warned.steps["verify"].state == "warning"
    assert warned.done("verify")


def test_undo_and_a_thing_made_anew() -> None:
    base = [("opened",), ("begin", "environment"), ("changed", "environment", FOLDER), ("done", "environment")]
    undone = fold(entries(*base, ("undo_begin",), ("undone", "environment", FOLDER), ("undo_done",)))
    assert undone.phase == "undone"
    assert undone.steps["environment"].state == "undone"
    assert undone.made[0].undone
    again = fold(
        entries(*base, ("undone", "environment", FOLDER), ("begin", "install"), ("changed", "install", FOLDER))
    )
    assert [(state.step, state.undone) for state in again.made] == [("install", False)]
    conflict = fold(entries(*base, ("undo_begin",), ("conflict", "environment", FOLDER)))
    assert conflict.phase == "undoing"
    assert conflict.conflicts == ("/t",)
