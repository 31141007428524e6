"""``rocm-gui verify``: prove that an environment computes correctly."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    import argparse

    from rocm_gui.cli.output import Output
    from rocm_gui.core.events import AnyEvent
    from rocm_gui.core.model import Machine
    from rocm_gui.system.paths import Paths


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``verify``."""
    parser.add_argument(
        "--python",
        required=True,
        metavar="PATH",
        help="interpreter or folder of the environment, or the folder of its setup",
    )
    parser.add_argument(
        "--device", type=number, metavar="N", help="GPU to test, as PyTorch counts (default: the best one)"
    )
    parser.add_argument(
        "--save",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help="also save the report as FILE.txt, FILE.json or FILE.html, names and serial numbers masked; repeatable",
    )
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    parser.epilog = (
        "Exit codes: 0 verified (or CPU only), 1 failed, 2 wrong use, 3 wrong results, 4 crashed or out of time."
    )


def number(text: str) -> int:
    """A GPU as PyTorch counts, from 0 on."""
    value = int(text)
    if value < 0:
        raise ValueError(text)
    return value


def run(args: argparse.Namespace, out: Output) -> int:
    """Verify, print, save."""
    from rocm_gui.core.report import compose
    from rocm_gui.core.report_formats import to_text
    from rocm_gui.services.report_files import check_format, save_report
    from rocm_gui.services.verifier import verify_environment
    from rocm_gui.system.paths import default_paths

    for path in args.save:
        check_format(path)
    paths = default_paths()
    report = verify_environment(
        args.python,
        paths=paths,
        machine=_machine(paths),
        device=args.device,
        on_event=lambda event: _progress(event, out),
    )
    if args.json:
        out.document({"type": "result", **msgspec.to_builtins(report)})
    else:
        out.report(to_text(compose(report, out.texts), out.mark).rstrip("\n"))
    for path in args.save:
        save_report(report, path, out.texts)
    return report.exit_code


def _machine(paths: Paths) -> Machine | None:
    """The GPUs and drivers of this machine, which the environment is compared with."""
    from rocm_gui.core.model import SetupOptions
    from rocm_gui.system.machine import collect, real_sources

    return collect(real_sources(paths), SetupOptions(), ("host", "gpus", "linux_access"))


def _progress(event: AnyEvent, out: Output) -> None:
    """One line on standard error for each test that begins."""
    from rocm_gui.core.events import Log, Stage

    if isinstance(event, Stage):
        count: Any = event.count or 0
        out.say(f"[{(event.index or 0) + 1}/{count}] " + out.texts.get(f"verify.test.{event.id}"))
    elif isinstance(event, Log) and event.level == "notice":
        out.say("      " + out.texts.get(f"verify.notice.{event.text}"))
