from __future__ import annotations

from pathlib import Path

from rocm_gui.core.gpu_table import GpuTable
from rocm_gui.core.model import Evidence, Gpu
from rocm_gui.core.parsers.hipinfo import HipDevice
from rocm_gui.core.parsers.rocminfo import RocmAgent
from rocm_gui.core.second_opinion import SeenGpu, add_second_opinion, seen_by_hipinfo, seen_by_rocminfo
from rocm_gui.system.datafiles import read_toml

TABLE = GpuTable.from_toml(read_toml(Path(__file__).resolve().parents[2] / "resources/data/gpus.toml"))
GIB = 1024**3


def opinion(gpus, seen, system="linux"):
    return add_second_opinion(gpus, seen, TABLE, system)


def test_a_printed_name_picks_among_candidates():
    open_card = TABLE.complete(Gpu(vendor="amd", pci_id="1002:744c", pci_address="0000:03:00.0"), "linux")
    seen = seen_by_rocminfo(
        [
            RocmAgent(
                gfx_target="gfx1100",
                name="AMD Radeon RX 7900 GRE",
                pci_id="1002:744c",
                pci_address="0000:03:00.0",
                memory_bytes=16 * GIB,
            )
        ]
    )
    (gpu,) = opinion([open_card], seen)
    assert (gpu.name, gpu.candidates, gpu.vram_bytes, gpu.support) == ("Radeon RX 7900 GRE", (), 16 * GIB, "official")
    assert Evidence(field="name", source="rocminfo", value="AMD Radeon RX 7900 GRE") in gpu.evidence


def test_a_generic_name_leaves_the_candidates():
    open_card = TABLE.complete(Gpu(vendor="amd", pci_id="1002:744c", pci_address="0000:03:00.0"), "linux")
    seen = SeenGpu(source="rocminfo", name="AMD Radeon Graphics", gfx_target="gfx1100", pci_address="0000:03:00.0")
    (gpu,) = opinion([open_card], [seen])
    assert (gpu.name, gpu.candidates) == (None, open_card.candidates)


def test_a_pretended_target_does_not_replace_the_kernels():
    card = Gpu(vendor="amd", pci_id="1002:73df", pci_revision="c1", pci_address="0000:03:00.0", gfx_target="gfx1031")
    seen = SeenGpu(source="rocminfo", gfx_target="gfx1030", pci_id="1002:73df", pci_address="0000:03:00.0")
    (gpu,) = opinion([card], [seen])
    assert (gpu.gfx_target, gpu.name) == ("gfx1031", "Radeon RX 6700 XT")


def test_wsl_knows_a_card_from_the_runtime_alone():
    seen = SeenGpu(
        source="rocminfo",
        name="AMD Radeon RX 7900 XTX",
        gfx_target="gfx1100",
        pci_id="1002:744c",
        memory_bytes=24 * GIB,
    )
    (gpu,) = opinion([], [seen], "wsl")
    assert (gpu.name, gpu.gfx_target, gpu.vram_bytes, gpu.support, gpu.integrated) == (
        "Radeon RX 7900 XTX",
        "gfx1100",
        24 * GIB,
        "official",
        False,
    )


def test_cards_of_one_id_are_taken_one_by_one_and_partitions_not_added():
    cards = [Gpu(vendor="amd", pci_id="1002:744c", pci_revision="c8") for _ in range(2)]
    seen = [SeenGpu(source="rocminfo", pci_id="1002:744c", pci_address=f"0000:0{bus}:00.0") for bus in (3, 6)]
    assert [gpu.pci_address for gpu in opinion(cards, seen)] == ["0000:03:00.0", "0000:06:00.0"]
    whole = Gpu(vendor="amd", pci_id="1002:74a1", pci_address="0000:05:00.0", partitions=2)
    parts = [SeenGpu(source="rocminfo", pci_id="1002:74a1", pci_address=f"0000:05:00.{part}") for part in range(2)]
    assert len(opinion([whole], parts)) == 1


def test_hipinfo_tells_integrated_and_memory():
    device = HipDevice(index=0, name="AMD Radeon(TM) Graphics", gfx_target="gfx1036", integrated=True, memory_bytes=GIB)
    (gpu,) = opinion([], seen_by_hipinfo([device]), "windows")
    assert (gpu.integrated, gpu.gfx_target, gpu.family, gpu.vram_bytes) == (True, "gfx1036", "gfx103X-igpu", None)
    assert gpu.name == "AMD Radeon(TM) Graphics"


def test_nothing_seen_changes_nothing():
    gpus = (Gpu(vendor="nvidia", pci_id="10de:2684"),)
    assert opinion(gpus, []) == gpus
