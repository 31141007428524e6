"""``rocm-gui setup apply | resume | undo | status | repair``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.texts import fill

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from rocm_gui.cli.output import Output
    from rocm_gui.core.setup_events import SetupEvent
    from rocm_gui.services.installer import Installer, Outcome, RepairPreview, StatusReport
    from rocm_gui.services.undo import UndoReport


class Commands(Protocol):
    """What ``add_subparsers`` returns, as far as it is used here."""

    def add_parser(self, name: str, *, help: str, description: str) -> argparse.ArgumentParser:  # noqa: A002
        """A new subcommand."""
        ...


ACTIONS = ("apply", "resume", "undo", "status", "repair")
_APPLY_HELP = (
    "Carries out the plan for --route and --target. On a terminal it shows the plan and asks first; --yes, --json and "
    "a standard input that is no terminal go ahead at once: the command itself is the consent."
)
_REPAIR_HELP = "replace PyTorch inside the environment of --python with the route's; can be undone"


def add_arguments(commands: Commands) -> None:
    """Add the subcommands to ``commands`` (what ``add_subparsers`` returned)."""
    from rocm_gui.cli.setup import add_plan_arguments

    apply = commands.add_parser("apply", help="carry out a plan, with live progress", description=_APPLY_HELP)
    add_plan_arguments(apply)
    _with_consent(apply, "show what would be done and do none of it")
    resume = _with_target(commands, "resume", "go on with a setup that was interrupted, cancelled or failed")
    resume.add_argument("--verbose", "-v", action="store_true", help="show every line of the programs that run")
    undo = _with_target(commands, "undo", "take back, step by step, what a setup or repair did")
    undo.add_argument("--dry-run", action="store_true", help="list what would be removed and what would be kept")
    undo.add_argument(
        "--force",
        action="store_true",
        help="also remove parts of the setup that were changed or added to since; files beside it are never touched",
    )
    _with_target(commands, "status", "how far a setup is and what it made")
    repair = commands.add_parser("repair", help=_REPAIR_HELP, description=f"R{_REPAIR_HELP[1:]}.")
    add_plan_arguments(repair)
    _with_consent(repair, "show the difference and change nothing")


def _with_consent(parser: argparse.ArgumentParser, dry_run: str) -> None:
    parser.add_argument("--dry-run", action="store_true", help=dry_run)
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask")
    parser.add_argument("--verbose", "-v", action="store_true", help="show every line of the programs that run")


def _with_target(commands: Commands, name: str, text: str) -> argparse.ArgumentParser:
    from rocm_gui.cli.setup import folder

    parser = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
    parser.add_argument("--target", type=folder, required=True, metavar="DIR", help="the folder of the setup")
    parser.add_argument("--json", action="store_true", help="JSON on standard output")
    return parser


def run(args: argparse.Namespace, out: Output) -> int:
    """Run ``args.action``; returns the exit code."""
    actions: dict[str, Callable[[argparse.Namespace, Output], int]] = {
        "apply": _apply,
        "resume": _resume,
        "undo": _undo,
        "status": _status,
        "repair": _repair,
    }
    return actions[args.action](args, out)


def _apply(args: argparse.Namespace, out: Output) -> int:
    from rocm_gui.bootstrap import make_installer
    from rocm_gui.cli.setup import make_plan
    from rocm_gui.cli.setup_report import PlanReport, plan_document

    plan = make_plan(args, out)
    if plan.kind == "guide":
        raise AppError("route_is_guide", ExitCode.USAGE, route=plan.route_id)
    if args.dry_run:
        if out.json_mode:
            out.document({**plan_document(plan, out.texts), "type": "plan", "dry_run": True})
            out.document({"type": "result", "schema": 1, "dry_run": True, "exit_code": 0})
        else:
            PlanReport(out).write(plan)
        out.say(out.texts.get("setup.dry_run"))
        return int(ExitCode.OK)
    if not out.json_mode:
        PlanReport(out).write(plan)
        if not _consent(args, out):
            out.say(out.texts.get("setup.undo.dry_run"))
            return int(ExitCode.CANCELLED)
    return _work(
        args,
        out,
        lambda installer, listen, cancel: installer.apply(plan, listen, cancel),
        make_installer(language=out.texts.language),
    )


def _consent(args: argparse.Namespace, out: Output) -> bool:
    if args.yes or out.json_mode or not sys.stdin.isatty():
        return True
    out.say("")
    return out.agreed("setup.ask")


def _resume(args: argparse.Namespace, out: Output) -> int:
    from rocm_gui.bootstrap import make_installer

    target = Path(args.target).absolute()
    return _work(
        args,
        out,
        lambda installer, listen, cancel: installer.resume(target, listen, cancel),
        make_installer(language=out.texts.language),
    )


def _work(
    args: argparse.Namespace, out: Output, act: Callable[[Installer, Callable[[SetupEvent], None], Any], Outcome],
    installer: Installer,
) -> int:  # fmt: skip
    from rocm_gui.cli.setup_progress import ProgressPrinter, cancel_on_signal

    printer = ProgressPrinter(out, verbose=args.verbose)
    with cancel_on_signal(out) as cancel:
        try:
            outcome = act(installer, printer, cancel)
        finally:
            printer.close()
    _tell(outcome, args, out)
    return int(outcome.exit_code)


def _tell(outcome: Outcome, args: argparse.Namespace, out: Output) -> None:
    """The end of the run: as the last JSON line, or in sentences."""
    target = outcome.target
    if outcome.error is not None:
        out.error(outcome.error)
        for trouble in outcome.troubles[:3]:
            out.say("")
            out.say(out.texts.get("setup.trouble", cause=_pick(trouble.cause, out), remedy=_pick(trouble.remedy, out)))
    if out.json_mode:
        out.document(_result(outcome, out))
        return
    if outcome.state == "done":
        out.say("")
        verdict = outcome.verdict or "unknown"
        if args.action == "repair":
            out.report(out.texts.get("setup.repair.finished", target=target))
            return
        out.report(out.texts.get(f"setup.finished.{verdict}", target=target))
        out.report(out.texts.get("setup.finished.next", start=start_words(target, windows=sys.platform == "win32")))
    else:
        begun = outcome.step != "preflight" or outcome.exit_code is not ExitCode.USAGE
        if begun:  # else there is nothing to go on with: the error said what to change
            out.say("")
            out.say(out.texts.get(f"setup.stopped.{outcome.state}", step=_title(outcome.step, out), target=target))


def start_words(target: str, *, windows: bool) -> str:
    """What to type to start the environment's script: the same for Command Prompt and PowerShell on Windows.

    PowerShell prints a path in quotation marks instead of starting it, and ``&`` means another thing elsewhere.
    """
    script = f"{target}\\start.cmd" if windows else f"{target}/start.sh"
    words = fill("{script!q}", {"script": script})
    return f"cmd /c {words}" if windows and words != script else words


def _result(outcome: Outcome, out: Output) -> dict[str, object]:
    error = outcome.error
    return {
        "type": "result",
        "schema": 1,
        "setup_id": outcome.setup_id,
        "target": outcome.target,
        "state": outcome.state,
        "step": outcome.step,
        "verdict": outcome.verdict,
        "steps": [{"id": step_id, "state": state} for step_id, state in outcome.steps],
        "error": None
        if error is None
        else {
            "code": error.code,
            "facts": {key: _plain(value) for key, value in error.facts.items()},
            "text": out.texts.get(f"error.{error.code}", **error.facts),
        },
        "troubles": [
            {
                "id": trouble.id,
                "layer": trouble.layer,
                "cause": _pick(trouble.cause, out),
                "remedy": _pick(trouble.remedy, out),
            }
            for trouble in outcome.troubles
        ],
        "exit_code": int(outcome.exit_code),
    }


def _plain(value: object) -> object:
    return value if isinstance(value, (str, int, float, bool)) or value is None else str(value)


def _pick(entry: dict[str, str], out: Output) -> str:
    return entry.get(out.texts.language) or entry["en"]


def _title(step: str | None, out: Output) -> str:
    return out.texts.get(f"setup.step.{step}") if step else ""


def _undo(args: argparse.Namespace, out: Output) -> int:
    from rocm_gui.bootstrap import make_installer
    from rocm_gui.cli.setup_progress import ProgressPrinter, cancel_on_signal

    printer = ProgressPrinter(out)
    with cancel_on_signal(out) as cancel:
        try:
            report = make_installer().undo(
                Path(args.target).absolute(), printer, cancel, force=args.force, dry_run=args.dry_run
            )
        finally:
            printer.close()
    code = ExitCode.OK if report.complete or report.dry_run else ExitCode.FAILED
    if out.json_mode:
        out.document(
            {
                "type": "result",
                "schema": 1,
                "setup_id": report.setup_id,
                "target": report.target,
                "dry_run": report.dry_run,
                "complete": report.complete,
                "changes": [
                    {
                        "path": decision.path,
                        "action": decision.action,
                        "reason": decision.reason,
                        "conflict": decision.conflict,
                        "details": list(decision.details),
                    }
                    for decision in report.decisions
                ],
                "exit_code": int(code),
            }
        )
    else:
        _tell_undo(report, out)
    return int(code)


def _tell_undo(report: UndoReport, out: Output) -> None:
    for decision in report.decisions:
        key = decision.action if not report.dry_run else f"would_{decision.action}"
        sign = out.mark("warn" if decision.conflict else "ok")
        line = out.texts.get(f"setup.undo.{key}", path=decision.path)
        if decision.action == "keep":
            details = ", ".join(decision.details[:5])
            line += " " + out.texts.get(f"setup.undo.reason.{decision.reason}", details=details)
        out.report(f"{sign} {line}")
    if report.dry_run:
        out.say(out.texts.get("setup.undo.dry_run"))
    else:
        out.report(out.texts.get("setup.undo.complete" if report.complete else "setup.undo.conflicts"))


def _status(args: argparse.Namespace, out: Output) -> int:
    from rocm_gui.bootstrap import make_installer

    report = make_installer().status(Path(args.target).absolute())
    if out.json_mode:
        out.document(_status_document(report))
        return int(ExitCode.OK)
    phase = out.texts.get(f"setup.phase.{report.phase}", pid=report.running_pid)
    out.report(out.texts.get("setup.status.head", setup=report.setup_id, route=report.route_id, target=report.target))
    out.report(phase)
    signs = {"done": "ok", "skipped": "ok", "undone": "ok", "warning": "warn", "failed": "fail"}
    for step_id, state, _facts in report.steps:
        sign = out.mark(signs[state]) if state in signs else "·" if state == "waiting" else out.mark("warn")
        out.report(f"  {sign} {_title(step_id, out)}{out.texts.colon}{out.texts.get(f'setup.state.{state}')}")
    if report.made:
        out.report(out.texts.get("setup.status.made"))
        for made in report.made:
            note = ""
            if made.undo == "keep" and made.reason:
                note = " " + out.texts.get(f"setup.undo.reason.{made.reason}", details="")
            out.report(f"  {made.path}{note.rstrip()}")
    if report.torn:
        out.say(out.texts.get("setup.status.torn"))
    for action in report.next:
        out.report(out.texts.get(f"setup.next.{action}", target=report.target))
    return int(ExitCode.OK)


def _status_document(report: StatusReport) -> dict[str, object]:
    import msgspec

    document: dict[str, object] = msgspec.to_builtins(report)
    document["steps"] = [{"id": step_id, "state": state, "facts": facts} for step_id, state, facts in report.steps]
    return document


def _repair(args: argparse.Namespace, out: Output) -> int:
    import hashlib

    from rocm_gui.bootstrap import make_installer
    from rocm_gui.cli.setup import make_plan
    from rocm_gui.cli.setup_progress import ProgressPrinter, cancel_on_signal
    from rocm_gui.services.probe import resolve_python
    from rocm_gui.services.repair import read_environment, repair_plan
    from rocm_gui.system.paths import default_paths

    if args.python is None:
        raise AppError("repair_python_needed", ExitCode.USAGE)
    python = resolve_python(args.python)
    environment = read_environment(python)
    args.python = environment.base
    data = default_paths().data
    data.mkdir(parents=True, exist_ok=True)
    args.target = str(
        data / f"repair-{hashlib.sha256(python.encode()).hexdigest()[:12]}"
    )  # a folder that is never made
    plan = repair_plan(make_plan(args, out), python, environment)
    installer = make_installer(language=out.texts.language)
    printer = ProgressPrinter(out, verbose=args.verbose)
    with cancel_on_signal(out) as cancel:
        try:
            preview = installer.repair_difference(plan, printer, cancel)
        finally:
            printer.close()
    if out.json_mode:
        out.document(
            {
                "type": "difference",
                "schema": 1,
                "python": preview.python,
                "version": preview.version,
                "changes": [
                    {"name": change.name, "before": change.before, "after": change.after} for change in preview.changes
                ],
                "kept": preview.kept,
            }
        )
    else:
        _tell_difference(preview, out)
    if args.dry_run:
        out.say(out.texts.get("setup.dry_run"))
        if out.json_mode:
            out.document({"type": "result", "schema": 1, "dry_run": True, "exit_code": 0})
        return int(ExitCode.OK)
    if not _consent(args, out):
        out.say(out.texts.get("setup.undo.dry_run"))
        return int(ExitCode.CANCELLED)
    return _work(args, out, lambda work, listen, cancel: work.apply(plan, listen, cancel), installer)


def _tell_difference(preview: RepairPreview, out: Output) -> None:
    out.report(out.texts.get("setup.repair.head", python=preview.python, version=preview.version))
    for change in preview.changes:
        key = "same" if change.before == change.after else "change"
        out.report(out.texts.get(f"setup.repair.{key}", name=change.name, before=change.before, after=change.after))
    out.report(out.texts.get("setup.repair.kept", count=preview.kept))
