r"""Pasted setx lines: the tutorial's own, cut lists, frozen references, and words as Windows takes them apart."""

from __future__ import annotations

import pytest

from rocm_gui.core.setx import explain, words_of
from rocm_gui.core.variables import Edit, EnvState, ScopeState, Value

USER = ";".join([r"%USERPROFILE%\bin", r"%APPDATA%\npm", *(rf"D:\tools\number {n:03}" for n in range(60))])
MACHINE = r"%SystemRoot%\system32;%SystemRoot%;C:\Program Files\Git\cmd"


def state(user: str | None = USER, machine: str = MACHINE, **more: str) -> EnvState:
    values = {} if user is None else {"Path": Value(kind="REG_EXPAND_SZ", text=user)}
    values |= {name: Value(kind="REG_SZ", text=text) for name, text in more.items()}
    return EnvState(
        windows=True,
        user=ScopeState(scope="user", values=values),
        machine=ScopeState(scope="machine", values={"Path": Value(kind="REG_EXPAND_SZ", text=machine)}),
        environ={
            "SYSTEMROOT": r"C:\Windows",
            "USERPROFILE": r"C:\Users\张三",
            "APPDATA": r"C:\Users\张三\AppData\Roaming",
        },
    )


def codes(line: str, stands: EnvState | None = None, shell: str = "cmd") -> dict[str, dict[str, str | int]]:
    (judged,) = explain(line, stands or state(), shell)  # type: ignore[arg-type]
    return {finding.code: finding.facts for finding in judged.findings}


def test_the_tutorials_three_lines() -> None:
    text = r"""
setx ROCM_PATH "C:\Program Files\AMD\ROCm"
setx PATH "%PATH%;%ROCM_PATH%\bin;%ROCM_PATH%\lib"
setx HSA_OVERRIDE_GFX_VERSION "11.0.0"  # 适用于Radeon RX 7900XTX
"""
    rocm, path, override = explain(text, state())
    assert [finding.code for finding in rocm.findings] == ["not_needed"]
    assert rocm.stored == r"C:\Program Files\AMD\ROCm"
    found = {finding.code: finding.facts for finding in path.findings}
    wanted = len(state().effective_path()) + len(r";%ROCM_PATH%\bin;%ROCM_PATH%\lib")
    assert found["cut"]["length"] == wanted
    assert found["cut"]["limit"] == 1024
    assert found["copies_machine"] == {"count": 3, "scope": "machine"}
    assert found["freezes"] == {"count": 4}
    assert found["unset_here"] == {"name": "ROCM_PATH"}
    assert path.stored is not None
    assert len(path.stored) == 1024
    assert path.edits == (
        Edit(kind="add", scope="user", name="PATH", text=r"C:\Program Files\AMD\ROCm\bin"),
        Edit(kind="add", scope="user", name="PATH", text=r"C:\Program Files\AMD\ROCm\lib"),
    )
    assert {finding.code for finding in override.findings} == {"comment", "no_effect_windows"}
    assert override.stored is None
    assert override.edits == ()


def test_a_left_over_override_is_offered_for_removal() -> None:
    (line,) = explain("setx HSA_OVERRIDE_GFX_VERSION 11.0.0", state(HSA_OVERRIDE_GFX_VERSION="10.3.0"))
    assert line.edits == (Edit(kind="unset", scope="user", name="HSA_OVERRIDE_GFX_VERSION"),)


def test_a_short_list_is_not_cut() -> None:
    found = codes(r'setx PATH "%PATH%;C:\x"', state(r"C:\a", r"C:\b"))
    assert found == {"copies_machine": {"count": 1, "scope": "machine"}}


def test_the_machines_scope_copies_the_accounts_entries() -> None:
    (line,) = explain(r'setx /M PATH "%PATH%;C:\x"', state(r"C:\a", r"C:\b"))
    assert line.scope == "machine"
    assert line.findings[0].facts == {"count": 1, "scope": "user"}
    assert line.edits == (Edit(kind="add", scope="machine", name="PATH", text=r"C:\x"),)


def test_in_front_stays_in_front_and_in_order() -> None:
    (line,) = explain(r'setx PATH "C:\x;C:\y;%PATH%"', state())
    assert [(edit.text, edit.first) for edit in line.edits] == [(r"C:\y", True), (r"C:\x", True)]


def test_powershell_has_other_signs() -> None:
    assert set(codes('setx PATH "%PATH%;C:\\x"', shell="powershell")) == {"powershell_percent"}
    found = codes('setx PATH "$env:PATH;C:\\x"', shell="powershell")
    assert set(found) == {"cut", "copies_machine", "freezes"}
    (line,) = explain("PS C:\\> setx A 1 # why", state(), "powershell")
    assert (line.name, line.stored, line.findings) == ("A", "1", ())


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("setx", None), ("setx A", "usage"), (r"setx ROCM_PATH C:\Program Files\AMD", "too_many"),
        ("setx /S other A 1", "remote"), (r"setx A /K HKCU\x", "from_registry"), ("setx A /F x.txt", "from_file"),
    ],
)  # fmt: skip
def test_what_setx_refuses_or_takes_from_elsewhere(line: str, code: str | None) -> None:
    found = explain(line, state())
    if code is None:
        assert found == ()
    else:
        assert found[0].findings[0].code == code
        assert found[0].stored is None


def test_other_lines_are_passed_over_and_prompts_too() -> None:
    text = "echo setx\n> setx A 1\nC:\\Users\\x>setx.exe B 2\n# setx C 3\nset D=4"
    assert [(line.name, line.stored) for line in explain(text, state())] == [("A", "1"), ("B", "2"), ("C", "3")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('a "b c" d', ["a", "b c", "d"]),
        ('a "" b', ["a", "", "b"]),
        (r'"C:\a\" b', [r'C:\a" b']),
        (r'"C:\a\\" b', ["C:\\a\\", "b"]),
        (r'C:\a\b "x\\y"', [r"C:\a\b", r"x\\y"]),
        (r"a\"b", ['a"b']),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert words_of(text) == words
