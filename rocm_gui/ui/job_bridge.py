"""A job of the services as a Qt object: however fast it talks, the window hears it at most 20 times a second."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from rocm_gui.core.events import Log

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocm_gui.core.jobs import AnyJobEvent, JobView
    from rocm_gui.services.job import Job

EMIT_MS = 50
LINES_KEPT = 20_000


class JobBridge(QObject):
    """Runs one job. ``close`` ends it in a thread of its own: the window never waits for a program."""

    changed = Signal(object)  # JobView
    logged = Signal(list)  # (text, level) of each new line
    ended = Signal(object)  # the terminal JobView, once

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        self._lock = threading.Lock()
        self._view: JobView | None = None
        self._lines: list[tuple[str, str]] = []
        self._timer = QTimer(self)
        self._timer.setInterval(EMIT_MS)
        self._timer.timeout.connect(self._drain)

    @property
    def running(self) -> bool:
        """Whether the job has been started and has not ended."""
        return self._timer.isActive()

    def start(self, make: Callable[[Callable[[JobView, AnyJobEvent], None]], Job]) -> None:
        """Start the job that ``make`` makes with this object as its listener."""
        assert not self.running
        self._view = None
        self._lines = []
        self._job = make(self._hear)
        self._timer.start()
        self._job.start()

    def cancel(self) -> None:
        """Ask the job to stop; ``ended`` follows."""
        if self._job is not None:
            self._job.cancel()

    def close(self) -> None:
        """Stop listening, and end what still runs."""
        self._timer.stop()
        job = self._job
        if job is not None and not job.view.state.terminal:
            threading.Thread(target=job.close, name=f"close-{job.spec.id}", daemon=True).start()

    def _hear(self, view: JobView, event: AnyJobEvent) -> None:
        """Called in the job's threads."""
        with self._lock:
            self._view = view
            if isinstance(event, Log) and len(self._lines) < LINES_KEPT:
                level = "warning" if event.stream == "stderr" and event.level == "info" else event.level
                self._lines.append((event.text, level))

    def _drain(self) -> None:
        with self._lock:
            view, self._view = self._view, None
            lines, self._lines = self._lines, []
        if lines:
            self.logged.emit(lines)
        if view is None:
            return
        if view.state.terminal:
            self._timer.stop()
        self.changed.emit(view)
        if view.state.terminal:
            self.ended.emit(view)
