"""Jobs that did not end well, from the records that they left."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import msgspec

from rocm_gui.core.events import Hello, Log, Result
from rocm_gui.core.jobs import AnyJobEvent, JobSpec, JobStarting, JobState, JobView, first_view, reduce
from rocm_gui.system.process import decode_output

if TYPE_CHECKING:
    from pathlib import Path

RECORD_READ_BYTES = 8 << 20  # of one record: enough for any but a flooded one, whose end is read all the same
TAIL_BYTES = 256 << 10  # of standard error, and of a flooded record's end
LOOKED_AT = 60  # the newest records
_BAD = (JobState.FAILED, JobState.TIMED_OUT, JobState.CRASHED)
_decoder = msgspec.json.Decoder(AnyJobEvent)


class JobRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A job as its record tells it."""

    view: JobView
    argv: tuple[str, ...] = ()
    text: str = ""  # what it said, both streams: the record's lines first, then standard error
    cut: bool = False  # there is more in its files


def failed_jobs(folder: Path, limit: int = 8) -> tuple[JobRecord, ...]:
    """The newest jobs that failed, crashed or ran out of time, newest first, without their ``text``.

    Args:
        folder: where jobs leave their records.
        limit: how many at most; only the newest ``LOOKED_AT`` records are looked at.
    """
    records = sorted((path for path in folder.glob("*.jsonl")), key=lambda path: path.name, reverse=True)
    found: list[JobRecord] = []
    for path in records[:LOOKED_AT]:
        record = _replay(path)
        if record is not None and record.view.state in _BAD:
            found.append(record)
            if len(found) == limit:
                break
    return tuple(found)


def read_job(folder: Path, job_id: str) -> JobRecord | None:
    """One job with everything that it said; None where its record is gone.

    Args:
        folder: where jobs leave their records.
        job_id: as ``failed_jobs`` tells it; names with folders in them are nothing that a job is called.
    """
    if job_id in ("", ".", "..") or any(letter in job_id for letter in "/\\:"):
        return None
    record = _replay(folder / f"{job_id}.jsonl", text=True)
    if record is None:
        return None
    errors, cut = _tail(folder / f"{job_id}.stderr")
    text = "\n".join(filter(None, (record.text, decode_output(errors).strip("\n"))))
    failure = record.view.failure
    if failure is not None and failure.message and failure.message not in text:
        text = "\n".join(filter(None, (text, failure.message)))
    return msgspec.structs.replace(record, text=text, cut=record.cut or cut)


def _replay(path: Path, *, text: bool = False) -> JobRecord | None:
    """The job of a record; a damaged line counts as not written."""
    lines, cut = _lines(path)
    if lines is None:
        return None
    view = first_view(JobSpec(id=path.stem, kind="", argv=(), protocol="lines"))
    argv: tuple[str, ...] = ()
    said: list[str] = []
    for line in lines:
        try:
            event = _decoder.decode(line)
        except msgspec.DecodeError:
            continue
        if isinstance(event, JobStarting):
            argv = event.argv
            view = msgspec.structs.replace(view, kind=event.kind)
        elif isinstance(event, (Hello, Result)):  # which other programs do not say
            view = msgspec.structs.replace(view, protocol="worker")
        elif isinstance(event, Log) and text:
            said.append(event.text)
        view = reduce(view, event)
    return JobRecord(view=view, argv=argv, text="\n".join(said), cut=cut)


def _lines(path: Path) -> tuple[list[bytes] | None, bool]:
    """The lines of a record; of one that is very long the first and the last, and True."""
    try:
        with path.open("rb") as file:
            data = file.read(RECORD_READ_BYTES)
            rest = file.read(1)
    except OSError:
        return None, False
    lines = data.splitlines()
    if not rest:
        return lines, False
    end, _ = _tail(path)
    return lines[:-1] + end.splitlines()[1:], True


def _tail(path: Path) -> tuple[bytes, bool]:
    """The end of a file, and whether there is more before it; empty where there is no file."""
    with contextlib.suppress(OSError), path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - TAIL_BYTES))
        return file.read(), size > TAIL_BYTES
    return b"", False
