import sys
from pathlib import Path

import pytest
from sources_builder import make_sources, write

from rocm_gui.core.model import RocmInstall
from rocm_gui.system.rocm_installs import find_rocm_installs

posix = pytest.mark.skipif(sys.platform == "win32", reason="makes symbolic links")


def install(root: Path, version: str | None = None) -> Path:
    (root / "bin").mkdir(parents=True)
    if version:
        write(root / ".info/version", version)
    return root


@posix
def test_several_by_number_and_the_link_once(tmp_path: Path) -> None:
    opt = tmp_path / "opt"
    install(opt / "rocm-6.2.4", "6.2.4-120\n")
    install(opt / "rocm-6.10.0", "6.10.0-33\n")
    (opt / "rocm").symlink_to("rocm-6.2.4")
    (opt / "rocm-5.7.1").mkdir()  # left behind by an uninstaller
    assert find_rocm_installs(make_sources(tmp_path)) == (
        RocmInstall(kind="rocm", path=str(opt / "rocm-6.10.0"), version="6.10.0"),
        RocmInstall(kind="rocm", path=str(opt / "rocm-6.2.4"), version="6.2.4"),
    )


@posix
def test_the_layout_of_rocm_10(tmp_path: Path) -> None:
    rocm = tmp_path / "opt/rocm"
    install(rocm / "core-10.1")
    install(rocm / "core-10.0", "10.0.0\n")
    (rocm / "bin").mkdir()
    assert [(one.path, one.version) for one in find_rocm_installs(make_sources(tmp_path))] == [
        (str(rocm / "core-10.1"), "10.1"),
        (str(rocm / "core-10.0"), "10.0.0"),
    ]


@posix
def test_one_in_a_place_of_its_own_and_one_without_a_version(tmp_path: Path) -> None:
    own = install(tmp_path / "my/rocm", "7.2.1-1")
    install(tmp_path / "opt/rocm")
    found = find_rocm_installs(make_sources(tmp_path, environ={"ROCM_PATH": str(own), "HIP_PATH": str(own)}))
    assert [(one.path, one.version) for one in found] == [(str(own), "7.2.1"), (str(tmp_path / "opt/rocm"), None)]


def test_none(tmp_path: Path) -> None:
    assert find_rocm_installs(make_sources(tmp_path)) == ()
    assert find_rocm_installs(make_sources(tmp_path, platform="win32", environ={"ProgramFiles": str(tmp_path)})) == ()


def test_a_hip_sdk_by_its_variable(tmp_path: Path) -> None:
    sdk = install(tmp_path / "6.4")
    named = install(tmp_path / "hip")
    write(named / "bin/.hipVersion", "HIP_VERSION_MAJOR=7\nHIP_VERSION_MINOR=1\nHIP_VERSION_PATCH=25424\n")
    environ = {"ProgramFiles": str(tmp_path / "none"), "HIP_PATH": str(sdk), "ROCM_PATH": str(named)}
    found = find_rocm_installs(make_sources(tmp_path, platform="win32", environ=environ))
    assert found == (
        RocmInstall(kind="hip_sdk", path=str(named), version="7.1.25424"),
        RocmInstall(kind="hip_sdk", path=str(sdk), version="6.4"),
    )
