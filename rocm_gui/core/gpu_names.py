"""Marketing names of AMD GPUs as drivers and tools print them, compared word by word.

``XT`` is not ``XTX``, ``6800S`` is not ``6800``: a name is found only where all of its words are there and
nothing follows that could be one more word of another card's name. The longest name wins.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_MARKS = re.compile(r"\((?:tm|r|c)\)|[™®©]", re.IGNORECASE)
_WORD = re.compile(r"\d{1,3} ?gb\b|[a-z0-9+]+")
_MAKERS = frozenset({"amd", "ati", "radeon", "instinct", "firepro", "ryzen"})
_OTHERS = frozenset({"nvidia", "geforce", "quadro", "intel", "arc", "iris"})
_LEADING = frozenset({"amd", "ati", "radeon", "instinct"})  # not part of what tells cards apart
_TRAILING = frozenset(
    {"graphics", "gfx", "gpu", "series", "processor", "adapter", "oem", "vf", "oam", "mcm", "ac", "mba"}
)  # words that may follow a name and name no other card; the last five are of Instinct boards
_SIZE = re.compile(r"\d{1,3}gb")


def words(name: str) -> tuple[str, ...]:
    """The words of a name without marks: ``AMD Radeon(TM) 780M`` is amd, radeon, 780m."""
    found: list[str] = _WORD.findall(_MARKS.sub(" ", name.lower()))
    return tuple(word.replace(" ", "") for word in found)  # "16 GB" and "16GB" are one word


def _key(name: str) -> tuple[str, ...]:
    parts = words(name)
    while len(parts) > 1 and parts[0] in _LEADING:
        parts = parts[1:]
    return parts


class NameIndex:
    """Finds entries by name; an entry is known by its position in what the index was made from."""

    def __init__(self, entries: Iterable[tuple[str, Iterable[str]]]) -> None:
        self._entries: dict[tuple[str, ...], list[int]] = {}
        for index, (name, aliases) in enumerate(entries):
            keys = {_key(text) for text in (name, *aliases)}
            for key in (key for key in keys if key and key[-1] not in _LEADING):
                self._entries.setdefault(key, []).append(index)

    def find(self, name: str, *, known_amd: bool = False) -> tuple[int, ...]:
        """The entries that ``name`` speaks of: none where it is unknown or says too little.

        A name without a maker's word counts only where the caller knows that the card is AMD's.
        """
        parts = words(name)
        if not _OTHERS.isdisjoint(parts) or not (known_amd or not _MAKERS.isdisjoint(parts)):
            return ()
        found: list[int] = []
        position = 0
        while position < len(parts):
            length, entries = self._longest_at(parts, position)
            if length:
                found += [entry for entry in entries if entry not in found]
                position += length
                continue
            if found and not _may_follow(parts[position]):
                return ()
            position += 1
        return tuple(found)

    def _longest_at(self, parts: tuple[str, ...], start: int) -> tuple[int, list[int]]:
        for end in range(len(parts), start, -1):
            entries = self._entries.get(parts[start:end])
            if entries is not None:
                return end - start, entries
        return 0, []


def _may_follow(word: str) -> bool:
    return word in _TRAILING or word in _LEADING or _SIZE.fullmatch(word) is not None
