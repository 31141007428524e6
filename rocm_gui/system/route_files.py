"""Reads the routes: the product's own and the user's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocm_gui.core.route_loader import load_routes
from rocm_gui.system.datafiles import read_toml

if TYPE_CHECKING:
    from rocm_gui.core.routes import RouteBook
    from rocm_gui.system.paths import Paths


def read_route_book(paths: Paths) -> RouteBook:
    """All routes, mirrors and version pairs.

    Raises:
        AppError: ``file_unreadable``, ``file_malformed`` or ``routes_invalid``, with the file and the place.
    """
    builtin = paths.resources / "data" / "routes.toml"
    own = paths.user_routes_file
    user = read_toml(own) if own.is_file() else None
    return load_routes(read_toml(builtin), str(builtin), user, str(own))
