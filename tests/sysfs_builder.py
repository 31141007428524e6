"""Builds small folders laid out like ``/sys`` and ``/dev``, card by card."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else (content + "\n").encode())


class SysfsTree:
    """A tree below ``root``; hand ``root`` to the code under test."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def card(
        self,
        entry: str = "card1",
        pci_id: str = "1002:744C",
        address: str = "0000:03:00.0",
        driver: str | None = "amdgpu",
        subsystem: str = "1DA2:E471",
        **files: str | bytes,
    ) -> Path:
        """A DRM entry with its ``uevent``; ``files`` are further files of the device folder."""
        device = self.root / "class/drm" / entry / "device"
        lines = [f"DRIVER={driver}"] if driver else []
        lines += ["PCI_CLASS=30000", f"PCI_ID={pci_id}", f"PCI_SUBSYS_ID={subsystem}", f"PCI_SLOT_NAME={address}"]
        write(device / "uevent", "\n".join(lines))
        for name, content in files.items():
            write(device / name, content)
        return device

    def graphics_core(self, entry: str, version: str) -> None:
        """What IP discovery says of the graphics block."""
        block = self.root / "class/drm" / entry / "device/ip_discovery/die/0/11/0"
        for name, number in zip(("major", "minor", "revision"), version.split("."), strict=True):
            write(block / name, number)

    def connector(self, name: str, status: str) -> None:
        """A connector such as ``card1-HDMI-A-1``."""
        write(self.root / "class/drm" / name / "status", status)

    def module_version(self, module: str, version: str) -> None:
        write(self.root / "module" / module / "version", version)

    def cpu_node(self, index: int) -> None:
        """A node of the KFD topology that is a processor."""
        self._node(index, {"cpu_cores_count": 16, "simd_count": 0, "vendor_id": 0}, 0)

    def gpu_node(
        self,
        index: int,
        gfx_version: int = 110000,
        device_id: int = 0x744C,
        location_id: int = 0x0300,
        gpu_id: int | None = None,
        bank_bytes: int | None = None,
        **properties: int,
    ) -> Path:
        """A node of the KFD topology that is a GPU."""
        values = {
            "cpu_cores_count": 0,
            "simd_count": 192,
            "gfx_target_version": gfx_version,
            "vendor_id": 0x1002,
            "device_id": device_id,
            "location_id": location_id,
            "domain": 0,
        }
        folder = self._node(index, values | properties, 4000 + index if gpu_id is None else gpu_id)
        if bank_bytes is not None:
            write(folder / "mem_banks/0/properties", f"heap_type 1\nsize_in_bytes {bank_bytes}\nflags 0")
        return folder

    def _node(self, index: int, values: dict[str, int], gpu_id: int) -> Path:
        folder = self.root / "class/kfd/kfd/topology/nodes" / str(index)
        write(folder / "properties", "\n".join(f"{key} {value}" for key, value in values.items()))
        write(folder / "gpu_id", str(gpu_id))
        return folder
