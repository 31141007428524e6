"""The GPUs of the Windows machine around a WSL: inside it there is no amdgpu and no /sys entry, only /dev/dxg.

Windows' CIM is asked through WSL's interoperability, which starts Windows programs from the mounted drive C:.
Where that is switched off (``[interop] enabled=false`` in /etc/wsl.conf), the cards stay unknown.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from rocm_gui.system.posix.volumes import read_mounts
from rocm_gui.system.windows.gpus import detect_gpus as detect_windows_gpus
from rocm_gui.system.windows.registry import MemoryRegistry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocm_gui.core.gpu_table import GpuTable
    from rocm_gui.core.model import Gpu
    from rocm_gui.system.process import Completed
    from rocm_gui.system.sources import Run

POWERSHELL = "Windows/System32/WindowsPowerShell/v1.0/powershell.exe"


def is_wsl(proc_root: Path) -> bool:
    """Whether the kernel is the one of WSL."""
    try:
        return "microsoft" in (proc_root / "sys/kernel/osrelease").read_text("utf-8").lower()
    except OSError:
        return False


def find_powershell(proc_root: Path) -> Path | None:
    r"""Windows' PowerShell on the mount of its system drive; the folder of the mounts can be configured."""
    windows_drives = (mount for mount in read_mounts(proc_root) if mount.filesystem in {"9p", "drvfs", "virtiofs"})
    for mount in windows_drives:
        program = Path(mount.point, POWERSHELL)
        if program.is_file():
            return program
    return None


def detect_wsl_gpus(proc_root: Path, run: Run, table: GpuTable) -> tuple[Gpu, ...]:
    """The cards as Windows lists them, judged for WSL.

    Raises:
        LookupError: where Windows cannot be asked; then nothing is known, which is not the same as no GPU.
    """
    powershell = find_powershell(proc_root)
    if powershell is None:
        raise LookupError("no powershell.exe on a mounted Windows drive")  # automount is off, see wsl.conf(5)
    answered: list[bool] = []

    def through_wsl(argv: Sequence[str], *, timeout_s: float) -> Completed:
        # From the drive of Windows: in a Linux folder its programs complain of a network path.
        done = run([str(powershell), *argv[1:]], timeout_s=timeout_s, cwd=powershell.parent)
        answered.append(done.ok)
        return done

    gpus = detect_windows_gpus(MemoryRegistry({}), through_wsl, table)
    if not any(answered):
        raise LookupError(f"no answer from {powershell}")
    return tuple(_judged_for_wsl(gpu, table) for gpu in gpus)


def _judged_for_wsl(gpu: Gpu, table: GpuTable) -> Gpu:
    match = table.identify(gpu.pci_id, gpu.pci_revision, gpu.pci_subsystem, gpu.name)
    return msgspec.structs.replace(gpu, support=match.support("wsl") if match else None)
