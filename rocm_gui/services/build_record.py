"""The written memory of a build: what was planned, how far it is, which folders are its own."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.recipes import BuildPlan
from rocm_gui.system.files import write_atomic

if TYPE_CHECKING:
    from rocm_gui.system.paths import Paths

MARKER = ".rocm_gui_build.json"


class BuildRecord(msgspec.Struct, frozen=True, kw_only=True):
    """How far a build is."""

    schema: int = 1
    plan: BuildPlan
    done: tuple[str, ...] = ()  # keys of finished steps
    running: str | None = None
    state: Literal["new", "running", "failed", "cancelled", "done"] = "new"
    made: tuple[str, ...] = ()  # folders that this build made
    updated_s: float = 0.0


def read_record(work_dir: Path) -> BuildRecord:
    """The build in a folder.

    Raises:
        AppError: ``build_none`` where there is none of ours, ``build_record`` where it cannot be read.
    """
    file = work_dir / MARKER
    try:
        return msgspec.json.decode(file.read_bytes(), type=BuildRecord)
    except FileNotFoundError as error:
        raise AppError("build_none", ExitCode.USAGE, path=str(work_dir)) from error
    except OSError as error:
        raise AppError("build_folder", ExitCode.DENIED, path=str(file), reason=error.strerror or str(error)) from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise AppError("build_record", ExitCode.USAGE, path=str(file), reason=str(error)) from error


def keep(record: BuildRecord, **changes: object) -> BuildRecord:
    """The record with ``changes``, written."""
    record = msgspec.structs.replace(record, updated_s=time.time(), **changes)
    save(record)
    return record


def save(record: BuildRecord) -> None:
    """Write the record."""
    write_atomic(Path(record.plan.work_dir) / MARKER, msgspec.json.encode(record))


def _known_file(paths: Paths) -> Path:
    return paths.data / "builds.json"


def known_folders(paths: Paths) -> list[str]:
    """The folders of the builds that this program began, newest first."""
    try:
        return msgspec.json.decode(_known_file(paths).read_bytes(), type=list[str])
    except (OSError, msgspec.DecodeError):
        return []


def note_folder(paths: Paths, folder: str) -> None:
    """Remember a build's folder."""
    folders = [folder, *(name for name in known_folders(paths) if name != folder)][:50]
    write_atomic(_known_file(paths), msgspec.json.encode(folders))
