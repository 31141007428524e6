"""Ways through the guided setup by keys and clicks, each ending in what must be true on every system."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from wizard_stage import run_until_killed

if TYPE_CHECKING:
    from pathlib import Path

    from wizard_stage import Hands, Script, Stage

MINUTES = 60_000


# ---- the real thing: packages from the network


def plan_for_cpu(hands: Hands, target: Path, torch: str | None = None) -> None:
    """From the welcome to the review: no GPU, into ``target``, with PyTorch ``torch`` (None: the route's own)."""
    wizard, model = hands.wizard, hands.model
    hands.wait(lambda: model.diagnosis is not None and model.activity == "idle", 2 * MINUTES)
    assert wizard.current == "welcome"
    wizard.next_button.setFocus()
    for page in ("hardware", "software", "route", "options"):
        hands.wait(wizard.next_button.isEnabled)
        QTest.keyClick(wizard.next_button, Qt.Key.Key_Space)
        assert wizard.current == page
        if page == "route":  # whatever GPU the computer of this test has
            radio = wizard.page("route").options["cpu"].radio
            radio.setFocus()
            QTest.keyClick(radio, Qt.Key.Key_Space)
            hands.wait(lambda: model.choice is not None and model.choice.route.id == "cpu")
    options = wizard.page("options")
    hands.type(options.folder.line, str(target))
    if torch is not None:
        hands.type(options.torch, torch)
    hands.next()
    hands.wait(lambda: model.plan is not None or model.plan_error is not None, 2 * MINUTES)
    assert model.plan is not None, model.plan_error
    assert not target.exists()


def install_with_a_stop(hands: Hands) -> None:
    """Install; Escape and Stop on the way, then go on to the end."""
    wizard, model = hands.wizard, hands.model
    hands.next()
    hands.wait(lambda: any(step.id == "pip" and step.state == "running" for step in model.steps), 2 * MINUTES)
    QTest.keyClick(wizard, Qt.Key.Key_Escape)
    hands.answer("Stop")
    hands.ended(MINUTES)
    install = wizard.page("install")
    assert install.end.end == "cancelled"
    hands.click(install.end.again)
    hands.wait(lambda: wizard.current == "verify" or install.end.end != "none", 9 * MINUTES)
    assert install.end.end == "none", install.end.what.text()


def see_the_proof(hands: Hands) -> None:
    """Everything was computed right; on to the finish."""
    verify = hands.wizard.page("verify")
    hands.wait(lambda: verify.report is not None)
    assert verify.report.verdict == "cpu_only"
    assert all(trial.status == "ok" for trial in verify.report.tests)
    hands.next()


def see_the_places(hands: Hands) -> None:
    """What the finish says stands somewhere stands there."""
    finish = hands.wizard.page("finish")
    hands.wait(lambda: finish.setup is not None and finish.table.isVisible())
    setup = finish.setup
    for place in (setup.environment, setup.python, setup.start_script, setup.target / "verification.json"):
        assert place.exists(), place
    assert finish.programs is not None
    assert all(button.isVisible() for button in finish.next_buttons.values())


def run_own_script(hands: Hands, script: Path) -> None:
    """A script of the person's own computes in the environment and sees its arguments."""
    card = hands.wizard.page("finish").script
    hands.wait(card.isVisible)
    script.write_text("import sys, torch\nprint('sum', int(torch.ones(6).sum()), sys.argv[1])\n")
    hands.type(card.script, str(script))
    hands.type(card.arguments, '"with a blank"')
    hands.click(card.run_button)
    hands.wait(lambda: card.running)
    hands.wait(lambda: not card.running, 2 * MINUTES)
    assert "sum 6 with a blank" in card.log.text


def undo_at_the_finish(hands: Hands, target: Path) -> None:
    """The finish takes everything back."""
    hands.click(hands.wizard.page("finish").undo)
    hands.answer("Undo it")
    hands.wait(lambda: hands.model.undo_report is not None, 2 * MINUTES)
    assert hands.model.undo_report.complete, hands.model.undo_report
    assert not target.exists()


# ---- on a stage: programs stood in for


def states(stage: Stage) -> dict[str, str]:
    """The steps and how each stands."""
    return {step.id: step.state for step in stage.model.steps}


def proved(stage: Stage) -> None:
    """The run came to its end, with everything that it makes."""
    stage.wait(lambda: stage.wizard.current == "verify")
    assert set(states(stage).values()) == {"done"}
    assert (stage.target / ("start.cmd" if sys.platform == "win32" else "start.sh")).is_file()


def stop_and_continue(stage: Stage, script: Script) -> None:
    """Stop asks; what was made is kept, and the run goes on by a key."""
    script.held = "download"
    page = stage.install()
    stage.wait(lambda: states(stage).get("download") == "running")
    stage.click(stage.wizard.cancel_button)
    stage.answer("Keep going")
    assert stage.model.busy
    QTest.keyClick(stage.wizard, Qt.Key.Key_Escape)
    stage.answer("Stop")
    stage.ended()
    assert page.end.end == "cancelled"
    assert page.end.isVisible()
    script.held = None
    QTest.keyClick(page.end.again, Qt.Key.Key_Space)
    proved(stage)


def close_and_continue_from_the_draft(stage: Stage) -> None:
    """What was typed before the window was closed stands there at the next start."""
    page = stage.to_options()
    stage.type(page.torch, "2.9.1")
    stage.reopen()
    stage.wait(lambda: stage.model.diagnosis is not None and stage.model.activity == "idle")
    page = stage.wizard.page("options")
    assert stage.wizard.current == "options"
    assert page.folder.line.text() == str(stage.target)
    assert page.torch.text() == "2.9.1"
    assert not stage.wizard.unfinished.isVisible()
    stage.next()
    stage.wait(lambda: stage.model.plan is not None or stage.model.plan_error is not None)
    stage.next()
    proved(stage)


def close_in_the_middle_and_continue(stage: Stage, script: Script) -> None:
    """A window that is closed while it installs offers at the next start to go on."""
    script.held = "download"
    stage.install()
    stage.wait(lambda: states(stage).get("download") == "running")
    stage.reopen()
    script.held = None
    _continue(stage)


def be_killed_and_continue(stage: Stage, folder: Path) -> None:
    """A power cut in the middle leaves a journal from which the next start goes on."""
    stage.to_review()
    plan = stage.model.plan
    stage.close()
    run_until_killed(plan, "download", folder)
    assert (stage.target / "env").is_dir()
    stage.open()
    _continue(stage)


def _continue(stage: Stage) -> None:
    stage.wait(stage.wizard.unfinished.isVisible)
    assert str(stage.target) in stage.wizard.unfinished.text
    stage.click(stage.wizard.unfinished.action)
    proved(stage)


def fail_and_undo(stage: Stage, script: Script, error: Exception) -> None:
    """After a failure everything that the setup made can be taken back, and begun anew."""
    script.failing["install"] = error
    page = stage.install()
    stage.ended()
    stage.wait(page.end.isVisible)
    assert page.end.end == "failed"
    stage.click(page.end.undo)
    stage.answer("Undo it")
    stage.wait(lambda: stage.model.undo_report is not None)
    assert stage.model.undo_report.complete
    assert page.end.what.text() == "Nothing that this setup made is left."
    assert not stage.target.exists()
    assert states(stage)["environment"] == "undone"
    stage.click(page.end.again)
    assert stage.wizard.current == "options"
