"""Checks of variables, libraries and packages that are already on the machine and get in the way."""

from __future__ import annotations

import ntpath
from typing import TYPE_CHECKING

from rocm_gui.core.check_rules.finding import (
    Finding,
    at_least,
    check,
    compute_gpu,
    gpu_label,
    host_of,
    joined,
    numbers,
    ok,
    unknown,
    uses_rocm,
    warn,
)

if TYPE_CHECKING:
    from rocm_gui.core.checks import CheckContext

OVERRIDE = "HSA_OVERRIDE_GFX_VERSION"
VISIBILITY = ("HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL")
LOCATIONS = ("ROCM_PATH", "HIP_PATH")
PROXIES = ("https_proxy", "http_proxy", "all_proxy")
SYSTEM_FOLDERS = ("system32", "syswow64")
PACKAGES_CLASH_BELOW = "7.14"  # ROCm before its packages were renamed
PACKAGES_RENAMED = "10.0"


@check("hsa_override", "environment", "host", "gpus", "variables")
def hsa_override(context: CheckContext) -> Finding | None:
    """``HSA_OVERRIDE_GFX_VERSION``: without effect on Windows, mostly harmful on Linux."""
    value = (context.machine.variables or {}).get(OVERRIDE)
    gpu = compute_gpu(context)
    target = context.options.gfx_target or (gpu.gfx_target if gpu else None)
    needed = context.route.needs_hsa_override.get(target) if context.route and target else None
    facts = {"value": value, "gfx_target": target, "needed": needed}
    if host_of(context).os == "windows":
        return warn("useless", "delete_windows", **facts) if value else ok("unset", **facts)
    if needed is not None:
        if value is None:
            return ok("will_be_set", **facts)
        return ok("right", **facts) if value == needed else warn("wrong", "set_right", **facts)
    if not value:
        return ok("unset", **facts)
    return warn("needless", "delete_linux", **facts)


@check("gpu_visibility", "environment", "host", "gpus", "variables")
def gpu_visibility(context: CheckContext) -> Finding | None:
    """No variable hides GPUs from every program."""
    if not context.machine.amd_gpus:
        return None
    variables = context.machine.variables or {}
    present = [f"{name}={variables[name]}" for name in VISIBILITY if name in variables]
    if not present:
        return ok("unset")
    hidden = any(variables.get(name, "0").strip() in ("", "-1") for name in VISIBILITY)
    windows = host_of(context).os == "windows"
    remedy = "delete_windows" if windows else "delete_linux"
    return warn("hides_all" if hidden else "limits", remedy, variables=joined(present))


@check("rocm_location", "environment", "host", "variables", systems=("windows",))
def rocm_location(context: CheckContext) -> Finding | None:
    """Wheels need no ``ROCM_PATH`` or ``HIP_PATH``; a wrong one sends them to other libraries."""
    if not uses_rocm(context):
        return None
    variables = context.machine.variables or {}
    present = [f"{name}={variables[name]}" for name in LOCATIONS if variables.get(name)]
    return warn("set", "delete_windows", variables=joined(present)) if present else ok("unset")


@check("hip_libraries", "environment", "host", "windows_runtime", systems=("windows",))
def hip_libraries(context: CheckContext) -> Finding | None:
    """``amdhip64*.dll`` comes from the driver (System32) alone; others on the search path mix with the wheels'."""
    runtime = context.machine.windows_runtime
    if runtime is None or not uses_rocm(context):
        return None
    folders = {ntpath.dirname(path) for path in runtime.hip_dlls}
    foreign = sorted(folder for folder in folders if ntpath.basename(folder).lower() not in SYSTEM_FOLDERS)
    if foreign:
        return warn("mixed", "remove_others", folders=joined(foreign), count=len(runtime.hip_dlls))
    return ok("driver_only" if folders else "none", count=len(runtime.hip_dlls))


@check("hip_sdk", "environment", "host", "rocm_installs", systems=("windows",))
def hip_sdk(context: CheckContext) -> Finding | None:
    """AMD asks to uninstall the HIP SDK before wheels are installed."""
    if not uses_rocm(context):
        return None
    found = [item for item in context.machine.rocm_installs or () if item.kind == "hip_sdk"]
    if not found:
        return ok("absent")
    return warn("present", "uninstall", versions=joined(item.version or "?" for item in found), path=found[0].path)


@check("rocm_versions", "environment", "host", "rocm_installs", systems=("linux", "wsl"))
def rocm_versions(context: CheckContext) -> Finding | None:
    """One system-wide ROCm at most, and none that blocks the packages of the route's ROCm."""
    found = [item for item in context.machine.rocm_installs or () if item.kind == "rocm"]
    if not found:
        return ok("none")
    versions = sorted({item.version for item in found if item.version}, key=lambda version: numbers(version) or ())
    facts = {"versions": joined(versions) or None, "paths": joined(item.path for item in found)}
    if not versions:
        return unknown("unknown", **facts)
    if len(versions) > 1:
        return warn("several", "keep_one", **facts)
    route_version = context.route.rocm_version if context.route else None
    old = at_least(versions[0], PACKAGES_CLASH_BELOW) is False
    if old and at_least(route_version, PACKAGES_RENAMED):
        return ok("old_beside_wheels", route_version=route_version, **facts)
    return ok("one", **facts)


@check("pip_index", "environment", "pip_config")
def pip_index(context: CheckContext) -> Finding | None:
    """The user's pip configuration adds no index from which a later pip replaces ROCm's PyTorch."""
    config = context.machine.pip_config
    if config is None:
        return None
    facts = {
        "index": config.index_url,
        "extra": joined(config.extra_index_urls) or None,
        "find_links": joined(config.find_links) or None,
        "constraints": joined(config.constraint_files) or None,
        "files": joined(config.files) or None,
    }
    if not uses_rocm(context):  # PyPI's builds for the CPU come from wherever the user takes packages from
        return ok("mirror_cpu" if config.index_url or config.extra_index_urls else "plain", **facts)
    if config.extra_index_urls:
        return warn("extra_index", "keep_apart", **facts)
    if config.find_links:
        return warn("find_links", "keep_apart", **facts)
    if config.constraint_files:
        return warn("constraints", "keep_apart_constraints", **facts)
    return ok("mirror", **facts) if config.index_url else ok("plain", **facts)


@check("torch_environments", "environment", "gpus", "torch_envs")
def torch_environments(context: CheckContext) -> Finding | None:
    """Existing PyTorch environments that cannot use the AMD GPU of this machine."""
    found = context.machine.torch_envs or ()
    gpu = compute_gpu(context)
    if gpu is None or not found:
        return None
    wrong = [env for env in found if env.build in ("cpu", "cuda")]
    other_target = [
        env
        for env in found
        if env.build == "rocm" and gpu.gfx_target and env.gfx_targets and gpu.gfx_target not in env.gfx_targets
    ]
    right = len([env for env in found if env.build == "rocm"]) - len(other_target)
    facts = {"count": len(found), "right": right, "name": gpu_label(gpu), "gfx_target": gpu.gfx_target}
    if wrong:
        listed = joined(f"{env.python} ({env.torch_version}, {env.build})" for env in wrong)
        return warn("wrong_build", "repair", environments=listed, python=wrong[0].python, **facts)
    if other_target:
        listed = joined(f"{env.python} ({'+'.join(env.gfx_targets)})" for env in other_target)
        return warn("other_target", "repair", environments=listed, python=other_target[0].python, **facts)
    if right == 0:
        return unknown("unknown", environments=joined(env.python for env in found), **facts)
    return ok("right", environments=joined(env.python for env in found), **facts)


@check("proxy", "environment", "pip_config", "variables")
def proxy(context: CheckContext) -> Finding | None:
    """A proxy is set: said, since downloads go through it."""
    variables = context.machine.variables or {}
    from_variable = next((value for name, value in variables.items() if name.lower() in PROXIES and value), None)
    config = context.machine.pip_config
    address = context.options.proxy or from_variable or (config.proxy if config else None)
    return ok("set", proxy=address) if address else None
