"""The decoder of amdgpu's binary ``gpu_metrics``: revisions 1.0 to 1.9, 2.0 to 2.4 and 3.0.

``decode`` is a pure function of the file's bytes. A field of all ones is absent and becomes None; nothing is filled in.
The layouts stand in ``gpu_metrics_layouts``, the throttle reasons in ``gpu_metrics_throttle``.
"""

from __future__ import annotations

import struct
from itertools import islice
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec

from rocm_gui.core.gpu_metrics_layouts import (
    ATTRIBUTE,
    ATTRIBUTE_CODES,
    ATTRIBUTE_COUNT,
    ATTRIBUTES,
    HEADER,
    LAYOUTS,
    Family,
    Field,
    Layout,
    absent_value,
)
from rocm_gui.core.gpu_metrics_throttle import RESIDENCY, ThrottleShare, share_between, throttle_reasons

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Scalar: TypeAlias = int | None
Raw: TypeAlias = int | tuple[int | None, ...] | None
Warning_ = Literal[
    "too_short",  # fewer bytes than a header: nothing was read
    "unknown_revision",  # this program does not know the layout: nothing was read
    "unknown_layout",  # a known revision with another size, which was a different structure: nothing was read
    "short",  # the file or its declared size ends early: the fields behind it are absent
    "longer",  # the structure is longer than known: what is behind was not read
    "activity_scaled",  # activity came in hundredths of a percent and was divided
    "power_zero",  # the firmware of this revision reports no power: take hwmon's
    "throttle_bits_unknown",  # bits are set whose meaning for this chip is not known
]

_ACTIVITY = {"busy_percent", "memory_busy_percent", "media_busy_percent"}
_ENERGY_J = 15.259e-6  # one tick of the accumulator; documented from revision 1.4 on

# field -> (metric, factor); several fields of one metric: the first that is not absent
_COMMON: tuple[tuple[str, str, float], ...] = (
    ("temperature_edge", "temperature_edge_c", 1),
    ("temperature_hotspot", "temperature_hotspot_c", 1),
    ("temperature_mem", "temperature_memory_c", 1),
    ("temperature_vrgfx", "temperature_vr_gfx_c", 1),
    ("temperature_vrsoc", "temperature_vr_soc_c", 1),
    ("temperature_vrmem", "temperature_vr_memory_c", 1),
    ("average_gfx_activity", "busy_percent", 1),
    ("average_umc_activity", "memory_busy_percent", 1),
    ("average_mm_activity", "media_busy_percent", 1),
    ("average_socket_power", "power_w", 1),
    ("curr_socket_power", "power_w", 1),
    ("average_gfxclk", "clock_gfx_mhz", 1),  # falls to the true value in deep sleep, which "current" does not
    ("current_gfxclk", "clock_gfx_mhz", 1),
    ("current_uclk", "clock_memory_mhz", 1),  # average_uclk is twice that on some boards
    ("average_uclk", "clock_memory_mhz", 1),
    ("current_socclk", "clock_soc_mhz", 1),
    ("average_socclk", "clock_soc_mhz", 1),
    ("current_vclk0", "clock_video_mhz", 1),
    ("average_vclk0", "clock_video_mhz", 1),
    ("current_dclk0", "clock_decode_mhz", 1),
    ("average_dclk0", "clock_decode_mhz", 1),
    ("current_fan_speed", "fan_rpm", 1),
    ("pcie_link_width", "pcie_width", 1),
    ("pcie_link_speed", "pcie_speed_gt_s", 0.1),
    ("xgmi_link_width", "xgmi_width", 1),
    ("xgmi_link_speed", "xgmi_speed_gbit_s", 1),
    ("voltage_gfx", "voltage_gfx_mv", 1),
    ("voltage_soc", "voltage_soc_mv", 1),
    ("voltage_mem", "voltage_memory_mv", 1),
    ("pcie_replay_count_acc", "pcie_replays", 1),
    ("mem_max_bandwidth", "memory_bandwidth_max_gb_s", 1),
)
_APU: tuple[tuple[str, str, float], ...] = (
    ("temperature_gfx", "temperature_edge_c", 0.01),
    ("average_temperature_gfx", "temperature_edge_c", 0.01),
    ("temperature_soc", "temperature_soc_c", 0.01),
    ("average_temperature_soc", "temperature_soc_c", 0.01),
    ("temperature_skin", "temperature_skin_c", 0.01),
    ("average_socket_power", "power_w", 0.001),
    ("average_cpu_power", "power_cpu_w", 0.001),
    ("average_soc_power", "power_soc_w", 0.001),
    ("average_gfx_power", "power_gfx_w", 0.001),
    ("average_apu_power", "power_apu_w", 0.001),
    ("average_dgpu_power", "power_dgpu_w", 0.001),
    ("average_ipu_power", "power_npu_w", 0.001),
    ("average_all_core_power", "power_cores_w", 0.001),
    ("current_stapm_power_limit", "power_cap_w", 0.001),
    ("stapm_power_limit", "power_cap_w", 0.001),
    ("current_gfxclk", "clock_gfx_mhz", 1),
    ("average_gfxclk_frequency", "clock_gfx_mhz", 1),
    ("current_uclk", "clock_memory_mhz", 1),
    ("average_uclk_frequency", "clock_memory_mhz", 1),
    ("current_socclk", "clock_soc_mhz", 1),
    ("average_socclk_frequency", "clock_soc_mhz", 1),
    ("current_fclk", "clock_fabric_mhz", 1),
    ("average_fclk_frequency", "clock_fabric_mhz", 1),
    ("current_vclk", "clock_video_mhz", 1),
    ("average_vclk_frequency", "clock_video_mhz", 1),
    ("current_dclk", "clock_decode_mhz", 1),
    ("average_dclk_frequency", "clock_decode_mhz", 1),
    ("average_vpeclk_frequency", "clock_vpe_mhz", 1),
    ("average_ipuclk_frequency", "clock_npu_mhz", 1),
    ("current_gfx_maxfreq", "clock_gfx_max_mhz", 1),
    ("average_gfx_voltage", "voltage_gfx_mv", 1),
    ("average_soc_voltage", "voltage_soc_mv", 1),
    ("average_cpu_voltage", "voltage_cpu_mv", 1),
    ("average_gfx_current", "current_gfx_ma", 1),
    ("average_soc_current", "current_soc_ma", 1),
    ("average_cpu_current", "current_cpu_ma", 1),
    ("average_dram_reads", "memory_read_mb_s", 1),
    ("average_dram_writes", "memory_write_mb_s", 1),
    ("average_ipu_reads", "npu_read_mb_s", 1),
    ("average_ipu_writes", "npu_write_mb_s", 1),
)
_SCALES: Mapping[Family, tuple[tuple[str, str, float], ...]] = {
    "discrete": _COMMON,
    "accelerator": _COMMON,
    "apu": (
        ("average_gfx_activity", "busy_percent", 0.01),
        ("average_mm_activity", "media_busy_percent", 0.01),
        *_APU,
    ),
    "apu3": (
        ("average_gfx_activity", "busy_percent", 1),
        ("average_vcn_activity", "media_busy_percent", 0.01),
        *_APU,
    ),
}
# field of an array -> (name, factor)
_LISTS: Mapping[str, tuple[str, float]] = {
    "temperature_hbm": ("temperature_hbm_c", 1),
    "temperature_mid": ("temperature_mid_c", 1),
    "temperature_aid": ("temperature_aid_c", 1),
    "temperature_xcd": ("temperature_xcd_c", 1),
    "vcn_activity": ("media_busy_percent", 1),
    "vcn_busy": ("media_busy_percent", 1),
    "jpeg_activity": ("jpeg_busy_percent", 1),
    "jpeg_busy": ("jpeg_busy_percent", 1),
    "gfx_busy_inst": ("busy_percent", 1),
    "current_gfxclk": ("clock_gfx_mhz", 1),
    "current_socclk": ("clock_soc_mhz", 1),
    "current_vclk0": ("clock_video_mhz", 1),
    "current_dclk0": ("clock_decode_mhz", 1),
    "xgmi_read_data_acc": ("xgmi_read_bytes", 1024),
    "xgmi_write_data_acc": ("xgmi_write_bytes", 1024),
    "xgmi_link_status": ("xgmi_link_up", 1),
    "temperature_core": ("temperature_core_c", 0.01),
    "temperature_l3": ("temperature_l3_c", 0.01),
    "average_temperature_core": ("temperature_core_average_c", 0.01),
    "average_temperature_l3": ("temperature_l3_average_c", 0.01),
    "average_core_power": ("power_core_w", 0.001),
    "current_coreclk": ("clock_core_mhz", 1),
    "current_l3clk": ("clock_l3_mhz", 1),
    "average_ipu_activity": ("npu_busy_percent", 0.01),
    "average_core_c0_activity": ("core_busy_percent", 0.01),
}


class GpuMetrics(msgspec.Struct, frozen=True, kw_only=True):
    """One reading. Every name carries its unit; what is absent is None."""

    revision: tuple[int, int]
    values: dict[str, float | None] = {}  # by metric, as in metrics.toml and a few more ("power_gfx_w")
    lists: dict[str, tuple[float | None, ...]] = {}  # of dies, links, cores: same units
    partitions: tuple[dict[str, tuple[float | None, ...]], ...] = ()  # MI300's XCPs in use, each with lists of its XCCs
    throttle: tuple[str, ...] | None = None  # reasons in force; () none, None not known
    residency: dict[str, int | None] = {}  # counters of throttling by reason; only their growth says something
    accumulation: int | None = None  # what the residency counters are shares of
    time_ns: int | None = None  # of the GPU's own clock
    raw: dict[str, Raw] = {}  # every field under the kernel's name, unscaled
    warnings: tuple[Warning_, ...] = ()


def decode(blob: bytes, *, gfx_target: str | None = None) -> GpuMetrics:
    """What the bytes of ``gpu_metrics`` say; never raises.

    Args:
        blob: The file as read in one call. Its length counts only where it is shorter than the header says.
        gfx_target: The chip, which some throttle bits depend on; without it they stay unknown rather than guessed.
    """
    if len(blob) < HEADER.size:
        return GpuMetrics(revision=(0, 0), warnings=("too_short",))
    size, major, minor = HEADER.unpack_from(blob)
    revision = (major, minor)
    if revision == (1, 9):
        raw, warnings = _attributes(blob)
        return _scaled(revision, "accelerator", raw, (), gfx_target, warnings)
    layout = LAYOUTS.get(revision)
    if layout is None:
        return GpuMetrics(revision=revision, warnings=("unknown_revision",))
    if revision == (1, 6) and size != layout.size:  # an early kernel sent another structure under this number
        return GpuMetrics(revision=revision, warnings=("unknown_layout",))
    warnings: list[Warning_] = []
    end = min(size, len(blob))
    if end < layout.ends[-1]:
        warnings.append("short")
    elif size > layout.size:
        warnings.append("longer")
    raw, partitions = _fields(blob, layout, end)
    return _scaled(revision, layout.family, raw, partitions, gfx_target, warnings)


def throttled_between(older: GpuMetrics, newer: GpuMetrics) -> ThrottleShare | None:
    """What held the clocks down between two readings, by the residency counters of revisions 1.6 to 1.9 and 3.0.

    None where the firmware has no such counters or they were set back in between.
    """
    return share_between(older.residency, newer.residency, (older.accumulation, newer.accumulation))


def _fields(blob: bytes, layout: Layout, end: int) -> tuple[dict[str, Raw], tuple[dict[str, Raw], ...]]:
    """The fields that end before ``end``, and those of the partitions."""
    wanted = HEADER.size + layout.unpack.size
    body = blob if len(blob) >= wanted else blob + bytes(wanted - len(blob))
    numbers = iter(layout.unpack.unpack_from(body, HEADER.size))
    raw: dict[str, Raw] = {}
    partitions: tuple[dict[str, Raw], ...] = ()
    for field, field_end in zip(layout.fields, layout.ends, strict=True):
        if field.parts:
            partitions = tuple({part.name: _take(part, numbers) for part in field.parts} for _ in range(field.count))
            if field_end > end:
                partitions = ()
            continue
        value = _take(field, numbers)
        if field.name != "_":
            raw[field.name] = value if field_end <= end else ((None,) * field.count if field.array else None)
    return raw, partitions


def _take(field: Field, numbers: Iterator[int]) -> Raw:
    absent = field.absent
    if not field.array:
        number = next(numbers)
        return None if number == absent else number
    row = tuple(islice(numbers, field.count))
    return tuple([None if number == absent else number for number in row]) if absent in row else row


def _attributes(blob: bytes) -> tuple[dict[str, Raw], list[Warning_]]:
    """The self-describing records of revision 1.9; reading stops at the first that is not whole."""
    raw: dict[str, Raw] = {}
    place = HEADER.size
    if len(blob) < place + ATTRIBUTE_COUNT.size:
        return raw, ["short"]
    count: int = ATTRIBUTE_COUNT.unpack_from(blob, place)[0]
    place += ATTRIBUTE_COUNT.size
    for _ in range(max(count, 0)):
        if place + ATTRIBUTE.size > len(blob):
            return raw, ["short"]
        encoding: int = ATTRIBUTE.unpack_from(blob, place)[0]
        place += ATTRIBUTE.size
        instances, number, kind = encoding & 0x3FF, encoding >> 10 & 0x3FF, encoding >> 20 & 0xF
        if kind >= len(ATTRIBUTE_CODES):
            return raw, ["longer"]  # a type of unknown width: what follows cannot be found
        code = ATTRIBUTE_CODES[kind]
        field = Field(_attribute_name(number), code, instances, instances > 1, absent_value(code))
        body = struct.Struct(f"<{instances}{field.code}")
        if place + body.size > len(blob):
            return raw, ["short"]
        if instances:
            raw[field.name] = _take(field, iter(body.unpack_from(blob, place)))
        place += body.size
    return raw, []


def _attribute_name(number: int) -> str:
    return ATTRIBUTES[number] if number < len(ATTRIBUTES) else f"attribute_{number}"


def _scaled(
    revision: tuple[int, int],
    family: Family,
    raw: dict[str, Raw],
    partitions: tuple[dict[str, Raw], ...],
    gfx_target: str | None,
    warnings: list[Warning_],
) -> GpuMetrics:
    values: dict[str, float | None] = {}
    for field, metric, factor in _SCALES[family]:
        if field in raw and values.get(metric) is None:
            values[metric] = _product(_single(raw[field]), factor)
    lists = _lists(raw)
    _derive(values, lists, raw, revision)
    _doubt(values, revision, warnings)
    independent, chip_bits = (_single(raw.get(name)) for name in ("indep_throttle_status", "throttle_status"))
    throttle = throttle_reasons(independent, chip_bits, gfx_target)
    if throttle is None and chip_bits:
        warnings.append("throttle_bits_unknown")
    used = _single(raw.get("num_partition"))
    return GpuMetrics(
        revision=revision,
        values=values,
        lists=lists,
        partitions=tuple(_lists(part) for part in partitions[: len(partitions) if used is None else used]),
        throttle=throttle,
        residency={reason: _single(raw[name]) for name, reason in RESIDENCY.items() if name in raw},
        accumulation=_single(raw.get("accumulation_counter")),
        time_ns=_single(raw.get("system_clock_counter")),
        raw=raw,
        warnings=tuple(warnings),
    )


def _lists(raw: Mapping[str, Raw]) -> dict[str, tuple[float | None, ...]]:
    lists: dict[str, tuple[float | None, ...]] = {}
    for field, value in raw.items():
        row = value if isinstance(value, tuple) else None
        if row is None and field not in ("temperature_hbm", "temperature_xcd", "temperature_aid", "temperature_mid"):
            continue
        name, factor = _LISTS.get(field, (field, 1))
        row = (_single(value),) if row is None else row
        lists[name] = row if factor == 1 else tuple([_product(number, factor) for number in row])
    return lists


def _derive(
    values: dict[str, float | None],
    lists: Mapping[str, tuple[float | None, ...]],
    raw: Mapping[str, Raw],
    revision: tuple[int, int],
) -> None:
    """Single values where the firmware gives one for each die or link."""
    for name in ("clock_gfx_mhz", "clock_soc_mhz", "clock_video_mhz", "clock_decode_mhz", "media_busy_percent"):
        if name in lists and values.get(name) is None:  # the fastest, the busiest
            values[name] = max((number for number in lists[name] if number is not None), default=None)
    for name in ("xgmi_read_bytes", "xgmi_write_bytes"):
        if name in lists:
            known = [number for number in lists[name] if number is not None]
            values[name] = sum(known) if known else None
    if "xgmi_link_up" in lists:
        states = [state for state in lists["xgmi_link_up"] if state is not None]
        values["xgmi_links_down"] = float(states.count(0)) if states else None
    if (1, 4) <= revision <= (1, 9) and "energy_accumulator" in raw:  # the unit before that differs from chip to chip
        values["energy_j"] = _product(_single(raw["energy_accumulator"]), _ENERGY_J)


def _doubt(values: dict[str, float | None], revision: tuple[int, int], warnings: list[Warning_]) -> None:
    """What is known to be reported wrongly becomes absent or is put right."""
    for name in ("temperature_vr_gfx_c", "temperature_vr_soc_c", "temperature_vr_memory_c"):
        if values.get(name) == 0:  # a sensor that is not wired
            values[name] = None
    if revision == (1, 0) and values.get("power_w") == 0:
        values["power_w"] = None
        warnings.append("power_zero")
    for name in _ACTIVITY:
        value = values.get(name)
        if value is not None and value > 100:  # hundredths of a percent
            values[name] = value / 100 if value <= 10_000 else None
            if "activity_scaled" not in warnings:
                warnings.append("activity_scaled")


def _single(value: Raw) -> Scalar:
    return None if isinstance(value, tuple) else value


def _product(number: int | None, factor: float) -> float | None:
    if number is None:
        return None
    return number if factor == 1 else round(number * factor, 6)
