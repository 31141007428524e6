"""How long the window takes, each against a yardstick of the same run.

The targets on a quiet desktop are 1.0 s to the first picture (warm), 100 ms for a page, and frame times during an
install whose 99th percentile is at most twice the idle one. A busy machine stretches window and yardstick alike, so the
gates are ratios within one run; the absolute figures are printed (``pytest -s``).
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.qt

DRIVER = Path(__file__).resolve().parent.parent / "window_driver.py"
FRAME_MS = 1000 / 60
RUNS = 4
ATTEMPTS = 3


def drive(folder: Path, *action: str) -> dict:
    """The last answer of the window driver."""
    argv = [sys.executable, str(DRIVER), str(folder), *action]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=120, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def test_the_first_picture_costs_a_few_empty_windows(tmp_path, english) -> None:
    pairs = [(drive(tmp_path, "paint-product"), drive(tmp_path, "paint-empty")) for _ in range(RUNS)]
    product, empty = ({key: min(run[key] for run in runs) for key in runs[0]} for runs in zip(*pairs, strict=True))
    print(
        f"\nfirst picture {product['wall_s']:.2f} s (processor {product['cpu_s']:.2f} s), "
        f"an empty window {empty['wall_s']:.2f} s (processor {empty['cpu_s']:.2f} s), "
        f"ratio {product['cpu_s'] / empty['cpu_s']:.2f}"
    )
    # Processor time: it is what our code can cost, and other programs cannot take it away. Measured: 2.7 to 3.0.
    assert product["cpu_s"] < 4 * empty["cpu_s"]


@pytest.mark.skipif(sys.platform == "win32", reason="its stage makes environments as on Linux")
def test_a_page_turns_in_a_few_repaints(tmp_path, english) -> None:
    told = drive(tmp_path, "pages")
    passed, worked = (
        {name: [visit[kind] for visit in visits] for name, visits in told["pages"].items()} for kind in (0, 1)
    )
    for name, times in (("passed", passed), ("processor", worked)):
        first = {page: visits[0] for page, visits in times.items()}
        again = {page: min(visits[1:]) for page, visits in times.items()}
        slow, slow_again = max(first, key=first.__getitem__), max(again, key=again.__getitem__)
        print(
            f"\n{name}: a first visit {statistics.median(first.values()):.0f} ms, "
            f"longest {first[slow]:.0f} ms ({slow}); "
            f"later {statistics.median(again.values()):.0f} ms, longest {again[slow_again]:.0f} ms ({slow_again})"
        )
    repaint = told["repaint"][1]
    print(f"a repaint {repaint:.1f} ms of processor time")
    assert max(visits[0] for visits in worked.values()) < 20 * repaint
    assert max(min(visits[1:]) for visits in worked.values()) < 11 * repaint  # 100 ms where a repaint takes 9


@pytest.mark.skipif(sys.platform == "win32", reason="its stage makes environments as on Linux")
def test_a_loud_install_does_not_make_the_window_stutter(tmp_path, english) -> None:
    for attempt in range(ATTEMPTS):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        told = drive(folder, "frames", "2")
        idle, loud = told["idle"], told["loud"]
        print(
            f"\n99 % of frames: idle {idle['p99_ms']:.0f} ms, in a loud install {loud['p99_ms']:.0f} ms, "
            f"the worst {loud['worst_ms']:.0f} ms; "
            f"work a frame {idle['work_p99_ms']:.1f} and {loud['work_p99_ms']:.1f} ms"
        )
        assert told["lines"] > 2000
        calm = loud["p99_ms"] <= 2 * max(idle["p99_ms"], FRAME_MS)
        # The work of a frame fits into one: then the next comes at twice the interval at the latest.
        if calm or (_crowded() and loud["work_p99_ms"] <= FRAME_MS):
            return
    pytest.fail("the window stutters while it installs")


def _crowded() -> bool:
    """Whether other programs wait for the processor, so that intervals say more about them than about the window."""
    return os.getloadavg()[0] > (os.cpu_count() or 1)
