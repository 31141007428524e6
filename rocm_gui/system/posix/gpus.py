"""GPUs of a Linux machine from sysfs: the DRM cards joined with the KFD topology.

Nothing here wakes a sleeping GPU: no ``hwmon``, no ``gpu_metrics``, no clocks, only what the kernel keeps in
memory. A file that is absent, denied, empty or garbled leaves its field None.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from rocm_gui.core.model import Evidence, Gpu, Vendor
from rocm_gui.core.parsers.sysfs import (
    parse_hex,
    parse_id_pair,
    parse_pci_address,
    parse_uevent,
    parse_unsigned,
)
from rocm_gui.system.posix.kfd import NODES, KfdGpu, read_kfd
from rocm_gui.system.posix.sysfs import names_in, read_text, real_name

if TYPE_CHECKING:
    from pathlib import Path

    from rocm_gui.core.gpu_table import GpuTable, System

_DRM = "class/drm"
_VENDORS: dict[str, Vendor] = {"1002": "amd", "10de": "nvidia", "8086": "intel"}
_GC_HARDWARE_ID = "11"  # soc15_hw_ip.h: the graphics and compute block in ip_discovery


class _Notes:
    """Collects fields together with where each was read."""

    def __init__(self) -> None:
        self.fields: dict[str, object] = {}
        self.evidence: list[Evidence] = []

    def add(self, field: str, value: object, source: str) -> None:
        """Keep ``value`` unless it is None or the field is already known."""
        if value is None or field in self.fields:
            return
        self.fields[field] = value
        self.evidence.append(Evidence(field=field, source=source, value=str(value)))

    def gpu(self) -> Gpu:
        """The record so far."""
        return msgspec.convert(self.fields | {"evidence": tuple(self.evidence)}, Gpu)

    def text(self, field: str) -> str | None:
        """The field where it is known and a text."""
        value = self.fields.get(field)
        return value if isinstance(value, str) else None


def detect_gpus(sysfs_root: Path, table: GpuTable, system: System = "linux") -> tuple[Gpu, ...]:
    """Every GPU below a folder laid out like ``/sys``: the cards by number, then accelerators that only KFD has."""
    compute: dict[str, KfdGpu] = {}
    for gpu in read_kfd(sysfs_root):
        address = gpu.pci_address
        compute[f"node {gpu.index}" if address is None or address in compute else address] = gpu
    found: list[Gpu] = []
    for entry in _drm_devices(sysfs_root):
        notes = _Notes()
        _read_pci(sysfs_root, entry, notes)
        if notes.text("pci_id") is None:
            continue  # not on a PCI bus: a partition's own node, a frame buffer, a virtual card
        kfd = compute.pop(notes.text("pci_address") or "", None) or _only_match(compute, notes)
        found.append(_finish(sysfs_root, entry, kfd, notes, table, system))
    found += [_finish(sysfs_root, None, gpu, _Notes(), table, system) for gpu in compute.values()]
    return tuple(found)


def _only_match(compute: dict[str, KfdGpu], notes: _Notes) -> KfdGpu | None:
    """The KFD device for a card whose address could not be read, where only one has its PCI id."""
    if notes.text("pci_address") is not None:
        return None
    fitting = [key for key, gpu in compute.items() if gpu.pci_id == notes.text("pci_id")]
    return compute.pop(fitting[0]) if len(fitting) == 1 else None


def _drm_devices(sysfs_root: Path) -> list[str]:
    """One DRM entry a device: ``card1`` where there is one, else ``renderD128``."""
    folder = sysfs_root / _DRM
    cards = [name for name in names_in(folder) if re.fullmatch(r"card\d+|renderD\d+", name)]
    cards.sort(key=lambda name: (name.startswith("render"), int(re.sub(r"\D", "", name))))
    chosen: dict[str, str] = {}
    for name in cards:
        device = folder / name / "device"
        chosen.setdefault(_identity(device), name)
    return list(chosen.values())


def _identity(device: Path) -> str:
    """What makes two DRM entries the same device: the PCI address, or the real folder."""
    address = parse_pci_address(parse_uevent(read_text(device / "uevent")).get("PCI_SLOT_NAME"))
    if address is not None:
        return address
    try:
        return str(device.resolve())
    except (OSError, RuntimeError):
        return str(device)


def _read_pci(sysfs_root: Path, entry: str, notes: _Notes) -> None:
    """What the PCI bus and the driver core say of a device."""
    device = sysfs_root / _DRM / entry / "device"
    shown = f"/sys/{_DRM}/{entry}/device"
    uevent = parse_uevent(read_text(device / "uevent"))
    notes.add("pci_id", parse_id_pair(uevent.get("PCI_ID")), f"{shown}/uevent")
    notes.add("pci_id", _pair(device, "vendor", "device"), f"{shown}/vendor, device")
    notes.add("pci_subsystem", parse_id_pair(uevent.get("PCI_SUBSYS_ID")), f"{shown}/uevent")
    notes.add("pci_subsystem", _pair(device, "subsystem_vendor", "subsystem_device"), f"{shown}/subsystem_vendor")
    notes.add("pci_revision", parse_hex(read_text(device / "revision"), 2), f"{shown}/revision")
    notes.add("pci_address", parse_pci_address(uevent.get("PCI_SLOT_NAME")), f"{shown}/uevent")
    notes.add("pci_address", parse_pci_address(real_name(device)), shown)
    notes.add("driver", uevent.get("DRIVER"), f"{shown}/uevent")
    if (device / "driver").is_symlink():
        notes.add("driver", real_name(device / "driver"), f"{shown}/driver")
    notes.add("drives_display", _display(sysfs_root, entry), f"/sys/{_DRM}/{entry}-*/status")
    notes.add("vram_bytes", _size(device, "mem_info_vram_total"), f"{shown}/mem_info_vram_total")
    notes.add("shared_memory_bytes", _size(device, "mem_info_gtt_total"), f"{shown}/mem_info_gtt_total")


def _finish(
    sysfs_root: Path, entry: str | None, kfd: KfdGpu | None, notes: _Notes, table: GpuTable, system: System
) -> Gpu:
    """Join what KFD says, then what the table knows; measured before known."""
    if kfd is not None:
        _read_compute(kfd, notes)
    vendor = (notes.text("pci_id") or "").partition(":")[0]
    notes.fields["vendor"] = _VENDORS.get(vendor, "other")
    driver = notes.text("driver")
    if driver is not None and re.fullmatch(r"[\w-]+", driver):
        source = f"module/{driver}/version"
        notes.add("driver_version", read_text(sysfs_root / source), f"/sys/{source}")
    if entry is not None:
        device = sysfs_root / _DRM / entry / "device"
        version = _graphics_core(device)
        target = table.target_of_graphics_core(version)
        notes.add("gfx_target", target, f"/sys/{_DRM}/{entry}/device/ip_discovery: GC {version}")
        product = read_text(device / "product_name")
    else:
        product = None
    gpu = table.complete(notes.gpu(), system, product)
    if kfd is not None and gpu.integrated is None and kfd.integrated is not None:
        gpu = _with(gpu, "integrated", kfd.integrated, f"/sys/{NODES}/{kfd.index}/properties: cpu_cores_count")
    if kfd is not None and gpu.vram_bytes is None and gpu.integrated is False and kfd.memory_bytes:
        gpu = _with(gpu, "vram_bytes", kfd.memory_bytes, f"/sys/{NODES}/{kfd.index}/mem_banks")
    return gpu


def _read_compute(kfd: KfdGpu, notes: _Notes) -> None:
    shown = f"/sys/{NODES}/{kfd.index}/properties"
    notes.add("pci_id", kfd.pci_id, f"{shown}: vendor_id, device_id")
    notes.add("pci_address", kfd.pci_address, f"{shown}: location_id, domain")
    notes.add("gfx_target", kfd.gfx_target, f"{shown}: gfx_target_version")
    notes.add("driver", "amdgpu", f"{shown}: only amdgpu makes such nodes")
    notes.add("partitions", len(kfd.distinct), f"/sys/{NODES}: nodes of this device")


def _graphics_core(device: Path) -> str | None:
    """The version of the graphics block, ``"11.0.1"``, where the driver publishes its discovery table."""
    block = device / "ip_discovery" / "die" / "0" / _GC_HARDWARE_ID / "0"
    parts = [parse_unsigned(read_text(block / name)) for name in ("major", "minor", "revision")]
    return None if None in parts else ".".join(map(str, parts))


def _display(sysfs_root: Path, entry: str) -> bool | None:
    """Whether a monitor is plugged in; None without connectors or where one does not know.

    The kernel keeps the answer of its last probe: reading it probes nothing.
    """
    if entry.startswith("render"):
        return None
    folder = sysfs_root / _DRM
    connectors = [name for name in names_in(folder) if name.startswith(f"{entry}-")]
    states = {read_text(folder / name / "status") for name in connectors if "Writeback" not in name}
    if "connected" in states:
        return True
    return False if states == {"disconnected"} else None


def _pair(device: Path, first: str, second: str) -> str | None:
    parts = parse_hex(read_text(device / first), 4), parse_hex(read_text(device / second), 4)
    return None if None in parts else f"{parts[0]}:{parts[1]}"


def _size(device: Path, name: str) -> int | None:
    return parse_unsigned(read_text(device / name)) or None


def _with(gpu: Gpu, field: str, value: object, source: str) -> Gpu:
    note = Evidence(field=field, source=source, value=str(value))
    return msgspec.structs.replace(gpu, **{field: value, "evidence": (*gpu.evidence, note)})
