"""Ctrl-C, SIGTERM and the end of the session close the window in an orderly way."""

from __future__ import annotations

import contextlib
import signal
import socket
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSocketNotifier, Signal

if TYPE_CHECKING:
    from types import FrameType


class ProcessSignals(QObject):
    """Turns the process's signals into a Qt signal.

    Qt's event loop runs in C, where Python's handlers are not called; the interpreter's wake-up descriptor is a socket
    that Qt watches, which works on Windows as well.
    """

    asked_to_quit = Signal(int)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)
        self._old_descriptor = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._old = {number: signal.signal(number, self._ignore) for number in self._numbers()}
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_readable)

    def close(self) -> None:
        """Put the former handlers back."""
        if self._notifier.isEnabled():
            self._notifier.setEnabled(False)
            signal.set_wakeup_fd(self._old_descriptor)
            for number, handler in self._old.items():
                signal.signal(number, handler)
            self._reader.close()
            self._writer.close()

    @staticmethod
    def _numbers() -> list[int]:
        names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
        return [getattr(signal, name) for name in names if hasattr(signal, name)]

    def _ignore(self, number: int, frame: FrameType | None) -> None:
        """The wake-up descriptor carries the number; nothing is done in the handler itself."""

    def _on_readable(self) -> None:
        data = b""
        with contextlib.suppress(BlockingIOError, OSError):
            data = self._reader.recv(64)
        for number in data:
            if number in self._numbers():
                self.asked_to_quit.emit(number)
