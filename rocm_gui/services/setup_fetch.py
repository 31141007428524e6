"""The download step: every file of pip's report, two at a time, each checked."""

from __future__ import annotations

import threading
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from rocm_gui.core.errors import AppError
from rocm_gui.core.parsers.pip import parse_config
from rocm_gui.services.download import Cancelled, Downloader, Item, Network
from rocm_gui.services.setup_context import StepContext, StepFailedError
from rocm_gui.services.setup_files import file_path, item_of, network_of, read_report
from rocm_gui.system.process import child_env, run

if TYPE_CHECKING:
    from rocm_gui.core.journal import Fact

_AT_ONCE = 2
_TELL_EVERY_S = 0.2


class _Tally:
    """Bytes of all files together; heard from several threads."""

    def __init__(self, ctx: StepContext, sizes: dict[str, int | None]) -> None:
        self._ctx = ctx
        self._lock = threading.Lock()
        self._done: dict[str, int] = dict.fromkeys(sizes, 0)
        self._sizes = sizes
        self._told = float("-inf")

    def on_bytes(self, item: Item, done: int, total: int | None, act: str) -> None:
        if act != "download":
            return
        with self._lock:
            self._done[item.url] = done
            if total is not None:
                self._sizes[item.url] = total
            now = self._ctx.tools.clock()
            if now - self._told >= _TELL_EVERY_S:
                self._told = now
                self._tell(item.filename)

    def finished(self, item: Item, size: int) -> None:
        with self._lock:
            self._done[item.url] = self._sizes[item.url] = size
            self._tell(item.filename)

    def _tell(self, name: str) -> None:
        known = [size for size in self._sizes.values() if size is not None]
        total = sum(known) if len(known) == len(self._sizes) else None
        self._ctx.progress(sum(self._done.values()), total, "bytes", name)


def download(ctx: StepContext) -> dict[str, Fact]:
    """Fetch what pip resolved into the product's cache; files of this computer are checked where they stand."""
    report = read_report(ctx.setup, ctx.step.id)
    network = _network(ctx)
    remote = [item_of(package) for package in report.packages if not package.is_local]
    stop = _Linked(ctx.cancel)
    downloader = Downloader(ctx.paths.downloads, network, cancel=stop)
    try:
        for package in report.packages:
            if package.is_local:
                ctx.check_cancel()
                downloader.check(item_of(package), file_path(package.url))
        total = _fetch_all(ctx, downloader, remote, stop)
    except AppError as error:
        raise StepFailedError(
            error.code, error.exit_code, output=str(error), **{"step": ctx.step.id, **error.facts}
        ) from error
    finally:
        downloader.close()
    return {"files": len(report.packages), "fetched": len(remote), "bytes": total}


class _Linked(threading.Event):
    """Set when the person cancels or when another file has failed."""

    def __init__(self, outer: threading.Event) -> None:
        super().__init__()
        self._outer = outer

    def is_set(self) -> bool:
        return super().is_set() or self._outer.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        """As ``Event.wait``, hearing both."""
        left = timeout
        while not self.is_set() and (left is None or left > 0):
            piece = 0.2 if left is None else min(0.2, left)
            super().wait(piece)
            left = None if left is None else left - piece
        return self.is_set()


def _fetch_all(ctx: StepContext, downloader: Downloader, items: list[Item], stop: threading.Event) -> int:
    """The number of bytes of all files."""
    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="fetch") as pool:
        sizes = dict(zip((item.url for item in items), pool.map(downloader.size, items), strict=True))
        tally = _Tally(ctx, sizes)
        downloader.listen(tally.on_bytes)

        def fetch(item: Item) -> int:
            size = downloader.fetch(item).stat().st_size
            tally.finished(item, size)
            return size

        tasks = [pool.submit(fetch, item) for item in items]
        finished, _ = wait(tasks, return_when=FIRST_EXCEPTION)
        errors = [error for task in finished if (error := task.exception()) is not None]
        if errors:
            stop.set()
            for task in tasks:
                task.cancel()
            wait(tasks)
            raise next((error for error in errors if not isinstance(error, Cancelled)), errors[0])
        return sum(task.result() for task in tasks)


def _network(ctx: StepContext) -> Network:
    """Proxy, certificates and logins; with the user's own pip configuration, those that pip itself uses."""
    network = network_of(ctx)
    if ctx.plan.index_url is not None:
        return network
    answer = run([ctx.plan.environment_python, "-m", "pip", "config", "list"], timeout_s=60, env=child_env())
    settings = {setting.key: setting.value for setting in parse_config(answer.stdout)} if answer.ok else {}
    logins: dict[str, tuple[str, str]] = {}
    for key in ("extra-index-url", "index-url", "find-links"):
        for url in settings.get(key, "").split():
            parts = urlsplit(url)
            if parts.hostname and parts.username:
                logins[parts.hostname] = (unquote(parts.username), unquote(parts.password or ""))
    return Network(
        proxy=network.proxy or settings.get("proxy"),
        ca_bundle=network.ca_bundle or settings.get("cert"),
        logins=logins,
    )
