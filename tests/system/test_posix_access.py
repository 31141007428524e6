from __future__ import annotations

import os

import pytest
from sysfs_builder import write

from rocm_gui.core.model import LinuxGpuAccess
from rocm_gui.system.posix.access import detect_access


def test_a_machine_without_gpu(tmp_path):
    assert detect_access(tmp_path / "sys", tmp_path / "dev") == LinuxGpuAccess(
        kfd_present=False, amdgpu_loaded=False, dxg_present=False
    )


def test_everything_open(tmp_path):
    dev = tmp_path / "dev"
    for name in ("kfd", "dri/card1", "dri/renderD128", "dri/renderD129", "dri/by-path/pci"):
        write(dev / name, "")
    (tmp_path / "sys/module/amdgpu").mkdir(parents=True)
    assert detect_access(tmp_path / "sys", dev) == LinuxGpuAccess(
        kfd_present=True,
        kfd_accessible=True,
        render_nodes=(str(dev / "dri/renderD128"), str(dev / "dri/renderD129")),
        render_accessible=True,
        amdgpu_loaded=True,
        dxg_present=False,
    )


def test_closed_nodes(tmp_path, monkeypatch):
    dev = tmp_path / "dev"
    for name in ("kfd", "dri/renderD128", "dri/renderD129", "dxg"):
        write(dev / name, "")
    closed = {str(dev / "kfd"), str(dev / "dri/renderD129")}
    monkeypatch.setattr(os, "access", lambda path, mode: mode == os.R_OK | os.W_OK and str(path) not in closed)
    access = detect_access(tmp_path / "sys", dev)
    assert (access.kfd_present, access.kfd_accessible, access.render_accessible) == (True, False, False)
    assert access.dxg_present is True


def test_a_closed_folder_says_nothing(tmp_path, monkeypatch):
    def denied(self):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(tmp_path), "lstat", denied)
    assert detect_access(tmp_path / "sys", tmp_path / "dev") == LinuxGpuAccess()


@pytest.mark.skipif(os.name == "nt", reason="device nodes of Linux")
def test_this_machine_answers():
    access = detect_access()
    assert access.kfd_present is os.path.lexists("/dev/kfd")
    assert (access.kfd_accessible is None) is not access.kfd_present
