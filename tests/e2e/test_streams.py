"""The command line with streams that are closed, full or abandoned."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import machines as m
import msgspec
import pytest

REPOSITORY = Path(__file__).resolve().parent.parent.parent
posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX shells and /dev/full")


@pytest.fixture
def record(tmp_path: Path) -> str:
    path = tmp_path / "machine.json"
    path.write_bytes(msgspec.json.encode(m.no_gpu()))
    return str(path)


def shell(script: str, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs ``script``, where ``"$@"`` is the command of ``words``."""
    env = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "PYTHON", "LANG"))}
    env |= {"LANG": "C.UTF-8", "PYTHONPATH": str(REPOSITORY), **variables}
    argv = ["/bin/sh", "-c", script, "sh", sys.executable, "-m", "rocm_gui", *words]
    return subprocess.run(argv, env=env, capture_output=True, text=True, timeout=60, check=False)


@posix
@pytest.mark.parametrize("closed", ["2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_closed_stream_changes_nothing_but_what_is_heard(record: str, closed: str, more: tuple[str, ...]) -> None:
    done = shell(f'"$@" {closed}', "check", "--machine", record, *more)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    heard = ">&-" not in closed.replace("2>&-", "")
    assert bool(done.stdout) is heard


@posix
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_reader_that_leaves_is_no_error(record: str, more: tuple[str, ...]) -> None:
    done = shell('{ "$@"; echo "code $?" >&2; } | true', "check", "--machine", record, *more)
    assert done.stderr == "code 0\n"


@posix
@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_result_that_cannot_be_written_is_a_failure(record: str, more: tuple[str, ...]) -> None:
    done = shell('"$@" > /dev/full', "check", "--machine", record, *more)
    assert done.returncode == 1
    assert done.stderr.startswith("rocm-gui: The result could not be written: No space left on device.")
    assert done.stderr.count("\n") == 1


@posix
def test_what_was_reported_stands_before_what_is_said_next(record: str, tmp_path: Path) -> None:
    words = ("setup", "apply", "--route", "cpu", "--machine", record, "--target", str(tmp_path / "rocm"), "--dry-run")
    done = shell('"$@" 2>&1', *words)
    assert done.returncode == 0
    assert done.stdout.splitlines()[0].startswith("Plan")
    assert done.stdout.splitlines()[-1].startswith("Dry run")


@posix
def test_remarks_that_cannot_be_written_are_dropped(record: str) -> None:
    done = shell('"$@" 2> /dev/full', "setup", "plan", "--machine", record, "--target", "relative")
    assert done.returncode == 2


@posix
def test_help_and_version_to_a_reader_that_leaves() -> None:
    assert shell('{ "$@"; echo "code $?" >&2; } | true', "--help").stderr == "code 0\n"
    assert shell('{ "$@"; echo "code $?" >&2; } | true', "--version").stderr == "code 0\n"


@posix
def test_no_display_is_said_before_qt_gives_up() -> None:
    script = 'unset DISPLAY WAYLAND_DISPLAY QT_QPA_PLATFORM; "$@"'
    done = shell(script)
    assert done.returncode == 1
    assert "no display" in done.stderr
    assert "rocm-gui check" in done.stderr


def test_a_settings_file_that_cannot_be_used_is_mentioned(record: str, product_home: Path) -> None:
    settings = product_home / "config" / "settings.toml"
    settings.parent.mkdir()
    settings.write_text("proxy = [", encoding="utf-8")
    argv = [sys.executable, "-m", "rocm_gui", "--lang", "en", "check", "--machine", record, "--json"]
    done = subprocess.run(argv, capture_output=True, text=True, encoding="utf-8", cwd=REPOSITORY, check=False)
    assert done.returncode == 0
    assert json.loads(done.stdout)["schema"] == 1
    assert done.stderr.startswith(f"rocm-gui: {settings} is not valid TOML (")
    assert done.stderr.count("\n") == 1
