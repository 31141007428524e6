r"""Recorded Windows machines: registry keys and CIM answers as the real ones write them, made card by card."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from rocm_gui.system.process import Completed
from rocm_gui.system.windows.devices import DeviceState
from rocm_gui.system.windows.dxgi import DxgiAdapter
from rocm_gui.system.windows.registry import REG_QWORD, MemoryRegistry

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

GIB = 1 << 30
DISPLAY = "{4d36e968-e325-11ce-bfc1-08002be10318}"
CLASS = rf"HKLM\SYSTEM\CurrentControlSet\Control\Class\{DISPLAY}"
ENUM = r"HKLM\SYSTEM\CurrentControlSet\Enum"
LOCATION = r"@System32\drivers\pci.sys,#65536;PCI bus %1, device %2, function %3;({0},{1},{2})"

XTX = r"PCI\VEN_1002&DEV_744C&SUBSYS_E4711DA2&REV_C8\6&1F3C2D0&0&00000019"
XT_7800 = r"PCI\VEN_1002&DEV_747E&SUBSYS_E4471DA2&REV_C8\6&2A5B7C1&0&00000019"
RAPHAEL = r"PCI\VEN_1002&DEV_164E&SUBSYS_88771043&REV_C1\4&1B2A7A18&0&0041"
PHOENIX = r"PCI\VEN_1002&DEV_15BF&SUBSYS_8C3E103C&REV_C4\4&35C5D1C2&0&0041"
RTX_4070 = r"PCI\VEN_10DE&DEV_2705&SUBSYS_89571043&REV_A1\4&2E5A2E5B&0&0008"
R9700_A = r"PCI\VEN_1002&DEV_7551&SUBSYS_24131002&REV_C0\6&11111111&0&00000009"
R9700_B = r"PCI\VEN_1002&DEV_7551&SUBSYS_24131002&REV_C0\6&22222222&0&00000011"


def display(
    number: int,
    instance: str,
    name: str,
    *,
    version: str = "32.0.21043.12001",
    date: str = "8-14-2026",
    release: str | None = "26.8.1",
    memory: object = None,
    place: tuple[int, int, int] | None = (3, 0, 0),
    service: str | None = "amdwddmg",
    provider: str = "Advanced Micro Devices, Inc.",
    inf: str = "oem12.inf",
    matching: str | None = None,
) -> dict[str, dict[str, object]]:
    """The keys of one adapter: its driver key ``000N`` and its device below ``Enum``."""
    hardware = instance.rsplit("\\", 1)[0]
    driver: dict[str, object] = {
        "DriverDesc": name,
        "ProviderName": provider,
        "DriverVersion": version,
        "DriverDate": date,
        "InfPath": inf,
        "MatchingDeviceId": matching or hardware.split("&SUBSYS", maxsplit=1)[0].lower(),
        "HardwareInformation.MemorySize": bytes.fromhex("0000f0ff"),
    }
    if release is not None:
        driver["RadeonSoftwareVersion"] = release
    if memory is not None:
        driver["HardwareInformation.qwMemorySize"] = (memory, REG_QWORD) if isinstance(memory, int) else memory
    device: dict[str, object] = {
        "ClassGUID": DISPLAY,
        "Driver": rf"{DISPLAY}\{number:04d}",
        "DeviceDesc": f"@{inf},%desc%;{name}",
        "HardwareID": [hardware, hardware.split("&SUBSYS", maxsplit=1)[0]],
    }
    if place is not None:
        device["LocationInformation"] = LOCATION.format(*place)
    if service is not None:
        device["Service"] = service
    return {rf"{CLASS}\{number:04d}": driver, rf"{ENUM}\{instance}": device}


def registry(*adapters: Mapping[str, Mapping[str, object]]) -> MemoryRegistry:
    """A registry with these adapters and the keys that stand beside them on every machine."""
    keys: dict[str, Mapping[str, object]] = {
        rf"{CLASS}\Configuration": {},
        rf"{ENUM}\PCI\VEN_1022&DEV_14D8&SUBSYS_88771043&REV_00\3&11583659&0&00": {
            "ClassGUID": "{4d36e97d-e325-11ce-bfc1-08002be10318}",
            "Driver": r"{4d36e97d-e325-11ce-bfc1-08002be10318}\0003",
        },
        r"HKLM\SOFTWARE\AMD\CN": {"RadeonSoftwareVersion": "26.8.1"},
    }
    for adapter in adapters:
        keys.update(adapter)
    return MemoryRegistry(keys, denied=(rf"{CLASS}\Properties",))


def cim_row(instance: str | None, name: str, **more: object) -> dict[str, object]:
    """One Win32_VideoController."""
    row: dict[str, object] = {
        "Name": name,
        "PNPDeviceID": instance,
        "AdapterCompatibility": "Advanced Micro Devices, Inc.",
        "DriverVersion": "32.0.21043.12001",
        "DriverDate": "/Date(1786665600000)/",
        "InfFilename": "oem12.inf",
        "ConfigManagerErrorCode": 0,
        "CurrentHorizontalResolution": None,
    }
    return row | more


class PowerShell:
    """Stands for ``process.run`` where only PowerShell is asked: gives one recorded answer."""

    def __init__(self, rows: Sequence[Mapping[str, object]] | str | None, *, timed_out: bool = False) -> None:
        self.calls: list[list[str]] = []
        self.timed_out = timed_out
        self.text = "" if rows is None else rows
        if not isinstance(self.text, str):
            one = self.text[0] if len(self.text) == 1 else list(self.text)  # as ConvertTo-Json does
            self.text = json.dumps(one, ensure_ascii=False) + "\r\n"

    def __call__(self, argv: list[str], *, timeout_s: float, **_: Any) -> Completed:
        self.calls.append(argv)
        code = None if self.timed_out else 0
        return Completed(tuple(argv), code, self.text, "", 0.0, timed_out=self.timed_out)


def present(*instances: str) -> Callable[[str], DeviceState]:
    """A device tree that knows only ``instances`` (all work)."""
    here = {instance.upper() for instance in instances}
    return lambda instance: DeviceState(present=instance in here, problem=0 if instance in here else None)


def dxgi(instance: str, dedicated: int, *, shared: int = 16 * GIB, address: str | None = None) -> DxgiAdapter:
    """DXGI's description of the adapter with this instance id."""
    part = {field[:3]: field for field in instance.split("\\")[1].split("&")}
    return DxgiAdapter(
        name="any",
        vendor=int(part["VEN"][4:], 16),
        device=int(part["DEV"][4:], 16),
        subsystem=int(part["SUB"][7:], 16),
        revision=int(part["REV"][4:], 16),
        dedicated_bytes=dedicated,
        shared_bytes=shared,
        luid="0x00000000_0x0000d5c3",
        pci_address=address,
    )
