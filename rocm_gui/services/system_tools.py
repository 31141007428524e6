"""Runs the system's own GPU tools for a second opinion: with limits where present, explained where absent."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from rocm_gui.core.faults import fault_of_crash, fault_of_timeout, shorten
from rocm_gui.core.parsers.gfx_names import gfx_names
from rocm_gui.core.verification import Fault, ToolResult
from rocm_gui.system.process import Completed, child_env, find_program, run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rocm_gui.core.model import Machine
    from rocm_gui.core.verification import EnvironmentProbe


class _Tool(msgspec.Struct, frozen=True):
    id: str
    names: tuple[str, ...]
    arguments: tuple[str, ...]
    timeout_s: float
    absent: str  # code below [verify.tool]


# amd-smi is not asked on Windows: it is not supported there and may ask for elevation.
_LINUX = (
    _Tool("rocminfo", ("rocminfo",), (), 30, "rocminfo_absent"),
    _Tool("amd-smi", ("amd-smi",), ("list",), 30, "smi_absent"),
    _Tool("rocm-smi", ("rocm-smi",), ("--showproductname",), 30, "rocm_smi_absent"),
)
_WINDOWS = (_Tool("hipInfo", ("hipInfo.exe", "hipInfo"), (), 60, "hipinfo_absent"),)
_SDK_TEST = _Tool("rocm-sdk test", ("rocm-sdk", "rocm-sdk.exe"), ("test",), 300, "rocm_sdk_absent")


def ask_tools(
    probe: EnvironmentProbe,
    machine: Machine | None,
    *,
    windows: bool = sys.platform == "win32",
    environ: Mapping[str, str] | None = None,
    call: Callable[..., Completed] = run,
) -> tuple[ToolResult, ...]:
    """What each tool of this system says. Nothing is asked where neither PyTorch nor the machine has to do with AMD."""
    if probe.build != "rocm" and not (machine is not None and machine.amd_gpus):
        return ()
    folders = _folders(probe, windows=windows)
    base = child_env() if environ is None else dict(environ)
    path = os.pathsep.join([*folders, base.get("PATH", "")])
    environ = {**base, "PATH": path}
    tools = [*(_WINDOWS if windows else _LINUX), *([_SDK_TEST] if probe.build == "rocm" else [])]
    answers = [_ask(tool, environ, call) for tool in tools]
    if any(answer.id == "amd-smi" and answer.status != "absent" for answer in answers):
        answers = [answer for answer in answers if answer.id != "rocm-smi" or answer.status != "absent"]
    return tuple(answers)


def _folders(probe: EnvironmentProbe, *, windows: bool) -> list[str]:
    """Where the tools stand beside PATH: the environment first, for its tools fit its libraries."""
    scripts = Path(probe.python).parent
    folders = [str(scripts), str(scripts / "Scripts")] if windows else [str(scripts), "/opt/rocm/bin"]
    hip_path = os.environ.get("HIP_PATH")
    if windows and hip_path:
        folders.append(str(Path(hip_path) / "bin"))
    return folders


def _ask(tool: _Tool, environ: Mapping[str, str], call: Callable[..., Completed]) -> ToolResult:
    program = next(filter(None, (find_program(name, environ) for name in tool.names)), None)
    if program is None:
        return ToolResult(id=tool.id, status="absent", note=tool.absent)
    done = call([program, *tool.arguments], timeout_s=tool.timeout_s, env=environ)
    text = f"{done.stdout}\n{done.stderr}"
    asked = ToolResult(id=tool.id, status="ok", path=program, seconds=done.duration_s)
    if done.missing:
        return ToolResult(id=tool.id, status="absent", note=tool.absent)
    if done.timed_out:
        return replace(asked, status="timed_out", fault=fault_of_timeout(tool.timeout_s))
    if done.ok:
        return replace(asked, gfx_targets=gfx_names(text))
    fault = fault_of_crash(done.code, text)
    if fault.code == "ended":
        fault = Fault(code="tool_failed", facts={"exit_code": done.code}, message=shorten(_last_line(text)))
    return replace(asked, status="failed", gfx_targets=gfx_names(text), fault=fault)


def _last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2]
