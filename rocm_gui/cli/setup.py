"""``rocm-gui setup``: the routes of this machine and the plan of a setup; ``setup_run`` carries plans out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.model import SetupOptions
from rocm_gui.system.paths import default_paths

if TYPE_CHECKING:
    import argparse

    from rocm_gui.cli.output import Output
    from rocm_gui.core.model import Machine
    from rocm_gui.core.plan import Plan
    from rocm_gui.core.settings import Settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The subcommands."""
    from rocm_gui.cli import setup_run

    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    text = "the ways to PyTorch on this machine, best first, and why others do not fit"
    routes = actions.add_parser("routes", help=text, description=text[0].upper() + text[1:] + ".")
    routes.add_argument("--all", action="store_true", help="also list guides and what does not fit")
    routes.add_argument("--python", metavar="PATH", help="judge for this Python interpreter")
    _add_machine_arguments(routes)
    text = "every step with its exact commands, sizes and values; changes nothing"
    plan = actions.add_parser("plan", help=text, description=text[0].upper() + text[1:] + ".")
    add_plan_arguments(plan)
    setup_run.add_arguments(actions)


def add_plan_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that decide a plan: the same for ``plan``, ``apply`` and ``repair``.

    Without --target the settings' folder is taken, else a short one in the user's home.
    """
    add = parser.add_argument
    add("--route", metavar="ID", help="the route (default: the best one; see: rocm-gui setup routes)")
    add(
        "--target",
        type=folder,
        metavar="DIR",
        help="absolute path of the folder for the setup (default: rocm in your home)",
    )
    add("--python", metavar="PATH", help="Python interpreter to make the environment from")
    add("--torch", metavar="VERSION", help="another PyTorch version than the route's")
    add("--extras", metavar="A,B", type=_extras, default=(), help="more packages: transformers,datasets,accelerate")
    add("--env", choices=["venv", "conda"], default="venv", help="kind of environment (default: venv)")
    add("--index-url", metavar="URL", help="package index for PyTorch instead of the route's own")
    add("--mirror", metavar="NAME|URL", help="PyPI or a copy of it: official, tsinghua, aliyun, tencent, or a URL")
    add("--proxy", metavar="URL", help="proxy for all downloads, such as http://127.0.0.1:7890")
    add("--ca-bundle", metavar="FILE", help="PEM file of certificates to trust")
    add("--cache-dir", metavar="DIR", help="cache folder for pip")
    _add_machine_arguments(parser)


def _add_machine_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--gfx", metavar="TARGET", help="gfx target of the GPU to plan for, such as gfx1100")
    parser.add_argument("--sysfs-root", type=Path, metavar="DIR", help="read the GPUs from a folder laid out like /sys")
    parser.add_argument("--machine", type=Path, metavar="FILE", help="a recorded machine instead of this one")
    parser.add_argument("--json", action="store_true", help="JSON on standard output")


def _extras(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def run(args: argparse.Namespace, out: Output) -> int:
    """Run the subcommand; returns its exit code."""
    if args.action == "routes":
        return _routes(args, out)
    if args.action == "plan":
        plan = make_plan(args, out)
        show_plan(plan, out, _apply_words(args, plan))
        return ExitCode.OK
    from rocm_gui.cli import setup_run

    return setup_run.run(args, out)


def show_plan(plan: Plan, out: Output, apply: tuple[str, ...] | None = None) -> None:
    """The plan as text or, in JSON mode, as a document; ``apply`` is the command that carries it out."""
    from rocm_gui.cli.setup_report import PlanReport, plan_document

    if out.json_mode:
        out.document(plan_document(plan, out.texts))
    else:
        PlanReport(out).write(plan, apply)


def options_from(args: argparse.Namespace) -> SetupOptions:
    """The options of the command line, and where it is silent those of the settings."""
    settings = _settings()
    target = getattr(args, "target", None)
    ca_bundle = getattr(args, "ca_bundle", None) or settings.ca_bundle
    cache_dir = getattr(args, "cache_dir", None)
    if args.machine is None:
        _check_certificates(ca_bundle)
        cache_dir = None if cache_dir is None else str(Path(cache_dir).expanduser().absolute())
    return SetupOptions(
        route_id=getattr(args, "route", None),
        target=None if target is None else str(Path(target).expanduser()),
        python=_path(args.python) or settings.default_python,
        torch_version=getattr(args, "torch", None),
        index_url=getattr(args, "index_url", None) or settings.index_url,
        pypi_mirror=getattr(args, "mirror", None) or settings.pypi_mirror,
        proxy=getattr(args, "proxy", None) or settings.proxy,
        ca_bundle=ca_bundle,
        env_kind=getattr(args, "env", "venv"),
        extras=getattr(args, "extras", ()),
        gfx_target=args.gfx,
        cache_dir=cache_dir,
    )


def folder(text: str) -> str:
    """A folder as it was typed; an empty word, as of a variable that is not set, is not the folder we stand in."""
    if not text.strip():
        raise ValueError(text)
    text.encode()  # ValueError where it holds bytes that are no text: neither plan nor journal could tell its name
    return text


def _check_certificates(path: str | None) -> None:
    """Say at once what would fail in the middle of a setup."""
    if path is None:
        return
    try:
        with Path(path).open("rb"):
            pass
    except OSError as error:
        reason = error.strerror or str(error)
        raise AppError("file_unreadable", ExitCode.USAGE, path=path, reason=reason) from error


def _path(text: str | None) -> str | None:
    """A file of this machine by its absolute path; what is not here stays as it was typed."""
    if text is None:
        return None
    path = Path(text).expanduser()
    return str(path.absolute()) if path.exists() else text


def make_plan(args: argparse.Namespace, out: Output) -> Plan:
    """The plan that the options ask for, on this machine or the recorded one.

    Raises:
        AppError: as ``SetupPlanner.plan``, with reasons as sentences.
    """
    from rocm_gui.bootstrap import make_setup_planner
    from rocm_gui.core.plan_report import worded

    if args.machine is not None and args.action != "plan" and not args.dry_run:
        raise AppError("setup_recorded", ExitCode.USAGE, path=str(args.machine))
    options = options_from(args)
    machine, recorded = _machine(args, options), args.machine is not None
    planner = make_setup_planner(default_paths(), machine, _settings().default_target, recorded=recorded)
    try:
        return planner.plan(options)
    except AppError as error:
        raise worded(error, out.texts) from error


def _settings() -> Settings:
    from rocm_gui.system.settings_file import SettingsFile

    return SettingsFile(default_paths().settings_file).load()[0]


def _machine(args: argparse.Namespace, options: SetupOptions) -> Machine:
    from rocm_gui.bootstrap import machine_reader
    from rocm_gui.services.setup_planning import PROBES

    collect = machine_reader(default_paths(), sysfs_root=args.sysfs_root, machine_file=args.machine)
    return collect(options, PROBES)


def _routes(args: argparse.Namespace, out: Output) -> int:
    from rocm_gui.cli.setup_report import routes_document, write_routes
    from rocm_gui.core.route_choice import choose_routes
    from rocm_gui.system.route_files import read_route_book

    options = options_from(args)
    machine = _machine(args, options)
    choices = choose_routes(read_route_book(default_paths()).routes, machine, options)
    if out.json_mode:
        out.document(routes_document(choices, machine, options, out.texts))
    else:
        write_routes(out, choices, machine, options, everything=args.all)
    return ExitCode.OK


def _apply_words(args: argparse.Namespace, plan: Plan) -> tuple[str, ...]:
    """The command that carries this very plan out."""
    words = ["rocm-gui", "setup", "apply", "--route", plan.route_id, "--target", plan.target]
    for name in ("python", "torch", "index_url", "mirror", "proxy", "ca_bundle", "cache_dir", "gfx"):
        value = getattr(args, name)
        if value is not None:
            words += ["--" + name.replace("_", "-"), str(value)]
    if args.extras:
        words += ["--extras", ",".join(args.extras)]
    if args.env != "venv":
        words += ["--env", args.env]
    return tuple(words)
