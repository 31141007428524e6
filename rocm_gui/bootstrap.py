"""The composition root: the only place that names concrete classes and wires them together."""

from __future__ import annotations

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
    from collections.abc import Callable, Collection
    from pathlib import Path

    from rocm_gui.core.model import Machine, SetupOptions
    from rocm_gui.core.texts import Language
    from rocm_gui.services.doctor import Doctor
    from rocm_gui.services.installer import Installer
    from rocm_gui.services.setup_planning import SetupPlanner
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
    return Texts(read_messages(default_paths().resources), language or system_language())


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


def make_installer(paths: Paths | None = None, machine: Machine | None = None) -> Installer:
    """Carries out setups on this machine, with the known troubles at hand."""
    from rocm_gui.core.troubles import load_troubles
    from rocm_gui.services.installer import Installer
    from rocm_gui.services.setup_tools import make_tools

    places = paths or default_paths()
    troubles = load_troubles(read_toml(places.resources / "data" / "troubles.toml"))
    return Installer(places, make_tools(places, machine), troubles=troubles, system=_system_name())


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


def run_gui() -> int:
    """Open the window."""
    texts = load_texts()
    print(texts.get("cli.no_window"), file=sys.stderr)  # noqa: T201
    return 2
