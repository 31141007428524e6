"""Checks of what stands between a user and the GPU on Linux and in WSL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocm_gui.core.check_rules.finding import (
    Finding,
    at_least,
    check,
    compute_gpu,
    fail,
    host_of,
    joined,
    ok,
    unknown,
    uses_rocm,
    warn,
)

if TYPE_CHECKING:
    from rocm_gui.core.checks import CheckContext

GROUPS = ("render", "video")


@check("amdgpu_loaded", "gpu", "host", "gpus", "linux_access", systems=("linux",))
def amdgpu_loaded(context: CheckContext) -> Finding | None:
    """The kernel module is loaded."""
    access = context.machine.linux_access
    if access is None or not context.machine.amd_gpus:
        return None
    if access.amdgpu_loaded is None:
        return unknown()
    if access.amdgpu_loaded:
        return ok(kernel=host_of(context).kernel)
    return fail("not_loaded", "load", kernel=host_of(context).kernel)


@check("kfd_access", "gpu", "host", "gpus", "linux_access", systems=("linux",))
def kfd_access(context: CheckContext) -> Finding | None:
    """``/dev/kfd``, the door to computing, is there and may be opened."""
    access = context.machine.linux_access
    if access is None or not context.machine.amd_gpus or not uses_rocm(context):
        return None
    if access.kfd_present is None:
        return unknown()
    if not access.kfd_present:
        if host_of(context).container:
            return fail("absent_in_container", "pass_devices")
        return fail("absent", "load")
    if access.kfd_accessible is None:
        return unknown()
    return ok() if access.kfd_accessible else fail("denied", "join_groups")


@check("render_groups", "gpu", "host", "gpus", "linux_access", systems=("linux",))
def render_groups(context: CheckContext) -> Finding | None:
    """The user is in ``render`` and ``video``, or may open the device files without."""
    access = context.machine.linux_access
    if access is None or not context.machine.amd_gpus or not uses_rocm(context):
        return None
    groups = host_of(context).groups
    missing = [name for name in GROUPS if groups is not None and name not in groups]
    if access.kfd_accessible and access.render_accessible:
        return ok("member" if groups is not None and not missing else "allowed_anyway", missing=joined(missing))
    if groups is None:
        return unknown()
    if missing:
        return fail("missing", "join_groups", missing=joined(missing))
    return ok("member", missing="")


@check("wsl_gpu", "gpu", "host", "linux_access", systems=("wsl",))
def wsl_gpu(context: CheckContext) -> Finding | None:
    """WSL: Windows passes its GPUs in as ``/dev/dxg``; empty ``/dev/dri`` and ``lspci`` are normal there."""
    access = context.machine.linux_access
    if access is None:
        return None
    if access.dxg_present is None:
        return unknown()
    if access.dxg_present:
        return ok(kernel=host_of(context).kernel)
    return fail("absent", "update_wsl") if context.machine.amd_gpus else warn("absent", "update_wsl")


@check("container", "system", "host", systems=("linux", "wsl"))
def container(context: CheckContext) -> Finding | None:
    """In a container only the devices that were passed in are there."""
    if not host_of(context).container:
        return None
    access = context.machine.linux_access
    if access is not None and access.kfd_present:
        return ok("with_gpu")
    return ok("without_gpu")


@check("linux_kernel", "system", "host", "gpus", systems=("linux",))
def linux_kernel(context: CheckContext) -> Finding | None:
    """The kernel is new enough for GPUs that need a recent one."""
    gpu = compute_gpu(context)
    if gpu is None or gpu.gfx_target is None:
        return None
    need = context.limits.kernel_least.get(gpu.gfx_target)
    if need is None:
        return None
    facts = {"kernel": host_of(context).kernel, "need": need, "gfx_target": gpu.gfx_target}
    enough = at_least(host_of(context).kernel, need)
    if enough is None:
        return unknown("unknown", **facts)
    return ok("new_enough", **facts) if enough else warn("old", "update", **facts)


@check("linux_distribution", "system", "host", systems=("linux",))
def linux_distribution(context: CheckContext) -> Finding:
    """The distribution is one that AMD lists."""
    host = host_of(context)
    facts = {"name": host.os_name, "distribution": host.distribution, "release": host.os_release}
    if host.distribution is None:
        return unknown("unknown", **facts)
    releases = context.limits.linux_listed.get(host.distribution)
    listed = releases is not None and any(
        host.os_release == release or (host.os_release or "").startswith(release + ".") for release in releases
    )
    if listed:
        return ok("listed", **facts)
    if not context.machine.amd_gpus or not uses_rocm(context):
        return ok("any_for_cpu", **facts)
    return warn("not_listed", "wheels_work", **facts)
