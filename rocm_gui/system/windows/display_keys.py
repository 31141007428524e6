r"""What the registry holds of display adapters: driver keys and PCI devices.

``Control\Class\{4d36e968-e325-11ce-bfc1-08002be10318}\000N`` describes a driver installed for an adapter, removed
cards included; ``Enum\PCI\...`` describes the devices and says which driver key belongs to which. Both can be read
without administrator rights (their ``Properties`` keys cannot, and are not needed).
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

import msgspec

from rocm_gui.system.windows.devices import pci_address
from rocm_gui.system.windows.registry import look_up, number_of, text_of, texts_of

if TYPE_CHECKING:
    from rocm_gui.system.windows.registry import Registry, Value

DISPLAY_CLASS = "{4d36e968-e325-11ce-bfc1-08002be10318}"
CLASS_PATH = rf"SYSTEM\CurrentControlSet\Control\Class\{DISPLAY_CLASS}"
ENUM_PATH = r"SYSTEM\CurrentControlSet\Enum\PCI"
AMD_PATH = r"SOFTWARE\AMD\CN"

_ID_PARTS = {
    "vendor": re.compile(r"VEN_([0-9A-F]{4})(?![0-9A-F])", re.IGNORECASE),
    "device": re.compile(r"DEV_([0-9A-F]{4})(?![0-9A-F])", re.IGNORECASE),
    "subsystem": re.compile(r"SUBSYS_([0-9A-F]{8})(?![0-9A-F])", re.IGNORECASE),
    "revision": re.compile(r"REV_([0-9A-F]{2})(?![0-9A-F])", re.IGNORECASE),
}
_LOCATION = re.compile(r"\((\d+),\s*(\d+),\s*(\d+)\)\s*$")
_LOCATION_TEXT = re.compile(r"(\d+)\D+(\d+)\D+(\d+)\D*$")  # "PCI bus 3, device 0, function 0", in any language
_RELEASE = re.compile(r"\d{2}\.\d{1,2}(?:\.\d+)*")
_US_DATE = re.compile(r"(\d{1,2})-(\d{1,2})-(\d{4})")
_FILETIME_EPOCH = datetime(1601, 1, 1, tzinfo=timezone.utc)


class PciIds(msgspec.Struct, frozen=True, kw_only=True):
    """The ids in a hardware id, lower case."""

    vendor: str
    device: str
    subsystem: str | None = None  # "1da2:e409", vendor first
    revision: str | None = None

    @property
    def pci_id(self) -> str:
        """``1002:744c``."""
        return f"{self.vendor}:{self.device}"

    def agrees(self, other: PciIds) -> bool:
        """Whether nothing that both state differs."""
        pairs = ((self.subsystem, other.subsystem), (self.revision, other.revision))
        return self.pci_id == other.pci_id and all(None in pair or pair[0] == pair[1] for pair in pairs)


class DriverKey(msgspec.Struct, frozen=True, kw_only=True):
    """One ``000N`` key of the display class."""

    key: str  # "0001"
    name: str | None = None
    version: str | None = None
    date: str | None = None
    release: str | None = None  # marketing version
    provider: str | None = None
    ids: PciIds | None = None  # of MatchingDeviceId; often without subsystem and revision
    basic: bool = False  # Windows' own driver for any adapter: the maker's is not installed
    memory_bytes: int | None = None


class DeviceKey(msgspec.Struct, frozen=True, kw_only=True):
    r"""One display device below ``Enum\PCI``, there or removed."""

    instance_id: str  # upper case
    ids: PciIds
    driver_key: str | None = None
    service: str | None = None  # "amdwddmg", "nvlddmkm", "BasicDisplay"
    pci_address: str | None = None


def parse_ids(hardware_id: str | None) -> PciIds | None:
    r"""The ids in ``PCI\VEN_1002&DEV_744C&SUBSYS_E4091DA2&REV_C8``; None without a vendor and a device."""
    if not hardware_id:
        return None
    found = {name: match[1].lower() for name, part in _ID_PARTS.items() if (match := part.search(hardware_id))}
    if "vendor" not in found or "device" not in found or found["vendor"] == "0000":
        return None
    subsystem = found.get("subsystem")
    if subsystem is not None:
        subsystem = None if subsystem == "00000000" else f"{subsystem[4:]}:{subsystem[:4]}"
    return PciIds(vendor=found["vendor"], device=found["device"], subsystem=subsystem, revision=found.get("revision"))


def driver_keys(registry: Registry) -> dict[str, DriverKey]:
    """Every driver key of the display class by its name, in Windows' order."""
    names = [name for name in registry.subkeys("HKLM", CLASS_PATH) or () if re.fullmatch(r"\d{4}", name)]
    found: dict[str, DriverKey] = {}
    for name in names:
        values = registry.values("HKLM", rf"{CLASS_PATH}\{name}")
        if values is not None:
            found[name] = _driver_key(name, values)
    return found


def device_keys(registry: Registry) -> tuple[DeviceKey, ...]:
    """Every PCI display device that the registry knows."""
    found: list[DeviceKey] = []
    for hardware in registry.subkeys("HKLM", ENUM_PATH) or ():
        ids = parse_ids(hardware)
        if ids is None:
            continue
        for instance in registry.subkeys("HKLM", rf"{ENUM_PATH}\{hardware}") or ():
            values = registry.values("HKLM", rf"{ENUM_PATH}\{hardware}\{instance}")
            if values is not None and _is_display(values):
                found.append(_device_key(rf"PCI\{hardware}\{instance}".upper(), ids, values))
    return tuple(found)


def amd_release(registry: Registry) -> str | None:
    """The marketing version ("26.8.1") that AMD's software states for the machine."""
    values = registry.values("HKLM", AMD_PATH)
    return release_of(text_of(values, "RadeonSoftwareVersion"))


def release_of(text: str | None) -> str | None:
    """``26.8.1`` where the text starts like a marketing version; None otherwise."""
    match = _RELEASE.match(text) if text else None
    return match[0] if match else None


def location_address(location: str | None) -> str | None:
    """The PCI address in ``LocationInformation``, indirect ("@...;(3,0,0)") or plain text in any language."""
    if not location:
        return None
    match = _LOCATION.search(location) or (None if location.startswith("@") else _LOCATION_TEXT.search(location))
    if match is None:
        return None
    bus, device, function = (int(number) for number in match.groups())
    return pci_address(bus, device << 16 | function) if device < 32 and function < 8 else None


def is_basic(name: str | None, inf: str | None, service: str | None = None) -> bool:
    """Whether that is Windows' basic display driver; its name is translated, its file and service are not."""
    return (
        (service or "").casefold() == "basicdisplay"
        or (inf or "").casefold() == "display.inf"
        or (name or "").startswith(("Microsoft Basic Display", "Microsoft 基本显示"))
    )


def _driver_key(name: str, values: dict[str, Value]) -> DriverKey:
    matching = text_of(values, "MatchingDeviceId")
    description = text_of(values, "DriverDesc")
    basic = is_basic(description, text_of(values, "InfPath")) or (matching or "").casefold().startswith("pci\\cc_")
    return DriverKey(
        key=name,
        name=description,
        version=text_of(values, "DriverVersion"),
        date=_date(values),
        release=release_of(text_of(values, "RadeonSoftwareVersion")),
        provider=text_of(values, "ProviderName"),
        ids=parse_ids(matching),
        basic=basic,
        # HardwareInformation.MemorySize is 32 bits wide, as AdapterRAM is: never read.
        memory_bytes=number_of(values, "HardwareInformation.qwMemorySize"),
    )


def _device_key(instance_id: str, ids: PciIds, values: dict[str, Value]) -> DeviceKey:
    driver = text_of(values, "Driver") or ""
    class_guid, _, key = driver.rpartition("\\")
    return DeviceKey(
        instance_id=instance_id,
        ids=ids,
        driver_key=key if class_guid.casefold() == DISPLAY_CLASS else None,
        service=text_of(values, "Service"),
        pci_address=location_address(text_of(values, "LocationInformation")),
    )


def _is_display(values: dict[str, Value]) -> bool:
    """Of the display class, or without a class (no driver at all) and a display controller by its PCI class."""
    guid = text_of(values, "ClassGUID")
    if guid is not None:
        return guid.casefold() == DISPLAY_CLASS
    identifiers = texts_of(values, "CompatibleIDs") + texts_of(values, "HardwareID")
    return any("CC_03" in identifier.upper() for identifier in identifiers)


def _date(values: dict[str, Value]) -> str | None:
    """An ISO date from ``DriverDate`` ("8-14-2026", in this order everywhere) or the FILETIME beside it."""
    match = _US_DATE.fullmatch(text_of(values, "DriverDate") or "")
    try:
        if match:
            return datetime(int(match[3]), int(match[1]), int(match[2]), tzinfo=timezone.utc).date().isoformat()
        data = look_up(values, "DriverDateData")
        if isinstance(data, bytes) and len(data) == 8:
            ticks = int.from_bytes(data, "little")
            return (_FILETIME_EPOCH + timedelta(microseconds=ticks // 10)).date().isoformat() if ticks else None
    except (ValueError, OverflowError):
        pass
    return None
