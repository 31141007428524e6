import json
import sys
from pathlib import Path

import pytest
from sources_builder import RecordedRun, make_sources, write

from rocm_gui.core.model import Tool, VisualStudio
from rocm_gui.system.process import Completed, run
from rocm_gui.system.tools import TOOLS, find_tools, find_visual_studios

posix = pytest.mark.skipif(sys.platform == "win32", reason="scripts stand in for the programs")


def script(path: Path, line: str) -> Path:
    return write(path, f"#!/bin/sh\n{line}\n", executable=True)


@posix
def test_versions_are_asked_of_the_programs_on_path(tmp_path: Path) -> None:
    script(tmp_path / "bin/git", 'echo "git version 2.47.1"')
    script(tmp_path / "bin/ninja", "echo 1.12.1")
    script(tmp_path / "bin/cmake", "echo broken >&2; exit 3")
    found = find_tools(make_sources(tmp_path, run=run, environ={"PATH": str(tmp_path / "bin")}))
    assert [tool.id for tool in found] == list(TOOLS)
    known = {tool.id: tool for tool in found if tool.path}
    assert known == {
        "git": Tool(id="git", path=str(tmp_path / "bin/git"), version="2.47.1"),
        "ninja": Tool(id="ninja", path=str(tmp_path / "bin/ninja"), version="1.12.1"),
        "cmake": Tool(id="cmake", path=str(tmp_path / "bin/cmake"), version=None),
    }


@posix
def test_gpu_tools_are_found_in_rocm_and_never_started(tmp_path: Path) -> None:
    rocm = tmp_path / "opt/rocm-6.4.1"
    for name in ("rocminfo", "amd-smi", "rocm-smi"):
        script(rocm / "bin" / name, "exit 1")
    script(rocm / "bin/hipcc", "exit 1")
    write(rocm / ".info/version", "6.4.1-83\n")
    recorded = RecordedRun({"hipcc": "HIP version: 6.4.43483-a187df25c\nAMD clang version 19.0.0git\n"})
    found = {tool.id: tool for tool in find_tools(make_sources(tmp_path, run=recorded))}
    assert found["rocminfo"] == Tool(id="rocminfo", path=str(rocm / "bin/rocminfo"))
    assert found["amd-smi"].path == str(rocm / "bin/amd-smi")
    assert found["hipcc"] == Tool(id="hipcc", path=str(rocm / "bin/hipcc"), version="6.4.43483")
    assert [call[0] for call in recorded.calls] == [str(rocm / "bin/hipcc")]


@posix
def test_conda_is_read_not_started(tmp_path: Path) -> None:
    recorded = RecordedRun()
    root = tmp_path / "home/miniforge3"
    script(root / "condabin/conda", "exit 1")
    write(root / "conda-meta/conda-24.11.1-py312h7900ff3_0.json", "{}")
    write(root / "conda-meta/conda-libmamba-solver-24.9.0-pyhd8ed1ab_0.json", "{}")
    found = {tool.id: tool for tool in find_tools(make_sources(tmp_path, run=recorded))}
    assert found["conda"] == Tool(id="conda", path=str(root / "condabin/conda"), version="24.11.1")
    assert recorded.calls == []


@posix
def test_a_dead_winget_alias_is_no_winget(tmp_path: Path) -> None:
    script(tmp_path / "WindowsApps/winget", "exit 1")
    environ = {"PATH": str(tmp_path / "WindowsApps")}
    dead = RecordedRun({"winget": Completed(("winget",), None, "", "", 0.0, error="cannot be accessed by the system")})
    live = RecordedRun({"winget": "v1.9.25200\r\n"})
    answers = [
        next(
            tool
            for tool in find_tools(make_sources(tmp_path, platform="win32", run=answer, environ=environ))
            if tool.id == "winget"
        )
        for answer in (dead, live)
    ]
    assert answers == [
        Tool(id="winget"),
        Tool(id="winget", path=str(tmp_path / "WindowsApps/winget"), version="1.9.25200"),
    ]


def vswhere(*instances: dict[str, object]) -> RecordedRun:
    return RecordedRun({"vswhere.exe": json.dumps(instances)})


def test_visual_studios_with_their_newest_whole_toolset(tmp_path: Path) -> None:
    tools = tmp_path / "BuildTools/VC/Tools/MSVC"
    write(tools / "14.29.30133/include/type_traits")
    write(tools / "14.42.34433/include/type_traits")
    (tools / "14.44.35207/bin").mkdir(parents=True)  # what an uninstalled toolset leaves behind
    recorded = vswhere(
        {
            "installationPath": str(tmp_path / "BuildTools"),
            "installationVersion": "17.12.35527.113",
            "displayName": "Visual Studio Build Tools 2022",
            "isComplete": True,
        },
        {
            "installationPath": str(tmp_path / "half"),
            "productId": "Microsoft.VisualStudio.Product.Community",
            "isComplete": False,
        },
    )
    environ = {"PROGRAMFILES(X86)": "D:\\Programs (x86)"}
    found = find_visual_studios(make_sources(tmp_path, platform="win32", run=recorded, environ=environ))
    assert found == (
        VisualStudio(
            name="Visual Studio Build Tools 2022",
            path=str(tmp_path / "BuildTools"),
            version="17.12.35527.113",
            complete=True,
            msvc_version="14.42.34433",
        ),
        VisualStudio(name="Microsoft.VisualStudio.Product.Community", path=str(tmp_path / "half"), complete=False),
    )
    (command,) = recorded.calls
    assert command[0] == "D:\\Programs (x86)\\Microsoft Visual Studio\\Installer\\vswhere.exe"
    assert command[1:] == ("-products", "*", "-all", "-prerelease", "-utf8", "-format", "json")


def test_no_visual_studio_installer_and_no_windows(tmp_path: Path) -> None:
    assert find_visual_studios(make_sources(tmp_path, platform="win32")) == ()
    recorded = vswhere()
    assert find_visual_studios(make_sources(tmp_path, run=recorded)) == ()
    assert recorded.calls == []


@pytest.mark.parametrize(
    "ending",
    [
        Completed(("vswhere",), None, "", "", 3.0, timed_out=True),
        Completed(("vswhere",), 87, "Error 0x57", "", 0.1),
        Completed(("vswhere",), 0, "no JSON", "", 0.1),
    ],
)
def test_a_vswhere_that_fails_is_a_problem_not_an_empty_list(tmp_path: Path, ending: Completed) -> None:
    sources = make_sources(tmp_path, platform="win32", run=RecordedRun({"vswhere.exe": ending}))
    with pytest.raises((OSError, ValueError)):
        find_visual_studios(sources)
