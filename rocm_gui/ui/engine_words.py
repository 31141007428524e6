"""Sentences of the engine for readers of the window: options of the command line by the names they have there."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    from collections.abc import Iterable

_FULL_STOPS = ("。", "！", "？", "：", "；")

_HINT = re.compile(
    r"\s*[（(][^()（）]*(?<!\w)--[a-z][^()（）]*[)）]"
)  # "(--proxy)", "(rocm-gui setup resume --target ...)"
_OPTION = re.compile(r"(?<![\w-])--(target|python|index-url|proxy|ca-bundle|cache-dir|mirror)(?![\w-])")
_BEFORE_VALUE = re.compile(
    r"(?<![\w-])--(?:target|python) (?=[A-Za-z]:\\|[~/])"
)  # "--target C:\\rocm" is the folder itself


def window_words(text: str) -> str:
    """``text`` without hints for the command line where the window has something of its own for them."""
    text = _BEFORE_VALUE.sub("", _HINT.sub("", text))
    return _OPTION.sub(lambda match: _name(match.group(1)), text)


def sentences(*parts: str | None) -> str:
    """The sentences that are there, one after the other: Chinese ones without a blank between them."""
    text = ""
    for part in filter(None, parts):
        text += part if not text or text.endswith(_FULL_STOPS) else f" {part}"
    return text


def listed(parts: Iterable[str]) -> str:
    """The parts with the comma of the window's language between them."""
    return QCoreApplication.translate("engine_words", ", ").join(parts)


def _name(option: str) -> str:
    translate = QCoreApplication.translate
    return {
        "target": translate("engine_words", "“Folder”"),
        "python": translate("engine_words", "“Python”"),
        "index-url": translate("engine_words", "“Package index”"),
        "proxy": translate("engine_words", "“Proxy”"),
        "ca-bundle": translate("engine_words", "“Certificate file”"),
        "cache-dir": translate("engine_words", "“Folder for downloads”"),
        "mirror": translate("engine_words", "“PyPI mirror”"),
    }[option]
