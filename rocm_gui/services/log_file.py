"""Reads a log that somebody has: whichever encoding a shell or an editor gave it, however long it is."""

from __future__ import annotations

import codecs
from typing import TYPE_CHECKING

import msgspec

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.system.process import decode_output

if TYPE_CHECKING:
    from pathlib import Path

HEAD_BYTES = 1 << 20  # of a long log its beginning, where it says what runs,
TAIL_BYTES = 7 << 20  # and its end, where it fails
SAMPLE_BYTES = 64 << 10
CONTROL_SHARE = 0.02  # of bytes that no text has: above it is a program or a picture
_TEXT_CONTROLS = frozenset(b"\t\n\v\f\r\x08\x1b")  # tabs, line ends, progress bars, colours


class LogText(msgspec.Struct, frozen=True, kw_only=True):
    """What a file says. ``left_out`` bytes in its middle were not read."""

    text: str
    left_out: int = 0


def read_log(path: Path) -> LogText:
    """The text of a log file.

    UTF-8 and UTF-16 with and without a mark (PowerShell's ``>`` writes the latter), GBK, else the system's code page.

    Raises:
        AppError: ``log_unreadable`` with the reason, ``log_not_text`` for programs, pictures and archives,
            ``log_empty``.
    """
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(0)
            if size <= HEAD_BYTES + TAIL_BYTES:
                head, tail = file.read(), b""
            else:
                head = file.read(HEAD_BYTES)
                file.seek((size - TAIL_BYTES) // 2 * 2)  # UTF-16's units stand at even places
                tail = file.read()
    except OSError as error:
        raise AppError("log_unreadable", ExitCode.USAGE, path=str(path), reason=error.strerror or str(error)) from error
    if not head.strip():
        raise AppError("log_empty", ExitCode.USAGE, path=str(path))
    encoding = _encoding(head[:SAMPLE_BYTES])
    if encoding is None and _is_binary(head[:SAMPLE_BYTES]):
        raise AppError("log_not_text", ExitCode.USAGE, path=str(path))
    if not tail:
        return LogText(text=_decode(head, encoding))
    head, tail = _whole_lines(head, tail, encoding)
    left_out = size - len(head) - len(tail)
    return LogText(text=f"{_decode(head, encoding)}\n\n{_decode(tail, encoding)}", left_out=left_out)


def _encoding(sample: bytes) -> str | None:
    """The UTF-16 that ``sample`` is in; None for everything whose units are single bytes."""
    if sample[:2] == codecs.BOM_UTF16_LE:
        return "utf-16-le"
    if sample[:2] == codecs.BOM_UTF16_BE:
        return "utf-16-be"
    even, odd = sample[0::2], sample[1::2]
    half = max(1, len(odd))
    if len(sample) >= 4 and odd.count(0) > 0.4 * half and even.count(0) < 0.02 * half:
        return "utf-16-le"
    if len(sample) >= 4 and even.count(0) > 0.4 * half and odd.count(0) < 0.02 * half:
        return "utf-16-be"
    return None


def _whole_lines(head: bytes, tail: bytes, encoding: str | None) -> tuple[bytes, bytes]:
    """Both pieces without the line that was cut: no letter is torn apart."""
    if encoding is not None:
        end = "\n".encode(encoding)
        first = tail.find(end)
        while first % 2 and first >= 0:
            first = tail.find(end, first + 1)
        return head[: len(head) // 2 * 2], tail[first + 2 :] if first >= 0 else tail
    return head[: head.rfind(b"\n") + 1] or head, tail[tail.find(b"\n") + 1 :]


def _is_binary(sample: bytes) -> bool:
    controls = sum(byte < 0x20 and byte not in _TEXT_CONTROLS for byte in sample)
    return sample.count(0) > 0.001 * len(sample) or controls > CONTROL_SHARE * len(sample)


def _decode(data: bytes, encoding: str | None) -> str:
    if encoding is not None:
        return data.decode(encoding, errors="replace").lstrip("\ufeff").replace("\r\n", "\n")
    text = data.decode("utf-8-sig", errors="replace")
    beyond_ascii = len(data) - len(data.translate(None, bytes(range(0x80, 0x100))))
    if text.count("\ufffd") * 4 > beyond_ascii:  # not UTF-8 with a stray byte, but something else
        try:
            text = data.decode("gb18030")
        except UnicodeDecodeError:
            text = decode_output(data)
    return text.replace("\r\n", "\n")
