r"""The Plug and Play device tree (cfgmgr32): which devices are here now, without administrator rights.

The registry keeps every card that was ever plugged in; the device tree knows only those that are there.
Source: Microsoft, "CM_Locate_DevNodeW", "CM_Get_DevNode_Status", "CM_Get_DevNode_Registry_PropertyW" (cfgmgr32.h).
"""

from __future__ import annotations

import ctypes
import functools
import sys
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable

CR_SUCCESS = 0x0
CR_NO_SUCH_DEVNODE = 0xD
CR_INVALID_DEVICE_ID = 0x1E
DN_HAS_PROBLEM = 0x400
CM_DRP_BUSNUMBER = 0x16
CM_DRP_ADDRESS = 0x1D


class DeviceState(msgspec.Struct, frozen=True, kw_only=True):
    """What the device tree says of one device."""

    present: bool
    problem: int | None = None  # Configuration Manager code: 0 works, 22 disabled, 28 no driver, 43 driver gave up
    pci_address: str | None = None  # "0000:03:00.0"


class DeviceTree(Protocol):
    r"""Answers for an instance id such as ``PCI\VEN_1002&DEV_744C...\4&...``."""

    def __call__(self, instance_id: str) -> DeviceState | None:
        """The device's state; None where the tree cannot be asked."""
        ...


def pci_address(bus: int | None, address: int | None) -> str | None:
    """A PCI address from Windows' bus number (segment in the upper 24 bits) and its device and function word."""
    if bus is None or address is None or not 0 <= bus <= 0xFFFFFF or not 0 <= address <= 0xFFFFFFFF:
        return None
    device, function = address >> 16, address & 0xFFFF
    if device > 31 or function > 7:
        return None
    return f"{bus >> 8:04x}:{bus & 0xFF:02x}:{device:02x}.{function:x}"


@functools.cache
def _cfgmgr() -> Any:  # noqa: ANN401 - a ctypes library
    win_dll: Callable[[str], Any] | None = getattr(ctypes, "WinDLL", None)
    if sys.platform != "win32" or win_dll is None:
        return None
    try:
        library = win_dll("cfgmgr32")
        for name in ("CM_Locate_DevNodeW", "CM_Get_DevNode_Status", "CM_Get_DevNode_Registry_PropertyW"):
            getattr(library, name).restype = ctypes.c_uint32
    except (OSError, AttributeError):
        return None
    return library


def device_state(instance_id: str) -> DeviceState | None:
    """The state of ``instance_id`` in this machine's device tree; None where it cannot be asked."""
    library = _cfgmgr()
    if library is None:
        return None
    node = ctypes.c_uint32()
    answer = library.CM_Locate_DevNodeW(ctypes.byref(node), ctypes.c_wchar_p(instance_id), 0)
    if answer in (CR_NO_SUCH_DEVNODE, CR_INVALID_DEVICE_ID):
        return DeviceState(present=False)
    if answer != CR_SUCCESS:
        return None
    status, problem = ctypes.c_uint32(), ctypes.c_uint32()
    answer = library.CM_Get_DevNode_Status(ctypes.byref(status), ctypes.byref(problem), node, 0)
    code = None
    if answer == CR_SUCCESS:
        code = problem.value if status.value & DN_HAS_PROBLEM else 0
    return DeviceState(
        present=True,
        problem=code,
        pci_address=pci_address(
            _number(library, node, CM_DRP_BUSNUMBER),
            _number(library, node, CM_DRP_ADDRESS),
        ),
    )


def _number(library: Any, node: ctypes.c_uint32, which: int) -> int | None:  # noqa: ANN401
    value, size = ctypes.c_uint32(), ctypes.c_uint32(4)
    answer = library.CM_Get_DevNode_Registry_PropertyW(node, which, None, ctypes.byref(value), ctypes.byref(size), 0)
    return value.value if answer == CR_SUCCESS and size.value == 4 else None
