"""Reads a child's output on a thread of its own, a bounded way ahead."""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
from typing import IO

if sys.platform != "win32":
    import select

_PIECE_BYTES = 64 << 10
_PIECES = 32  # then the child waits for its reader, instead of filling our memory
_WAKE_MS = 250


class PipeReader:
    """Owns ``pipe``: ``get`` hands out its bytes, ``close`` ends the thread and closes it."""

    def __init__(self, pipe: IO[bytes], name: str = "pipe-reader") -> None:
        self._pipe = pipe
        self._pieces: queue.Queue[bytes] = queue.Queue(_PIECES)
        self._closed = threading.Event()
        self._ended = False
        self._thread = threading.Thread(target=self._read, name=name, daemon=True)
        self._thread.start()

    def get(self, timeout_s: float) -> bytes | None:
        """The next bytes; ``b""`` at the end, and ever after; None when nothing came in time."""
        if self._ended:
            return b""
        try:
            piece = self._pieces.get(timeout=timeout_s)
        except queue.Empty:
            return None
        self._ended = not piece
        return piece

    def close(self) -> None:
        """Stop reading, at once on POSIX; on Windows a read in progress ends with the last process that writes."""
        self._closed.set()
        with contextlib.suppress(queue.Empty):
            while True:
                self._pieces.get_nowait()
        self._thread.join(2 * _WAKE_MS / 1000)

    def _read(self) -> None:
        descriptor = self._pipe.fileno()
        try:
            while not self._closed.is_set():
                if not self._ready(descriptor):
                    continue
                try:
                    piece = os.read(descriptor, _PIECE_BYTES)
                except OSError:  # Windows: the pipe broke
                    piece = b""
                self._put(piece)
                if not piece:
                    return
        finally:
            with contextlib.suppress(OSError):
                self._pipe.close()

    def _put(self, piece: bytes) -> None:
        while not self._closed.is_set():
            with contextlib.suppress(queue.Full):
                self._pieces.put(piece, timeout=_WAKE_MS / 1000)
                return

    @staticmethod
    def _ready(descriptor: int) -> bool:
        """Whether a read would not block, as far as the system can tell."""
        if sys.platform == "win32":
            return True
        poll = select.poll()
        poll.register(descriptor, select.POLLIN | select.POLLHUP | select.POLLERR)
        return bool(poll.poll(_WAKE_MS))
