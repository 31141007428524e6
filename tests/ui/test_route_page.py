"""Route: the best one with its reasons, others to choose, guides, and why the rest does not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from clipping import clipped
from PySide6.QtCore import Qt

from rocm_gui.system.machine_file import read_machine, simulated_machine, write_machine
from rocm_gui.system.paths import default_paths
from rocm_gui.ui.wizard.guide_dialog import GuideDialog, TutorialDialog

if TYPE_CHECKING:
    from rocm_gui.core.model import Machine
    from rocm_gui.ui.widgets.route_option import RouteLine

pytestmark = pytest.mark.qt


@pytest.fixture
def open_page(make_gui, qtbot, settle, tmp_path):
    def opened(name="rx7900xtx", *, machine: Machine | None = None, **look):
        file = None
        if machine is not None:
            file = tmp_path / "machine.json"
            write_machine(file, machine)
        gui = make_gui(name, machine=file, **look)
        gui.window.resize(1366, 768)
        gui.window.show()
        wizard = gui.window.page("setup").wizard
        qtbot.waitUntil(lambda: wizard.model.activity == "idle" and wizard.model.diagnosis is not None, timeout=20_000)
        wizard.turn_to("route")
        settle()
        return wizard.page("route")

    return opened


def texts(widget) -> list[str]:
    return [label.text() for label in widget.findChildren(type(widget._title) if hasattr(widget, "_title") else object)]


def lines(fold) -> list[RouteLine]:
    return [item.widget() for item in (fold.body.itemAt(i) for i in range(fold.body.count()))]


def test_the_best_route_is_chosen_and_says_why(open_page) -> None:
    page = open_page()
    assert next(iter(page.options)) == "amd-windows-10.1"
    option = page.options["amd-windows-10.1"]
    assert option.radio.isChecked()
    assert page.best_card.isAncestorOf(option)
    said = texts(option)
    assert "AMD lists your Radeon RX 7900 XTX for it." in said
    assert "A fitting Python is here: 3.12.10." in said
    assert "The driver 26.8.1 is new enough (26.8.1 or newer)." in said
    assert option.pill.text() == "Official"
    assert page.complete


def test_others_that_fit_are_choices_of_one_group(open_page) -> None:
    page = open_page()
    assert list(page.options)[1:] == [
        "amd-windows-10.0", "amd-windows-7.14", "amd-windows-7.2.1", "cpu", "amd-windows-nightly",
    ]  # fmt: skip
    assert page.options["amd-windows-7.14"].pill.text() == "Superseded"
    assert page.options["cpu"].pill.text() == "Without a GPU"


def test_choosing_judges_the_checks_for_that_route(open_page, qtbot) -> None:
    page = open_page()
    qtbot.mouseClick(page.options["cpu"], Qt.MouseButton.LeftButton)
    assert page.model.options.route_id == "cpu"
    qtbot.waitUntil(lambda: page.model.diagnosis.choice.route.id == "cpu", timeout=20_000)
    assert page.options["cpu"].radio.isChecked()
    assert page.best.route.id == "amd-windows-10.1"
    page.options["amd-windows-10.1"].radio.click()
    assert page.model.options.route_id is None
    qtbot.waitUntil(lambda: page.model.diagnosis.choice.route.id == "amd-windows-10.1", timeout=20_000)


def test_arrow_keys_choose(open_page, qtbot) -> None:
    page = open_page()
    page.options["amd-windows-10.1"].radio.setFocus()
    qtbot.keyClick(page.options["amd-windows-10.1"].radio, Qt.Key.Key_Down)
    assert page.model.options.route_id == "amd-windows-10.0"
    qtbot.waitUntil(lambda: page.model.diagnosis.choice.route.id == "amd-windows-10.0", timeout=20_000)
    assert page.options["amd-windows-10.0"].radio.hasFocus()


def test_what_does_not_fit_is_folded_with_its_reason(open_page, settle) -> None:
    page = open_page()
    assert page.unfit.head.text() == "9 routes do not fit here"
    page.unfit.unfold()
    settle()
    rows = {row._title.text(): row._text.text() for row in lines(page.unfit)}
    assert rows["PyTorch's own wheels, ROCm 6.1 (Linux, the article's line)"] == "It is for Linux; this is Windows."
    assert clipped(page) == []


def test_guides_open_with_steps_filled_in_for_this_gpu(open_page, settle) -> None:
    page = open_page()
    page.guides.unfold()
    titles = {row._title.text(): row for row in lines(page.guides)}
    assert "The article's source build of ROCm (does not work)" in titles
    assert titles["The article's source build of ROCm (does not work)"].pill.text() == "Does not work"
    titles["Build ROCm from source with TheRock (Windows, experts)"].action.click()
    settle()
    dialog = page.findChildren(GuideDialog)[-1]
    from rocm_gui.ui.widgets.code_box import CodeBox

    code = "\n".join(box.text for box in dialog.findChildren(CodeBox))
    assert "-DTHEROCK_AMDGPU_FAMILIES=gfx110X-all" in code
    assert "{family}" not in code
    assert clipped(dialog) == []
    dialog.close_button.click()


def test_the_tutorial_s_steps_are_judged(open_page, settle) -> None:
    page = open_page()
    page.tutorial.action.click()
    settle()
    dialog = page.findChildren(TutorialDialog)[-1]
    said = texts_of(dialog)
    assert 'setx PATH "%PATH%;%ROCM_PATH%\\bin;%ROCM_PATH%\\lib"' in said
    assert any("1,024 characters" in text for text in said)
    assert any("No matching distribution found" in text for text in said)
    assert "Judged for Windows." in dialog.sentence.text()
    assert clipped(dialog) == []


def texts_of(dialog) -> list[str]:
    return [label.text() for label in dialog.findChildren(type(dialog.title))]


def test_without_a_gpu_the_cpu_route_is_the_best(open_page) -> None:
    page = open_page("none")
    assert page.best.route.id == "cpu"
    assert page.sentence.text() == "PyTorch for the processor is chosen: it uses no GPU."
    assert page.complete


def test_a_missing_python_is_named_and_next_waits(open_page) -> None:
    machine = read_machine(simulated_machine(default_paths().resources, "rx7900xtx"))
    page = open_page(machine=msgspec.structs.replace(machine, pythons=()))
    assert page.best.route.id == "amd-windows-10.1"
    assert "It needs Python 3.11–3.14; none that can be used was found." in page.sentence.text()
    assert page.options["amd-windows-10.1"].pill.text() == "Something is missing"
    assert not page.complete


def test_rows_stay_while_only_the_choice_changes(open_page, qtbot) -> None:
    page = open_page()
    option = page.options["cpu"]
    option.radio.click()
    qtbot.waitUntil(lambda: page.model.diagnosis.choice.route.id == "cpu", timeout=20_000)
    assert page.options["cpu"] is option


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("name", ["8xmi300x", "strix-halo"])
def test_every_simulated_machine_reads_well(open_page, settle, name, scale) -> None:
    page = open_page(name, language="zh_CN", font_scale=scale)
    page.unfit.unfold()
    page.guides.unfold()
    settle()
    assert clipped(page) == []
