"""Small pieces of work side by side, in daemon threads: one that never ends cannot keep the program alive."""

from __future__ import annotations

import queue
import threading
import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

Item = TypeVar("Item")
Answer = TypeVar("Answer")
Outcome = tuple[object, "BaseException | None"]


def map_in_threads(function: Callable[[Item], Answer], items: Iterable[Item], *, workers: int = 8) -> list[Answer]:
    """``function`` of each item, in the order of the items; waits for all, and the first exception is raised.

    ``function`` bounds its own time: this is for children that run with a time limit.
    """
    work = list(items)
    answers: dict[int, Answer] = {}
    errors: list[Exception] = []
    todo: queue.SimpleQueue[int] = queue.SimpleQueue()
    for index in range(len(work)):
        todo.put(index)

    def drain() -> None:
        while True:
            try:
                index = todo.get_nowait()
            except queue.Empty:
                return
            try:
                answers[index] = function(work[index])
            except Exception as error:  # noqa: BLE001  # handed to the caller below
                errors.append(error)

    threads = [threading.Thread(target=drain, daemon=True) for _ in range(min(workers, len(work)))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return [answers[index] for index in range(len(work))]


def run_named(
    functions: Mapping[str, Callable[[], object]], limits_s: Mapping[str, float]
) -> tuple[dict[str, object], dict[str, str]]:
    """Every function in a thread of its own, each with its time limit in seconds.

    Returns:
        The results by name, and for each function without one "timeout" or the error's class and text. A
        function that runs over its limit is left behind in its daemon thread.
    """
    done: queue.SimpleQueue[tuple[str, Outcome]] = queue.SimpleQueue()

    def call(name: str, function: Callable[[], object]) -> None:
        try:
            done.put((name, (function(), None)))
        except Exception as error:  # noqa: BLE001  # said in the problems, never the end of the others
            done.put((name, (None, error)))

    begin = time.monotonic()
    waiting = {name: begin + limits_s[name] for name in functions}
    for name, function in functions.items():
        threading.Thread(target=call, args=(name, function), name=f"probe-{name}", daemon=True).start()
    results: dict[str, object] = {}
    problems: dict[str, str] = {}
    while waiting:
        try:
            name, (value, error) = done.get(timeout=max(0.0, min(waiting.values()) - time.monotonic()))
        except queue.Empty:
            now = time.monotonic()
            for name in [name for name, end in waiting.items() if end <= now]:
                del waiting[name]
                problems[name] = "timeout"
            continue
        if waiting.pop(name, None) is None:
            continue  # answered after it was given up
        if error is None:
            results[name] = value
        else:
            problems[name] = f"{type(error).__name__}: {error}"
    return results, problems
