"""What the ROCm runtime says of the GPUs (rocminfo, hipInfo), beside what the system says.

The runtime is asked second: it pretends another target under ``HSA_OVERRIDE_GFX_VERSION`` and sees only what it
may open. It fills gaps, picks among candidates by the name it prints, and in WSL, where the kernel shows no
cards, it is the only witness.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from rocm_gui.core.model import Evidence, Gpu

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocm_gui.core.gpu_table import GpuTable, System
    from rocm_gui.core.parsers.hipinfo import HipDevice
    from rocm_gui.core.parsers.rocminfo import RocmAgent


class SeenGpu(msgspec.Struct, frozen=True, kw_only=True):
    """A GPU as a tool of the runtime saw it."""

    source: str  # "rocminfo", "hipInfo"
    name: str | None = None
    gfx_target: str | None = None
    pci_id: str | None = None
    pci_address: str | None = None
    integrated: bool | None = None
    memory_bytes: int | None = None


def seen_by_rocminfo(agents: Iterable[RocmAgent]) -> tuple[SeenGpu, ...]:
    """The agents of rocminfo."""
    return tuple(
        SeenGpu(
            source="rocminfo",
            name=agent.name,
            gfx_target=agent.gfx_target,
            pci_id=agent.pci_id,
            pci_address=agent.pci_address,
            memory_bytes=agent.memory_bytes,
        )
        for agent in agents
    )


def seen_by_hipinfo(devices: Iterable[HipDevice]) -> tuple[SeenGpu, ...]:
    """The devices of hipInfo."""
    return tuple(
        SeenGpu(
            source="hipInfo",
            name=device.name,
            gfx_target=device.gfx_target,
            pci_address=device.pci_address,
            integrated=device.integrated,
            memory_bytes=device.memory_bytes,
        )
        for device in devices
    )


def add_second_opinion(
    gpus: Iterable[Gpu], seen: Iterable[SeenGpu], table: GpuTable, system: System
) -> tuple[Gpu, ...]:
    """``gpus`` with the gaps filled from ``seen``, then the GPUs that only the runtime saw."""
    known = list(gpus)
    free = set(range(len(known)))
    for witness in seen:
        index = _find(known, free, witness)
        if index is None:
            if not _is_partition(known, witness):
                known.append(_only_seen(witness, table, system))
            continue
        free.discard(index)
        known[index] = _filled(known[index], witness, table, system)
    return tuple(known)


def _find(known: list[Gpu], free: set[int], witness: SeenGpu) -> int | None:
    """The GPU at the witness's address, else the first unclaimed one of its PCI id where no address is known."""
    if witness.pci_address is not None:
        at = [index for index in free if known[index].pci_address == witness.pci_address]
        if at:
            return at[0]
    for index in sorted(free):
        gpu = known[index]
        unplaced = witness.pci_address is None or gpu.pci_address is None
        if unplaced and witness.pci_id is not None and gpu.pci_id == witness.pci_id:
            return index
    return None


def _is_partition(known: list[Gpu], witness: SeenGpu) -> bool:
    """Whether it is one more partition of a device already there: another function of the same slot."""
    slot = witness.pci_address.rpartition(".")[0] if witness.pci_address else None
    return any(
        slot is not None and gpu.pci_address is not None and gpu.pci_address.rpartition(".")[0] == slot
        for gpu in known
        if gpu.vendor == "amd"
    )


def _filled(gpu: Gpu, witness: SeenGpu, table: GpuTable, system: System) -> Gpu:
    facts: dict[str, Any] = {}
    for field in ("gfx_target", "pci_address", "integrated"):
        value = getattr(witness, field)
        if getattr(gpu, field) is None and value is not None:
            facts[field] = value
    if gpu.vram_bytes is None and gpu.integrated is False and gpu.partitions in {None, 1} and witness.memory_bytes:
        facts["vram_bytes"] = witness.memory_bytes
    filled = _noted(gpu, facts, witness.source)
    if filled.name is not None or witness.name is None:
        return table.complete(filled, system)
    completed = table.complete(msgspec.structs.replace(filled, candidates=()), system, witness.name)
    if completed.name is None:
        return msgspec.structs.replace(completed, candidates=gpu.candidates) if gpu.candidates else completed
    note = Evidence(field="name", source=witness.source, value=witness.name)
    return msgspec.structs.replace(completed, evidence=(*completed.evidence, note))


def _only_seen(witness: SeenGpu, table: GpuTable, system: System) -> Gpu:
    facts: dict[str, Any] = {
        field: value
        for field in ("gfx_target", "pci_id", "pci_address", "integrated")
        if (value := getattr(witness, field)) is not None
    }
    gpu = table.complete(_noted(Gpu(vendor="amd"), facts, witness.source), system, witness.name)
    if gpu.integrated is False and witness.memory_bytes:
        gpu = _noted(gpu, {"vram_bytes": witness.memory_bytes}, witness.source)
    if gpu.name is None and not gpu.candidates and witness.name:
        gpu = _noted(gpu, {"name": witness.name}, witness.source)
    return gpu


def _noted(gpu: Gpu, facts: dict[str, Any], source: str) -> Gpu:
    notes = tuple(Evidence(field=field, source=source, value=str(value)) for field, value in facts.items())
    return msgspec.structs.replace(gpu, **facts, evidence=gpu.evidence + notes)
