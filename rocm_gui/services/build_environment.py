"""The surroundings in which a build runs: variables, compilers, rights."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_gui.system.process import child_env, run

if TYPE_CHECKING:
    from rocm_gui.core.model import Machine
    from rocm_gui.core.recipes import BuildPlan

_QUIET: dict[str, str | None] = {  # the programs speak English, which the parsers know; git never asks
    "LC_ALL": "C.UTF-8",
    "LANGUAGE": None,
    "VSLANG": "1033",
    "GIT_TERMINAL_PROMPT": "0",
    "GCM_INTERACTIVE": "never",
    "CLICOLOR_FORCE": None,
    "NINJA_STATUS": None,
    "CMAKE_BUILD_PARALLEL_LEVEL": None,
    "PYTHONUTF8": "1",
}


def build_environment(machine: Machine, *, compiles: bool) -> dict[str, str]:
    """The variables for a step; with the compiler's own where it ``compiles``."""
    env = child_env(_QUIET)
    return msvc_environment(machine, env) if compiles and sys.platform == "win32" else env


def msvc_environment(machine: Machine, env: dict[str, str]) -> dict[str, str]:
    """``env`` as Visual Studio's own command prompt has it; as it is where there is no Visual Studio."""
    studio = next((studio for studio in machine.visual_studios or () if studio.path), None)
    if studio is None or shutil.which("cl", path=env.get("PATH")):
        return env
    script = Path(studio.path or "") / "VC" / "Auxiliary" / "Build" / "vcvars64.bat"
    answer = run(
        ["cmd", "/d", "/u", "/c", 'call "%ROCM_GUI_VCVARS%" >nul && set'],
        timeout_s=120,
        env={**env, "ROCM_GUI_VCVARS": str(script)},
    )
    lines = answer.stdout.replace("\0", "").splitlines() if answer.ok else []
    pairs = [line.partition("=") for line in lines if "=" in line[1:]]
    return {name: value for name, _, value in pairs if name != "ROCM_GUI_VCVARS"} or env


def shown_sudo(argv: tuple[str, ...]) -> str:
    """A command for a person with ``sudo``."""
    return "sudo " + shlex.join(argv)


def forget_foreign_cache(plan: BuildPlan) -> None:
    """CMake refuses a cache of another generator or source; the objects that Ninja keeps are not lost by that."""
    cache = Path(plan.build_dir) / "CMakeCache.txt"
    try:
        text = cache.read_text("utf-8", "replace")
    except OSError:
        return
    generator = next((line.partition("=")[2] for line in text.splitlines() if line.startswith("CMAKE_GENERATOR:")), "")
    if plan.generator and generator and generator != plan.generator:
        cache.unlink()
        shutil.rmtree(Path(plan.build_dir) / "CMakeFiles", ignore_errors=True)


def may_write(folder: Path) -> bool:
    """Whether something can be made in ``folder``, or in the nearest folder above that is there."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    if sys.platform == "win32":
        try:
            with tempfile.TemporaryFile(dir=folder):
                return True
        except OSError:
            return False
    return os.access(folder, os.W_OK)
