"""What a check is and what it answers; the checks themselves stand in ``core/check_rules``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from rocm_gui.core.model import Machine, SetupOptions
from rocm_gui.core.routes import Route

Status = Literal["ok", "warn", "fail", "unknown"]
Fact = str | int | float | bool | None
System = Literal["windows", "linux", "wsl"]
EVERY_SYSTEM: tuple[System, ...] = ("windows", "linux", "wsl")


class Limits(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The numbers that rules compare with. They age: ``[limits]`` of ``checks.toml`` holds them and their sources.

    GB are counted as 1024**3 bytes, as Windows and ``df -h`` do.
    """

    ram_least_gb: float
    ram_article_gb: float
    ram_good_gb: float
    ram_visible_share: float  # of the RAM installed, where only what the system can use is known
    commit_least_gb: float  # with a GPU build of PyTorch
    commit_least_cpu_gb: float
    gpu_memory_least_gb: float
    windows_build_least: int
    windows_build_22h2: int
    windows_build_tested: int
    linux_listed: dict[str, tuple[str, ...]]  # os-release ID -> VERSION_IDs
    kernel_least: dict[str, str]  # gfx target -> Linux kernel
    rocblas_path_most: int  # characters
    windows_path_most: int
    package_path_longest: int  # characters below site-packages
    vc_runtime_least: str
    cmake_least: str
    cmake_below_windows: str
    disk_spare_gb: float
    disk_default_gb: float  # where a route does not say
    download_default_gb: float


class CheckContext(msgspec.Struct, frozen=True, kw_only=True):
    """All that a check may look at."""

    machine: Machine
    options: SetupOptions
    route: Route | None = None  # the chosen or best route; None where nothing fits
    target: str | None = None  # absolute path of the environment that would be made
    limits: Limits


class CheckResult(msgspec.Struct, frozen=True, kw_only=True):
    """One answer: codes and facts; sentences come from ``checks.toml`` by ``id`` and ``text``."""

    id: str
    status: Status
    text: str  # key below [ID.texts] in checks.toml: what was found
    facts: dict[str, Fact] = {}
    remedy: str | None = None  # key below [ID.remedies]
    group: str = ""


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """A named rule. ``judge`` is pure; None from it means that the check does not apply here.

    It is called only on one of ``systems`` and with all of ``probes`` known.
    """

    id: str
    group: Literal["gpu", "system", "storage", "python", "tools", "environment"]
    probes: tuple[str, ...]  # fields of Machine that it needs
    judge: Callable[[CheckContext], CheckResult | None]
    systems: tuple[System, ...] = EVERY_SYSTEM
