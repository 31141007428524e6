"""Qt without a screen; the window on a stage."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from window_fixtures import make_gui, script, settle, stage

__all__ = ["make_gui", "script", "settle", "stage"]


@pytest.fixture
def open_troubleshooting(make_gui, qtbot, settle):
    """The troubleshooting page of a simulated machine that was looked at; ``ports`` stand in for its engines."""

    def opened(name="rx7900xtx", size=(1366, 768), ports=None, **look):
        from rocm_gui.ui.pages.troubleshooting.page import TroubleshootingPage

        gui = make_gui(name, **look)
        if ports is not None:
            gui.window._factories["troubleshooting"] = lambda: TroubleshootingPage(gui, ports)
        gui.window.resize(*size)
        gui.window.show()
        gui.window.show_page("troubleshooting")
        page = gui.window.page("troubleshooting")
        qtbot.waitUntil(lambda: page.model.diagnosis is not None and not page.model.scanning, timeout=20_000)
        settle()
        return page

    return opened
