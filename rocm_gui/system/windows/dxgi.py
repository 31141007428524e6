"""Memory of the graphics adapters as DXGI tells it, and where each adapter sits.

DXGI's ``DedicatedVideoMemory`` is what the driver really offers; it has no 4 GB ceiling. Enumerating adapters asks
the kernel and creates no device, but overlays hook ``dxgi.dll`` and a broken driver may block: the caller
(``gpus.detect_gpus``) runs this in a daemon thread with a time limit and goes on with the registry's figure. A
child process would be safer still, but a frozen program has no Python to run one with, and starting the program
itself again would cost more than the answer is worth.

Source: Microsoft, dxgi.h (``IDXGIFactory1::EnumAdapters1``, ``DXGI_ADAPTER_DESC1``) and d3dkmthk.h
(``D3DKMTOpenAdapterFromLuid``, ``KMTQAITYPE_ADAPTERADDRESS``).
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import POINTER, byref, c_int32, c_long, c_size_t, c_ubyte, c_uint16, c_uint32, c_void_p, c_wchar
from typing import TYPE_CHECKING, Any, ClassVar, cast

import msgspec

from rocm_gui.system.windows.devices import pci_address

if TYPE_CHECKING:
    from collections.abc import Callable

_SOFTWARE = 2  # DXGI_ADAPTER_FLAG_SOFTWARE
_MAX_ADAPTERS = 64
_ADAPTERADDRESS = 6
_RELEASE, _ENUM_ADAPTERS1, _GET_DESC1 = 2, 12, 10  # positions in the objects' method tables


class DxgiAdapter(msgspec.Struct, frozen=True, kw_only=True):
    """One adapter. Memory in bytes; 0 dedicated bytes are legal for an integrated GPU."""

    name: str
    vendor: int
    device: int
    subsystem: int  # device in the upper, vendor in the lower half: as in "SUBSYS_E4091DA2"
    revision: int
    dedicated_bytes: int
    shared_bytes: int
    luid: str  # "0x00000000_0x0000d5c3", as in the names of performance counters
    pci_address: str | None = None
    software: bool = False


class _Guid(ctypes.Structure):
    _fields_: ClassVar[Any] = [("a", c_uint32), ("b", c_uint16), ("c", c_uint16), ("d", c_ubyte * 8)]


class _Luid(ctypes.Structure):
    _fields_: ClassVar[Any] = [("low", c_uint32), ("high", c_int32)]


class _Desc1(ctypes.Structure):
    _fields_: ClassVar[Any] = [
        ("description", c_wchar * 128),
        ("vendor", c_uint32),
        ("device", c_uint32),
        ("subsystem", c_uint32),
        ("revision", c_uint32),
        ("dedicated", c_size_t),
        ("dedicated_system", c_size_t),
        ("shared", c_size_t),
        ("luid", _Luid),
        ("flags", c_uint32),
    ]


class _OpenFromLuid(ctypes.Structure):
    _fields_: ClassVar[Any] = [("luid", _Luid), ("adapter", c_uint32)]


class _QueryInfo(ctypes.Structure):
    _fields_: ClassVar[Any] = [("adapter", c_uint32), ("kind", c_uint32), ("data", c_void_p), ("size", c_uint32)]


class _Address(ctypes.Structure):
    _fields_: ClassVar[Any] = [("bus", c_uint32), ("device", c_uint32), ("function", c_uint32)]


_FACTORY1 = _Guid(0x770AAE78, 0xF26F, 0x4DBA, (c_ubyte * 8)(0xA8, 0x29, 0x25, 0x3C, 0x83, 0xD1, 0xB3, 0x87))


def adapters() -> tuple[DxgiAdapter, ...] | None:
    """Every adapter of this machine; None where DXGI is not there or refuses."""
    win_dll: Callable[[str], Any] | None = getattr(ctypes, "WinDLL", None)
    if sys.platform != "win32" or win_dll is None:
        return None
    try:
        create = win_dll("dxgi").CreateDXGIFactory1
    except (OSError, AttributeError):
        return None
    create.restype = c_long
    factory = c_void_p()
    if create(byref(_FACTORY1), byref(factory)) < 0 or not factory:
        return None
    try:
        found: list[DxgiAdapter] = []
        for index in range(_MAX_ADAPTERS):
            adapter = c_void_p()
            if _call(factory, _ENUM_ADAPTERS1, c_uint32(index), byref(adapter)) < 0 or not adapter:
                break
            try:
                description = _Desc1()
                if _call(adapter, _GET_DESC1, byref(description)) >= 0:
                    found.append(_adapter(description))
            finally:
                _call(adapter, _RELEASE)
        return tuple(found)
    finally:
        _call(factory, _RELEASE)


def _call(pointer: c_void_p, method: int, *arguments: Any) -> int:  # noqa: ANN401
    """Call a method of a COM object by its position in the object's table."""
    table = ctypes.cast(pointer, POINTER(POINTER(c_void_p))).contents
    types = [c_uint32 if isinstance(argument, c_uint32) else c_void_p for argument in arguments]
    prototype = cast("Any", ctypes).WINFUNCTYPE(c_long, c_void_p, *types)
    return cast("int", prototype(table[method])(pointer, *arguments))


def _adapter(description: Any) -> DxgiAdapter:  # noqa: ANN401 - a ctypes structure
    luid = description.luid
    return DxgiAdapter(
        name=description.description.strip(),
        vendor=description.vendor,
        device=description.device,
        subsystem=description.subsystem,
        revision=description.revision,
        dedicated_bytes=description.dedicated,
        shared_bytes=description.shared,
        luid=f"0x{luid.high & 0xFFFFFFFF:08x}_0x{luid.low:08x}",
        pci_address=_address_of(luid),
        software=bool(description.flags & _SOFTWARE),
    )


def _address_of(luid: Any) -> str | None:  # noqa: ANN401
    """The PCI address behind a LUID: tells two equal cards apart. None where the kernel does not say."""
    try:
        gdi: Any = cast("Any", ctypes).WinDLL("gdi32")
        opened = _OpenFromLuid(luid, 0)
        if gdi.D3DKMTOpenAdapterFromLuid(byref(opened)) != 0:
            return None
        place = _Address()
        query = _QueryInfo(opened.adapter, _ADAPTERADDRESS, ctypes.cast(byref(place), c_void_p), ctypes.sizeof(place))
        answer = gdi.D3DKMTQueryAdapterInfo(byref(query))
        handle = c_uint32(opened.adapter)
        gdi.D3DKMTCloseAdapter(byref(handle))
    except (OSError, AttributeError):
        return None
    if answer != 0:
        return None
    return pci_address(place.bus, place.device << 16 | place.function)
