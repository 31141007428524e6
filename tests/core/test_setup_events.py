"""Speeds and times left, from a clock that the test holds."""

from __future__ import annotations

from rocm_gui.core.setup_events import RateMeter


def test_steady_speed() -> None:
    meter = RateMeter(window_s=8)
    assert meter.rate is None
    assert meter.remaining_s(100) is None
    for second in range(6):
        meter.add(float(second), second * 10.0)
    assert meter.rate == 10.0
    assert meter.remaining_s(100) == 5.0
    assert meter.remaining_s(None) is None


def test_only_the_last_seconds_count() -> None:
    meter = RateMeter(window_s=4)
    for second in range(10):
        meter.add(float(second), 0.0)
    for second in range(10, 20):
        meter.add(float(second), (second - 10) * 7.0)
    assert meter.rate == 7.0


def test_standing_still_and_going_back() -> None:
    meter = RateMeter()
    meter.add(0.0, 50.0)
    meter.add(1.0, 50.0)
    assert meter.rate == 0.0
    assert meter.remaining_s(100) is None
    meter.add(2.0, 10.0)  # another file
    assert meter.rate is None
