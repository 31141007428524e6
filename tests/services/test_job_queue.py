from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from rocm_gui.core.jobs import JobSpec, JobState
from rocm_gui.services.job_queue import JobQueue
from rocm_gui.system.paths import find_workers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rocm_gui.core.jobs import AnyJobEvent, JobView

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="tests/windows has its own")

FAKE = str(find_workers() / "fake.py")
LIMIT_S = 30.0


def spec(name: str, *words: str, resource: str | None = "gpu0", **options: Any) -> JobSpec:
    return JobSpec(id=name, kind="fake", argv=(sys.executable, FAKE, *words), resource=resource, **options)


class History:
    """Which job was in which state, in order."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.states: list[tuple[str, JobState]] = []

    def __call__(self, view: JobView, event: AnyJobEvent) -> None:
        with self._lock:
            if (view.id, view.state) not in self.states:
                self.states.append((view.id, view.state))

    def order(self, *states: JobState) -> list[str]:
        return [f"{name} {state.value}" for name, state in self.states if state in states]


@pytest.fixture
def history() -> History:
    return History()


@pytest.fixture
def line(history: History) -> Iterator[JobQueue]:
    queue = JobQueue(on_event=history, grace_s=0.2)
    yield queue
    assert queue.close()


def test_jobs_of_one_gpu_run_one_after_another(line: JobQueue, history: History) -> None:
    jobs = [line.submit(spec(name, "wait:0.05")) for name in "abc"]
    assert [job.wait(LIMIT_S).state for job in jobs] == [JobState.DONE] * 3
    assert history.order(JobState.STARTING, JobState.DONE) == [
        "a starting", "a done", "b starting", "b done", "c starting", "c done",
    ]  # fmt: skip
    assert line.views() == []


def test_jobs_of_different_gpus_run_side_by_side(line: JobQueue) -> None:
    first = line.submit(spec("a", "wait:60"))
    second = line.submit(spec("b", "log:x", resource="gpu1"))
    third = line.submit(spec("c", "log:x", resource=None))
    assert second.wait(LIMIT_S).state is JobState.DONE
    assert third.wait(LIMIT_S).state is JobState.DONE
    assert [view.id for view in line.views()] == ["a"]
    assert not first.view.state.terminal


def test_a_job_in_line_is_cancelled_without_a_start(line: JobQueue, history: History) -> None:
    first, second, third = (line.submit(spec(name, "wait:60")) for name in "abc")
    assert line.cancel("b")
    assert second.wait(LIMIT_S).state is JobState.CANCELLED
    assert line.cancel("a")
    assert first.wait(LIMIT_S).state is JobState.CANCELLED
    assert line.cancel("c")
    assert third.wait(LIMIT_S).state is JobState.CANCELLED
    assert not line.cancel("a"), "it has ended"
    assert "b starting" not in history.order(JobState.STARTING)


def test_a_crash_does_not_stop_the_line(line: JobQueue) -> None:
    crash = line.submit(spec("a", "signal:11"))
    missing = line.submit(JobSpec(id="b", kind="k", argv=("/no/such/program",), resource="gpu0"))
    last = line.submit(spec("c", "log:x"))
    assert crash.wait(LIMIT_S).state is JobState.CRASHED
    assert missing.wait(LIMIT_S).state is JobState.FAILED
    assert last.wait(LIMIT_S).state is JobState.DONE


def test_an_id_is_used_once_at_a_time(line: JobQueue) -> None:
    line.submit(spec("a", "wait:60"))
    with pytest.raises(ValueError, match="a"):
        line.submit(spec("a", "wait:60"))


def test_close_ends_everything(history: History) -> None:
    queue = JobQueue(on_event=history, grace_s=0.2)
    jobs = [queue.submit(spec(name, "ignore", "hang", resource=resource)) for name, resource in zip(
        "abcd", ["gpu0", "gpu0", "gpu1", None], strict=True
    )]  # fmt: skip
    started = time.monotonic()
    assert queue.close()
    assert time.monotonic() - started < 8
    assert {job.view.state for job in jobs} == {JobState.CANCELLED}
    assert "b starting" not in history.order(JobState.STARTING)
    with pytest.raises(RuntimeError):
        queue.submit(spec("e", "log:x"))
    assert queue.close()


def test_many_at_once_keep_their_order(line: JobQueue, history: History) -> None:
    names = [f"j{number}" for number in range(12)]
    jobs = [
        line.submit(JobSpec(id=name, kind="k", argv=("true",), protocol="lines", resource=f"gpu{index % 2}"))
        for index, name in enumerate(names)
    ]
    assert {job.wait(LIMIT_S).state for job in jobs} == {JobState.DONE}
    started = [name.split()[0] for name in history.order(JobState.STARTING)]
    assert [name for name in started if int(name[1:]) % 2 == 0] == names[::2]
    assert [name for name in started if int(name[1:]) % 2 == 1] == names[1::2]
