"""The two files that a job leaves: what it said (``.jsonl``) and its standard error (``.stderr``)."""

from __future__ import annotations

import contextlib
import logging
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from rocm_gui.core.events import Failure, Log, Metric, Progress, Result
from rocm_gui.core.jobs import JobEnded, JobRecordCut, JobStarting
from rocm_gui.core.lines import LineSplitter
from rocm_gui.core.redact import mask_secrets
from rocm_gui.system.files import retry_busy
from rocm_gui.system.process import decode_output

if TYPE_CHECKING:
    from typing import BinaryIO

    from rocm_gui.core.jobs import AnyJobEvent

RECORD_LIMIT_BYTES = 64 << 20
KEPT_JOBS = 200
_LINE_LIMIT_BYTES = 64 << 10
_READ_BYTES = 256 << 10
_BEHIND_BYTES = 1 << 20
_JOB_NAME = re.compile(r"\d{8}-\d{6}-")  # as new_job_id makes them; nothing else is ever removed
_FREQUENT = (Log, Progress, Metric)

_log = logging.getLogger(__name__)
_encoder = msgspec.json.Encoder()


class JobFiles:
    """Opens, fills and closes the files of one job; without a folder they are temporary.

    Raises:
        OSError: where the folder cannot be written.
    """

    def __init__(self, folder: Path | None, job_id: str) -> None:
        self._temporary = None if folder is not None else Path(tempfile.mkdtemp(prefix="rocm_gui_job_"))
        place = self._temporary or folder
        assert place is not None
        place.mkdir(parents=True, exist_ok=True)
        self._record: BinaryIO | None = None
        self._written = 0
        self._cut = False
        self.stderr_path = place / f"{job_id}.stderr"
        self.stderr = self.stderr_path.open("ab")  # appending: several processes of the tree may write
        self._tail: BinaryIO = self.stderr_path.open("rb", buffering=0)
        self._splitter = LineSplitter(_LINE_LIMIT_BYTES, carriage_returns=True)
        if folder is not None:
            prune(folder, KEPT_JOBS)
            self._record = (place / f"{job_id}.jsonl").open("ab")

    def record(self, event: AnyJobEvent) -> None:
        """Append ``event``; what comes from standard error stands in the other file.

        A full disk costs the record, not the job.
        """
        if self._record is None or (isinstance(event, Log) and event.stream == "stderr"):
            return
        if isinstance(event, JobStarting):
            event = msgspec.structs.replace(event, argv=tuple(mask_secrets(word) for word in event.argv))
        line = _encoder.encode(event) + b"\n"
        full = self._written + len(line) > RECORD_LIMIT_BYTES
        if full and not self._cut:
            self._cut = True
            line = _encoder.encode(JobRecordCut()) + b"\n" + (b"" if isinstance(event, _FREQUENT) else line)
        elif self._cut and not isinstance(event, (Result, Failure, JobEnded)):
            return
        try:
            self._record.write(line)
        except OSError as error:
            _log.warning("job record given up: %s", error)
            self._close_record()
            return
        self._written += len(line)

    def flush(self) -> None:
        """Hand to the system what was recorded, so that a reader sees it."""
        if self._record is not None:
            try:
                self._record.flush()
            except OSError as error:
                _log.warning("job record given up: %s", error)
                self._close_record()

    def read_stderr(self, *, last: bool = False) -> list[Log] | None:
        """New lines of standard error; None where nothing came.

        Of a flood only the end is read, the file has all of it. ``last`` gives an unfinished line as well.
        """
        piece = b""
        with contextlib.suppress(OSError):
            behind = self.stderr_path.stat().st_size - self._tail.tell()
            if behind > _BEHIND_BYTES:
                self._tail.seek(-_READ_BYTES, 2)
            piece = self._tail.read(_READ_BYTES) or b""
        lines = self._splitter.feed(piece) if piece else []
        if last:
            lines += self._splitter.flush()
        if not piece and not lines:
            return None
        return [Log(text=decode_output(line), stream="stderr") for line in lines]

    def close(self) -> None:
        """Close the files; temporary ones are removed."""
        self._close_record()
        for file in (self.stderr, self._tail):
            with contextlib.suppress(OSError):
                file.close()
        if self._temporary is not None:
            folder = self._temporary
            with contextlib.suppress(OSError):
                retry_busy(lambda: shutil.rmtree(folder))

    def _close_record(self) -> None:
        record, self._record = self._record, None
        if record is not None:
            with contextlib.suppress(OSError):
                record.close()


def prune(folder: Path, keep: int) -> None:
    """Remove the files of the oldest jobs beyond ``keep``; their names sort by time."""
    records = sorted(path for path in folder.glob("*.jsonl") if _JOB_NAME.match(path.name))
    for record in records[: max(0, len(records) - keep)]:
        for path in (record.with_suffix(".stderr"), record):
            with contextlib.suppress(OSError):
                path.unlink()
