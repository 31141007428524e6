"""Reads the routes: the product's own and the user's."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

from rocm_gui.core.route_loader import load_routes
from rocm_gui.system.datafiles import read_toml

if TYPE_CHECKING:
    from pathlib import Path

    from rocm_gui.core.routes import RouteBook
    from rocm_gui.system.paths import Paths


def read_route_book(paths: Paths) -> RouteBook:
    """All routes, mirrors and version pairs.

    Raises:
        AppError: ``file_unreadable``, ``file_malformed`` or ``routes_invalid``, with the file and the place.
    """
    builtin = paths.resources / "data" / "routes.toml"
    own = paths.user_routes_file
    user = read_toml(own) if _is_there(own) else None
    return load_routes(read_toml(builtin), str(builtin), user, str(own))


def _is_there(path: Path) -> bool:
    """Whether there is a file, or something that keeps us from knowing: then reading it says what."""
    try:
        return not stat.S_ISDIR(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
