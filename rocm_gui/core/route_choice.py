"""Judges every route for one machine: does it fit, why not, what to know before; best first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.routes import Route, RouteChoice, Unfit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocm_gui.core.model import Gpu, Host, Machine, PythonInstall, SetupOptions

WINDOWS_11 = 22000  # build of 21H2, the first Windows 11
WINDOWS_TESTED = 26200  # 25H2, the only one in AMD's 10.x documents
X86_64 = frozenset({"x86_64", "amd64", "x64"})


def choose_routes(routes: Iterable[Route], machine: Machine, options: SetupOptions) -> list[RouteChoice]:
    """Every route with its judgement: those that fit first, by rank; the order never depends on chance.

    Raises:
        AppError: ``gfx_target_unknown`` where ``options`` asks for a GPU that no route knows.
    """
    routes = tuple(routes)
    wish = options.gfx_target
    known = {target for route in routes for target in (*route.gfx_official, *route.gfx_unofficial)}
    if wish is not None and wish not in known:
        names = ", ".join(sorted(known, key=lambda name: (len(name), name)))
        raise AppError("gfx_target_unknown", ExitCode.USAGE, gfx=wish, names=names)
    gpu = judged_gpu(machine, options)
    choices = [_judge(route, machine, options, gpu) for route in routes]
    return sorted(choices, key=_order)


def judged_gpu(machine: Machine, options: SetupOptions) -> Gpu | None:
    """The AMD GPU that a setup is for.

    That is the one with the wished gfx target where ``options`` names one, else a discrete card before an
    integrated one, one that ROCm knows before one that it does not, then the largest memory, then the first found.
    """
    gpus = machine.amd_gpus
    if options.gfx_target is not None:
        return next((gpu for gpu in gpus if gpu.gfx_target == options.gfx_target), None)
    ranked = sorted(enumerate(gpus), key=lambda item: (_gpu_order(item[1]), item[0]))
    return ranked[0][1] if ranked else None


def usable_pythons(route: Route, machine: Machine) -> tuple[PythonInstall, ...]:
    """Interpreters that can be the base of this route's environment, in the order found."""
    return tuple(
        python
        for python in machine.pythons or ()
        if python.usable and python.version is not None and in_range(python.version, route)
    )


def in_range(version: str, route: Route) -> bool:
    """Whether Python ``version`` ("3.12.7") is one of the route's; only major and minor count."""
    try:
        found = Version(version).release[:2]
    except InvalidVersion:
        return False
    low = Version(route.python_min).release[:2] if route.python_min else (3, 0)
    high = Version(route.python_max).release[:2] if route.python_max else (999, 0)
    return low <= found <= high


def system_of(host: Host | None) -> str | None:
    """One of windows, linux and wsl; None where it is not known or no route serves it."""
    if host is None or host.os == "other":
        return None
    return "wsl" if host.os == "linux" and host.wsl else host.os


def _gpu_order(gpu: Gpu) -> tuple[bool, bool, int]:
    unusable = gpu.support in ("too_old", "none") or gpu.gfx_target is None
    return (unusable, gpu.integrated is True, -(gpu.vram_bytes or 0))


def _order(choice: RouteChoice) -> tuple[bool, bool, bool, int, str]:
    other_system = any(reason.code == "os" for reason in choice.reasons)
    return (not choice.fits, other_system, choice.route.kind == "guide", choice.route.rank, choice.route.id)


def _judge(route: Route, machine: Machine, options: SetupOptions, gpu: Gpu | None) -> RouteChoice:
    gfx = options.gfx_target or (gpu.gfx_target if gpu else None)
    needs_gpu = route.kind != "cpu"
    reasons = _system_reasons(route, machine)
    if any(reason.code == "os" for reason in reasons):  # nothing else matters then
        return RouteChoice(route=route, fits=False, gfx_target=gfx if needs_gpu else None, reasons=tuple(reasons))
    reasons += _python_reasons(route, machine, options)
    cautions = _status_cautions(route)
    if needs_gpu:
        reasons += _gpu_reasons(route, machine, gpu, gfx)
        cautions += _driver_cautions(route, machine, gpu)
        cautions += _windows_cautions(route, machine)
        if gfx in route.needs_hsa_override:
            cautions.append(Unfit(code="hsa_override", facts={"gfx": gfx, "value": route.needs_hsa_override[gfx]}))
    official = needs_gpu and _is_official(route, gpu, gfx)
    listed_elsewhere = route.status == "preview" and gpu is not None and gpu.support == "official"
    if gfx in (*route.gfx_official, *route.gfx_unofficial) and not official and not listed_elsewhere:
        cautions.append(Unfit(code="unofficial", facts={"gfx": gfx, "gpu": gpu.name if gpu else None}))
    return RouteChoice(
        route=route,
        fits=not reasons,
        official=official and not reasons,
        gfx_target=gfx if needs_gpu else None,
        reasons=tuple(reasons),
        cautions=tuple(cautions),
    )


def _system_reasons(route: Route, machine: Machine) -> list[Unfit]:
    if route.kind == "guide" and route.status == "obsolete":
        return [Unfit(code="does_not_work")]
    host = machine.host
    system = system_of(host)
    if system is None:
        code = "os_unknown" if host is None else "os"
        return [Unfit(code=code, facts={"needed": ", ".join(route.os), "found": host.os_name if host else None})]
    if system not in route.os:
        return [Unfit(code="os", facts={"needed": ", ".join(route.os), "found": system})]
    assert host is not None
    reasons: list[Unfit] = []
    architecture = (host.architecture or "").lower()
    if architecture and architecture not in X86_64 and route.kind != "cpu":
        reasons.append(Unfit(code="architecture", facts={"found": host.architecture}))
    if system == "windows" and route.kind != "cpu" and host.os_build is not None and host.os_build < WINDOWS_11:
        reasons.append(Unfit(code="windows_build", facts={"found": host.os_build, "needed": WINDOWS_11}))
    access = machine.linux_access
    if system == "wsl" and route.kind != "cpu" and access is not None and access.dxg_present is False:
        reasons.append(Unfit(code="wsl_no_dxg"))
    return reasons


def _gpu_reasons(route: Route, machine: Machine, gpu: Gpu | None, gfx: str | None) -> list[Unfit]:
    if gfx is None:
        if gpu is not None:
            return [Unfit(code="gfx_unknown", facts={"gpu": gpu.name, "pci_id": gpu.pci_id})]
        return [Unfit(code="gpu_unknown" if machine.gpus is None else "gpu_none")]
    if gpu is not None and gpu.support == "too_old" and gfx not in (*route.gfx_official, *route.gfx_unofficial):
        return [Unfit(code="gfx_too_old", facts={"gpu": gpu.name, "gfx": gfx})]
    if gfx not in (*route.gfx_official, *route.gfx_unofficial):
        return [Unfit(code="gfx_not_listed", facts={"gpu": gpu.name if gpu else None, "gfx": gfx})]
    return []


def _is_official(route: Route, gpu: Gpu | None, gfx: str | None) -> bool:
    if gfx not in route.gfx_official:
        return False
    support = gpu.support if gpu is not None else None
    if gfx in route.gfx_unofficial:  # only some cards of this target are on the list
        return support == "official"
    return support in (None, "official")


def _python_reasons(route: Route, machine: Machine, options: SetupOptions) -> list[Unfit]:
    if route.kind == "guide" or machine.pythons is None or usable_pythons(route, machine):
        return []
    conda = machine.tool("conda")
    if options.python is not None or (options.env_kind == "conda" and conda is not None and conda.path is not None):
        return []
    usable = (python.version for python in machine.pythons if python.usable and python.version)
    found = ", ".join(sorted(set(usable), key=Version))
    low, high = route.python_min or "3", route.python_max or ""
    return [
        Unfit(
            code="python_none" if not found else "python_range",
            facts={"needed": low if low == high else f"{low}–{high}", "found": found or None},
        )
    ]


def _status_cautions(route: Route) -> list[Unfit]:
    return [] if route.status == "stable" else [Unfit(code=route.status)]


def _windows_cautions(route: Route, machine: Machine) -> list[Unfit]:
    build = machine.host.os_build if machine.host else None
    if "windows" not in route.os or system_of(machine.host) != "windows" or build is None:
        return []
    if WINDOWS_11 <= build < WINDOWS_TESTED:
        return [Unfit(code="windows_untested", facts={"found": build, "tested": WINDOWS_TESTED})]
    return []


def _driver_cautions(route: Route, machine: Machine, gpu: Gpu | None) -> list[Unfit]:
    system = system_of(machine.host)
    if gpu is None or system not in route.os:
        return []
    if system == "windows":
        needed, found = route.driver_min_windows, gpu.driver_release
    elif system == "linux":
        # The version of the kernel's own amdgpu module is the kernel's: only AMD's packaged driver has a release.
        needed, found = route.driver_min_linux, _packaged_release(gpu.driver_version)
        if found is None:
            return []
    else:
        return []  # inside WSL the driver is the host's and cannot be seen
    if needed is None:
        return []
    if found is None:
        return [Unfit(code="driver_unknown", facts={"needed": needed})]
    try:
        old = Version(found) < Version(needed)
    except InvalidVersion:
        return [Unfit(code="driver_unknown", facts={"needed": needed})]
    return [Unfit(code="driver_old", facts={"needed": needed, "found": found})] if old else []


def _packaged_release(version: str | None) -> str | None:
    """AMD's release ("31.50.0") where the module tells one; kernel versions ("6.14.0") and older numbers are not."""
    if version is None:
        return None
    try:
        major = Version(version).major
    except InvalidVersion:
        return None
    return version if major >= 30 else None
