"""The whole guided setup by keys and clicks, from the welcome to a verified environment, a script in it, and undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from wizard_stage import Hands

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.qt, pytest.mark.torch, pytest.mark.network]

MINUTES = 60_000


@pytest.mark.timeout(600)
def test_from_the_welcome_to_a_script_that_computes(qtbot, qapp, english, tmp_path):
    from rocm_gui.bootstrap import make_context
    from rocm_gui.ui.app import Gui, Look

    target = tmp_path / "rocm"
    gui = Gui(make_context(), Look(language="en", theme="light"))
    hands = Hands(qtbot, gui)
    try:
        gui.window.resize(1366, 768)
        gui.window.show()
        _plan(hands, target)
        _install_with_a_stop(hands)
        _verify(hands)
        _run_script(hands, tmp_path / "train.py")
        finish = hands.wizard.page("finish")
        finish.undo.click()
        hands.answer("Undo it")
        hands.wait(lambda: hands.model.undo_report is not None, MINUTES)
        assert hands.model.undo_report.complete
        assert not target.exists()
    finally:
        hands.close()


def _plan(hands: Hands, target: Path) -> None:
    wizard, model = hands.wizard, hands.model
    hands.wait(lambda: model.diagnosis is not None and model.activity == "idle", MINUTES)
    wizard.next_button.setFocus()
    for page in ("hardware", "software", "route", "options"):
        hands.wait(wizard.next_button.isEnabled)
        QTest.keyClick(wizard.next_button, Qt.Key.Key_Space)
        assert wizard.current == page
        if page == "route":
            model.set_options(route_id="cpu")  # whatever GPU the computer of this test has
    options = wizard.page("options")
    hands.type(options.folder.line, str(target))
    hands.next()
    hands.wait(lambda: model.plan is not None, MINUTES)
    assert not target.exists()


def _install_with_a_stop(hands: Hands) -> None:
    wizard, model = hands.wizard, hands.model
    hands.next()
    hands.wait(lambda: any(step.id == "pip" and step.state == "running" for step in model.steps), 2 * MINUTES)
    QTest.keyClick(wizard, Qt.Key.Key_Escape)
    hands.answer("Stop")
    hands.ended(MINUTES)
    install = wizard.page("install")
    assert install.end.end == "cancelled"
    hands.click(install.end.again)
    hands.wait(lambda: wizard.current == "verify" or install.end.end != "none", 8 * MINUTES)
    assert install.end.end == "none", install.end.what.text()


def _verify(hands: Hands) -> None:
    verify = hands.wizard.page("verify")
    hands.wait(lambda: verify.report is not None)
    assert verify.report.verdict == "cpu_only"
    assert all(trial.status == "ok" for trial in verify.report.tests)
    hands.next()


def _run_script(hands: Hands, script: Path) -> None:
    card = hands.wizard.page("finish").script
    hands.wait(card.isVisible)
    script.write_text("import sys, torch\nprint('sum', int(torch.ones(6).sum()), sys.argv[1])\n")
    hands.type(card.script, str(script))
    hands.type(card.arguments, '"with a blank"')
    hands.click(card.run_button)
    hands.wait(lambda: card.running)
    hands.wait(lambda: not card.running, MINUTES)
    assert "sum 6 with a blank" in card.log.text
