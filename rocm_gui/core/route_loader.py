"""Turns ``routes.toml`` documents into a ``RouteBook``; whatever is wrong in one is named with its place."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Any, TypeVar, cast

import msgspec
from packaging.requirements import InvalidRequirement, Requirement
from packaging.version import InvalidVersion, Version

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.routes import GuideStep, LocalText, Mirror, PythonHelp, Route, RouteBook, Source, TorchPair
from rocm_gui.core.texts import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SCHEMA = 1
_ID = re.compile(r"[a-z0-9][a-z0-9._-]*")
_GFX = re.compile(r"gfx[0-9]{1,3}[0-9a-f]{1,2}")
_URL = re.compile(r"(https?|file)://\S+")
_PLACEHOLDER = re.compile(r"\{(\w*)\}")
_URL_PLACEHOLDERS = {"family", "gfx_target"}
_LINE_PLACEHOLDERS = {"family", "gfx_target", "ubuntu"}
_VERSION_FIELDS = (
    "rocm_version",
    "torch_version",
    "python_min",
    "python_max",
    "python_prefer",
    "driver_min_windows",
    "driver_min_linux",
)
_T = TypeVar("_T", bound=msgspec.Struct)


class _FaultError(Exception):
    """What is wrong and where, below one table."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(reason)
        self.place = place
        self.reason = reason


def load_routes(
    document: Mapping[str, Any], path: str, user: Mapping[str, Any] | None = None, user_path: str = ""
) -> RouteBook:
    """The product's routes and, over them by id, the user's own.

    ``path`` and ``user_path`` are only told in errors.

    Raises:
        AppError: ``routes_invalid`` with path, place and reason; a faulty file of the user's is refused as a
            whole, since half of it would plan something else than its writer meant.
    """
    book = _read(document, path, builtin=True)
    if user is None:
        return book
    own = _read(user, user_path, builtin=False)
    replaced = {route.id for route in own.routes}
    mirrors = {mirror.id for mirror in own.mirrors}
    return RouteBook(
        routes=(*(route for route in book.routes if route.id not in replaced), *own.routes),
        mirrors=(*(mirror for mirror in book.mirrors if mirror.id not in mirrors), *own.mirrors),
        pairs=(*own.pairs, *book.pairs),
        python_help=(*book.python_help, *own.python_help),
    )


def _read(document: Mapping[str, Any], path: str, *, builtin: bool) -> RouteBook:
    try:
        _schema(document)
        _known_keys(document, {"schema", "route", "mirror", "pair", "python_help"}, "the top")
        routes = tuple(_route(row, place, builtin=builtin) for place, row in _rows(document, "route"))
        book = RouteBook(
            routes=routes,
            mirrors=tuple(_mirror(row, place) for place, row in _rows(document, "mirror")),
            pairs=tuple(_pair(row, place) for place, row in _rows(document, "pair")),
            python_help=tuple(_struct(PythonHelp, row, place) for place, row in _rows(document, "python_help")),
        )
        _unique((route.id for route in book.routes), "route")
        _unique((mirror.id for mirror in book.mirrors), "mirror")
    except _FaultError as fault:
        raise AppError("routes_invalid", ExitCode.USAGE, path=path, place=fault.place, reason=fault.reason) from fault
    return book


def _schema(document: Mapping[str, Any]) -> None:
    schema = document.get("schema", SCHEMA)
    if schema != SCHEMA:
        raise _FaultError("schema", f"{schema!r} is not known, this version reads {SCHEMA}")


def _rows(document: Mapping[str, Any], kind: str) -> list[tuple[str, dict[str, Any]]]:
    rows = document.get(kind, [])
    if not isinstance(rows, list):
        raise _FaultError(kind, f"write [[{kind}]] with two brackets, once for each")
    named: list[tuple[str, dict[str, Any]]] = []
    for index, row in enumerate(cast("list[object]", rows), start=1):
        if not isinstance(row, dict):
            raise _FaultError(f"{kind} {index}", "is not a table")
        table = cast("dict[str, Any]", row)
        named.append((f"{kind} {table.get('id', index)}", table))
    return named


def _known_keys(table: Mapping[str, Any], known: Iterable[str], place: str) -> None:
    unknown = sorted(set(table) - set(known))
    if unknown:
        raise _FaultError(place, f"does not know {', '.join(unknown)}")


def _struct(kind: type[_T], row: dict[str, Any], place: str) -> _T:
    _known_keys(row, kind.__struct_fields__, place)
    try:
        return msgspec.convert(row, kind, strict=True)
    except msgspec.ValidationError as error:
        raise _FaultError(place, str(error).replace("`$.", "`").replace("`$`", "the table")) from error


def _unique(ids: Iterable[str], kind: str) -> None:
    seen: set[str] = set()
    for name in ids:
        if name in seen:
            raise _FaultError(f"{kind} {name}", "stands there twice")
        seen.add(name)


def _route(row: dict[str, Any], place: str, *, builtin: bool) -> Route:
    for key, kind in (("sources", Source), ("guide", GuideStep)):
        for index, table in enumerate(row.get(key, []), start=1):
            _known_keys(table, kind.__struct_fields__, f"{place}, {key} {index}")
    if "origin" in row:
        raise _FaultError(place, "does not know origin")
    route = _struct(Route, {**row, "origin": "builtin" if builtin else "user"}, place)
    if not _ID.fullmatch(route.id):
        raise _FaultError(place, "id: small letters, digits, dots and dashes only")
    for name in _VERSION_FIELDS:
        _version(getattr(route, name), f"{place}, {name}")
    if route.python_min and route.python_max and Version(route.python_min) > Version(route.python_max):
        raise _FaultError(place, "python_min is above python_max")
    for target in (*route.gfx_official, *route.gfx_unofficial, *route.needs_hsa_override):
        if not _GFX.fullmatch(target):
            raise _FaultError(place, f"{target!r} is no gfx target such as gfx1100")
    if not route.os:
        raise _FaultError(place, "os is empty")
    _texts((route.title, route.summary, *route.limits, *(step.text for step in route.guide)), place, builtin=builtin)
    _date(route.checked, place, needed=builtin)
    if builtin and not route.source:
        raise _FaultError(place, "source is missing: where is this from?")
    _sources(route, place)
    for step in route.guide:
        for line in step.lines:
            unknown = set(_PLACEHOLDER.findall(line)) - _LINE_PLACEHOLDERS
            if any(unknown):
                raise _FaultError(place, f"guide: does not know {{{', '.join(sorted(unknown))}}}")
    return route


def _sources(route: Route, place: str) -> None:
    if route.kind == "guide":
        if route.sources:
            raise _FaultError(place, "a guide has no sources")
        if not route.guide:
            raise _FaultError(place, "a guide needs its steps, [[route.guide]]")
        return
    if not route.sources:
        raise _FaultError(place, "has no sources")
    _unique((source.id for source in route.sources), f"{place}, source")
    for source in route.sources:
        where = f"{place}, source {source.id}"
        if source.kind != "user_pip" and not _URL.fullmatch(source.url or ""):
            raise _FaultError(where, "url must begin with https://, http:// or file://")
        unknown = set(_PLACEHOLDER.findall(source.url or "")) - _URL_PLACEHOLDERS
        if unknown:
            raise _FaultError(where, f"url: does not know {{{', '.join(sorted(unknown))}}}")
        if not source.requirements:
            raise _FaultError(where, "requirements is empty")
        for requirement in source.requirements:
            _requirement(requirement, source.kind, where)


def _requirement(text: str, kind: str, place: str) -> None:
    if kind == "files":
        if not _URL.fullmatch(text):
            raise _FaultError(place, f"{text!r} is no URL")
        return
    try:
        Requirement(text.replace("{device}", "[device-gfx1100]"))
    except InvalidRequirement as error:
        raise _FaultError(place, f"{text!r} is no requirement: {str(error).splitlines()[0]}") from error


def _mirror(row: dict[str, Any], place: str) -> Mirror:
    mirror = _struct(Mirror, row, place)
    if not _URL.fullmatch(mirror.url):
        raise _FaultError(place, "url must begin with https://, http:// or file://")
    return mirror


def _pair(row: dict[str, Any], place: str) -> TorchPair:
    pair = _struct(TorchPair, row, place)
    for name in pair.__struct_fields__:
        _version(getattr(pair, name), f"{place}, {name}")
    return pair


def _version(text: str | None, place: str) -> None:
    if text is None:
        return
    try:
        Version(text)
    except InvalidVersion as error:
        raise _FaultError(place, f"{text!r} is no version") from error


def _texts(texts: Iterable[LocalText], place: str, *, builtin: bool) -> None:
    for text in texts:
        missing = [language for language in LANGUAGES if not text.get(language)]
        if missing and (builtin or len(missing) == len(LANGUAGES)):
            raise _FaultError(place, f"a text lacks {' and '.join(missing)}")


def _date(text: str, place: str, *, needed: bool) -> None:
    if not text and not needed:
        return
    try:
        dt.date.fromisoformat(text)
    except ValueError as error:
        raise _FaultError(place, f"checked: {text!r} is no date such as 2026-12-01") from error
