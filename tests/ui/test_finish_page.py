"""What is done with a finished setup."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QDesktopServices

from rocm_gui.core.errors import AppError
from rocm_gui.ui.wizard import finish as finish_module

pytestmark = pytest.mark.qt


@pytest.fixture
def page(stage):
    """The page after a run."""
    stage.install()
    stage.wait(lambda: stage.wizard.current == "verify")
    stage.next()
    page = stage.wizard.page("finish")
    stage.wait(lambda: page.setup is not None)
    return page


def test_what_stands_where_is_told(stage, page):
    lines = page.table.text.splitlines()
    assert lines[0] == f"Folder\t{stage.target}"
    assert any(line.endswith("start.sh") for line in lines)
    assert "CPU only" in page.sentence.text()


def test_what_is_not_there_is_explained(stage, page):
    assert not page.buttons["kernel"].isEnabled()
    assert "pip install ipykernel" in page.notes["kernel"].text()


def test_a_terminal_is_opened_or_why_not_is_told(stage, page, monkeypatch):
    opened = []
    monkeypatch.setattr(finish_module, "open_terminal", opened.append)
    page.buttons["terminal"].setEnabled(True)
    stage.click(page.buttons["terminal"])
    stage.wait(lambda: opened == [page.setup])

    def broken(setup):
        raise AppError("launch_failed", program="xterm", reason="no display")

    monkeypatch.setattr(finish_module, "open_terminal", broken)
    stage.click(page.buttons["terminal"])
    stage.wait(page.banner.isVisible)
    assert page.banner.text.startswith("xterm could not be started: no display.")


def test_the_kernel_s_name_is_told(stage, page, monkeypatch):
    monkeypatch.setattr(finish_module, "add_kernel", lambda setup, paths: "rocm-gui-rocm")
    page.buttons["kernel"].setEnabled(True)
    stage.click(page.buttons["kernel"])
    stage.wait(page.banner.isVisible)
    assert "jupyter kernelspec remove rocm-gui-rocm" in page.banner.text


def test_the_folder_is_opened(stage, page, monkeypatch):
    opened = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    stage.click(page.buttons["folder"])
    assert opened == [str(stage.target)]


def test_the_next_pages_are_one_click_away(stage, page):
    page.next_buttons["benchmarks"].click()
    assert stage.gui.window.current_page == "benchmarks"


def test_undo_asks_and_shows_what_it_did(stage, page):
    page.undo.click()
    stage.answer("Undo it")
    stage.wait(lambda: stage.model.undo_report is not None)
    assert stage.wizard.current == "install"
    assert not stage.target.exists()
    assert (
        stage.page("finish")._empty.isVisible() or stage.wait(lambda: stage.wizard.page("finish").setup is None) is None
    )


def test_before_a_setup_the_page_says_so(stage):
    page = stage.page("finish")
    assert page._empty.isVisible()


def test_undo_waits_for_a_running_script(stage, page, tmp_path):
    script = tmp_path / "train.py"
    script.write_text("print('done')\n")
    stage.type(page.script.script, str(script))
    stage.click(page.script.run_button)
    assert page.script.running
    assert not page.undo.isEnabled()
    page.show_model()  # something else changed meanwhile
    stage.wait(lambda: not page.script.running, 20_000)
    assert page.undo.isEnabled()
    assert "on the processor" in page.script._note.text()  # no word of a GPU that is not there
