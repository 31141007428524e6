"""Edits of variables: the type kept, what cannot be read never taken for nothing, everything taken back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocm_gui.core.errors import AppError
from rocm_gui.core.variables import (
    Backup,
    Change,
    DiffLine,
    Edit,
    EnvState,
    ScopeState,
    Value,
    changes_of,
    diff_lines,
    meters,
    reg_file,
    restore_changes,
    stored_data,
    undo_changes,
    value_of,
)


def sz(text: str) -> Value:
    return Value(kind="REG_SZ", text=text)


def expand_sz(text: str) -> Value:
    return Value(kind="REG_EXPAND_SZ", text=text)


def state(user: dict[str, Value] | None = None, machine: dict[str, Value] | None = None, **more: object) -> EnvState:
    return EnvState(
        windows=bool(more.get("windows", True)),
        user=ScopeState(scope="user", values=user),
        machine=ScopeState(scope="machine", values=machine if machine is not None else {}),
        environ={"SYSTEMROOT": r"C:\Windows"},
    )


def change(before: EnvState, *edits: Edit) -> tuple[Change, ...]:
    return changes_of(before, edits, lambda _folder: None)


def edit(kind: str, name: str = "Path", text: str = "", **more: object) -> Edit:
    return Edit(kind=kind, scope="user", name=name, text=text, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "text", "kind"),
    [
        (None, "x", "REG_SZ"),
        (None, "%x%", "REG_EXPAND_SZ"),
        (sz("a"), "x", "REG_SZ"),
        (sz("a"), "%x%", "REG_EXPAND_SZ"),
        (expand_sz("a"), "x", "REG_EXPAND_SZ"),
    ],
)
def test_the_type_is_kept_and_a_percent_sign_needs_expanding(before: Value | None, text: str, kind: str) -> None:
    stands = state({} if before is None else {"A": before})
    (made,) = change(stands, edit("set", "A", text))
    assert made.before == before
    assert made.after == Value(kind=kind, text=text)


def test_names_have_no_case_and_keep_their_spelling() -> None:
    (made,) = change(state({"Path": sz(r"C:\a")}), edit("add", "PATH", r"C:\b"))
    assert (made.name, made.after) == ("Path", sz(r"C:\a;C:\b"))


def test_path_that_is_not_there_is_made_and_taken_back() -> None:
    stands = state({})
    (made,) = change(stands, edit("add", "PATH", r"C:\b"))
    assert (made.before, made.after) == (None, sz(r"C:\b"))
    back, conflicts = undo_changes(state({"PATH": sz(r"C:\b")}), [made])
    assert ([item.after for item in back], conflicts) == ([None], ())


def test_what_cannot_be_read_is_never_changed() -> None:
    with pytest.raises(AppError, match="env_unreadable"):
        change(state(None), edit("add", "PATH", r"C:\b"))
    binary = {"Path": Value(kind="REG_BINARY", data=b"\1")}
    with pytest.raises(AppError, match="env_not_text"):
        change(state(binary), edit("add", "PATH", r"C:\b"))
    assert change(state(binary), edit("set", "PATH", r"C:\b"))[0].before == binary["Path"]


def test_what_is_fulfilled_changes_nothing() -> None:
    stands = state({"Path": expand_sz(r"%SystemRoot%;C:\b\;"), "A": sz("1")})
    edits = [
        edit("add", "PATH", r"c:\B"),
        edit("add", "PATH", r"C:\windows"),
        edit("set", "A", "1"),
        edit("unset", "B"),
    ]
    assert change(stands, *edits) == ()


def test_edits_of_one_variable_become_one_change() -> None:
    made = change(
        state({"Path": sz(r"C:\a;C:\b")}),
        edit("add", "PATH", r"%X%\c"),
        edit("remove", "path", r"C:\A"),
        edit("move", "PATH", index=1, to=0),
    )
    assert [(item.name, item.after) for item in made] == [("Path", expand_sz(r"%X%\c;C:\b"))]


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (edit("set", "A=B", "1"), "env_name"),
        (edit("set", "A", "1\n2"), "env_line_break"),
        (edit("set", "A", "x" * 40_000), "env_too_long"),
        (edit("add", "PATH", "bin"), "env_entry"),
        (edit("remove_at", "PATH", index=7), "env_index"),
    ],
)
def test_bad_edits_are_refused(bad: Edit, code: str) -> None:
    with pytest.raises(AppError, match=code):
        change(state({"PATH": sz(r"C:\a")}), bad)


def test_a_list_is_shown_entry_by_entry() -> None:
    made = Change(scope="user", name="Path", before=sz(r"C:\a;C:\b"), after=expand_sz(r"C:\a;%C%"))
    assert diff_lines(made, windows=True) == (
        DiffLine(" ", r"C:\a"),
        DiffLine("-", r"C:\b"),
        DiffLine("+", "%C%"),
        DiffLine("-", "<REG_SZ>"),
        DiffLine("+", "<REG_EXPAND_SZ>"),
    )
    other = Change(scope="user", name="A", before=None, after=sz("1"))
    assert diff_lines(other, windows=True) == (DiffLine("+", "A=1"),)


def test_undo_leaves_alone_what_somebody_changed_since() -> None:
    made = [
        Change(scope="user", name="A", before=sz("1"), after=sz("2")),
        Change(scope="user", name="B", before=None, after=sz("x")),
    ]
    back, conflicts = undo_changes(state({"A": sz("3"), "B": sz("x")}), made)
    assert [(item.name, item.after) for item in back] == [("B", None)]
    assert [item.name for item in conflicts] == ["A"]
    forced, none = undo_changes(state({"A": sz("3")}), made, force=True)
    assert [(item.name, item.before, item.after) for item in forced] == [("A", sz("3"), sz("1"))]
    assert none == ()


VALUES = st.one_of(
    st.text(alphabet=st.characters(blacklist_characters="\r\n\0", blacklist_categories=("Cs",)), max_size=30).map(sz),
    st.text(alphabet='%;"\\aB 张', max_size=30).map(expand_sz),
    st.binary(max_size=8).map(lambda data: Value(kind="REG_BINARY", data=data)),
)
SCOPE = st.dictionaries(st.sampled_from(["PATH", "A", "b", "C_D"]), VALUES)
EDITS = st.lists(
    st.builds(
        Edit,
        kind=st.sampled_from(["set", "unset", "add", "remove", "clean"]),
        scope=st.sampled_from(["user", "machine"]),
        name=st.sampled_from(["Path", "A", "B", "E"]),
        text=st.sampled_from([r"C:\a", r"%X%\b", r"D:\张 三", r"E:\a;b"]),
        first=st.booleans(),
    ),
    max_size=6,
)


@given(SCOPE, SCOPE, EDITS)
def test_undo_restores_every_value_and_a_backup_does_too(
    user: dict[str, Value], machine: dict[str, Value], edits: list[Edit]
) -> None:
    stands = state(user, machine)
    try:
        made = change(stands, *edits)
    except AppError:  # a value that is no text has no entries
        return
    after = written(stands, made)
    back, conflicts = undo_changes(after, made)
    assert conflicts == ()
    restored = written(after, back)
    assert (restored.user.values, restored.machine.values) == (user, machine)
    backup = Backup(user=user, machine=machine)
    restored = written(after, restore_changes(after, backup, ("user", "machine")))
    assert (restored.user.values, restored.machine.values) == (user, machine)


def written(stands: EnvState, made: tuple[Change, ...]) -> EnvState:
    """The state once the changes are written."""
    scopes = {"user": dict(stands.user.values or {}), "machine": dict(stands.machine.values or {})}
    for item in made:
        scopes[item.scope].pop(item.name, None)
        if item.after is not None:
            scopes[item.scope][item.name] = item.after
    return state(scopes["user"], scopes["machine"])


@pytest.mark.parametrize(
    ("data", "kind"),
    [("a", 1), ("%a%", 2), (b"\1\2", 3), (7, 4), (7, 11), (["a", "b c"], 7), (b"\xff", 99)],
)
def test_values_of_the_registry_come_back(data: object, kind: int) -> None:
    assert stored_data(value_of(data, kind)) == (data, kind)


def test_a_reg_file_holds_types_and_characters() -> None:
    data = reg_file(
        {"user": {"A": sz('C:\\"x"'), "P": expand_sz("%张%"), "B": Value(kind="REG_BINARY", data=b"\1\xff")}}
    )
    assert data[:2] == b"\xff\xfe"
    lines = data[2:].decode("utf-16-le").split("\r\n")
    assert lines[:3] == ["Windows Registry Editor Version 5.00", "", "[HKEY_CURRENT_USER\\Environment]"]
    assert lines[3:6] == ['"A"="C:\\\\\\"x\\""', '"B"=hex(3):01,ff', '"P"=hex(2):25,00,20,5f,25,00,00,00']


def test_meters_count_what_each_limit_is_about() -> None:
    long = ";".join(f"C:\\{number:04}" for number in range(300))
    stands = state({"Path": sz(long)}, {"Path": sz("C:\\m")})
    found = {meter.id: (meter.length, meter.over) for meter in meters(stands, "user")}
    assert found["setx"] == (len(long), True)
    assert found["cmd"] == (len(long) + 5, False)
    assert meters(state({}, windows=False), "user") == ()


def test_on_linux_the_systems_own_list_stays_in_it() -> None:
    stands = state({}, windows=False)
    (made,) = change(stands, edit("add", "PATH", "/opt/rocm/bin"))
    assert made.after == Value(kind="posix", text="$PATH:/opt/rocm/bin")
    after = state({"PATH": Value(kind="posix", text="$PATH:/opt/rocm/bin")}, windows=False)
    (gone,) = change(after, edit("remove", "PATH", "/opt/rocm/bin/"))
    assert gone.after == Value(kind="posix", text="") or gone.after is None
