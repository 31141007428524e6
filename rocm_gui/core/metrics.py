"""The catalogue of metrics: their names, units, ranges and words; the only place that knows them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from rocm_gui.core.routes import LocalText

if TYPE_CHECKING:
    from collections.abc import Mapping


class Metric(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row of ``metrics.toml``."""

    name: str  # with its unit: "power_w"
    group: Literal["activity", "memory", "power", "temperature", "clock", "fan", "link", "voltage", "health"]
    unit: str  # as shown: "W"
    title: LocalText
    low: float | None = 0.0  # of the plot's axis
    high: float | None = None  # None: the card's own limit, or what was seen
    decimals: int = 0
    scale: float = 1.0  # shown value = value x scale
    counter: bool = False  # counts up; its rate is what matters
    remark: LocalText = {}  # what a person should know when reading it
    source: str = ""


class _File(msgspec.Struct, forbid_unknown_fields=True):
    metric: tuple[Metric, ...]


def load_metrics(document: Mapping[str, Any]) -> dict[str, Metric]:
    """The metrics of a parsed ``metrics.toml`` by name, in its order.

    Raises:
        ValueError: where a row is malformed or a name stands twice.
    """
    metrics: dict[str, Metric] = {}
    for metric in msgspec.convert(document, _File).metric:
        if metric.name in metrics:
            raise ValueError(f"{metric.name} stands twice")
        metrics[metric.name] = metric
    return metrics


def shown_value(metric: Metric, value: float | None) -> str:
    """``value`` as a person reads it, without the unit; a dash where there is none."""
    if value is None:
        return "–"
    return f"{value * metric.scale:,.{metric.decimals}f}"
