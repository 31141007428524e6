"""Fetches files that can be gigabytes over lines that break: resumable, checked, and patient.

A file comes as ``NAME.part`` with ``NAME.part.meta`` beside it (where it is from, which version of it, how long it
is). What stands in the part is never fetched again as long as the server still has the same file.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import re
import shutil
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

import msgspec
import requests
import urllib3

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.services.wheel_check import WheelDamagedError, check_wheel
from rocm_gui.system.files import retry_busy, write_atomic

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

_BLOCK = 64 * 1024  # at most this much of what has come is lost by a kill
_HASH_BLOCK = 1 << 20
_FULL = (errno.ENOSPC, errno.EDQUOT) if hasattr(errno, "EDQUOT") else (errno.ENOSPC,)
_FULL_WINDOWS = (39, 112)  # ERROR_HANDLE_DISK_FULL, ERROR_DISK_FULL
_BACK_OFF_S = (1.0, 2.0, 4.0, 8.0, 15.0)  # waits after attempts that brought nothing
_MAX_DAMAGED = 2  # whole files that were wrong before we give up
_RETRY_STATUS = (408, 425, 429, 500, 502, 503, 504)


class Cancelled(Exception):  # noqa: N818 - an outcome, not an error
    """The person asked to stop; what has come is kept."""


class _Damaged(Exception):  # noqa: N818
    """The whole file is there and is not what it should be."""


class _Broken(Exception):  # noqa: N818
    """The line broke; try again from where we are."""


@dataclass(frozen=True)
class Item:
    """One file to fetch."""

    url: str
    filename: str
    sha256: str | None = None  # lower-case hex, where the index gives one
    folder_key: str = ""  # keeps files of the same name from different places apart

    def path(self, downloads: Path) -> Path:
        """Where the finished file stands."""
        key = self.folder_key or hashlib.sha256(self.url.encode()).hexdigest()[:12]
        return downloads / key / self.filename


class _Meta(msgspec.Struct, frozen=True, kw_only=True):
    """What a ``.part`` is a part of."""

    url: str
    etag: str | None = None  # strong ones only
    modified: str | None = None
    size: int | None = None


@dataclass(frozen=True)
class Network:
    """How to reach the servers."""

    proxy: str | None = None
    ca_bundle: str | None = None
    logins: Mapping[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])  # host -> user, password
    timeout_s: tuple[float, float] = (15.0, 60.0)  # to connect, and between two blocks

    def session(self) -> requests.Session:
        """A session that sends nothing but what is asked for."""
        session = requests.Session()
        session.headers.update({"Accept-Encoding": "identity", "User-Agent": "rocm-gui"})
        if self.proxy:
            session.proxies.update({"http": self.proxy, "https": self.proxy})
        if self.ca_bundle:
            session.verify = self.ca_bundle
        return session


class Downloader:
    """Fetches items into ``downloads``. ``wait(seconds)`` pauses and returns True when the person cancelled."""

    def __init__(
        self,
        downloads: Path,
        network: Network | None = None,
        *,
        cancel: threading.Event | None = None,
        wait: Callable[[float], bool] | None = None,
        on_bytes: Callable[[Item, int, int | None, str], None] | None = None,
    ) -> None:
        self._downloads = downloads
        self._network = network or Network()
        self._cancel = cancel or threading.Event()
        self._wait = wait or self._cancel.wait
        self._on_bytes = on_bytes or _quiet
        self._local = threading.local()
        self._sessions: list[requests.Session] = []

    def listen(self, on_bytes: Callable[[Item, int, int | None, str], None]) -> None:
        """Tell ``on_bytes(item, done, total, "download" | "check")`` from now on."""
        self._on_bytes = on_bytes

    def close(self) -> None:
        """Close the connections."""
        for session in self._sessions:
            session.close()

    def fetch(self, item: Item) -> Path:
        """The finished and checked file of ``item``; returns at once where it stands already.

        Raises:
            AppError: ``download_failed``, ``download_refused``, ``download_damaged``, ``disk_full`` or
                ``download_not_writable``; what has come is kept.
            Cancelled: when the person asked to stop.
        """
        path = item.path(self._downloads)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_file():
                with contextlib.suppress(_Damaged):
                    self._verify(item, path)
                    return path
                path.unlink()
            return self._fetch(item, path)
        except OSError as error:
            raise _os_error(error, path) from error

    def check(self, item: Item, path: Path) -> None:
        """Compare a file that stands elsewhere already.

        Raises:
            AppError: ``download_damaged`` or ``file_unreadable``.
        """
        try:
            self._verify(item, path)
        except _Damaged as error:
            raise AppError("download_damaged", file=item.filename, url=show_url(item.url), reason=str(error)) from error
        except OSError as error:
            reason = error.strerror or str(error)
            raise AppError("file_unreadable", ExitCode.USAGE, path=str(path), reason=reason) from error

    def size(self, item: Item) -> int | None:
        """How long the file is as the server says; None where it does not say."""
        try:
            answer = self._session().head(item.url, allow_redirects=True, timeout=self._network.timeout_s)
        except (requests.RequestException, urllib3.exceptions.HTTPError):
            return None
        length = answer.headers.get("Content-Length", "")
        return int(length) if answer.ok and length.isdigit() else None

    def _fetch(self, item: Item, path: Path) -> Path:
        part = path.with_name(path.name + ".part")
        fruitless = damaged = 0
        while True:
            before = _size(part)
            try:
                self._attempt(item, part)
                self._verify(item, part)
            except _Damaged as error:
                damaged += 1
                _discard(part)
                if damaged > _MAX_DAMAGED:
                    raise AppError(
                        "download_damaged", file=item.filename, url=show_url(item.url), reason=str(error)
                    ) from error
            except _Broken as error:
                fruitless = 0 if _size(part) > before else fruitless + 1
                if fruitless > len(_BACK_OFF_S):
                    raise AppError(
                        "download_failed", file=item.filename, url=show_url(item.url), reason=str(error)
                    ) from error
                if self._wait(_BACK_OFF_S[max(0, fruitless - 1)]) or self._cancel.is_set():
                    raise Cancelled from error
            else:
                retry_busy(lambda: part.replace(path))
                _meta_path(part).unlink(missing_ok=True)
                return path

    def _attempt(self, item: Item, part: Path) -> None:
        """One request, appended to ``part``; returns when the file is whole."""
        have, meta = _size(part), _read_meta(part)
        if meta is None or meta.url != item.url:
            have = 0
        if meta is not None and have and meta.size == have:
            return  # killed between the last byte and the check
        headers: dict[str, str] = {}
        if have and meta is not None:
            headers["Range"] = f"bytes={have}-"
            validator = meta.etag or meta.modified
            if validator:
                headers["If-Range"] = validator
        try:
            with self._session().get(
                item.url,
                headers=headers,
                stream=True,
                timeout=self._network.timeout_s,
                auth=self._network.logins.get(urlsplit(item.url).hostname or ""),
            ) as answer:
                self._take(item, part, answer, have, meta)
        except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
            if isinstance(error, (requests.exceptions.SSLError, requests.exceptions.ProxyError)):
                raise AppError(
                    "download_refused", file=item.filename, url=show_url(item.url), reason=_reason(error)
                ) from error
            raise _Broken(_reason(error)) from error

    def _take(self, item: Item, part: Path, answer: requests.Response, have: int, meta: _Meta | None) -> None:
        start, total = _place(answer, have, meta)
        if start < 0:  # the part is of no use to this server
            _discard(part)
            raise _Broken(f"HTTP {answer.status_code}")
        if answer.status_code not in (200, 206):
            reason = f"HTTP {answer.status_code} {answer.reason or ''}".strip()
            if answer.status_code in _RETRY_STATUS:
                raise _Broken(reason)
            raise AppError("download_refused", file=item.filename, url=show_url(item.url), reason=reason)
        if start == 0:
            _write_meta(part, _meta_of(item, answer, total))
        if total is not None:
            _need_space(part, total - start)
        with part.open("r+b" if start else "wb", buffering=0) as file:
            file.seek(start)
            file.truncate()
            done = start
            for block in answer.raw.stream(_BLOCK, decode_content=False):
                _write_all(file.write, block)
                done += len(block)
                self._on_bytes(item, done, total, "download")
                if self._cancel.is_set():
                    raise Cancelled
        if total is not None and done < total:
            raise _Broken(f"cut off at {done} of {total} bytes")
        if total is not None and done > total:
            raise _Damaged(f"{done} bytes instead of {total}")

    def _verify(self, item: Item, path: Path) -> None:
        def report(done: int, total: int) -> None:
            self._on_bytes(item, done, total, "check")
            if self._cancel.is_set():
                raise Cancelled

        if item.sha256 is not None:
            found = sha256_of(path, report)
            if found != item.sha256:
                raise _Damaged(f"SHA-256 {found[:12]}… instead of {item.sha256[:12]}…")
        elif item.filename.endswith(".whl"):
            try:
                check_wheel(path, report)
            except WheelDamagedError as error:
                raise _Damaged(str(error)) from error

    def _session(self) -> requests.Session:
        session = getattr(self._local, "session", None)
        if session is None:
            session = self._local.session = self._network.session()
            self._sessions.append(session)
        return session


def _quiet(_item: Item, _done: int, _total: int | None, _act: str) -> None:
    """Nobody listens."""


def sha256_of(path: Path, on_bytes: Callable[[int, int], None] | None = None) -> str:
    """The SHA-256 of the file at ``path``, in lower-case hex."""
    digest = hashlib.sha256()
    total, done = _size(path), 0
    with path.open("rb", buffering=0) as file:
        while block := file.read(_HASH_BLOCK):
            digest.update(block)
            done += len(block)
            if on_bytes is not None:
                on_bytes(done, total)
    return digest.hexdigest()


def show_url(url: str) -> str:
    """``url`` without user name, password and query: fit for a message."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return urlunsplit((parts.scheme, f"{host}:{parts.port}" if parts.port else host, parts.path, "", ""))


def _place(answer: requests.Response, have: int, meta: _Meta | None) -> tuple[int, int | None]:
    """Where the answer's bytes belong and how long the file is; -1 where what we have cannot be continued."""
    if answer.status_code == 206:
        match = re.match(r"bytes (\d+)-\d+/(\d+|\*)", answer.headers.get("Content-Range", ""))
        total = int(match[2]) if match and match[2] != "*" else None
        known = meta.size if meta is not None else None
        etag = _strong(answer.headers.get("ETag"))
        changed = meta is not None and meta.etag is not None and etag is not None and etag != meta.etag
        if match is None or int(match[1]) != have or changed or (known is not None and total not in (None, known)):
            return -1, None
        return have, total if total is not None else known
    if answer.status_code == 416 and have:
        return -1, None
    length = answer.headers.get("Content-Length", "")
    return 0, int(length) if length.isdigit() else None


def _meta_of(item: Item, answer: requests.Response, total: int | None) -> _Meta:
    return _Meta(
        url=item.url,
        etag=_strong(answer.headers.get("ETag")),
        modified=answer.headers.get("Last-Modified"),
        size=total,
    )


def _strong(etag: str | None) -> str | None:
    return etag if etag and not etag.startswith("W/") else None


def _meta_path(part: Path) -> Path:
    return part.with_name(part.name + ".meta")


def _read_meta(part: Path) -> _Meta | None:
    try:
        return msgspec.json.decode(_meta_path(part).read_bytes(), type=_Meta)
    except (OSError, msgspec.MsgspecError):
        return None


def _write_meta(part: Path, meta: _Meta) -> None:
    part.unlink(missing_ok=True)  # never a new meta beside an old part
    write_atomic(_meta_path(part), msgspec.json.encode(meta))


def _discard(part: Path) -> None:
    part.unlink(missing_ok=True)
    _meta_path(part).unlink(missing_ok=True)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _write_all(write: Callable[[memoryview], int | None], block: bytes) -> None:
    view = memoryview(block)
    while view:
        view = view[write(view) or 0 :]


def _need_space(part: Path, more: int) -> None:
    free = shutil.disk_usage(part.parent).free
    if more > free:
        raise AppError("disk_full", path=str(part.parent), needed_mb=_mb(more), free_mb=_mb(free))


def _mb(size: int) -> int:
    return -(-size // 1_000_000)


def _os_error(error: OSError, path: Path) -> AppError:
    if error.errno in _FULL or getattr(error, "winerror", None) in _FULL_WINDOWS:
        free = None
        with contextlib.suppress(OSError):
            free = _mb(shutil.disk_usage(path.parent).free)
        return AppError("disk_full", path=str(path.parent), needed_mb=None, free_mb=free)
    reason = error.strerror or str(error)
    return AppError("download_not_writable", ExitCode.DENIED, path=str(path), reason=reason)


def _reason(error: BaseException) -> str:
    """The innermost cause in words, without addresses of objects."""
    inner: BaseException = error
    while True:
        deeper = inner.__cause__ or inner.__context__ or getattr(inner, "reason", None)
        if not isinstance(deeper, BaseException):
            break
        inner = deeper
    text = re.sub(r"<[\w.]+ object at 0x[0-9a-f]+>:? ?", "", str(inner)) or type(inner).__name__
    return text if len(text) < 300 else text[:297] + "…"
