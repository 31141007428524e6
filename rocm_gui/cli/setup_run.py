"""``rocm-gui setup apply | resume | undo | status | repair``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import argparse

    from rocm_gui.cli.output import Output


class Commands(Protocol):
    """What ``add_subparsers`` returns, as far as it is used here."""

    def add_parser(self, name: str, *, help: str, description: str) -> argparse.ArgumentParser:  # noqa: A002
        """A new subcommand."""
        ...


_APPLY_HELP = (
    "Carries out the plan for --route and --target. On a terminal it shows the plan and asks first; --yes, --json and "
    "a standard input that is no terminal go ahead at once: the command itself is the consent."
)
_REPAIR_HELP = "Replaces PyTorch inside an environment that exists already; can be undone."


def add_arguments(commands: Commands) -> None:
    """Add the subcommands to ``commands`` (what ``add_subparsers`` returned)."""
    from rocm_gui.cli.setup import add_plan_arguments

    apply = commands.add_parser("apply", help="carry out a plan, with live progress", description=_APPLY_HELP)
    add_plan_arguments(apply)
    apply.add_argument("--dry-run", action="store_true", help="show what would be done and do none of it")
    apply.add_argument("--yes", "-y", action="store_true", help="do not ask")
    _with_target(commands, "resume", "go on with a setup that was interrupted, cancelled or failed")
    undo = _with_target(commands, "undo", "take back, step by step, what a setup did")
    undo.add_argument("--dry-run", action="store_true", help="list what would be removed and what would be kept")
    undo.add_argument(
        "--force", action="store_true", help="also remove parts of the setup that were changed or added to since"
    )
    _with_target(commands, "status", "how far a setup is and what it made")
    repair = commands.add_parser("repair", help=_REPAIR_HELP, description=_REPAIR_HELP)
    add_plan_arguments(repair)
    repair.add_argument("--dry-run", action="store_true", help="show the difference and change nothing")
    repair.add_argument("--yes", "-y", action="store_true", help="do not ask")


def _with_target(commands: Commands, name: str, text: str) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
    parser.add_argument("--target", required=True, metavar="DIR", help="the folder of the setup")
    parser.add_argument("--json", action="store_true", help="JSON on standard output")
    return parser


def run(args: argparse.Namespace, out: Output) -> int:
    """Run ``args.action``; returns the exit code."""
    raise NotImplementedError(args.action, out)
