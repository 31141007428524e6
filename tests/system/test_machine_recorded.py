"""From recorded answers of Windows (registry, PowerShell, child Pythons) to the machine, its route and its commands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path, PureWindowsPath

import msgspec
import pytest
import windows_recordings as recorded
from sources_builder import RecordedRun, make_sources

from rocm_gui.core.model import Machine, PythonInstall, SetupOptions
from rocm_gui.core.route_choice import RouteChoice, choose_routes
from rocm_gui.system.machine import collect, default_target
from rocm_gui.system.paths import default_paths
from rocm_gui.system.route_files import read_route_book

GIB = 1 << 30
VERSION = r"HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion"
WINDOWS_11 = {
    VERSION: {
        "ProductName": "Windows 10 Pro",
        "CurrentBuildNumber": "26200",
        "DisplayVersion": "25H2",
        "EditionID": "Professional",
        "InstallationType": "Client",
        "UBR": 6899,
    }
}
PYTHON = PythonInstall(
    path=r"C:\Python312\python.exe", version="3.12.10", kind="python.org", bits=64, has_venv=True, usable=True
)
XTX = recorded.display(1, recorded.XTX, "AMD Radeon RX 7900 XTX", memory=24 * GIB)
RAPHAEL = recorded.display(0, recorded.RAPHAEL, "AMD Radeon(TM) Graphics", memory=512 << 20, place=(22, 0, 0))
NVIDIA = recorded.display(
    0,
    recorded.RTX_4070,
    "NVIDIA GeForce RTX 4070 Ti",
    provider="NVIDIA",
    service="nvlddmkm",
    release=None,
    place=(1, 0, 0),
)


def look(tmp_path: Path, *adapters: dict[str, dict[str, object]]) -> Machine:
    registry = recorded.registry(WINDOWS_11, *adapters)
    sources = make_sources(
        tmp_path, platform="win32", registry=registry, run=RecordedRun(), environ={"SystemDrive": "C:"}
    )
    machine = collect(sources, SetupOptions(), {"host", "gpus", "tools", "visual_studios", "variables", "pip_config"})
    assert machine.problems == {}
    return msgspec.structs.replace(machine, pythons=(PYTHON,))


def best(machine: Machine) -> RouteChoice:
    return choose_routes(read_route_book(default_paths()).routes, machine, SetupOptions())[0]


@pytest.mark.parametrize(
    ("adapters", "names", "kind", "gfx"),
    [
        ([XTX], ["Radeon RX 7900 XTX"], "wheels", "gfx1100"),
        ([RAPHAEL, XTX], [None, "Radeon RX 7900 XTX"], "wheels", "gfx1100"),
        ([NVIDIA, XTX], ["NVIDIA GeForce RTX 4070 Ti", "Radeon RX 7900 XTX"], "wheels", "gfx1100"),
        ([NVIDIA], ["NVIDIA GeForce RTX 4070 Ti"], "cpu", None),
        ([], [], "cpu", None),
    ],
    ids=["one Radeon", "APU and Radeon", "NVIDIA and Radeon", "NVIDIA only", "no GPU"],
)
def test_a_recorded_windows_machine_gets_its_route(
    tmp_path: Path, adapters: list[dict[str, dict[str, object]]], names: list[str | None], kind: str, gfx: str | None
) -> None:
    machine = look(tmp_path, *adapters)
    host = machine.host
    assert host is not None
    assert (host.os, host.os_name, host.os_build, host.os_release) == ("windows", "Windows 11 Pro", 26200, "25H2")
    known = [gpu.name if gpu.name in names else None for gpu in machine.gpus or ()]
    assert known == names
    choice = best(machine)
    assert choice.fits
    assert (choice.route.kind, choice.gfx_target) == (kind, gfx)
    assert "windows" in choice.route.os


def test_a_recorded_machine_can_be_saved_and_judged_elsewhere(tmp_path: Path) -> None:
    machine = look(tmp_path, RAPHAEL, XTX)
    loaded = msgspec.json.decode(msgspec.json.encode(machine), type=Machine)
    assert loaded == machine
    assert best(loaded) == best(machine)


def test_a_recorded_home_decides_the_target(tmp_path: Path) -> None:
    sources = replace(make_sources(tmp_path, platform="win32"), home=PureWindowsPath(r"C:\Users\Li"))  # type: ignore[arg-type]
    assert default_target(sources) == r"C:\Users\Li\rocm"
