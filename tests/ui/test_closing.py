"""The window asks before it stops work."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from rocm_gui.system.paths import find_resources
from rocm_gui.ui.closing import ClosingGuard
from rocm_gui.ui.main_window import MainWindow
from rocm_gui.ui.pages.base import Page
from rocm_gui.ui.theme import Theme

pytestmark = pytest.mark.qt


@pytest.fixture
def window(qtbot, tmp_path):
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    theme = Theme(application, find_resources(), "light")
    state = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    window = MainWindow(theme, {"setup": Page}, state)
    qtbot.addWidget(window)
    window.show_page("setup")
    window.show()
    return window


def press(guard: ClosingGuard, text: str) -> None:
    assert guard.question is not None
    next(button for button in guard.question.buttons() if button.text() == text).click()


def test_nothing_runs_and_the_window_closes(window):
    ClosingGuard(window).watch(lambda: "")
    assert window.close()
    assert not window.isVisible()


def test_work_is_kept_or_stopped_as_the_person_says(window, qtbot):
    guard = ClosingGuard(window)
    guard.watch(lambda: "A script runs.")
    assert not window.close()
    assert guard.question is not None
    assert guard.question.text() == "A script runs."
    assert not window.close()  # asked once, not twice
    press(guard, "Keep going")
    qtbot.waitUntil(lambda: guard.question is None)
    assert window.isVisible()
    assert not window.close()
    press(guard, "Stop and close")
    qtbot.waitUntil(lambda: not window.isVisible())


def test_the_end_of_the_session_asks_nothing(window):
    guard = ClosingGuard(window)
    guard.watch(lambda: "A script runs.")
    guard.let_go()
    assert window.close()
