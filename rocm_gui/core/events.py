"""What a worker says, one JSON object a line. The first is ``hello``, the last ``result`` or ``failure``."""

from __future__ import annotations

from typing import Any

import msgspec

PROTOCOL = 1


class Event(msgspec.Struct, frozen=True, tag_field="type", kw_only=True):
    """Base of all lines; ``time_s`` is seconds since the worker's start."""

    time_s: float | None = None


class Hello(Event, tag="hello", frozen=True, kw_only=True):
    """The worker runs and speaks this protocol."""

    protocol: int
    pid: int
    worker: str = ""
    python: str = ""


class Stage(Event, tag="stage", frozen=True, kw_only=True):
    """A named part of the work begins."""

    id: str
    index: int | None = None
    count: int | None = None


class Progress(Event, tag="progress", frozen=True, kw_only=True):
    """How far the current stage is; also the heartbeat of silent work."""

    done: float | None = None
    total: float | None = None
    unit: str = ""  # "bytes", "steps", ...
    rate: float | None = None  # units a second
    remaining_s: float | None = None


class Metric(Event, tag="metric", frozen=True, kw_only=True):
    """A measured value."""

    name: str
    value: float | None
    unit: str = ""
    labels: dict[str, str] = {}


class Log(Event, tag="log", frozen=True, kw_only=True):
    """A line of text, from the worker itself or from what it runs."""

    text: str
    level: str = "info"  # debug, info, warning, error
    stream: str = "worker"  # worker, stdout, stderr


class Partial(Event, tag="partial", frozen=True, kw_only=True):
    """One finished part of the result, sent at once so that a later crash cannot take it away."""

    data: dict[str, Any]


class Result(Event, tag="result", frozen=True, kw_only=True):
    """The work is finished; ``data`` is documented by each worker."""

    data: dict[str, Any]


class Failure(Event, tag="failure", frozen=True, kw_only=True):
    """The work failed in a way the worker understands."""

    code: str
    message: str = ""
    facts: dict[str, Any] = {}
    traceback: str | None = None


AnyEvent = Hello | Stage | Progress | Metric | Log | Partial | Result | Failure

_DECODER: msgspec.json.Decoder[AnyEvent] = msgspec.json.Decoder(AnyEvent)
_ENCODER = msgspec.json.Encoder()


def decode_event(line: bytes) -> AnyEvent:
    """The event on ``line``; anything that is not one becomes a ``Log`` from stdout, so that nothing is lost."""
    try:
        return _DECODER.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return Log(text=line.decode("utf-8", errors="replace").rstrip("\r\n"), stream="stdout")


def encode_event(event: AnyEvent) -> bytes:
    """One line with its newline."""
    return _ENCODER.encode(event) + b"\n"
