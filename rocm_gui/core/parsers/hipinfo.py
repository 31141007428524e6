"""What ``hipInfo`` of the HIP SDK and the ROCm wheels prints, typed."""

from __future__ import annotations

import re

import msgspec

from rocm_gui.core.gpu_table import base_gfx_target

_FIELD = re.compile(r"^\s*([A-Za-z][\w.#-]*)\s*:?\s+(.*?)\s*$")
_UNITS = {"KB": 1024, "MB": 1024**2, "GB": 1024**3, "TB": 1024**4}
_SIZE = re.compile(r"([\d.]+)\s*([KMGT]B)\b")


class HipDevice(msgspec.Struct, frozen=True, kw_only=True):
    """One device as HIP counts it."""

    index: int
    name: str | None = None
    gfx_target: str | None = None  # "gfx1010"
    arch: str | None = None  # "gfx1010:xnack-"
    pci_address: str | None = None
    integrated: bool | None = None
    multiprocessors: int | None = None  # on RDNA a pair of compute units
    memory_bytes: int | None = None  # to the hundredth of a GB that the tool prints
    warp_size: int | None = None


def parse_hipinfo(text: str) -> tuple[HipDevice, ...]:
    """The devices in the order printed; none where the tool printed only an error."""
    blocks: list[dict[str, str]] = []
    for line in text.splitlines():
        field = _FIELD.match(line)
        if field is None:
            continue
        key, value = field.group(1).rstrip(":"), field.group(2)
        if key == "device#":
            blocks.append({})
        if blocks:
            blocks[-1].setdefault(key, value)
    return tuple(_device(block) for block in blocks if block["device#"].isdecimal())


def _device(fields: dict[str, str]) -> HipDevice:
    integrated = _number(fields, "isIntegrated")
    return HipDevice(
        index=int(fields["device#"]),
        name=fields.get("Name"),
        gfx_target=base_gfx_target(fields.get("gcnArchName")),
        arch=fields.get("gcnArchName"),
        pci_address=_address(fields),
        integrated=None if integrated is None else integrated != 0,
        multiprocessors=_number(fields, "multiProcessorCount"),
        memory_bytes=_bytes(fields.get("totalGlobalMem")),
        warp_size=_number(fields, "warpSize"),
    )


def _address(fields: dict[str, str]) -> str | None:
    """HIP prints bus and device in decimal."""
    bus, device = _number(fields, "pciBusID"), _number(fields, "pciDeviceID")
    domain = _number(fields, "pciDomainID") or 0
    if bus is None or device is None or bus > 0xFF or device > 0x1F or domain > 0xFFFFFFFF:
        return None
    return f"{domain:04x}:{bus:02x}:{device:02x}.0"


def _number(fields: dict[str, str], key: str) -> int | None:
    value = fields.get(key, "")
    return int(value) if re.fullmatch(r"\d{1,12}", value) else None


def _bytes(text: str | None) -> int | None:
    found = _SIZE.search(text) if text else None
    try:
        return round(float(found.group(1)) * _UNITS[found.group(2)]) if found else None
    except ValueError:
        return None
