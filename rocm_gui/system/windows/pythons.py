r"""Where Python interpreters stand on Windows: paths and what their place says of them, nothing is run.

The one exception is the ``py`` launcher, which is asked for its list. The app execution aliases of the Microsoft
Store (files of 0 bytes that open the Store) are named as what they are, so that they are never started.
"""

from __future__ import annotations

import ntpath
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rocm_gui.system.windows.registry import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rocm_gui.system.windows.cim import Run
    from rocm_gui.system.windows.registry import Hive, Registry

Kind = Literal["python.org", "system", "venv", "uv", "conda", "pyenv", "store", "store_alias", "other"]

# PEP 514; the last is what 32-bit installers wrote. HKCU is not split.
PYTHON_KEYS: tuple[tuple[Hive, str], ...] = (
    ("HKCU", r"Software\Python"),
    ("HKLM", r"Software\Python"),
    ("HKLM", r"Software\WOW6432Node\Python"),
)
COMPANIES: dict[str, Kind] = {
    "pythoncore": "python.org",
    "continuumanalytics": "conda",
    "anaconda": "conda",
    "miniconda": "conda",
    "astral": "uv",
}
CONDA_ROOTS = ("miniconda3", "anaconda3", "miniforge3", "mambaforge")
NAMES = ("python.exe", "python3.exe")
_PLACES: dict[str, Kind] = {
    "\\pyenv-win\\": "pyenv",
    "\\uv\\python\\": "uv",
    **dict.fromkeys((f"\\{name}\\" for name in CONDA_ROOTS), "conda"),
}
LAUNCHER_LIMIT_S = 5.0
_LAUNCHER_LINE = re.compile(r"^\s*-\S+(?:\s+\*)?\s+(?P<path>\S.*?\.exe)(?:\s+\*)?\s*$", re.IGNORECASE)
_ALIAS_FOLDER = "windowsapps"
_STORE_PACKAGE = "pythonsoftwarefoundation.python."


def candidates(registry: Registry, environ: Mapping[str, str], run: Run | None = None) -> list[tuple[str, Kind]]:
    """Every file that may be a Python, each once, with a hint of its kind; the surest hints come first.

    Args:
        registry: installations that registered themselves (PEP 514).
        environ: the folders of the user and of programs, ``PATH``, active environments.
        run: asks the ``py`` launcher where given; see ``system.process.run``.
    """
    places = [
        *_active(environ),
        *_registered(registry),
        *_managed(environ),
        *_conda(environ),
        *_store(environ),
        *_on_path(environ),
        *(_launcher(environ, run) if run is not None else ()),
    ]
    found: dict[str, tuple[str, Kind]] = {}
    for path, kind in places:
        key = os.path.normcase(os.path.normpath(path))
        if key not in found and os.path.lexists(path):
            found[key] = (path, "store_alias" if kind != "store" and is_store_alias(path) else kind)
    return list(found.values())


def is_store_alias(path: str) -> bool:
    r"""Whether ``path`` is an alias below ``WindowsApps`` itself: a file of 0 bytes that may only open the Store.

    An installed Store Python has a second alias in its package's own folder there, which is safe to run.
    """
    folder = ntpath.dirname(path.replace("/", "\\"))
    return ntpath.basename(folder).casefold() == _ALIAS_FOLDER


def launcher_paths(output: str) -> list[str]:
    r"""The paths in the answer of ``py -0p``: lines like `` -V:3.12 *        C:\Python312\python.exe``."""
    matches = (_LAUNCHER_LINE.match(line) for line in output.splitlines())
    return [match["path"] for match in matches if match]


def _active(environ: Mapping[str, str]) -> Iterator[tuple[str, Kind]]:
    venv, conda = _variable(environ, "VIRTUAL_ENV"), _variable(environ, "CONDA_PREFIX")
    if venv:
        yield str(Path(venv, "Scripts", "python.exe")), "venv"
    if conda:
        yield str(Path(conda, "python.exe")), "conda"


def _registered(registry: Registry) -> Iterator[tuple[str, Kind]]:
    for hive, root in PYTHON_KEYS:
        for company in registry.subkeys(hive, root) or ():
            if company.casefold() == "pylauncher":  # reserved by PEP 514
                continue
            for tag in registry.subkeys(hive, rf"{root}\{company}") or ():
                values = registry.values(hive, rf"{root}\{company}\{tag}\InstallPath")
                path = text_of(values, "ExecutablePath")
                folder = text_of(values, "")
                if path is None and folder is not None:
                    path = str(Path(folder, "python.exe"))
                if path is not None:
                    yield path, _kind_of_place(path, COMPANIES.get(company.casefold(), "other"))


def _managed(environ: Mapping[str, str]) -> Iterator[tuple[str, Kind]]:
    """Python.org's own places, pyenv-win and uv."""
    local, roaming = _variable(environ, "LOCALAPPDATA"), _variable(environ, "APPDATA")
    profile = _variable(environ, "USERPROFILE")
    programs = (_variable(environ, name) for name in ("ProgramFiles", "ProgramFiles(x86)"))
    if local:
        yield from _below(Path(local, "Programs", "Python"), "python.org")
        yield from _below(Path(local, "Python"), "python.org")  # Python install manager
    for folder in programs:
        if folder:
            yield from _below(Path(folder), "python.org", "Python3*")
    drive = _variable(environ, "SystemDrive")
    if drive:
        yield from _below(Path(drive + "\\" if drive.endswith(":") else drive), "python.org", "Python3*")
    pyenv = _variable(environ, "PYENV") or _variable(environ, "PYENV_ROOT")
    if pyenv or profile:
        yield from _below(Path(pyenv or Path(profile or "", ".pyenv", "pyenv-win"), "versions"), "pyenv")
    uv = _variable(environ, "UV_PYTHON_INSTALL_DIR")
    if uv or roaming:
        yield from _below(Path(uv or Path(roaming or "", "uv", "python")), "uv")


def _conda(environ: Mapping[str, str]) -> Iterator[tuple[str, Kind]]:
    profile = _variable(environ, "USERPROFILE")
    bases = [profile, _variable(environ, "LOCALAPPDATA"), _variable(environ, "ProgramData")]
    roots = [Path(base, name) for base in bases if base for name in CONDA_ROOTS]
    executable = _variable(environ, "CONDA_EXE")
    if executable:
        roots.append(Path(executable).parent.parent)
    for root in roots:
        yield str(root / "python.exe"), "conda"
        yield from _below(root / "envs", "conda")
    if profile:
        for line in _lines(Path(profile, ".conda", "environments.txt")):
            yield str(Path(line, "python.exe")), "conda"


def _store(environ: Mapping[str, str]) -> Iterator[tuple[str, Kind]]:
    """Installed Store Pythons by their packages' aliases, and the bare aliases."""
    local = _variable(environ, "LOCALAPPDATA")
    if not local:
        return
    folder = Path(local, "Microsoft", "WindowsApps")
    for child in _children(folder):
        if child.name.casefold().startswith(_STORE_PACKAGE):
            yield str(child / "python.exe"), "store"
    for name in NAMES:
        yield str(folder / name), "store_alias"


def _on_path(environ: Mapping[str, str]) -> Iterator[tuple[str, Kind]]:
    """Interpreters on PATH; pyenv's shims are passed over: they start one of many."""
    for entry in dict.fromkeys((_variable(environ, "PATH") or "").split(os.pathsep)):
        folder = Path(entry.strip().strip('"'))
        if not entry or entry.startswith(("\\\\", "//")) or not folder.is_absolute() or folder.name == "shims":
            continue
        for name in NAMES:
            yield str(folder / name), _kind_of_place(str(folder / name), "other")


def _launcher(environ: Mapping[str, str], run: Run) -> Iterator[tuple[str, Kind]]:
    root, local = _variable(environ, "SystemRoot"), _variable(environ, "LOCALAPPDATA")
    places = ([Path(root, "py.exe")] if root else []) + (
        [Path(local, "Programs", "Python", "Launcher", "py.exe")] if local else []
    )
    launcher = next((place for place in places if place.is_file()), None)
    if launcher is None:
        return
    completed = run([str(launcher), "-0p"], timeout_s=LAUNCHER_LIMIT_S)
    for path in launcher_paths(completed.stdout):
        yield path, _kind_of_place(path, "other")


def _kind_of_place(path: str, otherwise: Kind) -> Kind:
    """What the folders of ``path`` say, where they say more than ``otherwise``."""
    text = path.replace("/", "\\").casefold()
    if f"\\{_ALIAS_FOLDER}\\" in text:
        return "store_alias" if is_store_alias(path) else "store"
    told: list[Kind] = [kind for part, kind in _PLACES.items() if part in text]
    return told[0] if told else otherwise


def _variable(environ: Mapping[str, str], name: str) -> str | None:
    """A variable by its name without case, as on Windows; None where missing or empty."""
    value = environ.get(name)
    if value is None:
        folded = name.upper()
        value = next((text for key, text in environ.items() if key.upper() == folded), None)
    return value or None


def _below(folder: Path, kind: Kind, pattern: str = "*") -> Iterator[tuple[str, Kind]]:
    for child in _children(folder, pattern):
        yield str(child / "python.exe"), kind


def _children(folder: Path, pattern: str = "*") -> Iterable[Path]:
    try:
        return sorted(child for child in folder.glob(pattern) if child.is_dir())
    except OSError:
        return ()


def _lines(path: Path) -> list[str]:
    try:
        return [line.strip() for line in path.read_text("utf-8", "replace").splitlines() if line.strip()]
    except OSError:
        return []
