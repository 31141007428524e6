import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from windows_recordings import (
    CLASS,
    GIB,
    PHOENIX,
    R9700_A,
    R9700_B,
    RAPHAEL,
    RTX_4070,
    XT_7800,
    XTX,
    PowerShell,
    cim_row,
    display,
    dxgi,
    present,
    registry,
)

from rocm_gui.core.gpu_table import GpuTable
from rocm_gui.core.model import Gpu
from rocm_gui.system.datafiles import read_toml
from rocm_gui.system.paths import find_resources
from rocm_gui.system.windows import gpus as module
from rocm_gui.system.windows.cim import QUERY
from rocm_gui.system.windows.devices import DeviceState, pci_address
from rocm_gui.system.windows.display_keys import PciIds, location_address, parse_ids, release_of
from rocm_gui.system.windows.displays import instance_of
from rocm_gui.system.windows.gpus import detect_gpus
from rocm_gui.system.windows.registry import MemoryRegistry

NO_CIM = PowerShell(None)
FIELDS = [name for values in display(0, XTX, "any", memory=1).values() for name in values] + ["CompatibleIDs"]


@pytest.fixture(scope="module")
def table() -> GpuTable:
    return GpuTable.from_toml(read_toml(find_resources() / "data" / "gpus.toml"))


def source_of(gpu: Gpu, field: str) -> str | None:
    return next((evidence.source for evidence in gpu.evidence if evidence.field == field), None)


def test_one_radeon_from_the_registry_alone(table) -> None:
    (gpu,) = detect_gpus(registry(display(0, XTX, "AMD Radeon RX 7900 XTX", memory=24 * GIB)), NO_CIM, table)
    assert (gpu.vendor, gpu.name, gpu.gfx_target) == ("amd", "Radeon RX 7900 XTX", "gfx1100")
    assert (gpu.pci_id, gpu.pci_revision, gpu.pci_subsystem) == ("1002:744c", "c8", "1da2:e471")
    assert gpu.pci_address == "0000:03:00.0"
    assert (gpu.driver, gpu.driver_version) == ("amdwddmg", "32.0.21043.12001")
    assert (gpu.driver_release, gpu.driver_date) == ("26.8.1", "2026-08-14")
    assert gpu.vram_bytes == 24 * GIB
    assert (gpu.integrated, gpu.support) == (False, "official")
    assert (gpu.drives_display, gpu.shared_memory_bytes, gpu.device_problem) == (None, None, None)
    assert source_of(gpu, "vram_bytes") == "registry 0000\\HardwareInformation.qwMemorySize"


def test_memory_recorded_as_eight_bytes(table) -> None:
    adapter = display(0, XTX, "AMD Radeon RX 7900 XTX", memory=(24 * GIB).to_bytes(8, "little"))
    (gpu,) = detect_gpus(registry(adapter), NO_CIM, table)
    assert gpu.vram_bytes == 24 * GIB


def test_memory_that_only_32_bit_figures_tell_stays_unknown(table) -> None:
    rows = [cim_row(XTX, "AMD Radeon RX 7900 XTX", AdapterRAM=4293918720)]
    (gpu,) = detect_gpus(registry(display(0, XTX, "AMD Radeon RX 7900 XTX")), PowerShell(rows), table)
    assert gpu.vram_bytes is None


def test_dxgi_outranks_the_registry(table) -> None:
    machine = registry(display(0, XTX, "AMD Radeon RX 7900 XTX", memory=24 * GIB))
    (gpu,) = detect_gpus(machine, NO_CIM, table, dxgi=lambda: [dxgi(XTX, 25_753_026_560, shared=32 * GIB)])
    assert (gpu.vram_bytes, gpu.shared_memory_bytes) == (25_753_026_560, 32 * GIB)
    assert source_of(gpu, "vram_bytes") == "DXGI DedicatedVideoMemory"


def test_the_device_tree_makes_cim_needless_and_drops_removed_cards(table) -> None:
    machine = registry(
        display(0, XT_7800, "AMD Radeon RX 7800 XT", memory=16 * GIB, place=(3, 0, 0)),
        display(1, XTX, "AMD Radeon RX 7900 XTX", memory=24 * GIB, place=(3, 0, 0)),
    )
    run = PowerShell([])
    (gpu,) = detect_gpus(machine, run, table, devices=present(XTX))
    assert (gpu.name, gpu.device_problem) == ("Radeon RX 7900 XTX", 0)
    assert run.calls == []


def test_without_a_device_tree_cim_tells_which_cards_are_here(table) -> None:
    machine = registry(
        display(0, XT_7800, "AMD Radeon RX 7800 XT"), display(1, XTX, "AMD Radeon RX 7900 XTX", memory=24 * GIB)
    )
    run = PowerShell([cim_row(XTX, "AMD Radeon RX 7900 XTX", CurrentHorizontalResolution=2560)])
    (gpu,) = detect_gpus(machine, run, table)
    assert (gpu.name, gpu.drives_display) == ("Radeon RX 7900 XTX", True)
    assert run.calls[0][-1] == QUERY
    assert run.calls[0][0].endswith(r"\System32\WindowsPowerShell\v1.0\powershell.exe")


def test_integrated_and_discrete_with_a_driver_version_each(table) -> None:
    machine = registry(
        display(0, RAPHAEL, "AMD Radeon(TM) Graphics", version="31.0.21921.1000", memory=GIB // 2, place=(0x11, 0, 0)),
        display(1, XT_7800, "AMD Radeon RX 7800 XT", memory=16 * GIB, place=(3, 0, 0)),
    )
    integrated, discrete = detect_gpus(machine, NO_CIM, table, displays=lambda: {RAPHAEL.upper()})
    assert (integrated.gfx_target, integrated.integrated, integrated.drives_display) == ("gfx1036", True, True)
    assert (integrated.pci_address, integrated.driver_version) == ("0000:11:00.0", "31.0.21921.1000")
    assert (discrete.name, discrete.gfx_target) == ("Radeon RX 7800 XT", "gfx1101")
    assert (discrete.integrated, discrete.drives_display) == (False, False)


def test_an_integrated_gpu_may_have_no_memory_of_its_own(table) -> None:
    machine = registry(display(0, PHOENIX, "AMD Radeon 780M Graphics", place=(0x64, 0, 0)))
    (gpu,) = detect_gpus(machine, NO_CIM, table, dxgi=lambda: [dxgi(PHOENIX, 0)])
    assert (gpu.name, gpu.gfx_target, gpu.vram_bytes) == ("Radeon 780M", "gfx1103", 0)


def test_two_equal_cards_stay_two(table) -> None:
    machine = registry(
        display(0, R9700_A, "AMD Radeon AI PRO R9700", memory=32 * GIB, place=(3, 0, 0)),
        display(1, R9700_B, "AMD Radeon AI PRO R9700", memory=32 * GIB, place=(7, 0, 0)),
    )
    described = [
        dxgi(R9700_B, 33 * GIB, address="0000:07:00.0"),
        dxgi(R9700_A, 32 * GIB, address="0000:03:00.0"),
    ]
    cards = detect_gpus(machine, NO_CIM, table, dxgi=lambda: described)
    assert [(card.gfx_target, card.pci_address, card.vram_bytes) for card in cards] == [
        ("gfx1201", "0000:03:00.0", 32 * GIB),
        ("gfx1201", "0000:07:00.0", 33 * GIB),
    ]


def test_twins_without_addresses_get_a_figure_only_where_it_is_the_same(table) -> None:
    adapters = [display(0, R9700_A, "AMD Radeon AI PRO R9700"), display(1, R9700_B, "AMD Radeon AI PRO R9700")]
    equal = detect_gpus(registry(*adapters), NO_CIM, table, dxgi=lambda: [dxgi(R9700_A, 32 * GIB)] * 2)
    assert [card.vram_bytes for card in equal] == [32 * GIB, 32 * GIB]
    differing = [dxgi(R9700_A, 32 * GIB), dxgi(R9700_B, 31 * GIB)]
    assert [card.vram_bytes for card in detect_gpus(registry(*adapters), NO_CIM, table, dxgi=lambda: differing)] == [
        None,
        None,
    ]


def test_an_nvidia_beside_a_radeon_is_listed_with_its_own_facts(table) -> None:
    machine = registry(
        display(
            0,
            RTX_4070,
            "NVIDIA GeForce RTX 4070 Ti SUPER",
            version="32.0.15.6636",
            release=None,
            service="nvlddmkm",
            provider="NVIDIA",
            memory=16 * GIB,
            place=(1, 0, 0),
        ),
        display(1, XTX, "AMD Radeon RX 7900 XTX", memory=24 * GIB),
    )
    nvidia, radeon = detect_gpus(machine, NO_CIM, table, devices=present(RTX_4070, XTX))
    assert (nvidia.vendor, nvidia.name, nvidia.driver) == ("nvidia", "NVIDIA GeForce RTX 4070 Ti SUPER", "nvlddmkm")
    assert (nvidia.gfx_target, nvidia.driver_release, nvidia.support) == (None, None, None)
    assert radeon.vendor == "amd"


@pytest.mark.parametrize(
    "name", ["Microsoft Basic Display Adapter", "Microsoft 基本显示适配器", "Adaptateur d’affichage"]
)
def test_a_card_without_its_makers_driver_keeps_its_id_alone(table, name: str) -> None:
    adapter = display(
        0,
        XTX,
        name,
        version="10.0.26100.1",
        date="6-21-2006",
        release=None,
        service="BasicDisplay",
        provider="Microsoft",
        inf="display.inf",
        matching=r"PCI\CC_0300",
        memory=None,
    )
    (gpu,) = detect_gpus(registry(adapter), NO_CIM, table, dxgi=lambda: [dxgi(XTX, 0)])
    assert (gpu.pci_id, gpu.name, gpu.gfx_target) == ("1002:744c", "Radeon RX 7900 XTX", "gfx1100")
    assert (gpu.driver, gpu.driver_version, gpu.driver_release, gpu.driver_date) == (None, None, None, None)
    assert gpu.vram_bytes is None


def test_a_card_without_any_driver(table) -> None:
    device = {
        rf"HKLM\SYSTEM\CurrentControlSet\Enum\{XTX}": {"CompatibleIDs": [r"PCI\VEN_1002&CC_030000", r"PCI\CC_0300"]}
    }
    state = DeviceState(present=True, problem=28, pci_address="0000:03:00.0")
    (gpu,) = detect_gpus(registry(device), NO_CIM, table, devices=lambda _: state)
    assert (gpu.pci_id, gpu.driver, gpu.device_problem) == ("1002:744c", None, 28)
    assert gpu.pci_address == "0000:03:00.0"


def test_a_card_whose_driver_gave_up(table) -> None:
    state = DeviceState(present=True, problem=43)
    machine = registry(display(0, XTX, "AMD Radeon RX 7900 XTX"))
    (gpu,) = detect_gpus(machine, NO_CIM, table, devices=lambda _: state)
    assert (gpu.device_problem, gpu.driver_version) == (43, "32.0.21043.12001")


def test_virtual_and_remote_displays_are_no_gpus(table) -> None:
    rows = [
        cim_row(r"ROOT\DISPLAY\0000", "Parsec Virtual Display Adapter", AdapterCompatibility="Parsec Cloud, Inc."),
        cim_row(r"SWD\REMOTEDISPLAYENUM\RDPIDD_INDIRECTDISPLAY", "Microsoft Remote Display Adapter"),
        cim_row(r"VMBUS\{DA0A7802}\{5620E0C7}", "Microsoft Hyper-V Video"),
    ]
    virtual = {
        rf"{CLASS}\0000": {"DriverDesc": "Parsec Virtual Display Adapter", "MatchingDeviceId": r"Root\Parsec\VDA"}
    }
    assert detect_gpus(registry(virtual), PowerShell(rows), table) == ()


def test_cim_alone(table) -> None:
    rows = [
        cim_row(RAPHAEL, "AMD Radeon(TM) Graphics", DriverVersion="31.0.21905.1001"),
        cim_row(XTX, "AMD Radeon RX 7900 XTX", CurrentHorizontalResolution=3840),
    ]
    integrated, discrete = detect_gpus(MemoryRegistry({}), PowerShell(rows), table)
    assert (integrated.gfx_target, integrated.driver_version) == ("gfx1036", "31.0.21905.1001")
    assert (discrete.name, discrete.pci_subsystem) == ("Radeon RX 7900 XTX", "1da2:e471")
    assert (discrete.driver_date, discrete.drives_display, discrete.driver_release) == ("2026-08-14", True, None)
    assert source_of(discrete, "pci_id") == "CIM PNPDeviceID"


def test_cim_without_instance_ids_is_matched_by_name(table) -> None:
    rows = [cim_row(None, "AMD Radeon RX 7900 XTX"), cim_row(None, "Microsoft Remote Display Adapter")]
    rows[1]["AdapterCompatibility"] = "Microsoft"
    (gpu,) = detect_gpus(MemoryRegistry({}), PowerShell(rows), table)
    assert (gpu.pci_id, gpu.gfx_target, gpu.driver_version) == (None, "gfx1100", "32.0.21043.12001")
    machine = registry(display(0, XT_7800, "AMD Radeon RX 7800 XT"), display(1, XTX, "AMD Radeon RX 7900 XTX"))
    assert [gpu.pci_id for gpu in detect_gpus(machine, PowerShell(rows[:1]), table)] == ["1002:744c"]


def test_driver_keys_alone_where_enum_was_not_recorded(table) -> None:
    keys = display(1, XTX, "AMD Radeon RX 7900 XTX", memory=24 * GIB)
    drivers_only = MemoryRegistry({path: values for path, values in keys.items() if "Enum" not in path})
    (gpu,) = detect_gpus(drivers_only, NO_CIM, table)
    assert (gpu.pci_id, gpu.gfx_target, gpu.vram_bytes) == ("1002:744c", "gfx1100", 24 * GIB)
    (same,) = detect_gpus(drivers_only, PowerShell([cim_row(XTX, "AMD Radeon RX 7900 XTX")]), table)
    assert (same.pci_revision, same.vram_bytes, same.driver) == ("c8", 24 * GIB, "Advanced Micro Devices, Inc.")


def test_leftover_driver_keys_of_other_cards_are_not_counted(table) -> None:
    leftover = display(7, XT_7800, "AMD Radeon RX 7800 XT")
    driver = {path: values for path, values in leftover.items() if "Enum" not in path}
    (gpu,) = detect_gpus(registry(display(0, XTX, "AMD Radeon RX 7900 XTX"), driver), NO_CIM, table)
    assert gpu.name == "Radeon RX 7900 XTX"


def test_an_unknown_radeon_is_named_as_windows_names_it(table) -> None:
    future = XTX.replace("DEV_744C", "DEV_FFF7")
    (gpu,) = detect_gpus(registry(display(0, future, "AMD Radeon RX 99000 XT")), NO_CIM, table)
    assert (gpu.vendor, gpu.pci_id, gpu.gfx_target) == ("amd", "1002:fff7", None)
    assert gpu.name == "AMD Radeon RX 99000 XT"


@pytest.mark.parametrize(
    "run", [PowerShell(None), PowerShell(None, timed_out=True), PowerShell("Get-CimInstance : ...")]
)
def test_no_answers_are_no_gpus(table, run: PowerShell) -> None:
    assert detect_gpus(MemoryRegistry({}), run, table) == ()


def test_a_dxgi_that_hangs_or_fails_costs_its_figure_only(table, monkeypatch) -> None:
    monkeypatch.setattr(module, "DXGI_LIMIT_S", 0.05)
    machine = registry(display(0, XTX, "AMD Radeon RX 7900 XTX", memory=24 * GIB))
    started = time.monotonic()
    (gpu,) = detect_gpus(machine, NO_CIM, table, dxgi=lambda: time.sleep(5))
    assert gpu.vram_bytes == 24 * GIB
    assert time.monotonic() - started < 2

    def broken() -> None:
        raise OSError("access violation")

    assert detect_gpus(machine, NO_CIM, table, dxgi=broken)[0].vram_bytes == 24 * GIB


def test_the_machines_release_stands_in_for_an_amd_card_only(table) -> None:
    machine = registry(display(0, XTX, "AMD Radeon RX 7900 XTX", release=None))
    (gpu,) = detect_gpus(machine, NO_CIM, table)
    assert gpu.driver_release == "26.8.1"
    assert source_of(gpu, "driver_release") == r"registry SOFTWARE\AMD\CN\RadeonSoftwareVersion"


ANYTHING = st.none() | st.integers() | st.binary(max_size=9) | st.text(max_size=30) | st.lists(st.text(max_size=5))


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), ANYTHING), st.dictionaries(st.sampled_from(FIELDS), ANYTHING))
def test_garbage_in_the_registry_never_raises(table, driver: dict[str, object], device: dict[str, object]) -> None:
    keys = display(0, XTX, "AMD Radeon RX 7900 XTX")
    for values, changes in zip(keys.values(), (driver, device), strict=True):
        values.update(changes)
    for gpu in detect_gpus(registry(keys), NO_CIM, table):
        assert gpu.pci_id == "1002:744c"


@pytest.mark.samples
def test_recorded_cim_answers(table, samples: Path) -> None:
    found = {}
    for path in sorted((samples / "windows").glob("*cim*.json")):
        gpus = detect_gpus(MemoryRegistry({}), PowerShell(path.read_text("utf-8")), table)
        found[path.name] = [(gpu.vendor, gpu.pci_id, gpu.gfx_target, gpu.driver_version) for gpu in gpus]
    assert found == {
        "cim-igpu-first-rx7800xt.json": [
            ("amd", None, None, "31.0.21921.1000"),
            ("amd", None, "gfx1101", "31.0.24033.1003"),
        ],
        "cim-single-object-rx7900xtx.json": [("amd", None, "gfx1100", "31.0.24033.1003")],
        "derived-cim-null-fields-basic-display.json": [("amd", None, None, None)],
        "derived-cim-one-adapter-object.json": [("amd", "1002:744c", "gfx1100", "32.0.12033.1030")],
        "derived-cim-two-adapters-bom.json": [
            ("amd", None, None, "31.0.21905.1001"),
            ("amd", "1002:744c", "gfx1100", "32.0.12033.1030"),
        ],
    }


@pytest.mark.parametrize(
    ("location", "address"),
    [
        (r"@System32\drivers\pci.sys,#65536;PCI bus %1, device %2, function %3;(3,0,0)", "0000:03:00.0"),
        ("PCI bus 3, device 0, function 1", "0000:03:00.1"),
        ("PCI 总线 17、设备 0、功能 0", "0000:11:00.0"),
        ("PCI-Bus 259, Gerät 31, Funktion 7", "0001:03:1f.7"),
        ("Internal High Definition Audio Bus", None),
        ("@oem1.inf,%x64%;1 2 3", None),
        ("(3,99,0)", None),
        (None, None),
    ],
)
def test_locations(location: str | None, address: str | None) -> None:
    assert location_address(location) == address


def test_small_readers() -> None:
    assert parse_ids(XTX) == PciIds(vendor="1002", device="744c", subsystem="1da2:e471", revision="c8")
    assert parse_ids("pci\\ven_1002&dev_744c") == PciIds(vendor="1002", device="744c")
    assert parse_ids(r"PCI\VEN_0000&DEV_0000&SUBSYS_00000000&REV_00") is None
    assert parse_ids(r"ROOT\BASICDISPLAY\0000") is None
    assert release_of("26.8.1") == "26.8.1"
    assert release_of("Software Adrenalin") is None
    assert pci_address(0x103, 0x1F0007) == "0001:03:1f.7"
    assert pci_address(3, None) is None
    assert pci_address(3, 0xFFFFFFFF) is None
    assert instance_of(r"\\?\PCI#VEN_1002&DEV_744C#6&1f#{5b45201d}") == r"PCI\VEN_1002&DEV_744C\6&1F"
    assert instance_of("nonsense") is None
