"""``rocm-gui build``: ROCm, or any CMake project, built from source."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from rocm_gui.bootstrap import make_source_build
from rocm_gui.cli.setup_progress import ProgressPrinter, cancel_on_signal
from rocm_gui.core.command_line import shown_command
from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.recipes import BuildOptions
from rocm_gui.core.texts import pick

if TYPE_CHECKING:
    import argparse
    import threading
    from collections.abc import Callable

    from rocm_gui.cli.output import Output
    from rocm_gui.core.recipes import BuildPlan
    from rocm_gui.core.setup_events import SetupEvent
    from rocm_gui.services.build_needs import NeedResult
    from rocm_gui.services.source_build import BuildOutcome, SourceBuild

SCHEMA = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the subcommand."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True, parser_class=type(parser))

    def action(name: str, text: str) -> argparse.ArgumentParser:
        sub = actions.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        sub.add_argument("--json", action="store_true", help="JSON on standard output")
        return sub

    action("list", "the recipes, and builds that were begun")
    for name, text in (
        ("check", "what a recipe needs and what of it is here"),
        ("plan", "every command of a build; changes nothing"),
        ("run", "build; Ctrl-C is safe, and running it again goes on"),
    ):
        sub = action(name, text)
        _add_options(sub)
        if name == "run":
            sub.add_argument("--dry-run", action="store_true", help="show every command and run none")
            sub.add_argument(
                "-y", "--yes", action="store_true", help="do not ask, and build although a need is not met"
            )
            sub.add_argument("-v", "--verbose", action="store_true", help="show every line of the programs that run")
    for name, text in (
        ("resume", "go on with a build that was interrupted, cancelled or failed"),
        ("status", "how far a build is"),
        ("clean", "remove what a build made"),
    ):
        sub = action(name, text)
        sub.add_argument("--dir", type=Path, required=True, metavar="DIR", help="the folder of the build")
        if name == "clean":
            sub.add_argument("--all", action="store_true", help="the fetched sources too, not only the build folder")
        if name == "resume":
            sub.add_argument("-v", "--verbose", action="store_true", help="show every line of the programs that run")


def _add_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--recipe", default="cmake", metavar="ID", help="therock, article or cmake (default: cmake)")
    add("--source", metavar="URL|DIR", help="git address or folder to build, instead of the recipe's own address")
    add("--mirror", metavar="ID", help="which of the recipe's addresses (see: rocm-gui build list)")
    add("--ref", metavar="NAME", help="branch, tag or commit")
    add("--dir", type=Path, metavar="DIR", help="the folder of the build (default: a short one of your own)")
    add("--prefix", metavar="DIR", help="where to install (default: one of your own, which needs no other rights)")
    add("--generator", metavar="NAME", help="generator of CMake (default: Ninja where it is there)")
    add("--build-type", default="Release", metavar="TYPE", help="Release, Debug or RelWithDebInfo (default: Release)")
    add("--gfx", action="append", default=[], metavar="TARGET", help="gfx target to build for; may be repeated")
    add("--jobs", type=int, metavar="N", help="compilers at once (default: as cores and memory allow)")
    add("--define", action="append", default=[], metavar="KEY=VALUE", help="a -D for CMake; may be repeated")
    add("--ccache", action="store_true", help="keep compiled files with ccache")
    add("--full-history", action="store_true", help="fetch all commits, not only the newest")


def run(args: argparse.Namespace, out: Output) -> int:
    """Run the subcommand; returns its exit code."""
    builds = make_source_build()
    actions: dict[str, Callable[[argparse.Namespace, Output, SourceBuild], int]] = {
        "list": _list,
        "check": _check,
        "plan": _plan,
        "run": _run,
        "resume": _resume,
        "status": _status,
        "clean": _clean,
    }
    return actions[args.action](args, out, builds)


def _options(args: argparse.Namespace, builds: SourceBuild) -> BuildOptions:
    builds.recipe(args.recipe)
    source = args.source
    if source is not None and "://" not in source and Path(source).expanduser().exists():
        source = str(Path(source).expanduser().absolute())
    folder = args.dir.expanduser().absolute() if args.dir is not None else Path(builds.default_folder(args.recipe))
    return BuildOptions(
        recipe_id=args.recipe,
        source=source,
        mirror=args.mirror,
        ref=args.ref,
        work_dir=str(folder),
        prefix=None if args.prefix is None else str(Path(args.prefix).expanduser().absolute()),
        generator=args.generator,
        build_type=args.build_type,
        gfx_targets=tuple(args.gfx),
        jobs=args.jobs,
        ccache=args.ccache,
        defines=tuple(args.define),
        shallow=not args.full_history,
    )


def _list(_args: argparse.Namespace, out: Output, builds: SourceBuild) -> int:
    records = builds.known()
    if out.json_mode:
        rows = [
            {"id": r.id, "title": pick(r.title, out.texts.language), "makes_runtime": r.makes_runtime,
             "mirrors": [{"id": m.id, "url": m.url} for m in r.mirrors]}
            for r in builds.recipes.values()
        ]  # fmt: skip
        begun = [{"dir": r.plan.work_dir, "recipe": r.plan.recipe_id, "state": r.state} for r in records]
        out.document({"schema": SCHEMA, "recipes": rows, "builds": begun})
        return ExitCode.OK
    for recipe in builds.recipes.values():
        out.report(f"{recipe.id}: {pick(recipe.title, out.texts.language)}")
        out.report(f"  {pick(recipe.summary, out.texts.language)}")
        for remark in recipe.remarks:
            out.report(f"  - {pick(remark, out.texts.language)}")
        for mirror in recipe.mirrors:
            out.report(f"  {mirror.id}: {mirror.url}")
        out.report()
    for record in records:
        state = out.texts.get(f"build.state.{record.state}")
        out.report(f"{record.plan.work_dir} ({record.plan.recipe_id}): {state}")
    return ExitCode.OK


def _needs(out: Output, needs: tuple[NeedResult, ...]) -> None:
    for need in needs:
        title = out.texts.get(f"build.need.{need.id}.title")
        found = need.found or out.texts.get(f"build.found.{need.status}")
        wanted = out.texts.aside(out.texts.get("build.wanted", wanted=need.wanted)) if need.wanted else ""
        out.report(f"{out.mark(need.status)} {title}{out.texts.colon}{found}{wanted}")
        if need.status in ("fail", "warn"):
            out.report(f"    {out.texts.get(f'build.need.{need.id}.remedy')}")


def _check(args: argparse.Namespace, out: Output, builds: SourceBuild) -> int:
    needs = builds.check(_options(args, builds))
    if out.json_mode:
        out.document({"schema": SCHEMA, "needs": msgspec.to_builtins(needs)})
    else:
        _needs(out, needs)
    return ExitCode.FAILED if any(need.status == "fail" for need in needs) else ExitCode.OK


def _plan(args: argparse.Namespace, out: Output, builds: SourceBuild) -> int:
    options = _options(args, builds)
    show_plan(out, builds, builds.plan(options))
    return ExitCode.OK


def show_plan(out: Output, builds: SourceBuild, plan: BuildPlan) -> None:
    """Every step with its exact commands."""
    if out.json_mode:
        out.document({"schema": SCHEMA, "plan": msgspec.to_builtins(plan)})
        return
    recipe = builds.recipe(plan.recipe_id)
    out.report(pick(recipe.title, out.texts.language) or plan.recipe_id)
    for remark in recipe.remarks:
        out.report(f"  {pick(remark, out.texts.language)}")
    if recipe.lines:
        out.report(out.texts.get("build.as_printed"))
        for line in recipe.lines:
            out.report(f"    {line}")
    out.report(
        out.texts.get("build.head", source=plan.url or plan.source_dir, folder=plan.work_dir, prefix=plan.prefix)
    )
    out.report(out.texts.get(f"build.jobs.{plan.jobs_limit}", jobs=plan.jobs))
    for number, step in enumerate(plan.steps, start=1):
        admin = out.texts.aside(out.texts.get("build.admin")) if step.needs_admin else ""
        out.report(f"{number}. {out.texts.get(f'setup.step.{step.id}')}{admin}")
        for command in step.commands:
            out.report("    " + shown_command(command, windows=sys.platform == "win32"))


def _run(args: argparse.Namespace, out: Output, builds: SourceBuild) -> int:
    options = _options(args, builds)
    needs = builds.check(options)
    plan = builds.plan(options, needs)
    missing = [need for need in needs if need.status == "fail"]
    if args.dry_run or not out.json_mode:
        show_plan(out, builds, plan)
    if not out.json_mode:
        _needs(out, needs)
    if args.dry_run:
        return ExitCode.OK
    if missing and not args.yes:
        raise AppError("build_needs", ExitCode.FAILED, needs=missing[0].id, count=len(missing))
    asks = not out.json_mode and not args.yes and sys.stdin and sys.stdin.isatty()
    if asks and not out.agreed("build.ask"):
        return ExitCode.CANCELLED
    return _work(args, out, lambda listen, cancel: builds.run(plan, listen, cancel))


def _resume(args: argparse.Namespace, out: Output, builds: SourceBuild) -> int:
    folder = args.dir.expanduser().absolute()
    return _work(args, out, lambda listen, cancel: builds.resume(folder, listen, cancel))


def _work(
    args: argparse.Namespace,
    out: Output,
    work: Callable[[Callable[[SetupEvent], None], threading.Event], BuildOutcome],
) -> int:
    printer = ProgressPrinter(out, verbose=args.verbose)
    try:
        with cancel_on_signal(out) as cancel:
            outcome = work(printer, cancel)
    finally:
        printer.close()
    return _finish(out, outcome)


def _finish(out: Output, outcome: BuildOutcome) -> int:
    code = {"done": ExitCode.OK, "failed": ExitCode.FAILED, "cancelled": ExitCode.CANCELLED}[outcome.state]
    if out.json_mode:
        out.document(_result(out, outcome, int(code)))
        return code
    texts = out.texts
    if outcome.state == "done":
        out.report(texts.get("build.done", prefix=outcome.plan.prefix))
        if not outcome.plan.makes_runtime and outcome.plan.recipe_id != "cmake":
            out.report(texts.get("build.no_runtime"))
        return code
    resume = f'rocm-gui build resume --dir "{outcome.plan.work_dir}"'
    if outcome.state == "cancelled":
        out.report(texts.get("build.cancelled", command=resume))
        return code
    step = texts.get(f"setup.step.{outcome.step}")
    out.report(texts.get("build.failed", step=step, code=outcome.exit_code))
    place = f"{outcome.error_file}:{outcome.error_line}: " if outcome.error_file and outcome.error_line else ""
    if outcome.reason:
        out.report("  " + outcome.reason)
    if outcome.error:
        out.report("  " + texts.get("build.first_error", error=place + outcome.error))
        for line in outcome.error_lines[1:]:
            out.report("    " + line)
    for trouble in outcome.troubles:
        out.report("  " + (pick(trouble.cause, texts.language) or trouble.id))
        out.report("  → " + (pick(trouble.remedy, texts.language) or ""))
    out.report(texts.get("build.go_on", command=resume))
    return code


def _result(out: Output, outcome: BuildOutcome, code: int) -> dict[str, Any]:
    return {
        "type": "result",
        "schema": SCHEMA,
        "state": outcome.state,
        "step": outcome.step,
        "program_exit_code": outcome.exit_code,
        "prefix": outcome.plan.prefix,
        "dir": outcome.plan.work_dir,
        "error": outcome.error,
        "error_file": outcome.error_file,
        "error_line": outcome.error_line,
        "error_lines": outcome.error_lines,
        "reason": outcome.reason,
        "troubles": [
            {"id": t.id, "cause": pick(t.cause, out.texts.language), "remedy": pick(t.remedy, out.texts.language)}
            for t in outcome.troubles
        ],
        "exit_code": code,
    }


def _status(args: argparse.Namespace, out: Output, _builds: SourceBuild) -> int:
    from rocm_gui.services.build_record import read_record

    record = read_record(args.dir.expanduser().absolute())
    done = {key.split(":")[0] for key in record.done}
    if out.json_mode:
        steps = [{"id": s.id, "done": f"{s.id}:{n}" in record.done} for n, s in enumerate(record.plan.steps, start=1)]
        out.document(
            {"schema": SCHEMA, "state": record.state, "steps": steps, "plan": msgspec.to_builtins(record.plan)}
        )
        return ExitCode.OK
    out.report(f"{record.plan.work_dir}{out.texts.colon}{out.texts.get(f'build.state.{record.state}')}")
    for step in record.plan.steps:
        mark = out.mark("ok") if step.id in done else " "
        out.report(f"{mark} {out.texts.get(f'setup.step.{step.id}')}")
    return ExitCode.OK


def _clean(args: argparse.Namespace, out: Output, builds: SourceBuild) -> int:
    removed = builds.clean(args.dir.expanduser().absolute(), "all" if args.all else "build")
    if out.json_mode:
        out.document({"schema": SCHEMA, "removed": removed})
    else:
        out.report(out.texts.get("build.cleaned" if removed else "build.nothing_to_clean", folders=", ".join(removed)))
    return ExitCode.OK
