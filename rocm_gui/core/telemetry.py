"""What a telemetry source delivers: one sample of all GPUs, each value with its quality.

A value that is missing is ``None`` and its quality says why; nothing is ever filled in.
"""

from __future__ import annotations

from typing import Literal

import msgspec

Quality = Literal["ok", "asleep", "not_available", "stale", "denied", "error"]
# ok: read now · asleep: the GPU sleeps and was not woken · not_available: this card, driver or source has no such value
# stale: an older value, the newest that there is · denied: no right to read it · error: reading failed


class Reading(msgspec.Struct, frozen=True, gc=False):
    """One value in the unit of its metric (see ``metrics.toml``)."""

    value: float | None
    quality: Quality = "ok"


NOT_AVAILABLE = Reading(None, "not_available")
ASLEEP = Reading(None, "asleep")
DENIED = Reading(None, "denied")
FAILED = Reading(None, "error")


class GpuInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What does not change while a source is open."""

    id: str  # stable over restarts: "0000:03:00.0", with "HOST/" in front where it is another machine's
    name: str | None = None
    gfx_target: str | None = None
    pci_address: str | None = None
    integrated: bool | None = None
    host: str | None = None  # of a remote source
    limits: dict[str, float] = {}  # by metric name: the card's own limit (power cap, critical temperature, top clock)


class GpuSample(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One GPU at one moment."""

    id: str
    name: str | None = None
    metrics: dict[str, Reading] = {}
    throttle: tuple[str, ...] | None = None  # reason codes in force; () none, None not known
    state: Literal["active", "idle", "asleep", "lost"] = "active"  # idle: left alone so that it can fall asleep
    remarks: tuple[str, ...] = ()  # codes of what could not be read and why ("gpu_metrics_unknown_revision")
    blob: bytes | None = None  # the raw gpu_metrics, for recordings


class ProcessUse(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one process uses of one GPU. Missing is None, 0 is a measurement."""

    pid: int
    gpu: str  # id of the GPU
    name: str | None = None
    user: str | None = None
    vram_bytes: int | None = None
    gtt_bytes: int | None = None
    compute_units: int | None = None  # with waves at the moment of reading
    sdma_s: float | None = None  # since the process began
    evicted_s: float | None = None
    engines: dict[str, float] = {}  # busy share since the last reading, %, by engine: gfx, compute, copy, decode, …
    kinds: tuple[Literal["compute", "graphics"], ...] = ()


class Sample(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="sample"):
    """All GPUs of a source at one tick."""

    time: float  # seconds since the epoch, UTC, taken at the read
    source: str  # name of the source
    gpus: tuple[GpuSample, ...]
    monotonic: float = 0.0  # seconds of a clock that never jumps; differences only
    simulated: str | None = None  # name of the simulated machine
    remarks: tuple[str, ...] = ()  # codes of what concerns the whole source ("connection_lost")
    tick_ms: float | None = None  # what this reading took
