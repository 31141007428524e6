"""What a recipe needs and what of it is here."""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec
from packaging.version import InvalidVersion, Version

from rocm_gui.core.recipes import GIB, MachineFacts, NeedId
from rocm_gui.system.process import find_program, run

if TYPE_CHECKING:
    from rocm_gui.core.model import Machine
    from rocm_gui.core.recipes import BuildOptions, Need, Recipe

Status = Literal["ok", "warn", "fail", "unknown"]
_COMPILERS = ("cc", "gcc", "clang")
_VERSION = re.compile(r"\d+(?:\.\d+)+")


class NeedResult(msgspec.Struct, frozen=True, kw_only=True):
    """One need and what was found: ``[build.need.ID]`` in the messages."""

    id: NeedId
    status: Status
    found: str | None = None
    wanted: str | None = None
    path: str | None = None


def check_needs(recipe: Recipe, options: BuildOptions, machine: Machine) -> tuple[NeedResult, ...]:
    """Every need of ``recipe`` on this machine, in its order."""
    system = "windows" if sys.platform == "win32" else "linux"
    return tuple(_check(need, options, machine) for need in recipe.needs if system in need.systems)


def facts_of(machine: Machine, needs: tuple[NeedResult, ...]) -> MachineFacts:
    """What a plan depends on."""
    windows = sys.platform == "win32"
    host = machine.host
    tools = {need.id: need.path for need in needs if need.path}
    ninja = tools.get("ninja") or find_program("ninja")
    home = Path.home()
    local = Path(os.environ.get("LOCALAPPDATA") or home / "AppData/Local") if windows else home / ".local"
    return MachineFacts(
        system="windows" if windows else "linux",
        cores=host.logical_cores if host else None,
        ram_bytes=host.ram_bytes if host else None,
        local_data=str(local),
        python=next((p.path for p in machine.pythons or () if p.path), "python" if windows else "python3"),
        tools={**tools, **({"ninja": ninja} if ninja else {})},
        gfx_targets=tuple(dict.fromkeys(gpu.gfx_target for gpu in machine.amd_gpus if gpu.gfx_target)),
    )


def _check(need: Need, options: BuildOptions, machine: Machine) -> NeedResult:
    wanted = need.at_least if need.below is None else f"{need.at_least} – {need.below}"
    if need.id in ("git", "cmake", "ninja", "perl", "python"):
        return _program(need, machine, wanted)
    if need.id == "compiler":
        return _compiler(machine)
    if need.id == "disk":
        place = Path(options.work_dir)
        while not place.exists() and place != place.parent:
            place = place.parent
        try:
            free = shutil.disk_usage(place).free
        except OSError:
            return NeedResult(id="disk", status="unknown", wanted=f"{need.at_least} GB")
        status: Status = "ok" if free >= float(need.at_least or 0) * 1e9 else "fail"
        return NeedResult(id="disk", status=status, found=f"{free / 1e9:.0f} GB", wanted=f"{need.at_least} GB")
    if need.id == "ram":
        ram = machine.host.ram_bytes if machine.host else None
        if ram is None:
            return NeedResult(id="ram", status="unknown", wanted=f"{need.wanted} GB")
        gib = ram / GIB + 0.9  # firmware keeps a part of what was bought
        status = "fail" if gib < float(need.at_least or 0) else "warn" if gib < float(need.wanted or 0) else "ok"
        return NeedResult(id="ram", status=status, found=f"{ram / GIB:.0f} GB", wanted=f"{need.wanted} GB")
    if need.id == "long_paths":
        on = machine.host.long_paths if machine.host else None
        return NeedResult(id="long_paths", status="unknown" if on is None else "ok" if on else "fail")
    if need.id == "symlinks":
        return NeedResult(id="symlinks", status="ok" if _can_link() else "fail")
    length = len(options.work_dir)
    limit = int(need.at_least or 0)
    return NeedResult(id=need.id, status="ok" if length <= limit else "warn", found=str(length), wanted=f"≤ {limit}")


def _program(need: Need, machine: Machine, wanted: str | None) -> NeedResult:
    if need.id == "python":
        pythons = [(p.path, p.version) for p in machine.pythons or () if p.version and p.path]
        fitting = next((pair for pair in pythons if _fits(pair[1], need)), None)
        best = fitting or (pythons[0] if pythons else (None, None))
        return NeedResult(id=need.id, status="ok" if fitting else "fail", found=best[1], wanted=wanted, path=best[0])
    tool = machine.tool(need.id) if need.id in ("git", "cmake", "ninja") else None
    path = (tool.path if tool else None) or find_program(need.id)
    if path is None:
        return NeedResult(id=need.id, status="fail", wanted=wanted)
    version = tool.version if tool and tool.version else _version(path)
    if version is None:
        return NeedResult(id=need.id, status="unknown", wanted=wanted, path=path)
    status: Status = "ok" if _fits(version, need) else "fail"
    return NeedResult(id=need.id, status=status, found=version, wanted=wanted, path=path)


def _version(path: str) -> str | None:
    answer = run([path, "--version"], timeout_s=15)
    found = _VERSION.search(answer.stdout) if answer.ok else None
    return found[0] if found else None


def _fits(version: str, need: Need) -> bool:
    try:
        has = Version(_VERSION.match(version)[0] if _VERSION.match(version) else version)  # type: ignore[index]
    except InvalidVersion:
        return False
    if need.at_least is not None and has < Version(need.at_least):
        return False
    return need.below is None or has < Version(need.below)


def _compiler(machine: Machine) -> NeedResult:
    if sys.platform == "win32":
        for studio in machine.visual_studios or ():
            if studio.path:
                return NeedResult(id="compiler", status="ok", found=f"Visual Studio {studio.version}", path=studio.path)
        names: tuple[str, ...] = ("cl", "clang-cl", "clang", "gcc")
    else:
        names = _COMPILERS
    for name in names:
        path = find_program(name)
        if path is not None:
            return NeedResult(id="compiler", status="ok", found=name, path=path)
    return NeedResult(id="compiler", status="fail")


def _can_link() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        try:
            (Path(folder) / "link").symlink_to(Path(folder) / "file")
        except (OSError, NotImplementedError):
            return False
    return True
