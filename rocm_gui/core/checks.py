"""What a check is and what it answers; the checks themselves stand in ``core/check_rules``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from rocm_gui.core.model import Machine, SetupOptions
from rocm_gui.core.routes import Route

Status = Literal["ok", "warn", "fail", "unknown"]
Fact = str | int | float | bool | None


class CheckContext(msgspec.Struct, frozen=True, kw_only=True):
    """All that a check may look at."""

    machine: Machine
    options: SetupOptions
    route: Route | None = None  # the chosen or best route; None where nothing fits
    target: str | None = None  # absolute path of the environment that would be made


class CheckResult(msgspec.Struct, frozen=True, kw_only=True):
    """One answer: codes and facts; sentences come from ``checks.toml`` by ``id`` and ``text``."""

    id: str
    status: Status
    text: str  # key below [ID.texts] in checks.toml: what was found
    facts: dict[str, Fact] = {}
    remedy: str | None = None  # key below [ID.remedies]
    group: str = ""


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """A named rule. ``judge`` is pure; None from it means that the check does not apply here."""

    id: str
    group: Literal["gpu", "system", "storage", "python", "tools", "environment"]
    probes: tuple[str, ...]  # fields of Machine that it needs
    judge: Callable[[CheckContext], CheckResult | None]
