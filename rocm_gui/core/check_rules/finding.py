"""What the rules share: their answers, the decorator that makes a ``Check`` of a rule, and reading of the context."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from rocm_gui.core.checks import EVERY_SYSTEM, Check, CheckContext, CheckResult, Fact, Status, System
from rocm_gui.core.model import SetupOptions
from rocm_gui.core.route_choice import judged_gpu

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from rocm_gui.core.model import Gpu, Host

GB = 1024**3  # as Windows and ``df -h`` count
Group = Literal["gpu", "system", "storage", "python", "tools", "environment"]


class Finding(NamedTuple):
    """The answer of a rule: keys of ``checks.toml`` below the check's id, and the facts that fill them."""

    status: Status
    text: str
    remedy: str | None
    facts: dict[str, Fact]


def ok(text: str = "ok", /, **facts: Fact) -> Finding:
    """All is well."""
    return Finding("ok", text, None, facts)


def warn(text: str, remedy: str | None = None, /, **facts: Fact) -> Finding:
    """It works or may work; a person should know."""
    return Finding("warn", text, remedy, facts)


def fail(text: str, remedy: str | None = None, /, **facts: Fact) -> Finding:
    """The chosen route does not work like this."""
    return Finding("fail", text, remedy, facts)


def unknown(text: str = "unknown", remedy: str | None = None, /, **facts: Fact) -> Finding:
    """It could not be found out."""
    return Finding("unknown", text, remedy, facts)


def graded(*, severe: bool, text: str, remedy: str | None = None, facts: Mapping[str, Fact]) -> Finding:
    """A failure where ``severe``, else a warning."""
    return Finding("fail" if severe else "warn", text, remedy, dict(facts))


def check(
    check_id: str, group: Group, *probes: str, systems: tuple[System, ...] = EVERY_SYSTEM
) -> Callable[[Callable[[CheckContext], Finding | None]], Check]:
    """Make a ``Check`` of a rule."""

    def make(rule: Callable[[CheckContext], Finding | None]) -> Check:
        def judge(context: CheckContext) -> CheckResult | None:
            finding = rule(context)
            if finding is None:
                return None
            status, text, remedy, facts = finding
            return CheckResult(id=check_id, status=status, text=text, facts=facts, remedy=remedy, group=group)

        return Check(id=check_id, group=group, probes=probes, judge=judge, systems=systems)

    return make


def host_of(context: CheckContext) -> Host:
    """The host; the doctor calls no rule before it is known."""
    return cast("Host", context.machine.host)


def uses_rocm(context: CheckContext) -> bool:
    """Whether the environment in question is to compute on an AMD GPU."""
    if context.route is not None:
        return context.route.kind != "cpu"
    return bool(context.machine.amd_gpus)


def builds_from_source(context: CheckContext) -> bool:
    """Whether the route compiles ROCm, which needs tools that no other route needs."""
    return context.route is not None and context.route.builds_from_source


def compute_gpu(context: CheckContext) -> Gpu | None:
    """The AMD GPU that the setup is for, also where the person named a gfx target that none of them has."""
    machine = context.machine
    return judged_gpu(machine, context.options) or judged_gpu(machine, SetupOptions())


def gpu_label(gpu: Gpu) -> str:
    """A name for a sentence, whatever is known of the GPU; of many names that share an id, the first two."""
    shared = " / ".join((*gpu.candidates[:2], "…") if len(gpu.candidates) > 2 else gpu.candidates)
    return gpu.name or shared or gpu.pci_id or gpu.vendor.upper()


def joined(items: Iterable[object]) -> str:
    """A list as one fact."""
    return ", ".join(str(item) for item in items)


def numbers(version: str | None) -> tuple[int, ...] | None:
    """The leading numbers of a version: "26.8.1 (WHQL)" is (26, 8, 1); None where there are none."""
    found = re.search(r"\d+(?:\.\d+)*", version or "")
    return tuple(int(part) for part in found.group().split(".")) if found else None


def at_least(version: str | None, least: str | None) -> bool | None:
    """Whether ``version`` is ``least`` or newer, number by number; None where either is not known."""
    have, need = numbers(version), numbers(least)
    if have is None or need is None:
        return None
    width = max(len(have), len(need))
    return have + (0,) * (width - len(have)) >= need + (0,) * (width - len(need))


def as_gb(size: int | None) -> float | None:
    """Bytes as GB with one decimal."""
    return None if size is None else round(size / GB, 1)
