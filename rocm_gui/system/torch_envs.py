"""PyTorch environments that are there already, read from their files: torch is never imported.

Sources: ``torch-*.dist-info/METADATA`` (version), ``torch/version.py`` (fields ``hip``, ``rocm``, ``cuda``), the
names of the device wheels (``rocm_sdk_device_gfx1100``, ``amd_torch_device_gfx1100``).
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from rocm_gui.core.model import TorchEnv
from rocm_gui.system.pyplaces import conda_environments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rocm_gui.core.model import PythonInstall
    from rocm_gui.system.sources import Sources

FIELD = re.compile(r"^(__version__|hip|rocm|cuda)\b[^=\n]*=\s*(?:'([^'\n]*)'|\"([^\"\n]*)\"|None)", re.MULTILINE)
VERSION = re.compile(r"^Version:\s*(\S+)", re.MULTILINE)
DEVICE = re.compile(r"(?:rocm[_-]sdk[_-]device|amd[_-]torch[_-]device)[_-](gfx[0-9a-f]+)-.*\.dist-info", re.IGNORECASE)
ROCM_LOCAL = re.compile(r"\+rocm(\d+(?:\.\d+)+)")  # not "+rocmsdk20251203", which is a date
VENV_NAMES = ("env", "env2", ".venv", "venv")
MOST_CHILDREN = 300  # folders looked into in a home: a bound for homes full of them


class _Place(NamedTuple):
    python: str
    site_packages: Path


def find_torch_envs(
    sources: Sources, pythons: Sequence[PythonInstall], target: str | None = None
) -> tuple[TorchEnv, ...]:
    """Every environment with PyTorch among the interpreters found, the usual places of venvs and ``target``."""
    found: dict[str, TorchEnv] = {}
    for place in [*_of_pythons(pythons, sources), *_of_folders(_folders(sources, target), sources)]:
        key = os.path.realpath(place.site_packages)
        if key in found:
            continue
        environment = read_torch(place.python, place.site_packages)
        if environment is not None:
            found[key] = environment
    return tuple(found.values())


def read_torch(python: str, site_packages: Path) -> TorchEnv | None:
    """The PyTorch in ``site_packages``; None where there is none."""
    try:
        names = [name for name in os.listdir(site_packages) if name.lower().endswith(".dist-info")]  # noqa: PTH208
    except OSError:
        return None
    record = next((name for name in names if re.fullmatch(r"torch-[^-]+\.dist-info", name, re.IGNORECASE)), None)
    fields = parse_torch_version(_text(site_packages / "torch" / "version.py") or "")
    metadata = VERSION.search(_text(site_packages / record / "METADATA") or "") if record else None
    version = fields.get("__version__") or (metadata.group(1) if metadata else None)
    if version is None:
        return None
    targets = {found.group(1).lower() for name in names if (found := DEVICE.fullmatch(name))}
    return TorchEnv(
        python=python,
        torch_version=version,
        build=_build(version, fields),
        rocm_version=_rocm_version(version, fields),
        gfx_targets=tuple(sorted(targets)),
    )


def parse_torch_version(text: str) -> dict[str, str | None]:
    """The fields of ``torch/version.py``; None for those that are None there, absent for those that are not."""
    return {name: single or double or None for name, single, double in FIELD.findall(text)}


def _build(version: str, fields: dict[str, str | None]) -> Literal["rocm", "cuda", "cpu"] | None:
    if fields.get("hip") or fields.get("rocm") or "+rocm" in version:
        return "rocm"
    if fields.get("cuda") or "+cu" in version:
        return "cuda"
    return "cpu" if "cuda" in fields or version.endswith("+cpu") else None


def _rocm_version(version: str, fields: dict[str, str | None]) -> str | None:
    """ROCm's version by the local part of torch's (``2.9.1+rocm7.2.1``), else its own field; HIP's is another."""
    found = ROCM_LOCAL.search(version)
    return found.group(1) if found else fields.get("rocm")


def _text(path: Path) -> str | None:
    try:
        return path.read_text("utf-8", errors="replace")
    except OSError:
        return None


def _of_pythons(pythons: Sequence[PythonInstall], sources: Sources) -> Iterator[_Place]:
    for python in pythons:
        if not (python.version and python.prefix):
            continue
        major, minor = python.version.split(".")[:2]
        for folder in _site_packages(Path(python.prefix), f"{major}.{minor}", python.kind == "venv", sources):
            yield _Place(python.path, folder)


def _site_packages(prefix: Path, version: str, venv: bool, sources: Sources) -> list[Path]:
    """Where an interpreter of ``version`` keeps packages: its own, the distribution's, and the user's."""
    if sources.windows:
        folders = [prefix / "Lib" / "site-packages"]
        if not venv and sources.environ.get("APPDATA"):
            name = f"Python{version.replace('.', '')}"
            folders.append(Path(sources.environ["APPDATA"], "Python", name, "site-packages"))
        return folders
    folders = [prefix / "lib" / f"python{version}" / "site-packages"]
    if not venv:
        folders.append(sources.home / ".local/lib" / f"python{version}" / "site-packages")
        if str(prefix) == "/usr":
            local = Path("/usr/local/lib") / f"python{version}" / "dist-packages"
            folders += [local, Path("/usr/lib/python3/dist-packages")]
    return folders


def _folders(sources: Sources, target: str | None) -> Iterator[Path]:
    """Folders that may be environments: the target's, the active one, conda's, and those of the home folder."""
    if target:
        yield Path(target)
        yield from (Path(target, name) for name in VENV_NAMES)
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if sources.environ.get(variable):
            yield Path(sources.environ[variable])
    if not sources.windows:
        yield from conda_environments(sources)
    yield from _children(Path(sources.environ.get("WORKON_HOME") or sources.home / ".virtualenvs"))
    for child in _children(sources.home):
        yield child
        yield from (child / name for name in VENV_NAMES)


def _children(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return sorted(Path(entry.path) for entry in entries if entry.is_dir())[:MOST_CHILDREN]
    except OSError:
        return []


def _of_folders(folders: Iterable[Path], sources: Sources) -> Iterator[_Place]:
    for folder in folders:
        if not ((folder / "pyvenv.cfg").is_file() or (folder / "conda-meta").is_dir()):
            continue
        if sources.windows:
            pythons = [folder / "Scripts" / "python.exe", folder / "python.exe"]
            places = [folder / "Lib" / "site-packages"]
        else:
            pythons = [folder / "bin" / "python"]
            places = sorted((folder / "lib").glob("python3.*/site-packages"))
        python = next((path for path in pythons if path.exists()), None)
        if python is not None:
            yield from (_Place(str(python), place) for place in places)
