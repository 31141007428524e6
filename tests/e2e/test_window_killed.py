"""The plug is pulled while a window sets up: what it wrote is readable, and the next window offers to go on."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.qt

DRIVER = Path(__file__).resolve().parent.parent / "window_driver.py"
KILLS = 4


def start(folder: Path, action: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(DRIVER), str(folder), action],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def kill_in_the_run(folder: Path, delay_s: float) -> None:
    """Let a window set up, and end it without warning ``delay_s`` after its run has begun."""
    window = start(folder, "install")
    assert window.stdout is not None
    try:
        assert json.loads(window.stdout.readline()) == {"running": True}
        time.sleep(delay_s)  # not waiting for anything: this is the moment of the test
        assert window.poll() is None
    finally:
        window.kill()
        window.wait()
        window.stdout.close()


@pytest.mark.skipif(sys.platform == "win32", reason="its stage makes environments as on Linux")
def test_files_are_readable_and_the_setup_can_go_on(tmp_path, english) -> None:
    moments = random.Random(5)
    for number in range(KILLS):
        folder = tmp_path / str(number)
        folder.mkdir()
        kill_in_the_run(folder, moments.uniform(0.0, 0.4))
        window = start(folder, "look")
        told, _ = window.communicate(timeout=60)
        assert window.returncode == 0
        assert json.loads(told) == {
            "settings": [],  # nothing in settings.toml that could not be used
            "language": True,
            "draft": "install",
            "state": "setup",
            "phase": ["interrupted"],
            "offered": "Continue",
            "ended": "done",
        }
