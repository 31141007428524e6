"""What is said around a script, the same on the command line and in the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocm_gui.core.crash_codes import explain
from rocm_gui.core.report import describe_fault
from rocm_gui.core.script_faults import describe

if TYPE_CHECKING:
    from rocm_gui.core.script_faults import ScriptOutcome
    from rocm_gui.core.texts import Texts
    from rocm_gui.services.script_environment import PreparedScript


def place_sentence(prepared: PreparedScript, texts: Texts) -> str:
    """Which device the script will run on."""
    probe = prepared.probe
    if probe.fault is not None:
        return texts.get("run.no_torch", reason=describe_fault(probe.fault, texts))
    device, visible = prepared.device, prepared.visible
    if device is not None and visible is not None:
        name = device.name or device.gfx_target or device.arch_full
        return texts.get("run.on_gpu", index=device.index, name=name, variable=visible[0], visible=visible[1])
    if probe.build == "cpu":
        return texts.get("run.on_cpu")
    if probe.devices:
        return texts.get("run.on_all", count=len(probe.devices))
    return texts.get("run.no_gpu")


def end_sentences(prepared: PreparedScript, outcome: ScriptOutcome, texts: Texts) -> list[str]:
    """How it ended; then, where they are known, cause and remedy."""
    crash = explain(outcome.script_exit_code)
    sentences = [
        texts.get(
            f"run.state.{outcome.state}",
            seconds=outcome.seconds,
            exit_code=outcome.script_exit_code,
            shown=crash.shown if crash is not None else outcome.script_exit_code,
            limit_s=prepared.request.timeout_s,
        )
    ]
    if outcome.explanation is not None:
        cause, remedy = describe(outcome.explanation, texts)
        sentences.append(texts.get("run.cause", text=cause))
        if remedy:
            sentences.append(texts.get("run.remedy", text=remedy))
    return sentences
