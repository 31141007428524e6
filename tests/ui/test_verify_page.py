"""The proof on its page: shown, repeated, stopped, saved."""

from __future__ import annotations

import json
import threading

import pytest
from PySide6.QtGui import QGuiApplication
from wizard_stage import report_for

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.events import Stage as VerifyStage
from rocm_gui.ui.widgets.code_box import CodeBox
from rocm_gui.ui.widgets.report_table import ReportTable
from rocm_gui.ui.wizard import verify as verify_module

pytestmark = pytest.mark.qt


@pytest.fixture
def page(stage):
    """The page after a run."""
    stage.install()
    stage.wait(lambda: stage.wizard.current == "verify")
    page = stage.wizard.page("verify")
    stage.wait(lambda: page.report is not None)
    return page


def tables(page) -> dict[str, ReportTable]:
    return {table.accessibleName(): table for table in page.findChildren(ReportTable) if table.isVisibleTo(page)}


def test_the_run_s_proof_is_shown(stage, page):
    assert page.verdict.pill.text() == "Verified, CPU only"
    assert page._headline.text().startswith("CPU only")
    found = tables(page)
    assert {"PyTorch and its devices", "Versions side by side", "The system's own tools"} <= set(found)
    tests = next(table for title, table in found.items() if title.startswith("Computed on"))
    assert tests.text.splitlines()[0].split("\t") == [
        "Test", "Result", "Largest error, of the allowed", "Seconds", "Device",
    ]  # fmt: skip
    assert tests.text.splitlines()[1].split("\t")[3:] == ["0.4", "cpu"]
    assert stage.wizard.next_button.isEnabled()


def test_a_workaround_can_be_copied(stage, page):
    page._on_report(report_for(page.report.probe.python, "workaround"))
    box = page.findChild(CodeBox)
    stage.wait(box.isVisible)
    box.copy()
    assert QGuiApplication.clipboard().text() == "import torch\ntorch.backends.cudnn.enabled = False"
    assert page.complete


def test_wrong_results_are_no_way_to_the_end(stage, page):
    page._on_report(report_for(page.report.probe.python, "untrusted"))
    assert page.verdict.pill.text() == "Wrong results"
    assert "Do not trust" in page._headline.text()
    assert not stage.wizard.next_button.isEnabled()


@pytest.mark.parametrize("ending", ["txt", "json", "html"])
def test_the_report_is_saved_masked(stage, page, tmp_path, ending):
    path = tmp_path / f"proof.{ending}"
    page.save_to(path)
    stage.wait(page.banner.isVisible)
    assert page.banner.text == f"Saved: {path}"
    text = path.read_text("utf-8")
    assert "2.13.0+cpu" in text
    if ending == "json":
        assert json.loads(text)["verdict"] == "cpu_only"


def test_a_report_that_cannot_be_saved_is_told(stage, page, tmp_path):
    page.save_to(tmp_path / "no" / "such" / "proof.txt")
    stage.wait(page.banner.isVisible)
    assert "could not be written" in page.banner.text or "Saved" in page.banner.text


def test_verified_again_with_progress(stage, page, monkeypatch):
    go, asked = threading.Event(), {}

    def again(target, *, paths, machine, routes, on_event, cancel):
        asked.update(target=target, routes=len(tuple(routes)))
        on_event(VerifyStage(id="gemm", index=3, count=12))
        go.wait(10)
        return report_for(str(target), "cpu_only", seconds=9.0)

    monkeypatch.setattr(verify_module, "verify_setup", again)
    stage.click(page.again)
    stage.wait(lambda: page._bar.maximum() == 12)
    assert page._progress.text() == "Matrix products"
    assert not stage.wizard.next_button.isEnabled()
    go.set()
    stage.wait(lambda: page.report.seconds == 9.0)
    assert asked["target"] == stage.target
    assert not page.stop.isVisible()
    assert stage.wizard.next_button.isEnabled()


def test_a_verification_can_be_stopped(stage, page, monkeypatch):
    def again(target, *, cancel, **more):
        assert cancel.wait(10)
        raise AppError("verify_cancelled", ExitCode.CANCELLED)

    monkeypatch.setattr(verify_module, "verify_setup", again)
    stage.click(page.again)
    stage.click(page.stop)
    stage.wait(page.banner.isVisible)
    assert page.banner.text == "Cancelled. Nothing was left running."
    assert page.report is not None  # the former proof still stands


def test_the_proof_is_there_at_the_next_start(stage, page):
    stage.wait(lambda: not stage.gui.background.busy)
    stage.reopen()
    found = stage.page("verify")
    stage.wait(lambda: found.report is not None)
    assert found.verdict.isVisible()


def test_before_a_setup_the_page_says_what_will_stand_here(stage):
    page = stage.page("verify")
    assert page._empty.isVisible()
    assert not page.complete
