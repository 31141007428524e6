"""What was sampled, kept in memory: the last samples as they came, then seconds, then tens of seconds.

Rings are written twice, at ``i`` and ``i + length``: any window is one slice without a copy. A gap is a row of NaN.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from rocm_gui.core.telemetry import Sample

Channel = tuple[str, str]  # GPU id, metric name

RAW_LENGTH: Final = 1200  # samples as they came: 2 minutes at 10 Hz, 20 at 1 Hz
TIERS: Final = ((1.0, 3600), (10.0, 8640))  # seconds a row, rows: one hour, one day
_COLUMNS: Final = 32  # channels are added in blocks
_GAP_FACTOR: Final = 3.0  # a pause this many times longer than usual is a gap


class Window:
    """One channel over a stretch of time; ``t`` in seconds before its end (0 is now, the past is negative)."""

    def __init__(self, t: NDArray[np.float64], mean: NDArray[np.float32], low: NDArray[np.float32],
                 high: NDArray[np.float32]) -> None:  # fmt: skip
        self.t = t
        self.mean = mean
        self.low = low
        self.high = high

    @property
    def statistics(self) -> tuple[float, float, float] | None:
        """Smallest, mean and largest value; None where nothing was read."""
        if not np.isfinite(self.mean).any():
            return None
        return float(np.nanmin(self.low)), float(np.nanmean(self.mean)), float(np.nanmax(self.high))


class _Ring:
    """Rows of float32, one column a channel, with the time of each row."""

    def __init__(self, length: int, columns: int, layers: int) -> None:
        self.length = length
        self.times = np.full(2 * length, np.nan)
        self.layers = [np.full((2 * length, columns), np.nan, dtype=np.float32) for _ in range(layers)]
        self.position = 0
        self.filled = 0

    def widen(self, columns: int) -> None:
        for index, layer in enumerate(self.layers):
            wider = np.full((2 * self.length, columns), np.nan, dtype=np.float32)
            wider[:, : layer.shape[1]] = layer
            self.layers[index] = wider

    def append(self, time_s: float, rows: Iterable[NDArray[np.float32]]) -> None:
        for place in (self.position, self.position + self.length):
            self.times[place] = time_s
            for layer, row in zip(self.layers, rows, strict=True):
                layer[place] = row
        self.position = (self.position + 1) % self.length
        self.filled = min(self.filled + 1, self.length)

    def since(self, start_s: float) -> slice:
        """The rows from ``start_s`` on, oldest first."""
        end = self.position + self.length
        first = end - self.filled
        return slice(first + int(np.searchsorted(self.times[first:end], start_s)), end)

    @property
    def oldest_s(self) -> float | None:
        return None if self.filled == 0 else float(self.times[self.position + self.length - self.filled])

    @property
    def nbytes(self) -> int:
        return self.times.nbytes + sum(layer.nbytes for layer in self.layers)


class _Bucket:
    """The running minimum, sum and maximum of one row that is not full yet."""

    def __init__(self, period_s: float, columns: int) -> None:
        self.period_s = period_s
        self.index: int | None = None
        self.reset(columns)

    def reset(self, columns: int) -> None:
        self.low: NDArray[np.float32] = np.full(columns, np.inf, dtype=np.float32)
        self.high: NDArray[np.float32] = np.full(columns, -np.inf, dtype=np.float32)
        self.sum: NDArray[np.float64] = np.zeros(columns, dtype=np.float64)
        self.count: NDArray[np.int32] = np.zeros(columns, dtype=np.int32)

    def widen(self, columns: int) -> None:
        old = (self.low, self.high, self.sum, self.count)
        self.reset(columns)
        for wide, narrow in zip((self.low, self.high, self.sum, self.count), old, strict=True):
            wide[: narrow.shape[0]] = narrow

    def add(self, row: NDArray[np.float32]) -> None:
        known: NDArray[np.bool_] = np.isfinite(row)
        np.fmin(self.low, row, out=self.low)
        np.fmax(self.high, row, out=self.high)
        self.sum[known] += row[known]
        self.count += known

    def rows(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        """Mean, minimum, maximum."""
        empty = self.count == 0
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = (self.sum / self.count).astype(np.float32)
        low: NDArray[np.float32] = np.array(self.low)
        high: NDArray[np.float32] = np.array(self.high)
        mean[empty] = low[empty] = high[empty] = np.nan
        return mean, low, high


class History:
    """Everything that was sampled, by GPU and metric. Not safe to use from two threads at once without a lock."""

    def __init__(self) -> None:
        self._columns: dict[Channel, int] = {}
        self._width = _COLUMNS
        self._raw = _Ring(RAW_LENGTH, self._width, 1)
        self._tiers = [_Ring(length, self._width, 3) for _, length in TIERS]
        self._buckets = [_Bucket(period_s, self._width) for period_s, _ in TIERS]
        self._last_s: float | None = None
        self._usual_s = 1.0
        self._throttled: dict[str, list[tuple[float, tuple[str, ...]]]] = {}

    @property
    def channels(self) -> tuple[Channel, ...]:
        """All that was ever read."""
        return tuple(self._columns)

    @property
    def newest_s(self) -> float | None:
        """The monotonic time of the last sample."""
        return self._last_s

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the rings hold."""
        return self._raw.nbytes + sum(ring.nbytes for ring in self._tiers)

    def add(self, sample: Sample, values: Mapping[Channel, float] | None = None) -> None:
        """Keep a sample; ``values`` replaces its readings where a caller derived more."""
        found = values if values is not None else _values(sample)
        row = self._row(found)
        now = sample.monotonic
        if self._last_s is not None:
            if now <= self._last_s:
                return  # a reading that came too late says nothing new
            pause = now - self._last_s
            if pause > max(_GAP_FACTOR * self._usual_s, 0.5):
                self._raw.append(self._last_s + self._usual_s, [np.full(self._width, np.nan, dtype=np.float32)])
            else:
                self._usual_s += 0.2 * (pause - self._usual_s)
        self._raw.append(now, [row])
        for ring, bucket in zip(self._tiers, self._buckets, strict=True):
            self._fill(ring, bucket, now, row)
        self._last_s = now
        self._note_throttling(sample)

    def window(self, channel: Channel, seconds: float, points: int) -> Window:
        """The last ``seconds`` of ``channel`` in at most ``2 * points`` points: minima and maxima stay visible."""
        column = self._columns.get(channel)
        now = self._last_s
        if column is None or now is None:
            nothing = np.empty(0, dtype=np.float32)
            return Window(np.empty(0), nothing, nothing, nothing)
        start = now - seconds
        oldest = self._raw.oldest_s
        if oldest is not None and (oldest <= start or self._raw.filled < RAW_LENGTH):
            rows = self._raw.since(start)
            raw = self._raw.layers[0][rows, column]
            return _decimated(self._raw.times[rows] - now, raw, raw, raw, points)
        ring = next((ring for ring, (period, n) in zip(self._tiers, TIERS, strict=True) if period * n >= seconds),
                    self._tiers[-1])  # fmt: skip
        rows = ring.since(start)
        mean, low, high = (layer[rows, column] for layer in ring.layers)
        return _decimated(ring.times[rows] - now, mean, low, high, points)

    def throttling(self, gpu: str, seconds: float) -> tuple[tuple[float, float, tuple[str, ...]], ...]:
        """Stretches (begin, end in seconds before now, reasons) in which something held the clocks of ``gpu`` down."""
        now = self._last_s
        if now is None:
            return ()
        marks = [(at - now, reasons) for at, reasons in self._throttled.get(gpu, ())]
        ends = [at for at, _ in marks[1:]] + [0.0]
        return tuple(
            (max(at, -seconds), end, reasons)
            for (at, reasons), end in zip(marks, ends, strict=True)
            if reasons and end > -seconds
        )

    def _row(self, values: Mapping[Channel, float]) -> NDArray[np.float32]:
        for channel in values:
            if channel not in self._columns:
                self._columns[channel] = len(self._columns)
        if len(self._columns) > self._width:
            self._width = -(-len(self._columns) // _COLUMNS) * _COLUMNS
            for ring in (self._raw, *self._tiers):
                ring.widen(self._width)
            for bucket in self._buckets:
                bucket.widen(self._width)
        row = np.full(self._width, np.nan, dtype=np.float32)
        for channel, value in values.items():
            row[self._columns[channel]] = value
        return row

    def _fill(self, ring: _Ring, bucket: _Bucket, now: float, row: NDArray[np.float32]) -> None:
        index = int(now // bucket.period_s)
        if bucket.index is not None and index != bucket.index:
            ring.append((bucket.index + 0.5) * bucket.period_s, bucket.rows())
            if index > bucket.index + 2:  # one row of nothing is enough to break the line
                nothing = np.full(self._width, np.nan, dtype=np.float32)
                ring.append((bucket.index + 1.5) * bucket.period_s, [nothing] * 3)
            bucket.reset(self._width)
        bucket.index = index
        bucket.add(row)

    def _note_throttling(self, sample: Sample) -> None:
        for gpu in sample.gpus:
            marks = self._throttled.setdefault(gpu.id, [])
            reasons = gpu.throttle or ()
            if (marks and marks[-1][1] != reasons) or (not marks and reasons):
                marks.append((sample.monotonic, reasons))
                del marks[:-2000]


def _values(sample: Sample) -> dict[Channel, float]:
    return {
        (gpu.id, name): reading.value
        for gpu in sample.gpus
        for name, reading in gpu.metrics.items()
        if reading.value is not None and reading.quality == "ok"
    }


def _decimated(
    t: NDArray[np.float64], mean: NDArray[np.float32], low: NDArray[np.float32], high: NDArray[np.float32], points: int
) -> Window:
    """At most ``points`` groups of neighbours, each with its own mean, minimum and maximum; gaps stay gaps."""
    count = t.shape[0]
    if count <= 2 * points:
        return Window(t, mean, low, high)
    size = -(-count // points)
    edges: NDArray[np.int64] = np.arange(0, count, size, dtype=np.int64)
    known: NDArray[np.bool_] = np.isfinite(mean)
    number = np.add.reduceat(known.astype(np.int64), edges)
    total = np.add.reduceat(np.where(known, mean, 0.0).astype(np.float64), edges)
    with np.errstate(invalid="ignore", divide="ignore"):
        middle = (total / number).astype(np.float32)
    return Window(
        t[np.minimum(edges + size // 2, count - 1)],
        middle,
        np.fmin.reduceat(low, edges),
        np.fmax.reduceat(high, edges),
    )
