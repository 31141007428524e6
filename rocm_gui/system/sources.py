"""Everything that the probes read, in one value: a recorded machine differs from the real one only here."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from rocm_gui.core.model import PythonInstall
    from rocm_gui.system.paths import Paths
    from rocm_gui.system.process import Completed
    from rocm_gui.system.windows.dxgi import DxgiAdapter
    from rocm_gui.system.windows.registry import Registry

    AnswerKey = tuple[str, str, int, int]  # path, kind, mtime in ns, size


class Run(Protocol):
    """The shape of ``system.process.run``."""

    def __call__(
        self,
        argv: Sequence[str],
        *,
        timeout_s: float,
        env: Mapping[str, str] | None = None,
        cwd: Path | str | None = None,
        input_text: str | None = None,
    ) -> Completed:
        """Run ``argv``; a missing program or a time-out is said in the result."""
        ...


@dataclass(frozen=True)
class Sources:
    """Where the facts about a machine come from; the defaults are this machine's own places."""

    platform: str  # as sys.platform: "linux", "win32"
    environ: Mapping[str, str]
    home: Path
    resources: Path
    run: Run
    registry: Registry | None = None  # Windows only
    dxgi: Callable[[], Sequence[DxgiAdapter] | None] | None = None  # Windows only; None: a real registry's own
    sysfs_root: Path | None = None  # a recorded tree laid out like /sys that the GPUs are read from, on any system
    system_sysfs: Path = Path("/sys")  # this machine's own, also for its drives
    proc_root: Path = Path("/proc")
    dev_root: Path = Path("/dev")
    etc_root: Path = Path("/etc")
    opt_root: Path = Path("/opt")
    program_folders: tuple[Path, ...] = (Path("/usr/local/bin"), Path("/usr/bin"))  # looked into beside PATH
    executable: str | None = None  # the interpreter that runs the product; None in a frozen program
    python_answers: dict[AnswerKey, PythonInstall] = field(default_factory=dict["AnswerKey", "PythonInstall"])

    @property
    def windows(self) -> bool:
        """Whether these are the sources of a Windows machine."""
        return self.platform == "win32"


def real_sources(paths: Paths) -> Sources:
    """The sources of the machine that runs this."""
    from rocm_gui.system.process import run

    registry: Registry | None = None
    if sys.platform == "win32":
        from rocm_gui.system.windows.registry import WinRegistry

        registry = WinRegistry()
    return Sources(
        platform=sys.platform,
        environ=dict(os.environ),
        home=Path.home(),
        resources=paths.resources,
        run=run,
        registry=registry,
        executable=None if getattr(sys, "frozen", False) else sys.executable,
    )
