"""Checks of folders and drives: space, kind of drive, file system, length and letters of paths."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rocm_gui.core.check_rules.finding import (
    GB,
    Finding,
    as_gb,
    at_least,
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
    from rocm_gui.core.routes import Route

FAT = ("fat", "fat12", "fat16", "fat32", "vfat", "msdos")
EXFAT = ("exfat", "fuseblk.exfat")
SITE_PACKAGES = r"\env\Lib\site-packages"  # below the target folder, as a setup lays it out on Windows
NEW_LAYOUT = "7.9"  # the first ROCm whose wheels have no "_custom" in the folder's name
MIOPEN_PLACES = ("MIOPEN_USER_DB_PATH", "MIOPEN_CUSTOM_CACHE_DIR")


def rocblas_folder(target: str, route: Route | None = None) -> str:
    r"""Where rocBLAS keeps its kernels in an environment at ``target`` on Windows: the deepest folder that it reads.

    Its Tensile part dies with 0xC0000005 when its files sit deeper than 174 characters (measured by the
    authors of Lemonade: 174 loads, 175 does not), whatever ``LongPathsEnabled`` says. They measured the folder
    of the installed runtime; the kernels' own folder is the strictest reading of that, so a path that passes
    here passes by any reading.
    """
    custom = route is not None and at_least(route.rocm_version, NEW_LAYOUT) is False
    package = "_rocm_sdk_libraries_custom" if custom else "_rocm_sdk_libraries"
    return target.rstrip("\\/") + SITE_PACKAGES + rf"\{package}\bin\rocblas\library"


class Need(NamedTuple):
    """What one drive must hold."""

    drive: str
    purposes: tuple[str, ...]
    free_bytes: int | None
    need_bytes: float


def space_needs(context: CheckContext) -> list[Need]:
    """The space needed on each drive: what the target, temp and cache folders need is added up where they share one.

    The environment itself goes to the target; the downloads are kept in a cache folder and pass through the
    temporary folder once while their metadata is read.
    """
    route, limits = context.route, context.limits
    disk = (route.disk_bytes if route else None) or limits.disk_default_gb * GB
    download = (route.download_bytes if route else None) or limits.download_default_gb * GB
    share = {"target": disk, "temp": download, "pip_cache": download}
    drives: dict[str, Need] = {}
    for volume in context.machine.volumes or ():
        if volume.purpose not in share:
            continue
        drive = volume.mount or volume.path
        seen = drives.get(drive, Need(drive, (), volume.free_bytes, 0))
        known = [size for size in (seen.free_bytes, volume.free_bytes) if size is not None]
        drives[drive] = Need(
            drive,
            (*seen.purposes, volume.purpose),
            min(known, default=None),
            seen.need_bytes + share[volume.purpose],
        )
    return list(drives.values())


@check("disk_space", "storage", "host", "volumes")
def disk_space(context: CheckContext) -> Finding:
    """Every drive that a setup writes to has room; the article's 100 GB counts where ROCm is built from source."""
    needs = space_needs(context)
    if not needs:
        return unknown("no_answer")

    def lacking(need: Need) -> float:
        return need.need_bytes - need.free_bytes if need.free_bytes is not None else -1

    worst = max(needs, key=lacking)
    facts = {
        "drive": worst.drive,
        "free_gb": as_gb(worst.free_bytes),
        "need_gb": round(worst.need_bytes / GB, 1),
        "purposes": joined(worst.purposes),
        "drives": "; ".join(
            f"{need.drive} {as_gb(need.free_bytes)}/{round(need.need_bytes / GB, 1)} GB" for need in needs
        ),
    }
    if worst.free_bytes is not None and worst.free_bytes < worst.need_bytes:
        return fail("too_little", "free", **facts)
    blind = next((need for need in needs if need.free_bytes is None), None)
    if blind is not None:
        return unknown("unknown", **{**facts, "drive": blind.drive})
    if worst.free_bytes is not None and worst.free_bytes < worst.need_bytes + context.limits.disk_spare_gb * GB:
        return warn("tight", "free", **facts)
    return ok("enough", **facts)


@check("solid_state", "storage", "host", "volumes")
def solid_state(context: CheckContext) -> Finding | None:
    """The target is on an SSD, as the article asks."""
    volume = context.machine.volume("target")
    if volume is None:
        return None
    facts = {"drive": volume.mount or volume.path}
    if volume.solid_state is None:
        return unknown("unknown", **facts)
    if volume.solid_state:
        return ok("ssd", **facts)
    return warn("hdd_to_build" if builds_from_source(context) else "hdd", "use_ssd", **facts)


@check("target_filesystem", "storage", "host", "volumes")
def target_filesystem(context: CheckContext) -> Finding | None:
    """The target is not on FAT (4 GB a file, no rights) nor, on Linux, on exFAT (no links)."""
    volume = context.machine.volume("target")
    if volume is None:
        return None
    facts = {"drive": volume.mount or volume.path, "filesystem": volume.filesystem}
    if volume.filesystem is None:
        return unknown("unknown", **facts)
    name = volume.filesystem.lower()
    if name in FAT:
        return fail("fat", "other_drive", **facts)
    if name in EXFAT:
        linux = host_of(context).os == "linux"
        return graded(severe=linux, text="exfat", remedy="other_drive", facts=facts)
    return ok("fine", **facts)


@check("target_place", "storage", "host", "volumes")
def target_place(context: CheckContext) -> Finding | None:
    """The target is not synchronised by OneDrive, not on a network share, not on a stick."""
    volume = context.machine.volume("target")
    if volume is None:
        return None
    facts = {"path": context.target or volume.path}
    if volume.onedrive:
        return fail("onedrive", "local_folder", **facts)
    if volume.network:
        drvfs = system_of(host_of(context)) == "wsl"
        return warn(
            "windows_drive_in_wsl" if drvfs else "network", "linux_folder" if drvfs else "local_folder", **facts
        )
    if volume.removable:
        return warn("removable", "local_folder", **facts)
    return ok("local", **facts)


@check("folders_writable", "storage", "host", "volumes")
def folders_writable(context: CheckContext) -> Finding | None:
    """The target, temp and cache folders accept files."""
    volumes = [volume for volume in context.machine.volumes or () if volume.purpose != "home"]
    denied = [volume.path for volume in volumes if volume.writable is False]
    if denied:
        return fail("denied", "own_folder", paths=joined(denied))
    blind = [volume.path for volume in volumes if volume.writable is None]
    if blind:
        return unknown("unknown", paths=joined(blind))
    return ok() if volumes else None


@check("path_length", "storage", "host", systems=("windows",))
def path_length(context: CheckContext) -> Finding | None:
    """The environment is not installed deeper than rocBLAS can bear."""
    if context.target is None or not uses_rocm(context):
        return None
    folder = rocblas_folder(context.target, context.route)
    most = context.limits.rocblas_path_most
    facts = {
        "target": context.target,
        "folder": folder,
        "length": len(folder),
        "most": most,
        "over": max(0, len(folder) - most),
        "target_most": len(context.target.rstrip("\\/")) + most - len(folder),
    }
    return ok("short_enough", **facts) if len(folder) <= most else fail("too_deep", "shorter", **facts)


@check("long_paths", "storage", "host", systems=("windows",))
def long_paths(context: CheckContext) -> Finding | None:
    """Files of the environment stay below 260 characters, or Windows allows longer paths."""
    if context.target is None:
        return None
    state, limits = host_of(context).long_paths, context.limits
    deepest = len(context.target.rstrip("\\/") + SITE_PACKAGES) + 1 + limits.package_path_longest
    facts = {"target": context.target, "length": deepest, "most": limits.windows_path_most}
    if builds_from_source(context):
        return (
            unknown() if state is None else ok("on", **facts) if state else fail("off_to_build", "switch_on", **facts)
        )
    if state:
        return ok("on", **facts)
    if deepest < limits.windows_path_most:
        return ok("not_needed", **facts)
    return unknown("unknown_and_long", "switch_on", **facts) if state is None else warn("off", "switch_on", **facts)


@check("target_letters", "storage", "host")
def target_letters(context: CheckContext) -> Finding | None:
    """The target's path has ASCII letters only; compilers that MIOpen starts fail on others."""
    if context.target is None:
        return None
    if not context.target.isascii():
        if host_of(context).os == "windows":
            return warn("not_ascii", "ascii_folder", path=context.target)
        return ok("not_ascii_but_fine", path=context.target)
    if " " in context.target and builds_from_source(context):
        return fail("blanks_to_build", "ascii_folder", path=context.target)
    return ok("ascii", path=context.target)


@check("profile_letters", "storage", "host", "variables", systems=("windows",))
def profile_letters(context: CheckContext) -> Finding | None:
    """MIOpen keeps its database in the user's profile and cannot open it below a path with other letters."""
    home = host_of(context).home
    if home is None:
        return unknown()
    if home.isascii():
        return ok("ascii", path=home)
    if not uses_rocm(context):
        return ok("not_ascii_but_fine", path=home)
    variables = context.machine.variables or {}
    places = [variables.get(name) for name in MIOPEN_PLACES]
    if all(place and place.isascii() for place in places):
        return ok("moved", path=home, place=places[0])
    return warn("not_ascii", "move_cache", path=home)
