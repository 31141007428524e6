"""What failed in the wizard leads to its explanation, with its words in hand."""

from __future__ import annotations

import pytest
from wizard_stage import report_for

from rocm_gui.core.verification import Fault
from rocm_gui.services.setup_context import StepFailedError

pytestmark = pytest.mark.qt


def explained(stage) -> list[str]:
    """The troubles that the troubleshooting page found."""
    gui = stage.gui
    assert gui.window.current_page == "troubleshooting"
    model = gui.window.page("troubleshooting").model
    stage.wait(lambda: not model.reading and model.explanations is not None)
    return [view.cause.key for view in model.explanations]


def test_a_failed_setup_leads_to_its_explanation(stage, script):
    output = "Collecting torch\nOSError: [Errno 28] No space left on device"
    script.failing["install"] = StepFailedError(
        "setup_command_failed", program="pip", exit_code=1, reason="x", output=output
    )
    page = stage.install()
    stage.ended()
    stage.wait(page.end.isVisible)
    stage.click(page.end.explain)
    assert explained(stage) == ["DISK-FULL"]
    explainer = stage.gui.window.page("troubleshooting").explainer
    assert explainer.sentence.text().startswith("The log of the setup.")
    line = explainer.text.toPlainText().splitlines().index("OSError: [Errno 28] No space left on device")
    assert explainer.text.marked == (line + 1,)


def test_a_failed_verification_leads_to_its_explanation(stage):
    stage.install()
    stage.wait(lambda: stage.wizard.current == "verify")
    page = stage.wizard.page("verify")
    stage.wait(lambda: page.report is not None)
    assert not page.explain.isVisible()
    fault = Fault(code="no_kernel", message="RuntimeError: HIP error: invalid device function")
    page._on_report(report_for(page.report.probe.python, "failed", fault=fault))
    stage.click(page.explain)
    assert explained(stage) == ["INVALID-DEVICE-FUNC"]
