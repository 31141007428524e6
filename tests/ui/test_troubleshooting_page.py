"""Troubleshooting: an error is pasted, dropped or taken from a failed job, and explained with its line marked."""

from __future__ import annotations

import sys

import pytest
from clipping import clipped
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from rocm_gui.core.jobs import JobSpec
from rocm_gui.services.job import Job

pytestmark = pytest.mark.qt

FULL_DRIVE = """Collecting torch
  Downloading torch-2.9.1-cp312-cp312-win_amd64.whl (741.2 MB)
ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device
"""


@pytest.fixture
def open_page(open_troubleshooting):
    return open_troubleshooting


def explained(page, qtbot) -> list:
    """The cards shown, once the text was looked up."""
    model = page.model
    qtbot.waitUntil(lambda: not model.reading and model.explanations is not None, timeout=20_000)
    return [card for card in page.explainer.cards if card.isVisible()]


SAYS_WHY = "import sys; print('Collecting torch'); print(sys.argv[1], file=sys.stderr); sys.exit(1)"


def failed_job(folder, program: str = SAYS_WHY) -> str:
    line = "OSError: [Errno 28] No space left on device"
    spec = JobSpec(
        id="20261201-100001-setup-bbbb", kind="setup", argv=(sys.executable, "-c", program, line), protocol="lines"
    )
    job = Job(spec, folder)
    job.start()
    job.wait(30)
    job.close()
    return spec.id


def test_a_pasted_error_is_explained_by_keys_alone(open_page, qtbot, settle) -> None:
    page = open_page()
    page.overview.entries["text"].setFocus()
    QTest.keyClick(page.overview.entries["text"], Qt.Key.Key_Return)
    assert page.parts.currentWidget() is page.explainer
    text = page.explainer.text
    assert text.hasFocus()
    assert not page.explainer.explain_button.isEnabled()
    QGuiApplication.clipboard().setText(FULL_DRIVE)
    QTest.keyClick(text, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    cards = explained(page, qtbot)
    assert cards[0].view.key == "DISK-FULL"
    assert cards[0].pill.text() == "Storage"
    assert text.marked == (3,)
    assert text.textCursor().blockNumber() == 2
    settle()
    assert clipped(page) == []
    QTest.keyClick(text, Qt.Key.Key_Escape)
    assert page.parts.currentWidget() is page.overview
    assert page.overview.entries["text"].hasFocus()


def test_marks_and_explanations_go_when_the_text_is_changed(open_page, qtbot) -> None:
    page = open_page()
    page.explain(FULL_DRIVE, "pip.log")
    explained(page, qtbot)
    assert page.explainer.sentence.text() == "pip.log. Nothing of it leaves this computer."
    QTest.keyClicks(page.explainer.text, "x")
    assert page.explainer.text.marked == ()
    assert page.model.explanations is None
    assert [card for card in page.explainer.cards if card.isVisible()] == []


def test_an_unknown_text_is_honestly_unknown(open_page, qtbot, settle) -> None:
    page = open_page()
    page.explain("all is well\n", "")
    assert explained(page, qtbot) == []
    assert page.explainer.nothing.isVisible()
    settle()
    assert clipped(page) == []


def test_a_dropped_file_is_read_in_its_encoding(open_page, qtbot, tmp_path) -> None:
    page = open_page()
    page.turn_to(page.explainer)
    file = tmp_path / "pip 日志.log"
    file.write_bytes(b"\xff\xfe" + FULL_DRIVE.replace("\n", "\r\n").encode("utf-16-le"))
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile(str(file))])
    assert page.explainer.text.canInsertFromMimeData(dropped)
    page.explainer.text.insertFromMimeData(dropped)
    cards = explained(page, qtbot)
    assert len(cards) == 1
    assert page.explainer.text.toPlainText() == FULL_DRIVE
    assert page.explainer.sentence.text().startswith("pip 日志.log.")


def test_a_file_that_is_no_text_is_refused_with_a_sentence(open_page, qtbot, tmp_path) -> None:
    page = open_page()
    page.turn_to(page.explainer)
    file = tmp_path / "a.png"
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4)
    page.model.read_log(file)
    qtbot.waitUntil(page.explainer.banner.isVisible, timeout=20_000)
    assert "is not a text" in page.explainer.banner.text


def test_a_failed_job_is_listed_and_explained(open_page, qtbot, product_home) -> None:
    from rocm_gui.system.paths import default_paths

    failed_job(default_paths().jobs)
    page = open_page()
    qtbot.waitUntil(lambda: bool(page.overview.jobs), timeout=20_000)
    line = page.overview.jobs[0]
    assert line.isVisible()
    assert line._title.text() == "A step of a setup"
    assert "failed with code 1" in line._text.text()
    line.action.click()
    cards = explained(page, qtbot)
    assert cards[0].pill.text() == "Storage"
    assert page.explainer.text.marked == (2,)
    assert page.explainer.sentence.text().startswith("A step of a setup, ")


def test_a_job_whose_record_is_gone_says_so(open_page, qtbot) -> None:
    page = open_page()
    page.turn_to(page.explainer)
    page.model.read_job("20261201-100001-setup-gone")
    qtbot.waitUntil(page.explainer.banner.isVisible, timeout=20_000)
    assert page.explainer.banner.text.startswith("The record of this job is gone")


def test_a_job_that_said_nothing_says_so(open_page, qtbot, product_home) -> None:
    from rocm_gui.system.paths import default_paths

    name = failed_job(default_paths().jobs, "raise SystemExit(7)")
    page = open_page()
    page.turn_to(page.explainer)
    page.model.read_job(name)
    qtbot.waitUntil(page.explainer.banner.isVisible, timeout=20_000)
    assert "exit code 7" in page.explainer.banner.text


def test_the_text_of_another_computer_is_explained_too(open_page, qtbot) -> None:
    """A person with Windows may ask about a log of their Linux machine."""
    page = open_page()
    page.explain("HSA_STATUS_ERROR_INVALID_ISA: The instruction set architecture is invalid.\n", "")
    assert [card.view.key for card in explained(page, qtbot)] == ["HSA-OVERRIDE-MISMATCH"]


def test_other_pages_open_it_with_their_log(open_page, qtbot) -> None:
    page = open_page()
    page.gui = page.model._gui
    page.gui.window.show_page("settings")
    page.gui.explain(FULL_DRIVE, "The log of the setup")
    assert page.gui.window.current_page == "troubleshooting"
    assert len(explained(page, qtbot)) == 1


@pytest.mark.parametrize("look", [{"font_scale": 1.5}, {"font_scale": 2.0}, {"language": "zh_CN", "theme": "dark"}])
def test_nothing_is_cut_in_any_look(open_page, qtbot, settle, look) -> None:
    page = open_page(**look)
    assert clipped(page) == []
    page.explain(FULL_DRIVE * 3, "pip.log")
    explained(page, qtbot)
    settle()
    assert clipped(page) == []
