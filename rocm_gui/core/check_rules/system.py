"""Checks of the operating system and the computer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocm_gui.core.check_rules.finding import (
    GB,
    Finding,
    as_gb,
    builds_from_source,
    check,
    fail,
    graded,
    host_of,
    joined,
    ok,
    unknown,
    uses_rocm,
    warn,
)
from rocm_gui.core.route_choice import system_of

if TYPE_CHECKING:
    from rocm_gui.core.checks import CheckContext

X86_64 = ("x86_64", "amd64")


@check("windows_build", "system", "host", systems=("windows",))
def windows_build(context: CheckContext) -> Finding:
    """Windows 11; AMD's documents of today list 25H2 only, the article says 22H2."""
    host, limits = host_of(context), context.limits
    facts = {"name": host.os_name, "build": host.os_build, "release": host.os_release}
    if host.os_build is None:
        return unknown("unknown", "look_up", **facts)
    if host.os_build < limits.windows_build_least:
        return graded(severe=uses_rocm(context), text="windows_10", remedy="upgrade", facts=facts)
    if host.os_build < limits.windows_build_22h2:
        return warn("windows_11_first", "update", **facts)
    if host.os_build < limits.windows_build_tested:
        return warn("untested", "update", **facts)
    return ok("tested", **facts)


@check("route_system", "system", "host")
def route_system(context: CheckContext) -> Finding | None:
    """The route that the person named exists for this system."""
    if context.route is None or context.options.route_id is None:
        return None
    system = system_of(host_of(context))
    facts = {"route": context.route.id, "system": system, "systems": joined(context.route.os)}
    return ok("fits", **facts) if system in context.route.os else fail("other_system", "see_routes", **facts)


@check("cpu_architecture", "system", "host")
def cpu_architecture(context: CheckContext) -> Finding:
    """ROCm's packages exist for 64-bit x86 processors."""
    host = host_of(context)
    facts = {"architecture": host.architecture, "cpu": host.cpu_name}
    if host.architecture is None:
        return unknown("unknown", **facts)
    if host.architecture.lower() in X86_64:
        return ok("x86_64", **facts)
    return graded(severe=uses_rocm(context), text="other", remedy="use_cpu", facts=facts)


@check("ram", "system", "host")
def ram(context: CheckContext) -> Finding:
    """16 GB of memory at least, 32 recommended, as the article says; only building from source truly needs it."""
    host, limits = host_of(context), context.limits
    size = host.ram_installed_bytes or host.ram_bytes
    if size is None:
        return unknown()
    # what the system can use is less than what is installed: firmware and integrated graphics keep a part
    share = 1.0 if host.ram_installed_bytes else limits.ram_visible_share
    facts = {"ram_gb": as_gb(size), "article_gb": limits.ram_article_gb, "good_gb": limits.ram_good_gb}
    if size >= limits.ram_good_gb * GB * share:
        return ok("plenty", **facts)
    if size >= limits.ram_article_gb * GB * share:
        return ok("enough", **facts)
    if builds_from_source(context):
        return fail("too_little_to_build", "use_wheels", **facts)
    wsl = system_of(host) == "wsl"
    if size < limits.ram_least_gb * GB * share:
        return graded(severe=uses_rocm(context), text="too_little", remedy="raise_wsl" if wsl else "add", facts=facts)
    return warn("little", "raise_wsl" if wsl else "close_programs", **facts)


@check("page_file", "system", "host", systems=("windows",))
def page_file(context: CheckContext) -> Finding:
    """Windows commits memory for PyTorch's libraries at once; without a page file that ends in WinError 1455."""
    host = host_of(context)
    limit = host.commit_limit_bytes
    if limit is None and host.ram_bytes is not None and host.page_file_bytes is not None:
        limit = host.ram_bytes + host.page_file_bytes
    limits = context.limits
    least = limits.commit_least_gb if uses_rocm(context) else limits.commit_least_cpu_gb
    facts = {
        "page_file_gb": as_gb(host.page_file_bytes),
        "commit_gb": as_gb(limit),
        "least_gb": least,
    }
    if limit is None:
        return unknown("unknown", **facts)
    if limit < least * GB:
        return warn("none" if host.page_file_bytes == 0 else "small", "enlarge", **facts)
    return ok("none_but_enough" if host.page_file_bytes == 0 else "enough", **facts)


@check("smart_app_control", "system", "host", systems=("windows",))
def smart_app_control(context: CheckContext) -> Finding:
    """Smart App Control blocks ROCm's unsigned libraries; it cannot be switched on again without a reset."""
    state = host_of(context).smart_app_control
    if state is None:
        return unknown("unknown", "look_up")
    if state == "off":
        return ok("off")
    if state == "evaluation":
        return warn("evaluation", "decide")
    return graded(severe=uses_rocm(context), text="on", remedy="decide", facts={})


@check("developer_mode", "system", "host", systems=("windows",))
def developer_mode(context: CheckContext) -> Finding | None:
    """Building from source makes symbolic links, which Windows allows in developer mode."""
    if not builds_from_source(context):
        return None
    state = host_of(context).developer_mode
    if state is None:
        return unknown()
    return ok("on") if state else fail("off", "switch_on")


@check("power", "system", "host")
def power(context: CheckContext) -> Finding | None:
    """A notebook on battery slows down and may sleep in the middle of a download."""
    state = host_of(context).on_battery
    if state is None:
        return None
    return warn("battery", "plug_in") if state else ok("mains")
