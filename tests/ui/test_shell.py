"""The window around the pages: rail, status strip, keyboard, sizes, and no clipped text anywhere."""

from __future__ import annotations

import pytest
from clipping import clipped
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence

from rocm_gui.ui.main_window import BOTTOM_PAGES, PAGES
from rocm_gui.ui.wizard.model import PAGES as WIZARD_PAGES

pytestmark = pytest.mark.qt

SIZE = QSize(1366, 768)


@pytest.fixture
def gui(make_gui, qtbot, settle):
    made = make_gui()
    made.window.resize(SIZE)
    made.window.show()
    wizard = made.window.page("setup").wizard
    qtbot.waitUntil(lambda: wizard.model.activity == "idle" and wizard.model.diagnosis is not None, timeout=20_000)
    settle()
    return made


def test_the_first_page_is_marked_on_the_rail_and_has_the_keyboard(gui) -> None:
    assert gui.window.current_page == "setup"
    assert gui.window.rail._buttons["setup"].isChecked()
    assert not gui.window.rail.isAncestorOf(gui.window.focusWidget())


def test_the_rail_reaches_the_bottom_and_the_status_stands_beside_it(gui) -> None:
    window = gui.window
    assert window.rail.height() == window.height()
    assert window.status.x() + window.status.parentWidget().x() >= window.rail.width()
    assert window.status.geometry().bottom() == window.height() - 1


def test_the_status_names_the_gpu_and_that_it_is_simulated(gui) -> None:
    assert gui.window.status.gpus.whole == "Radeon RX 7900 XTX"
    assert gui.window.status.simulated.text() == "simulated: rx7900xtx"
    assert gui.window.windowTitle() == "ROCm GUI (simulated: rx7900xtx)"


def test_without_simulation_nothing_says_so(make_gui, settle) -> None:
    gui = make_gui(simulate=None)
    gui.window.show()
    settle()
    assert not gui.window.status.simulated.isVisible()


def test_f6_goes_between_page_and_rail(gui, qtbot) -> None:
    window = gui.window
    qtbot.keyClick(window, Qt.Key.Key_F6)
    assert window.focusWidget() is window.rail._buttons["setup"]
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Down)
    assert window.focusWidget() is window.rail._buttons["monitor"]
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Space)
    assert window.current_page == "monitor"
    qtbot.keyClick(window, Qt.Key.Key_F6)
    assert window.focusWidget() is window.page("monitor")


def test_ctrl_and_a_digit_open_pages(gui, qtbot) -> None:
    for number, name in enumerate((*PAGES, *BOTTOM_PAGES), start=1):
        qtbot.keySequence(gui.window, QKeySequence(f"Ctrl+{number}"))
        assert gui.window.current_page == name


def test_a_narrow_window_keeps_the_icons(gui, settle) -> None:
    gui.window.resize(980, 700)
    settle()
    narrow = gui.window.rail.width()
    gui.window.resize(1200, 700)
    settle()
    assert narrow < gui.window.rail.width() / 2
    assert gui.window.minimumSize() == QSize(960, 640)


def test_a_ring_of_focus_moves_nothing(gui, settle) -> None:
    button = gui.window.rail._buttons["monitor"]
    before = (button.geometry(), button.sizeHint())
    button.setFocus(Qt.FocusReason.TabFocusReason)
    settle()
    assert (button.geometry(), button.sizeHint()) == before


def test_a_page_that_fits_has_no_scroll_bar(gui, settle) -> None:
    gui.window.show_page("settings")
    settle()
    page = gui.window.page("settings")
    assert page.scroll_area.verticalScrollBar().maximum() == 0


def test_the_window_s_banner_takes_room_only_while_it_is_shown(gui, settle) -> None:
    top = gui.window.stack.y()
    gui.window.banner.present("Something can be mended.", "warn", "Mend it")
    settle()
    assert gui.window.stack.y() > top
    assert clipped(gui.window.banner) == []
    gui.window.banner.dismiss.click()
    settle()
    assert gui.window.stack.y() == top


def test_every_control_has_a_name_for_screen_readers(gui, settle) -> None:
    from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit

    for name in (*PAGES, *BOTTOM_PAGES):
        gui.window.show_page(name)
        settle()
        for kind in (QAbstractButton, QComboBox, QLineEdit):
            for control in gui.window.page(name).findChildren(kind):
                if control.isVisible():
                    label = gui.window.page(name)._labels if name == "settings" else {}
                    buddies = [label.buddy() for label in label.values()]
                    text = getattr(control, "text", str)() or control.accessibleName() or control in buddies
                    assert text, f"{name}: {control}"


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_no_text_is_clipped(make_gui, qtbot, settle, language: str, scale: float) -> None:
    gui = make_gui(language=language, font_scale=scale)
    gui.window.resize(SIZE)
    gui.window.show()
    wizard = gui.window.page("setup").wizard
    qtbot.waitUntil(lambda: wizard.model.activity == "idle" and wizard.model.diagnosis is not None, timeout=20_000)
    problems: list[str] = []
    for name in WIZARD_PAGES[:4]:
        wizard.turn_to(name)
        settle()
        problems += [f"{name}: {text}" for text in clipped(gui.window)]
    for name in (*PAGES[1:], *BOTTOM_PAGES):
        gui.window.show_page(name)
        settle()
        problems += [f"{name}: {text}" for text in clipped(gui.window)]
    assert problems == []


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_smallest_window_shows_everything(make_gui, qtbot, settle, language: str) -> None:
    gui = make_gui(language=language)
    gui.window.resize(gui.window.minimumSize())
    gui.window.show()
    wizard = gui.window.page("setup").wizard
    qtbot.waitUntil(lambda: wizard.model.activity == "idle" and wizard.model.diagnosis is not None, timeout=20_000)
    problems: list[str] = []
    for name in WIZARD_PAGES[:4]:
        wizard.turn_to(name)
        settle()
        problems += [f"{name}: {text}" for text in clipped(gui.window)]
    for name in (*PAGES[1:], *BOTTOM_PAGES):
        gui.window.show_page(name)
        settle()
        problems += [f"{name}: {text}" for text in clipped(gui.window)]
    assert problems == []


def test_the_checker_of_clipped_text_finds_some(qtbot) -> None:
    from PySide6.QtWidgets import QLabel, QPushButton, QWidget

    root = QWidget()
    qtbot.addWidget(root)
    label = QLabel("A sentence that is much longer than its label", root)
    label.setGeometry(0, 0, 40, 20)
    button = QPushButton("Install everything", root)
    button.setGeometry(0, 30, 40, 24)
    inside = QLabel("ok", root)
    inside.setGeometry(90, 60, 40, 30)
    root.resize(100, 100)
    root.show()
    said = "\n".join(clipped(root))
    assert "QLabel: 'A sentence that is much longer than its label' (needs" in said
    assert "QPushButton: 'Install everything' (needs" in said
    assert "QLabel: 'ok' (sticks out of QWidget" in said
