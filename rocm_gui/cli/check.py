"""``rocm-gui check``: what is ready on this machine, what is missing, what to do."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from rocm_gui.bootstrap import load_check_texts, make_doctor
from rocm_gui.cli.check_report import Report
from rocm_gui.core.check_texts import found, remedy
from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.model import SetupOptions
from rocm_gui.system.paths import default_paths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocm_gui.cli.output import Output
    from rocm_gui.core.checks import Check, CheckResult
    from rocm_gui.core.texts import Texts
    from rocm_gui.services.doctor import Diagnosis

SCHEMA = 1


def _names(text: str) -> list[str]:
    """The ids of ``--only``."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise argparse.ArgumentTypeError("names no check")
    return names


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    parser.add_argument("--list", action="store_true", help="list every check with its id and run none")
    parser.add_argument(
        "--only", action="extend", type=_names, metavar="ID,...", help="run these checks only (see --list)"
    )
    parser.add_argument("--route", metavar="ID", help="judge for this route instead of the best one")
    parser.add_argument("--target", metavar="DIR", help="judge for an environment in this folder")
    parser.add_argument("--python", metavar="PATH", help="judge for this Python interpreter")
    parser.add_argument("--gfx", metavar="TARGET", help="judge for this gfx target, such as gfx1100")
    parser.add_argument("--sysfs-root", type=Path, metavar="DIR", help="read the GPUs from a folder laid out like /sys")
    parser.add_argument("--machine", type=Path, metavar="FILE", help="judge a recorded machine instead of this one")
    parser.add_argument("--save-machine", type=Path, metavar="FILE", help="record this machine in a file")
    parser.add_argument(
        "-v", "--verbose", action="store_true", help="show every check, its reason and where each fact is from"
    )


def run(args: argparse.Namespace, out: Output) -> int:
    """Run the subcommand; returns its exit code."""
    if args.save_machine is not None and args.only is not None:
        raise AppError("check_save_with_only", ExitCode.USAGE)
    texts = load_check_texts(out.texts.language)
    doctor = make_doctor(default_paths(), sysfs_root=args.sysfs_root, machine_file=args.machine)
    if args.list:
        _list(doctor.checks, texts, out)
        return ExitCode.OK
    target = args.target
    if target is not None and args.machine is None:
        target = str(Path(target).expanduser().absolute())
    options = SetupOptions(route_id=args.route, target=target, python=args.python, gfx_target=args.gfx)
    diagnosis = doctor.diagnose(options, args.only)
    if args.save_machine is not None:
        from rocm_gui.system.machine_file import write_machine

        write_machine(args.save_machine, diagnosis.machine)
        out.say(out.texts.get("check.label.recorded", path=args.save_machine))
    if out.json_mode:
        out.document(document(diagnosis, texts))
    else:
        Report(out, texts, verbose=args.verbose).write(diagnosis)
    return ExitCode.FAILED if diagnosis.failed else ExitCode.OK


def document(diagnosis: Diagnosis, texts: Texts) -> dict[str, object]:
    """The JSON document of a diagnosis; its schema is ``resources/docs/schema/check.json``."""
    machine, choice = diagnosis.machine, diagnosis.choice
    counts = {
        status: sum(result.status == status for result in diagnosis.results)
        for status in ("ok", "warn", "fail", "unknown")
    }
    return {
        "schema": SCHEMA,
        "host": machine.host,
        "gpus": machine.gpus,
        "route": None
        if choice is None
        else {
            "id": choice.route.id,
            "fits": choice.fits,
            "official": choice.official,
            "gfx_target": choice.gfx_target,
            "reasons": choice.reasons,
            "cautions": choice.cautions,
        },
        "target": diagnosis.target,
        "checks": [_result(result, texts) for result in diagnosis.results],
        "counts": counts,
        "problems": machine.problems,
    }


def _result(result: CheckResult, texts: Texts) -> dict[str, object]:
    return {
        "id": result.id,
        "group": result.group,
        "status": result.status,
        "code": result.text,
        "facts": result.facts,
        "title": texts.get(f"{result.id}.title"),
        "found": found(result, texts),
        "why": texts.get(f"{result.id}.why"),
        "remedy": remedy(result, texts),
    }


def _list(checks: Sequence[Check], texts: Texts, out: Output) -> None:
    if out.json_mode:
        rows = [
            {
                "id": check.id,
                "group": check.group,
                "title": texts.get(f"{check.id}.title"),
                "why": texts.get(f"{check.id}.why"),
                "systems": check.systems,
                "probes": check.probes,
            }
            for check in checks
        ]
        out.document({"schema": SCHEMA, "checks": msgspec.to_builtins(rows)})
        return
    width = max(len(check.id) for check in checks)
    for check in checks:
        out.report(f"{check.id:<{width}}  {texts.get(f'{check.id}.title')}: {texts.get(f'{check.id}.why')}")
