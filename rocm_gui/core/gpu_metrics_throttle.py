"""Why a GPU holds its clocks down: the bits and counters of ``gpu_metrics`` as reason codes.

The words for the codes stand in ``resources/data/messages/parse.toml`` below ``throttle``.
Sources: ``amdgpu_smu.h`` (the independent bits) and the ``*_driver_if_*.h`` files of Linux (the bits of each chip).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from collections.abc import Sequence

# Bits of indep_throttle_status, the same for every chip.
INDEPENDENT: Mapping[int, str] = {
    **dict(enumerate(("ppt0", "ppt1", "ppt2", "ppt3", "spl", "fppt", "sppt", "sppt_apu"))),
    **dict(
        enumerate(("tdc_gfx", "tdc_soc", "tdc_memory", "tdc_vdd", "tdc_cvip", "edc_cpu", "edc_gfx", "apcc"), start=16)
    ),
    **dict(
        enumerate(
            (
                "temperature_gpu",
                "temperature_core",
                "temperature_memory",
                "temperature_edge",
                "temperature_hotspot",
                "temperature_soc",
                "temperature_vr_gfx",
                "temperature_vr_soc",
                "temperature_vr_memory0",
                "temperature_vr_memory1",
                "temperature_liquid0",
                "temperature_liquid1",
                "vrhot0",
                "vrhot1",
                "prochot_cpu",
                "prochot_gfx",
            ),
            start=32,
        )
    ),
    56: "ppm",
    57: "fit",
}

_SMU11_HEAT = (
    "temperature_edge",
    "temperature_hotspot",
    "temperature_memory",
    "temperature_vr_gfx",
    "temperature_vr_memory0",
    "temperature_vr_memory1",
    "temperature_vr_soc",
    "temperature_liquid0",
    "temperature_liquid1",
    "temperature_plx",
)
_PPT = ("ppt0", "ppt1", "ppt2", "ppt3")
_NAVI1 = dict(enumerate((*_SMU11_HEAT, "temperature_skin", "tdc_gfx", "tdc_soc", *_PPT, "fit", "ppm", "apcc"), 1))
_NAVI2 = dict(enumerate((*_SMU11_HEAT, "tdc_gfx", "tdc_soc", *_PPT, "fit", "ppm", "apcc"), 1))
_ARCTURUS = dict(
    enumerate(
        (
            "temperature_edge",
            "temperature_hotspot",
            "temperature_memory",
            "temperature_vr_gfx",
            "temperature_vr_memory0",
            "temperature_vr_soc",
            "tdc_gfx",
            "tdc_soc",
            *_PPT,
            "ppm",
            "fit",
            "apcc",
            "vrhot0",
            "vrhot1",
        ),
        1,
    )
)
_APU_HEAD = (
    "spl",
    "fppt",
    "sppt",
    "sppt_apu",
    "temperature_core",
    "temperature_gpu",
    "temperature_soc",
    "tdc_vdd",
    "tdc_soc",
)
_APU = dict(enumerate((*_APU_HEAD, "prochot_cpu", "prochot_gfx", "edc_cpu", "edc_gfx")))
_VANGOGH = dict(enumerate((*_APU_HEAD, "tdc_gfx", "tdc_cvip")))

# gfx target -> bits of throttle_status, for the revisions without independent bits
_CHIPS: Mapping[str, Mapping[int, str]] = {
    **dict.fromkeys(("gfx1010", "gfx1011", "gfx1012"), _NAVI1),
    **dict.fromkeys(("gfx1030", "gfx1031", "gfx1032", "gfx1034"), _NAVI2),
    "gfx908": _ARCTURUS,
    "gfx90c": _APU,
    "gfx1033": _VANGOGH,
    "gfx1035": _APU,
}

# These set the hotspot bit and never clear it, at any temperature (seen in dumps of RDNA 3 at 54 °C and 17 W).
_STUCK_HOTSPOT = ("gfx1100", "gfx1101", "gfx1102", "gfx1103")

# residency counters -> reason
RESIDENCY: Mapping[str, str] = {
    "prochot_residency_acc": "prochot_gfx",
    "ppt_residency_acc": "ppt0",
    "socket_thm_residency_acc": "temperature_hotspot",
    "vr_thm_residency_acc": "temperature_vr_gfx",
    "hbm_thm_residency_acc": "temperature_memory",
    "throttle_residency_prochot": "prochot_gfx",
    "throttle_residency_spl": "spl",
    "throttle_residency_fppt": "fppt",
    "throttle_residency_sppt": "sppt",
    "throttle_residency_thm_core": "temperature_core",
    "throttle_residency_thm_gfx": "temperature_gpu",
    "throttle_residency_thm_soc": "temperature_soc",
}


class ThrottleShare(msgspec.Struct, frozen=True, kw_only=True):
    """What held the clocks down between two readings."""

    reasons: tuple[str, ...]  # in the order of the counters; () none
    percent: Mapping[str, float] | None  # share of the time by reason; None where the firmware has no time base


def reasons_of_bits(bits: int, names: Mapping[int, str]) -> tuple[str, ...]:
    """The reason codes of the bits that are set, lowest bit first; a bit without a name is ``bit_N``."""
    return tuple(names.get(place, f"bit_{place}") for place in range(bits.bit_length()) if bits >> place & 1)


def throttle_reasons(independent: int | None, chip_bits: int | None, gfx_target: str | None) -> tuple[str, ...] | None:
    """The reasons in force; None where the bits of this chip are not known or there are none.

    Args:
        independent: ``indep_throttle_status``; it wins, for its bits mean the same everywhere.
        chip_bits: ``throttle_status``, whose bits differ from chip to chip.
        gfx_target: The chip ("gfx1030"); None where it is not known.
    """
    if independent is not None:
        found = reasons_of_bits(independent, INDEPENDENT)
        return tuple(code for code in found if code != "temperature_hotspot" or gfx_target not in _STUCK_HOTSPOT)
    if chip_bits is None:
        return None
    if chip_bits == 0:
        return ()
    names = _CHIPS.get(gfx_target or "")
    return None if names is None else reasons_of_bits(chip_bits, names)


def share_between(
    older: Mapping[str, int | None], newer: Mapping[str, int | None], base: Sequence[int | None]
) -> ThrottleShare | None:
    """Growth of the residency counters; None where nothing can be said (no counters, or they were set back).

    Args:
        older: Counters by reason at the first reading.
        newer: The same at the second.
        base: The accumulation counter at both readings: what the counters are shares of.
    """
    grown: dict[str, int] = {}
    for reason, after in newer.items():
        before = older.get(reason)
        if before is None or after is None:
            continue
        if after < before:
            return None
        grown[reason] = after - before
    if not grown:
        return None
    first, last = base
    span = last - first if first is not None and last is not None else 0
    percent = {reason: min(100.0, 100.0 * count / span) for reason, count in grown.items()} if span > 0 else None
    return ThrottleShare(reasons=tuple(reason for reason, count in grown.items() if count), percent=percent)
