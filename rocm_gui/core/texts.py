"""Sentences for people, looked up by code in one of the two languages.

Core code and services speak in codes and facts; the catalogue (``resources/data/messages/*.toml`` and the
texts inside ``checks.toml``, ``troubles.toml`` and ``routes.toml``) holds the sentences. A leaf of the
catalogue is a table with the keys ``en`` and ``zh_CN``.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Mapping
from typing import Any, Literal, cast

Language = Literal["en", "zh_CN"]
LANGUAGES: tuple[Language, ...] = ("en", "zh_CN")


_NAMED = re.compile(r"\{(\w+):@([\w.]+)\}")  # a fact that is a code with a text of its own below the dotted place
_PLAIN = re.compile(r"[\w@%+=:,./\\~{}-]+")


class _Lenient(string.Formatter):
    """Leaves a placeholder without a fact as it stands and shows None as a dash: a text never fails to print.

    ``{path!q}`` is a part of a command to copy: between quotation marks where a shell would tear it apart.
    """

    def get_value(self, key: int | str, args: object, kwargs: Mapping[str, object]) -> object:
        del args
        if isinstance(key, int) or key not in kwargs:
            return "{" + str(key) + "}"
        value = kwargs[key]
        return "—" if value is None else value

    def convert_field(self, value: object, conversion: str | None) -> object:
        if conversion == "q":
            text = str(value)
            return text if _PLAIN.fullmatch(text) else f'"{text}"'
        return super().convert_field(value, conversion)  # type: ignore[arg-type]

    def format_field(self, value: object, format_spec: str) -> str:
        try:
            return super().format_field(value, format_spec)
        except (TypeError, ValueError):
            return str(value)


_FORMATTER = _Lenient()


def pick(entry: Mapping[str, object] | None, language: Language) -> str | None:
    """The text of a two-language entry, English where the other language is missing, None where both are."""
    if entry is None:
        return None
    for key in (language, "en"):
        text = entry.get(key)
        if isinstance(text, str):
            return text
    return None


def fill(text: str, facts: Mapping[str, object]) -> str:
    """``text`` with its ``{placeholders}`` filled from ``facts``."""
    return _FORMATTER.vformat(text, (), facts)


class Texts:
    """A catalogue bound to a language."""

    def __init__(self, catalogue: Mapping[str, Any], language: Language = "en") -> None:
        self._catalogue = catalogue
        self.language: Language = language

    def entry(self, code: str) -> Mapping[str, object] | None:
        """The table at the dotted ``code``, or None."""
        node: object = self._catalogue
        for part in code.split("."):
            if not isinstance(node, Mapping):
                return None
            node = cast("Mapping[str, object]", node).get(part)
        return cast("Mapping[str, object]", node) if isinstance(node, Mapping) else None

    @property
    def colon(self) -> str:
        """What stands between a heading and its text."""
        return "：" if self.language == "zh_CN" else ": "

    def listed(self, words: Iterable[str]) -> str:
        """Parts of a sentence one after the other."""
        return ("，" if self.language == "zh_CN" else ", ").join(words)

    def aside(self, text: str) -> str:
        """``text`` in brackets, to be set behind other words."""
        return f"（{text}）" if self.language == "zh_CN" else f" ({text})"

    def has(self, code: str) -> bool:
        """Whether there is a sentence for ``code``."""
        return pick(self.entry(code), self.language) is not None

    def get(self, code: str, /, **facts: object) -> str:
        """The sentence for ``code``; the code itself where the catalogue has none, so that nothing is hidden."""
        text = pick(self.entry(code), self.language)
        if text is None:
            shown = ", ".join(f"{key}={value}" for key, value in facts.items())
            return f"{code} ({shown})" if shown else code
        return fill(_NAMED.sub(lambda match: self._named(match[1], match[2], facts), text), facts)

    def _named(self, fact: str, place: str, facts: Mapping[str, object]) -> str:
        """What stands for ``{fact:@place}``: the text of the code, or the code where it has none."""
        words = pick(self.entry(f"{place}.{facts.get(fact)}"), self.language)
        return "{" + fact + "}" if words is None else words.replace("{", "{{").replace("}", "}}")
