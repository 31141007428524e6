"""Nothing of the window is left when it has closed, whatever it was doing, and its process ends by itself."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.qt

DRIVER = Path(__file__).resolve().parent.parent / "window_driver.py"
CLOSE_LIMIT_S = 8.0
DOING = {
    "open": "idle",
    "scanning": "scanning",
    "planning": "planning",
    "installing": "applying",
    "script": "idle",
}


@pytest.mark.parametrize("moment", DOING)
@pytest.mark.skipif(sys.platform == "win32", reason="its stage makes environments as on Linux")
def test_a_closed_window_leaves_nothing(tmp_path, english, moment: str) -> None:
    argv = [sys.executable, str(DRIVER), str(tmp_path), "close", moment]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    reached, ended = (json.loads(line) for line in done.stdout.splitlines())
    assert reached == {"reached": DOING[moment]}
    assert ended["code"] == 0
    assert ended["took_s"] < CLOSE_LIMIT_S
    assert {kind: names for kind, names in ended["left"].items() if names} == {}
    if moment == "installing":
        assert _phase(tmp_path) == "cancelled"


def _phase(folder: Path) -> str:
    from rocm_gui.core.journal import decode_journal, fold

    (journal,) = (folder / "home" / "data" / "setups").glob("*/journal.jsonl")
    return fold(decode_journal(journal.read_bytes())[0]).phase


def test_a_window_that_was_never_painted_leaves_its_held_work_undone(make_gui) -> None:
    gui = make_gui()
    assert gui.background.busy
    background = gui.background
    gui.close()
    assert not background.busy
