"""The command line. One module a subcommand; each is imported only when it is the one asked for."""

from __future__ import annotations

import argparse
import importlib
import sys
from typing import TYPE_CHECKING

from rocm_gui import __version__
from rocm_gui.core.errors import AppError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence

# name -> one line of help; the module rocm_gui.cli.NAME has add_arguments(parser) and run(args, out) -> int
COMMANDS = {
    "check": "look at this machine: what is ready, what is missing, what to do",
    "setup": "routes, plan, apply, resume, undo, status, repair: a PyTorch environment, step by step",
    "verify": "prove that an environment computes correctly",
}


class _Parser(argparse.ArgumentParser):
    """Argument errors are one sentence and exit code 2."""

    def error(self, message: str) -> None:  # type: ignore[override]
        self.print_usage(sys.stderr)
        self.exit(ExitCode.USAGE, f"{self.prog}: {message}\n")


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser; only the arguments of ``command`` are filled in, which keeps ``--help`` fast."""
    parser = _Parser(
        prog="rocm-gui", description="Desktop assistant for AMD GPUs. Without a command it opens its window."
    )
    parser.add_argument("--version", action="version", version=f"rocm-gui {__version__}")
    parser.add_argument("--lang", choices=["en", "zh_CN"], help="language of texts (default: the system's)")
    parser.add_argument("--debug", action="store_true", help="show the traceback of an unexpected error")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    for name, text in COMMANDS.items():
        sub = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if name == command:
            importlib.import_module(f"rocm_gui.cli.{name}").add_arguments(sub)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    command = next((argument for argument in arguments if argument in COMMANDS), None)
    args = build_parser(command).parse_args(arguments)
    if args.command is None:
        return _window()
    from rocm_gui.cli.output import Output

    out = Output(json_mode=bool(getattr(args, "json", False)), language=args.lang)
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
    except BrokenPipeError:  # the reader of our output went away: no error of ours
        return int(ExitCode.OK)


def main_windowed() -> int:
    """Entry point without a console window."""
    return main()


def _window() -> int:
    from rocm_gui.bootstrap import run_gui

    return run_gui()
