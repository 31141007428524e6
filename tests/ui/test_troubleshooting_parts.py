"""Stack, flow and bundle as they are laid out; the engines behind the ports are stood in for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from clipping import clipped
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest

from rocm_gui.core.errors import AppError
from rocm_gui.ui.pages.troubleshooting.ports import Ports
from rocm_gui.ui.pages.troubleshooting.views import (
    BundleFileView,
    CauseView,
    DetailsView,
    EndView,
    FlowView,
    QuestionView,
)
from rocm_gui.ui.widgets.answer_trail import AnswerView
from rocm_gui.ui.widgets.remedy_steps import RemedyView
from rocm_gui.ui.widgets.stack_picture import BandView, ClashView, ItemView, StackView

pytestmark = pytest.mark.qt

PLACE = r"C:\Users\somebody\rocm\.venv\Lib\site-packages\_rocm_sdk_libraries_gfx110X_all"
LIBRARIES = tuple(
    ItemView(name, name, "ok", "Healthy", "5.0.0", PLACE) for name in ("rocBLAS", "hipBLASLt", "rocFFT", "MIOpen")
)
STACK = StackView(
    (
        BandView(
            "frameworks", "Frameworks", "PyTorch and what it was built for", "bad", "Broken",
            (
                ItemView("torch", "PyTorch", "ok", "Healthy", "2.9.1+rocm7.12.0", PLACE),
                ItemView("cpu", "PyTorch", "bad", "Broken", "2.6.0+cpu", r"C:\Python311\Lib\site-packages\torch"),
            ),
        ),
        BandView("libraries", "Math libraries", "rocBLAS, rocFFT, MIOpen", "ok", "Healthy", LIBRARIES),
        BandView(
            "runtime", "Runtime", "HIP and ROCr", "unknown", "Unknown",
            (ItemView("sdk", "HIP SDK", "missing", "Not installed"),),
        ),
        BandView("driver", "Driver", "What the system talks to the GPU with", "missing", "Not installed",
                 empty="No AMD driver was found."),
    ),
    (ClashView("frameworks", "libraries", "bad", "This PyTorch was built for the processor alone."),),
)  # fmt: skip


class Stack:
    def __init__(self, view: StackView = STACK) -> None:
        self.shown = view
        self.looks = 0

    def look(self, diagnosis) -> None:
        self.looks += 1

    def view(self) -> StackView:
        return self.shown

    def details(self, key: str) -> DetailsView:
        return DetailsView(f"About {key}", (("fail", "Built for the processor alone."),), (("HIP", "None", PLACE),))


class Flow:
    """Two questions; "no" to the second is a cause, everything else the end."""

    def __init__(self) -> None:
        self.answers: list[str] = []
        self.cured = self.passed = False
        self.name = ""

    def start(self, name, diagnosis) -> None:
        assert diagnosis.machine is not None
        self.name, self.answers, self.cured, self.passed = name, [], False, False

    def answer(self, answer) -> None:
        self.answers.append(answer)

    def go_back(self, index) -> None:
        del self.answers[max(0, index - 1) :]

    def check(self, diagnosis) -> None:
        self.cured = True

    def pass_cause(self) -> None:
        self.passed = True

    def view(self) -> FlowView:
        trail = [AnswerView("Is an AMD GPU on the bus?", "Yes", "Checked", "ok", "1002:744c on 0000:03:00.0")]
        trail += [AnswerView(f"Question {n}?", answer, "You", "person") for n, answer in enumerate(self.answers, 2)]
        view = FlowView(f"Flow {self.name}", "Checked for Windows 11.", tuple(trail))
        if len(self.answers) < 2:
            number = len(trail) + 1
            return replace(view, question=QuestionView(f"q{number}", number, f"Question {number}?", "Look for it."))
        if self.answers[1] == "no" and not (self.cured or self.passed):
            steps = (RemedyView("Take it away.", action="Preview…"), RemedyView("Then this.", code="rocm-gui check"))
            cause = CauseView(
                "c", "Environment", "A variable is set", "It has no effect.", "bad", ("A=1",), steps, "It runs.",
                "rocm-gui check", "somewhere",
            )  # fmt: skip
            return replace(view, cause=cause)
        return replace(view, end=EndView("Nothing in the way", "Every question was answered.", "ok"))


class Bundle:
    def __init__(self) -> None:
        self.saved: tuple[str, ...] = ()
        self.error: AppError | None = None

    def collect(self):
        return (
            BundleFileView("manifest.txt", "What is inside.", 812, 0, "nothing was sent\n"),
            BundleFileView("jobs/a.stderr", "What a failed job wrote.", 2200, 3, "[user] was here\n"),
            BundleFileView("jobs/a.jsonl", "What it said.", 100, 1, "{}\n"),
        )

    def save(self, path, include) -> None:
        if self.error is not None:
            raise self.error
        self.saved = tuple(include)


@pytest.fixture
def open_page(open_troubleshooting):
    def opened(name="rx7900xtx", size=(1366, 768), ports=None, **look):
        return open_troubleshooting(name, size, ports or Ports(Stack(), Flow(), Bundle()), **look)

    return opened


def idle(page, qtbot, settle) -> None:
    qtbot.waitUntil(lambda: not page.model.checking, timeout=20_000)
    settle()


# ---- the stack


def test_the_picture_says_everything_in_words_too(open_page) -> None:
    page = open_page()
    picture = page.overview.stack.picture
    assert picture.bands[0].accessibleName() == "Frameworks: Broken"
    assert picture.items[1].accessibleName().startswith("PyTorch, 2.6.0+cpu, Broken, C:\\Python311")
    text = page.overview.stack.text
    assert "simulated: rx7900xtx" in text
    assert "Frameworks\tPyTorch\t2.6.0+cpu\tBroken" in text
    assert "This PyTorch was built for the processor alone." in text
    assert "No AMD driver was found." in text
    page.overview.stack.copy.click()
    assert QGuiApplication.clipboard().text() == text


def test_arrows_walk_through_the_picture_and_return_opens_the_details(open_page, settle) -> None:
    page = open_page()
    picture = page.overview.stack.picture
    torch, cpu, blas = picture.items[0], picture.items[1], picture.items[2]
    torch.setFocus()
    QTest.keyClick(torch, Qt.Key.Key_Right)
    assert cpu.hasFocus()
    QTest.keyClick(cpu, Qt.Key.Key_Down)
    assert picture.items[3].hasFocus()
    QTest.keyClick(picture.items[3], Qt.Key.Key_Left)
    assert blas.hasFocus()
    QTest.keyClick(blas, Qt.Key.Key_Up)
    assert torch.hasFocus()
    QTest.keyClick(torch, Qt.Key.Key_Return)
    settle()
    assert picture.current == "torch"
    assert page.overview.stack.details.isVisible()
    assert "Built for the processor alone." in page.overview.stack.details.remarks.texts
    assert clipped(page) == []
    QTest.keyClick(torch, Qt.Key.Key_Return)
    assert picture.current == ""
    assert not picture.drawer.isVisible()


def test_only_one_thing_of_the_picture_is_a_tab_stop(open_page) -> None:
    picture = open_page().overview.stack.picture
    assert [bool(item.focusPolicy() & Qt.FocusPolicy.TabFocus) for item in picture.items].count(True) == 1


def test_details_stay_open_when_the_machine_is_looked_at_again(open_page, qtbot, settle) -> None:
    stack = Stack()
    page = open_page(ports=Ports(stack=stack))
    page.overview.stack.picture.items[1].click()
    stack.shown = replace(STACK, clashes=())
    page.overview.again.click()
    qtbot.waitUntil(lambda: stack.looks == 2 and not page.model.scanning, timeout=20_000)
    settle()
    assert page.overview.stack.picture.current == "cpu"
    assert page.overview.stack.details.isVisible()


def test_the_picture_is_saved_without_its_drawer(open_page, tmp_path, settle) -> None:
    page = open_page()
    assert page.overview.stack.save_to(tmp_path / "closed.png")
    page.overview.stack.picture.items[0].click()
    settle()
    assert page.overview.stack.save_to(tmp_path / "open.png")
    closed, opened = QImage(str(tmp_path / "closed.png")), QImage(str(tmp_path / "open.png"))
    assert closed.width() > 1500
    assert (opened.width(), opened.height()) == (closed.width(), closed.height())
    assert page.overview.stack.details.isVisible()


def test_table_and_picture_are_two_forms_of_one(open_page, settle) -> None:
    card = open_page().overview.stack
    card.as_table.click()
    settle()
    assert card.table.isVisible()
    assert not card.picture.isVisible()
    card.as_picture.click()
    assert card.picture.isVisible()


# ---- flows


@pytest.mark.parametrize("name", ["gpu", "torch"])
def test_a_flow_is_walked_by_keys_to_its_cause_and_its_cure(open_page, qtbot, settle, name) -> None:
    page = open_page()
    QTest.keyClick(page.overview.entries[name], Qt.Key.Key_Return)
    idle(page, qtbot, settle)
    flow = page.flow
    assert flow.title.text() == f"Flow {name}"
    assert [row.view.by for row in flow.trail.rows] == ["Checked"]
    assert flow.question.buttons["yes"].hasFocus()
    QTest.keyClick(flow.question.buttons["yes"], Qt.Key.Key_Space)
    idle(page, qtbot, settle)
    assert flow.question._title.text() == "Question 3?"
    flow.question.buttons["no"].setFocus()
    QTest.keyClick(flow.question.buttons["no"], Qt.Key.Key_Space)
    idle(page, qtbot, settle)
    assert not flow.question.isVisible()
    assert flow.cause.pill.text() == "Environment"
    assert list(flow.cause.steps.buttons) == [0]
    assert flow.again.hasFocus()
    assert clipped(page) == []
    QTest.keyClick(flow.again, Qt.Key.Key_Space)
    idle(page, qtbot, settle)
    assert flow.end.isVisible()
    QTest.keyClick(flow.end.restart, Qt.Key.Key_Escape)
    assert page.parts.currentWidget() is page.overview
    assert page.overview.entries[name].hasFocus()


def test_an_answer_can_be_gone_back_to(open_page, qtbot, settle) -> None:
    page = open_page()
    page.open_flow("gpu")
    idle(page, qtbot, settle)
    for answer in ("yes", "no"):
        page.flow.question.buttons[answer].click()
        idle(page, qtbot, settle)
    assert page.flow.cause.isVisible()
    page.flow.trail.rows[1].click()
    idle(page, qtbot, settle)
    assert page.flow.question.isVisible()
    assert len(page.flow.trail.rows) == 1


def test_another_cause_may_be_asked_for(open_page, qtbot, settle) -> None:
    page = open_page()
    page.open_flow("gpu")
    idle(page, qtbot, settle)
    for answer in ("unsure", "no"):
        page.flow.question.buttons[answer].click()
        idle(page, qtbot, settle)
    page.flow.onward.click()
    idle(page, qtbot, settle)
    assert page.flow.end.isVisible()
    page.flow.end.explain.click()
    assert page.parts.currentWidget() is page.explainer


# ---- the bundle


def test_the_bundle_is_read_and_chosen_before_it_is_saved(open_page, qtbot, settle, tmp_path) -> None:
    bundle = Bundle()
    page = open_page(ports=Ports(bundle=bundle))
    page.overview.entries["bundle"].click()
    qtbot.waitUntil(lambda: len(page.support.chosen) == 3, timeout=20_000)
    settle()
    assert clipped(page) == []
    assert page.support.content_view.toPlainText() == "nothing was sent\n"
    folder = page.support.tree.topLevelItem(1)
    page.support.tree.setCurrentItem(folder.child(0))
    assert page.support.content_view.toPlainText() == "[user] was here\n"
    folder.child(1).setCheckState(0, Qt.CheckState.Unchecked)
    assert page.support.total.text() == "2 of 3 files, 3.0 kB, 3 places masked"
    page.support.save_to(tmp_path / "a.zip")
    qtbot.waitUntil(lambda: bool(bundle.saved), timeout=20_000)
    assert bundle.saved == ("manifest.txt", "jobs/a.stderr")
    qtbot.waitUntil(page.support.banner.isVisible, timeout=20_000)
    assert "a.zip" in page.support.banner.text


def test_a_bundle_that_cannot_be_written_says_why(open_page, qtbot, tmp_path) -> None:
    bundle = Bundle()
    bundle.error = AppError("log_unreadable", path="x", reason="full")
    page = open_page(ports=Ports(bundle=bundle))
    page.turn_to(page.support)
    qtbot.waitUntil(lambda: len(page.support.chosen) == 3, timeout=20_000)
    page.support.save_to(tmp_path / "a.zip")
    qtbot.waitUntil(page.support.banner.isVisible, timeout=20_000)
    assert "full" in page.support.banner.text


def test_nothing_is_offered_that_has_no_engine(open_page) -> None:
    page = open_page(ports=Ports())
    shown = [name for name, entry in page.overview.entries.items() if entry.isVisible()]
    assert shown == ["text"]
    assert not page.overview.stack.isVisible()


# ---- looks


@pytest.mark.parametrize(
    "look",
    [{"font_scale": 1.5}, {"font_scale": 2.0}, {"language": "zh_CN", "theme": "dark"}, {"size": (960, 640)}],
    ids=["150", "200", "chinese", "small"],
)
def test_nothing_is_cut_in_any_look(open_page, qtbot, settle, look) -> None:
    page = open_page(**look)
    assert clipped(page) == []
    page.overview.stack.picture.items[0].click()
    settle()
    assert clipped(page) == []
    page.open_flow("gpu")
    idle(page, qtbot, settle)
    assert clipped(page) == []
    for answer in ("yes", "no"):
        page.flow.question.buttons[answer].click()
        idle(page, qtbot, settle)
    assert clipped(page) == []
    page.turn_to(page.support)
    qtbot.waitUntil(lambda: len(page.support.chosen) == 3, timeout=20_000)
    settle()
    assert clipped(page) == []


def test_language_and_theme_change_under_an_open_flow(open_page, qtbot, settle) -> None:
    page = open_page()
    page.open_flow("gpu")
    idle(page, qtbot, settle)
    gui = page.model._gui
    gui.languages.choose("zh_CN")
    gui.theme.choose("dark")
    settle()
    assert page.flow.question.buttons["yes"].text() == "是(&Y)"
    assert page.overview.title.text() == "疑难排查"
    assert clipped(page) == []
