"""A project page of a package index: PEP 691 (JSON) or PEP 503 (HTML)."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

ACCEPT = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.5, text/html;q=0.3"
_FILE = re.compile(r"\.(whl|tar\.gz|zip)$", re.IGNORECASE)


class IndexFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file of a project."""

    filename: str
    size: int | None = None  # bytes
    yanked: bool = False


class _JsonFile(msgspec.Struct):
    filename: str
    size: int | None = None
    yanked: Any = False  # true or a reason


class _JsonPage(msgspec.Struct):
    files: list[_JsonFile]


class _Anchors(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.files: list[IndexFile] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "a":
            return
        values = dict(attrs)
        name = unquote(urlsplit(values.get("href") or "").path.rsplit("/", 1)[-1])
        if _FILE.search(name):
            self.files.append(IndexFile(filename=name, yanked="data-yanked" in values))


def parse_project_page(body: bytes, content_type: str) -> tuple[IndexFile, ...]:
    """The files of a project page, in its order.

    Raises:
        ValueError: for something that is no such page.
    """
    if "json" in content_type.lower():
        try:
            page = msgspec.json.decode(body, type=_JsonPage)
        except msgspec.MsgspecError as error:
            raise ValueError(str(error)) from error
        return tuple(
            IndexFile(filename=file.filename, size=file.size, yanked=bool(file.yanked) or isinstance(file.yanked, str))
            for file in page.files
        )
    text = body.decode("utf-8", errors="replace")
    if "<" not in text:
        raise ValueError("neither JSON nor HTML")
    parser = _Anchors()
    parser.feed(text)
    parser.close()
    return tuple(parser.files)
