r"""System-wide ROCm and HIP SDK installations.

Linux: ``/opt/rocm`` (a link to one of the others up to 7.x), ``/opt/rocm-6.2.4``, ``/opt/rocm/core-10.1`` (10.x).
Windows: the HIP SDK below ``Program Files\AMD\ROCm`` and ``HIP_PATH``.
"""

from __future__ import annotations

import ntpath
import os
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_gui.core.model import RocmInstall
from rocm_gui.core.parsers.versions import (
    parse_hip_version_file,
    parse_rocm_folder,
    parse_rocm_info,
    version_numbers,
)

if TYPE_CHECKING:
    from rocm_gui.system.sources import Sources

INFO_FILES = (".info/version", ".info/version-rocm", ".info/version-utils", ".info/version-dev")
HIP_FILES = ("bin/.hipVersion", "share/hip/version")


def find_rocm_installs(sources: Sources) -> tuple[RocmInstall, ...]:
    """Every installation once, newest first (6.10 before 6.2), those without a version last."""
    found = _windows(sources) if sources.windows else _linux(sources)
    distinct: dict[str, RocmInstall] = {}
    for install in found:
        distinct.setdefault(os.path.realpath(install.path), install)
    return tuple(sorted(distinct.values(), key=lambda one: version_numbers(one.version), reverse=True))


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(child for child in folder.iterdir() if child.is_dir())
    except OSError:
        return []


def _linux(sources: Sources) -> list[RocmInstall]:
    places = [place for place in _children(sources.opt_root) if place.name.startswith("rocm-")]
    main = sources.opt_root / "rocm"
    cores = [place for place in _children(main) if place.name.startswith("core-")]
    # Last: where it is a link, the folder with the version in its name is kept.
    others = [Path(sources.environ[name]) for name in ("ROCM_PATH", "HIP_PATH") if sources.environ.get(name)]
    installs: list[RocmInstall] = []
    for place in [*places, *cores, main, *others]:
        if not (place / "bin").is_dir():
            continue  # what an uninstaller left behind
        version = _version(place) or parse_rocm_folder(place.name)
        if version is None and place == main and cores:
            continue  # 10.x' parent folder, with links to the tools of one of its versions
        installs.append(RocmInstall(kind="rocm", path=str(place), version=version))
    return installs


def _version(place: Path) -> str | None:
    for names, parse in ((INFO_FILES, parse_rocm_info), (HIP_FILES, parse_hip_version_file)):
        for name in names:
            text = _text(place / name)
            version = parse(text) if text else None
            if version:
                return version
    return None


def _text(path: Path) -> str | None:
    try:
        return path.read_text("utf-8", errors="replace")
    except OSError:
        return None


def _windows(sources: Sources) -> list[RocmInstall]:
    environ = sources.environ
    programs = environ.get("ProgramFiles") or environ.get("PROGRAMFILES") or "C:\\Program Files"
    places = _children(Path(ntpath.join(programs, "AMD", "ROCm")))
    places += [Path(environ[name]) for name in ("HIP_PATH", "ROCM_PATH") if environ.get(name)]
    installs: list[RocmInstall] = []
    for place in places:
        if (place / "bin").is_dir():
            version = parse_rocm_folder(place.name) or _version(place)
            installs.append(RocmInstall(kind="hip_sdk", path=str(place), version=version))
    return installs
