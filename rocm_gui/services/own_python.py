"""The Python that runs this program, as the machine lists it. Pages ask for it, so it loads nothing else."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rocm_gui.system.pyenv import same_python

if TYPE_CHECKING:
    from rocm_gui.core.model import Machine


def own_python(machine: Machine) -> str | None:
    """The interpreter that runs us, or the one its environment was made from, as ``machine`` lists it."""
    if getattr(sys, "frozen", False):
        return None
    own = getattr(sys, "_base_executable", None) or sys.executable
    usable = (python.path for python in machine.pythons or () if python.usable)
    return next((path for path in usable if same_python(path, own)), None)
