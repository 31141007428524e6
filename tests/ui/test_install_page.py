"""Runs: followed, paused, stopped, failed and each time a way on."""

from __future__ import annotations

import shutil
from types import SimpleNamespace

import pytest
from PySide6.QtGui import QGuiApplication
from wizard_drive import (
    be_killed_and_continue,
    close_and_continue_from_the_draft,
    close_in_the_middle_and_continue,
    fail_and_undo,
    states,
    stop_and_continue,
)

from rocm_gui.core.plan_report import size_text
from rocm_gui.services.setup_context import StepFailedError

pytestmark = pytest.mark.qt


def test_a_run_ends_on_the_page_of_its_proof(stage):
    stage.install()
    stage.wait(lambda: stage.wizard.current == "verify")
    assert set(states(stage).values()) == {"done"}
    assert (stage.target / "start.sh").is_file()


def test_progress_and_log_are_shown_while_it_runs(stage, script):
    script.held = "download"
    page = stage.install()
    stage.wait(lambda: page.bar.maximum() == 1000 and page.bar.value() == 400)
    assert page._progress.text().startswith(f"{size_text(400e6)} of {size_text(1e9)} (40 %)")
    assert page._item.text() == "torch-2.13.0.whl"
    stage.wait(lambda: page.log.error_count == 1)
    assert not stage.wizard.back_button.isEnabled()
    assert page.steps.rows[4].state == "running"
    script.go.set()
    stage.wait(lambda: stage.wizard.current == "verify")
    stage.click(stage.wizard.back_button)
    assert "something is not right" in page.log.text  # page turns lose nothing


def test_a_pause_waits_between_steps(stage, script):
    script.held = "resolve"
    page = stage.install()
    stage.wait(lambda: states(stage).get("resolve") == "running")
    stage.click(page.pause_button)
    assert page.sentence.text() == "Pauses after this step."
    script.go.set()
    stage.wait(lambda: stage.model.paused)
    assert page.sentence.text() == "Paused. Nothing runs until you go on."
    assert states(stage)["download"] == "waiting"
    stage.click(page.pause_button)
    stage.wait(lambda: stage.wizard.current == "verify")


def test_stop_asks_and_can_be_continued(stage, script):
    stop_and_continue(stage, script)


def test_stop_while_paused_ends_the_run(stage, script):
    script.held = "resolve"
    page = stage.install()
    stage.wait(lambda: states(stage).get("resolve") == "running")
    stage.click(page.pause_button)
    script.go.set()
    stage.wait(lambda: stage.model.paused)
    stage.model.cancel()
    stage.ended()
    assert page.end.end == "cancelled"


def test_closed_before_it_began_and_continued_from_the_draft(stage):
    close_and_continue_from_the_draft(stage)


def test_closed_in_the_middle_and_continued_at_the_next_start(stage, script):
    close_in_the_middle_and_continue(stage, script)


def test_killed_in_the_middle_and_continued_at_the_next_start(stage, tmp_path):
    be_killed_and_continue(stage, tmp_path)


def failed(stage, script, step: str, error: Exception):
    script.failing[step] = error
    page = stage.install()
    stage.ended()
    stage.wait(page.end.isVisible)
    assert page.end.end == "failed"
    return page


def test_a_failed_download_says_so_and_is_tried_again(stage, script):
    error = StepFailedError("download_failed", file="torch.whl", reason="Connection reset by peer", url="https://x/t")
    page = failed(stage, script, "download", error)
    assert page.end.what.text().startswith("torch.whl could not be downloaded: Connection reset by peer.")
    assert states(stage)["download"] == "failed"
    assert page.end.again.hasFocus()
    stage.click(page.end.again)
    stage.wait(lambda: stage.wizard.current == "verify")


def test_a_known_trouble_is_explained(stage, script):
    output = "OSError: [Errno 28] No space left on device"
    error = StepFailedError("setup_command_failed", program="pip", exit_code=1, reason="x", output=output)
    page = failed(stage, script, "install", error)
    assert "full" in page.end.remarks.texts[0]
    assert "--target" not in page.end.remarks.texts[0]
    stage.click(page.end.copy)
    report = QGuiApplication.clipboard().text()
    assert "setup_command_failed" in report
    assert "Install" in report


def test_a_full_disk_is_found_before_anything_changes(stage, monkeypatch):
    usage = SimpleNamespace(total=10**12, used=10**12 - 10**7, free=10**7)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    page = stage.install()
    stage.ended()
    assert page.end.what.text().startswith("Not enough free space on the drive of")
    assert "10 MB are free" in page.end.what.text()
    assert not stage.target.exists()
    monkeypatch.undo()


def test_no_network_is_said_and_tried_again(stage, script):
    script.unreachable = "Name or service not known"
    stage.model.set_options(index_url="http://127.0.0.1:9/simple/")
    page = stage.install()
    stage.ended()
    assert "The package index http://127.0.0.1:9/simple/ does not answer" in page.end.what.text()
    assert "--" not in page.end.what.text()
    script.unreachable = None
    stage.click(page.end.again)
    stage.wait(lambda: stage.wizard.current == "verify")


def test_undo_leaves_nothing(stage, script):
    fail_and_undo(stage, script, StepFailedError("setup_command_hung", program="pip"))


def test_what_was_added_since_is_kept_until_one_insists(stage, script):
    page = failed(stage, script, "start_script", StepFailedError("setup_os_error", reason="denied", path="/x"))
    (stage.target / "env" / "own.txt").write_text("mine")
    stage.click(page.end.undo)
    stage.answer("Undo it")
    stage.wait(lambda: stage.model.undo_report is not None)
    assert any("own.txt" in text for text in page.end.remarks.texts)
    stage.click(page.end.force)
    stage.answer("Keep it")
    assert stage.target.exists()
    stage.click(page.end.force)
    stage.answer("Undo it")
    stage.wait(lambda: not stage.target.exists())


def test_before_a_run_the_page_says_where_it_begins(stage):
    page = stage.page("install")
    assert page._empty.isVisible()
    assert not page.complete
    page._empty.action.click()
    assert stage.wizard.current == "review"
