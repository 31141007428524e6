"""How a running setup looks: live on a terminal, a line a second elsewhere, JSON for programs."""

from __future__ import annotations

import io
import json
import signal
import sys
from typing import TYPE_CHECKING

import pytest

from rocm_gui.cli.output import Output
from rocm_gui.cli.setup_progress import ProgressPrinter, cancel_on_signal, log_text, progress_text, time_text
from rocm_gui.core.plan_report import size_text
from rocm_gui.core.setup_events import StepChanged, StepLog, StepProgress

if TYPE_CHECKING:
    from pathlib import Path


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def out(monkeypatch: pytest.MonkeyPatch) -> Output:
    return Output(json_mode=False, language="en")


def progress(done: float, total: float | None = 2.9e9, rate: float | None = 11.3e6) -> StepProgress:
    left = None if total is None or rate is None else (total - done) / rate
    return StepProgress(
        step="download", done=done, total=total, unit="bytes", rate=rate, remaining_s=left, item="torch"
    )


def test_words_of_progress(out: Output) -> None:
    assert progress_text(progress(412e6), out) == "412 MB of 2.9 GB (14 %), 11.3 MB/s, 3 min 40 s left, torch"
    assert progress_text(progress(5e3, None, None), out) == "5.0 kB, torch"
    packages = StepProgress(step="install", done=3, total=10, unit="packages")
    assert progress_text(packages, out) == "3 of 10 packages"
    chinese = Output(json_mode=False, language="zh_CN")
    assert progress_text(progress(412e6), chinese) == "412 MB / 2.9 GB（14%），11.3 MB/s，剩余 3 分 40 秒，torch"


def test_sizes_and_times(out: Output) -> None:
    assert [size_text(size) for size in (0, 999, 1000, 99.94e6, 100e6, 2.9e9)] == [
        "0 B", "999 B", "1.0 kB", "99.9 MB", "100 MB", "2.9 GB",
    ]  # fmt: skip
    assert [time_text(seconds, out) for seconds in (12, 60, 220, 3900)] == [
        "12 s",
        "1 min 0 s",
        "3 min 40 s",
        "1 h 5 min",
    ]


def test_one_line_a_second_where_there_is_no_terminal(out: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    clock = Clock()
    printer = ProgressPrinter(out, clock=clock)
    printer(StepChanged(step="download", state="running", index=5, count=9))
    for tick in range(50):
        clock.now = tick / 10
        printer(progress(tick * 1e6))
    printer(StepLog(step="download", text="Collecting x"))
    printer(StepLog(step="download", text="WARNING: slow", level="warning"))
    printer(StepChanged(step="download", state="done", index=5, count=9, facts={"files": 2, "bytes": 2.9e9}))
    lines = stream.getvalue().splitlines()
    assert lines[0].startswith("[5/9] Download")
    assert sum("MB/s" in line for line in lines) == 5
    assert "    WARNING: slow" in lines
    assert not any("Collecting" in line for line in lines)
    assert lines[-1].endswith("done (2 files, 2.9 GB fetched)")
    assert "\r" not in stream.getvalue()


def test_a_count_that_stands_still_is_told_once_where_there_is_no_terminal(
    out: Output, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    clock = Clock()
    printer = ProgressPrinter(out, clock=clock)
    for tick in range(60):
        clock.now = float(tick)
        printer(StepProgress(step="install", done=tick // 20, total=10, unit="packages"))
    assert [line.strip() for line in stream.getvalue().splitlines()] == [
        "0 of 10 packages", "1 of 10 packages", "2 of 10 packages",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("collecting filelock (from torch==2.13.0)", "查找 filelock"),
        ("processing /srv/wheels/torch-2.13.0.whl (from x)", "读取 torch-2.13.0.whl"),
        ("gemm", "矩阵乘法"),
        ("Looking in indexes: https://pypi.org/simple", None),
        ("some line of conda", "some line of conda"),
    ],
)
def test_what_programs_say_on_the_live_line(said: str, shown: str | None) -> None:
    assert log_text(StepLog(step="x", text=said), Output(json_mode=False, language="zh_CN")) == shown


def test_one_live_line_on_a_terminal(out: Output, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("COLUMNS", "60")
    clock = Clock()
    printer = ProgressPrinter(out, clock=clock)
    printer(StepChanged(step="download", state="running", index=5, count=9))
    for tick in range(20):
        clock.now = tick / 10
        printer(progress(tick * 1e6))
    printer.close()
    text = stream.getvalue()
    assert "\n" not in text
    assert all(len(piece) <= 60 for piece in text.split("\r"))
    assert text.endswith("\r")


def test_json_lines_are_thinned_and_end_whole(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    clock = Clock()
    printer = ProgressPrinter(Output(json_mode=True, language="en"), clock=clock)
    for tick in range(101):
        clock.now = tick / 100
        printer(StepProgress(step="download", done=tick, total=100, unit="bytes"))
    lines = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert 10 <= len(lines) <= 12
    assert lines[-1] == {
        "type": "progress", "step": "download", "done": 100, "total": 100, "unit": "bytes",
        "rate": None, "remaining_s": None, "item": None,
    }  # fmt: skip


class _HalfWay(Terminal):
    """A stream that is being written to when the signal comes: writing to it once more is refused by Python."""

    def __init__(self, handle: int) -> None:
        super().__init__()
        self._handle = handle

    def fileno(self) -> int:
        return self._handle

    def write(self, text: str) -> int:
        raise RuntimeError("reentrant call inside <_io.BufferedWriter name='<stderr>'>")


def test_a_signal_in_the_middle_of_a_line_cancels(out: Output, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with (tmp_path / "stderr").open("w+b") as file:
        monkeypatch.setattr(sys, "stderr", _HalfWay(file.fileno()))
        with cancel_on_signal(out) as cancel:
            signal.raise_signal(signal.SIGINT)
            assert cancel.is_set()
        file.seek(0)
        assert file.read().decode().strip() == out.texts.get("setup.cancelling")
