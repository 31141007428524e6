"""Looks at the whole machine: every probe in parallel, each with a time limit of its own.

A probe that fails or hangs leaves its field of ``Machine`` None and its reason in ``Machine.problems``;
the others are not disturbed.
"""

from __future__ import annotations

import ntpath
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, cast

from rocm_gui.core.model import Machine, SetupOptions
from rocm_gui.system.datafiles import read_toml
from rocm_gui.system.parallel import run_named
from rocm_gui.system.sources import Sources, real_sources

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from rocm_gui.core.model import (
        Gpu,
        Host,
        LinuxGpuAccess,
        PipConfig,
        PythonInstall,
        TorchEnv,
        VisualStudio,
        Volume,
        WindowsRuntime,
    )
    from rocm_gui.system.windows.registry import Registry

__all__ = ["PROBES", "Sources", "collect", "default_target", "real_sources"]

LIMIT_S = 5.0
LIMITS_S = {
    "gpus": 12.0,  # Windows asks CIM in a PowerShell, whose first start takes seconds
    "pythons": 8.0,  # a child for each, 5 s each at most, side by side
    "torch_envs": 10.0,  # waits for the Pythons
    "tools": 8.0,
}
PROBES = (
    "host",
    "gpus",
    "volumes",
    "pythons",
    "tools",
    "visual_studios",
    "rocm_installs",
    "torch_envs",
    "linux_access",
    "windows_runtime",
    "pip_config",
    "variables",
)
LONGEST_PROFILE = 60  # characters; leaves rocBLAS its 80 below the target; see default_target
T = TypeVar("T")


def collect(sources: Sources, options: SetupOptions, probes: Collection[str] | None = None) -> Machine:
    """What is known of the machine behind ``sources``.

    Args:
        sources: where to look; ``real_sources(paths)`` for this machine.
        options: the target folder, the Python and the cache chosen by the person are looked at as well.
        probes: names of fields of ``Machine``; all where None. The others stay None without a problem.

    Raises:
        ValueError: for a probe that does not exist.
    """
    wanted = set(PROBES if probes is None else probes)
    unknown = wanted - set(PROBES)
    if unknown:
        raise ValueError(f"no such probes: {sorted(unknown)}")
    every = _Probes(sources, options).functions()
    functions = {name: every[name] for name in PROBES if name in wanted}
    results, problems = run_named(functions, {name: LIMITS_S.get(name, LIMIT_S) for name in functions})
    return Machine(**cast("dict[str, Any]", results), problems=problems)


def default_target(sources: Sources) -> str:
    r"""The folder that a setup goes to when the person names none.

    Linux: ``~/rocm``. Windows: ``C:\Users\NAME\rocm``: it needs no rights, is backed up and removed with the
    account, and is neither synchronised (as Documents and Desktop are by OneDrive) nor roaming. It must be
    short, since rocBLAS dies when installed deeper than 174 characters, and ASCII, since compilers that MIOpen
    starts fail below other paths; where the profile is neither, ``rocm-NAME`` (or ``rocm``) at the root of the
    system drive, where Windows lets every user create folders.
    """
    if not sources.windows:
        return str(sources.home / "rocm")
    profile = str(sources.home)
    if profile.isascii() and len(profile) <= LONGEST_PROFILE:
        return ntpath.join(profile, "rocm")
    drive = sources.environ.get("SystemDrive") or sources.environ.get("SYSTEMDRIVE") or "C:"
    name = "".join(letter for letter in ntpath.basename(profile).lower() if letter.isascii() and letter.isalnum())[:12]
    return f"{drive}\\rocm-{name}" if name else f"{drive}\\rocm"


class _Once(Generic[T]):
    """The result of a function that several probes need, worked out by the first that asks."""

    def __init__(self, function: Callable[[], T]) -> None:
        self._function = function
        self._lock = threading.Lock()
        self._value: list[T] = []

    def __call__(self) -> T:
        with self._lock:
            if not self._value:
                self._value.append(self._function())
            return self._value[0]


class _Probes:
    """The functions behind the names, for one machine."""

    def __init__(self, sources: Sources, options: SetupOptions) -> None:
        self._sources = sources
        self._options = options
        self._pythons = _Once(self._find_pythons)
        self._pip = _Once(self._read_pip)

    def functions(self) -> Mapping[str, Callable[[], object]]:
        """Probe name -> function."""
        return {
            "host": self._host,
            "gpus": self._gpus,
            "volumes": self._volumes,
            "pythons": self._pythons,
            "tools": self._tools,
            "visual_studios": self._visual_studios,
            "rocm_installs": self._rocm_installs,
            "torch_envs": self._torch_envs,
            "linux_access": self._linux_access,
            "windows_runtime": self._windows_runtime,
            "pip_config": self._pip,
            "variables": self._variables,
        }

    @property
    def _target(self) -> str:
        return self._options.target or default_target(self._sources)

    def _host(self) -> Host:
        if self._sources.windows:
            from rocm_gui.system.windows.host import detect_host as detect_windows_host

            return detect_windows_host(_registry(self._sources), environ=self._sources.environ)
        from rocm_gui.system.posix.host import detect_host

        return detect_host(self._sources.proc_root, self._sources.etc_root, self._sources.environ)

    def _gpus(self) -> tuple[Gpu, ...]:
        from rocm_gui.core.gpu_table import GpuTable

        sources = self._sources
        table = GpuTable.from_toml(read_toml(sources.resources / "data" / "gpus.toml"))
        if sources.windows and sources.sysfs_root is None:
            from rocm_gui.system.windows.gpus import detect_gpus as detect_windows_gpus

            return detect_windows_gpus(_registry(sources), sources.run, table, sources.dxgi)
        from rocm_gui.system.posix.gpus import detect_gpus

        if sources.sysfs_root is not None:
            return detect_gpus(sources.sysfs_root, table)
        from rocm_gui.system.posix.wsl import detect_wsl_gpus, is_wsl

        if is_wsl(sources.proc_root):
            return detect_wsl_gpus(sources.proc_root, sources.run, table)
        return detect_gpus(sources.system_sysfs, table)

    def _volumes(self) -> tuple[Volume, ...]:
        from rocm_gui.system.pip_config import pip_cache_folder

        sources = self._sources
        try:
            pip = self._pip()
        except ValueError:  # a broken pip.conf is the pip probe's to tell
            pip = None
        cache = self._options.cache_dir or pip_cache_folder(pip, sources)
        return (
            self._volume(self._target, "target"),
            self._volume(_temporary_folder(sources), "temp"),
            self._volume(cache, "pip_cache"),
            self._volume(str(sources.home), "home"),
        )

    def _volume(self, path: str, purpose: Literal["target", "temp", "pip_cache", "home"]) -> Volume:
        if self._sources.windows:
            from rocm_gui.system.windows.volumes import volume as windows_volume

            return windows_volume(path, purpose, registry=_registry(self._sources), environ=self._sources.environ)
        from rocm_gui.system.posix.volumes import volume

        return volume(path, purpose, proc_root=self._sources.proc_root, sysfs_root=self._sources.system_sysfs)

    def _find_pythons(self) -> tuple[PythonInstall, ...]:
        from rocm_gui.system.pyenv import find_pythons

        return find_pythons(self._sources, self._options.python)

    def _tools(self) -> object:
        from rocm_gui.system.tools import find_tools

        return find_tools(self._sources)

    def _visual_studios(self) -> tuple[VisualStudio, ...]:
        from rocm_gui.system.tools import find_visual_studios

        return find_visual_studios(self._sources)

    def _rocm_installs(self) -> object:
        from rocm_gui.system.rocm_installs import find_rocm_installs

        return find_rocm_installs(self._sources)

    def _torch_envs(self) -> tuple[TorchEnv, ...]:
        from rocm_gui.system.torch_envs import find_torch_envs

        return find_torch_envs(self._sources, self._pythons(), self._target)

    def _linux_access(self) -> LinuxGpuAccess | None:
        sources = self._sources
        if sources.windows or sources.sysfs_root is not None:
            return None  # a recorded tree says nothing of who may open its devices
        from rocm_gui.system.posix.access import detect_access

        return detect_access(sources.system_sysfs, sources.dev_root)

    def _windows_runtime(self) -> WindowsRuntime | None:
        if not self._sources.windows:
            return None
        from rocm_gui.system.windows.runtime import detect_runtime

        return detect_runtime(self._sources.environ, self._sources.registry)

    def _read_pip(self) -> PipConfig:
        from rocm_gui.system.pip_config import read_pip_config

        return read_pip_config(self._sources)

    def _variables(self) -> dict[str, str]:
        from rocm_gui.system.variables import read_variables

        return read_variables(self._sources)


def _registry(sources: Sources) -> Registry:
    if sources.registry is None:
        raise LookupError("no registry among the sources")
    return sources.registry


def _temporary_folder(sources: Sources) -> str:
    """Where pip will unpack: as ``tempfile`` decides, but from the sources' own variables."""
    for name in ("TMPDIR", "TEMP", "TMP"):
        value = sources.environ.get(name)
        if value and Path(value).is_dir():
            return value
    if sources.windows:
        return ntpath.join(str(sources.home), "AppData", "Local", "Temp")
    return next((place for place in ("/tmp", "/var/tmp") if Path(place).is_dir()), str(sources.home))  # noqa: S108
