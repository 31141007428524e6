"""Jobs, process trees and files with the real Windows calls: Job objects, hidden consoles, sharing violations."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rocm_gui.core.events import Log, Metric
from rocm_gui.core.jobs import JobSpec, JobState
from rocm_gui.core.settings import Settings
from rocm_gui.services.job import Job, new_job_id
from rocm_gui.services.job_queue import JobQueue
from rocm_gui.system.files import append_line_fsync, write_atomic
from rocm_gui.system.paths import find_workers
from rocm_gui.system.process import child_env, find_program, run
from rocm_gui.system.settings_file import SettingsFile

if TYPE_CHECKING:
    from rocm_gui.core.jobs import AnyJobEvent, JobView

pytestmark = pytest.mark.windows

FAKE = str(find_workers() / "fake.py")
LIMIT_S = 60.0
_SYNCHRONIZE = 0x00100000


def gone(pid: int, within_s: float = 10.0) -> bool:
    """Whether the process has ended, or ends within the time."""
    kernel32 = ctypes.WinDLL("kernel32")  # type: ignore[attr-defined,unused-ignore]
    handle = kernel32.OpenProcess(_SYNCHRONIZE, False, pid)
    if not handle:
        return True
    try:
        return kernel32.WaitForSingleObject(handle, int(within_s * 1000)) == 0
    finally:
        kernel32.CloseHandle(handle)


class Run:
    """A job whose events are kept."""

    def __init__(self, *words: str, folder: Path | None = None, **options: Any) -> None:
        argv = (sys.executable, "-u", "-X", "utf8", FAKE, *words)
        self.events: list[AnyJobEvent] = []
        self.heard = threading.Condition()
        spec = JobSpec(id=new_job_id("fake"), kind="fake", argv=argv, **options)
        self.job = Job(spec, folder, self._on_event, grace_s=0.3, linger_s=0.5)
        self.job.start()

    def _on_event(self, view: JobView, event: AnyJobEvent) -> None:
        with self.heard:
            self.events.append(event)
            self.heard.notify_all()

    def until_log(self, text: str) -> Run:
        with self.heard:
            assert self.heard.wait_for(
                lambda: any(isinstance(event, Log) and event.text == text for event in self.events), LIMIT_S
            )
        return self

    def end(self) -> JobView:
        view = self.job.wait(LIMIT_S)
        assert view.state.terminal
        return view

    def orphan(self) -> int:
        return next(int(event.value or 0) for event in self.events if isinstance(event, Metric))


def test_a_worker_from_start_to_result(tmp_path: Path) -> None:
    view = Run("stage:gemm", "progress:3", "print:stray", 'result:{"ok":true}', folder=tmp_path / "作业").end()
    assert (view.state, view.exit_code, view.result) == (JobState.DONE, 0, {"ok": True})
    assert view.stderr_tail == ("stray",)
    assert (tmp_path / "作业" / f"{view.id}.jsonl").read_bytes().splitlines()[-1].startswith(b'{"type":"job_ended"')


@pytest.mark.parametrize("code", [0, 7, 0xC0000005, 0xC0000135])
def test_exit_codes_are_unsigned_and_a_missing_result_is_a_crash(code: int) -> None:
    signed = code - (1 << 32) if code >= 1 << 31 else code
    view = Run(f"exit:{signed}").end()
    assert (view.state, view.exit_code) == (JobState.CRASHED, code)


def test_a_polite_cancel() -> None:
    run_ = Run("log:ready", "wait:60").until_log("ready")
    run_.job.cancel()
    view = run_.end()
    assert (view.state, view.exit_code) == (JobState.CANCELLED, 130)


def test_a_deaf_worker_is_ended_with_all_it_started() -> None:
    run_ = Run("orphan:60", "log:ready", "sleep:60").until_log("ready")
    run_.job.cancel()
    assert run_.end().state is JobState.CANCELLED
    assert gone(run_.orphan())


def test_an_orphan_that_holds_the_output_is_ended() -> None:
    run_ = Run("escape:60", 'result:{"x":1}')
    view = run_.end()
    assert (view.state, view.result) == (JobState.DONE, {"x": 1})
    assert gone(run_.orphan())


@pytest.mark.parametrize("limits", [{"total_timeout_s": 1.0}, {"silence_timeout_s": 1.0}])
def test_time_limits(limits: dict[str, float]) -> None:
    assert Run("hang", **limits).end().state is JobState.TIMED_OUT


def test_a_flood(tmp_path: Path) -> None:
    count = 0

    def on_event(view: JobView, event: AnyJobEvent) -> None:
        nonlocal count
        count += isinstance(event, Log)

    argv = (sys.executable, "-u", FAKE, "--plain", "flood:20000", "tail:end")
    job = Job(JobSpec(id="flood", kind="k", argv=argv, protocol="lines"), tmp_path, on_event)
    job.start()
    view = job.wait(LIMIT_S)
    assert (view.state, count, view.log_tail[-1]) == (JobState.DONE, 20_001, "end")


def test_the_queue_closes_in_time() -> None:
    line = JobQueue(grace_s=0.3)
    jobs = [
        line.submit(JobSpec(id=name, kind="k", argv=(sys.executable, FAKE, "hang"), resource="gpu0")) for name in "ab"
    ]
    started = time.monotonic()
    assert line.close()
    assert time.monotonic() - started < 8
    assert {job.view.state for job in jobs} == {JobState.CANCELLED}


_PARENT = """
import sys
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
    words = [sys.executable, FAKE, "orphan:60", "hang"]
    root = str(Path(__file__).resolve().parents[2])
    parent = subprocess.Popen(
        [sys.executable, "-c", _PARENT, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root
    )
    assert parent.stdout is not None
    pids = [int(word) for word in parent.stdout.readline().split()]
    assert len(pids) == 2
    parent.kill()
    parent.wait()
    assert all(gone(pid) for pid in pids)


def test_a_program_that_hangs_is_killed_with_all_it_started() -> None:
    code = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "print(child.pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    done = run([sys.executable, "-c", code], timeout_s=6)
    assert (done.code, done.timed_out) == (None, True)
    assert gone(int(done.stdout))


def test_a_child_has_no_visible_console() -> None:
    code = "import ctypes; print(ctypes.WinDLL('user32').IsWindowVisible(ctypes.WinDLL('kernel32').GetConsoleWindow()))"
    assert run([sys.executable, "-c", code], timeout_s=LIMIT_S).stdout == "0\n"


def test_programs_are_found_by_path_and_ending_but_never_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "git.exe").write_bytes(b"MZ")
    monkeypatch.chdir(tmp_path)
    assert find_program("git", {"PATH": r"C:\nowhere", "PATHEXT": ".EXE"}) is None
    assert run(["git"], timeout_s=5, env={**child_env(), "PATH": r"C:\nowhere"}).missing
    found = find_program("cmd", dict(os.environ))
    assert found is not None
    assert Path(found).name.lower() == "cmd.exe"
    done = run(["cmd", "/c", "exit 3"], timeout_s=LIMIT_S)
    assert done.code == 3


def test_output_in_the_code_page_is_decoded() -> None:
    codec = "oem"
    text = "é" if "é".encode(codec, "replace").decode(codec) == "é" else "目"
    code = f"import sys; sys.stdout.buffer.write({text.encode(codec)!r})"
    assert run([sys.executable, "-c", code], timeout_s=LIMIT_S).stdout == text


def test_a_file_that_somebody_reads_is_replaced_once_it_is_free(tmp_path: Path) -> None:
    path = tmp_path / "设置.toml"
    write_atomic(path, "old")
    reader = path.open("rb")
    timer = threading.Timer(0.3, reader.close)
    timer.start()
    write_atomic(path, "new")
    timer.join()
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_lines_are_appended_as_they_are(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    append_line_fsync(path, '{"a":1}')
    append_line_fsync(path, '{"b":2}')
    assert path.read_bytes() == b'{"a":1}\n{"b":2}\n'


def test_settings_are_kept(tmp_path: Path) -> None:
    file = SettingsFile(tmp_path / "settings.toml")
    settings = Settings(default_target="D:\\ROCm 目录", theme="dark")
    file.save(settings)
    assert file.load() == (settings, [])


def test_the_log_rotates_although_another_program_holds_it(tmp_path: Path) -> None:
    import logging
    from logging.handlers import RotatingFileHandler

    from rocm_gui.system.logs import LOG_NAME, close_log, open_log

    handler = open_log(tmp_path, logging.INFO)
    assert isinstance(handler, RotatingFileHandler)
    handler.maxBytes = 200
    logger = logging.getLogger("rocm_gui.windows")
    try:
        with (tmp_path / LOG_NAME).open("rb"):
            for number in range(5):
                logger.info("held %d %s", number, "x" * 50)
        held = (tmp_path / LOG_NAME).read_text(encoding="utf-8")
        assert held.count("held") == 5 or (tmp_path / f"{LOG_NAME}.1").exists()
        for number in range(5):
            logger.info("free %d %s", number, "x" * 50)
        assert (tmp_path / f"{LOG_NAME}.1").exists()
        assert "free 4" in (tmp_path / LOG_NAME).read_text(encoding="utf-8")
    finally:
        close_log(handler)
