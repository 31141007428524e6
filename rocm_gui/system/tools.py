"""Command-line tools and Visual Studio: where they are and which version.

Tools that talk to a GPU are found but never started here: they take a second or more, wake the GPU, and some
crash with a broken driver.
"""

from __future__ import annotations

import ntpath
import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from rocm_gui.core.model import Tool, VisualStudio
from rocm_gui.core.parsers.versions import parse_conda_meta, parse_tool_version
from rocm_gui.core.parsers.vswhere import newest_msvc, parse_vswhere
from rocm_gui.system.parallel import map_in_threads
from rocm_gui.system.process import child_env, find_program
from rocm_gui.system.pyplaces import CONDA_ROOTS, CONDA_SYSTEM
from rocm_gui.system.rocm_installs import find_rocm_installs

if TYPE_CHECKING:
    from rocm_gui.core.parsers.vswhere import VisualStudioInstance
    from rocm_gui.system.sources import Sources

ToolId = Literal[
    "git", "cmake", "ninja", "uv", "conda", "winget", "rocminfo", "amd-smi", "rocm-smi", "hipinfo", "hipcc"
]
TOOLS: tuple[ToolId, ...] = get_args(ToolId)
ASKED: frozenset[ToolId] = frozenset({"git", "cmake", "ninja", "uv", "conda", "winget", "hipcc"})
ROCM_TOOLS: frozenset[ToolId] = frozenset({"rocminfo", "amd-smi", "rocm-smi", "hipinfo", "hipcc"})
WINDOWS_ONLY: frozenset[ToolId] = frozenset({"winget", "hipinfo"})
LIMIT_S = 3.0


def find_tools(sources: Sources) -> tuple[Tool, ...]:
    """Every tool, those not found with ``path`` None; versions are asked for side by side, 3 s at most each."""
    rocm = [str(Path(install.path, "bin")) for install in find_rocm_installs(sources)]
    return tuple(map_in_threads(lambda tool: _find(tool, sources, rocm), TOOLS))


def _find(tool: ToolId, sources: Sources, rocm: list[str]) -> Tool:
    if tool in WINDOWS_ONLY and not sources.windows:
        return Tool(id=tool)
    places = _places(tool, sources)
    if tool in ROCM_TOOLS:
        places = rocm + places
    path = _program(tool, sources, places)
    if path is None or tool not in ASKED:
        return Tool(id=tool, path=path)
    version = _conda_version(path) if tool == "conda" else None
    if version is None:
        done = sources.run([path, "--version"], timeout_s=LIMIT_S, env=child_env({"NO_COLOR": "1"}))
        version = parse_tool_version(tool, f"{done.stdout}\n{done.stderr}")
    if tool == "winget" and version is None:
        return Tool(id=tool)  # the alias in WindowsApps stays when the program behind it is gone
    return Tool(id=tool, path=path, version=version)


def _program(name: str, sources: Sources, places: list[str]) -> str | None:
    """``name`` on PATH, else in one of ``places``."""
    variables = {key: value for key, value in sources.environ.items() if key.upper() in {"PATH", "PATHEXT"}}
    search = next((value for key, value in variables.items() if key.upper() == "PATH"), "")
    found = find_program(name, {**variables, "PATH": search})
    return found or find_program(name, {**variables, "PATH": os.pathsep.join(places)})


def _places(tool: ToolId, sources: Sources) -> list[str]:
    """Folders that installers use without putting them on every PATH."""
    environ, home = sources.environ, sources.home
    if tool == "uv":
        return [str(home / ".local/bin"), str(home / ".cargo/bin")]
    if tool == "conda":
        roots = [home / name for name in CONDA_ROOTS]
        if sources.windows:
            bases = [environ[name] for name in ("ProgramData", "PROGRAMDATA", "LOCALAPPDATA") if environ.get(name)]
            roots += [Path(base, name) for base in bases for name in CONDA_SYSTEM]
        else:
            roots += [sources.opt_root / name for name in CONDA_SYSTEM]
        return [str(root / folder) for root in roots for folder in ("condabin", "Scripts", "bin")]
    if not sources.windows:
        return [*map(str, sources.program_folders), str(home / ".local/bin")]
    programs = _windows_folder(sources, "ProgramFiles", "C:\\Program Files")
    if tool == "winget":
        return [str(home / "AppData" / "Local" / "Microsoft" / "WindowsApps")]
    return [ntpath.join(programs, "Git", "cmd")] if tool == "git" else [ntpath.join(programs, "CMake", "bin")]


def _windows_folder(sources: Sources, variable: str, default: str) -> str:
    """A folder by its variable; Windows' names know no case and Python makes them capitals."""
    return sources.environ.get(variable) or sources.environ.get(variable.upper()) or default


def _conda_version(path: str) -> str | None:
    """From conda's own record, which spares the second that its Python takes to start."""
    root = Path(os.path.realpath(path)).parent.parent
    try:
        names = [entry.name for entry in (root / "conda-meta").iterdir()]
    except OSError:
        return None
    return next((version for name in names if (version := parse_conda_meta(name))), None)


def find_visual_studios(sources: Sources) -> tuple[VisualStudio, ...]:
    """Visual Studio and Build Tools, unfinished installations too; empty off Windows and without an installer.

    Without ``-products *`` vswhere leaves the Build Tools out; without ``-utf8`` it speaks the console's code page.

    Raises:
        OSError: where vswhere could not be run to its end.
        ValueError: where its answer is not its JSON.
    """
    if not sources.windows:
        return ()
    programs = _windows_folder(sources, "ProgramFiles(x86)", "C:\\Program Files (x86)")
    vswhere = ntpath.join(programs, "Microsoft Visual Studio", "Installer", "vswhere.exe")
    argv = [vswhere, "-products", "*", "-all", "-prerelease", "-utf8", "-format", "json"]
    done = sources.run(argv, timeout_s=LIMIT_S, env=child_env())
    if done.missing:
        return ()
    if not done.ok:
        raise OSError(f"vswhere ended with {'a time-out' if done.timed_out else done.code}")
    return tuple(_visual_studio(instance) for instance in parse_vswhere(done.stdout))


def _visual_studio(instance: VisualStudioInstance) -> VisualStudio:
    try:
        toolsets = list(Path(instance.installation_path, "VC", "Tools", "MSVC").iterdir())
    except OSError:
        toolsets = []
    # Without its headers a toolset is of no use to a compiler: an uninstalled one leaves its folder behind.
    folders = [toolset.name for toolset in toolsets if (toolset / "include" / "type_traits").is_file()]
    return VisualStudio(
        name=instance.display_name or instance.product_id or "Visual Studio",
        path=instance.installation_path,
        version=instance.installation_version,
        complete=instance.is_complete,
        msvc_version=newest_msvc(folders),
    )
