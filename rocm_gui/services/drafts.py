"""What is kept of a guided setup that was left half way: which page, which choices."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import msgspec

from rocm_gui.core.model import SetupOptions
from rocm_gui.system.files import write_atomic

if TYPE_CHECKING:
    from pathlib import Path

_LOG = logging.getLogger(__name__)


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A guided setup before it is applied; what was applied stands in its journal."""

    page: str = "welcome"
    options: SetupOptions = SetupOptions()
    target: str | None = None  # of a setup that was begun


def load_draft(path: Path) -> Draft | None:
    """The draft at ``path``; None where there is none or it cannot be understood (then it is not worth a question)."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Draft)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        _LOG.warning("draft %s not used: %s", path, error)
        return None


def save_draft(path: Path, draft: Draft) -> None:
    """Keep ``draft``; a draft that cannot be kept is logged, never an obstacle."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, msgspec.json.encode(draft))
    except OSError as error:
        _LOG.warning("draft %s not kept: %s", path, error)
