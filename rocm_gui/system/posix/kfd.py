"""GPUs as the compute driver knows them: ``class/kfd/kfd/topology/nodes``. Reading it wakes no GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from rocm_gui.core.gpu_table import gfx_from_version
from rocm_gui.core.parsers.sysfs import address_of_location, parse_properties, parse_unsigned
from rocm_gui.system.posix.sysfs import names_in, read_text

if TYPE_CHECKING:
    from pathlib import Path

NODES = "class/kfd/kfd/topology/nodes"
_FRAME_BUFFER_HEAPS = frozenset({1, 2})  # HSA_MEM_HEAP_TYPE_FB_PUBLIC and FB_PRIVATE


class KfdNode(msgspec.Struct, frozen=True, kw_only=True):
    """One GPU node of the topology; a partitioned card has several."""

    index: int
    gpu_id: int | None = None
    pci_id: str | None = None
    location_id: int | None = None
    domain: int = 0
    gfx_version: int | None = None  # gfx_target_version, 110501; older kernels have none
    unique_id: int | None = None
    has_cpu_cores: bool = False  # one node for CPU and GPU: an APU of the old kind
    memory_bytes: int | None = None  # of its frame buffer banks; on an APU that is system memory


class KfdGpu(msgspec.Struct, frozen=True, kw_only=True):
    """The nodes of one PCI device."""

    nodes: tuple[KfdNode, ...]

    @property
    def index(self) -> int:
        """The number of its first node."""
        return self.nodes[0].index

    @property
    def pci_id(self) -> str | None:
        """Vendor and device, ``"1002:74a1"``."""
        return self.nodes[0].pci_id

    @property
    def pci_address(self) -> str | None:
        """Address of the device; partitions count in the function digit, and the first is the device itself."""
        first = self.nodes[0]
        return None if first.location_id is None else address_of_location(first.location_id, first.domain)

    @property
    def gfx_target(self) -> str | None:
        """The gfx target where all of its nodes say the same."""
        targets = {gfx_from_version(node.gfx_version) for node in self.nodes}
        return targets.pop() if len(targets) == 1 else None

    @property
    def integrated(self) -> bool | None:
        """True for a node that has CPU cores too; otherwise KFD does not tell."""
        return True if any(node.has_cpu_cores for node in self.nodes) else None

    @property
    def distinct(self) -> tuple[KfdNode, ...]:
        """Its nodes, each ``gpu_id`` once."""
        return tuple({node.gpu_id or -node.index - 1: node for node in self.nodes}.values())

    @property
    def memory_bytes(self) -> int | None:
        """Frame buffer of all partitions together; None where one of them does not tell."""
        sizes = [node.memory_bytes for node in self.distinct]
        return None if None in sizes else sum(size for size in sizes if size is not None)


def read_kfd(sysfs_root: Path) -> tuple[KfdGpu, ...]:
    """The GPUs of the topology in the order of their nodes, which is the order HIP counts in."""
    folder = sysfs_root / NODES
    numbers = sorted(int(name) for name in names_in(folder) if name.isascii() and name.isdecimal())
    nodes = [node for number in numbers if (node := _read_node(folder / str(number), number)) is not None]
    groups: list[list[KfdNode]] = []
    for node in nodes:
        home = next((group for group in groups if _same_device(group[0], node)), None)
        if home is None:
            groups.append([node])
        else:
            home.append(node)
    return tuple(KfdGpu(nodes=tuple(group)) for group in groups)


def _read_node(folder: Path, number: int) -> KfdNode | None:
    """The node, or None for a CPU and for what cannot be read."""
    values = parse_properties(read_text(folder / "properties"))
    if not values.get("simd_count") or not values.get("vendor_id"):
        return None
    device = values.get("device_id")
    return KfdNode(
        index=number,
        gpu_id=parse_unsigned(read_text(folder / "gpu_id")) or None,
        pci_id=f"{values['vendor_id']:04x}:{device:04x}" if device else None,
        location_id=values.get("location_id"),
        domain=values.get("domain", 0),
        gfx_version=values.get("gfx_target_version") or None,
        unique_id=values.get("unique_id") or None,
        has_cpu_cores=values.get("cpu_cores_count", 0) > 0,
        memory_bytes=_frame_buffer_bytes(folder, values),
    )


def _frame_buffer_bytes(folder: Path, values: dict[str, int]) -> int | None:
    banks = folder / "mem_banks"
    found = [parse_properties(read_text(banks / name / "properties")) for name in names_in(banks)]
    sizes = [bank.get("size_in_bytes", 0) for bank in found if bank.get("heap_type") in _FRAME_BUFFER_HEAPS]
    return sum(sizes) or values.get("local_mem_size") or None


def _same_device(one: KfdNode, other: KfdNode) -> bool:
    """Whether two nodes are partitions of one device: same slot, and one serial number.

    Without serial numbers it takes the same function, too. Older kernels do not tell the PCI domain: there two
    sockets can show one location, and only their ids tell them apart.
    """
    if one.location_id is None or other.location_id is None:
        return False
    if (one.domain, one.location_id >> 3, one.pci_id) != (other.domain, other.location_id >> 3, other.pci_id):
        return False
    if one.gpu_id is not None and one.gpu_id == other.gpu_id:
        return True
    if one.unique_id is not None and other.unique_id is not None:
        return one.unique_id == other.unique_id
    return one.location_id == other.location_id
