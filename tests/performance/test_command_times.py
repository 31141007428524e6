"""How long the commands take, against what this machine needs to start a Python at all.

The targets on a desktop are 0.2 s for ``--help`` and 2 s for ``check``, both warm. A busy machine stretches command and
yardstick alike, so the gate is their ratio within one run; the absolute figures are printed (``pytest -s``).
"""

from __future__ import annotations

import subprocess
import sys
import time

YARDSTICK = [sys.executable, "-c", "import argparse, json, subprocess, threading, pathlib"]
RUNS = 5


def best_of(argv: list[str]) -> float:
    """The shortest of a few runs, in seconds: what is left is the work, not the neighbours."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        subprocess.run(argv, capture_output=True, timeout=120, check=False)
        times.append(time.perf_counter() - start)
    return min(times)


def test_help_costs_little_more_than_starting_python() -> None:
    yardstick = best_of(YARDSTICK)
    command = best_of([sys.executable, "-m", "rocm_gui", "--help"])
    print(f"\n--help {command:.3f} s, yardstick {yardstick:.3f} s, ratio {command / yardstick:.2f}")
    assert command < 4 * yardstick


def test_check_is_a_small_number_of_python_starts() -> None:
    yardstick = best_of(YARDSTICK)
    command = best_of([sys.executable, "-m", "rocm_gui", "check", "--json"])
    print(f"\ncheck {command:.3f} s, yardstick {yardstick:.3f} s, ratio {command / yardstick:.2f}")
    assert command < 40 * yardstick
