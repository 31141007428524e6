from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sysfs_builder import SysfsTree, write

from rocm_gui.core.gpu_table import GpuTable
from rocm_gui.system.datafiles import read_toml
from rocm_gui.system.posix.gpus import detect_gpus

TABLE = GpuTable.from_toml(read_toml(Path(__file__).resolve().parents[2] / "resources/data/gpus.toml"))
GIB = 1024**3

# card of the samples -> everything that its tree tells
CARDS = {
    "hd7870": {
        "name": "Radeon HD 7870",
        "pci_id": "1002:6818",
        "pci_revision": None,
        "pci_subsystem": "174b:e217",
        "pci_address": "0000:01:00.0",
        "gfx_target": "gfx601",
        "support": "too_old",
        "integrated": False,
        "vram_bytes": None,
        "driver": "radeon",
    },
    "phoenix": {
        "name": "Radeon 780M",
        "pci_id": "1002:15bf",
        "pci_revision": "dd",
        "pci_subsystem": "17aa:50da",
        "pci_address": "0000:64:00.0",
        "gfx_target": "gfx1103",
        "family": "gfx110X-all",
        "support": "official",
        "integrated": True,
        "vram_bytes": 4294967296,
        "shared_memory_bytes": 31433977856,
        "driver": "amdgpu",
        "partitions": 1,
    },
    "rx5700xt": {
        "name": None,
        "candidates": (
            "Radeon RX 5700 XT 50th Anniversary",
            "Radeon RX 5700 XT",
            "Radeon RX 5600M",
            "Radeon RX 5700M",
            "Radeon RX 5700",
            "Radeon RX 5600 XT",
            "Radeon RX 5600 OEM",
        ),
        "pci_id": "1002:731f",
        "pci_revision": None,
        "pci_address": "0000:28:00.0",
        "gfx_target": "gfx1010",
        "series": "RX 5000",
        "support": "too_old",
        "integrated": False,
        "vram_bytes": None,
        "driver": "amdgpu",
    },
    "rx580": {
        "name": "Radeon RX 580",
        "pci_id": "1002:67df",
        "pci_revision": "e7",
        "pci_address": "0000:09:00.0",
        "gfx_target": "gfx803",
        "support": "too_old",
        "integrated": False,
        "vram_bytes": 4294967296,
        "shared_memory_bytes": 8342712320,
        "driver": "amdgpu",
    },
    "rx6600": {
        "name": None,
        "candidates": (
            "Radeon RX 6600 XT",
            "Radeon RX 6600",
            "Radeon RX 6600 LE",
            "Radeon RX 6600M",
            "Radeon RX 6600S",
            "Radeon RX 6750 GRE 10GB",
        ),
        "pci_id": "1002:73ff",
        "pci_revision": None,
        "pci_address": "0000:12:00.0",
        "gfx_target": "gfx1032",
        "family": "gfx103X-dgpu",
        "series": "RX 6000",
        "support": "wheel",
        "integrated": False,
        "vram_bytes": None,
        "driver": "amdgpu",
    },
    "rx6900xt": {
        "name": "Radeon RX 6900 XT",
        "pci_id": "1002:73bf",
        "pci_revision": "c0",
        "pci_subsystem": "1da2:440e",
        "pci_address": "0000:0c:00.0",
        "gfx_target": "gfx1030",
        "support": "wheel",
        "integrated": False,
        "vram_bytes": 17163091968,
        "shared_memory_bytes": 16786171904,
        "driver": "amdgpu",
    },
    "rx7600s": {
        "name": None,
        "candidates": (
            "Radeon RX 7650 GRE",
            "Radeon RX 7600 XT",
            "Radeon RX 7600",
            "Radeon RX 7600M XT",
            "Radeon RX 7700S",
            "Radeon RX 7600S",
            "Radeon PRO W7600",
        ),
        "pci_id": "1002:7480",
        "pci_revision": None,
        "pci_address": "0000:03:00.0",
        "gfx_target": "gfx1102",
        "series": None,
        "support": None,  # official for the RX 7600 alone
        "integrated": False,
        "vram_bytes": None,
        "driver": "amdgpu",
    },
    "rx7800xt": {
        "name": None,
        "candidates": ("Radeon RX 7800 XT", "Radeon RX 7800M", "Radeon RX 7700 XT", "Radeon RX 7700"),
        "pci_id": "1002:747e",
        "pci_revision": None,
        "pci_address": "0000:03:00.0",
        "gfx_target": "gfx1101",
        "family": "gfx110X-all",
        "integrated": False,
        "vram_bytes": None,
        "driver": "amdgpu",
    },
    "rx9070": {
        "name": None,
        "candidates": ("Radeon RX 9070 XT", "Radeon RX 9070", "Radeon RX 9070 GRE"),
        "pci_id": "1002:7550",
        "pci_revision": None,
        "pci_address": "0000:03:00.0",
        "gfx_target": "gfx1201",
        "family": "gfx120X-all",
        "series": "RX 9000",
        "support": "official",
        "integrated": False,
        "vram_bytes": None,
        "driver": "amdgpu",
    },
    "vangogh": {
        "name": "Steam Deck (Van Gogh)",
        "pci_id": "1002:163f",
        "pci_revision": None,
        "pci_address": "0000:04:00.0",
        "gfx_target": "gfx1033",
        "family": "gfx103X-igpu",
        "support": "wheel",
        "integrated": True,
        "vram_bytes": None,  # KFD's bank is system memory there
        "driver": "amdgpu",
        "partitions": 1,
    },
}

# topology of the samples -> name, PCI addresses, gfx target, memory, partitions
TOPOLOGIES = {
    "mi210-8gpu-xgmi-pcie": [
        ("Instinct MI210", f"0000:{bus}:00.0", "1002:740f", "gfx90a", None, 1)
        for bus in ("63", "43", "03", "26", "e3", "c3", "83", "a3")
    ],
    "mi300-cpx-part": [("Instinct MI300X", "0000:05:00.0", "1002:74a1", "gfx942", None, 2)],
    "mi308-cpx-part": [
        ("Instinct MI308X", "0000:0a:00.0", "1002:74a2", "gfx942", 3 * 51539607552 + 51522830336, 4),
        ("Instinct MI308X", "0000:80:00.0", "1002:74a2", "gfx942", 3 * 51539607552 + 0, 3),
    ],
    "vega-1gpu-copied-to-2": [(None, "0000:19:00.0", "1002:6860", "gfx900", 17163091968, 1)],
}


@pytest.mark.samples
@pytest.mark.parametrize("card", CARDS)
def test_recorded_card(samples, card):
    (gpu,) = detect_gpus(samples / "sysfs" / card, TABLE)
    expected = {"vendor": "amd", "candidates": (), "drives_display": None, "driver_version": None} | CARDS[card]
    assert {field: getattr(gpu, field) for field in expected} == expected
    told = {note.field for note in gpu.evidence}
    known = {field for field, value in expected.items() if value not in (None, ())} - {"vendor", "support"}
    assert known <= told


@pytest.mark.samples
def test_every_recorded_card_is_expected(samples):
    assert {folder.name for folder in (samples / "sysfs").iterdir()} == set(CARDS)


@pytest.mark.samples
@pytest.mark.parametrize("topology", TOPOLOGIES)
def test_recorded_topology_without_cards(samples, tmp_path, topology):
    (tmp_path / "class/kfd/kfd").mkdir(parents=True)
    (tmp_path / "class/kfd/kfd/topology").symlink_to(samples / "kfd-topology" / topology)
    found = [
        (gpu.name, gpu.pci_address, gpu.pci_id, gpu.gfx_target, gpu.vram_bytes, gpu.partitions)
        for gpu in detect_gpus(tmp_path, TABLE)
    ]
    assert found == TOPOLOGIES[topology]


@pytest.fixture
def tree(tmp_path):
    return SysfsTree(tmp_path)


def only(tree):
    (gpu,) = detect_gpus(tree.root, TABLE)
    return gpu


def test_no_gpu(tmp_path):
    assert detect_gpus(tmp_path, TABLE) == ()
    assert detect_gpus(tmp_path / "absent", TABLE) == ()
    write(tmp_path / "class/drm/version", "drm 1.1.0")
    assert detect_gpus(tmp_path, TABLE) == ()


def test_a_card_joined_with_its_compute_node(tree):
    tree.card(revision="0xc8", mem_info_vram_total=str(24 * GIB), mem_info_gtt_total=str(16 * GIB))
    tree.connector("card1-HDMI-A-1", "disconnected")
    tree.connector("card1-DP-2", "connected")
    tree.connector("card1-Writeback-1", "unknown")
    tree.module_version("amdgpu", "6.14.14")
    tree.cpu_node(0)
    tree.gpu_node(1, bank_bytes=24 * GIB)
    gpu = only(tree)
    assert (gpu.name, gpu.gfx_target, gpu.partitions) == ("Radeon RX 7900 XTX", "gfx1100", 1)
    assert (gpu.vram_bytes, gpu.shared_memory_bytes) == (24 * GIB, 16 * GIB)
    assert (gpu.driver, gpu.driver_version, gpu.drives_display) == ("amdgpu", "6.14.14", True)
    sources = {note.field: note.source for note in gpu.evidence}
    assert sources["gfx_target"] == "/sys/class/kfd/kfd/topology/nodes/1/properties: gfx_target_version"
    assert sources["pci_id"] == "/sys/class/drm/card1/device/uevent"
    assert sources["name"] == "gpus.toml by revision"


def test_the_kernels_target_outranks_the_table(tree):
    tree.card(revision="0xc8")
    tree.gpu_node(1, gfx_version=110002)
    assert (only(tree).name, only(tree).gfx_target) == ("Radeon RX 7900 XTX", "gfx1102")


def test_the_graphics_block_gives_a_target_where_kfd_is_silent(tree):
    tree.card(pci_id="1002:1902", address="0000:c4:00.0", revision="0xc1")
    tree.graphics_core("card1", "11.5.2")
    gpu = only(tree)
    assert gpu.gfx_target == "gfx1152"  # not the table's gfx1153: the documents contradict each other there
    assert "ip_discovery: GC 11.5.2" in next(note.source for note in gpu.evidence if note.field == "gfx_target")


def test_monitors(tree):
    tree.card()
    assert only(tree).drives_display is None
    tree.connector("card1-DP-1", "disconnected")
    assert only(tree).drives_display is False
    tree.connector("card1-DP-2", "unknown")
    assert only(tree).drives_display is None
    tree.connector("card10-DP-1", "connected")  # another card's
    assert only(tree).drives_display is None


def test_eight_cards_in_order_with_render_nodes_beside_them(tree):
    for index in range(8):
        address = f"0000:{index + 1:02x}:00.0"
        tree.card(f"card{index + 9}", address=address, revision="0xc8")
        tree.card(f"renderD{128 + index}", address=address, revision="0xc8")
    gpus = detect_gpus(tree.root, TABLE)
    assert [gpu.pci_address for gpu in gpus] == [f"0000:{index + 1:02x}:00.0" for index in range(8)]


def test_an_accelerator_with_a_render_node_only(tree):
    tree.card("renderD128", pci_id="1002:74A1", address="0000:05:00.0", revision="0x00")
    tree.gpu_node(1, gfx_version=90402, device_id=0x74A1, location_id=0x0500, bank_bytes=192 * GIB)
    gpu = only(tree)
    assert (gpu.name, gpu.vram_bytes, gpu.drives_display) == ("Instinct MI300X", 192 * GIB, None)


def test_partitions_are_one_gpu(tree):
    tree.card("card0", pci_id="1002:74A1", address="0000:05:00.0", revision="0x00")
    write(tree.root / "class/drm/card1/device/uevent", "MODALIAS=platform:amdgpu_xcp")  # partition 1's own entry
    for part in range(8):
        tree.gpu_node(2 + part, 90402, 0x74A1, 0x0500 + part, bank_bytes=24 * GIB, unique_id=77)
    gpu = only(tree)
    assert (gpu.partitions, gpu.vram_bytes, gpu.pci_address) == (8, 192 * GIB, "0000:05:00.0")


def test_two_dies_of_one_board_are_two_gpus(tree):
    tree.gpu_node(1, 90010, 0x7408, 0xC100, unique_id=1)
    tree.gpu_node(2, 90010, 0x7408, 0xC600, unique_id=2)
    assert [gpu.pci_address for gpu in detect_gpus(tree.root, TABLE)] == ["0000:c1:00.0", "0000:c6:00.0"]


def test_sockets_at_one_location_of_different_domains(tree):
    for index in range(2):
        tree.gpu_node(index, 90402, 0x74A0, 0x0100, unique_id=index + 1, domain=index)
    found = [gpu.pci_address for gpu in detect_gpus(tree.root, TABLE)]
    assert found == ["0000:01:00.0", "0001:01:00.0"]
    for index in range(2):
        tree.gpu_node(index, 90402, 0x74A0, 0x0100, unique_id=index + 1)  # an older kernel without domains
    assert len(detect_gpus(tree.root, TABLE)) == 2


def test_memory_of_partitions_is_unknown_where_one_does_not_tell(tree):
    tree.gpu_node(1, 90402, 0x74A1, 0x0500, bank_bytes=24 * GIB, unique_id=7)
    tree.gpu_node(2, 90402, 0x74A1, 0x0501, unique_id=7)
    assert only(tree).vram_bytes is None


def test_an_apu_and_a_card_and_other_makers(tree):
    tree.card("card0", pci_id="1002:164E", address="0000:0e:00.0", revision="0xc9", mem_info_vram_total=str(GIB // 2))
    tree.card("card1", pci_id="1002:7550", revision="0xc0")
    tree.card("card2", pci_id="10DE:2684", address="0000:04:00.0", driver="nvidia")
    tree.card("card3", pci_id="8086:A780", address="0000:00:02.0", driver="i915")
    tree.card("card4", pci_id="1A03:2000", address="0000:05:00.0", driver="ast")
    tree.module_version("nvidia", "580.65.06")
    gpus = detect_gpus(tree.root, TABLE)
    assert [gpu.vendor for gpu in gpus] == ["amd", "amd", "nvidia", "intel", "other"]
    assert [gpu.integrated for gpu in gpus] == [True, False, None, None, None]
    assert gpus[2].driver_version == "580.65.06"
    assert (gpus[2].name, gpus[2].gfx_target, gpus[2].support) == (None, None, None)


def test_a_card_without_a_driver(tree):
    tree.card(driver=None, revision="0xc8")
    gpu = only(tree)
    assert (gpu.name, gpu.driver, gpu.driver_version) == ("Radeon RX 7900 XTX", None, None)


def test_ids_from_their_own_files_and_the_address_from_the_link(tree):
    real = tree.root / "devices/pci0000:00/0000:2d:00.0"
    for name, content in {"vendor": "0x1002", "device": "0x73bf", "revision": "0xc1"}.items():
        write(real / name, content)
    (tree.root / "class/drm/card0").mkdir(parents=True)
    (tree.root / "class/drm/card0/device").symlink_to(real)
    (tree.root / "class/drm/renderD128").mkdir()
    (tree.root / "class/drm/renderD128/device").symlink_to(real)
    (tree.root / "bus/pci/drivers/amdgpu").mkdir(parents=True)
    (real / "driver").symlink_to(tree.root / "bus/pci/drivers/amdgpu")
    gpu = only(tree)
    assert (gpu.name, gpu.pci_id, gpu.pci_address, gpu.driver) == (
        "Radeon RX 6800 XT",
        "1002:73bf",
        "0000:2d:00.0",
        "amdgpu",
    )


def test_the_boards_own_name_narrows_what_the_id_leaves_open(tree):
    tree.card(pci_id="1002:740C", revision="0x01", product_name="AMD INSTINCT MI250 (MCM) OAM AC MBA")
    assert only(tree).name == "Instinct MI250"


def test_an_unknown_card_keeps_what_the_kernel_says(tree):
    tree.card(pci_id="1002:ABCD", revision="0xc0", mem_info_vram_total=str(64 * GIB))
    tree.gpu_node(1, gfx_version=130000, device_id=0xABCD)
    gpu = only(tree)
    assert (gpu.name, gpu.gfx_target, gpu.family, gpu.integrated) == (None, "gfx1300", None, None)
    assert gpu.vram_bytes == 64 * GIB


@pytest.mark.parametrize("content", [b"", b"\0\0\0", b"\xff\xfe\x00garbage", b"-1", b"0", b"9" * 5000, b"N/A\n"])
def test_garbled_files_leave_their_field_unknown(tree, content):
    device = tree.card(revision=content, mem_info_vram_total=content, mem_info_gtt_total=content)
    write(tree.root / "module/amdgpu/version", b"")
    write(device / "product_name", content)
    tree.gpu_node(1)
    write(tree.root / "class/kfd/kfd/topology/nodes/1/properties", content)
    gpu = only(tree)
    assert gpu.pci_id == "1002:744c"
    assert gpu.gfx_target == "gfx1100"
    assert gpu.vram_bytes is None
    assert gpu.shared_memory_bytes is None
    assert gpu.driver_version is None
    assert gpu.partitions is None


def test_folders_in_place_of_files_and_broken_links(tree):
    device = tree.card(revision="0xc8")
    (device / "mem_info_vram_total").mkdir()
    (tree.root / "class/drm/card7").symlink_to(tree.root / "gone")
    (tree.root / "class/drm/card8").mkdir()
    (tree.root / "class/drm/card8/device").symlink_to(tree.root / "class/drm/card8/device")
    (tree.root / "class/kfd/kfd/topology/nodes/1/properties").mkdir(parents=True)
    assert [gpu.name for gpu in detect_gpus(tree.root, TABLE)] == ["Radeon RX 7900 XTX"]


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="this user may read everything")
def test_files_that_may_not_be_read(tree):
    device = tree.card(mem_info_vram_total=str(GIB))
    (device / "mem_info_vram_total").chmod(0)
    assert only(tree).vram_bytes is None


def test_denied_files_by_the_system_call(tree, monkeypatch):
    tree.card(revision="0xc8", mem_info_vram_total=str(GIB))
    real = Path.open

    def denied(self, *args, **kwargs):
        if self.name in {"mem_info_vram_total", "revision"}:
            raise PermissionError(13, "Permission denied")
        return real(self, *args, **kwargs)

    monkeypatch.setattr(Path, "open", denied)
    gpu = only(tree)
    assert (gpu.vram_bytes, gpu.pci_revision) == (None, None)
    assert len(gpu.candidates) == 4


def test_nothing_that_wakes_a_sleeping_gpu_is_read(tree, monkeypatch):
    device = tree.card(revision="0xc8", gpu_metrics=b"\1\2", gpu_busy_percent="3", pp_dpm_sclk="0: 500Mhz *")
    write(device / "power/runtime_status", "suspended")
    write(device / "hwmon/hwmon3/temp1_input", "40000")
    tree.connector("card1-DP-1", "connected")
    tree.gpu_node(1)
    opened = []
    real = Path.open

    def recording(self, *args, **kwargs):
        opened.append(self)
        return real(self, *args, **kwargs)

    monkeypatch.setattr(Path, "open", recording)
    assert only(tree).name == "Radeon RX 7900 XTX"
    harmless = {
        "uevent", "vendor", "device", "subsystem_vendor", "subsystem_device", "revision", "product_name", "status",
        "mem_info_vram_total", "mem_info_gtt_total", "version", "properties", "gpu_id", "major", "minor",
    }  # fmt: skip
    assert {path.name for path in opened} <= harmless
    assert not any("hwmon" in path.parts for path in opened)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    uevent=st.binary(max_size=80),
    properties=st.one_of(
        st.binary(max_size=80),
        st.dictionaries(
            st.sampled_from(["simd_count", "vendor_id", "device_id", "location_id", "domain", "gfx_target_version"]),
            st.integers(0, 2**70),
        ).map(lambda values: "\n".join(f"{key} {value}" for key, value in values.items()).encode()),
    ),
    size=st.binary(max_size=30),
)
def test_any_content_is_survived(tmp_path, uevent, properties, size):
    write(tmp_path / "class/drm/card0/device/uevent", b"PCI_ID=1002:744C\n" + uevent)
    write(tmp_path / "class/drm/card0/device/mem_info_vram_total", size)
    write(tmp_path / "class/kfd/kfd/topology/nodes/1/properties", properties)
    for gpu in detect_gpus(tmp_path, TABLE):
        assert gpu.vram_bytes is None or gpu.vram_bytes > 0
