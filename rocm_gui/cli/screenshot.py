"""``rocm-gui screenshot DIR``: a PNG of every page of the window."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_gui.bootstrap import take_screenshots
from rocm_gui.core.errors import ExitCode

if TYPE_CHECKING:
    from rocm_gui.cli.output import Output


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="where the pictures go; made if it is not there")
    parser.add_argument(
        "--simulate", metavar="NAME", help="show a simulated machine, marked as such, instead of this one"
    )
    parser.add_argument("--theme", choices=["light", "dark"], default="light")
    parser.add_argument("--scale", type=_scale, default=1.0, metavar="X", help="font size as a factor, 0.5 to 3")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def _scale(text: str) -> float:
    value = float(text)
    if not 0.5 <= value <= 3:
        raise argparse.ArgumentTypeError("a factor from 0.5 to 3")
    return value


def run(args: argparse.Namespace, out: Output) -> int:
    """Run the subcommand; returns its exit code."""
    if os.name == "posix" and not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    files = take_screenshots(args.folder, out.texts.language, args.theme, args.scale, args.simulate)
    if out.json_mode:
        out.document({"schema": 1, "folder": str(args.folder), "files": files})
    else:
        for name in files:
            out.report(str(args.folder / name))
    return ExitCode.OK
