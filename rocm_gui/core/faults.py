"""Recognises why a worker failed, from the library's own words and from how the process ended."""

from __future__ import annotations

import re

from rocm_gui.core.crash_codes import explain
from rocm_gui.core.verification import Fact, Fault, Layer

_MESSAGE_LENGTH = 400

# First match wins: causes before their consequences (a compile error before miopenStatusUnknownError).
# A group called "library" or "bytes" becomes a fact.
_RULES: tuple[tuple[str, Layer | None, str], ...] = (
    ("torch_missing", "torch_install", r"No module named '?torch'?$"),
    ("module_missing", "torch_install", r"ModuleNotFoundError: No module named '?(?P<library>[\w.]+)"),
    ("app_control", "libraries", r"WinError (4551|1260|225)\b|Application Control policy"),
    ("page_file", "memory", r"WinError 1455\b|paging file is too small|页面文件太小"),
    ("library_mismatch", "libraries", r"WinError 127\b(.*?[\"'](?P<library>[^\"']+\.(dll|pyd))[\"'])?"),
    ("library_mismatch", "libraries", r"undefined symbol: (?P<library>\w+)"),
    ("library_mismatch", "libraries", r"version `(?P<library>[^']+)' not found"),
    ("library_broken", "libraries", r"WinError (193|1114)\b|invalid ELF header|file too short"),
    ("library_missing", "libraries", r"(?P<library>[\w.+-]+\.so[\w.]*): cannot open shared object file"),
    ("library_missing", "libraries", r"Could not find module '(?P<library>[^']+)'"),
    ("library_missing", "libraries", r"WinError 126\b.*?[\"'](?P<library>[^\"']+\.(dll|pyd))[\"']"),
    ("library_missing", "libraries", r"WinError 126\b|DLL load failed"),
    ("no_kernel", "torch_install", r"invalid device function|hipErrorNoBinaryForGpu|Unable to find code object"),
    ("no_kernel", "torch_install", r"no kernel image|image is invalid|hipErrorInvalidImage"),
    ("tensile_missing", "gemm", r"TensileLibrary|rocBLAS error: .*Tensile"),
    (
        "out_of_memory",
        "memory",
        r"DefaultCPUAllocator.*?allocate (?P<bytes>\d+)",
    ),
    ("out_of_memory", "memory", r"OutOfMemoryError|(HIP|CUDA) out of memory|hipErrorOutOfMemory"),
    ("out_of_memory", "memory", r"DefaultCPUAllocator|MemoryError|std::bad_alloc"),
    ("kfd_denied", "driver", r"/dev/kfd.*(Permission denied|not permitted)|Unable to open /dev/kfd"),
    ("driver_too_old", "driver", r"driver version is insufficient|driver on your system is too old"),
    ("gpu_fault", None, r"Memory access fault by GPU|illegal memory access|hipErrorIllegalAddress"),
    (
        "gpu_reset",
        "driver",
        r"hipErrorLaunchFailure|hipErrorLaunchTimeOut|HW Exception by GPU|GPU (hang|reset)|device (lost|removed)",
    ),
    ("device_missing", "device", r"invalid device ordinal|hipErrorInvalidDevice"),
    (
        "no_device",
        "runtime",
        r"No (HIP|CUDA|ROCm) GPUs are available|hipErrorNoDevice|no (ROCm|CUDA)-capable device|Found no NVIDIA driver",
    ),
    ("miopen_compile", "miopen", r"type_traits'? file not found|HIPRTC_ERROR_COMPILATION|Code object build failed"),
    ("miopen_database", "miopen", r"(?i:cannot open database file|unable to open database)|no such column: mode"),
    ("miopen_error", "miopen", r"miopenStatus\w+|MIOpen Error|cudnn_status_\w+|CUDNN_STATUS_\w+"),
    ("blas_error", "gemm", r"rocblas_status_\w+|HIPBLAS\w*_STATUS_\w+|CUBLAS_STATUS_\w+"),
)
_COMPILED: tuple[tuple[str, Layer | None, re.Pattern[str]], ...] = tuple(
    (code, layer, re.compile(pattern, re.MULTILINE | re.DOTALL)) for code, layer, pattern in _RULES
)


def recognise(text: str) -> Fault | None:
    """The fault that ``text`` (an exception's message, standard error) tells of, or None."""
    for code, layer, pattern in _COMPILED:
        match = pattern.search(text)
        if match is not None:
            facts = dict[str, Fact]({key: value for key, value in match.groupdict().items() if value})
            return Fault(code=code, layer=layer, facts=facts, message=_line_of(text, match.start()))
    return None


def fault_of_exception(kind: str, message: str, stderr: str = "") -> Fault:
    """The fault behind an exception that a worker reported; ``message`` begins with the exception's class."""
    known = recognise(f"{message}\n{stderr}") if stderr else recognise(message)
    if known is not None:
        return known
    return Fault(code="exception", facts={"kind": kind}, message=shorten(message))


def fault_of_crash(exit_code: int | None, stderr: str = "") -> Fault:
    """The fault behind a process that ended without a word of its own."""
    crash = explain(exit_code)
    known = recognise(stderr)
    facts: dict[str, Fact] = {"exit_code": exit_code}
    if crash is not None:
        facts |= {"crash": crash.code, "shown": crash.shown}
    message = known.message if known else shorten(stderr.strip().rpartition("\n")[2])
    if known is not None:
        return Fault(
            code=known.code, layer=known.layer, facts=facts | known.facts, message=message, exit_code=exit_code
        )
    layer = crash.layer if crash else None
    return Fault(code="crash" if crash else "ended", layer=layer, facts=facts, message=message, exit_code=exit_code)


def fault_of_timeout(limit_s: float, exit_code: int | None = None) -> Fault:
    """The fault of a process that did not end in time."""
    return Fault(code="timeout", facts={"limit_s": limit_s}, exit_code=exit_code)


def shorten(text: str) -> str:
    """``text`` without blanks at its ends, cut to a length that a report can show."""
    text = text.strip()
    return text if len(text) <= _MESSAGE_LENGTH else text[: _MESSAGE_LENGTH - 1] + "…"


def _line_of(text: str, position: int) -> str:
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    return shorten(text[start : end if end >= 0 else len(text)])
