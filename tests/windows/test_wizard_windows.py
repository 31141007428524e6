"""The window on Windows: the whole guided setup by keys and clicks, stopped, closed, killed, continued, taken back."""

from __future__ import annotations

from functools import partial

import pytest

pytestmark = [pytest.mark.windows, pytest.mark.qt]

SIZES = ((1.0, "light"), (1.0, "dark"), (1.5, "dark"), (2.0, "light"))
SIMULATED = {"en": "simulated: ", "zh_CN": "模拟："}
# What the window says of the simulated Radeon on each page in its own words; the engine's stand in its data.
WORDS = {
    "en": {
        "welcome": ("From nothing to training on your GPU", "What it promises"),
        "hardware": ("Hardware", "Radeon RX 7900 XTX", "gfx1100", "24.0 GB", "Officially supported"),
        "software": ("Software", "Python 3.12.10", "Microsoft Store's placeholder", "Will be used"),
        "route": ("Route", "Recommended", "Other routes that fit", "AMD lists your Radeon RX 7900 XTX for it."),
        "options": ("Options", "D:\\rocm", "Automatic: Python 3.12.10", "PyTorch and more"),
        "review": ("Review", "not needed", "simulated", "Create the Python environment"),
        "install": ("Install", "To the review"),
        "verify": ("Verify",),
        "finish": ("Finish", "Nothing is set up yet."),
    },
    "zh_CN": {
        "welcome": ("从零开始", "语言"),
        "hardware": ("硬件", "Radeon RX 7900 XTX", "gfx1100", "24.0 GB"),
        "software": ("软件", "Python 3.12.10", "微软商店的占位程序", "将使用"),
        "route": ("路线", "Radeon RX 7900 XTX"),
        "options": ("选项", "D:\\rocm", "自动：Python 3.12.10", "PyTorch 及附加组件"),
        "review": ("确认计划", "不需要", "模拟", "创建 Python 环境"),
        "install": ("安装",),
        "verify": ("验证",),
        "finish": ("完成",),
    },
}


def texts_of(window) -> str:
    """Everything that can be read in the window now, one a line."""
    from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QPlainTextEdit

    found = []
    for kind, text in (
        (QLabel, QLabel.text),
        (QAbstractButton, QAbstractButton.text),
        (QComboBox, QComboBox.currentText),
        (QLineEdit, QLineEdit.text),
        (QPlainTextEdit, QPlainTextEdit.toPlainText),
    ):
        found += [text(widget) for widget in window.findChildren(kind) if widget.isVisible()]
    return "\n".join(found).replace("\N{ZERO WIDTH SPACE}", "")


@pytest.mark.parametrize(("scale", "theme"), SIZES)
def test_every_page_shows_the_simulated_radeon(make_gui, qtbot, settle, scale, theme) -> None:
    gui = make_gui(language="en", theme=theme, font_scale=scale)
    gui.window.resize(1366, 768)
    gui.window.show()
    model = gui.window.page("setup").wizard.model
    qtbot.waitUntil(lambda: model.activity == "idle" and model.diagnosis is not None, timeout=20_000)
    model.set_options(index_url="http://127.0.0.1:9/simple/")  # the route's own would be asked over the network
    for language in ("en", "zh_CN"):
        gui.languages.choose(language)
        assert wrong_on_pages(gui, qtbot, settle, language) == []
    picture = gui.window.grab().toImage()
    assert picture.pixelColor(picture.width() - 3, picture.height() // 2) == gui.theme.tokens.color("bg")


def wrong_on_pages(gui, qtbot, settle, language: str) -> list[str]:
    """What is missing or cut on the pages of the guided setup."""
    from clipping import clipped

    from rocm_gui.core.texts import pick
    from rocm_gui.ui.wizard.model import PAGES

    wizard = gui.window.page("setup").wizard
    wrong: list[str] = []
    for name in PAGES:
        wizard.turn_to(name)
        page = wizard.page(name)
        qtbot.waitUntil(partial(lambda page: wizard.model.activity == "idle" and page.settled, page), timeout=20_000)
        settle()
        shown = texts_of(gui.window)
        wanted = [*WORDS[language][name], f"{SIMULATED[language]}rx7900xtx"]
        if name in ("route", "review"):
            wanted.append(pick(wizard.model.choice.route.title, language))
        wrong += [f"{name}: {text!r} is not there" for text in wanted if text not in shown]
        wrong += [f"{name}: {text}" for text in clipped(gui.window)]
    return wrong


def test_a_stopped_run_is_continued(stage, script) -> None:
    from wizard_drive import stop_and_continue

    stop_and_continue(stage, script)


def test_a_closed_window_continues_from_the_draft(stage) -> None:
    from wizard_drive import close_and_continue_from_the_draft

    close_and_continue_from_the_draft(stage)


def test_a_run_that_was_closed_is_continued_at_the_next_start(stage, script) -> None:
    from wizard_drive import close_in_the_middle_and_continue

    close_in_the_middle_and_continue(stage, script)


def test_a_run_that_was_killed_is_continued_at_the_next_start(stage, tmp_path) -> None:
    from wizard_drive import be_killed_and_continue

    be_killed_and_continue(stage, tmp_path)


def test_a_failed_run_is_taken_back(stage, script) -> None:
    from wizard_drive import fail_and_undo

    from rocm_gui.services.setup_context import StepFailedError

    fail_and_undo(stage, script, StepFailedError("setup_command_hung", program="pip"))


@pytest.mark.torch
@pytest.mark.network
@pytest.mark.timeout(1500)
def test_from_the_welcome_to_a_script_that_computes(qtbot, qapp, english, monkeypatch, torch_setup, tmp_path) -> None:
    from wizard_drive import (
        install_with_a_stop,
        plan_for_cpu,
        run_own_script,
        see_the_places,
        see_the_proof,
        undo_at_the_finish,
    )
    from wizard_stage import Hands

    from rocm_gui.bootstrap import make_context
    from rocm_gui.ui.app import Gui, Look

    monkeypatch.setenv("ROCM_GUI_HOME", str(torch_setup.root / "state"))  # its wheels need not be fetched again
    target = torch_setup.root / "wizard"
    gui = Gui(make_context(), Look(language="en", theme="light"))
    hands = Hands(qtbot, gui)
    try:
        gui.window.resize(1366, 768)
        gui.window.show()
        plan_for_cpu(hands, target, torch_setup.torch)
        install_with_a_stop(hands)
        see_the_proof(hands)
        see_the_places(hands)
        run_own_script(hands, tmp_path / "train.py")
        undo_at_the_finish(hands, target)
    finally:
        hands.close()
    assert torch_setup.left() == [torch_setup.target.name]
