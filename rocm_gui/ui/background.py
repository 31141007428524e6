"""Work off the GUI thread: plain threads in, one queued signal out."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, Slot

if TYPE_CHECKING:
    from collections.abc import Callable

_LOG = logging.getLogger(__name__)
CLOSE_LIMIT_S = 8.0
UNSHOWN_MS = 300  # held work waits this long for a widget to be shown,
UNPAINTED_MS = 3000  # this long for the picture of a shown one, which a minimised window never gets,
FRAME_MS = 17  # and this long for a picture to reach the screen


class Background(QObject):
    """Runs functions in threads and hands their results back in the GUI thread.

    After ``close`` nothing is delivered any more: a page that is gone is never called. With ``hold_until_painted``
    threads start after a widget's first picture, which they would slow down.
    """

    _finished = Signal(int, object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._next = 0
        self._closed = False
        self._held: list[threading.Thread] | None = None
        self._watched: QObject | None = None
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.timeout.connect(self._start_held)
        self._threads: dict[int, threading.Thread] = {}
        self._receivers: dict[int, tuple[Callable[[Any], None] | None, Callable[[BaseException], None] | None]] = {}
        self._finished.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """Whether something still runs."""
        return bool(self._threads)

    def run(
        self,
        work: Callable[[], Any],
        done: Callable[[Any], None] | None = None,
        failed: Callable[[BaseException], None] | None = None,
    ) -> None:
        """Run ``work`` in a thread; ``done(result)`` or ``failed(error)`` follows in the GUI thread."""
        if self._closed:
            return
        self._next += 1
        ticket = self._next
        self._receivers[ticket] = (done, failed)
        thread = threading.Thread(target=self._work, args=(ticket, work), name=f"background-{ticket}", daemon=True)
        self._threads[ticket] = thread
        if self._held is not None:
            self._held.append(thread)
        else:
            thread.start()

    def hold_until_painted(self, widget: QObject) -> None:
        """Start no thread before ``widget`` was painted, or has had its time to be."""
        self._held = []
        self._watched = widget
        widget.installEventFilter(self)
        self._patience.start(UNSHOWN_MS)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The first picture is about to be painted: threads may start after it."""
        if self._watched is watched and self._held is not None:
            if event.type() == QEvent.Type.Show:
                self._patience.start(UNPAINTED_MS)
            elif event.type() == QEvent.Type.Paint:
                self._patience.start(FRAME_MS)
        return False

    def call(self, function: Callable[[], None]) -> None:
        """Call ``function`` in the GUI thread, from whichever thread this is."""
        if not self._closed:
            self._finished.emit(0, function, None)

    def close(self) -> None:
        """Deliver nothing more and wait for the threads, for a limited time."""
        self._closed = True
        self._held = None
        self._patience.stop()
        self._receivers.clear()
        deadline = time.monotonic() + CLOSE_LIMIT_S
        for thread in list(self._threads.values()):
            if thread.ident is not None:
                thread.join(max(0.0, deadline - time.monotonic()))
        self._threads.clear()

    def _start_held(self) -> None:
        held, self._held = self._held or [], None
        if self._watched is not None:
            self._watched.removeEventFilter(self)
            self._watched = None
        for thread in held:
            thread.start()

    def _work(self, ticket: int, work: Callable[[], Any]) -> None:
        result: object = None
        error: BaseException | None = None
        try:
            result = work()
        except BaseException as caught:  # noqa: BLE001 - whatever happened belongs to the receiver
            error = caught
        if self._closed:
            return
        try:
            self._finished.emit(ticket, result, error)
        except RuntimeError:  # the window was destroyed in between
            _LOG.debug("result of background work %d came after the window", ticket)

    @Slot(int, object, object)
    def _deliver(self, ticket: int, result: object, error: BaseException | None) -> None:
        if ticket == 0 and callable(result):
            if not self._closed:
                result()
            return
        self._threads.pop(ticket, None)
        done, failed = self._receivers.pop(ticket, (None, None))
        if self._closed:
            return
        if error is None:
            if done is not None:
                done(result)
        elif failed is not None:
            failed(error)
        else:
            _LOG.error("background work failed", exc_info=error)
