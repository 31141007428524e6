"""The decoder against blobs made field by field (offsets counted by hand from the kernel's header) and real dumps."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocm_gui.core.gpu_metrics import GpuMetrics, decode, throttled_between
from rocm_gui.core.gpu_metrics_layouts import LAYOUTS

if TYPE_CHECKING:
    from pathlib import Path

SIZES = {
    (1, 0): 80,
    (1, 1): 96,
    (1, 2): 104,
    (1, 3): 120,
    (1, 4): 288,
    (1, 5): 360,
    (1, 6): 1664,
    (1, 7): 2208,
    (1, 8): 3872,
    (2, 0): 120,
    (2, 1): 120,
    (2, 2): 128,
    (2, 3): 152,
    (2, 4): 168,
    (3, 0): 264,
}


def blob(revision: tuple[int, int], fields: dict[int, tuple[str, int]] | None = None) -> bytearray:
    """A blob in which only ``fields`` (offset: (struct letter, value)) are present."""
    size = SIZES[revision]
    data = bytearray(b"\xff" * size)
    struct.pack_into("<HBB", data, 0, size, *revision)
    for offset, (letter, value) in (fields or {}).items():
        struct.pack_into("<" + letter, data, offset, value)
    return data


def present(metrics: GpuMetrics) -> dict[str, float]:
    return {name: value for name, value in metrics.values.items() if value is not None}


def test_sizes_are_the_kernels() -> None:
    assert {revision: layout.size for revision, layout in LAYOUTS.items()} == SIZES


@pytest.mark.parametrize("revision", SIZES)
def test_all_ones_is_nothing(revision: tuple[int, int]) -> None:
    metrics = decode(bytes(blob(revision)))
    assert metrics.warnings == ()
    assert present(metrics) == {}
    assert metrics.throttle is None
    assert metrics.time_ns is None
    assert all(number is None for row in metrics.lists.values() for number in row)
    assert set(metrics.values) >= {"power_w", "busy_percent", "clock_gfx_mhz"}


def test_1_0_of_an_mi50() -> None:
    metrics = decode(
        bytes(
            blob(
                (1, 0),
                {
                    8: ("Q", 123_456_789_000),
                    16: ("H", 41),
                    18: ("H", 43),
                    20: ("H", 45),
                    28: ("H", 97),
                    30: ("H", 12),
                    34: ("H", 0),
                    40: ("H", 1725),
                    54: ("H", 1700),
                    58: ("H", 1000),
                    56: ("H", 971),
                    68: ("I", 0),
                    72: ("H", 1650),
                    74: ("B", 16),
                    75: ("B", 160),
                },
            )
        )
    )
    assert metrics.time_ns == 123_456_789_000
    assert present(metrics) == {
        "temperature_edge_c": 41,
        "temperature_hotspot_c": 43,
        "temperature_memory_c": 45,
        "busy_percent": 97,
        "memory_busy_percent": 12,
        "clock_gfx_mhz": 1725,
        "clock_memory_mhz": 1000,
        "clock_soc_mhz": 971,
        "fan_rpm": 1650,
        "pcie_width": 16,
        "pcie_speed_gt_s": 16.0,
    }
    assert metrics.warnings == ("power_zero",)
    assert metrics.throttle == ()


DESKTOP = {
    4: ("H", 61),
    6: ("H", 78),
    8: ("H", 84),
    10: ("H", 0),
    16: ("H", 99),
    18: ("H", 40),
    22: ("H", 305),
    24: ("Q", 17_691_682),
    32: ("Q", 5_000_000_000),
    40: ("H", 2450),
    54: ("H", 2500),
    58: ("H", 1249),
    72: ("H", 0),
    74: ("H", 16),
    76: ("H", 25),
}


@pytest.mark.parametrize("content", [1, 2, 3])
def test_the_desktop_layouts_share_their_head(content: int) -> None:
    metrics = decode(bytes(blob((1, content), DESKTOP)))
    found = present(metrics)
    assert found["power_w"] == 305
    assert found["temperature_hotspot_c"] == 78
    assert found["busy_percent"] == 99
    assert found["clock_gfx_mhz"] == 2450
    assert found["clock_memory_mhz"] == 1249
    assert found["fan_rpm"] == 0  # stopped is a measurement
    assert found["pcie_speed_gt_s"] == 2.5
    assert "temperature_vr_gfx_c" not in found  # 0 °C is a sensor that is not wired
    assert "energy_j" not in found  # the unit of this family is not known
    assert metrics.raw["energy_accumulator"] == 17_691_682


def test_1_3_adds_voltages_and_independent_bits() -> None:
    bits = 1 << 0 | 1 << 16 | 1 << 35 | 1 << 36 | 1 << 60
    fields = {104: ("H", 900), 106: ("H", 1050), 108: ("H", 1350), 112: ("Q", bits)}
    metrics = decode(bytes(blob((1, 3), DESKTOP | fields)))
    assert (metrics.values["voltage_soc_mv"], metrics.values["voltage_gfx_mv"]) == (900, 1050)
    assert metrics.throttle == ("ppt0", "tdc_gfx", "temperature_edge", "temperature_hotspot", "bit_60")
    rdna3 = decode(bytes(blob((1, 3), fields)), gfx_target="gfx1102")
    assert rdna3.throttle == ("ppt0", "tdc_gfx", "temperature_edge", "bit_60")


@pytest.mark.parametrize(
    ("gfx_target", "bit", "reason"),
    [
        ("gfx1010", 14, "ppt0"),
        ("gfx1030", 13, "ppt0"),
        ("gfx908", 9, "ppt0"),
        ("gfx1030", 2, "temperature_hotspot"),
        ("gfx908", 16, "vrhot0"),
    ],
)
def test_bits_of_a_chip(gfx_target: str, bit: int, reason: str) -> None:
    data = bytes(blob((1, 1), {68: ("I", 1 << bit)}))
    assert decode(data, gfx_target=gfx_target).throttle == (reason,)
    unknown = decode(data)
    assert unknown.throttle is None
    assert unknown.warnings == ("throttle_bits_unknown",)


def test_bits_of_an_apu() -> None:
    data = bytes(blob((2, 1), {108: ("I", 1 << 1 | 1 << 9)}))
    assert decode(data, gfx_target="gfx90c").throttle == ("fppt", "prochot_cpu")
    assert decode(data, gfx_target="gfx1033").throttle == ("fppt", "tdc_gfx")


def test_1_4_of_an_mi300x() -> None:
    fields = {4: ("H", 55), 6: ("H", 48), 10: ("H", 640), 12: ("H", 100), 24: ("Q", 1_000_000), 48: ("H", 16)}
    fields |= {50: ("H", 320), 52: ("H", 16), 54: ("H", 32), 88: ("Q", 3), 112: ("Q", 7), 168: ("Q", 9)}
    fields |= {240: ("H", 132), 254: ("H", 2101), 280: ("H", 1300)}
    found = present(decode(bytes(blob((1, 4), fields))))
    assert found == {
        "temperature_hotspot_c": 55,
        "temperature_memory_c": 48,
        "power_w": 640,
        "busy_percent": 100,
        "energy_j": pytest.approx(15.259),
        "pcie_width": 16,
        "pcie_speed_gt_s": 32.0,
        "xgmi_width": 16,
        "xgmi_speed_gbit_s": 32,
        "pcie_replays": 3,
        "xgmi_read_bytes": 7 * 1024,
        "xgmi_write_bytes": 9 * 1024,
        "clock_gfx_mhz": 2101,  # of the fastest die
        "clock_memory_mhz": 1300,
    }


def test_1_5_adds_jpeg_engines() -> None:
    fields = {16: ("H", 30), 24: ("H", 5), 88: ("Q", 10), 168: ("I", 4), 304: ("Q", 1), 352: ("H", 1300)}
    metrics = decode(bytes(blob((1, 5), fields)))
    assert metrics.lists["jpeg_busy_percent"][0] == 5
    assert metrics.values["media_busy_percent"] == 30
    assert metrics.raw["pcie_nak_sent_count_acc"] == 4
    assert metrics.values["clock_memory_mhz"] == 1300


def test_1_6_partitions_and_residency() -> None:
    base = {32: ("I", 1000), 36: ("I", 0), 40: ("I", 100), 44: ("I", 7), 48: ("I", 0), 52: ("I", 0), 306: ("H", 2)}
    xcp = {312: ("I", 88), 312 + 32: ("H", 3), 312 + 96: ("H", 12), 312 + 104: ("Q", 5555), 312 + 168: ("I", 44)}
    older = decode(bytes(blob((1, 6), base | xcp)))
    assert len(older.partitions) == 2
    assert older.partitions[0]["busy_percent"][0] == 88
    assert older.partitions[0]["jpeg_busy_percent"][0] == 3
    assert older.partitions[0]["media_busy_percent"][0] == 12
    assert older.partitions[0]["gfx_busy_acc"][0] == 5555
    assert older.partitions[1]["busy_percent"][0] == 44
    assert older.throttle is None
    newer = decode(bytes(blob((1, 6), base | {32: ("I", 2000), 40: ("I", 350)})))
    share = throttled_between(older, newer)
    assert share is not None
    assert share.reasons == ("ppt0",)
    assert share.percent is not None
    assert share.percent["ppt0"] == pytest.approx(25.0)
    assert throttled_between(newer, older) is None  # counters that were set back say nothing


def test_1_6_of_another_structure_is_not_read() -> None:
    data = blob((1, 6))
    struct.pack_into("<H", data, 0, 1728)
    metrics = decode(bytes(data) + bytes(64))
    assert (metrics.values, metrics.warnings) == ({}, ("unknown_layout",))


@pytest.mark.parametrize(("content", "size"), [(7, 232), (8, 440)])
def test_1_7_and_1_8(content: int, size: int) -> None:
    fields = {16: ("Q", 5300), 24: ("Q", 2_000_000), 264: ("H", 1), 266: ("H", 0), 268: ("H", 2), 336: ("H", 1300)}
    fields |= {338: ("H", 8), 344 + 7 * size: ("I", 77), 344 + 8 * size: ("I", 21)}
    metrics = decode(bytes(blob((1, content), fields)))
    assert metrics.values["memory_bandwidth_max_gb_s"] == 5300
    assert metrics.values["energy_j"] == pytest.approx(30.518)
    assert metrics.values["xgmi_links_down"] == 1
    assert metrics.values["clock_memory_mhz"] == 1300
    assert metrics.partitions[7]["busy_percent"][0] == 77
    assert metrics.raw["pcie_lc_perf_other_end_recovery"] == 21


def test_1_8_counters_of_a_partition() -> None:
    fields = {344 + 112: ("H", 6), 344 + 184: ("Q", 1), 344 + 248: ("Q", 2), 344 + 312: ("Q", 3), 344 + 376: ("Q", 4)}
    part = decode(bytes(blob((1, 8), fields))).partitions[0]
    assert part["media_busy_percent"][0] == 6
    names = ("limit_ppt_acc", "limit_thm_acc", "limit_total_acc")
    assert [part[f"gfx_below_host_{name}"][0] for name in names] == [1, 2, 4]
    assert part["gfx_low_utilization_acc"][0] == 3


def attribute(number: int, kind: int, letter: str, *values: int) -> bytes:
    return struct.pack(f"<Q{len(values)}{letter}", len(values) | number << 10 | kind << 20, *values)


def test_1_9_describes_itself() -> None:
    records = [
        attribute(0, 2, "H", 55),
        attribute(3, 4, "I", 700),
        attribute(33, 2, "H", 2100, 0xFFFF, 1900),
        attribute(900, 7, "q", -4),  # an id of a later kernel
        attribute(29, 6, "Q", 5, 6),
        attribute(51, 3, "h", 60, 0x7FFF),
        attribute(16, 2, "H", 16),
    ]
    data = struct.pack("<HBBi", 4096, 1, 9, len(records)) + b"".join(records)
    metrics = decode(data)
    assert metrics.warnings == ()
    found = present(metrics)
    assert found["temperature_hotspot_c"] == 55
    assert found["power_w"] == 700
    assert found["clock_gfx_mhz"] == 2100
    assert found["xgmi_read_bytes"] == 11 * 1024
    assert found["pcie_width"] == 16
    assert metrics.lists["clock_gfx_mhz"] == (2100, None, 1900)
    assert metrics.lists["temperature_xcd_c"] == (60, None)
    assert metrics.raw["attribute_900"] == -4
    assert decode(data + bytes(100)) == metrics
    for end in range(len(data)):
        cut = decode(data[:end])
        assert all(value in (None, found.get(name)) for name, value in cut.values.items() if name != "clock_gfx_mhz")


def test_2_0_has_its_clock_first() -> None:
    fields = {8: ("Q", 99), 16: ("H", 4512), 40: ("H", 2350), 44: ("H", 15_250), 80: ("H", 1400), 84: ("H", 1600)}
    metrics = decode(bytes(blob((2, 0), fields | {116: ("H", 12)})))
    assert present(metrics) == {
        "temperature_edge_c": 45.12,
        "busy_percent": 23.5,
        "power_w": 15.25,
        "clock_gfx_mhz": 1400,
        "clock_memory_mhz": 1600,
    }
    assert metrics.raw["fan_pwm"] == 12


@pytest.mark.parametrize("content", [1, 2, 3, 4])
def test_2_1_to_2_4(content: int) -> None:
    fields = {4: ("H", 6000), 28: ("H", 10_000), 40: ("H", 28_000), 46: ("H", 9000), 64: ("H", 2200), 82: ("H", 1800)}
    if content >= 2:
        fields[120] = ("Q", 1 << 4)
    if content >= 4:
        fields |= {156: ("H", 850), 162: ("H", 12_000)}
    metrics = decode(bytes(blob((2, content), fields)))
    found = present(metrics)
    assert found["temperature_edge_c"] == 60.0
    assert found["busy_percent"] == 100.0
    assert found["power_w"] == 28.0
    assert found["power_gfx_w"] == 9.0
    assert found["clock_gfx_mhz"] == 2200  # "current" is absent, as on Phoenix
    assert found["clock_fabric_mhz"] == 1800
    assert metrics.throttle == (("spl",) if content >= 2 else None)
    assert found.get("voltage_gfx_mv") == (850 if content >= 4 else None)
    assert found.get("current_gfx_ma") == (12_000 if content >= 4 else None)


def test_2_3_takes_the_average_where_there_is_no_current_temperature() -> None:
    assert decode(bytes(blob((2, 3), {128: ("H", 5100)}))).values["temperature_edge_c"] == 51.0


def test_3_0_of_a_strix_halo() -> None:
    fields = {4: ("H", 5550), 40: ("H", 3800), 42: ("H", 9800), 44: ("H", 150), 94: ("H", 120), 104: ("Q", 7)}
    fields |= {112: ("I", 118_500), 120: ("I", 90_000), 124: ("I", 70_000), 168: ("H", 63_536), 172: ("H", 0xFFFF)}
    fields |= {174: ("H", 2900), 186: ("H", 1000), 190: ("H", 4500), 224: ("H", 2900), 232: ("I", 10), 252: ("I", 3)}
    older = decode(bytes(blob((3, 0), fields)))
    found = present(older)
    assert found["temperature_edge_c"] == 55.5
    assert found["temperature_skin_c"] == 38.0
    assert found["busy_percent"] == 98.0
    assert found["media_busy_percent"] == 1.5
    assert found["power_w"] == 118.5
    assert found["power_gfx_w"] == 70.0
    assert "power_cap_w" not in found
    assert found["clock_gfx_mhz"] == 2900
    assert found["clock_memory_mhz"] == 1000
    assert older.lists["clock_core_mhz"][0] == 4500
    assert older.warnings == ("activity_scaled",)
    newer = decode(bytes(blob((3, 0), fields | {232: ("I", 14)})))
    share = throttled_between(older, newer)
    assert share is not None
    assert (share.reasons, share.percent) == (("spl",), None)


@pytest.mark.parametrize("revision", [(0, 0), (1, 10), (2, 5), (3, 1), (4, 0), (255, 255)])
def test_an_unknown_revision_says_so(revision: tuple[int, int]) -> None:
    metrics = decode(struct.pack("<HBB", 200, *revision) + bytes(196))
    assert (metrics.revision, metrics.values, metrics.warnings) == (revision, {}, ("unknown_revision",))


def test_a_longer_file_is_no_matter_and_a_longer_structure_is_said() -> None:
    data = blob((1, 3), DESKTOP)
    assert decode(bytes(data) + bytes(3976)) == decode(bytes(data))
    struct.pack_into("<H", data, 0, 128)
    longer = decode(bytes(data) + bytes(8))
    assert longer.warnings == ("longer",)
    assert longer.values["power_w"] == 305


@given(revision=st.sampled_from(sorted(SIZES)), seed=st.binary(min_size=3872, max_size=3872), data=st.data())
def test_a_cut_file_has_fewer_values_and_no_other(revision: tuple[int, int], seed: bytes, data: st.DataObject) -> None:
    size = SIZES[revision]
    whole = struct.pack("<HBB", size, *revision) + seed[: size - 4]
    full = decode(whole, gfx_target="gfx1030")
    end = data.draw(st.integers(0, size))
    cut = decode(whole[:end], gfx_target="gfx1030")
    for name, value in cut.raw.items():
        assert value == full.raw[name] or value is None or set(value) == {None}  # type: ignore[arg-type]


@given(st.binary(max_size=600))
def test_no_bytes_make_it_fail(data: bytes) -> None:
    decode(data)
    decode(struct.pack("<HBBi", 100, 1, 9, 5) + data)


@pytest.mark.samples
@pytest.mark.parametrize(
    ("card", "expected"),
    [
        ("rx9070", {"temperature_edge_c": 48, "temperature_memory_c": 72, "power_w": 49, "busy_percent": 25}),
        ("rx9070", {"pcie_speed_gt_s": 16.0, "pcie_width": 16, "fan_rpm": 1944, "clock_memory_mhz": 1124}),
        ("rx7800xt", {"temperature_hotspot_c": 31, "power_w": 32, "clock_gfx_mhz": 2011, "voltage_gfx_mv": 985}),
        ("rx7600s", {"fan_rpm": 0, "pcie_width": 8, "temperature_vr_gfx_c": None, "power_w": 1}),
        ("rx6900xt", {"clock_gfx_mhz": 41, "clock_memory_mhz": 1000, "power_w": 36, "temperature_hotspot_c": 59}),
        ("phoenix", {"power_w": 3.401, "temperature_edge_c": 25.0, "busy_percent": 0.79, "clock_gfx_mhz": 800}),
    ],
)
def test_real_dumps(samples: Path, card: str, expected: dict[str, float | None]) -> None:
    (path,) = (samples / "sysfs" / card).glob("class/drm/card*/device/gpu_metrics")
    values = decode(path.read_bytes(), gfx_target="gfx1102" if card == "rx7600s" else None).values
    assert {name: values[name] for name in expected} == expected


@pytest.mark.samples
def test_every_dump_is_read_without_a_warning(samples: Path) -> None:
    dumps = list((samples / "sysfs").rglob("gpu_metrics"))
    assert dumps
    for path in dumps:
        assert decode(path.read_bytes()).warnings == (), path
