"""Checks of the GPUs themselves: series, gfx target, driver, order, monitor, memory."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from rocm_gui.core.check_rules.finding import (
    GB,
    Finding,
    as_gb,
    at_least,
    check,
    compute_gpu,
    fail,
    gpu_label,
    graded,
    host_of,
    joined,
    numbers,
    ok,
    unknown,
    uses_rocm,
    warn,
)
from rocm_gui.core.route_choice import system_of

if TYPE_CHECKING:
    from rocm_gui.core.checks import CheckContext
    from rocm_gui.core.model import Gpu

FIRST_PACKAGED = 30  # releases of AMD's packaged driver; lower numbers are the kernel's, which say nothing of one
DISABLED = 22  # Configuration Manager's code of a device that a person switched off
DRIVER_LEAD_MONTHS = 2  # a driver file is dated at most this long before the release that carries it


@check("gpu_present", "gpu", "gpus")
def gpu_present(context: CheckContext) -> Finding:
    """An AMD GPU of a series that the article or AMD names. None is a warning: PyTorch on the CPU works."""
    found = context.machine.amd_gpus
    if found:
        names = joined(f"{gpu_label(gpu)} ({gpu.series})" if gpu.series else gpu_label(gpu) for gpu in found)
        return ok("found", count=len(found), names=names)
    others = joined(gpu_label(gpu) for gpu in context.machine.gpus or ())
    if others:
        return warn("only_others", "use_cpu", names=others)
    text = "none_in_wsl" if system_of(context.machine.host) == "wsl" else "none"
    return warn(text, "use_cpu_wsl" if text == "none_in_wsl" else "use_cpu")


@check("gpu_supported", "gpu", "host", "gpus")
def gpu_supported(context: CheckContext) -> Finding | None:
    """The gfx target is one that the chosen route carries for this system."""
    gpu = compute_gpu(context)
    override = context.options.gfx_target
    if gpu is None and override is None:
        return None
    name = gpu_label(gpu) if gpu else None
    target = override or (gpu.gfx_target if gpu else None)
    chosen = context.options.route_id is not None and uses_rocm(context)  # the person insists on a ROCm route
    if target is None:
        return unknown("target_unknown", "name_target", name=name, pci_id=gpu.pci_id if gpu else None)
    facts = {"name": name, "gfx_target": target, "route": context.route.id if context.route else None}
    if gpu is not None and override is None and gpu.support in ("too_old", "none"):
        return graded(severe=chosen, text=gpu.support, remedy="use_cpu", facts={**facts, "series": gpu.series})
    if context.route is None or context.route.kind == "cpu":
        return warn("no_route", "see_routes", **facts)
    if target in context.route.gfx_official:
        return ok("official", **facts)
    if target in context.route.gfx_unofficial:
        return warn("unofficial", "verify_after", **facts)
    if context.route.kind == "guide" and not (context.route.gfx_official or context.route.gfx_unofficial):
        return ok("by_guide", **facts)
    return fail("not_in_route", "see_routes", **facts)


@check("gpu_device", "gpu", "gpus", systems=("windows",))
def gpu_device(context: CheckContext) -> Finding | None:
    """Windows itself reports no problem with an AMD GPU (Device Manager's codes)."""
    found = [gpu for gpu in context.machine.amd_gpus if gpu.device_problem is not None]
    if not found:
        return None
    bad = next((gpu for gpu in found if gpu.device_problem), None)
    if bad is None:
        return ok("works")
    meant = bad == compute_gpu(context)
    text = "disabled" if bad.device_problem == DISABLED else "failed"
    if text == "disabled" and not meant:
        return ok("other_disabled", name=gpu_label(bad))  # an integrated GPU that was switched off on purpose
    severe = meant and uses_rocm(context)
    remedy = "enable" if text == "disabled" else "repair"
    return graded(
        severe=severe, text=text, remedy=remedy, facts={"name": gpu_label(bad), "problem": bad.device_problem}
    )


def _dated_before(gpu: Gpu, release: str) -> bool | None:
    """Whether the driver's date shows that it is older than the Adrenalin ``release`` (YEAR.MONTH.N)."""
    parts = numbers(release)
    if gpu.driver_date is None or parts is None or len(parts) < 2 or not 1 <= parts[1] <= 12:
        return None
    try:
        dated = date.fromisoformat(gpu.driver_date[:10])
    except ValueError:
        return None
    months = (2000 + parts[0]) * 12 + parts[1] - 1 - DRIVER_LEAD_MONTHS
    return dated < date(months // 12, months % 12 + 1, 1)


@check("gpu_driver", "gpu", "host", "gpus", systems=("windows",))
def gpu_driver(context: CheckContext) -> Finding | None:
    """Windows: an AMD driver is there and its Adrenalin release is new enough for the route."""
    gpu = compute_gpu(context)
    if gpu is None:
        return None
    severe = uses_rocm(context)
    if gpu.driver is None and gpu.driver_version is None:
        return graded(severe=severe, text="missing", remedy="install", facts={"name": gpu_label(gpu)})
    need = context.route.driver_min_windows if context.route else None
    facts = {
        "name": gpu_label(gpu),
        "release": gpu.driver_release,
        "version": gpu.driver_version,
        "date": gpu.driver_date,
        "need": need,
    }
    if need is None:
        return ok("present", **facts)
    enough = at_least(gpu.driver_release, need)
    if enough is None:
        if _dated_before(gpu, need):
            return warn("old_by_date", "update", **facts)
        return unknown("release_unknown", "look_up", **facts)
    return ok("new_enough", **facts) if enough else graded(severe=severe, text="old", remedy="update", facts=facts)


@check("amdgpu_version", "gpu", "host", "gpus", systems=("linux",))
def amdgpu_version(context: CheckContext) -> Finding | None:
    """Linux: the amdgpu package's driver is new enough; the kernel's own has no such number and is fine."""
    gpu = compute_gpu(context)
    if gpu is None or not uses_rocm(context):
        return None
    need = context.route.driver_min_linux if context.route else None
    facts = {"version": gpu.driver_version, "need": need, "kernel": host_of(context).kernel}
    if gpu.driver != "amdgpu":
        return None  # amdgpu_loaded tells
    major = (numbers(gpu.driver_version) or (0,))[0]
    enough = at_least(gpu.driver_version, need)
    if major < FIRST_PACKAGED or enough is None:
        return ok("in_kernel", **facts)
    return ok("new_enough", **facts) if enough else warn("old", "update", **facts)


@check("gpu_order", "gpu", "gpus")
def gpu_order(context: CheckContext) -> Finding | None:
    """The integrated GPU does not stand before the card."""
    found = context.machine.amd_gpus
    integrated = [index for index, gpu in enumerate(found) if gpu.integrated]
    discrete = [index for index, gpu in enumerate(found) if gpu.integrated is False]
    if not integrated or not discrete:
        return None
    facts = {"integrated": gpu_label(found[integrated[0]]), "discrete": gpu_label(found[discrete[0]])}
    if integrated[0] < discrete[0]:
        return warn("integrated_first", "visible_devices", **facts)
    return ok("discrete_first", **facts)


@check("monitor_connection", "gpu", "host", "gpus", systems=("windows",))
def monitor_connection(context: CheckContext) -> Finding | None:
    """Windows: the monitor is plugged into the card that computes; else HIP has crashed while it starts."""
    gpu = compute_gpu(context)
    if gpu is None or gpu.integrated is not False:
        return None
    if gpu.drives_display is None:
        return unknown("unknown", name=gpu_label(gpu))
    if gpu.drives_display:
        return ok("on_card", name=gpu_label(gpu))
    other = next((item for item in context.machine.gpus or () if item.drives_display), None)
    if other is None:
        return warn("on_none", "plug_in", name=gpu_label(gpu))
    text = "on_mainboard" if other.integrated else "on_other_card"
    return warn(text, "plug_in", name=gpu_label(gpu), other=gpu_label(other))


@check("gpu_memory", "gpu", "gpus")
def gpu_memory(context: CheckContext) -> Finding | None:
    """The GPU has memory enough for more than the smallest models; an APU's share is set in the BIOS."""
    gpu = compute_gpu(context)
    if gpu is None:
        return None
    facts = {
        "name": gpu_label(gpu),
        "memory_gb": as_gb(gpu.vram_bytes),
        "shared_gb": as_gb(gpu.shared_memory_bytes),
        "least_gb": context.limits.gpu_memory_least_gb,
    }
    if gpu.vram_bytes is None:
        return unknown("unknown", **facts)
    if gpu.vram_bytes >= context.limits.gpu_memory_least_gb * GB:
        return ok("enough", **facts)
    if gpu.integrated:
        linux = system_of(context.machine.host) == "linux"
        return warn("small_share", "raise_share_linux" if linux else "raise_share", **facts)
    return warn("small", "small_models", **facts)
