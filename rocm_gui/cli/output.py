"""How every subcommand speaks: JSON documents on stdout, people's text by language, errors on stderr."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

import msgspec

from rocm_gui.bootstrap import load_texts

if TYPE_CHECKING:
    from rocm_gui.core.errors import AppError
    from rocm_gui.core.texts import Language

MARKS = {"ok": ("✓", "[ok]"), "warn": ("!", "!"), "fail": ("✗", "[x]"), "unknown": ("?", "?")}


class Output:
    """Standard output and error of one command.

    In JSON mode stdout carries documents and nothing else; text goes to stderr. Otherwise the report goes to
    stdout and remarks, progress and errors to stderr.
    """

    def __init__(self, *, json_mode: bool, language: Language | None = None) -> None:
        self.json_mode = json_mode
        self.texts = load_texts(language)
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a code page without a sign never ends a run

    def document(self, document: object) -> None:
        """One JSON document (or one line of a JSON stream) on stdout, UTF-8 whatever the code page."""
        line = msgspec.json.encode(document) + b"\n"
        sys.stdout.flush()
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()

    def report(self, text: str = "") -> None:
        """A line of the result as text."""
        print(text, file=sys.stderr if self.json_mode else sys.stdout)

    def say(self, text: str) -> None:
        """A remark for the person at the keyboard."""
        print(text, file=sys.stderr, flush=True)  # noqa: T201

    def error(self, error: AppError) -> None:
        """What happened, why and what to do, as one paragraph on stderr."""
        self.say("rocm-gui: " + self.texts.get(f"error.{error.code}", **error.facts))

    def mark(self, status: str) -> str:
        """✓ ! ✗ ?, or their ASCII stand-ins where the console's code page has none."""
        stream: TextIO = sys.stderr if self.json_mode else sys.stdout
        rich, plain = MARKS[status]
        try:
            rich.encode(stream.encoding or "ascii")
        except (UnicodeEncodeError, LookupError):
            return plain
        return rich
