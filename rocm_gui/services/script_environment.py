"""Where and on what a person's script will run: its environment's variables, the visible GPU, its folder."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.start_script import program_folders
from rocm_gui.core.verdict import choose_device
from rocm_gui.core.verification import VerificationReport
from rocm_gui.services.probe import probe_environment, resolve_python
from rocm_gui.services.setup_store import read_marker, setups_of
from rocm_gui.system.process import child_env

if TYPE_CHECKING:
    import threading
    from collections.abc import Mapping

    from rocm_gui.core.verification import DeviceInfo, EnvironmentProbe
    from rocm_gui.system.paths import Paths

_SELECTORS = ("HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES")
_DEPTH = 3  # TARGET/env/bin/python


@dataclass(frozen=True)
class ScriptRequest:
    """What a person wants to run.

    ``script`` is a Python file, or a module after ``-m``. ``device`` is a number as PyTorch counts the GPUs, "all",
    or None for the best one. ``cwd`` defaults to the script's folder (a module's: the current one).
    """

    python: str
    script: str
    arguments: tuple[str, ...] = ()
    cwd: str | None = None
    device: int | Literal["all"] | None = None
    timeout_s: float | None = None
    module: bool = False


@dataclass(frozen=True)
class KnownSetup:
    """What a setup of ours says of its environment."""

    target: Path
    variables: dict[str, str] = field(default_factory=dict[str, str])
    gfx_target: str | None = None
    snippets: tuple[str, ...] = ()  # workarounds that only the script itself can apply


@dataclass(frozen=True)
class PreparedScript:
    """Everything that starting it needs, and what to tell about it."""

    argv: tuple[str, ...]
    env: dict[str, str]
    cwd: str
    request: ScriptRequest
    probe: EnvironmentProbe
    device: DeviceInfo | None = None  # None: nothing is hidden from the script
    visible: tuple[str, str] | None = None  # name and value of the variable that chooses the GPU
    snippets: tuple[str, ...] = ()
    interrupter: tuple[str, ...] = ()  # program that passes Ctrl-C on (Windows); the process id is appended


def prepare_script(
    request: ScriptRequest,
    *,
    paths: Paths,
    cancel: threading.Event | None = None,
    environ: Mapping[str, str] | None = None,
) -> PreparedScript:
    """Look at the environment and settle what the script will see. Importing PyTorch for that takes seconds.

    A GPU that the person's own variables hide stays hidden: the choice is made among those that are left.

    Args:
        request: what to run.
        paths: the product's folders.
        cancel: set from elsewhere, it ends the look.
        environ: the variables to start from (default: this process's, as children see them).

    Raises:
        AppError: ``script_missing``, ``script_folder_missing``, ``interpreter_missing``,
            ``environment_without_python``, ``python_not_python``, ``device_index``, ``script_device_unknown`` (usage),
            ``verify_cancelled``.
    """
    python = resolve_python(request.python)
    script, cwd = _place(request)
    setup = known_setup(Path(python), paths)
    outer = child_env() if environ is None else dict(environ)
    variables = _variables(python, setup, outer)
    probe = probe_environment(python, paths=paths, env=variables, cancel=cancel, imports=False)
    device = _device(request, probe, setup.gfx_target)
    visible = None if device is None else _selector(probe, device, {**outer, **setup.variables})
    env = {**outer, **variables, "PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"}
    if visible is not None:
        for name in _SELECTORS:
            env.pop(name, None)
        env[visible[0]] = visible[1]
    head = (python, "-u", "-m", request.script) if request.module else (python, "-u", script)
    return PreparedScript(
        argv=(*head, *request.arguments),
        env=env,
        cwd=cwd,
        request=request,
        probe=probe,
        device=device,
        visible=visible,
        snippets=setup.snippets,
        interrupter=(python, "-I", "-S", str(paths.workers / "interrupt.py")),
    )


def gpus_of(python: str, *, paths: Paths, cancel: threading.Event | None = None) -> tuple[DeviceInfo, ...]:
    """The GPUs that ``ScriptRequest.device`` can name, numbered as PyTorch in that environment counts them.

    Raises:
        AppError: ``interpreter_missing``, ``environment_without_python``, ``python_not_python`` (usage),
            ``verify_cancelled``.
    """
    interpreter = resolve_python(python)
    variables = _variables(interpreter, known_setup(Path(interpreter), paths), child_env())
    return probe_environment(interpreter, paths=paths, env=variables, cancel=cancel, imports=False).devices


def _variables(python: str, setup: KnownSetup, outer: Mapping[str, str]) -> dict[str, str]:
    return {**_activation(Path(python), outer), **setup.variables}


def known_setup(python: Path, paths: Paths) -> KnownSetup:
    """What the setup that made the environment of ``python`` knows; nothing where none of ours did."""
    for target in list(python.parents)[1 : _DEPTH + 1]:
        marker = read_marker(target)
        if marker is not None:
            return _of_setup(target, marker.setup_id, paths)
    return KnownSetup(target=python.parent)


def _of_setup(target: Path, setup_id: str, paths: Paths) -> KnownSetup:
    variables: dict[str, str] = {}
    gfx_target: str | None = None
    setup = next((item for item in setups_of(paths, target) if item.plan.setup_id == setup_id), None)
    if setup is not None:
        variables |= setup.plan.environment_variables
        gfx_target = setup.plan.gfx_target
    constraints = target / "constraints.txt"
    if constraints.is_file():
        variables["PIP_CONSTRAINT"] = constraints.absolute().as_uri()
    report = _report(target)
    snippets: list[str] = []
    for workaround in report.workarounds if report is not None else ():
        variables |= workaround.variables
        if not workaround.variables and workaround.snippet:
            snippets.append(workaround.snippet)
    return KnownSetup(target=target, variables=variables, gfx_target=gfx_target, snippets=tuple(snippets))


def _report(target: Path) -> VerificationReport | None:
    try:
        return msgspec.json.decode((target / "verification.json").read_bytes(), type=VerificationReport)
    except (OSError, msgspec.MsgspecError):
        return None


def _place(request: ScriptRequest) -> tuple[str, str]:
    """The script's absolute path and the folder it runs in."""
    script = Path(request.script).expanduser().absolute()
    if not request.module and not script.is_file():
        raise AppError("script_missing", ExitCode.USAGE, path=request.script)
    if request.cwd is not None:
        folder = Path(request.cwd).expanduser().absolute()
    else:
        folder = Path.cwd() if request.module else script.parent
    if not folder.is_dir():
        raise AppError("script_folder_missing", ExitCode.USAGE, path=str(folder))
    return str(script), str(folder)


def _activation(python: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """What the environment's own start script sets: its programs are found first."""
    windows = sys.platform == "win32"
    here = python.parent
    homes = [here, here.parent]
    conda = next((home for home in homes if (home / "conda-meta").is_dir()), None)
    venv = next((home for home in homes if (home / "pyvenv.cfg").is_file()), None)
    home = venv or conda
    if home is None:
        return {}
    kind: Literal["venv", "conda"] = "venv" if venv is not None else "conda"
    folders = [str(home) + folder for folder in program_folders(kind, windows=windows)]
    name = next((key for key in environ if key.upper() == "PATH"), "PATH") if windows else "PATH"
    value = os.pathsep.join([*folders, environ.get(name, os.defpath)])
    return {"VIRTUAL_ENV" if kind == "venv" else "CONDA_PREFIX": str(home), name: value}


def _device(request: ScriptRequest, probe: EnvironmentProbe, gfx_target: str | None) -> DeviceInfo | None:
    if request.device == "all":
        return None
    if request.device is not None:
        if probe.fault is not None:
            raise AppError("script_device_unknown", ExitCode.USAGE, index=request.device)
        device = choose_device(probe, index=request.device)
        if device is None:
            raise AppError("device_index", ExitCode.USAGE, index=request.device, count=len(probe.devices))
        return device
    return choose_device(probe, gfx_target=gfx_target) or choose_device(probe)


def _selector(probe: EnvironmentProbe, device: DeviceInfo, environ: Mapping[str, str]) -> tuple[str, str]:
    """The variable that leaves ``device`` alone visible.

    PyTorch counts within what is visible already, so the n-th entry of a list that is set stands for its device n.
    """
    names = _SELECTORS if probe.build == "rocm" else _SELECTORS[1:]
    before = next((environ[name] for name in names if environ.get(name)), "")
    entries = [entry.strip() for entry in before.split(",") if entry.strip()]
    value = entries[device.index] if device.index < len(entries) else str(device.index)
    return names[0], value
