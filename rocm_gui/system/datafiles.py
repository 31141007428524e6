"""Reads the TOML files of ``resources/data`` and of the config folder."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rocm_gui.core.errors import AppError, ExitCode

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from pathlib import Path


def read_toml(path: Path) -> dict[str, Any]:
    """The document at ``path``.

    Raises:
        AppError: ``file_unreadable`` or ``file_malformed``, with the path and the reason.
    """
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise AppError(
            "file_unreadable", ExitCode.USAGE, path=str(path), reason=error.strerror or str(error)
        ) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise AppError("file_malformed", ExitCode.USAGE, path=str(path), reason=str(error)) from error


def read_messages(resources: Path) -> dict[str, Any]:
    """All files of ``data/messages`` merged, tables below tables."""
    merged: dict[str, Any] = {}
    for path in sorted((resources / "data" / "messages").glob("*.toml")):
        _merge(merged, read_toml(path))
    return merged


def _merge(into: dict[str, Any], more: dict[str, Any]) -> None:
    for key, value in more.items():
        have = into.get(key)
        if isinstance(have, dict) and isinstance(value, dict):
            _merge(have, value)  # pyright: ignore[reportUnknownArgumentType]
        else:
            into[key] = value
