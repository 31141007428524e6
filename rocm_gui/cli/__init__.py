"""The command line. One module a subcommand; each is imported only when it is the one asked for."""

from __future__ import annotations

import argparse
import importlib
import logging
import os
import sys
from typing import TYPE_CHECKING, ClassVar, NoReturn

from rocm_gui import __version__
from rocm_gui.cli.streams import flush_or_drop, open_missing_streams
from rocm_gui.core.errors import AppError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocm_gui.cli.help_words import HelpWords
    from rocm_gui.cli.output import Output

# name -> one line of help; the module rocm_gui.cli.NAME has add_arguments(parser) and run(args, out) -> int
COMMANDS = {
    "check": "look at this machine: what is ready, what is missing, what to do",
    "setup": "routes, plan, apply, resume, undo, status, repair: a PyTorch environment, step by step",
    "verify": "prove that an environment computes correctly",
    "run": "your own script in an environment, on the right GPU",
    "build": "build ROCm, or any CMake project, from source; for experts",
    "env": "environment variables: shown, changed with preview and backup, taken back",
    "screenshot": "a picture of every page of the window",
}


class _Parser(argparse.ArgumentParser):
    """Argument errors are one sentence and exit code 2; help and errors are in the person's language."""

    typed: ClassVar[Sequence[str]] = ()  # what stands on the command line
    words: ClassVar[HelpWords | None] = None

    def error(self, message: str) -> None:  # type: ignore[override]
        self.print_usage(sys.stderr)
        self.exit(ExitCode.USAGE, f"{self.prog}: {self._translated().error(message)}\n")

    def format_help(self) -> str:
        """The help, once its words are known to be wanted."""
        self._translated().put_into(self)
        return super().format_help()

    def format_usage(self) -> str:
        """The line that shows how the words stand together."""
        self._translated()
        return super().format_usage()

    def _translated(self) -> HelpWords:
        from rocm_gui.cli.help_words import HelpWords, asked_language, usage_writer

        words = _Parser.words
        if words is None:
            words = _Parser.words = HelpWords(asked_language(_Parser.typed))
        self.formatter_class = usage_writer(words)
        return words

    def exit(self, status: int = 0, message: str | None = None) -> NoReturn:
        """Send off the help before the interpreter finds that nobody reads it."""
        flush_or_drop()
        super().exit(status, message)


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser; only the arguments of ``command`` are filled in, which keeps ``--help`` fast."""
    parser = _Parser(
        prog="rocm-gui", description="Desktop assistant for AMD GPUs. Without a command it opens its window."
    )
    parser.add_argument("--version", action="version", version=f"rocm-gui {__version__}")
    _add_common(parser, None, debug=False)
    parser.add_argument("--simulate", metavar="NAME", help="open the window on a simulated machine, marked as such")
    parser.add_argument("--smoke-test", action="store_true", help="open the window, visit every page, close it again")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    for name, text in COMMANDS.items():
        sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if name == command:
            _add_common(sub, argparse.SUPPRESS, debug=argparse.SUPPRESS)
            importlib.import_module(f"rocm_gui.cli.{name}").add_arguments(sub)
    return parser


def _add_common(parser: argparse.ArgumentParser, language: str | None, *, debug: object) -> None:
    """Options that may stand before and after the subcommand; there a default must not undo what was given here."""
    parser.add_argument("--lang", choices=["en", "zh_CN"], default=language, help="language of texts (default: yours)")
    parser.add_argument("--debug", action="store_true", default=debug, help="show the traceback of an unexpected error")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit code."""
    open_missing_streams()
    arguments = list(sys.argv[1:] if argv is None else argv)
    _Parser.typed, _Parser.words = arguments, None
    command = next((argument for argument in arguments if argument in COMMANDS), None)
    args = build_parser(command).parse_args(arguments)
    if args.command is None:
        return _window(args)
    from rocm_gui.cli.output import Output

    out = Output(json_mode=bool(getattr(args, "json", False)), language=args.lang)
    from rocm_gui.bootstrap import logging_to_file, settings_remarks

    for remark in settings_remarks(out.texts):
        out.say("rocm-gui: " + remark)
    with logging_to_file(debug=args.debug):
        code = _run(args, out)
    return out.finish(code)


def _run(args: argparse.Namespace, out: Output) -> int:
    """Run the subcommand; whatever it raises becomes a sentence and an exit code."""
    try:
        return int(importlib.import_module(f"rocm_gui.cli.{args.command}").run(args, out))
    except AppError as error:
        if args.debug:
            import traceback

            traceback.print_exc()
        out.error(error)
        return int(error.exit_code)
    except KeyboardInterrupt:
        out.say(out.texts.get("cli.cancelled"))
        return int(ExitCode.CANCELLED)
    except Exception as error:
        if args.debug:
            raise
        logging.getLogger(__name__).critical("unforeseen", exc_info=error)
        out.error(AppError("unforeseen", reason=f"{type(error).__name__}: {error}"))
        return int(ExitCode.CRASHED)


def main_windowed() -> int:
    """Entry point without a console window."""
    return main()


def _window(args: argparse.Namespace) -> int:
    from rocm_gui.bootstrap import run_gui

    try:
        _check_display()
        return run_gui(language=args.lang, simulate=args.simulate, smoke_test=args.smoke_test)
    except AppError as error:
        from rocm_gui.cli.output import Output

        Output(json_mode=False, language=args.lang).error(error)
        return int(error.exit_code)


def _check_display() -> None:
    """Qt without a display ends the whole program with a core dump instead of a word.

    Raises:
        AppError: ``no_display``.
    """
    if sys.platform in ("win32", "darwin"):
        return
    if not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")):
        raise AppError("no_display")
