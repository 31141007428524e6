"""A machine as a file: recorded on one computer, judged on another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.model import Machine
from rocm_gui.system.files import write_atomic

if TYPE_CHECKING:
    from pathlib import Path


def read_machine(path: Path) -> Machine:
    """The machine recorded at ``path``.

    Raises:
        AppError: ``file_unreadable`` or ``machine_malformed`` with the place and the reason.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Machine)
    except OSError as error:
        raise AppError(
            "file_unreadable", ExitCode.USAGE, path=str(path), reason=error.strerror or str(error)
        ) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise AppError("machine_malformed", ExitCode.USAGE, path=str(path), reason=str(error)) from error


def write_machine(path: Path, machine: Machine) -> None:
    """Record ``machine`` at ``path``, readable by people too.

    Raises:
        AppError: ``file_unwritable`` with the reason.
    """
    try:
        write_atomic(path, msgspec.json.format(msgspec.json.encode(machine), indent=2) + b"\n")
    except OSError as error:
        raise AppError("file_unwritable", path=str(path), reason=error.strerror or str(error)) from error


def simulated_machine(resources: Path, name: str) -> Path:
    """The record of the simulated machine ``name``, shipped in ``resources/machines``.

    Raises:
        AppError: ``simulation_unknown`` with the names there are.
    """
    folder = resources / "machines"
    path = folder / f"{name}.json"
    if not path.is_file() or path.parent != folder:
        known = ", ".join(sorted(found.stem for found in folder.glob("*.json")))
        raise AppError("simulation_unknown", ExitCode.USAGE, name=name, known=known)
    return path
