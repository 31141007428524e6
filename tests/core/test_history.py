"""The memory of samples: tiers, gaps, decimation, size."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rocm_gui.core.history import History
from rocm_gui.core.telemetry import ASLEEP, GpuSample, Reading, Sample

POWER = ("0", "power_w")


def sample(at: float, value: float | None = None, throttle: tuple[str, ...] = (), **more: float) -> Sample:
    metrics = {"power_w": ASLEEP if value is None else Reading(value)}
    metrics |= {name: Reading(number) for name, number in more.items()}
    return Sample(
        time=1e9 + at, monotonic=at, source="t", gpus=(GpuSample(id="0", metrics=metrics, throttle=throttle),)
    )


def test_samples_come_back_as_they_were() -> None:
    history = History()
    for second in range(10):
        history.add(sample(100 + second, second))
    window = history.window(POWER, 60, 600)
    assert window.mean.tolist() == list(range(10))
    assert window.t.tolist() == [-9, -8, -7, -6, -5, -4, -3, -2, -1, 0]
    assert window.statistics == (0, 4.5, 9)
    assert history.window(("1", "power_w"), 60, 600).statistics is None


def test_what_was_not_read_is_a_gap_and_no_zero() -> None:
    history = History()
    for second, value in ((0, 5.0), (1, None), (2, 7.0)):
        history.add(sample(second, value))
    assert [None if math.isnan(v) else v for v in history.window(POWER, 60, 100).mean] == [5.0, None, 7.0]


def test_a_pause_breaks_the_line() -> None:
    history = History()
    for second in (0, 1, 2, 3, 30, 31):
        history.add(sample(second, 1.0))
    window = history.window(POWER, 60, 100)
    assert np.isnan(window.mean).sum() == 1
    assert window.statistics == (1, 1, 1)


def test_a_sample_that_comes_twice_or_late_is_not_kept() -> None:
    history = History()
    for second in (5, 5, 4, 6):
        history.add(sample(second, second))
    assert history.window(POWER, 60, 100).mean.tolist() == [5, 6]


def test_an_hour_and_a_day_keep_minimum_mean_and_maximum() -> None:
    history = History()
    for tick in range(4 * 3600):  # one hour at 4 Hz
        history.add(sample(1000 + tick / 4, 100 + tick % 4))
    hour = history.window(POWER, 3600, 10_000)
    assert hour.mean.shape[0] == pytest.approx(3600, abs=3)
    assert set(hour.mean.tolist()) == {101.5}
    assert (float(hour.low.min()), float(hour.high.max())) == (100, 103)
    day = history.window(POWER, 86_400, 10_000)
    assert day.mean.shape[0] == pytest.approx(360, abs=2)
    assert day.statistics == (100, 101.5, 103)


def test_decimation_keeps_every_peak() -> None:
    history = History()
    for second in range(1200):
        history.add(sample(second, 900 if second == 617 else 40))
    window = history.window(POWER, 1200, 100)
    assert window.mean.shape[0] <= 200
    assert window.statistics is not None
    assert (window.statistics[0], window.statistics[2]) == (40, 900)
    assert np.all(np.diff(window.t) > 0)


def test_throttling_is_kept_as_stretches() -> None:
    history = History()
    for second in range(20):
        history.add(sample(second, 1.0, ("power",) if 5 <= second < 8 else ()))
    assert history.throttling("0", 60) == ((-14, -11, ("power",)),)
    assert history.throttling("0", 12) == ((-12, -11, ("power",)),)


def test_eight_gpus_stay_below_100_mb_and_do_not_grow() -> None:
    history = History()
    metrics = {f"m{number}": Reading(1.0) for number in range(30)}

    def tick(second: int) -> Sample:
        gpus = tuple(GpuSample(id=str(gpu), metrics=metrics) for gpu in range(8))
        return Sample(time=second, monotonic=second, source="t", gpus=gpus)

    history.add(tick(1))
    first = history.nbytes
    for second in range(2, 1500):
        history.add(tick(second))
    assert history.nbytes == first < 100_000_000
