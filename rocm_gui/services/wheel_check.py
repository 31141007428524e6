"""Whether a wheel is whole: every byte against the wheel's own list, for indexes that publish no hash."""

from __future__ import annotations

import base64
import csv
import errno
import hashlib
import io
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_BLOCK = 1 << 20
_UNLISTED = ("RECORD", "RECORD.jws", "RECORD.p7s")


class WheelDamagedError(ValueError):
    """The wheel is not what its RECORD says; ``member`` names the first file that differs."""

    def __init__(self, reason: str, member: str | None = None) -> None:
        super().__init__(f"{reason}: {member}" if member else reason)
        self.reason = reason
        self.member = member


def check_wheel(path: Path, on_bytes: Callable[[int, int], None] | None = None) -> None:
    """Compare each member of the wheel at ``path`` with its checksum in the archive and its hash in RECORD.

    ``on_bytes(done, total)`` hears of unpacked bytes and may raise to stop.

    Raises:
        WheelDamagedError: where the archive is cut, a checksum or hash differs, or a member is missing or unlisted.
        OSError: where the file cannot be read.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            _check_members(archive, on_bytes)
    except WheelDamagedError:
        raise
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, OverflowError, struct.error) as error:
        # a flipped bit can pass for encryption, an unknown method, a wild offset or a name in no encoding
        raise WheelDamagedError(str(error) or "not a zip archive") from error
    except OSError as error:
        if error.errno != errno.EINVAL:  # a wild offset again: a place before the beginning of the file
            raise
        raise WheelDamagedError("not a zip archive") from error


def _check_members(archive: zipfile.ZipFile, on_bytes: Callable[[int, int], None] | None) -> None:
    members = {info.filename: info for info in archive.infolist() if not info.is_dir()}
    record_name = next((n for n in members if n.endswith(".dist-info/RECORD") and n.count("/") == 1), None)
    if record_name is None:
        raise WheelDamagedError("no RECORD")
    listed = _read_record(archive.read(record_name).decode("utf-8", errors="replace"))
    folder = record_name.removesuffix("RECORD")
    exempt = {folder + name for name in _UNLISTED}
    missing = next((name for name in listed if name not in members), None)
    if missing is not None:
        raise WheelDamagedError("missing", missing)
    total = sum(info.file_size for info in members.values())
    done = 0
    for name, info in members.items():
        expected = listed.get(name)
        if name not in exempt and expected is None:
            raise WheelDamagedError("not in RECORD", name)
        if name.startswith("/") or ".." in name.split("/") or ":" in name:
            raise WheelDamagedError("unsafe path", name)
        digest = hashlib.new(expected[0]) if expected and expected[0] else None
        with archive.open(info) as member:  # reading to the end compares the archive's checksum
            while block := member.read(_BLOCK):
                if digest is not None:
                    digest.update(block)
                done += len(block)
                if on_bytes is not None:
                    on_bytes(done, total)
        if digest is not None and expected is not None and _b64(digest.digest()) != expected[1]:
            raise WheelDamagedError("hash differs", name)


def _read_record(text: str) -> dict[str, tuple[str | None, str]]:
    """Member name -> (algorithm, hash as RECORD writes it); algorithm None where the line has no hash."""
    listed: dict[str, tuple[str | None, str]] = {}
    for row in csv.reader(io.StringIO(text)):
        if not row:
            continue
        algorithm, _, value = (row[1] if len(row) > 1 else "").partition("=")
        if algorithm and algorithm not in hashlib.algorithms_available:
            raise WheelDamagedError(f"unknown hash {algorithm}", row[0])
        listed[row[0]] = (algorithm or None, value)
    return listed


def _b64(digest: bytes) -> str:
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode("ascii")
