"""Asks package indexes: which source of a route answers, and does it have the version that the route names?"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urljoin, urlsplit
from urllib.request import url2pathname

import msgspec
import requests
from packaging.specifiers import SpecifierSet

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.model import SetupOptions
from rocm_gui.core.parsers.simple_index import ACCEPT, IndexFile, parse_project_page
from rocm_gui.core.plan import Notice
from rocm_gui.core.redact import mask_secrets
from rocm_gui.core.routes import TorchPair
from rocm_gui.core.sources import (
    SourceChoice,
    Wanted,
    fill_url,
    newest,
    requirements_of,
    torch_requirement,
    wheels_for,
)
from rocm_gui.system.parallel import run_named

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from packaging.version import Version

    from rocm_gui.core.routes import Route, Source

TIMEOUT_S = 3.0  # for a connection, and for the first byte
WHOLE_S = 10.0  # for a whole page: PyTorch's is more than a megabyte
PAGE_MOST_BYTES = 64 * 1024 * 1024
_CHUNK = 1 << 16


class NoAnswerError(Exception):
    """An index did not answer as one; ``code`` completes ``[setup.notice.source_CODE]``."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.detail = mask_secrets(detail)  # messages of the HTTP library quote whole URLs


class Index(Protocol):
    """What is asked of indexes."""

    def project(self, index_url: str, name: str) -> tuple[IndexFile, ...]:
        """The files of a project; empty where the index does not have it."""
        ...

    def size(self, url: str) -> int | None:
        """The size in bytes of a file that is there; None where its server does not tell."""
        ...


class HttpIndex:
    """Indexes over HTTP(S) and ``file:``; proxy and certificates as given, else the environment's and the system's.

    Every method raises ``NoAnswerError`` where there is no usable answer in time.
    """

    def __init__(
        self,
        *,
        proxy: str | None = None,
        certificate: str | None = None,
        timeout_s: float = TIMEOUT_S,
        whole_s: float = WHOLE_S,
    ) -> None:
        self._proxies = {"http": proxy, "https": proxy} if proxy else None
        self._certificate = certificate
        self._timeout_s = timeout_s
        self._whole_s = whole_s

    def project(self, index_url: str, name: str) -> tuple[IndexFile, ...]:
        """The files of a project; empty where the index does not have it."""
        url = urljoin(index_url.rstrip("/") + "/", f"{name}/")
        if urlsplit(url).scheme == "file":
            return _folder(Path(url2pathname(urlsplit(url).path)))
        with self._request("GET", url) as response:
            if response.status_code == requests.codes.not_found:
                return ()
            _accepted(response)
            try:
                return parse_project_page(self._body(response), response.headers.get("Content-Type", ""))
            except ValueError as error:
                raise NoAnswerError("malformed", str(error)) from error

    def size(self, url: str) -> int | None:
        """The size in bytes of a file that is there; None where its server does not tell."""
        if urlsplit(url).scheme == "file":
            path = Path(url2pathname(urlsplit(url).path))
            if not path.is_file():
                raise NoAnswerError("http", "404")
            return path.stat().st_size
        with self._request("HEAD", url) as response:
            _accepted(response)
            length = response.headers.get("Content-Length", "")
            return int(length) if length.isdigit() else None

    def _request(self, method: str, url: str) -> requests.Response:
        try:
            return requests.request(
                method,
                url,
                headers={"Accept": ACCEPT},
                timeout=self._timeout_s,
                stream=True,
                allow_redirects=True,
                proxies=self._proxies,
                verify=self._certificate or True,
            )
        except requests.RequestException as error:
            raise NoAnswerError(_kind(error), str(error)) from error
        except OSError as error:  # a certificate file that is not there
            raise NoAnswerError("certificate", str(error)) from error

    def _body(self, response: requests.Response) -> bytes:
        end = time.monotonic() + self._whole_s
        parts: list[bytes] = []
        size = 0
        try:
            for part in response.iter_content(_CHUNK):
                parts.append(part)
                size += len(part)
                if time.monotonic() > end or size > PAGE_MOST_BYTES:
                    raise NoAnswerError("slow", f"{size} bytes")
        except requests.RequestException as error:
            raise NoAnswerError(_kind(error), str(error)) from error
        return b"".join(parts)


def _accepted(response: requests.Response) -> None:
    if not response.ok:
        raise NoAnswerError("http", str(response.status_code))


def _kind(error: requests.RequestException) -> str:
    if isinstance(error, requests.exceptions.ProxyError):
        return "proxy"
    if isinstance(error, requests.exceptions.SSLError):
        return "tls"
    if isinstance(error, requests.exceptions.Timeout):
        return "timeout"
    return "unreachable"


def _folder(folder: Path) -> tuple[IndexFile, ...]:
    page = folder / "index.html"
    try:
        if page.is_file():
            return parse_project_page(page.read_bytes(), "text/html")
        if not folder.is_dir():
            return ()
        names = sorted(entry.name for entry in folder.iterdir())
        return tuple(IndexFile(filename=name, size=(folder / name).stat().st_size) for name in names)
    except (OSError, ValueError) as error:
        raise NoAnswerError("malformed", str(error)) from error


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """Which torch is looked for."""

    wanted: Wanted
    options: SetupOptions
    gfx_targets: tuple[str, ...] = ()
    family: str | None = None
    pairs: tuple[TorchPair, ...] = ()


def choose_source(route: Route, question: Question, index: Index) -> SourceChoice:
    """The first of the route's sources that answers and has torch for the interpreter, and why the others were passed.

    Where none answers the first is taken and the plan says so: it may be made without a network.

    Raises:
        AppError: ``no_wheel`` where every source answered and none has a fitting wheel; ``torch_version_absent``.
    """
    sources = _sources(route, question.options)
    answers, problems = _ask(sources, question, index)
    passed: list[Notice] = []
    for source in sources:
        if source.kind == "user_pip":
            return _from_user(route, source, question, passed)
        url = _url(source, question)
        if source.id in problems:
            passed.append(problems[source.id])
            continue
        choice = _judged(route, source, url, answers[source.id], question)
        if choice is None:
            facts: dict[str, str | int | float | None] = {
                "source": source.id,
                "url": url,
                "python": question.wanted.python,
            }
            passed.append(Notice(code="source_no_wheel", facts=facts))
            continue
        return msgspec.structs.replace(choice, notices=(*passed, *choice.notices))
    if not problems:
        raise AppError("no_wheel", url=_url(sources[0], question), python=question.wanted.python)
    return _unasked(route, sources[0], question, passed)


def _sources(route: Route, options: SetupOptions) -> tuple[Source, ...]:
    """The route's sources; a URL of the person's stands in for the first index and is the only one then."""
    if options.index_url is None:
        return route.sources
    source = next((source for source in route.sources if source.kind != "user_pip"), route.sources[0])
    url = options.index_url
    if source.kind == "files":
        old, new = (source.url or "").rstrip("/"), url.rstrip("/")
        moved = tuple(line.replace(old, new, 1) for line in source.requirements)
        return (msgspec.structs.replace(source, id="custom", url=url, requirements=moved),)
    return (msgspec.structs.replace(source, id="custom", url=url),)


def _url(source: Source, question: Question) -> str:
    return fill_url(source.url or "", question.gfx_targets[0] if question.gfx_targets else None, question.family)


def _ask(
    sources: Sequence[Source], question: Question, index: Index
) -> tuple[dict[str, tuple[IndexFile, ...]], dict[str, Notice]]:
    """The answers of all indexes, asked side by side, and for each without one a notice why."""
    failures: dict[str, NoAnswerError] = {}

    def ask(source: Source) -> object:
        try:
            if source.kind == "index":
                return index.project(_url(source, question), "torch")
            torch_file = next(line for line in source.requirements if "/torch-" in line)
            name = torch_file.rsplit("/", 1)[-1].replace("%2B", "+")
            return (IndexFile(filename=name, size=index.size(torch_file)),)
        except NoAnswerError as error:
            failures[source.id] = error
            raise

    functions = {source.id: lambda source=source: ask(source) for source in sources if source.kind != "user_pip"}
    limit_s = WHOLE_S + 2 * TIMEOUT_S
    results, problems = run_named(functions, dict.fromkeys(functions, limit_s))
    urls = {source.id: _url(source, question) for source in sources}
    notices: dict[str, Notice] = {}
    for name, text in problems.items():
        failure = failures.get(name) or NoAnswerError("timeout" if text == "timeout" else "unreachable", text)
        facts: dict[str, str | int | float | None] = {"source": name, "url": urls[name], "detail": failure.detail}
        notices[name] = Notice(code=f"source_{failure.code}", facts=facts)
    return {name: value for name, value in results.items() if isinstance(value, tuple)}, notices  # pyright: ignore[reportUnknownVariableType]


def _judged(
    route: Route, source: Source, url: str, files: tuple[IndexFile, ...], question: Question
) -> SourceChoice | None:
    """What this source offers; None where it has no torch for the interpreter."""
    wheels = wheels_for(files, question.wanted)
    if not wheels:
        return None
    lines = requirements_of(source, question.gfx_targets, question.options.torch_version, question.pairs)
    chosen = SourceChoice(source=source, url=url, requirements=lines, answered=True)
    if source.kind == "files":
        return _told(chosen, next(iter(wheels)), wheels, ())
    requirement = torch_requirement(lines)
    specifier = requirement.specifier if requirement is not None else SpecifierSet()
    matching = list(specifier.filter(wheels, prereleases=True)) if str(specifier) else []
    if matching:
        return _told(chosen, max(matching), wheels, _version_notices(route, question.options))
    if question.options.torch_version is not None:
        raise AppError(
            "torch_version_absent",
            ExitCode.FAILED,
            version=question.options.torch_version,
            url=url,
            available=", ".join(str(version) for version in sorted(wheels, reverse=True)[:5]),
        )
    offered = newest(wheels, pre=source.pre)
    assert offered is not None
    if not str(specifier):
        return _told(chosen, offered, wheels, (Notice(code="version_from_index", facts={"version": str(offered)}),))
    lines = requirements_of(source, question.gfx_targets, str(offered), question.pairs)
    facts: dict[str, str | int | float | None] = {"pinned": str(specifier).lstrip("="), "offered": str(offered)}
    gone = (Notice(code="version_gone", facts=facts),)
    chosen = msgspec.structs.replace(chosen, requirements=lines, verified=False)
    return _told(chosen, offered, wheels, gone)


def _told(
    choice: SourceChoice, version: Version, wheels: Mapping[Version, IndexFile], notices: tuple[Notice, ...]
) -> SourceChoice:
    used = Notice(code="source_used", facts={"source": choice.source.id, "url": choice.url, "version": str(version)})
    return msgspec.structs.replace(choice, torch_bytes=wheels[version].size, notices=(used, *notices))


def _version_notices(route: Route, options: SetupOptions) -> tuple[Notice, ...]:
    if options.torch_version is None or options.torch_version == route.torch_version:
        return ()
    return (Notice(code="torch_unverified", facts={"version": options.torch_version}),)


def _from_user(route: Route, source: Source, question: Question, passed: Sequence[Notice]) -> SourceChoice:
    lines = requirements_of(source, (), question.options.torch_version, question.pairs)
    used = Notice(code="source_user_pip", facts={"source": source.id, "requirements": " ".join(lines)})
    notices = (*passed, used, *_version_notices(route, question.options))
    return SourceChoice(source=source, url=None, requirements=lines, notices=notices)


def _unasked(route: Route, source: Source, question: Question, passed: Sequence[Notice]) -> SourceChoice:
    url = _url(source, question)
    lines = requirements_of(source, question.gfx_targets, question.options.torch_version, question.pairs)
    notices = (
        *passed,
        Notice(code="index_unreachable", facts={"url": url}),
        *_version_notices(route, question.options),
    )
    return SourceChoice(source=source, url=url, requirements=lines, answered=False, verified=False, notices=notices)
