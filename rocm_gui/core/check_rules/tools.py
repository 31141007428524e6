"""Checks of tools and runtimes outside Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocm_gui.core.check_rules.finding import (
    Finding,
    at_least,
    builds_from_source,
    check,
    fail,
    graded,
    host_of,
    ok,
    unknown,
    uses_rocm,
)

if TYPE_CHECKING:
    from rocm_gui.core.checks import CheckContext, Fact


def _build_tool(context: CheckContext, tool_id: str) -> Finding:
    """A tool of the article that building from source needs and nothing else does."""
    tool = context.machine.tool(tool_id)
    path = tool.path if tool else None
    facts: dict[str, Fact] = {"version": tool.version if tool else None, "path": path}
    needed = builds_from_source(context)
    if path is not None:
        return ok("found" if needed else "found_not_needed", **facts)
    return fail("missing", f"install_{host_of(context).os}", **facts) if needed else ok("not_needed", **facts)


@check("git", "tools", "host", "tools")
def git(context: CheckContext) -> Finding:
    """Git, for building from source."""
    return _build_tool(context, "git")


@check("cmake", "tools", "host", "tools")
def cmake(context: CheckContext) -> Finding:
    """CMake, for building from source: 3.25 or newer, on Windows older than 4."""
    finding = _build_tool(context, "cmake")
    if not builds_from_source(context) or finding.status != "ok":
        return finding
    version, limits = finding.facts["version"], context.limits
    facts: dict[str, Fact] = {**finding.facts, "least": limits.cmake_least, "below": limits.cmake_below_windows}
    if at_least(str(version), limits.cmake_least) is False:
        return fail("old", f"install_{host_of(context).os}", **facts)
    if host_of(context).os == "windows" and at_least(str(version), limits.cmake_below_windows):
        return fail("too_new", "install_windows", **facts)
    return finding


@check("ninja", "tools", "host", "tools")
def ninja(context: CheckContext) -> Finding:
    """Ninja, for building from source."""
    return _build_tool(context, "ninja")


@check("vc_runtime", "tools", "host", "windows_runtime", systems=("windows",))
def vc_runtime(context: CheckContext) -> Finding | None:
    """The Visual C++ runtime that PyTorch's libraries need is there and new enough."""
    runtime = context.machine.windows_runtime
    if runtime is None:
        return None
    facts: dict[str, Fact] = {"version": runtime.vc_runtime_version, "least": context.limits.vc_runtime_least}
    if runtime.vc_runtime_present is False:
        return fail("missing", "install", **facts)
    enough = at_least(runtime.vc_runtime_version, context.limits.vc_runtime_least)
    if enough is None:
        return unknown("unknown", "install", **facts)
    return ok("new_enough", **facts) if enough else fail("old", "install", **facts)


@check("msvc_headers", "tools", "host", "visual_studios", systems=("windows",))
def msvc_headers(context: CheckContext) -> Finding | None:
    """MIOpen compiles kernels at run time and takes the C++ headers from Visual Studio."""
    if not uses_rocm(context):
        return None
    found = [studio for studio in context.machine.visual_studios or () if studio.msvc_version]
    if found:
        return ok("found", name=found[0].name, version=found[0].msvc_version)
    others = context.machine.visual_studios or ()
    text = "without_cpp" if others else "missing"
    name = others[0].name if others else None
    return graded(severe=builds_from_source(context), text=text, remedy="install", facts={"name": name})
