"""Checks of the Python interpreters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocm_gui.core.check_rules.finding import Finding, check, fail, host_of, joined, numbers, ok, unknown, warn
from rocm_gui.core.route_choice import in_range

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocm_gui.core.checks import CheckContext
    from rocm_gui.core.model import PythonInstall
    from rocm_gui.core.routes import Route

REMEDY = {"windows": "install_windows", "linux": "install_linux"}


def fits(python: PythonInstall, route: Route | None) -> bool | None:
    """Whether the route has packages for this Python; None where its version is not known."""
    if python.version is None:
        return None
    return route is None or in_range(python.version, route)


def best_python(pythons: Iterable[PythonInstall], route: Route | None) -> PythonInstall | None:
    """The usable interpreter that a setup would take: the route's preferred version, else the newest in range."""
    fitting = [python for python in pythons if python.usable and fits(python, route)]
    prefer = numbers(route.python_prefer) if route else None

    def order(python: PythonInstall) -> tuple[bool, tuple[int, ...]]:
        have = numbers(python.version) or ()
        return (prefer is not None and have[:2] == prefer[:2], have)

    return max(fitting, key=order, default=None)


@check("python_version", "python", "host", "pythons")
def python_version(context: CheckContext) -> Finding:
    """A Python that the route has packages for. The article's 3.8 to 3.11 is out of date."""
    route, pythons = context.route, context.machine.pythons or ()
    remedy = REMEDY.get(host_of(context).os)
    found = joined(sorted({item.version for item in pythons if item.version and item.usable}))
    facts = {
        "low": route.python_min if route else None,
        "high": route.python_max if route else None,
        "prefer": (route.python_prefer if route else None) or "3.12",
        "found": found or None,
    }
    if context.options.python is not None:
        return _chosen(context, facts, remedy)
    best = best_python(pythons, route)
    if best is not None:
        return ok("fits" if route else "any", version=best.version, path=best.path, **facts)
    return fail("none_fits" if found else "none", remedy, **facts)


def _chosen(context: CheckContext, facts: dict[str, str | None], remedy: str | None) -> Finding:
    """The verdict on the interpreter that the person named."""
    path = context.options.python
    python = next((item for item in context.machine.pythons or () if item.path == path), None)
    if python is None:
        return unknown("not_looked_at", "see_path", path=path, **facts)
    facts = {**facts, "version": python.version, "path": path, "reason": python.reason}
    if not python.usable and python.reason != "is_venv":
        return fail("unusable", remedy, **facts)
    fitting = fits(python, context.route)
    if fitting is None:
        return unknown("no_version", "see_path", **facts)
    return ok("fits" if context.route else "any", **facts) if fitting else fail("out_of_range", remedy, **facts)


@check("python_store_alias", "python", "host", "pythons", systems=("windows",))
def python_store_alias(context: CheckContext) -> Finding | None:
    """``python`` in a Windows console may only open the Store."""
    pythons = context.machine.pythons or ()
    alias = next((item for item in pythons if item.reason == "store_alias"), None)
    if alias is None:
        return None
    if any(item.usable for item in pythons):
        return ok("ignored", path=alias.path)
    return warn("only_alias", "install_windows", path=alias.path)


@check("python_conda", "python", "host", "pythons", systems=("windows",))
def python_conda(context: CheckContext) -> Finding | None:
    """Conda's Python on Windows loads conda's libraries before ROCm's."""
    pythons = context.machine.pythons or ()
    conda = next((item for item in pythons if item.kind == "conda"), None)
    if conda is None:
        return None
    facts = {"path": conda.path, "version": conda.version}
    if context.options.env_kind == "conda" or context.options.python in {p.path for p in pythons if p.kind == "conda"}:
        return warn("chosen", "use_python_org", **facts)
    if any(item.usable and item.kind != "conda" for item in pythons):
        return ok("ignored", **facts)
    return warn("only_conda", "use_python_org", **facts)


@check("python_bits", "python", "host", "pythons", systems=("windows",))
def python_bits(context: CheckContext) -> Finding | None:
    """There are no packages for 32-bit Python."""
    pythons = context.machine.pythons or ()
    short = [item.path for item in pythons if item.bits == 32]
    if not short:
        return None
    if any(item.usable for item in pythons):
        return ok("ignored", paths=joined(short))
    return warn("only_32", "install_windows", paths=joined(short))


@check("python_venv", "python", "host", "pythons", systems=("linux", "wsl"))
def python_venv(context: CheckContext) -> Finding | None:
    """Debian and Ubuntu ship Python without the part that makes environments."""
    pythons = context.machine.pythons or ()
    lacking = [item for item in pythons if item.reason == "no_ensurepip"]
    if not lacking:
        return ok() if any(item.usable for item in pythons) else None
    facts = {"paths": joined(item.path for item in lacking), "version": _minor(lacking[0].version)}
    if best_python(pythons, context.route) is not None:
        return ok("other_has_it", **facts)
    return fail("missing", "install", **facts)


def _minor(version: str | None) -> str | None:
    """Major and minor: "3.12" of "3.12.3"."""
    parts = numbers(version)
    return ".".join(str(part) for part in parts[:2]) if parts else None
