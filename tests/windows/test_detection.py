"""Detection against the real registry, DXGI, volumes and files of the Windows that runs this."""

import ctypes
import json
import os
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from rocm_gui.system.windows import cim, devices, displays, dxgi
from rocm_gui.system.windows.registry import (
    REG_EXPAND_SZ,
    REG_MULTI_SZ,
    REG_QWORD,
    MemoryRegistry,
    WinRegistry,
    number_of,
    record,
)

pytestmark = pytest.mark.windows
KEY = r"Software\rocm_gui-tests"
CURRENT_VERSION = r"SOFTWARE\Microsoft\Windows NT\CurrentVersion"


@pytest.fixture
def key():
    import winreg

    path = rf"{KEY}\{uuid.uuid4().hex}"
    winreg.CreateKeyEx(winreg.HKEY_CURRENT_USER, path).Close()
    yield path
    for name in WinRegistry().subkeys("HKCU", path) or ():
        winreg.DeleteKey(winreg.HKEY_CURRENT_USER, rf"{path}\{name}")
    winreg.DeleteKey(winreg.HKEY_CURRENT_USER, path)


def set_value(path: str, name: str, kind: int, data: object) -> None:
    import winreg

    with winreg.CreateKeyEx(winreg.HKEY_CURRENT_USER, path, 0, winreg.KEY_WRITE) as handle:
        winreg.SetValueEx(handle, name, 0, kind, data)


def test_the_real_registry_gives_raw_values_and_types(key) -> None:
    set_value(key, "Path", REG_EXPAND_SZ, r"%USERPROFILE%\bin")
    set_value(key, "Size", REG_QWORD, 24 << 30)
    set_value(key, "Ids", REG_MULTI_SZ, ["a", "张三"])
    set_value(rf"{key}\Child", "", 1, "default")
    registry = WinRegistry()
    assert registry.values("HKCU", key) == {
        "Path": (r"%USERPROFILE%\bin", REG_EXPAND_SZ),
        "Size": (24 << 30, REG_QWORD),
        "Ids": (["a", "张三"], REG_MULTI_SZ),
    }
    assert registry.subkeys("HKCU", key) == ("Child",)
    assert registry.values("HKCU", key + r"\none") is None
    assert registry.subkeys("HKCU", key + r"\none") is None
    assert not registry.denied("HKCU", key + r"\none")
    assert not registry.denied("HKCU", key)


def test_reg_exe_reads_the_same(key) -> None:
    set_value(key, "Path", REG_EXPAND_SZ, r"%USERPROFILE%\bin")
    answer = subprocess.run(
        ["reg", "query", rf"HKCU\{key}", "/v", "Path"], capture_output=True, text=True, timeout=60, check=True
    )
    assert "REG_EXPAND_SZ" in answer.stdout
    assert r"%USERPROFILE%\bin" in answer.stdout


def test_a_recording_of_the_real_registry_is_read_back_the_same(key) -> None:
    set_value(key, "Raw", 3, b"\x00\xff")
    set_value(rf"{key}\Child", "Text", 1, "张三")
    again = MemoryRegistry.from_json(record(WinRegistry(), [("HKCU", key)]))
    assert again.values("HKCU", key) == WinRegistry().values("HKCU", key)
    assert again.values("HKCU", rf"{key}\Child") == {"Text": ("张三", 1)}


def test_the_host() -> None:
    from rocm_gui.system.windows.host import detect_host

    host = detect_host(WinRegistry())
    values = WinRegistry().values("HKLM", CURRENT_VERSION) or {}
    assert host.os_build == sys.getwindowsversion().build
    assert host.os_build >= 22000
    assert host.os_name is not None
    assert host.os_name.startswith("Windows 11")
    assert host.os_release == values["DisplayVersion"][0]
    assert host.os_update == number_of(values, "UBR")
    assert host.architecture == "x86_64"
    assert host.home == os.environ["USERPROFILE"]
    assert host.code_page == f"cp{ctypes.windll.kernel32.GetACP()}"
    assert host.ram_bytes is not None
    assert host.ram_bytes > 1 << 30
    assert host.commit_limit_bytes == host.ram_bytes + host.page_file_bytes
    assert host.logical_cores == os.cpu_count()
    assert isinstance(host.user_is_admin, bool)


@pytest.fixture(scope="module")
def table():
    from rocm_gui.core.gpu_table import GpuTable
    from rocm_gui.system.datafiles import read_toml
    from rocm_gui.system.paths import find_resources

    return GpuTable.from_toml(read_toml(find_resources() / "data" / "gpus.toml"))


def test_gpus_of_this_machine(table) -> None:
    """Whatever is here: each one has an id, and the whole search ends in time."""
    from rocm_gui.system.process import run
    from rocm_gui.system.windows.gpus import detect_gpus

    started = time.monotonic()
    gpus = detect_gpus(WinRegistry(), run, table)
    assert time.monotonic() - started < cim.LIMIT_S + 5
    assert all(gpu.pci_id or gpu.vendor != "other" for gpu in gpus)


def test_a_powershell_that_says_nothing_is_no_answer() -> None:
    from rocm_gui.system.process import Completed, run

    silent = Completed(("powershell",), 0, "", "", 0.0)
    assert cim.video_controllers(lambda argv, *, timeout_s: silent) is None
    missing = run([r"C:\no\powershell.exe"], timeout_s=5)
    assert cim.video_controllers(lambda argv, *, timeout_s: missing) is None
    assert cim.powershell().lower() == r"c:\windows\system32\windowspowershell\v1.0\powershell.exe"


def test_the_adapters_of_the_real_registry_are_written_as_recorded_ones(table, key) -> None:
    """A Radeon written into the real registry's layout is read as the recorded machine's is."""
    from windows_recordings import CLASS, GIB, XTX, PowerShell, cim_row, display, registry

    from rocm_gui.system.windows.gpus import detect_gpus

    recorded = display(0, XTX, "AMD Radeon RX 7900 XTX", memory=24 * GIB)
    driver = recorded[rf"{CLASS}\0000"]
    for name, data in driver.items():
        if isinstance(data, tuple):
            set_value(key, name, data[1], data[0])
        else:
            set_value(key, name, 3 if isinstance(data, bytes) else 1, data)
    read_back = WinRegistry().values("HKCU", key)
    machine = registry(recorded, {rf"{CLASS}\0000": read_back or {}})
    (gpu,) = detect_gpus(machine, PowerShell([cim_row(XTX, "AMD Radeon RX 7900 XTX")]), table)
    assert (gpu.gfx_target, gpu.vram_bytes, gpu.driver_date) == ("gfx1100", 24 * GIB, "2026-08-14")


def test_dxgi_lists_adapters_with_memory() -> None:
    adapters = dxgi.adapters()
    assert adapters is not None
    for adapter in adapters:
        assert adapter.name
        assert adapter.dedicated_bytes >= 0
        assert len(adapter.luid) == 21


def test_the_device_tree_and_the_displays_answer_or_say_nothing() -> None:
    state = devices.device_state(r"PCI\VEN_1002&DEV_FFFF\no_such_device")
    assert state is None or not state.present
    active = displays.active_instances()
    assert active is None or all("\\" in instance for instance in active)


def test_the_drive_of_a_folder_that_is_yet_to_be_made(tmp_path) -> None:
    from rocm_gui.system.windows.volumes import volume

    target = tmp_path / "a" / "b"
    found = volume(str(target), "target")
    assert found.mount == os.path.splitdrive(tmp_path)[0] + "\\"
    assert found.filesystem
    assert found.free_bytes is not None
    assert found.total_bytes is not None
    assert 0 < found.free_bytes <= found.total_bytes
    assert (found.network, found.onedrive, found.writable) == (False, False, True)
    assert list(tmp_path.iterdir()) == []


def test_drives_and_shares_that_are_not_there() -> None:
    from rocm_gui.system.windows.volumes import volume

    letter = next(letter for letter in "QRSTUVW" if not Path(f"{letter}:\\").exists())
    assert volume(f"{letter}:\\rocm", "target").mount is None
    share = volume(r"\\no-such-server.invalid\share\rocm", "target")
    assert (share.network, share.mount, share.writable) == (True, None, None)


def test_a_folder_that_is_kept_by_onedrive(tmp_path, monkeypatch) -> None:
    from rocm_gui.system.windows.volumes import volume

    monkeypatch.setenv("OneDrive", str(tmp_path).upper())
    assert volume(str(tmp_path / "rocm"), "target").onedrive is True


def test_files_of_the_system() -> None:
    from rocm_gui.system.windows.runtime import detect_runtime, read_file_version

    kernel = str(Path(os.environ["SYSTEMROOT"], "System32", "kernel32.dll"))
    version = read_file_version(kernel)
    assert version is not None
    assert version.startswith("10.0.")
    assert read_file_version(__file__) is None
    assert read_file_version(r"C:\no\such.dll") is None
    runtime = detect_runtime(os.environ)
    assert runtime.vc_runtime_present is True


def test_a_hip_library_on_the_path_is_seen(tmp_path) -> None:
    from rocm_gui.system.windows.runtime import detect_runtime

    (tmp_path / "amdhip64_6.dll").write_bytes(b"MZ")
    runtime = detect_runtime(dict(os.environ) | {"PATH": f'C:\\;"{tmp_path}";{tmp_path}\\'})
    assert [os.path.normcase(path) for path in runtime.hip_dlls] == [os.path.normcase(tmp_path / "amdhip64_6.dll")]


def test_registered_and_plain_interpreters(tmp_path) -> None:
    import winreg

    from rocm_gui.system.process import run
    from rocm_gui.system.windows.pythons import candidates

    company = f"rocm_gui-{uuid.uuid4().hex[:8]}"
    python = tmp_path / "Py 3" / "python.exe"
    python.parent.mkdir()
    python.write_bytes(b"MZ")
    place = rf"Software\Python\{company}\3.12\InstallPath"
    try:
        with winreg.CreateKeyEx(winreg.HKEY_CURRENT_USER, place, 0, winreg.KEY_WRITE) as handle:
            winreg.SetValueEx(handle, "", 0, winreg.REG_SZ, str(python.parent))
        found = candidates(WinRegistry(), os.environ, run)
    finally:
        for path in (place, place.rsplit("\\", 1)[0], rf"Software\Python\{company}"):
            winreg.DeleteKey(winreg.HKEY_CURRENT_USER, path)
    assert (str(python), "other") in found
    own = os.path.normcase(sys.base_prefix + r"\python.exe")
    assert own in {os.path.normcase(path) for path, _ in found}


def test_everything_found_can_be_written_as_json(table) -> None:
    import msgspec

    from rocm_gui.system.windows.host import detect_host

    assert json.loads(msgspec.json.encode(detect_host(WinRegistry())))["os"] == "windows"
