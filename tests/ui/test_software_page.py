"""Software: Pythons and the one that is taken, checks, and fixes that are shown before they run."""

from __future__ import annotations

import sys

import msgspec
import pytest
from clipping import clipped
from PySide6.QtGui import QDesktopServices, QGuiApplication

from rocm_gui.core.model import Machine, PythonInstall, Tool
from rocm_gui.services.fixes import Fix
from rocm_gui.system.machine_file import read_machine, simulated_machine, write_machine
from rocm_gui.system.paths import default_paths
from rocm_gui.ui.wizard import fix_dialog
from rocm_gui.ui.wizard.fix_dialog import FixDialog

pytestmark = pytest.mark.qt


@pytest.fixture
def open_page(make_gui, qtbot, settle, tmp_path):
    def opened(name="rx7900xtx", *, machine: Machine | None = None, simulated: bool = True, **look):
        file = None
        if machine is not None:
            file = tmp_path / "machine.json"
            write_machine(file, machine)
        gui = make_gui(name, machine=file, **look)
        if not simulated:
            gui.context.simulated = None
        gui.window.resize(1366, 768)
        gui.window.show()
        wizard = gui.window.page("setup").wizard
        qtbot.waitUntil(lambda: wizard.model.activity == "idle" and wizard.model.diagnosis is not None, timeout=20_000)
        wizard.turn_to("software")
        settle()
        return wizard.page("software")

    return opened


def windows_machine(**changes) -> Machine:
    return msgspec.structs.replace(read_machine(simulated_machine(default_paths().resources, "rx7900xtx")), **changes)


def with_winget(*, path: str | None = "C:\\winget.exe", **changes) -> Machine:
    machine = windows_machine(**changes)
    tools = tuple(tool for tool in machine.tools or () if tool.id != "winget")
    return msgspec.structs.replace(machine, tools=(*tools, Tool(id="winget", path=path)))


def dialog_of(page) -> FixDialog:
    return page.findChildren(FixDialog)[-1]


def test_the_python_that_the_route_takes_stands_first(open_page) -> None:
    page = open_page()
    rows = [row for row in page.python_rows if row.isVisible()]
    assert [row.pill.text() for row in rows] == ["Will be used", "Not usable"]
    assert rows[0]._name.text() == "Python 3.12.10  ·  python.org"
    assert "not a Python" in rows[1]._path.text()
    assert page.complete


def test_a_python_outside_the_route_s_range_says_so(open_page) -> None:
    old = PythonInstall(path="C:\\Python39\\python.exe", version="3.9.13", kind="python.org", bits=64, usable=True)
    page = open_page(machine=windows_machine(pythons=(old,)))
    assert page.python_rows[0].pill.text() == "Does not fit the route"
    assert page.sentence.text().startswith("1 thing must be fixed")
    row = page.cards["python"].rows["python_version"]
    assert row.status == "fail"
    assert row.action.isVisible()


def test_a_fix_is_shown_whole_before_anything_runs(open_page, settle) -> None:
    page = open_page(machine=with_winget())
    row = page.cards["tools"].rows["msvc_headers"]
    assert row.action.text() == "Fix…"
    row.action.click()
    settle()
    dialog = dialog_of(page)
    assert dialog.code.text.startswith("winget install --exact --id Microsoft.VisualStudio.2022.BuildTools")
    texts = [label.text() for label in dialog.findChildren(type(page.title))]
    assert any("administrator rights" in text for text in texts)
    assert any("About 2.0 GB to download, 7.0 GB on the disk." in text for text in texts)
    assert any("simulated" in text for text in texts)
    assert not dialog.act_button.isEnabled()
    assert clipped(dialog) == []
    dialog.close_button.click()


def test_without_winget_a_page_is_opened_in_the_browser(open_page, settle, monkeypatch) -> None:
    page = open_page(machine=with_winget(path=None))
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    page.cards["tools"].rows["msvc_headers"].action.click()
    settle()
    dialog_of(page).act_button.click()
    assert opened == ["https://visualstudio.microsoft.com/visual-cpp-build-tools/"]


def test_a_line_for_a_terminal_is_copied(open_page, settle) -> None:
    machine = windows_machine(variables={"HSA_OVERRIDE_GFX_VERSION": "11.0.0"})
    page = open_page(machine=machine)
    row = page.cards["environment"].rows["hsa_override"]
    assert row.action.text() == "How…"
    row.action.click()
    settle()
    dialog_of(page).act_button.click()
    assert QGuiApplication.clipboard().text() == "reg delete HKCU\\Environment /v HSA_OVERRIDE_GFX_VERSION /f"


def run_program(page, monkeypatch, program: str) -> FixDialog:
    """The dialog of a fix whose program is a line of Python, already started."""
    fix = Fix(
        checks=("git",), remedies=("install_linux",), systems=("linux",), kind="run", text={"en": "Does it."},
        argv=(sys.executable, "-u", "-c", program), source="test", checked="2026-12-01",
    )  # fmt: skip
    dialog = FixDialog(page.gui, "Git", fix, page)
    dialog.mended.connect(page.model.scan)
    dialog.open()
    dialog.act_button.click()
    return dialog


def test_a_fix_runs_with_its_output_and_is_checked_again(open_page, qtbot, monkeypatch) -> None:
    page = open_page(simulated=False)
    before = page.model.diagnosis
    dialog = run_program(
        page, monkeypatch, "print('Found Git'); print('  ██████▒▒▒▒'); print('Successfully installed')"
    )
    qtbot.waitUntil(dialog.outcome.isVisible, timeout=30_000)
    assert dialog.log.text.splitlines() == ["Found Git", "Successfully installed"]
    assert (dialog.outcome.status, dialog.outcome.text) == ("ok", "Done. Everything is being checked again.")
    assert dialog.close_button.text() == "Close"
    qtbot.waitUntil(lambda: page.model.diagnosis is not before, timeout=20_000)
    assert clipped(dialog) == []


def test_a_fix_that_fails_says_so_and_can_be_tried_again(open_page, qtbot, monkeypatch) -> None:
    page = open_page(simulated=False)
    dialog = run_program(page, monkeypatch, "import sys; print('no route to host'); sys.exit(7)")
    qtbot.waitUntil(dialog.outcome.isVisible, timeout=30_000)
    assert dialog.outcome.status == "fail"
    assert "code 7" in dialog.outcome.text
    assert dialog.act_button.text() == "Try again"
    assert dialog.act_button.isEnabled()


def test_a_fix_can_be_stopped(open_page, qtbot, monkeypatch) -> None:
    page = open_page(simulated=False)
    dialog = run_program(page, monkeypatch, "import time; print('waiting'); time.sleep(60)")
    qtbot.waitUntil(lambda: "waiting" in dialog.log.text, timeout=30_000)
    dialog.reject()
    assert dialog.isVisible()
    qtbot.waitUntil(dialog.outcome.isVisible, timeout=30_000)
    assert (dialog.outcome.status, dialog.outcome.text) == ("warn", "Stopped. What was installed up to here stays.")
    assert dialog.close_button.isEnabled()
    dialog.reject()
    assert not dialog.isVisible()


def test_a_program_that_cannot_be_started_is_told(open_page, qtbot) -> None:
    page = open_page(simulated=False)
    fix = Fix(
        checks=("git",), remedies=("x",), systems=("linux",), kind="run", text={"en": "Does it."},
        argv=("no-such-program-here",), source="test", checked="2026-12-01",
    )  # fmt: skip
    dialog = FixDialog(page.gui, "Git", fix, page)
    dialog.open()
    dialog.act_button.click()
    qtbot.waitUntil(dialog.outcome.isVisible, timeout=30_000)
    assert dialog.outcome.status == "fail"
    assert "no-such-program-here" in dialog.outcome.text


def test_winget_s_own_words_for_its_exit_codes(open_page, monkeypatch) -> None:
    from rocm_gui.core.jobs import JobState, JobView

    page = open_page(machine=with_winget())
    fix = page.fix_of("msvc_headers")
    dialog = FixDialog(page.gui, "Build Tools", fix, page)
    view = JobView(id="x", kind="fix", protocol="lines", state=JobState.FAILED, exit_code=0x8A15010C)
    assert dialog._told(view) == ("fail", "It was cancelled, perhaps at Windows' question for administrator rights.")
    view = msgspec.structs.replace(view, exit_code=0x8A150109)
    assert dialog._told(view)[0] == "warn"
    view = msgspec.structs.replace(view, exit_code=0x8A15FFFF)
    assert "0x8A15FFFF" in dialog._told(view)[1]
    dialog.close()
    assert fix_dialog._code(None) == "?"
