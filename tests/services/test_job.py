from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from process_end import gone

from rocm_gui.core.events import Log, Metric, Progress
from rocm_gui.core.jobs import JobEnded, JobSpec, JobState
from rocm_gui.services import job_files, job_watch
from rocm_gui.services.job import Job, new_job_id
from rocm_gui.system.paths import find_workers

if TYPE_CHECKING:
    from rocm_gui.core.jobs import AnyJobEvent, JobView

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="tests/windows has its own")

FAKE = str(find_workers() / "fake.py")
LIMIT_S = 30.0  # of waiting for what is sure to come


def spec(*words: str, **options: Any) -> JobSpec:
    argv = (sys.executable, "-u", "-X", "utf8", FAKE, *words)
    return JobSpec(id=new_job_id("fake"), kind="fake", argv=argv, **options)


class Run:
    """A job with its events kept and short times between the steps of stopping."""

    def __init__(self, *words: str, folder: Path | None = None, parse_line: Any = None, **options: Any) -> None:
        self.events: list[AnyJobEvent] = []
        self.views: list[JobView] = []
        self.threads: set[str] = set()
        self.heard = threading.Condition()
        self.job = Job(spec(*words, **options), folder, self._on_event, parse_line, grace_s=0.2, linger_s=0.3)
        self.started_at = time.monotonic()

    def _on_event(self, view: JobView, event: AnyJobEvent) -> None:
        with self.heard:
            self.events.append(event)
            self.views.append(view)
            self.threads.add(threading.current_thread().name)
            self.heard.notify_all()

    def start(self) -> Run:
        self.job.start()
        return self

    def until_log(self, text: str) -> Run:
        with self.heard:
            assert self.heard.wait_for(
                lambda: any(isinstance(event, Log) and event.text == text for event in self.events), LIMIT_S
            )
        return self

    def end(self) -> JobView:
        view = self.job.wait(LIMIT_S)
        assert view.state.terminal
        assert self.views[-1] == view, "the last call has the terminal view"
        assert isinstance(self.events[-1], JobEnded)
        assert sum(seen.state.terminal for seen in self.views) == 1
        assert len(self.threads) == 1
        return view

    def orphan(self) -> int:
        return next(int(event.value or 0) for event in self.events if isinstance(event, Metric))


def test_a_worker_from_start_to_result(tmp_path: Path) -> None:
    run = Run("stage:gemm", "progress:3", "metric:tflops=2.5", "print:stray", 'result:{"ok":true}', folder=tmp_path)
    view = run.start().end()
    assert (view.state, view.exit_code, view.result) == (JobState.DONE, 0, {"ok": True})
    assert view.hello is not None
    assert view.hello.pid == view.pid
    assert [event.done for event in run.events if isinstance(event, Progress)] == [1, 2, 3]
    assert view.stderr_tail == ("stray",), "prints of libraries do not reach the wire"
    kinds = [json.loads(line)["type"] for line in (tmp_path / f"{view.id}.jsonl").read_bytes().splitlines()]
    assert kinds == [
        "job_starting", "job_started", "hello", "stage", "progress", "progress", "progress", "metric", "result",
        "job_ended",
    ]  # fmt: skip
    assert (tmp_path / f"{view.id}.stderr").read_text() == "stray\n"
    assert view.duration_s is not None
    assert 0 < view.duration_s < LIMIT_S


@pytest.mark.parametrize(
    ("words", "state", "code"),
    [
        (["exit:0"], JobState.CRASHED, 0),
        (["exit:7"], JobState.CRASHED, 7),
        (["signal:11"], JobState.CRASHED, -11),
        (["failure:out_of_memory"], JobState.FAILED, 1),
        (["raise:boom"], JobState.FAILED, 1),
        (['raw:{"type":"result","data":{}}', "signal:11"], JobState.DONE, -11),
        (["--plain", "log:x"], JobState.DONE, 0),
        (["--plain", "exit:2"], JobState.FAILED, 2),
        (["--plain", "signal:6"], JobState.CRASHED, -6),
    ],
)
def test_ends(words: list[str], state: JobState, code: int) -> None:
    protocol = "lines" if words[0] == "--plain" else "worker"
    view = Run(*words, protocol=protocol).start().end()
    assert (view.state, view.exit_code) == (state, code)


def test_an_exception_comes_with_its_traceback() -> None:
    view = Run("raise:boom").start().end()
    assert view.failure is not None
    assert (view.failure.code, view.failure.message) == ("exception", "RuntimeError: boom")
    assert "do_raise" in (view.failure.traceback or "")


def test_parts_of_a_result_outlive_a_crash() -> None:
    view = Run('partial:{"gemm":"ok"}', "signal:11").start().end()
    assert (view.state, view.partials) == (JobState.CRASHED, ({"gemm": "ok"},))


def test_a_flood_is_taken_in_order_and_in_little_memory(tmp_path: Path) -> None:
    before = psutil.Process().memory_info().rss
    seen: list[str] = []

    def on_event(view: JobView, event: AnyJobEvent) -> None:
        if isinstance(event, Log):
            seen.append(event.text)

    job = Job(spec("--plain", "flood:200000", protocol="lines"), tmp_path, on_event)
    job.start()
    view = job.wait(60)
    assert view.state is JobState.DONE
    assert len(seen) == 200_000
    assert (seen[0], seen[123_456], seen[-1]) == ("line 0", "line 123456", "line 199999")
    assert len(view.log_tail) < 1000
    assert psutil.Process().memory_info().rss - before < 200 << 20


def test_a_full_record_keeps_only_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_files, "RECORD_LIMIT_BYTES", 2000)
    view = Run("flood:500", 'result:{"x":1}', folder=tmp_path).start().end()
    lines = (tmp_path / f"{view.id}.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["type"] for line in lines[-3:]] == ["job_record_cut", "result", "job_ended"]
    assert sum(map(len, lines)) < 2500


def test_a_slow_listener_holds_the_child_up_and_loses_nothing() -> None:
    count = 0

    def on_event(view: JobView, event: AnyJobEvent) -> None:
        nonlocal count
        if isinstance(event, Log) and event.stream == "worker":
            count += 1
            if count % 500 == 0:
                time.sleep(0.01)

    job = Job(spec("flood:20000"), on_event=on_event)
    job.start()
    assert job.wait(LIMIT_S).state is JobState.DONE
    assert count == 20_000


def test_a_faulty_listener_or_parser_does_not_lose_the_child(caplog: pytest.LogCaptureFixture) -> None:
    def faulty(*_: object) -> None:
        raise RuntimeError("mine")

    job = Job(spec("--plain", "log:x", protocol="lines"), None, faulty, faulty)
    job.start()
    view = job.wait(LIMIT_S)
    assert (view.state, view.log_tail) == (JobState.DONE, ("x",))
    assert {record.getMessage().split(" of ")[0] for record in caplog.records} == {"listener", "line parser"}


def test_strange_output_is_kept_as_text() -> None:
    view = Run("bytes", "raw:[1,2]", 'raw:{"type":"nonsense"}', "huge:20000000", "tail:the end", "exit:0").start().end()
    assert view.state is JobState.CRASHED
    first, second, third, huge, last = view.log_tail
    assert first == "caf� ��\x00 end"
    assert (second, third, last) == ("[1,2]", '{"type":"nonsense"}', "the end")
    assert set(huge) == {"x"}


def test_a_result_without_newline_counts() -> None:
    assert Run('tail:{"type":"result","data":{"x":1}}', "exit:0").start().end().result == {"x": 1}


def test_lines_are_parsed_and_progress_bars_split() -> None:
    def parse(text: str) -> Progress | None:
        done, _, total = text.partition(" of ")
        return Progress(done=float(done), total=float(total)) if total else None

    run = Run("--plain", "log:before", "bar:50", "tail:after", protocol="lines", parse_line=parse)
    view = run.start().end()
    assert [event.done for event in run.events if isinstance(event, Progress)] == [float(n) for n in range(1, 51)]
    assert view.log_tail == ("before", "after")


def test_a_program_that_is_not_there_is_told() -> None:
    job = Job(JobSpec(id="x", kind="k", argv=("/no/such/program",)))
    job.start()
    view = job.wait(LIMIT_S)
    assert view.state is JobState.FAILED
    assert view.failure is not None
    assert (view.failure.code, view.failure.facts["program"]) == ("job_not_started", "/no/such/program")


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    job = Job(spec("log:x"), tmp_path / "file")
    job.start()
    assert job.wait(LIMIT_S).state is JobState.FAILED


def test_a_polite_cancel() -> None:
    run = Run("log:ready", "wait:60").start().until_log("ready")
    run.job.cancel()
    run.job.cancel()
    view = run.end()
    assert (view.state, view.exit_code) == (JobState.CANCELLED, 130)
    assert JobState.CANCELLING in {seen.state for seen in run.views}


@pytest.mark.parametrize(
    ("words", "protocol", "code"),
    [
        (["log:ready", "sleep:60"], "worker", -signal.SIGTERM),
        (["ignore", "log:ready", "sleep:60"], "worker", -signal.SIGKILL),
        (["--plain", "log:ready", "sleep:60"], "lines", -signal.SIGINT),
        (["--plain", "ignore", "log:ready", "sleep:60"], "lines", -signal.SIGKILL),
    ],
)
def test_a_cancel_gets_firmer_step_by_step(words: list[str], protocol: Any, code: int) -> None:
    run = Run(*words, protocol=protocol).start().until_log("ready")
    run.job.cancel()
    view = run.end()
    assert (view.state, view.exit_code) == (JobState.CANCELLED, code)


def test_a_cancel_before_the_start() -> None:
    run = Run("log:x")
    run.job.cancel()
    assert run.job.wait(0).state is JobState.CANCELLED
    run.start()
    assert len(run.events) == 1


def test_a_cancel_right_after_the_start() -> None:
    run = Run("wait:60").start()
    run.job.cancel()
    assert run.end().state is JobState.CANCELLED


def test_a_cancel_after_the_end_changes_nothing() -> None:
    run = Run("log:x").start()
    view = run.end()
    run.job.cancel()
    assert run.job.close() == view


def test_the_callback_may_cancel_and_wait() -> None:
    def on_event(view: JobView, event: AnyJobEvent) -> None:
        if isinstance(event, Log):
            job.cancel()
            job.wait()

    job = Job(spec("log:x", "wait:60"), on_event=on_event)
    job.start()
    assert job.wait(LIMIT_S).state is JobState.CANCELLED


def test_close_kills_what_does_not_listen() -> None:
    job = Job(spec("ignore", "hang"), grace_s=60)
    job.start()
    started = time.monotonic()
    view = job.close(timeout_s=1.5)
    assert view.state is JobState.CANCELLED
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    ("words", "limits", "kind"),
    [
        (["hang"], {"total_timeout_s": 0.3}, "total"),
        (["ignore", "hang"], {"total_timeout_s": 0.3}, "total"),
        (["close", "hang"], {"total_timeout_s": 0.3}, "total"),
        (["log:x", "hang"], {"silence_timeout_s": 0.3, "total_timeout_s": 60.0}, "silence"),
    ],
)
def test_time_limits(words: list[str], limits: dict[str, float], kind: str) -> None:
    view = Run(*words, **limits).start().end()
    assert (view.state, view.timeout, view.timeout_s) == (JobState.TIMED_OUT, kind, 0.3)


def test_whoever_speaks_is_not_silent() -> None:
    view = Run("progress:160", silence_timeout_s=1.5).start().end()
    assert view.state is JobState.DONE
    noisy = Run(*["complain:1", "sleep:0.4"] * 4, silence_timeout_s=1.5).start().end()
    assert noisy.state is JobState.DONE, "standard error counts as well"


def test_a_worker_that_does_not_end_after_its_last_word_is_ended() -> None:
    view = Run('raw:{"type":"result","data":{"x":1}}', "hang").start().end()
    assert (view.state, view.result, view.exit_code) == (JobState.DONE, {"x": 1}, -signal.SIGTERM)


def test_a_child_that_closes_its_output_and_goes_on() -> None:
    run = Run("close", "sleep:0.3", "exit:5").start()
    view = run.end()
    assert (view.state, view.exit_code) == (JobState.CRASHED, 5)
    assert (view.duration_s or 0) >= 0.3


def test_an_orphan_that_holds_the_output_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_watch, "_HELD_PIPE_S", 0.2)
    run = Run("orphan:60", 'result:{"x":1}').start()
    assert run.end().result == {"x": 1}
    assert gone(run.orphan())
    escaped = Run("escape:60", 'result:{"x":1}').start()
    assert escaped.end().result == {"x": 1}
    assert time.monotonic() - escaped.started_at < LIMIT_S, "one that left the session holds nothing up"
    os.kill(escaped.orphan(), signal.SIGKILL)


def test_a_cancel_takes_the_whole_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_watch, "_HELD_PIPE_S", 0.2)
    run = Run("orphan:60", "log:ready", "wait:60").start().until_log("ready")
    run.job.cancel()
    assert run.end().state is JobState.CANCELLED
    assert gone(run.orphan())


def test_much_on_standard_error_is_bounded_in_the_view(tmp_path: Path) -> None:
    view = Run("complain:30000", folder=tmp_path).start().end()
    assert view.stderr_tail[-1] == "complaint 29999"
    assert len(view.stderr_tail) <= 40
    assert (tmp_path / f"{view.id}.stderr").read_text().count("\n") == 30_000


def test_the_record_holds_no_passwords(tmp_path: Path) -> None:
    view = Run("log:http://me:hunter2@proxy:1", folder=tmp_path).start().end()
    first = (tmp_path / f"{view.id}.jsonl").read_text().splitlines()[0]
    assert "http://***@proxy:1" in first
    assert "hunter2" not in first


def test_nothing_stays_open(tmp_path: Path) -> None:
    def one() -> None:
        for words in (["log:x"], ["exit:1"], ["orphan:1", "exit:0"]):
            job = Job(spec(*words), tmp_path)
            job.start()
            job.wait(LIMIT_S)
            job.close()

    one()
    before = len(list(Path("/proc/self/fd").iterdir()))
    threads = threading.active_count()
    one()
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    assert threading.active_count() <= threads


def test_only_the_newest_records_are_kept(tmp_path: Path) -> None:
    names = [f"2026010{day}-000000-fake-0000" for day in range(1, 6)]
    for name in [*names, "mine"]:
        (tmp_path / f"{name}.jsonl").touch()
        (tmp_path / f"{name}.stderr").touch()
    job_files.prune(tmp_path, 2)
    assert {path.stem for path in tmp_path.iterdir()} == {*names[3:], "mine"}
    assert len(list(tmp_path.iterdir())) == 6


_PARENT = """
import sys, time
from rocm_gui.core.events import Metric
from rocm_gui.core.jobs import JobSpec
from rocm_gui.services.job import Job

def tell(view, event):
    if isinstance(event, Metric):
        print(view.pid, int(event.value), flush=True)

job = Job(JobSpec(id="x", kind="k", argv=tuple(sys.argv[1:])), on_event=tell)
job.start()
job.wait()
"""


def test_nothing_outlives_a_parent_that_is_killed() -> None:
    words = [sys.executable, FAKE, "ignore", "orphan:60", "hang"]
    root = str(Path(__file__).resolve().parents[2])
    parent = subprocess.Popen([sys.executable, "-c", _PARENT, *words], stdout=subprocess.PIPE, text=True, cwd=root)
    assert parent.stdout is not None
    pids = [int(word) for word in parent.stdout.readline().split()]
    assert len(pids) == 2
    parent.kill()
    parent.wait()
    parent.stdout.close()
    assert all(gone(pid) for pid in pids)
