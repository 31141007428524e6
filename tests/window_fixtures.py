"""Fixtures of every test with a window, on Linux and on Windows."""

from __future__ import annotations

import pytest


@pytest.fixture
def script():
    """What the stood-in programs of a stage do; change it before or while the run goes on."""
    from wizard_stage import Script

    return Script()


@pytest.fixture
def stage(qtbot, qapp, tmp_path, monkeypatch, script, english):
    """A window whose setups are carried out by stood-in programs."""
    from wizard_stage import Stage

    from rocm_gui.services import installer

    for name, step in script.steps().items():
        monkeypatch.setitem(installer.STEPS, name, step)
    made = Stage(qtbot, tmp_path, script)
    yield made
    script.go.set()
    made.close()


@pytest.fixture
def make_gui(qapp, product_home, english):
    """Windows on a simulated machine (None: on this one) that end with the test; keywords are those of ``Look``."""
    from PySide6.QtCore import QEvent
    from PySide6.QtWidgets import QApplication

    from rocm_gui.bootstrap import make_context
    from rocm_gui.system.machine_file import simulated_machine
    from rocm_gui.system.paths import default_paths
    from rocm_gui.ui.app import Gui, Look

    made = []

    def make(simulate="rx7900xtx", *, machine=None, **look):
        file = machine or (None if simulate is None else simulated_machine(default_paths().resources, simulate))
        context = make_context(machine_file=file, simulated=simulate)
        gui = Gui(context, Look(**{"language": "en", "theme": "light", **look}))
        made.append(gui)
        return gui

    yield make
    for gui in made:
        gui.close()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


@pytest.fixture
def settle(qtbot):
    """Lets queued layouts and deletions happen."""
    from PySide6.QtCore import QEvent
    from PySide6.QtWidgets import QApplication

    def run():
        for _ in range(3):
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
            QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
            qtbot.wait(1)

    return run
