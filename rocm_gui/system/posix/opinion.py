"""Asks ``rocminfo`` where the kernel's files leave a question open.

It opens ``/dev/kfd`` and so wakes sleeping GPUs: it is not asked where there is nothing to learn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocm_gui.core.parsers.rocminfo import Rocminfo, parse_rocminfo
from rocm_gui.core.second_opinion import add_second_opinion, seen_by_rocminfo
from rocm_gui.system.process import child_env

if TYPE_CHECKING:
    from rocm_gui.core.gpu_table import GpuTable, System
    from rocm_gui.core.model import Gpu
    from rocm_gui.system.sources import Run

LIMIT_S = 10.0
# Variables that hide GPUs from the tool or make it pretend another target.
_BLINKERS = ("HSA_OVERRIDE_GFX_VERSION", "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL")


def has_open_question(gpus: tuple[Gpu, ...], system: System) -> bool:
    """Whether the runtime may know more: a card without one name or without a target, or a WSL that shows none."""
    amd = [gpu for gpu in gpus if gpu.vendor == "amd" and gpu.support != "too_old"]
    return any(gpu.name is None or gpu.gfx_target is None for gpu in amd) or (system == "wsl" and not amd)


def ask_rocminfo(run: Run, program: str = "rocminfo", limit_s: float = LIMIT_S) -> Rocminfo | None:
    """What ``rocminfo`` says, without the variables that would blinker it; None where it is not installed."""
    done = run([program], timeout_s=limit_s, env=child_env(dict.fromkeys(_BLINKERS)))
    return None if done.missing else parse_rocminfo(f"{done.stdout}\n{done.stderr}")


def with_second_opinion(
    gpus: tuple[Gpu, ...], run: Run, table: GpuTable, system: System, program: str = "rocminfo"
) -> tuple[Gpu, ...]:
    """``gpus`` as they are, or with the answers of ``rocminfo`` where one of them has an open question."""
    if not has_open_question(gpus, system):
        return gpus
    info = ask_rocminfo(run, program)
    return gpus if info is None else add_second_opinion(gpus, seen_by_rocminfo(info.agents), table, system)
