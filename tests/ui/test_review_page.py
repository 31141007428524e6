"""The plan as it is shown, copied and saved."""

from __future__ import annotations

import json

import machines
import pytest
from PySide6.QtGui import QGuiApplication

from rocm_gui.core.errors import AppError
from rocm_gui.core.plan_report import plan_lines, size_text
from rocm_gui.ui.widgets.basics import Text
from rocm_gui.ui.widgets.code_box import CodeBox
from rocm_gui.ui.wizard.review import StepCard

pytestmark = pytest.mark.qt


def shown(stage) -> list[str]:
    page = stage.wizard.page("review")
    stage.wait(lambda: page.settled)
    return [box.text for box in page.findChildren(CodeBox) if box.isVisibleTo(page)]


def test_every_command_and_change_is_shown(stage):
    page = stage.to_review()
    stage.wait(stage.wizard.next_button.isEnabled)
    plan = stage.model.plan
    stage.wait(lambda: page.settled)
    assert len(shown(stage)) == sum(len(step.commands) for step in plan.steps)
    assert any(command.endswith(f"-m venv {plan.environment}") for command in shown(stage))
    texts = "\n".join(label.text() for label in page.findChildren(Text))
    for step in plan.steps:
        for change in step.changes:
            assert change.path in texts
    assert stage.wizard.next_button.text().replace("&", "") == "Install"
    assert not stage.target.exists()  # looking changes nothing


def test_totals_come_from_the_plan(stage):
    page = stage.to_review()
    values = [label.text() for label in page._tile_values]
    route = stage.model.choice.route
    sizes = [size_text(route.download_bytes), size_text(route.disk_bytes)]
    assert values == [*sizes, str(len(stage.model.plan.steps)), "not needed"]


def test_the_plan_is_copied_and_saved(stage, tmp_path):
    page = stage.to_review()
    stage.click(page.copy_button)
    assert QGuiApplication.clipboard().text().rstrip("\n") == "\n".join(plan_lines(stage.model.plan, page.texts))
    page.save_to(tmp_path / "plan.json")
    document = json.loads((tmp_path / "plan.json").read_text("utf-8"))
    assert document["target"] == str(stage.target)
    assert document["steps"][0]["title"]
    page.save_to(tmp_path / "no" / "plan.json")
    assert "could not be written" in page.banner.text


def test_a_plan_that_cannot_be_made_says_what_to_do(stage):
    class NoPython:
        def plan(self, options):
            raise AppError("setup_python_none", needed="3.12", found=None, help="winget install Python.Python.3.12")

    real = stage.gui.context.make_planner
    stage.to_options()
    stage.gui.context.make_planner = lambda machine: NoPython()
    stage.next()
    page = stage.wizard.page("review")
    stage.wait(page.banner.isVisible)
    assert "winget install Python.Python.3.12" in page.banner.text
    assert not stage.wizard.next_button.isEnabled()
    stage.gui.context.make_planner = real
    stage.click(page.banner.action)
    stage.wait(stage.wizard.next_button.isEnabled)
    assert not page.banner.isVisible()


def test_a_route_that_does_not_fit_says_why(stage):
    stage.to_options()
    stage.model.set_options(route_id=next(
        choice.route.id for choice in stage.model.diagnosis.choices if choice.route.kind == "wheels" and not choice.fits
    ))  # fmt: skip
    page = stage.page("review")
    stage.wait(page.banner.isVisible)
    assert "Unfit(" not in page.banner.text


def test_changed_options_make_a_new_plan(stage):
    stage.to_review()
    stage.click(stage.wizard.back_button)
    options = stage.wizard.page("options")
    options.extras["transformers"].click()
    stage.next()
    stage.wait(lambda: stage.model.plan is not None)
    assert "extras" in [step.id for step in stage.model.plan.steps]


def test_a_simulated_computer_is_never_changed(stage):
    stage.use_machine(machines.windows_one_radeon(), "rx7900xtx")
    stage.model.set_options(index_url="http://127.0.0.1:9/simple/")  # the route's own would be asked over the network
    page = stage.page("review")
    stage.wait(lambda: stage.model.plan is not None)
    assert not stage.wizard.next_button.isEnabled()
    assert "simulated" in page.sentence.text()
    assert any(command.startswith("C:\\Users\\amy") for command in shown(stage))


def test_a_guide_is_shown_and_not_installed(stage):
    guide = next(choice for choice in stage.model.diagnosis.choices if choice.route.kind == "guide")
    stage.model.set_options(route_id=guide.route.id, target=str(stage.target))
    page = stage.page("review")
    stage.wait(lambda: stage.model.plan is not None)
    assert stage.model.plan.kind == "guide"
    assert "guide" in page.sentence.text()
    assert not stage.wizard.next_button.isEnabled()
    stage.wait(lambda: page.settled)
    assert len(page.findChildren(StepCard)) == len(stage.model.plan.guide) > 0
