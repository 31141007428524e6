import os
import sys
import threading
from dataclasses import replace
from pathlib import Path, PureWindowsPath

import msgspec
import pytest
from sources_builder import RecordedRun, make_sources, write

from rocm_gui.core.model import Machine, SetupOptions
from rocm_gui.system import machine as machine_module
from rocm_gui.system.machine import PROBES, Sources, collect, default_target, real_sources
from rocm_gui.system.paths import default_paths
from rocm_gui.system.posix import host as posix_host

posix = pytest.mark.skipif(sys.platform == "win32", reason="looks at a Linux machine")


@pytest.fixture(scope="module")
def sources() -> Sources:
    return real_sources(default_paths())


@posix
def test_this_machine_whole_and_saved(sources: Sources) -> None:
    machine = collect(sources, SetupOptions())
    assert machine.problems == {}
    missing = {name for name in PROBES if getattr(machine, name) is None}
    assert missing == {"windows_runtime"}
    assert {volume.purpose for volume in machine.volumes or ()} == {"target", "temp", "pip_cache", "home"}
    assert any(python.usable for python in machine.pythons or ())
    assert msgspec.json.decode(msgspec.json.encode(machine), type=Machine) == machine


def _cpu_s() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@posix
def test_it_is_quick(sources: Sources) -> None:
    """By processor time, children included, which a busy test machine does not lengthen much."""
    collect(sources, SetupOptions())
    begin = _cpu_s()
    collect(sources, SetupOptions())
    assert _cpu_s() - begin < 1.2


@posix
def test_only_the_probes_asked_for_run(sources: Sources) -> None:
    machine = collect(sources, SetupOptions(), {"variables", "host"})
    assert machine.host is not None
    assert machine.variables is not None
    assert (machine.gpus, machine.pythons, machine.problems) == (None, None, {})


def test_a_probe_that_is_none_of_ours_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no such probes"):
        collect(make_sources(tmp_path), SetupOptions(), {"horoscope"})


@posix
def test_a_crash_is_told_and_the_rest_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(posix_host, "detect_host", crash)
    machine = collect(make_sources(tmp_path), SetupOptions(), {"host", "variables", "rocm_installs"})
    assert machine.host is None
    assert machine.problems == {"host": "PermissionError: [Errno 13] Permission denied"}
    assert (machine.variables, machine.rocm_installs) == ({}, ())


@posix
def test_a_hang_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    never = threading.Event()
    monkeypatch.setattr(posix_host, "detect_host", lambda *_: never.wait())
    monkeypatch.setitem(machine_module.LIMITS_S, "host", 0.05)
    machine = collect(make_sources(tmp_path), SetupOptions(), {"host", "variables"})
    never.set()
    assert (machine.host, machine.variables, machine.problems) == (None, {}, {"host": "timeout"})


@posix
def test_volumes_follow_the_options(tmp_path: Path) -> None:
    options = SetupOptions(target=str(tmp_path / "T"), cache_dir=str(tmp_path / "C"))
    machine = collect(make_sources(tmp_path, environ={"TMPDIR": str(tmp_path)}), options, {"volumes"})
    assert [(one.purpose, one.path) for one in machine.volumes or ()] == [
        ("target", str(tmp_path / "T")),
        ("temp", str(tmp_path)),
        ("pip_cache", str(tmp_path / "C")),
        ("home", str(tmp_path / "home")),
    ]


@posix
def test_a_broken_pip_file_is_told_once(tmp_path: Path) -> None:
    write(tmp_path / "etc/pip.conf", "no section\n")
    machine = collect(make_sources(tmp_path), SetupOptions(), {"volumes", "pip_config"})
    assert machine.pip_config is None
    assert list(machine.problems) == ["pip_config"]
    cache = machine.volume("pip_cache")
    assert cache is not None
    assert cache.path == str(tmp_path / "home/.cache/pip")


@posix
def test_a_recorded_tree_gives_the_gpus_and_no_access(tmp_path: Path) -> None:
    device = tmp_path / "tree/class/drm/card1/device"
    for name, text in (("vendor", "0x1002"), ("device", "0x744c"), ("revision", "0xc8")):
        write(device / name, text + "\n")
    made = make_sources(tmp_path, sysfs_root=tmp_path / "tree")
    machine = collect(made, SetupOptions(), {"gpus", "linux_access"})
    assert [(gpu.pci_id, gpu.gfx_target) for gpu in machine.gpus or ()] == [("1002:744c", "gfx1100")]
    assert (machine.linux_access, machine.problems) == (None, {})


CIM = (
    '{"Name":"AMD Radeon RX 7900 XTX","PNPDeviceID":"PCI\\\\VEN_1002&DEV_744C&SUBSYS_E4711DA2&REV_C8\\\\6&1",'
    '"AdapterCompatibility":"Advanced Micro Devices, Inc.","DriverVersion":"32.0.31021.1015","DriverDate":null,'
    '"InfFilename":"oem12.inf","ConfigManagerErrorCode":0,"CurrentHorizontalResolution":3840}'
)


def wsl(root: Path, **changes: object) -> Sources:
    write(root / "proc/sys/kernel/osrelease", "6.6.87.2-microsoft-standard-WSL2\n")
    write(root / "proc/self/mounts", f"C:\\134 {root}/mnt/c 9p rw,aname=drvfs;path=C:\\134 0 0\n")
    return make_sources(root, **changes)


@posix
def test_in_wsl_windows_is_asked_for_the_gpus(tmp_path: Path) -> None:
    shell = write(tmp_path / "mnt/c/Windows/System32/WindowsPowerShell/v1.0/powershell.exe")
    recorded = RecordedRun({"powershell.exe": CIM})
    machine = collect(wsl(tmp_path, run=recorded), SetupOptions(), {"gpus"})
    (gpu,) = machine.gpus or ()
    assert (gpu.pci_id, gpu.gfx_target, gpu.name) == ("1002:744c", "gfx1100", "Radeon RX 7900 XTX")
    assert gpu.support == "official"
    assert recorded.calls[0][0] == str(shell)


@posix
def test_in_wsl_without_windows_the_gpus_are_unknown(tmp_path: Path) -> None:
    machine = collect(wsl(tmp_path), SetupOptions(), {"gpus"})
    assert machine.gpus is None
    assert "powershell.exe" in machine.problems["gpus"]


@pytest.mark.parametrize(
    ("home", "target"),
    [
        ("C:\\Users\\Li", "C:\\Users\\Li\\rocm"),
        ("C:\\Users\\李雷", "C:\\rocm"),
        ("C:\\Users\\Li 李", "C:\\rocm-li"),
        ("C:\\Users\\firstname.lastname", "C:\\Users\\firstname.lastname\\rocm"),
        ("C:\\Users\\" + "a.very.long.name" * 5, "C:\\rocm-averylongnam"),
    ],
)
def test_default_target_on_windows(tmp_path: Path, home: str, target: str) -> None:
    sources = make_sources(tmp_path, platform="win32", environ={"SystemDrive": "C:"})
    assert default_target(replace(sources, home=PureWindowsPath(home))) == target  # type: ignore[arg-type]


@posix
def test_default_target_on_linux(tmp_path: Path) -> None:
    assert default_target(make_sources(tmp_path)) == str(tmp_path / "home/rocm")
