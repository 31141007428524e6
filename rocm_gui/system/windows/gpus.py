"""The display adapters of a Windows machine, without administrator rights and without torch.

Four sources, each for what it knows best: the registry (names, drivers, ids), the device tree (which cards are
here, where they sit, whether they work), DXGI (memory) and CIM (a second list, asked only where the device tree
cannot be). They are joined by Plug and Play instance id, then PCI address, then PCI ids, and by name only where
an answer has nothing else. Adapters without a PCI id (remote desktop, virtual displays) are no GPUs and are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import msgspec

from rocm_gui.core.model import Evidence, Gpu, Vendor
from rocm_gui.system.parallel import run_named
from rocm_gui.system.windows import cim as cim_query
from rocm_gui.system.windows import devices as device_tree
from rocm_gui.system.windows import displays as active_displays
from rocm_gui.system.windows import dxgi as dxgi_adapters
from rocm_gui.system.windows.display_keys import (
    PciIds,
    amd_release,
    device_keys,
    driver_keys,
    is_basic,
    parse_ids,
)
from rocm_gui.system.windows.registry import WinRegistry

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from rocm_gui.core.gpu_table import GpuTable
    from rocm_gui.core.parsers.cim import CimAdapter
    from rocm_gui.system.windows.cim import Run
    from rocm_gui.system.windows.devices import DeviceState, DeviceTree
    from rocm_gui.system.windows.display_keys import DeviceKey, DriverKey
    from rocm_gui.system.windows.dxgi import DxgiAdapter
    from rocm_gui.system.windows.registry import Registry

DXGI_LIMIT_S = 3.0
DISPLAYS_LIMIT_S = 2.0
_VENDORS: dict[str, Vendor] = {"1002": "amd", "10de": "nvidia", "8086": "intel"}
_MAKERS: tuple[tuple[str, Vendor], ...] = (
    ("advanced micro devices", "amd"),
    ("radeon", "amd"),
    ("nvidia", "nvidia"),
    ("intel", "intel"),
)
_NO_DRIVER = 28  # CM_PROB_FAILED_INSTALL


@dataclass
class _Adapter:
    """What the sources say of one adapter, before it is judged."""

    ids: PciIds | None = None
    instance: str | None = None  # upper case
    device: DeviceKey | None = None
    driver: DriverKey | None = None
    state: DeviceState | None = None
    cim: CimAdapter | None = None
    dxgi: DxgiAdapter | None = None


def detect_gpus(
    registry: Registry,
    run: Run,
    table: GpuTable,
    dxgi: Callable[[], Sequence[DxgiAdapter] | None] | None = None,
    devices: DeviceTree | None = None,
    displays: Callable[[], Collection[str] | None] | None = None,
) -> tuple[Gpu, ...]:
    """Every display adapter with a PCI id that is here now, in Windows' order.

    Args:
        registry: the machine's own or a recorded one.
        run: starts PowerShell for CIM, with a time limit; see ``system.process.run``.
        table: names and targets of AMD's cards.
        dxgi: lists DXGI's adapters.
        devices: tells whether an instance id is present.
        displays: instance ids of the adapters that drive a monitor.
            The last three default to the machine's own where ``registry`` is the machine's own, else to none.
    """
    if isinstance(registry, WinRegistry):
        dxgi = dxgi or dxgi_adapters.adapters
        devices = devices or device_tree.device_state
        displays = displays or active_displays.active_instances
    drivers = driver_keys(registry)
    adapters = _from_registry(registry, drivers, devices)
    probes: dict[str, Callable[[], object]] = {}
    if dxgi is not None:
        probes["dxgi"] = dxgi
    if displays is not None:
        probes["displays"] = displays
    if not adapters or any(adapter.state is None for adapter in adapters):
        probes["cim"] = lambda: cim_query.video_controllers(run)
    limits = {"dxgi": DXGI_LIMIT_S, "displays": DISPLAYS_LIMIT_S, "cim": cim_query.LIMIT_S + 1}
    answers, _ = run_named(probes, limits)

    listed = cast("Sequence[CimAdapter] | None", answers.get("cim"))
    adapters = _present(_join_cim(adapters, listed, drivers), listed)
    _join_dxgi(adapters, cast("Sequence[DxgiAdapter] | None", answers.get("dxgi")) or ())
    active = cast("Collection[str] | None", answers.get("displays"))
    release = amd_release(registry)
    gpus = (_gpu(adapter, active, release, table) for adapter in adapters)
    return tuple(gpu for gpu in gpus if gpu is not None)


# ---- which adapters there are -------------------------------------------------------------------------------------


def _from_registry(registry: Registry, drivers: Mapping[str, DriverKey], devices: DeviceTree | None) -> list[_Adapter]:
    """One adapter for each display device of the registry, with its driver; in the order of the driver keys."""
    adapters = [
        _Adapter(
            ids=device.ids,
            instance=device.instance_id,
            device=device,
            driver=drivers.get(device.driver_key or ""),
            state=devices(device.instance_id) if devices else None,
        )
        for device in device_keys(registry)
    ]
    adapters = [adapter for adapter in adapters if adapter.state is None or adapter.state.present]
    return sorted(adapters, key=lambda adapter: adapter.driver.key if adapter.driver else "9999")


def _join_cim(
    adapters: list[_Adapter], listed: Sequence[CimAdapter] | None, drivers: Mapping[str, DriverKey]
) -> list[_Adapter]:
    """The adapters with CIM's rows beside them, and those that only CIM or only a driver key tells of."""
    by_instance = {adapter.instance: adapter for adapter in adapters if adapter.instance}
    joined = list(adapters)
    known = bool(adapters)  # the registry links devices and drivers: driver keys without a device are leftovers
    claimed = {adapter.driver.key for adapter in adapters if adapter.driver}
    for row in listed or ():
        instance = (row.instance_id or "").upper()
        if instance in by_instance:
            by_instance[instance].cim = row
            continue
        if instance and not instance.startswith("PCI\\"):
            continue  # a virtual or remote display
        if not instance and known:
            by_name = (adapter for adapter in adapters if adapter.cim is None and _same_name(adapter, row))
            match = next(by_name, None)
            if match is not None:
                match.cim = row
                continue
        driver = _driver_of(row, parse_ids(instance), (key for key in drivers.values() if key.key not in claimed))
        if driver is not None:
            claimed.add(driver.key)
        ids = parse_ids(instance) or (driver.ids if driver else None)
        joined.append(_Adapter(ids=ids, instance=instance or None, driver=driver, cim=row))
    if not known and listed is None:
        joined += [_Adapter(ids=driver.ids, driver=driver) for driver in drivers.values() if driver.ids]
    return joined


def _same_name(adapter: _Adapter, row: CimAdapter) -> bool:
    return adapter.driver is not None and row.name is not None and adapter.driver.name == row.name


def _driver_of(row: CimAdapter, ids: PciIds | None, drivers: Iterable[DriverKey]) -> DriverKey | None:
    """The driver key for a row of CIM: by ids where both have them, by name and version where not."""
    fitting = [
        driver
        for driver in drivers
        if (driver.ids.agrees(ids) if driver.ids and ids else driver.name == row.name)
        and (row.driver_version is None or driver.version in {None, row.driver_version})
    ]
    return fitting[0] if fitting else None


def _present(adapters: Iterable[_Adapter], listed: Sequence[CimAdapter] | None) -> list[_Adapter]:
    """Those that are here: the device tree decides, else CIM's list, else the benefit of the doubt."""
    answered = listed is not None and any(row.instance_id for row in listed)
    names = {row.name for row in listed or ()}

    def here(adapter: _Adapter) -> bool:
        if adapter.state is not None:
            return adapter.state.present
        if adapter.cim is not None or listed is None:
            return True
        return not answered and adapter.driver is not None and adapter.driver.name in names

    return [adapter for adapter in adapters if here(adapter)]


def _join_dxgi(adapters: Sequence[_Adapter], described: Sequence[DxgiAdapter]) -> None:
    """Give each adapter its DXGI description: by PCI address, else by ids where the twins do not differ."""
    free = [entry for entry in described if not entry.software]
    for adapter in adapters:
        address = _address(adapter)
        match = next((entry for entry in free if address and entry.pci_address == address), None)
        if match is not None:
            adapter.dxgi = match
            free.remove(match)
    for adapter in adapters:
        if adapter.dxgi is not None or adapter.ids is None:
            continue
        twins = [entry for entry in free if _dxgi_ids(entry).agrees(adapter.ids)]
        if twins and all(twin.dedicated_bytes == twins[0].dedicated_bytes for twin in twins):
            adapter.dxgi = twins[0]
            free.remove(twins[0])


def _dxgi_ids(entry: DxgiAdapter) -> PciIds:
    subsystem = f"{entry.subsystem & 0xFFFF:04x}:{entry.subsystem >> 16:04x}" if entry.subsystem else None
    return PciIds(
        vendor=f"{entry.vendor:04x}",
        device=f"{entry.device:04x}",
        subsystem=subsystem,
        revision=f"{entry.revision:02x}",
    )


def _address(adapter: _Adapter) -> str | None:
    state, device = adapter.state, adapter.device
    return (state.pci_address if state else None) or (device.pci_address if device else None)


# ---- what each adapter is -----------------------------------------------------------------------------------------


@dataclass
class _Facts:
    """Fields of a Gpu, each with where it was read."""

    values: dict[str, Any] = field(default_factory=dict[str, Any])
    evidence: list[Evidence] = field(default_factory=list[Evidence])

    def first(self, name: str, *answers: tuple[object, str]) -> None:
        """Set ``name`` from the first answer that is not None."""
        for value, source in answers:
            if value is not None:
                self.values[name] = value
                self.evidence.append(Evidence(field=name, source=source, value=str(value)))
                return


def _gpu(adapter: _Adapter, active: Collection[str] | None, release: str | None, table: GpuTable) -> Gpu | None:
    """The adapter as a Gpu; None for one that is no PCI device and no known maker's card."""
    listed_name = _listed_name(adapter)
    vendor = _vendor(adapter, listed_name)
    if adapter.ids is None and vendor == "other":
        return None
    facts = _Facts()
    if adapter.ids is not None:
        source = "CIM PNPDeviceID" if adapter.device is None and adapter.cim else "registry Enum\\PCI"
        if adapter.device is None and not adapter.instance:
            source = "registry MatchingDeviceId"
        facts.first("pci_id", (adapter.ids.pci_id, source))
        facts.first("pci_revision", (adapter.ids.revision, source))
        facts.first("pci_subsystem", (adapter.ids.subsystem, source))
    _place(adapter, facts, active)
    _driver(adapter, facts, release if vendor == "amd" else None)
    _memory(adapter, facts)
    if listed_name is not None:  # also where the table knows better: what Windows calls it decides doubts
        facts.evidence.append(Evidence(field="name", source=_name_source(adapter), value=listed_name))
    gpu = table.complete(Gpu(vendor=vendor, **facts.values, evidence=tuple(facts.evidence)), "windows", listed_name)
    unknown = gpu.name is None and not gpu.candidates
    return msgspec.structs.replace(gpu, name=listed_name) if unknown else gpu


def _basic(adapter: _Adapter) -> bool:
    """Whether only Windows' own basic driver, or none, runs the adapter."""
    if adapter.state is not None and adapter.state.problem == _NO_DRIVER:
        return True
    if adapter.cim is not None and adapter.cim.problem == _NO_DRIVER:
        return True
    if adapter.driver is not None and adapter.driver.basic:
        return True
    service = adapter.device.service if adapter.device else None
    name = adapter.cim.name if adapter.cim else None
    return is_basic(name, adapter.cim.inf if adapter.cim else None, service)


def _listed_name(adapter: _Adapter) -> str | None:
    """What Windows calls the card; None where that is only the basic driver's name."""
    if _basic(adapter):
        return None
    names = (
        adapter.driver.name if adapter.driver else None,
        adapter.cim.name if adapter.cim else None,
        adapter.dxgi.name if adapter.dxgi else None,
    )
    return next((name for name in names if name), None)


def _name_source(adapter: _Adapter) -> str:
    if adapter.driver is not None and adapter.driver.name:
        return f"registry {adapter.driver.key}\\DriverDesc"
    return "CIM Name" if adapter.cim is not None and adapter.cim.name else "DXGI"


def _vendor(adapter: _Adapter, name: str | None) -> Vendor:
    """By PCI id; without one by the words of the maker, since some answers have nothing else."""
    if adapter.ids is not None:
        return _VENDORS.get(adapter.ids.vendor, "other")
    words = f"{name or ''} {adapter.cim.manufacturer or '' if adapter.cim else ''}".casefold()
    named: list[Vendor] = [vendor for word, vendor in _MAKERS if word in words]
    return named[0] if named else "other"


def _place(adapter: _Adapter, facts: _Facts, active: Collection[str] | None) -> None:
    state, device, row = adapter.state, adapter.device, adapter.cim
    facts.first(
        "pci_address",
        (state.pci_address if state else None, "device tree bus number and address"),
        (device.pci_address if device else None, "registry LocationInformation"),
        (adapter.dxgi.pci_address if adapter.dxgi else None, "D3DKMT adapter address"),
    )
    facts.first(
        "device_problem",
        (state.problem if state else None, "device tree status"),
        (row.problem if row else None, "CIM ConfigManagerErrorCode"),
    )
    shown = adapter.instance in active if active is not None and adapter.instance else None
    facts.first(
        "drives_display",
        (shown, "QueryDisplayConfig"),
        (row.active if row else None, "CIM CurrentHorizontalResolution"),
    )


def _driver(adapter: _Adapter, facts: _Facts, release: str | None) -> None:
    """The maker's driver. Windows' basic one is none: it cannot compute, and its version says nothing."""
    driver, row = adapter.driver, adapter.cim
    if _basic(adapter):
        return
    if driver is None and (row is None or row.driver_version is None):
        return
    key = f"registry {driver.key}" if driver else "registry"
    facts.first(
        "driver",
        (adapter.device.service if adapter.device else None, "registry Enum\\PCI Service"),
        (driver.provider if driver else None, f"{key}\\ProviderName"),
        (row.manufacturer if row else None, "CIM AdapterCompatibility"),
    )
    facts.first(
        "driver_version",
        (driver.version if driver else None, f"{key}\\DriverVersion"),
        (row.driver_version if row else None, "CIM DriverVersion"),
    )
    facts.first(
        "driver_release",
        (driver.release if driver else None, f"{key}\\RadeonSoftwareVersion"),
        (release, "registry SOFTWARE\\AMD\\CN\\RadeonSoftwareVersion"),
    )
    facts.first(
        "driver_date",
        (driver.date if driver else None, f"{key}\\DriverDate"),
        (row.driver_date if row else None, "CIM DriverDate"),
    )


def _memory(adapter: _Adapter, facts: _Facts) -> None:
    """Dedicated memory: DXGI, else the driver's 64-bit figure. CIM's AdapterRAM ends at 4 GB and is not used."""
    driver, described = adapter.driver, adapter.dxgi
    recorded = driver.memory_bytes if driver and not driver.basic else None
    facts.first(
        "vram_bytes",
        (described.dedicated_bytes if described and not _basic(adapter) else None, "DXGI DedicatedVideoMemory"),
        (recorded or None, f"registry {driver.key if driver else ''}\\HardwareInformation.qwMemorySize"),
    )
    facts.first("shared_memory_bytes", (described.shared_bytes if described else None, "DXGI SharedSystemMemory"))
