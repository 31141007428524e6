"""What the tests of checks share: the product's own limits, routes and sentences, and one rule run by its id."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec

from rocm_gui.core.check_rules import ALL_CHECKS
from rocm_gui.core.checks import CheckContext, CheckResult, Limits
from rocm_gui.core.model import SetupOptions
from rocm_gui.core.route_choice import choose_routes
from rocm_gui.services.doctor import pick_route
from rocm_gui.system.datafiles import read_toml
from rocm_gui.system.paths import default_paths
from rocm_gui.system.route_files import read_route_book

if TYPE_CHECKING:
    from rocm_gui.core.model import Machine
    from rocm_gui.core.routes import Route

CHECKS = {check.id: check for check in ALL_CHECKS}


@lru_cache(maxsize=1)
def catalogue() -> dict[str, Any]:
    """``checks.toml``."""
    return read_toml(default_paths().resources / "data" / "checks.toml")


@lru_cache(maxsize=1)
def limits() -> Limits:
    """The product's limits."""
    return msgspec.convert(catalogue()["limits"], Limits)


@lru_cache(maxsize=1)
def routes() -> dict[str, Route]:
    """The product's routes by id."""
    return {route.id: route for route in read_route_book(default_paths()).routes}


def context_of(machine: Machine, **options: Any) -> CheckContext:
    """The context that the doctor would make, with the product's own routes."""
    wanted = SetupOptions(**options)
    choice = pick_route(choose_routes(routes().values(), machine, wanted), wanted)
    volume = machine.volume("target")
    return CheckContext(
        machine=machine,
        options=wanted,
        route=choice.route if choice else None,
        target=wanted.target or (volume.path if volume else None),
        limits=limits(),
    )


def judge(check_id: str, machine: Machine, **options: Any) -> CheckResult | None:
    """The answer of one rule."""
    return CHECKS[check_id].judge(context_of(machine, **options))


def verdict(check_id: str, machine: Machine, **options: Any) -> tuple[str, str, str | None] | None:
    """Status, text and remedy of one rule's answer; None where it does not apply."""
    result = judge(check_id, machine, **options)
    return None if result is None else (result.status, result.text, result.remedy)
