"""Fixes: which one is offered where, with what command, and that the data agree with the checks."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import msgspec
import pytest

from rocm_gui.core.checks import CheckResult
from rocm_gui.core.jobs import JobState
from rocm_gui.core.model import Host, Machine, Tool
from rocm_gui.services.fixes import Fix, FixBook, exit_meaning, fix_for, fix_job, is_noise, load_fixes, shown_lines
from rocm_gui.services.tutorial import load_tutorial
from rocm_gui.system.datafiles import read_toml

DATA = Path(__file__).parents[2] / "resources" / "data"
BOOK = load_fixes(read_toml(DATA / "fixes.toml"))
CHECKS = read_toml(DATA / "checks.toml")
WINGET = "C:\\Users\\amy\\AppData\\Local\\Microsoft\\WindowsApps\\winget.exe"


def windows(*, winget: bool = True) -> Machine:
    tools = (Tool(id="winget", path=WINGET if winget else None),)
    return Machine(host=Host(os="windows", os_build=26200), tools=tools)


def linux(distribution: str, *, uv: bool = False) -> Machine:
    tools = (Tool(id="uv", path="/home/amy/.local/bin/uv" if uv else None),)
    return Machine(host=Host(os="linux", distribution=distribution), tools=tools)


def result(check: str, remedy: str | None, status: str = "fail", **facts: object) -> CheckResult:
    return CheckResult(id=check, status=status, text="missing", remedy=remedy, facts=facts)  # type: ignore[arg-type]


def offered(check: str, remedy: str, machine: Machine, **facts: object) -> Fix:
    fix = fix_for(BOOK, result(check, remedy, **facts), machine)
    assert fix is not None
    return fix


def test_winget_installs_the_python_that_the_route_wants_without_administrator_rights() -> None:
    fix = offered("python_version", "install_windows", windows(), prefer="3.12")
    assert fix.kind == "run"
    assert fix.argv[:5] == ("winget", "install", "--exact", "--id", "Python.Python.3.12")
    assert fix.argv[fix.argv.index("--scope") + 1] == "user"
    assert (fix.rights, fix.program) == ("none", WINGET)


def test_without_winget_the_download_page_is_opened() -> None:
    fix = offered("git", "install_windows", windows(winget=False))
    assert (fix.kind, fix.url) == ("open", "https://git-scm.com/downloads/win")


def test_the_shown_command_can_be_pasted_into_a_windows_console() -> None:
    (line,) = shown_lines(offered("msvc_headers", "install", windows()))
    assert line.startswith("winget install --exact --id Microsoft.VisualStudio.2022.BuildTools ")
    assert line.endswith(
        '--override "--passive --wait --norestart --add Microsoft.VisualStudio.Workload.VCTools --includeRecommended"'
    )


@pytest.mark.parametrize(
    ("distribution", "kind", "lines"),
    [
        ("ubuntu", "copy", ("sudo apt install git",)),
        ("fedora", "copy", ("sudo dnf install git",)),
        ("arch", "open", ()),
    ],
)
def test_linux_commands_are_those_of_the_distribution(distribution: str, kind: str, lines: tuple[str, ...]) -> None:
    fix = offered("git", "install_linux", linux(distribution))
    assert (fix.kind, shown_lines(fix)) == (kind, lines)


def test_uv_goes_before_a_line_that_needs_sudo() -> None:
    assert offered("python_version", "install_linux", linux("ubuntu", uv=True), prefer="3.12").argv == (
        "uv", "python", "install", "3.12",
    )  # fmt: skip
    fix = offered("python_version", "install_linux", linux("ubuntu"), prefer="3.12")
    assert fix.lines == ("sudo apt install python3.12 python3.12-venv",)
    assert fix.text["en"].endswith("uv python install 3.12")


def test_a_fact_that_is_missing_or_odd_never_becomes_part_of_a_command() -> None:
    assert offered("python_version", "install_windows", windows()).kind == "open"
    assert offered("python_version", "install_windows", windows(), prefer="3.12 & calc").kind == "open"


def test_what_is_ready_or_has_no_remedy_has_no_fix() -> None:
    assert fix_for(BOOK, result("git", "install_windows", "ok"), windows()) is None
    assert fix_for(BOOK, result("git", None), windows()) is None
    assert fix_for(BOOK, result("git", "install_windows"), Machine()) is None
    assert fix_for(BOOK, result("git", "install_windows"), linux("ubuntu")) is None


def test_exit_codes_of_winget_in_words() -> None:
    fix = offered("git", "install_windows", windows())
    there = exit_meaning(BOOK, fix, 0x8A15002B)
    assert there is not None
    assert (there.verdict, there.text["en"]) == ("done", "It was there already, and there is nothing newer.")
    restart = exit_meaning(BOOK, fix, -1978334967)
    assert restart is not None
    assert restart.verdict == "restart"
    assert exit_meaning(BOOK, fix, 77) is None
    assert exit_meaning(BOOK, fix, None) is None


@pytest.mark.parametrize(
    ("line", "noise"),
    [
        ("   - ", True),
        ("   \\ ", True),
        ("  ██████████▒▒▒▒▒▒▒▒▒▒  12.0 MB / 25.4 MB", True),
        ("", True),
        ("Found Git [Git.Git] Version 2.51.0", False),
        ("Successfully installed", False),
    ],
)
def test_spinners_and_bars_are_noise(line: str, noise: bool) -> None:
    assert is_noise(line) is noise


def test_every_row_names_checks_and_remedies_that_exist() -> None:
    for fix in BOOK.fixes:
        known = {remedy for check in fix.checks for remedy in CHECKS[check]["remedies"]}
        assert set(fix.remedies) <= known, fix
        for check in fix.checks:
            assert set(fix.remedies) & set(CHECKS[check]["remedies"]), (check, fix.remedies)


def test_every_row_is_whole() -> None:
    for fix in BOOK.fixes:
        has = {"run": bool(fix.argv), "open": fix.url is not None, "copy": bool(fix.lines), "page": bool(fix.page)}
        assert [kind for kind, there in has.items() if there] == [fix.kind], fix
        assert set(fix.text) == {"en", "zh_CN"}
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", fix.checked)
        assert fix.source
        sudo = any(line.startswith("sudo ") for line in fix.lines)
        assert not sudo or fix.rights == "needs"
        if fix.url is not None:
            assert fix.url.startswith(("https://", "ms-settings:", "windowsdefender:"))
            assert fix.url.startswith("https://") or fix.systems == ("windows",)


def test_every_command_of_winget_is_exact_and_asks_nothing() -> None:
    rows = [fix.argv for fix in BOOK.fixes if fix.argv[:1] == ("winget",)]
    assert len(rows) == 5
    for argv in rows:
        assert {"--exact", "--accept-source-agreements", "--accept-package-agreements", "--disable-interactivity"} <= {
            *argv
        }
        assert argv[argv.index("--source") + 1] == "winget"


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="shel"):
        load_fixes({"fix": [{"shel": "bash"}]})


def test_a_fix_runs_as_a_job(tmp_path: Path) -> None:
    fix = msgspec.structs.replace(
        offered("git", "install_windows", windows()), argv=(sys.executable, "-c", "print('hello')"), program=None
    )
    job = fix_job(fix, tmp_path)
    job.start()
    assert job.wait(60).state is JobState.DONE
    assert job.view.log_tail == ("hello",)
    assert list(tmp_path.glob("*.jsonl"))


def test_an_empty_book_offers_nothing() -> None:
    assert fix_for(FixBook(), result("git", "install_windows"), windows()) is None


def test_every_step_of_the_tutorial_is_judged_in_both_languages() -> None:
    steps = load_tutorial(read_toml(DATA / "tutorial.toml"))
    assert len({step.id for step in steps}) == len(steps)
    for step in steps:
        for text in (step.section, step.why, step.instead):
            assert set(text) == {"en", "zh_CN"}, step.id
            assert all(text.values()), step.id
        assert step.lines
        assert step.source
        assert step.checked
    by_id = {step.id: step for step in steps}
    assert by_id["setx-path"].verdict("windows") == "wrong"
    assert by_id["rocm-smi"].verdict("windows") == "absent"
    assert by_id["rocm-smi"].verdict("wsl") == "dated"
    assert by_id["rocminfo"].verdict(None) == "absent"
