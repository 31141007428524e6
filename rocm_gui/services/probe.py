"""Asks a foreign Python which PyTorch it holds and which devices that sees, in children with time limits."""

from __future__ import annotations

import sys
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.verification import DeviceInfo, EnvironmentProbe, Fault, Package
from rocm_gui.services.setup_store import read_marker
from rocm_gui.services.worker_run import WorkerRun, run_worker

if TYPE_CHECKING:
    import threading
    from collections.abc import Mapping, Sequence

    from rocm_gui.system.paths import Paths

_TRIED = ("torchvision", "torchaudio")  # their libraries can fail where torch's own load
_IMPORT_TIMEOUT_S = 120.0
_HELLO_TIMEOUT_S = 30.0  # a Python says hello at once; what stays silent is none


def resolve_python(path: str) -> str:
    """The interpreter at ``path``, which may also be the folder of an environment or of a setup; always absolute.

    Links are not followed: the interpreter of a virtual environment is known by where its link stands.

    Raises:
        AppError: ``interpreter_missing`` where there is none, ``environment_without_python`` for another folder.
    """
    place = Path(path).expanduser().absolute()
    if place.is_dir():
        marker = read_marker(place)
        if marker is not None:  # a setup's folder: the environment in it changes its name with every renewal
            place /= PureWindowsPath(marker.environment).name
        inside = ("Scripts/python.exe", "python.exe") if sys.platform == "win32" else ("bin/python", "bin/python3")
        found = next((place / name for name in inside if (place / name).is_file()), None)
        if found is None:
            raise AppError("environment_without_python", ExitCode.USAGE, path=path)
        return str(found)
    if not place.is_file():
        raise AppError("interpreter_missing", ExitCode.USAGE, path=path)
    return str(place)


def probe_environment(
    python: str,
    *,
    paths: Paths,
    timeout_s: float = 180,
    env: Mapping[str, str | None] | None = None,
    cancel: threading.Event | None = None,
    imports: bool = True,
    inject: str | None = None,
) -> EnvironmentProbe:
    """What the environment of ``python`` holds. A faulty environment is an answer (``fault``), not an exception.

    Args:
        python: the interpreter of the environment, or the environment's folder.
        paths: the product's folders.
        timeout_s: limit for each act of the probe; the first import of ROCm's libraries can take minutes.
        env: variables to set for the children, or (None) to remove.
        cancel: set from elsewhere, it ends the probe.
        imports: also try to import torchvision and torchaudio, each in a child of its own.
        inject: a fault to inject (``NAME:ACT``); for tests of this program.

    Raises:
        AppError: ``interpreter_missing``, ``environment_without_python``, ``python_not_python`` (usage),
            ``verify_cancelled``.
    """
    interpreter = resolve_python(python)
    arguments = ["--inject", inject] if inject else []
    run = run_worker(
        interpreter,
        "probe",
        arguments,
        paths=paths,
        limit_s=lambda stage: timeout_s if stage else _HELLO_TIMEOUT_S,
        env=env,
        cancel=cancel,
    )
    if not run.hello:
        raise AppError("python_not_python", ExitCode.USAGE, path=python, reason=_reason(run.fault))
    found = _assemble(interpreter, run)
    if not imports or found.fault is not None:
        return found
    packages = [
        _tried(package, interpreter, paths=paths, env=env, cancel=cancel) if package.name in _TRIED else package
        for package in found.packages
    ]
    return replace(found, packages=tuple(packages))


def _tried(
    package: Package,
    python: str,
    *,
    paths: Paths,
    env: Mapping[str, str | None] | None,
    cancel: threading.Event | None,
) -> Package:
    arguments = ["--imports", package.name]
    run = run_worker(
        python, "probe", arguments, paths=paths, limit_s=lambda _: _IMPORT_TIMEOUT_S, env=env, cancel=cancel
    )
    return replace(package, imports=run.fault is None, fault=run.fault)


def _assemble(python: str, run: WorkerRun) -> EnvironmentProbe:
    """One record of all that came before the probe ended, however it ended."""
    merged: dict[str, Any] = {}
    devices: list[Any] = []
    for part in run.partials:
        device = part.pop("device", None)
        if device is not None:
            devices.append(device)
        merged.update(part)
    known = {key: value for key, value in merged.items() if key in EnvironmentProbe.__struct_fields__}
    known["python"] = python
    record = msgspec.convert(known, EnvironmentProbe)
    return replace(
        record,
        devices=tuple(msgspec.convert(devices, list[DeviceInfo])),
        fault=run.fault,
        failed_act=run.stage if run.fault is not None else None,
        exit_code=run.exit_code,
        seconds=run.seconds,
    )


def _reason(fault: Fault | None) -> str | None:
    if fault is None:
        return None
    return fault.message or str(fault.facts.get("shown") or fault.facts.get("exit_code") or fault.code)


def visible_indexes(devices: Sequence[DeviceInfo], gfx_target: str | None) -> tuple[int, ...]:
    """Indexes of the devices with ``gfx_target`` (all of them where it is None): for HIP_VISIBLE_DEVICES."""
    return tuple(device.index for device in devices if gfx_target is None or device.gfx_target == gfx_target)
