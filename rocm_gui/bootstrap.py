"""The composition root: the only place that names concrete classes and wires them together."""

from __future__ import annotations

import contextlib
import locale
import os
import platform
import sys
from typing import TYPE_CHECKING, Literal

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.texts import Texts
from rocm_gui.system.datafiles import read_messages, read_toml
from rocm_gui.system.paths import default_paths

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator
    from pathlib import Path

    from rocm_gui.core.env_sets import Interface
    from rocm_gui.core.model import Machine, SetupOptions
    from rocm_gui.core.routes import RouteBook
    from rocm_gui.core.texts import Language
    from rocm_gui.services.context import AppContext
    from rocm_gui.services.doctor import Doctor
    from rocm_gui.services.env_editor import EnvEditor
    from rocm_gui.services.env_elevated import ElevatedResult
    from rocm_gui.services.fixes import FixBook
    from rocm_gui.services.installer import Installer
    from rocm_gui.services.setup_planning import SetupPlanner
    from rocm_gui.services.source_build import SourceBuild
    from rocm_gui.services.tutorial import TutorialStep
    from rocm_gui.system.paths import Paths

    Collect = Callable[[SetupOptions, Collection[str] | None], Machine]


def system_language() -> Language:
    """Simplified Chinese where the system speaks Chinese, else English."""
    names = [os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    name = next((value for value in names if value), None) or locale.getlocale()[0] or ""
    if sys.platform == "win32" and not any(names):
        import ctypes

        if ctypes.windll.kernel32.GetUserDefaultUILanguage() & 0x3FF == 0x04:
            return "zh_CN"
    return "zh_CN" if name.lower().startswith(("zh", "chinese")) else "en"


def load_texts(language: Language | None = None) -> Texts:
    """The message catalogue in ``language``, the settings' language, or the system's."""
    return Texts(read_messages(default_paths().resources), language or preferred_language())


def preferred_language() -> Language:
    """The language of the settings, or the system's."""
    return _settings_language(default_paths()) or system_language()


def _settings_language(paths: Paths) -> Language | None:
    if not _has_settings(paths):  # the usual case on a command line; spares the import
        return None
    from rocm_gui.system.settings_file import SettingsFile

    return SettingsFile(paths.settings_file).load()[0].language


def _has_settings(paths: Paths) -> bool:
    """Whether there is a settings file, or something that keeps us from knowing."""
    try:
        os.lstat(paths.settings_file)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        pass
    return True


def settings_remarks(texts: Texts) -> list[str]:
    """What of the person's settings could not be used, as sentences."""
    paths = default_paths()
    if not _has_settings(paths):
        return []
    from rocm_gui.system.settings_file import SettingsFile

    _, warnings = SettingsFile(paths.settings_file).load()
    return [texts.get(f"settings.warning.{warning.code}", **warning.facts) for warning in warnings]


@contextlib.contextmanager
def logging_to_file(*, debug: bool = False) -> Generator[None, None, None]:
    """The product's log messages go to its log file while this lasts."""
    from rocm_gui.system.logs import close_log, log_level, open_log

    paths = default_paths()
    handler = open_log(paths.logs, log_level(debug=debug))
    try:
        yield
    finally:
        if handler is not None:
            close_log(handler)


def load_check_texts(language: Language) -> Texts:
    """The sentences of the checks."""
    return Texts(read_toml(default_paths().resources / "data" / "checks.toml"), language)


def machine_reader(paths: Paths, *, sysfs_root: Path | None = None, machine_file: Path | None = None) -> Collect:
    """What looks at the machine: this one, with its GPUs from ``sysfs_root`` where given, or a recorded one.

    Raises:
        AppError: ``sysfs_root_invalid``, or as ``read_machine``.
    """
    if machine_file is not None:
        from rocm_gui.system.machine_file import read_machine

        recorded = read_machine(machine_file)
        return lambda _options, _probes: recorded
    from dataclasses import replace

    from rocm_gui.system.machine import collect, real_sources

    sources = real_sources(paths)
    if sysfs_root is not None:
        if not any((sysfs_root / place).is_dir() for place in ("class/drm", "class/kfd", "bus/pci/devices")):
            raise AppError("sysfs_root_invalid", ExitCode.USAGE, path=str(sysfs_root))
        sources = replace(sources, sysfs_root=sysfs_root)
    return lambda options, probes: collect(sources, options, probes)


def make_doctor(paths: Paths, *, sysfs_root: Path | None = None, machine_file: Path | None = None) -> Doctor:
    """The checks for this machine, or for what ``machine_reader`` reads instead."""
    import msgspec

    from rocm_gui.core.checks import Limits
    from rocm_gui.services.doctor import Doctor
    from rocm_gui.system.route_files import read_route_book

    limits = read_toml(paths.resources / "data" / "checks.toml")["limits"]
    return Doctor(
        collect=machine_reader(paths, sysfs_root=sysfs_root, machine_file=machine_file),
        routes=lambda: read_route_book(paths).routes,
        limits=msgspec.convert(limits, Limits),
    )


def _system_name() -> Literal["windows", "linux", "wsl"]:
    if sys.platform == "win32":
        return "windows"
    return "wsl" if "microsoft" in platform.release().lower() else "linux"


def make_installer(
    paths: Paths | None = None, machine: Machine | None = None, language: Language | None = None
) -> Installer:
    """Carries out setups on this machine, with the known troubles at hand."""
    from rocm_gui.services.installer import Installer
    from rocm_gui.services.script_run import known_troubles
    from rocm_gui.services.setup_tools import make_tools

    places = paths or default_paths()
    tools = make_tools(places, load_texts(language), machine)
    return Installer(places, tools, troubles=known_troubles(places), system=_system_name())


def make_source_build(paths: Paths | None = None, machine: Machine | None = None) -> SourceBuild:
    """Builds from source on this machine, with the known troubles at hand."""
    from rocm_gui.core.model import SetupOptions
    from rocm_gui.core.recipes import load_recipes
    from rocm_gui.services.script_run import known_troubles
    from rocm_gui.services.source_build import SourceBuild

    places = paths or default_paths()

    def look() -> Machine:
        return machine or machine_reader(places)(SetupOptions(), ("host", "gpus", "pythons", "tools"))

    recipes = load_recipes(read_toml(places.resources / "data" / "recipes.toml"))
    return SourceBuild(places, recipes, look, known_troubles(places), _system_name())


def make_env_editor(paths: Paths) -> EnvEditor:
    """The environment variables of this account and machine."""
    from rocm_gui.services.env_editor import EnvEditor

    folder = paths.data / "env"
    if sys.platform != "win32":
        from rocm_gui.system.posix.environment import real_variables

        return EnvEditor(real_variables(), folder)
    from rocm_gui.services.env_elevated import write_elevated
    from rocm_gui.system.elevate import own_command, run_elevated
    from rocm_gui.system.windows.environment import real_variables as registry_variables

    return EnvEditor(
        registry_variables(),
        folder,
        elevated=lambda changes: write_elevated(changes, folder, lambda words: run_elevated(own_command(words))),
    )


def serve_env_request(request: Path, sha256: str) -> ElevatedResult:
    """Write what another process of this program, without the rights, has shown and asked for. Windows only.

    Raises:
        AppError: ``env_request_refused``.
    """
    from rocm_gui.services.env_elevated import serve_elevated
    from rocm_gui.system.windows.environment import real_variables

    return serve_elevated(real_variables(), request, sha256)


def needed_overrides() -> list[tuple[str, str, str]]:
    """(GPU, gfx target, value) for each GPU whose best route needs HSA_OVERRIDE_GFX_VERSION; Linux only."""
    if sys.platform == "win32":
        return []
    from rocm_gui.core.model import SetupOptions
    from rocm_gui.core.route_choice import choose_routes
    from rocm_gui.system.route_files import read_route_book

    paths = default_paths()
    machine = machine_reader(paths)(SetupOptions(), ("gpus", "host", "pythons"))
    choices = choose_routes(read_route_book(paths).routes, machine, SetupOptions())
    best = next((choice.route for choice in choices if choice.fits), None)
    needs = best.needs_hsa_override if best is not None else {}
    return [
        (gpu.name or gpu.gfx_target, gpu.gfx_target, needs[gpu.gfx_target])
        for gpu in machine.amd_gpus
        if gpu.gfx_target in needs
    ]


def network_interfaces() -> tuple[Interface, ...]:
    """Those of this computer, the way to other computers first."""
    from rocm_gui.system.interfaces import read_interfaces

    return read_interfaces()


def make_setup_planner(
    paths: Paths, machine: Machine, default_target: str | None = None, *, recorded: bool = False
) -> SetupPlanner:
    """The planner of setups for ``machine``, or for a record of one.

    ``default_target`` is the person's own from the settings.
    """
    from rocm_gui.services.setup_planning import SetupPlanner
    from rocm_gui.system.machine import default_target as usual_target
    from rocm_gui.system.machine import real_sources
    from rocm_gui.system.route_files import read_route_book

    volume = machine.volume("target")
    limits = read_toml(paths.resources / "data" / "checks.toml")["limits"]
    return SetupPlanner(
        paths=paths,
        book=read_route_book(paths),
        machine=machine,
        default_target=default_target or (volume.path if volume else usual_target(real_sources(paths))),
        environ=os.environ,
        rocblas_path_most=limits["rocblas_path_most"],
        recorded=recorded,
    )


def make_context(*, machine_file: Path | None = None, simulated: str | None = None) -> AppContext:
    """Everything that the window works with; a recorded machine may stand in for this one."""
    from functools import cache

    from rocm_gui.services.context import AppContext
    from rocm_gui.system.settings_file import SettingsFile

    paths = default_paths()
    store = SettingsFile(paths.settings_file)
    settings, warnings = store.load()
    catalogue = read_messages(paths.resources)
    catalogue["checks"] = read_toml(paths.resources / "data" / "checks.toml")
    return AppContext(
        paths=paths,
        store=store,
        settings=settings,
        settings_warnings=warnings,
        catalogue=catalogue,
        system_language=system_language(),
        make_doctor=lambda: make_doctor(paths, machine_file=machine_file),
        route_book=_route_reader(paths),
        make_planner=lambda machine: make_setup_planner(
            paths, machine, settings.default_target, recorded=machine_file is not None
        ),
        make_installer=lambda: make_installer(paths),
        fixes=cache(lambda: _fix_book(paths)),
        tutorial=cache(lambda: _tutorial(paths)),
        simulated=simulated,
    )


def _route_reader(paths: Paths) -> Callable[[], RouteBook]:
    """Reads the routes, and reads them again only after the person has edited their own."""
    kept: dict[tuple[int, int] | None, RouteBook] = {}

    def read() -> RouteBook:
        from rocm_gui.system.route_files import read_route_book

        try:
            status = paths.user_routes_file.stat()
            stamp = (status.st_mtime_ns, status.st_size)
        except OSError:
            stamp = None
        book = kept.get(stamp)
        if book is None:
            book = read_route_book(paths)
            kept.clear()
            kept[stamp] = book
        return book

    return read


def _fix_book(paths: Paths) -> FixBook:
    from rocm_gui.services.fixes import load_fixes

    return load_fixes(read_toml(paths.resources / "data" / "fixes.toml"))


def _tutorial(paths: Paths) -> tuple[TutorialStep, ...]:
    from rocm_gui.services.tutorial import load_tutorial

    return load_tutorial(read_toml(paths.resources / "data" / "tutorial.toml"))


def run_gui(*, language: Language | None = None, simulate: str | None = None, smoke_test: bool = False) -> int:
    """Open the window; returns the exit code.

    Raises:
        AppError: ``simulation_unknown``.
    """
    from rocm_gui.system.machine_file import simulated_machine

    machine_file = None if simulate is None else simulated_machine(default_paths().resources, simulate)
    with logging_to_file():
        # Before Qt: PySide6 reads the source of every module that is imported after it.
        context = make_context(machine_file=machine_file, simulated=simulate)
        try:
            from rocm_gui.ui.app import Gui, Look
        except ImportError as error:
            print(load_texts(language).get("cli.no_qt", reason=error), file=sys.stderr)  # noqa: T201
            return int(ExitCode.FAILED)
        gui = Gui(context, Look(language=language))
        return gui.smoke_test() if smoke_test else gui.run()


def take_screenshots(
    folder: Path, language: Language | None, theme: Literal["light", "dark"] | None, scale: float, simulate: str | None
) -> list[str]:
    """A PNG of every page and every page of the wizard; returns the files' names.

    Raises:
        AppError: ``simulation_unknown``, ``no_qt``, or ``screenshots_not_written``.
    """
    from rocm_gui.system.machine_file import simulated_machine

    machine_file = None if simulate is None else simulated_machine(default_paths().resources, simulate)
    try:
        from rocm_gui.ui.screenshots import take
    except ImportError as error:
        raise AppError("no_qt", reason=str(error)) from error
    return take(make_context(machine_file=machine_file, simulated=simulate), folder, language, theme, scale)
