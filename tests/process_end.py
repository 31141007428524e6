"""Waiting for a process that was killed: a kill takes effect when the system next runs its target."""

from __future__ import annotations

import threading
import time

import psutil


def gone(pid: int, limit_s: float = 10.0) -> bool:
    """Whether the process ``pid`` ends (or is a zombie) within ``limit_s`` seconds."""
    deadline, pause = time.monotonic() + limit_s, threading.Event()
    while time.monotonic() < deadline:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        pause.wait(0.01)
    return False
