"""Jobs in line: one at a time on each GPU."""

from __future__ import annotations

import threading
import time
from collections import deque
from typing import TYPE_CHECKING

from rocm_gui.services.job import CLOSE_TIMEOUT_S, Job
from rocm_gui.services.job_watch import GRACE_S

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rocm_gui.core.events import AnyEvent
    from rocm_gui.core.jobs import AnyJobEvent, JobSpec, JobView


class JobQueue:
    """Runs jobs that share a resource one after another, first come first served; others at once.

    ``on_event`` hears of every job, each from that job's own thread. The owner calls ``close``.
    """

    def __init__(
        self,
        jobs_dir: Path | None = None,
        on_event: Callable[[JobView, AnyJobEvent], None] | None = None,
        *,
        grace_s: float = GRACE_S,
    ) -> None:
        self._jobs_dir = jobs_dir
        self._on_event = on_event
        self._grace_s = grace_s
        self._lock = threading.Lock()
        self._waiting: dict[str, deque[Job]] = {}
        self._running: dict[str, Job] = {}  # by resource
        self._active: dict[str, Job] = {}  # by id: everything that has not ended
        self._closed = False

    def submit(
        self,
        spec: JobSpec,
        on_event: Callable[[JobView, AnyJobEvent], None] | None = None,
        parse_line: Callable[[str], AnyEvent | None] | None = None,
    ) -> Job:
        """Start the job, or put it in line behind those that use the same resource.

        Raises:
            RuntimeError: after ``close``.
            ValueError: where a job with this id has not ended yet.
        """

        def hear(view: JobView, event: AnyJobEvent) -> None:
            try:
                for listener in (on_event, self._on_event):
                    if listener is not None:
                        listener(view, event)
            finally:
                if view.state.terminal:  # the end of one job is told before the next one starts
                    self._leave(job)

        job = Job(spec, self._jobs_dir, hear, parse_line, grace_s=self._grace_s)
        with self._lock:
            if self._closed:
                raise RuntimeError("the queue is closed")
            if spec.id in self._active:
                raise ValueError(f"job {spec.id} is there already")
            self._active[spec.id] = job
            if spec.resource is not None:
                if spec.resource in self._running:
                    self._waiting.setdefault(spec.resource, deque()).append(job)
                    return job
                self._running[spec.resource] = job
        job.start()
        return job

    def views(self) -> list[JobView]:
        """The jobs that have not ended, in the order of their coming."""
        with self._lock:
            return [job.view for job in self._active.values()]

    def cancel(self, job_id: str) -> bool:
        """Cancel a job, running or in line; False where there is none of this id."""
        with self._lock:
            job = self._active.get(job_id)
        if job is None:
            return False
        job.cancel()
        return True

    def close(self, timeout_s: float = CLOSE_TIMEOUT_S) -> bool:
        """Cancel everything and wait; True when all of it has ended within ``timeout_s``."""
        deadline = time.monotonic() + timeout_s
        with self._lock:
            self._closed = True
            jobs = list(self._active.values())
        for job in reversed(jobs):  # those in line first: none of them may start now
            job.cancel()
        threads = [
            threading.Thread(target=job.close, args=(max(0.0, deadline - time.monotonic()),), daemon=True)
            for job in jobs
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        return all(job.view.state.terminal for job in jobs)

    def _leave(self, job: Job) -> None:
        """Take an ended job out and start the next in its line."""
        following: Job | None = None
        with self._lock:
            self._active.pop(job.spec.id, None)
            resource = job.spec.resource
            if resource is not None:
                line = self._waiting.get(resource, deque())
                if self._running.get(resource) is job:
                    following = line.popleft() if line else None
                    if following is None:
                        del self._running[resource]
                    else:
                        self._running[resource] = following
                elif job in line:
                    line.remove(job)
                if not line:
                    self._waiting.pop(resource, None)
        if following is not None:
            following.start()
