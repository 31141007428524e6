"""Where Python interpreters live on Linux, and what a virtual environment says of its base."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rocm_gui.system.sources import Sources

Kind = Literal["python.org", "system", "venv", "uv", "conda", "pyenv", "store", "store_alias", "other"]
NAME = re.compile(r"(?:python3(?:\.\d+)?t?|pypy3(?:\.\d+)?)")
CONDA_ROOTS = ("miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba", ".miniconda3")
CONDA_SYSTEM = ("conda", "miniconda3", "anaconda3", "miniforge3")


def posix_candidates(sources: Sources) -> list[tuple[str, Kind]]:
    """Paths that may be Python interpreters, with what their place says of them."""
    environ, home = sources.environ, sources.home
    data = Path(environ.get("XDG_DATA_HOME") or home / ".local/share")
    active: list[tuple[Kind, str | None]] = [
        ("venv", environ.get("VIRTUAL_ENV")),
        ("conda", environ.get("CONDA_PREFIX")),
    ]
    managed: list[tuple[Kind, list[Path]]] = [
        ("pyenv", _children(Path(environ.get("PYENV_ROOT") or home / ".pyenv") / "versions")),
        ("uv", _children(Path(environ.get("UV_PYTHON_INSTALL_DIR") or data / "uv/python"))),
        ("other", _children(home / ".asdf/installs/python") + _children(data / "mise/installs/python")),
        ("conda", conda_environments(sources)),
    ]
    found: list[tuple[str, Kind]] = [
        (path, kind) for kind, root in active if root for path in _in_folders([Path(root)])
    ]
    if sources.executable:
        found.append((sources.executable, "other"))
    found.extend((path, _system(path)) for path in _on_path(environ))
    found.extend((path, _system(path)) for folder in sources.program_folders for path in _named(folder))
    found.extend((path, kind) for kind, roots in managed for path in _in_folders(roots))
    return found


def conda_environments(sources: Sources) -> list[Path]:
    """Folders of conda installations and of the environments that conda keeps a list of."""
    environ, home = sources.environ, sources.home
    roots = [home / name for name in CONDA_ROOTS] + [sources.opt_root / name for name in CONDA_SYSTEM]
    if environ.get("CONDA_EXE"):
        roots.append(Path(environ["CONDA_EXE"]).parent.parent)
    folders = [root for root in roots if (root / "conda-meta").is_dir()]
    for root in tuple(folders):
        folders += [child for child in _children(root / "envs") if (child / "conda-meta").is_dir()]
    try:
        listed = (home / ".conda/environments.txt").read_text("utf-8", errors="replace").splitlines()
    except OSError:
        listed = []
    folders += [Path(line.strip()) for line in listed if line.strip()]
    return list(dict.fromkeys(folders))


def venv_folder(python: str) -> str | None:
    """The root of the virtual environment that ``python`` belongs to; None where it is no venv's."""
    folder = Path(python).absolute().parent
    for place in (folder, folder.parent):
        if (place / "pyvenv.cfg").is_file():
            return str(place)
    return None


def pyvenv_values(venv: str) -> dict[str, str]:
    """The keys of ``pyvenv.cfg``, lower case; empty where it cannot be read."""
    try:
        text = Path(venv, "pyvenv.cfg").read_text("utf-8", errors="replace")
    except OSError:
        return {}
    pairs = (line.partition("=") for line in text.splitlines() if "=" in line)
    return {key.strip().lower(): value.strip() for key, _, value in pairs}


def venv_base(venv: str, *, windows: bool) -> str | None:
    """The interpreter that ``venv`` was made from, where it still stands.

    ``executable`` is written by Python 3.11 and later, ``base-executable`` by virtualenv, ``home`` by all.
    """
    values = pyvenv_values(venv)
    named = [values[key] for key in ("executable", "base-executable") if values.get(key)]
    home = values.get("home")
    if home:
        version = ".".join((values.get("version") or values.get("version_info") or "").split(".")[:2])
        names = ["python.exe"] if windows else [f"python{version}" if version else "python3", "python3", "python"]
        named += [str(Path(home, name)) for name in names]
    for path in named:
        if Path(path).is_file() and venv_folder(path) is None:
            return path
    return None


def _system(path: str) -> Kind:
    return "system" if path.startswith(("/usr/bin/", "/bin/")) else "other"


def _on_path(environ: Mapping[str, str]) -> Iterator[str]:
    """Interpreters on PATH; folders of shims (pyenv, asdf, mise) are passed over: they start one of many."""
    for entry in dict.fromkeys(environ.get("PATH", "").split(os.pathsep)):
        folder = Path(entry)
        if entry and folder.is_absolute() and folder.name != "shims":
            yield from _named(folder)


def _named(folder: Path) -> list[str]:
    """The interpreters in one folder, by name."""
    try:
        with os.scandir(folder) as entries:
            names = sorted(entry.name for entry in entries if NAME.fullmatch(entry.name))
    except OSError:
        return []
    return [str(folder / name) for name in names if os.access(folder / name, os.X_OK)]


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(child for child in folder.iterdir() if child.is_dir())
    except OSError:
        return []


def _in_folders(roots: Iterable[Path]) -> Iterator[str]:
    """``bin/python3`` (or ``bin/python``) of each installation."""
    for root in roots:
        python = next((root / "bin" / name for name in ("python3", "python") if (root / "bin" / name).exists()), None)
        if python is not None:
            yield str(python)
