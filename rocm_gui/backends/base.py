"""What every source of telemetry is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rocm_gui.core.telemetry import GpuInfo, ProcessUse, Sample


class TelemetrySource(Protocol):
    """Reads GPUs. Used from one thread; ``close`` may come from another, and more than once.

    A GPU that cannot be read is a GPU sample that says so, never an exception: the others go on.
    """

    @property
    def name(self) -> str:
        """Short and stable: "sysfs", "windows", "ssh://host"."""
        ...

    @property
    def simulated(self) -> str | None:
        """Name of the simulated machine; None where the values are measured."""
        ...

    def gpus(self) -> tuple[GpuInfo, ...]:
        """The GPUs known now; called again when a sample's ids differ."""
        ...

    def read(self) -> Sample:
        """One sample of all GPUs; blocks for at most about 200 ms.

        Raises:
            AppError: where the whole source is gone for good.
        """
        ...

    def processes(self) -> tuple[ProcessUse, ...] | None:
        """Who uses the GPUs; None where this source cannot tell. Slower than ``read``: every few seconds at most."""
        ...

    def close(self) -> None:
        """Let go of files, processes and connections."""
        ...
