"""Which adapters have a monitor plugged in that shows a desktop, by their Plug and Play instance id.

Source: Microsoft, wingdi.h (``QueryDisplayConfig``, ``DISPLAYCONFIG_ADAPTER_NAME``). DXGI's outputs are not used for
this: on hybrid laptops they are shown below the adapter that the program prefers.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import byref, c_byte, c_int32, c_uint32, c_wchar
from typing import Any, ClassVar, cast

_ONLY_ACTIVE_PATHS = 2
_GET_ADAPTER_NAME = 4
_INSUFFICIENT_BUFFER = 122
_MODE_INFO_BYTES = 64


class _Luid(ctypes.Structure):
    _fields_: ClassVar[Any] = [("low", c_uint32), ("high", c_int32)]


class _Source(ctypes.Structure):
    _fields_: ClassVar[Any] = [("adapter", _Luid), ("id", c_uint32), ("mode", c_uint32), ("status", c_uint32)]


class _Target(ctypes.Structure):
    _fields_: ClassVar[Any] = [("adapter", _Luid), ("id", c_uint32), ("rest", c_uint32 * 9)]


class _Path(ctypes.Structure):
    _fields_: ClassVar[Any] = [("source", _Source), ("target", _Target), ("flags", c_uint32)]


class _AdapterName(ctypes.Structure):
    _fields_: ClassVar[Any] = [
        ("kind", c_uint32),
        ("size", c_uint32),
        ("adapter", _Luid),
        ("id", c_uint32),
        ("path", c_wchar * 128),
    ]


def instance_of(device_path: str) -> str | None:
    r"""``PCI\VEN_...\4&...`` in upper case from ``\\?\PCI#VEN_...#4&...#{class}``; None for another shape."""
    parts = device_path.removeprefix("\\\\?\\").split("#")
    return "\\".join(parts[:3]).upper() if len(parts) >= 4 else None


def active_instances() -> frozenset[str] | None:
    """Instance ids (upper case) of the adapters that drive a monitor; None where the session may not know (RDP)."""
    if sys.platform != "win32":
        return None
    try:
        user32: Any = cast("Any", ctypes).WinDLL("user32")
        paths = _active_paths(user32)
        if paths is None:
            return None
        found: set[str] = set()
        for path in paths:
            name = _AdapterName(_GET_ADAPTER_NAME, ctypes.sizeof(_AdapterName), path.target.adapter, 0)
            if user32.DisplayConfigGetDeviceInfo(byref(name)) != 0:
                return None
            instance = instance_of(name.path)
            if instance is not None:
                found.add(instance)
        return frozenset(found)
    except (OSError, AttributeError):
        return None


def _active_paths(user32: Any) -> list[Any] | None:  # noqa: ANN401 - ctypes
    for _ in range(3):  # a monitor may be plugged in between the two calls
        path_count, mode_count = c_uint32(), c_uint32()
        if user32.GetDisplayConfigBufferSizes(_ONLY_ACTIVE_PATHS, byref(path_count), byref(mode_count)) != 0:
            return None
        paths = (_Path * max(path_count.value, 1))()
        modes = (c_byte * (_MODE_INFO_BYTES * max(mode_count.value, 1)))()
        answer = user32.QueryDisplayConfig(
            _ONLY_ACTIVE_PATHS, byref(path_count), byref(paths), byref(mode_count), byref(modes), None
        )
        if answer == 0:
            return list(paths[: path_count.value])
        if answer != _INSUFFICIENT_BUFFER:
            return None
    return None
