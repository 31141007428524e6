"""What an exit code says of how a process died. The sentences stand under ``[verify.crash]``."""

from __future__ import annotations

import msgspec

from rocm_gui.core.verification import Layer


class Crash(msgspec.Struct, frozen=True, kw_only=True):
    """A known way to die."""

    code: str  # name below [verify.crash]
    shown: str  # "0xC0000005", "SIGSEGV"
    layer: Layer | None = None  # where the code alone tells it


# NTSTATUS and the loader's own exception codes: Microsoft, [MS-ERREF] 2.3.1 and delayimp.h
_WINDOWS: dict[int, tuple[str, Layer | None]] = {
    0xC0000005: ("access_violation", None),
    0xC0000006: ("in_page_error", "libraries"),
    0xC0000017: ("no_memory", "memory"),
    0xC000001D: ("illegal_instruction", "libraries"),
    0xC0000022: ("access_denied", "libraries"),
    0xC000007B: ("bad_image", "libraries"),
    0xC0000094: ("integer_division", None),
    0xC00000FD: ("stack_overflow", None),
    0xC000012D: ("commit_limit", "memory"),
    0xC0000135: ("dll_missing", "libraries"),
    0xC0000138: ("entry_point_missing", "libraries"),
    0xC0000139: ("entry_point_missing", "libraries"),
    0xC000013A: ("interrupted", None),
    0xC0000142: ("dll_start_failed", "libraries"),
    0xC0000374: ("heap_corruption", None),
    0xC0000409: ("fail_fast", None),
    0xC0000428: ("app_control", "libraries"),  # invalid image hash: code integrity
    0xC0E90002: ("app_control", "libraries"),  # Smart App Control or another policy of code integrity
    0xC06D007E: ("dll_missing", "libraries"),  # delay-loaded module not found
    0xC06D007F: ("entry_point_missing", "libraries"),  # delay-loaded function not found
    0xE06D7363: ("cpp_exception", None),
    0x80000003: ("breakpoint", None),
}

# Linux numbers, the same on x86-64 and arm64
_SIGNALS: dict[int, tuple[str, str, Layer | None]] = {
    2: ("SIGINT", "interrupted", None),
    4: ("SIGILL", "illegal_instruction", "libraries"),
    5: ("SIGTRAP", "breakpoint", None),
    6: ("SIGABRT", "aborted", None),
    7: ("SIGBUS", "bus_error", "memory"),
    8: ("SIGFPE", "integer_division", None),
    9: ("SIGKILL", "killed", "memory"),
    11: ("SIGSEGV", "access_violation", None),
    15: ("SIGTERM", "terminated", None),
    31: ("SIGSYS", "system_call_refused", None),
}


def explain(exit_code: int | None) -> Crash | None:
    """How a process with ``exit_code`` died; None where the code tells of no crash (0, 1, 2, ... or not known).

    Negative codes from -64 are POSIX signals; other negative ones are Windows codes read as signed.
    """
    if exit_code is None:
        return None
    if -64 <= exit_code < 0:
        name, code, layer = _SIGNALS.get(-exit_code, (f"signal {-exit_code}", "signal", None))
        return Crash(code=code, shown=name, layer=layer)
    unsigned = exit_code & 0xFFFFFFFF
    known = _WINDOWS.get(unsigned)
    if known is not None:
        return Crash(code=known[0], shown=f"0x{unsigned:08X}", layer=known[1])
    if unsigned >= 0x80000000:
        return Crash(code="exception_code", shown=f"0x{unsigned:08X}")
    return None
