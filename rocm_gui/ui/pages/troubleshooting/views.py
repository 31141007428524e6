"""What the parts of the page show, in words already: the model makes these, the parts only lay them out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rocm_gui.ui.widgets.stack_picture import StackView

if TYPE_CHECKING:
    from rocm_gui.ui.widgets.answer_trail import AnswerView
    from rocm_gui.ui.widgets.remedy_steps import RemedyView

__all__ = [
    "BundleFileView",
    "CauseView",
    "DetailsView",
    "EndView",
    "ExplanationView",
    "FailedJobView",
    "FlowView",
    "OverviewView",
    "QuestionView",
    "StackView",
]


@dataclass(frozen=True)
class DetailsView:
    """More about one thing of the stack; ``evidence`` are (what, value, read from)."""

    title: str
    remarks: tuple[tuple[str, str], ...] = ()  # (status, sentence)
    evidence: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True)
class QuestionView:
    """A question to the person."""

    key: str
    number: int
    text: str
    how: str = ""  # how to find the answer


@dataclass(frozen=True)
class CauseView:
    """One cause, what shows it, what to do, and how to see that it is cured."""

    key: str
    layer: str
    title: str
    text: str = ""
    state: str = "bad"  # bad: in the way; warn: worth a try
    evidence: tuple[str, ...] = ()
    steps: tuple[RemedyView, ...] = ()
    verify: str = ""
    verify_code: str = ""
    source: str = ""


@dataclass(frozen=True)
class EndView:
    """The flow has nothing more to ask."""

    title: str
    text: str
    state: str = "ok"


@dataclass(frozen=True)
class FlowView:
    """A flow as it stands: what was answered, and then one of a question, a cause or the end."""

    title: str
    sentence: str = ""
    answers: tuple[AnswerView, ...] = ()
    question: QuestionView | None = None
    cause: CauseView | None = None
    end: EndView | None = None


@dataclass(frozen=True)
class ExplanationView:
    """What lines of a text mean."""

    cause: CauseView
    lines: tuple[int, ...] = ()  # counted from 1


@dataclass(frozen=True)
class FailedJobView:
    """A job of this program that did not end well."""

    key: str
    title: str
    text: str


@dataclass(frozen=True)
class BundleFileView:
    """One file of the support bundle as it would be saved."""

    name: str  # with "/" between folders
    why: str
    size_bytes: int
    masked: int  # places
    text: str


@dataclass(frozen=True)
class OverviewView:
    """The first part: the stack, and what failed lately."""

    sentence: str = ""
    stack: StackView = field(default_factory=StackView)
    jobs: tuple[FailedJobView, ...] = ()
