"""The card that runs a person's own script, with real keys and a real child."""

from __future__ import annotations

import os
import sys
import venv
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from rocm_gui.bootstrap import make_context
from rocm_gui.core.errors import AppError
from rocm_gui.core.verification import DeviceInfo
from rocm_gui.services.launch import FinishedSetup
from rocm_gui.ui.app import Gui, Look
from rocm_gui.ui.wizard import script_card
from rocm_gui.ui.wizard.script_card import ScriptCard

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.qt


@pytest.fixture(scope="module")
def python(tmp_path_factory) -> Path:
    """A bare environment: no PyTorch, made in a moment."""
    folder = tmp_path_factory.mktemp("bare") / "env"
    venv.create(folder, with_pip=False, symlinks=os.name == "posix")
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


@pytest.fixture
def card(qtbot, qapp, python, english):
    """The card for that environment."""
    gui = Gui(make_context(), Look(language="en", theme="light"))
    made = ScriptCard(gui)
    qtbot.addWidget(made)
    made.retranslate()
    made.show_setup(_setup(python))
    made.show()
    yield made
    made.close()
    gui.close()


def _setup(python: Path, gfx_target: str | None = None) -> FinishedSetup:
    environment = python.parent.parent
    return FinishedSetup(
        setup_id="1",
        target=environment.parent,
        environment=environment,
        python=python,
        verdict="ok",
        gfx_target=gfx_target,
    )


def _write(tmp_path: Path, source: str) -> str:
    path = tmp_path / "train.py"
    path.write_text(source, encoding="utf-8")
    return str(path)


def test_return_runs_it_and_the_output_and_end_are_told(card, qtbot, tmp_path):
    card.script.setText(_write(tmp_path, "import sys\nprint('loss 0.25', sys.argv[1:])\n"))
    qtbot.keyClicks(card.arguments, '--name "my run"')
    qtbot.keyClick(card.arguments, Qt.Key.Key_Return)
    assert card.running
    assert card.stop_button.isVisible()
    qtbot.waitUntil(lambda: not card.running, timeout=20_000)
    assert card.log.text == "loss 0.25 ['--name', 'my run']"
    assert "ended by itself" in " ".join(card.remarks.texts)
    assert not card.stop_button.isVisible()


def test_a_failure_is_explained(card, qtbot, tmp_path):
    card.script.setText(_write(tmp_path, "import xformers\n"))
    qtbot.mouseClick(card.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not card.running, timeout=20_000)
    assert "The package xformers is not installed" in " ".join(card.remarks.texts)
    assert card.explain_button.isVisible()
    card.explain_button.click()
    page = card._gui.window.page("troubleshooting")
    assert "No module named 'xformers'" in page.explainer.text.toPlainText()


@pytest.mark.skipif(os.name != "posix", reason="the lab has its own test of Ctrl-C")
def test_stop_lets_the_script_save_first(card, qtbot, tmp_path):
    source = (
        "import signal\ntry:\n    print('ready')\n    signal.pause()\nexcept KeyboardInterrupt:\n    print('saved')\n"
    )
    card.script.setText(_write(tmp_path, source))
    qtbot.mouseClick(card.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "ready" in card.log.text, timeout=20_000)
    qtbot.mouseClick(card.stop_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not card.running, timeout=20_000)
    assert card.log.text == "ready\nsaved"
    assert "stopped" in " ".join(card.remarks.texts)


def test_several_gpus_can_be_chosen_from(card, qtbot, python, tmp_path, monkeypatch):
    assert not card.gpu.isVisible()
    gpus = (DeviceInfo(index=0, name="AMD Radeon 890M"), DeviceInfo(index=1, name="AMD Radeon RX 7900 XTX"))
    monkeypatch.setattr(script_card, "gpus_of", lambda *_, **__: gpus)
    asked = []

    def prepare(request, **_):
        asked.append(request)
        raise AppError("verify_cancelled")

    monkeypatch.setattr(script_card, "prepare_script", prepare)
    card._setup = None
    card.show_setup(_setup(python, "gfx1100"))
    qtbot.waitUntil(card.gpu.isVisible, timeout=10_000)
    assert [card.gpu.itemText(row) for row in range(card.gpu.count())] == [
        "The best one",
        "0: AMD Radeon 890M",
        "1: AMD Radeon RX 7900 XTX",
        "All of them",
    ]
    card.gpu.setCurrentIndex(1)
    card.script.setText(_write(tmp_path, ""))
    qtbot.mouseClick(card.run_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not card.running, timeout=10_000)
    assert asked[0].device == 0


def test_nothing_runs_without_a_script(card):
    card.script.setText("  ")
    assert not card.run_button.isEnabled()
