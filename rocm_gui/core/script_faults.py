"""Why a person's own script failed: its last traceback and its exit code become a cause and a remedy. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

import msgspec

from rocm_gui.core.crash_codes import explain
from rocm_gui.core.faults import recognise, shorten
from rocm_gui.core.texts import pick
from rocm_gui.core.troubles import Trouble, match
from rocm_gui.core.verification import Fact, Layer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocm_gui.core.texts import Texts
    from rocm_gui.core.troubles import System

ScriptState = Literal["done", "failed", "crashed", "cancelled", "timed_out", "not_started"]
PASSED_THROUGH = 125  # exit codes up to this one are the script's own; shells give the others meanings
_TRACEBACK = "Traceback (most recent call last):"
_LAST_BYTES = 16_000

# What is a person's own to mend comes before what is known of the libraries. A group becomes a fact.
_OWN: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (code, re.compile(pattern, re.MULTILINE | re.DOTALL))
    for code, pattern in (
        ("main_guard", r"before the\s+current process has finished its\s+bootstrapping phase"),
        ("module_shadowed", r"partially initialized module '(?P<library>[\w.]+)'"),
        ("module_missing", r"^(?:ModuleNotFoundError|ImportError): No module named '?(?P<library>[\w.]+)"),
        ("cpu_build", r"Torch not compiled with CUDA enabled|deserialize object on a CUDA device but"),
        ("device_mixed", r"Expected all tensors to be on the same device"),
        (
            "shared_memory",
            r"insufficient shared memory|killed by signal: Bus error|unable to open shared memory object",
        ),
        ("worker_died", r"DataLoader worker \(pid(?:\(s\))? [\d, ]+\) (?:exited unexpectedly|is killed)"),
    )
)
_SENTENCES = frozenset(
    {
        "main_guard", "module_shadowed", "module_missing", "cpu_build", "device_mixed", "shared_memory", "worker_died",
        "app_control", "page_file", "library_mismatch", "library_broken", "library_missing", "no_kernel",
        "tensile_missing", "out_of_memory", "kfd_denied", "driver_too_old", "gpu_fault", "gpu_reset",
        "device_missing", "no_device", "miopen_compile", "miopen_database", "miopen_error", "blas_error",
    }
)  # fmt: skip


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """Cause and remedy of a script's end, as codes and facts."""

    code: str  # [run.fault.CODE], or a trouble's id
    layer: Layer | None = None
    facts: dict[str, Fact] = {}
    message: str = ""  # the line that told it, in the library's own words
    trouble: Trouble | None = None


class ScriptOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a script ended."""

    state: ScriptState
    exit_code: int  # what ``rocm-gui run`` ends with
    script_exit_code: int | None = None  # negative signal number on POSIX, unsigned on Windows
    seconds: float = 0.0
    kept_awake: str | None = None  # what held sleep off; None: nothing did
    explanation: Explanation | None = None


def exit_code_of(state: ScriptState, script_exit_code: int | None) -> int:
    """The exit code of ``rocm-gui run``: the script's own from 0 to 125, else 1, 4 (crash, time) or 130 (stopped)."""
    if state == "cancelled":
        return 130
    if state in ("crashed", "timed_out"):
        return 4
    if state == "not_started":
        return 2
    if script_exit_code is None or not 0 <= script_exit_code <= PASSED_THROUGH:
        return 1
    return script_exit_code


def state_of(script_exit_code: int | None, *, cancelled: bool, timed_out: bool) -> ScriptState:
    """How a script ended, by its exit code and by what was done to it."""
    if cancelled:
        return "cancelled"
    if timed_out:
        return "timed_out"
    if script_exit_code == 0:
        return "done"
    crash = explain(script_exit_code)
    if crash is not None and crash.code == "interrupted":
        return "cancelled"
    return "crashed" if crash is not None or script_exit_code is None else "failed"


def explain_script(
    exit_code: int | None, errors: str, system: System, troubles: Iterable[Trouble] = ()
) -> Explanation | None:
    """The known cause behind a script that failed; None where its own traceback says all there is.

    Args:
        exit_code: the script's own, as ``ScriptOutcome`` has it.
        errors: the last of its standard error.
        system: where it ran.
        troubles: the known troubles.
    """
    crash = explain(exit_code)
    text = last_error(errors)
    facts: dict[str, Fact] = {"exit_code": exit_code}
    if crash is not None:
        facts |= {"crash": crash.code, "shown": crash.shown}
    for code, pattern in _OWN:
        found = pattern.search(text)
        if found is not None:
            named = {key: value for key, value in found.groupdict().items() if value}
            return Explanation(code=code, facts={**facts, **named}, message=_line_at(text, found.start()))
    fault = recognise(text)
    known = next(iter(match(text, system, troubles)), None)
    if known is not None:
        layer, message = (fault.layer, fault.message) if fault else (None, "")
        return Explanation(code=known.id, layer=layer, facts=facts, trouble=known, message=message)
    if fault is not None and fault.code in _SENTENCES:
        return Explanation(code=fault.code, layer=fault.layer, facts={**facts, **fault.facts}, message=fault.message)
    if crash is not None:
        return Explanation(code="crash", layer=crash.layer, facts=facts)
    return None


def last_error(errors: str) -> str:
    """The last traceback of ``errors`` and what led to it, or its last part where there is none."""
    errors = errors[-_LAST_BYTES:]
    start = errors.rfind(_TRACEBACK)
    if start < 0:
        return errors
    linked = ("The above exception was the direct cause", "During handling of the above exception")
    while start > 0 and any(words in errors[max(0, start - 160) : start] for words in linked):
        start = errors.rfind(_TRACEBACK, 0, start)
    return errors[max(0, start) :]


def describe(explanation: Explanation, texts: Texts) -> tuple[str, str]:
    """Cause and remedy in the language of ``texts``; the remedy may be empty."""
    if explanation.trouble is not None:
        cause, remedy = (pick(text, texts.language) for text in (explanation.trouble.cause, explanation.trouble.remedy))
        return cause or explanation.code, remedy or ""
    facts = dict(explanation.facts)
    if explanation.code == "crash":
        facts["text"] = texts.get(f"verify.crash.{facts['crash']}")
    if explanation.code in ("library_missing", "library_mismatch"):
        facts.setdefault("library", "?")
    code = f"run.fault.{explanation.code}"
    return texts.get(f"{code}.cause", **facts), texts.get(f"{code}.remedy", **facts)


def _line_at(text: str, position: int) -> str:
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    return shorten(text[start : end if end >= 0 else len(text)])
