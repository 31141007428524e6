"""How every subcommand speaks: JSON documents on stdout, people's text by language, errors on stderr."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, TextIO

import msgspec

from rocm_gui.bootstrap import load_texts
from rocm_gui.cli.streams import drop, flush_or_drop
from rocm_gui.core.errors import AppError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Generator

    from rocm_gui.core.texts import Language

_YES = ("y", "yes", "j", "是", "好")
MARKS = {"ok": ("✓", "[ok]"), "warn": ("!", "!"), "fail": ("✗", "[x]"), "unknown": ("?", "?")}


class Output:
    """Standard output and error of one command.

    In JSON mode stdout carries documents and nothing else; text goes to stderr. Otherwise the report goes to
    stdout and remarks, progress and errors to stderr. A reader that goes away stops nothing; what stderr cannot take
    is lost, what stdout cannot take is an error.
    """

    def __init__(self, *, json_mode: bool, language: Language | None = None) -> None:
        self.json_mode = json_mode
        self.texts = load_texts(language)
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a code page without a sign never ends a run

    def document(self, document: object) -> None:
        """One JSON document (or one line of a JSON stream) on stdout, UTF-8 whatever the code page.

        Raises:
            AppError: ``output_not_written``.
        """
        line = msgspec.json.encode(document) + b"\n"
        with _heard():
            sys.stdout.flush()
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()

    def report(self, text: str = "") -> None:
        """A line of the result as text.

        Raises:
            AppError: ``output_not_written``.
        """
        if self.json_mode:
            self.say(text)
            return
        with _heard():
            print(text)  # noqa: T201

    def say(self, text: str) -> None:
        """A remark for the person at the keyboard."""
        self.say_raw(text + "\n")

    def say_raw(self, text: str) -> None:
        """The same without an end of line; what was reported before it comes first where both go to one file."""
        with contextlib.suppress(OSError, ValueError):  # ``finish`` tells
            sys.stdout.flush()
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):
            drop(sys.stderr)

    def agreed(self, code: str) -> bool:
        """Ask the person at the keyboard the question ``code``; an end of input is a no."""
        self.say_raw(self.texts.get(code) + " ")
        return sys.stdin.readline().strip().lower() in _YES

    def call_out(self, text: str) -> None:
        """A remark from a signal's handler, which may interrupt another remark half way."""
        with contextlib.suppress(OSError, ValueError):
            os.write(sys.stderr.fileno(), (text + "\n").encode(sys.stderr.encoding or "utf-8", "replace"))

    def finish(self, code: int) -> int:
        """Send off what is left; returns the exit code, which says it where the result could not be written."""
        failed = flush_or_drop()
        if failed is None:
            return code
        self.error(_not_written(failed))
        return code or int(ExitCode.FAILED)

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


@contextlib.contextmanager
def _heard() -> Generator[None]:
    """Whatever happens to standard output happens once: from then on it leads nowhere."""
    try:
        yield
    except BrokenPipeError:
        drop(sys.stdout)
    except OSError as error:
        drop(sys.stdout)
        raise _not_written(error) from error


def _not_written(error: OSError) -> AppError:
    return AppError("output_not_written", reason=error.strerror or str(error))
