from __future__ import annotations

import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from rocm_gui.system import files
from rocm_gui.system.files import append_line_fsync, remove_leftovers, retry_busy, write_atomic

if TYPE_CHECKING:
    from pathlib import Path

posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")


def test_it_writes_text_and_bytes_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "new" / "设置.toml"
    write_atomic(path, "é\n")
    assert path.read_bytes() == b"\xc3\xa9\n"
    write_atomic(path, b"\x00")
    assert path.read_bytes() == b"\x00"
    assert list(path.parent.iterdir()) == [path]


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_atomic(path, "old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_atomic(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@posix
def test_permissions_are_kept_or_given(tmp_path: Path) -> None:
    path = tmp_path / "file"
    old = os.umask(0o027)
    try:
        write_atomic(path, "x")
    finally:
        os.umask(old)
    assert path.stat().st_mode & 0o777 == 0o640
    path.chmod(0o604)
    write_atomic(path, "y")
    assert path.stat().st_mode & 0o777 == 0o604
    write_atomic(path, "z", mode=0o600)
    assert path.stat().st_mode & 0o777 == 0o600


@posix
def test_a_symbolic_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "link").symlink_to("real")
    write_atomic(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_readers_see_the_old_or_the_new_file_never_a_part(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomic(path, "0" * 10_000)
    stop = threading.Event()

    def write() -> None:
        for number in range(1, 60):
            write_atomic(path, str(number % 10) * 10_000)
        stop.set()

    writer = threading.Thread(target=write)
    writer.start()
    seen = set()
    while not stop.is_set():
        seen.add(retry_busy(path.read_text))
    writer.join()
    assert all(len(text) == 10_000 and len(set(text)) == 1 for text in seen)


_SAVER = """
import sys
from pathlib import Path
from rocm_gui.system.files import write_atomic
number = 0
while True:
    write_atomic(Path(sys.argv[1]), str(number % 10) * 200_000)
    number += 1
    print(number, flush=True)
"""


def test_kill_in_the_middle_of_saving_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for round_number in range(8):
        process = subprocess.Popen([sys.executable, "-c", _SAVER, str(path)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        for _ in range(round_number + 1):
            process.stdout.readline()
        process.kill()
        process.wait()
        process.stdout.close()
        text = path.read_text()
        assert len(text) == 200_000
        assert len(set(text)) == 1
    remove_leftovers(tmp_path)
    assert list(tmp_path.iterdir()) == [path]


def test_a_write_removes_only_old_leftovers_of_its_own_kind(tmp_path: Path) -> None:
    old, fresh, foreign = (tmp_path / name for name in (".a.1.rocm_gui.tmp", ".a.2.rocm_gui.tmp", ".a.tmp"))
    for path in (old, fresh, foreign):
        path.write_text("")
    os.utime(old, (0, 0))
    os.utime(foreign, (0, 0))
    write_atomic(tmp_path / "a", "x")
    assert {path.name for path in tmp_path.iterdir()} == {"a", fresh.name, foreign.name}


def test_lines_are_appended_whole(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    append_line_fsync(path, '{"a":1}')
    append_line_fsync(path, b'{"b":2}\n')
    assert path.read_bytes() == b'{"a":1}\n{"b":2}\n'
    with pytest.raises(ValueError, match="one line"):
        append_line_fsync(path, "a\nb")


def test_a_line_cut_short_by_a_crash_does_not_swallow_the_next(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b'{"a":1}\n{"b":')
    append_line_fsync(path, '{"c":3}')
    assert path.read_bytes() == b'{"a":1}\n{"b":\n{"c":3}\n'


def test_windows_sharing_violations_are_tried_again() -> None:
    answers = [32, 5, 33, None]

    def operation() -> str:
        code = answers.pop(0)
        if code is None:
            return "done"
        error = OSError(13, "in use")
        error.winerror = code  # type: ignore[attr-defined]
        raise error

    assert retry_busy(operation) == "done"


def test_other_errors_are_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def operation() -> None:
        calls.append(1)
        raise FileNotFoundError(2, "gone")

    with pytest.raises(FileNotFoundError):
        retry_busy(operation)
    assert len(calls) == 1


def test_a_file_that_stays_busy_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_RETRY_FOR_S", 0.0)

    def operation() -> None:
        error = PermissionError(13, "in use")
        error.winerror = 32  # type: ignore[attr-defined]
        raise error

    with pytest.raises(PermissionError):
        retry_busy(operation)
