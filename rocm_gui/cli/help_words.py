"""The help in the person's language. The English words stand in the code; the others are looked up by them."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Any
from unicodedata import east_asian_width

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rocm_gui.core.texts import Language


def asked_language(arguments: Sequence[str]) -> Language:
    """The language of ``--lang``, of the settings, or the system's; needed before the words are understood."""
    for place, argument in enumerate(arguments):
        name, _, value = argument.partition("=")
        if name == "--lang":
            value = value or "".join(arguments[place + 1 : place + 2])
            if value in ("en", "zh_CN"):
                return "zh_CN" if value == "zh_CN" else "en"
    from rocm_gui.bootstrap import preferred_language

    return preferred_language()


class HelpWords:
    """What the help's words are in one language."""

    def __init__(self, language: Language) -> None:
        self.entries: dict[str, str] = {}
        self._errors: list[dict[str, str]] = []
        if language != "en":
            from rocm_gui.system.datafiles import read_toml
            from rocm_gui.system.paths import default_paths

            found: dict[str, Any] = read_toml(default_paths().resources / "data" / f"help_{language}.toml")
            self.entries = found["words"]
            self._errors = found["error"]

    def __call__(self, text: str) -> str:
        """``text`` in the language; as it is where there is no entry."""
        if text in self.entries:
            return self.entries[text]
        stem = text[:1].lower() + text[1:].removesuffix(".")  # a description made of the one line of help
        return self.entries[stem] + "。" if stem in self.entries else text

    def error(self, message: str) -> str:
        """A sentence of argparse about wrong words."""
        for row in self._errors:
            match = re.fullmatch(row["said"], message, re.DOTALL)
            if match:
                return row["told"].format(**match.groupdict())
        return message

    def put_into(self, parser: argparse.ArgumentParser) -> None:
        """Replace the words of ``parser``."""
        parser.description = self(parser.description) if parser.description else None
        parser.epilog = self(parser.epilog) if parser.epilog else None
        for group in parser._action_groups:  # noqa: SLF001  # argparse has no other way to them
            group.title = self(group.title) if group.title else None
        for action in parser._actions:  # noqa: SLF001
            rows: list[argparse.Action] = getattr(action, "_choices_actions", [])
            for row in (action, *rows):
                if row.help and row.help is not argparse.SUPPRESS:
                    row.help = self(row.help)


class ColumnFormatter(argparse.HelpFormatter):
    """Breaks lines by the columns that letters take on a terminal: a Chinese one takes two, and may end a line."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        if text.isascii():
            return super()._split_lines(text, width)
        return _broken(" ".join(text.split()), width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if text.isascii():
            return super()._fill_text(text, width, indent)
        return "\n".join(indent + line for line in _broken(" ".join(text.split()), width - len(indent)))


def _broken(text: str, width: int) -> list[str]:
    lines: list[str] = []
    line, columns = "", 0
    for piece in re.findall(r"[\x21-\x7e]+|.", text):  # a word of plain letters stays whole
        size = sum(2 if east_asian_width(letter) in "WF" else 1 for letter in piece)
        if columns + size > width and line and piece not in "，。；：、）”":
            lines.append(line.rstrip())
            line, columns = "", 0
            if piece == " ":
                continue
        line, columns = line + piece, columns + size
    return [*lines, line] if line else lines


def usage_writer(words: Callable[[str], str]) -> type[argparse.HelpFormatter]:
    """A formatter whose usage line begins in the language of ``words``."""

    class Formatter(ColumnFormatter):
        def add_usage(self, usage: Any, actions: Any, groups: Any, prefix: str | None = None) -> None:  # noqa: ANN401  # argparse's own types
            if prefix is None:
                prefix = words("usage: ")
            super().add_usage(usage, actions, groups, prefix)

    return Formatter
