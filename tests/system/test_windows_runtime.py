import os
import struct
from pathlib import Path

import pytest
from sources_builder import write

from rocm_gui.system.windows.registry import MemoryRegistry
from rocm_gui.system.windows.runtime import detect_runtime, fixed_version, hip_dlls, rights_policy, search_path

POLICY = r"HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\Policies\System"
NORMAL = MemoryRegistry({POLICY: {"EnableLUA": 1, "ConsentPromptBehaviorUser": 3}})


def test_runtime_and_every_hip_library_in_search_order(tmp_path) -> None:
    system = tmp_path / "Windows" / "System32"
    for name in ("MSVCP140.dll", "vcruntime140.dll", "vcruntime140_1.dll", "amdhip64_7.dll", "amdhip32.dll"):
        write(system / name)
    sdk = tmp_path / "ROCm" / "6.2" / "bin"
    write(sdk / "amdhip64_6.dll")
    environ = {
        "SystemRoot": str(tmp_path / "Windows"),
        "Path": os.pathsep.join([str(system), f'"{sdk}"', "", "relative", r"\\server\share", str(sdk)]),
    }
    runtime = detect_runtime(environ, NORMAL, lambda path: f"version of {Path(path).name}")
    assert runtime.vc_runtime_version == "version of msvcp140.dll"
    assert runtime.vc_runtime_present is True
    assert runtime.hip_dlls == (str(system / "amdhip64_7.dll"), str(sdk / "amdhip64_6.dll"))
    assert runtime.admin_rights_policy == "prompt"


def test_an_old_runtime_lacks_the_newest_file(tmp_path) -> None:
    for name in ("msvcp140.dll", "vcruntime140.dll"):
        write(tmp_path / "System32" / name)
    runtime = detect_runtime({"SYSTEMROOT": str(tmp_path)}, NORMAL, lambda _: "14.0.24215.1")
    assert (runtime.vc_runtime_present, runtime.vc_runtime_version) == (False, "14.0.24215.1")


def test_without_a_system_folder_nothing_is_known() -> None:
    runtime = detect_runtime({}, MemoryRegistry({}))
    assert (runtime.vc_runtime_present, runtime.vc_runtime_version) == (None, None)
    assert (runtime.hip_dlls, runtime.admin_rights_policy) == ((), None)


def test_folders_that_are_gone_hold_nothing(tmp_path) -> None:
    assert hip_dlls([tmp_path / "gone", tmp_path]) == ()


def test_variables_in_the_path_are_filled_in(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("HIP_PATH", str(tmp_path))
    assert search_path({"PATH": "$HIP_PATH" + os.sep + "bin"}) == [tmp_path / "bin"]


@pytest.mark.parametrize(
    ("values", "policy"),
    [
        ({"EnableLUA": 0}, "uac_off"),
        ({"EnableLUA": 1, "ConsentPromptBehaviorUser": 0}, "denied_to_users"),
        ({"EnableLUA": 1, "ValidateAdminCodeSignatures": 1}, "signed_only"),
        ({}, "prompt"),
    ],
)
def test_rights_policy(values: dict[str, object], policy: str) -> None:
    assert rights_policy(MemoryRegistry({POLICY: values})) == policy


def test_fixed_file_version() -> None:
    info = struct.pack("<IIII", 0xFEEF04BD, 0x10000, 14 << 16 | 40, 33810 << 16)
    assert fixed_version(info) == "14.40.33810.0"
    assert fixed_version(bytes(16)) is None
