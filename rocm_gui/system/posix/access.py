"""What stands between this user and the GPU on Linux: device nodes and the kernel module."""

from __future__ import annotations

import os
from pathlib import Path

from rocm_gui.core.model import LinuxGpuAccess
from rocm_gui.system.posix.sysfs import names_in


def detect_access(sysfs_root: Path = Path("/sys"), dev_root: Path = Path("/dev")) -> LinuxGpuAccess:
    """Whether ``/dev/kfd`` and the render nodes are there and may be opened by this process."""
    kfd = dev_root / "kfd"
    kfd_present = _exists(kfd)
    nodes = tuple(str(dev_root / "dri" / name) for name in names_in(dev_root / "dri") if name.startswith("renderD"))
    return LinuxGpuAccess(
        kfd_present=kfd_present,
        kfd_accessible=_usable(kfd) if kfd_present else None,
        render_nodes=nodes,
        render_accessible=all(_usable(Path(node)) for node in nodes) if nodes else None,
        amdgpu_loaded=_exists(sysfs_root / "module" / "amdgpu"),
        dxg_present=_exists(dev_root / "dxg"),
    )


def _exists(path: Path) -> bool | None:
    """None where a folder on the way is closed to this user."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return None
    return True


def _usable(path: Path) -> bool:
    return os.access(path, os.R_OK | os.W_OK)
