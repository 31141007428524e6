r"""PATH taken apart and put together: nothing lost, nothing respelled, whole entries compared."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rocm_gui.core import path_list

ENVIRON = {"SYSTEMROOT": r"C:\Windows", "HOME": "/home/a"}
PIECES = st.one_of(
    st.text(alphabet='abcABC;"\\/:%. 张三', max_size=12),
    st.sampled_from([r"C:\Windows", r"c:\windows\\", r"%SystemRoot%\System32", '"C:\\a;b"', "", " ", "C:\\", '"']),
)
WINDOWS_TEXTS = st.lists(PIECES, max_size=12).map(";".join)
POSIX_TEXTS = st.lists(st.text(alphabet="ab/. :$", max_size=8), max_size=10).map(":".join)
FOLDERS = st.text(alphabet="abcXYZ ;张三()", min_size=1, max_size=12).filter(str.strip).map("D:\\{}".format)


def opposite(text: str, *, windows: bool) -> tuple[str, ...]:
    return path_list.split(text, windows=windows)


@given(WINDOWS_TEXTS)
def test_windows_lists_come_back_byte_for_byte(text: str) -> None:
    assert path_list.join(path_list.split(text, windows=True), windows=True) == text


@given(POSIX_TEXTS)
def test_posix_lists_come_back_byte_for_byte(text: str) -> None:
    assert path_list.join(path_list.split(text, windows=False), windows=False) == text


@given(WINDOWS_TEXTS, FOLDERS, st.booleans())
def test_adding_is_idempotent_keeps_all_others_and_is_taken_back_byte_for_byte(
    text: str, folder: str, first: bool
) -> None:
    assume(not (text.count('"') % 2 and ";" in folder))  # refused: a quote without its partner is there
    added = path_list.add(text, folder, ENVIRON, windows=True, first=first)
    assert path_list.add(added, folder, ENVIRON, windows=True, first=first) == added
    there = path_list.find(text, folder, ENVIRON, windows=True)
    before, after = (list(opposite(value, windows=True)) for value in (text, added))
    if there:
        assert sorted(before) == sorted(after)
    elif not text.count('"') % 2:  # a quote without its partner swallows what comes behind it
        place = path_list.find(added, folder, ENVIRON, windows=True)
        assert len(place) == 1
        del after[place[0]]
        assert after == before
        assert path_list.remove(added, folder, ENVIRON, windows=True) == text


@given(WINDOWS_TEXTS, FOLDERS)
def test_removing_takes_whole_entries_only(text: str, folder: str) -> None:
    left = path_list.remove(text, folder, ENVIRON, windows=True)
    wanted = path_list.key(folder, ENVIRON, windows=True)
    kept = [e for e in opposite(text, windows=True) if path_list.key(e, ENVIRON, windows=True) != wanted]
    assert left == ";".join(kept)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (r"C:\a\bin", r"c:\A\BIN" + "\\", True),
        (r"C:\a\bin", r"C:\a\bin2", False),
        (r"C:\a", "C:/a/", True),
        ("C:\\", "C:", False),
        ("C:\\", "c:/", True),
        (r'"C:\a;b"', r"C:\a;b", True),
        (r"%SystemRoot%\System32", r"c:\windows\system32", True),
        (r"%Nothing%\x", r"%nothing%\X", True),
        (" C:\\a ", "C:\\a", True),
        ("\\\\server\\share\\", "\\\\SERVER\\share", True),
    ],
)
def test_same_folder(one: str, other: str, same: bool) -> None:
    keys = [path_list.key(entry, ENVIRON, windows=True) for entry in (one, other)]
    assert (keys[0] == keys[1]) is same


def test_an_entry_with_a_separator_is_quoted_and_stays_one() -> None:
    text = path_list.add(r"C:\x;", r"D:\a;b", ENVIRON, windows=True)
    assert text == r'C:\x;"D:\a;b";'
    assert path_list.split(text, windows=True) == (r"C:\x", r'"D:\a;b"', "")
    assert path_list.remove(text, r"d:\A;B", ENVIRON, windows=True) == r"C:\x;"


def test_first_moves_what_is_there_in_its_own_spelling() -> None:
    assert path_list.add(r"C:\x;%SystemRoot%", r"c:\windows", ENVIRON, windows=True, first=True) == r"%SystemRoot%;C:\x"


def test_rows_tell_what_is_wrong() -> None:
    text = r"%SystemRoot%;C:\windows\;bin;%Gone%\bin;" + r'"C:\a;b";;C:\x;"C:\open'
    (rows,) = path_list.rows([text], ENVIRON, windows=True, exists=lambda folder: folder == r"C:\Windows")
    found = {row.raw: row for row in rows}
    assert found[r"%SystemRoot%"].expanded == r"C:\Windows"
    assert found[r"%SystemRoot%"].exists is True
    assert found["C:\\windows\\"].duplicate_of == 0
    assert {raw: row.problem for raw, row in found.items() if row.problem} == {
        "bin": "relative",
        r"%Gone%\bin": "unknown_variable",
        "": "empty",
        '"C:\\open': "unclosed_quote",
    }
    assert found[r'"C:\a;b"'].quoted
    assert found[r'"C:\a;b"'].expanded == r"C:\a;b"


def test_rows_count_repetitions_over_both_lists() -> None:
    machine, user = path_list.rows([r"C:\a;C:\b", r"c:\B\;C:\c"], {}, windows=True, exists=lambda _: None)
    assert [row.duplicate_of for row in (*machine, *user)] == [None, None, 1, None]
    assert {row.exists for row in user} == {None}


def test_cleaning_keeps_the_first_and_drops_what_is_gone() -> None:
    text = r"C:\a;;C:\gone;c:\A\;%SystemRoot%"
    assert path_list.cleaned(text, lambda folder: "gone" not in folder, ENVIRON, windows=True) == r"C:\a;%SystemRoot%"


@pytest.mark.parametrize(
    ("name", "problem"),
    [("A=B", "equals"), ("", "empty"), ("A B", "blank"), ("A\n", "control"), ("A" * 256, "long"),
     ("ProgramFiles(x86)", None), ("ROCM_PATH", None)],
)  # fmt: skip
def test_names(name: str, problem: str | None) -> None:
    assert path_list.name_problem(name, windows=True) == problem


@pytest.mark.parametrize(
    ("entry", "windows", "problem"),
    [
        ("bin", True, "relative"), (r"C:\a", True, None), (r"%X%\a", True, None), (r"\\s\x", True, None),
        ('C:\\a"b', True, "quote"), ("  ", True, "empty"), ("C:\\a\n", True, None), ("C:\\a\nb", True, "control"),
        ("/opt/rocm/bin", False, None), ("opt", False, "relative"), ("/a:b", False, "colon"),
        ("$HOME/bin", False, None),
    ],
)  # fmt: skip
def test_entries(entry: str, windows: bool, problem: str | None) -> None:
    assert path_list.entry_problem(entry, windows=windows) == problem
