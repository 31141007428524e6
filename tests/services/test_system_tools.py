"""The system's tools: asked where they stand, explained where they do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from machines import no_gpu, windows_one_radeon

from rocm_gui.core.parsers.gfx_names import gfx_names
from rocm_gui.core.verification import EnvironmentProbe
from rocm_gui.services.system_tools import ask_tools
from rocm_gui.system.process import Completed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

ROCMINFO = """
  Name:                    AMD Ryzen 7 7800X3D 8-Core Processor
  Name:                    gfx1100
  Marketing Name:          AMD Radeon RX 7900 XTX
      Name:                    amdgcn-amd-amdhsa--gfx1100
      Name:                    amdgcn-amd-amdhsa--gfx11-generic
  Name:                    gfx1036
"""


@pytest.fixture
def rocm(tmp_path: Path) -> EnvironmentProbe:
    scripts = tmp_path / "env" / "bin"
    scripts.mkdir(parents=True)
    return EnvironmentProbe(python=str(scripts / "python"), build="rocm")


def place(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)


class Calls:
    def __init__(self, **answers: Completed) -> None:
        self.answers = answers
        self.argvs: list[tuple[str, ...]] = []

    def __call__(self, argv: Sequence[str], **_: object) -> Completed:
        self.argvs.append(tuple(argv))
        name = argv[0].replace("\\", "/").rpartition("/")[2].replace("-", "_").removesuffix(".exe")
        return self.answers[name]


def done(stdout: str = "", code: int | None = 0, *, timed_out: bool = False, stderr: str = "") -> Completed:
    return Completed(("x",), code, stdout, stderr, 0.5, timed_out=timed_out)


def test_linux_tools_that_answer(rocm: EnvironmentProbe, tmp_path: Path) -> None:
    place(tmp_path / "env" / "bin", "rocminfo", "amd-smi", "rocm-sdk")
    calls = Calls(rocminfo=done(ROCMINFO), amd_smi=done("GPU: 0"), rocm_sdk=done("OK"))
    tools = ask_tools(rocm, None, windows=False, environ={"PATH": ""}, call=calls)
    assert [(tool.id, tool.status, tool.gfx_targets) for tool in tools] == [
        ("rocminfo", "ok", ("gfx1100", "gfx1036")),
        ("amd-smi", "ok", ()),
        ("rocm-sdk test", "ok", ()),
    ]  # rocm-smi is not missed where amd-smi is there
    assert [argv[1:] for argv in calls.argvs] == [(), ("list",), ("test",)]


def test_absent_tools_are_explained(rocm: EnvironmentProbe) -> None:
    tools = ask_tools(rocm, None, windows=False, environ={"PATH": ""}, call=Calls())
    notes = {tool.id: (tool.status, tool.note) for tool in tools}
    if tools[0].path is None:  # unless this machine has ROCm
        assert notes == {
            "rocminfo": ("absent", "rocminfo_absent"),
            "amd-smi": ("absent", "smi_absent"),
            "rocm-smi": ("absent", "rocm_smi_absent"),
            "rocm-sdk test": ("absent", "rocm_sdk_absent"),
        }


def test_tools_that_fail_crash_or_hang(rocm: EnvironmentProbe, tmp_path: Path) -> None:
    place(tmp_path / "env" / "bin", "rocminfo", "amd-smi", "rocm-sdk")
    denied = "Unable to open /dev/kfd read-write: Permission denied\nroot is not member of render group\n"
    calls = Calls(rocminfo=done(denied, 1), amd_smi=done("", -11), rocm_sdk=done("", None, timed_out=True))
    tools = {tool.id: tool for tool in ask_tools(rocm, None, windows=False, environ={"PATH": ""}, call=calls)}
    codes = {name: (tool.status, tool.fault.code if tool.fault else None) for name, tool in tools.items()}
    assert codes["rocminfo"] == ("failed", "kfd_denied")
    assert codes["amd-smi"] == ("failed", "crash")
    assert codes["rocm-sdk test"] == ("timed_out", "timeout")


def test_windows_asks_hipinfo_and_never_amd_smi(rocm: EnvironmentProbe, tmp_path: Path) -> None:
    place(tmp_path / "env" / "bin", "hipInfo.exe", "amd-smi")
    calls = Calls(hipInfo=done("gcnArchName:                      gfx1201\n"))
    tools = ask_tools(rocm, windows_one_radeon(), windows=True, environ={"PATH": ""}, call=calls)
    assert [(tool.id, tool.status, tool.gfx_targets) for tool in tools] == [
        ("hipInfo", "ok", ("gfx1201",)),
        ("rocm-sdk test", "absent", ()),
    ]


def test_a_cpu_build_on_a_machine_without_amd_has_no_tools_to_ask() -> None:
    assert ask_tools(EnvironmentProbe(python="/x/bin/python", build="cpu"), no_gpu(), call=Calls()) == ()


def test_architecture_names() -> None:
    assert gfx_names("gfx90a:sramecc+:xnack- gfx9-4-generic --gfx942 gfx1100, gfx1100") == ("gfx90a", "gfx1100")
