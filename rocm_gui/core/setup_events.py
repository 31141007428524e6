"""What an installer tells while it works; the command line prints it, the window draws it."""

from __future__ import annotations

import msgspec

from rocm_gui.core.plan import StepState


class StepChanged(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="step"):
    """A step came into another state."""

    step: str
    state: StepState
    index: int  # from 1
    count: int
    facts: dict[str, str | int | float | bool | None] = {}


class StepProgress(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="progress"):
    """How far the current step is. Numbers that are not known are None."""

    step: str
    done: float | None = None
    total: float | None = None
    unit: str = ""  # "bytes", "files", "packages"
    rate: float | None = None  # units a second
    remaining_s: float | None = None
    item: str | None = None  # what is worked on: a wheel, a package


class StepLog(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="log"):
    """A line from what a step runs."""

    step: str
    text: str
    level: str = "info"


SetupEvent = StepChanged | StepProgress | StepLog


class RateMeter:
    """Speed over the last seconds and the time that is left, from counts and the caller's clock."""

    def __init__(self, window_s: float = 8.0) -> None:
        self._window_s = window_s
        self._points: list[tuple[float, float]] = []

    def add(self, now_s: float, done: float) -> None:
        """Note that ``done`` units were there at ``now_s``; going back starts anew."""
        if self._points and done < self._points[-1][1]:
            self._points.clear()
        if self._points and now_s - self._points[-1][0] < self._window_s / 80:
            self._points[-1] = (self._points[-1][0], done) if len(self._points) > 1 else self._points[-1]
            return
        self._points.append((now_s, done))
        while len(self._points) > 2 and now_s - self._points[0][0] > self._window_s:
            self._points.pop(0)

    @property
    def rate(self) -> float | None:
        """Units a second; None before there are two points."""
        if len(self._points) < 2:
            return None
        (first_s, first), (last_s, last) = self._points[0], self._points[-1]
        return (last - first) / (last_s - first_s) if last_s > first_s else None

    def remaining_s(self, total: float | None) -> float | None:
        """Seconds until ``total`` at this speed; None where that cannot be said."""
        rate = self.rate
        if total is None or not rate or rate <= 0:
            return None
        return max(0.0, (total - self._points[-1][1]) / rate)
