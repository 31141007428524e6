"""Careful reading below a folder laid out like ``/sys``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_LIMIT = 64 * 1024  # far above every text file that is read here


def read_text(path: Path) -> str | None:
    """The text of a small file without surrounding blanks and NULs; None where it is absent, denied or empty."""
    try:
        with path.open("rb") as file:
            data = file.read(_LIMIT)
    except OSError:
        return None
    return data.decode("utf-8", errors="replace").strip("\0 \t\r\n") or None


def names_in(folder: Path) -> list[str]:
    """The names in a folder, sorted; none where it is absent or denied."""
    try:
        return sorted(entry.name for entry in folder.iterdir())
    except OSError:
        return []


def real_name(path: Path) -> str | None:
    """The last part of what a link points to: the PCI address behind ``device``, the driver behind ``driver``."""
    try:
        return path.resolve(strict=True).name
    except (OSError, RuntimeError):
        return None
