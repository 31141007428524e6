"""Facts of the host that only Windows' own functions tell, in one value that a recorded machine can replace.

Sources: Microsoft, sysinfoapi.h, psapi.h (``GetPerformanceInfo``), winbase.h (``GetSystemPowerStatus``),
wow64apiset.h (``IsWow64Process2``), shlobj_core.h (``IsUserAnAdmin``).
"""

from __future__ import annotations

import ctypes
import os
import sys
from ctypes import byref, c_size_t, c_ubyte, c_uint16, c_uint32, c_uint64, c_void_p
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

import msgspec
import psutil

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

_MACHINES = {0x8664: "x86_64", 0xAA64: "arm64", 0x014C: "x86"}
_UTF8 = 65001


class NativeHost(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked of Windows; None where it gave no answer. Sizes in bytes."""

    build: int | None = None
    architecture: str | None = None  # of the machine, also seen from an emulated program
    ram_bytes: int | None = None
    ram_installed_bytes: int | None = None
    commit_limit_bytes: int | None = None
    page_file_bytes: int | None = None
    physical_cores: int | None = None
    logical_cores: int | None = None
    user_is_admin: bool | None = None
    language: str | None = None
    code_page: str | None = None
    on_battery: bool | None = None


class _Performance(ctypes.Structure):
    _fields_: ClassVar[Any] = [
        ("size", c_uint32),
        ("commit_total", c_size_t),
        ("commit_limit", c_size_t),
        ("commit_peak", c_size_t),
        ("physical_total", c_size_t),
        ("physical_available", c_size_t),
        ("system_cache", c_size_t),
        ("kernel_total", c_size_t),
        ("kernel_paged", c_size_t),
        ("kernel_nonpaged", c_size_t),
        ("page_size", c_size_t),
        ("handles", c_uint32),
        ("processes", c_uint32),
        ("threads", c_uint32),
    ]


class _Power(ctypes.Structure):
    _fields_: ClassVar[Any] = [
        ("ac_line", c_ubyte),
        ("battery_flag", c_ubyte),
        ("battery_percent", c_ubyte),
        ("system_status", c_ubyte),
        ("battery_life", c_uint32),
        ("battery_full_life", c_uint32),
    ]


def read_native() -> NativeHost:
    """This machine's facts; each question that fails leaves its own field None. Empty on other systems."""
    if sys.platform != "win32":
        return NativeHost()
    windll: Any = cast("Any", ctypes).windll
    kernel = windll.kernel32
    ram, limit = _answer(lambda: _memory(kernel)) or (None, None)
    return NativeHost(
        build=_answer(lambda: cast("Any", sys).getwindowsversion().build),
        architecture=_answer(lambda: _architecture(kernel)),
        ram_bytes=ram,
        ram_installed_bytes=_answer(lambda: _installed(kernel)),
        commit_limit_bytes=limit,
        page_file_bytes=None if ram is None or limit is None else max(0, limit - ram),
        physical_cores=_answer(lambda: psutil.cpu_count(logical=False)),
        logical_cores=_answer(os.cpu_count),
        user_is_admin=_answer(lambda: bool(windll.shell32.IsUserAnAdmin())),
        language=_answer(lambda: _language(kernel)),
        code_page=_answer(lambda: _code_page(kernel.GetACP())),
        on_battery=_answer(lambda: _on_battery(kernel)),
    )


def _answer(question: Callable[[], T | None]) -> T | None:
    """The answer, or None where this Windows (or Wine) lacks the function or refuses."""
    try:
        return question()
    except (OSError, AttributeError, ValueError, NotImplementedError):
        return None


def _memory(kernel: Any) -> tuple[int, int] | None:  # noqa: ANN401 - a ctypes library, here and below
    """Usable RAM and the commit limit of the whole system.

    ``GlobalMemoryStatusEx`` would tell the limit of the own process, which a job object may have lowered, and
    ``psutil.swap_memory`` needs performance counters that are broken on some machines.
    """
    info = _Performance()
    info.size = ctypes.sizeof(info)
    if not kernel.K32GetPerformanceInfo(byref(info), info.size) or not info.page_size:
        return None
    return info.physical_total * info.page_size, info.commit_limit * info.page_size


def _installed(kernel: Any) -> int | None:  # noqa: ANN401
    kibibytes = c_uint64()
    if not kernel.GetPhysicallyInstalledSystemMemory(byref(kibibytes)):
        return None
    return kibibytes.value * 1024 or None


def _architecture(kernel: Any) -> str | None:  # noqa: ANN401
    process, native = c_uint16(), c_uint16()
    kernel.GetCurrentProcess.restype = c_void_p
    if not kernel.IsWow64Process2(c_void_p(kernel.GetCurrentProcess()), byref(process), byref(native)):
        return None
    return _MACHINES.get(native.value)


def _language(kernel: Any) -> str | None:  # noqa: ANN401
    """The language of the user interface, "zh_CN": not the region, which the user may set to anything."""
    buffer = ctypes.create_unicode_buffer(85)
    identifier = c_uint32(kernel.GetUserDefaultUILanguage() & 0xFFFF)
    if not kernel.LCIDToLocaleName(identifier, buffer, len(buffer), 0):
        return None
    return buffer.value.replace("-", "_") or None


def _code_page(number: int) -> str | None:
    if not number:
        return None
    return "utf-8" if number == _UTF8 else f"cp{number}"


def _on_battery(kernel: Any) -> bool | None:  # noqa: ANN401
    power = _Power()
    if not kernel.GetSystemPowerStatus(byref(power)):
        return None
    return {0: True, 1: False}.get(power.ac_line)
