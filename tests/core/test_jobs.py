from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocm_gui.core.errors import ExitCode
from rocm_gui.core.events import Failure, Hello, Log, Metric, Partial, Progress, Result, Stage
from rocm_gui.core.jobs import (
    LINE_CHARACTERS,
    LOG_LINES,
    STDERR_LINES,
    JobCancelRequested,
    JobEnded,
    JobRecordCut,
    JobSpec,
    JobStarted,
    JobStartFailed,
    JobStarting,
    JobState,
    JobTimedOut,
    exit_code_text,
    first_view,
    job_error,
    reduce,
)

if TYPE_CHECKING:
    from rocm_gui.core.jobs import AnyJobEvent, JobView, Protocol

STARTING = JobStarting()
STARTED = JobStarted(pid=7, at_s=100.0)
CANCEL = JobCancelRequested()
RESULT = Result(data={"x": 1})
FAILURE = Failure(code="bad")
TIMED_OUT = JobTimedOut(limit="total", limit_s=5.0)


def ended(code: int | None) -> JobEnded:
    return JobEnded(exit_code=code, at_s=103.5)


def after(*events: AnyJobEvent, protocol: Protocol = "worker") -> JobView:
    view = first_view(JobSpec(id="j", kind="k", argv=("x",), protocol=protocol))
    for event in events:
        view = reduce(view, event)
    return view


@pytest.mark.parametrize(
    ("events", "state"),
    [
        ((), JobState.QUEUED),
        ((STARTING,), JobState.STARTING),
        ((STARTING, STARTED), JobState.RUNNING),
        ((CANCEL,), JobState.CANCELLED),
        ((STARTING, CANCEL), JobState.CANCELLING),
        ((STARTING, CANCEL, STARTED), JobState.CANCELLING),
        ((STARTING, JobStartFailed(reason="no")), JobState.FAILED),
        ((STARTING, CANCEL, JobStartFailed(reason="no")), JobState.CANCELLED),
        ((STARTING, STARTED, ended(0)), JobState.CRASHED),
        ((STARTING, STARTED, ended(-11)), JobState.CRASHED),
        ((STARTING, STARTED, ended(None)), JobState.CRASHED),
        ((STARTING, STARTED, RESULT), JobState.RUNNING),
        ((STARTING, STARTED, RESULT, ended(0)), JobState.DONE),
        ((STARTING, STARTED, RESULT, ended(0xC0000005)), JobState.DONE),
        ((STARTING, STARTED, RESULT, FAILURE, ended(0)), JobState.DONE),
        ((STARTING, STARTED, FAILURE, RESULT, ended(1)), JobState.FAILED),
        ((STARTING, STARTED, FAILURE, ended(1)), JobState.FAILED),
        ((STARTING, STARTED, CANCEL, FAILURE, ended(130)), JobState.CANCELLED),
        ((STARTING, STARTED, CANCEL, ended(-9)), JobState.CANCELLED),
        ((STARTING, STARTED, CANCEL, RESULT, ended(0)), JobState.DONE),
        ((STARTING, STARTED, TIMED_OUT), JobState.CANCELLING),
        ((STARTING, STARTED, TIMED_OUT, ended(-15)), JobState.TIMED_OUT),
        ((STARTING, STARTED, TIMED_OUT, CANCEL, ended(-15)), JobState.TIMED_OUT),
        ((STARTING, STARTED, CANCEL, TIMED_OUT, ended(-15)), JobState.CANCELLED),
    ],
)
def test_states_of_a_worker(events: tuple[AnyJobEvent, ...], state: JobState) -> None:
    assert after(*events).state is state


@pytest.mark.parametrize(
    ("code", "state"),
    [
        (0, JobState.DONE),
        (1, JobState.FAILED),
        (-15, JobState.CRASHED),
        (0xC0000135, JobState.CRASHED),
        (None, JobState.CRASHED),
    ],
)
def test_states_of_a_program_of_lines(code: int | None, state: JobState) -> None:
    assert after(STARTING, STARTED, ended(code), protocol="lines").state is state


def test_a_view_tells_what_happened() -> None:
    view = after(
        STARTING,
        STARTED,
        Hello(protocol=1, pid=7),
        Progress(done=1.0),
        Stage(id="gemm"),
        Metric(name="tflops", value=2.5),
        Partial(data={"a": 1}),
        Log(text="out"),
        Log(text="err", stream="stderr"),
        RESULT,
        ended(3),
    )
    assert (view.pid, view.exit_code, view.duration_s, view.unclean_exit) == (7, 3, 3.5, True)
    assert view.stage == Stage(id="gemm")
    assert view.progress is None, "a new stage starts its own progress"
    assert view.metric == Metric(name="tflops", value=2.5)
    assert view.partials == ({"a": 1},)
    assert (view.log_tail, view.stderr_tail, view.result) == (("out",), ("err",), {"x": 1})


def test_a_failed_start_names_program_and_reason() -> None:
    view = after(STARTING, JobStartFailed(reason="no such file", program="cmake"))
    assert view.failure is not None
    assert (view.failure.code, view.failure.facts) == (
        "job_not_started",
        {"program": "cmake", "reason": "no such file"},
    )
    assert view.duration_s is None


def test_tails_are_bounded() -> None:
    view = after(
        *(Log(text=f"{number}") for number in range(LOG_LINES + 5)),
        *(Log(text=f"{number}", stream="stderr") for number in range(STDERR_LINES + 5)),
        Log(text="x" * 100_000),
    )
    assert (len(view.log_tail), len(view.stderr_tail)) == (LOG_LINES, STDERR_LINES)
    assert view.stderr_tail[-1] == f"{STDERR_LINES + 4}"
    assert len(view.log_tail[-1]) == LINE_CHARACTERS


EVENTS = st.sampled_from(
    [
        STARTING,
        STARTED,
        CANCEL,
        RESULT,
        FAILURE,
        TIMED_OUT,
        JobTimedOut(limit="silence", limit_s=1.0),
        JobStartFailed(reason="no"),
        ended(0),
        ended(1),
        ended(-9),
        ended(None),
        Hello(protocol=1, pid=1),
        Stage(id="s"),
        Progress(done=1.0),
        Metric(name="m", value=None),
        Partial(data={}),
        Log(text="t"),
        JobRecordCut(),
    ]
)


@given(st.lists(EVENTS, max_size=30), st.sampled_from(["worker", "lines"]))
def test_any_order_of_events_reaches_one_terminal_state_at_most_and_never_leaves_it(
    events: list[AnyJobEvent], protocol: Protocol
) -> None:
    view = first_view(JobSpec(id="j", kind="k", argv=("x",), protocol=protocol))
    final: JobView | None = None
    for event in events:
        view = reduce(view, event)
        if final is not None:
            assert view is final
        if view.state.terminal:
            final = view


@given(st.lists(EVENTS, max_size=30))
def test_an_end_always_ends(events: list[AnyJobEvent]) -> None:
    assert after(*events, ended(0)).state.terminal


LINES: tuple[AnyJobEvent, ...] = (STARTING, STARTED, Log(text="no space left", stream="stderr"))


@pytest.mark.parametrize(
    ("view", "code", "exit_code", "facts"),
    [
        (after(STARTING, STARTED, RESULT, ended(0)), None, None, {}),
        (after(CANCEL), "job_cancelled", ExitCode.CANCELLED, {"kind": "k"}),
        (
            after(STARTING, STARTED, ended(0xC0000005)),
            "job_crashed",
            ExitCode.CRASHED,
            {"kind": "k", "exit_code": "0xC0000005", "stderr": "x.stderr"},
        ),
        (
            after(STARTING, STARTED, TIMED_OUT, ended(-9)),
            "job_timed_out_total",
            ExitCode.CRASHED,
            {"kind": "k", "timeout_s": 5.0},
        ),
        (
            after(STARTING, JobStartFailed(reason="no such file", program="cmake")),
            "job_not_started",
            ExitCode.FAILED,
            {"program": "cmake", "reason": "no such file"},
        ),
        (
            after(*LINES, ended(2), protocol="lines"),
            "job_failed",
            ExitCode.FAILED,
            {"kind": "k", "exit_code": "2", "last_line": "no space left", "stderr": "x.stderr"},
        ),
    ],
)
def test_what_a_person_hears_of_an_end(
    view: JobView, code: str | None, exit_code: ExitCode | None, facts: dict[str, object]
) -> None:
    from rocm_gui.bootstrap import load_texts

    error = job_error(view, "x.stderr")
    if error is None:
        assert code is None
        return
    assert (error.code, error.exit_code, error.facts) == (code, exit_code, facts)
    for language in ("en", "zh_CN"):
        sentence = load_texts(language).get(f"error.{error.code}", **error.facts)
        assert "{" not in sentence
        assert not sentence.startswith(error.code)


@pytest.mark.parametrize(
    ("code", "text"), [(None, None), (0, "0"), (3, "3"), (-9999, "-9999"), (0xC0000135, "0xC0000135")]
)
def test_exit_codes_as_people_look_them_up(code: int | None, text: str | None) -> None:
    assert exit_code_text(code) == text


def test_state_names_are_in_both_languages() -> None:
    from rocm_gui.bootstrap import load_texts

    for language in ("en", "zh_CN"):
        texts = load_texts(language)
        assert len({texts.get(f"job.state.{state.value}") for state in JobState}) == len(JobState)
        assert all(texts.has(f"job.state.{state.value}") for state in JobState)
