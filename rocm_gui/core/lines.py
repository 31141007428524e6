"""Cuts a stream of bytes into lines, whatever the stream does."""

from __future__ import annotations

import re

_NEWLINE = re.compile(rb"\n")
_ANY_END = re.compile(rb"\r?\n|\r(?=[^\n])")


class LineSplitter:
    r"""Lines of a stream that comes in pieces; memory stays below ``limit`` bytes plus one piece.

    A line longer than ``limit`` is cut there and the rest of it dropped (``dropped_bytes`` counts them). With
    ``carriage_returns`` a lone ``\r`` ends a line too, as progress bars need.
    """

    def __init__(self, limit: int, *, carriage_returns: bool = False) -> None:
        self._limit = limit
        self._ends = _ANY_END if carriage_returns else _NEWLINE
        self._carriage_returns = carriage_returns
        self._rest = bytearray()
        self._overlong = False
        self.dropped_bytes = 0

    def feed(self, piece: bytes) -> list[bytes]:
        """The lines that ``piece`` completes, without their ends; empty ones are left out."""
        if not self._rest and not self._overlong:
            data = piece
        else:
            # Only the new piece (and the byte before it) is searched: a line in many pieces stays linear.
            if not self._has_end(piece):
                self._keep(piece)
                return []
            data = bytes(self._rest) + piece
            self._rest.clear()
        lines: list[bytes] = []
        start = 0
        for match in self._ends.finditer(data):
            self._take(data[start : match.start()], lines)
            start = match.end()
        self._keep(data[start:])
        return lines

    def flush(self) -> list[bytes]:
        """The last line of a stream that ended without a line end."""
        lines: list[bytes] = []
        rest = bytes(self._rest)
        self._rest.clear()
        self._take(rest, lines)
        return lines

    def _has_end(self, piece: bytes) -> bool:
        if b"\n" in piece:
            return True
        return self._carriage_returns and (b"\r" in piece or self._rest.endswith(b"\r"))

    def _take(self, line: bytes, lines: list[bytes]) -> None:
        self._overlong = False
        if len(line) > self._limit:
            self.dropped_bytes += len(line) - self._limit
            line = line[: self._limit]
        line = line.rstrip(b"\r")
        if line:
            lines.append(line)

    def _keep(self, piece: bytes) -> None:
        room = self._limit - len(self._rest)
        self._rest += piece[:room]
        if len(piece) > room:
            self.dropped_bytes += len(piece) - max(room, 0)
            self._overlong = True
