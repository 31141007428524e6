"""The layouts of amdgpu's ``gpu_metrics``, written down as the kernel declares them (little endian, natural alignment).

Source: ``drivers/gpu/drm/amd/include/kgd_pp_interface.h`` of Linux; the names are the kernel's. Each line is a type and
the fields of that type in order; ``name[n]`` is an array, ``name[n].TYPE`` an array of a structure. The header (u16
structure_size, u8 format_revision, u8 content_revision) comes first and is not repeated. ``_`` is padding.
"""

from __future__ import annotations

import re
import struct
from typing import Literal

import msgspec

HEADER = struct.Struct("<HBB")
_CODES = {"u8": "B", "s8": "b", "u16": "H", "s16": "h", "u32": "I", "s32": "i", "u64": "Q", "s64": "q"}
_FIELD = re.compile(r"(\w+)(?:\[(\d+)\])?(?:\.(\w+))?")
Family = Literal["discrete", "accelerator", "apu", "apu3"]
# discrete: temperatures in °C, activity in %, power in W · accelerator: the same, with arrays of dies and links
# apu: centi-°C, centi-%, mW · apu3: centi-°C, %, mW


class Field(msgspec.Struct, frozen=True):
    """One field of a structure; ``parts`` are the fields of an array of structures."""

    name: str
    code: str  # struct's letter
    count: int
    array: bool
    absent: int  # all bits one: the firmware has no such value; signed types have their highest value instead
    parts: tuple[Field, ...] = ()


class Layout(msgspec.Struct, frozen=True):
    """A revision: its fields and the format that unpacks them from the start of the file."""

    revision: tuple[int, int]
    family: Family
    size: int
    fields: tuple[Field, ...]
    ends: tuple[int, ...]  # where each field ends, in bytes from the start of the file
    unpack: struct.Struct  # what follows the header


_XCP_1_0 = "u32 gfx_busy_inst[8]; u16 jpeg_busy[32] vcn_busy[4]; u64 gfx_busy_acc[8]"
_XCP_1_1 = _XCP_1_0 + "; u64 gfx_below_host_limit_acc[8]"
_XCP_1_2 = (
    "u32 gfx_busy_inst[8]; u16 jpeg_busy[40] vcn_busy[4]; u64 gfx_busy_acc[8] gfx_below_host_limit_ppt_acc[8]"
    " gfx_below_host_limit_thm_acc[8] gfx_low_utilization_acc[8] gfx_below_host_limit_total_acc[8]"
)

_AVERAGES = "average_gfxclk average_socclk average_uclk average_vclk0 average_dclk0 average_vclk1 average_dclk1"
_CURRENTS = "current_gfxclk current_socclk current_uclk current_vclk0 current_dclk0 current_vclk1 current_dclk1"
_TEMPERATURES = (
    "temperature_edge temperature_hotspot temperature_mem temperature_vrgfx temperature_vrsoc temperature_vrmem"
)
_ACTIVITY = "average_gfx_activity average_umc_activity average_mm_activity"

_V1_0 = f"""
    u64 system_clock_counter; u16 {_TEMPERATURES} {_ACTIVITY} average_socket_power; u32 energy_accumulator;
    u16 {_AVERAGES} {_CURRENTS}; u32 throttle_status; u16 current_fan_speed; u8 pcie_link_width pcie_link_speed
"""
_V1_1 = f"""
    u16 {_TEMPERATURES} {_ACTIVITY} average_socket_power; u64 energy_accumulator system_clock_counter;
    u16 {_AVERAGES} {_CURRENTS}; u32 throttle_status; u16 current_fan_speed pcie_link_width pcie_link_speed _;
    u32 gfx_activity_acc mem_activity_acc; u16 temperature_hbm[4]
"""
_V1_2 = _V1_1 + "; u64 firmware_timestamp"
_V1_3 = _V1_2 + "; u16 voltage_soc voltage_gfx voltage_mem _; u64 indep_throttle_status"

_SOCKET = "temperature_hotspot temperature_mem temperature_vrsoc curr_socket_power average_gfx_activity"
_LINKS = "u16 pcie_link_width pcie_link_speed xgmi_link_width xgmi_link_speed; u32 gfx_activity_acc mem_activity_acc"
_PCIE = (
    "u64 pcie_bandwidth_acc pcie_bandwidth_inst pcie_l0_to_recov_count_acc pcie_replay_count_acc"
    " pcie_replay_rover_count_acc"
)
_NAKS = "u32 pcie_nak_sent_count_acc pcie_nak_rcvd_count_acc"
_XGMI = "u64 xgmi_read_data_acc[8] xgmi_write_data_acc[8]"
_CLOCKS = "u16 current_gfxclk[8] current_socclk[4] current_vclk0[4] current_dclk0[4] current_uclk"
_RESIDENCY = (
    "u32 accumulation_counter prochot_residency_acc ppt_residency_acc socket_thm_residency_acc vr_thm_residency_acc"
    " hbm_thm_residency_acc gfxclk_lock_status"
)

_V1_4 = f"""
    u16 {_SOCKET} average_umc_activity vcn_activity[4]; u64 energy_accumulator system_clock_counter;
    u32 throttle_status gfxclk_lock_status; {_LINKS}; {_PCIE}; {_XGMI}; u64 firmware_timestamp; {_CLOCKS} _
"""
_V1_5 = f"""
    u16 {_SOCKET} average_umc_activity vcn_activity[4] jpeg_activity[32]; u64 energy_accumulator system_clock_counter;
    u32 throttle_status gfxclk_lock_status; {_LINKS}; {_PCIE}; {_NAKS}; {_XGMI}; u64 firmware_timestamp; {_CLOCKS} _
"""
_V1_6 = f"""
    u16 {_SOCKET} average_umc_activity; u64 energy_accumulator system_clock_counter; {_RESIDENCY}; {_LINKS}; {_PCIE};
    {_NAKS}; {_XGMI}; u64 firmware_timestamp; {_CLOCKS} num_partition; xcp xcp_stats[8].XCP;
    u32 pcie_lc_perf_other_end_recovery
"""
_V1_7 = f"""
    u16 {_SOCKET} average_umc_activity; u64 mem_max_bandwidth energy_accumulator system_clock_counter; {_RESIDENCY};
    {_LINKS}; {_PCIE}; {_NAKS}; {_XGMI}; u16 xgmi_link_status[8] _; u64 firmware_timestamp; {_CLOCKS} num_partition;
    xcp xcp_stats[8].XCP; u32 pcie_lc_perf_other_end_recovery
"""

_APU_HEAT = "temperature_gfx temperature_soc temperature_core[8] temperature_l3[2]"
_APU_POWER = (
    "average_socket_power average_cpu_power average_soc_power average_gfx_power average_core_power[8]"
    " average_gfxclk_frequency average_socclk_frequency average_uclk_frequency average_fclk_frequency"
    " average_vclk_frequency average_dclk_frequency current_gfxclk current_socclk current_uclk current_fclk"
    " current_vclk current_dclk current_coreclk[8] current_l3clk[2]"
)
_V2_0 = f"""
    u64 system_clock_counter; u16 {_APU_HEAT} average_gfx_activity average_mm_activity {_APU_POWER};
    u32 throttle_status; u16 fan_pwm _
"""
_V2_1 = f"""
    u16 {_APU_HEAT} average_gfx_activity average_mm_activity; u64 system_clock_counter; u16 {_APU_POWER};
    u32 throttle_status; u16 fan_pwm _[3]
"""
_V2_2 = _V2_1 + "; u64 indep_throttle_status"
_V2_3 = (
    _V2_2
    + "; u16 average_temperature_gfx average_temperature_soc average_temperature_core[8] average_temperature_l3[2]"
)
_V2_4 = (
    _V2_3 + "; u16 average_cpu_voltage average_soc_voltage average_gfx_voltage average_cpu_current average_soc_current"
    " average_gfx_current"
)
_V3_0 = """
    u16 temperature_gfx temperature_soc temperature_core[16] temperature_skin average_gfx_activity
        average_vcn_activity average_ipu_activity[8] average_core_c0_activity[16] average_dram_reads
        average_dram_writes average_ipu_reads average_ipu_writes;
    u64 system_clock_counter; u32 average_socket_power; u16 average_ipu_power;
    u32 average_apu_power average_gfx_power average_dgpu_power average_all_core_power;
    u16 average_core_power[16] average_sys_power stapm_power_limit current_stapm_power_limit average_gfxclk_frequency
        average_socclk_frequency average_vpeclk_frequency average_ipuclk_frequency average_fclk_frequency
        average_vclk_frequency average_uclk_frequency average_mpipu_frequency current_coreclk[16]
        current_core_maxfreq current_gfx_maxfreq;
    u32 throttle_residency_prochot throttle_residency_spl throttle_residency_fppt throttle_residency_sppt
        throttle_residency_thm_core throttle_residency_thm_gfx throttle_residency_thm_soc time_filter_alphavalue
"""


def absent_value(code: str) -> int:
    """What stands for "no such value" in a type given by struct's letter."""
    bits = struct.calcsize("<" + code) * 8
    return (1 << bits - (1 if code.islower() else 0)) - 1


def _parse(text: str, xcp: str = "") -> tuple[Field, ...]:
    fields: list[Field] = []
    for line in text.split(";"):
        kind, *words = line.split()
        for word in words:
            found = _FIELD.fullmatch(word)
            assert found is not None, word
            parts = _parse(xcp) if found[3] else ()
            code = _CODES.get(kind, "")
            absent = absent_value(code) if code else 0
            fields.append(Field(found[1], code, int(found[2] or 1), found[2] is not None, absent, parts))
    return tuple(fields)


def _format(fields: tuple[Field, ...], offset: int) -> tuple[str, tuple[int, ...]]:
    """Format with explicit padding, and where each field ends."""
    written = ""
    ends: list[int] = []
    for field in fields:
        letters = _format(field.parts, 0)[0] if field.parts else field.code
        aligned = max(_alignment(field.parts)) if field.parts else struct.calcsize("<" + field.code)
        pad = -offset % aligned
        written += "x" * pad + letters * field.count
        offset += pad + struct.calcsize("<" + letters) * field.count
        ends.append(offset)
    return written, tuple(ends)


def _alignment(fields: tuple[Field, ...]) -> list[int]:
    return [struct.calcsize("<" + field.code) for field in fields]


def _layout(revision: tuple[int, int], family: Family, text: str, xcp: str = "") -> Layout:
    fields = _parse(text, xcp)
    letters, ends = _format(fields, HEADER.size)
    widest = max(_alignment(tuple(field for field in fields if not field.parts)))
    return Layout(revision, family, ends[-1] + -ends[-1] % widest, fields, ends, struct.Struct("<" + letters))


LAYOUTS: dict[tuple[int, int], Layout] = {
    layout.revision: layout
    for layout in (
        _layout((1, 0), "discrete", _V1_0),
        _layout((1, 1), "discrete", _V1_1),
        _layout((1, 2), "discrete", _V1_2),
        _layout((1, 3), "discrete", _V1_3),
        _layout((1, 4), "accelerator", _V1_4),
        _layout((1, 5), "accelerator", _V1_5),
        _layout((1, 6), "accelerator", _V1_6, _XCP_1_0),
        _layout((1, 7), "accelerator", _V1_7, _XCP_1_1),
        _layout((1, 8), "accelerator", _V1_7, _XCP_1_2),
        _layout((2, 0), "apu", _V2_0),
        _layout((2, 1), "apu", _V2_1),
        _layout((2, 2), "apu", _V2_2),
        _layout((2, 3), "apu", _V2_3),
        _layout((2, 4), "apu", _V2_4),
        _layout((3, 0), "apu3", _V3_0),
    )
}

# Revision 1.9 describes itself: an i32 count, then packed records of a u64 (instances, id, type, unit) and the values.
ATTRIBUTE_COUNT = struct.Struct("<i")
ATTRIBUTE = struct.Struct("<Q")
ATTRIBUTE_CODES = ("B", "b", "H", "h", "I", "i", "Q", "q")
# Names of attribute ids in the kernel's order; later ids are read and kept under "attribute_N".
ATTRIBUTES = tuple(
    field.name
    for field in _parse(
        """
            u64 temperature_hotspot temperature_mem temperature_vrsoc curr_socket_power average_gfx_activity
            average_umc_activity mem_max_bandwidth energy_accumulator system_clock_counter accumulation_counter
            prochot_residency_acc ppt_residency_acc socket_thm_residency_acc vr_thm_residency_acc
            hbm_thm_residency_acc gfxclk_lock_status pcie_link_width pcie_link_speed xgmi_link_width xgmi_link_speed
            gfx_activity_acc mem_activity_acc pcie_bandwidth_acc pcie_bandwidth_inst pcie_l0_to_recov_count_acc
            pcie_replay_count_acc pcie_replay_rover_count_acc pcie_nak_sent_count_acc pcie_nak_rcvd_count_acc
            xgmi_read_data_acc xgmi_write_data_acc xgmi_link_status firmware_timestamp current_gfxclk current_socclk
            current_vclk0 current_dclk0 current_uclk num_partition pcie_lc_perf_other_end_recovery gfx_busy_inst
            jpeg_busy vcn_busy gfx_busy_acc gfx_below_host_limit_ppt_acc gfx_below_host_limit_thm_acc
            gfx_low_utilization_acc gfx_below_host_limit_total_acc temperature_hbm temperature_mid temperature_aid
            temperature_xcd
        """
    )
)
