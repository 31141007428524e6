"""The Linux host: distribution, kernel, WSL, container, processor, memory, groups, language.

Sources: os-release(5), proc(5), /proc/sys/kernel/osrelease (WSL kernels carry "microsoft" in their name), the
marks that Docker and Podman leave at the root of a container, and the cgroup of the first process.
"""

from __future__ import annotations

import grp
import locale
import os
import platform
import re
from typing import TYPE_CHECKING, TypeVar, cast

import psutil

from rocm_gui.core.model import Host

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

T = TypeVar("T")
CONTAINER_WORDS = re.compile(r"(?:docker|kubepods|libpod|lxc|containerd|garden|podman)", re.IGNORECASE)
# The root file system as layers of a container engine; a live system's root is an overlay too, of other folders.
CONTAINER_LAYERS = re.compile(r"^\S+ / overlay \S*/(?:docker|containerd|containers|buildkit)/", re.IGNORECASE)
QUOTED = re.compile(r"""^(["'])(.*)\1$""", re.DOTALL)


def detect_host(proc_root: Path, etc_root: Path, environ: Mapping[str, str]) -> Host:
    """The host as ``proc_root`` and ``etc_root`` (laid out like /proc and /etc) and this process tell it."""
    release = _os_release(etc_root)
    kernel = _text(proc_root / "sys/kernel/osrelease")
    memory = _meminfo(proc_root)
    language, encoding = _locale(environ)
    return Host(
        os="linux",
        os_name=release.get("PRETTY_NAME"),
        os_release=release.get("VERSION_ID"),
        distribution=release.get("ID"),
        kernel=kernel,
        wsl=None if kernel is None else "microsoft" in kernel.lower(),
        container=_container(proc_root, etc_root.parent, environ),
        architecture=platform.machine() or None,
        cpu_name=_cpu_name(proc_root),
        physical_cores=_quiet(lambda: psutil.cpu_count(logical=False)),
        logical_cores=_quiet(psutil.cpu_count),
        ram_bytes=memory.get("MemTotal"),
        page_file_bytes=memory.get("SwapTotal"),
        commit_limit_bytes=memory.get("CommitLimit"),
        user_is_admin=os.geteuid() == 0,
        groups=_groups(),
        home=environ.get("HOME") or None,
        language=language,
        code_page=encoding,
        on_battery=_on_battery(),
    )


def _text(path: Path) -> str | None:
    try:
        return path.read_text("utf-8", errors="replace").strip() or None
    except OSError:
        return None


def _quiet(function: Callable[[], T]) -> T | None:
    """None where psutil finds its file missing or unreadable."""
    try:
        return function()
    except (OSError, RuntimeError, NotImplementedError, ValueError):
        return None


def parse_os_release(text: str) -> dict[str, str]:
    r"""The assignments of an os-release file; quotes and the backslash escapes of os-release(5) are undone."""
    values: dict[str, str] = {}
    for line in text.splitlines():
        name, separator, value = line.strip().partition("=")
        if not separator or name.startswith("#"):
            continue
        quoted = QUOTED.match(value.strip())
        inner = quoted.group(2) if quoted else value.strip()
        values[name] = re.sub(r"\\([\\\"'$`])", r"\1", inner)
    return values


def _os_release(etc_root: Path) -> dict[str, str]:
    for place in (etc_root / "os-release", etc_root.parent / "usr/lib/os-release"):
        text = _text(place)
        if text:
            return parse_os_release(text)
    return {}


def _meminfo(proc_root: Path) -> dict[str, int]:
    """Values of /proc/meminfo in bytes (the file's "kB" are units of 1024)."""
    found = re.findall(r"^(\w+):\s+(\d+) kB$", _text(proc_root / "meminfo") or "", re.MULTILINE)
    return {name: int(value) * 1024 for name, value in found}


def _cpu_name(proc_root: Path) -> str | None:
    text = _text(proc_root / "cpuinfo") or ""
    for name in ("model name", "Model", "Hardware", "cpu model", "cpu"):  # x86; ARM boards; MIPS; POWER
        found = re.search(rf"^{name}\s*:\s*(\S.*)$", text, re.MULTILINE)
        if found:
            return re.sub(r"\s+", " ", found.group(1)).strip()
    return None


def _container(proc_root: Path, root: Path, environ: Mapping[str, str]) -> bool | None:
    """By the marks of Docker, Podman, systemd-nspawn and Kubernetes, else by control group and root file system."""
    marks = (".dockerenv", "run/.containerenv", "run/systemd/container")
    if any((root / mark).exists() for mark in marks):
        return True
    if environ.get("container") or environ.get("KUBERNETES_SERVICE_HOST"):
        return True
    groups, mounts = _text(proc_root / "1/cgroup"), _text(proc_root / "self/mounts")
    if mounts and any(CONTAINER_LAYERS.search(line) for line in mounts.splitlines()):
        return True
    if groups is None:
        return None
    return CONTAINER_WORDS.search(groups) is not None


def _groups() -> tuple[str, ...]:
    """Groups of the running process, by name: what counts is this session, not what /etc/group says for the next."""
    return tuple(_group_name(gid) for gid in sorted({os.getegid(), *os.getgroups()}))


def _group_name(gid: int) -> str:
    try:
        return grp.getgrgid(gid).gr_name
    except (KeyError, OSError):
        return str(gid)


def _locale(environ: Mapping[str, str]) -> tuple[str | None, str | None]:
    """The language ("zh_CN") from the variables and the encoding that Python uses for files and consoles."""
    value = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), None)
    language = value.split(".", 1)[0].split("@", 1)[0] if value else None
    if language in {"C", "POSIX"}:
        language = None
    encoding = value.split(".", 1)[1].split("@", 1)[0] if value and "." in value else None
    return language, encoding or _quiet(lambda: locale.getpreferredencoding(do_setlocale=False))


def _on_battery() -> bool | None:
    """Whether the computer runs from its battery; False without one."""
    battery = _quiet(psutil.sensors_battery)
    if battery is None:
        return False
    plugged = cast("bool | None", battery.power_plugged)  # None where the kernel does not say
    return None if plugged is None else not plugged
