"""Asks CIM for the display adapters, in a PowerShell of its own with a time limit.

CIM can block for ever on a broken repository and takes one to three seconds on a sound one, so it is asked only
for what the registry and the device tree leave open, and never in this process.
"""

from __future__ import annotations

import ntpath
import os
from typing import TYPE_CHECKING, Protocol

from rocm_gui.core.parsers.cim import parse_video_controllers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocm_gui.core.parsers.cim import CimAdapter
    from rocm_gui.system.process import Completed

LIMIT_S = 10.0
# No double quotes in it: they would have to be escaped once more for PowerShell's own command line.
QUERY = (
    "$ErrorActionPreference='Stop';$ProgressPreference='SilentlyContinue';"
    "try{[Console]::OutputEncoding=New-Object System.Text.UTF8Encoding $false}catch{};"
    "@(Get-CimInstance -ClassName Win32_VideoController -OperationTimeoutSec 8|"
    "Select-Object Name,PNPDeviceID,AdapterCompatibility,DriverVersion,DriverDate,"
    "InfFilename,ConfigManagerErrorCode,CurrentHorizontalResolution)|ConvertTo-Json -Compress"
)


class Run(Protocol):
    """What is needed of ``system.process.run``."""

    def __call__(self, argv: list[str], *, timeout_s: float) -> Completed:
        """Run ``argv`` to its end or the limit; a missing program is an answer."""
        ...


def powershell(environ: Mapping[str, str] | None = None) -> str:
    """Windows' own PowerShell 5.1 by its full path: it need not be on PATH, and another may be."""
    variables = os.environ if environ is None else environ
    root = variables.get("SystemRoot") or variables.get("SYSTEMROOT") or r"C:\Windows"
    return ntpath.join(root, "System32", "WindowsPowerShell", "v1.0", "powershell.exe")


def command(query: str = QUERY, environ: Mapping[str, str] | None = None) -> list[str]:
    """The argv that runs ``query`` without profile and questions.

    ``-Command`` in plain text: ``-EncodedCommand`` is what virus scanners stop.
    """
    return [powershell(environ), "-NoLogo", "-NoProfile", "-NonInteractive", "-Command", query]


def video_controllers(run: Run, *, timeout_s: float = LIMIT_S) -> Sequence[CimAdapter] | None:
    """The adapters that CIM lists (present ones only); None where there is no answer in time."""
    completed = run(command(), timeout_s=timeout_s)
    if completed.timed_out or completed.missing:
        return None
    return parse_video_controllers(completed.stdout)
