"""The whole guided setup by keys and clicks, from the welcome to a verified environment, a script in it, and undo."""

from __future__ import annotations

import pytest
from wizard_drive import (
    install_with_a_stop,
    plan_for_cpu,
    run_own_script,
    see_the_places,
    see_the_proof,
    undo_at_the_finish,
)
from wizard_stage import Hands

pytestmark = [pytest.mark.qt, pytest.mark.torch, pytest.mark.network]


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
        plan_for_cpu(hands, target)
        install_with_a_stop(hands)
        see_the_proof(hands)
        see_the_places(hands)
        run_own_script(hands, tmp_path / "train.py")
        undo_at_the_finish(hands, target)
    finally:
        hands.close()
