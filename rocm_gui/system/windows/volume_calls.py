"""The questions about volumes that only Windows answers (kernel32), behind an interface.

Sources: Microsoft, fileapi.h, winioctl.h (``IOCTL_STORAGE_QUERY_PROPERTY`` with ``StorageDeviceSeekPenaltyProperty``
and ``StorageDeviceProperty``, ``IOCTL_STORAGE_GET_DEVICE_NUMBER``). A device opened with desired access 0 answers
these without administrator rights.
"""

from __future__ import annotations

import ctypes
import functools
import ntpath
import os
import sys
from ctypes import byref, c_uint32, c_uint64, c_void_p, c_wchar_p
from typing import Any, Protocol, cast

import msgspec

DRIVE_UNKNOWN, DRIVE_NO_ROOT, DRIVE_REMOVABLE, DRIVE_FIXED, DRIVE_REMOTE = range(5)

_QUERY_PROPERTY = 0x2D1400
_DEVICE_NUMBER = 0x2D1080
_DEVICE_PROPERTY, _SEEK_PENALTY_PROPERTY = 0, 7
_SEEK_PENALTY_OFFSET, _BUS_OFFSET = 8, 28
_SHARE_READ_WRITE, _OPEN_EXISTING = 3, 3
_INVALID_HANDLE = c_void_p(-1).value
_CLOUD_ATTRIBUTES = 0x400000 | 0x40000  # FILE_ATTRIBUTE_RECALL_ON_DATA_ACCESS, ..._ON_OPEN
_CLOUD_TAG, _CLOUD_TAG_MASK = 0x9000001A, 0xFFFF0FFF


class Storage(msgspec.Struct, frozen=True, kw_only=True):
    """What the device below a volume says of itself."""

    bus: int | None = None  # STORAGE_BUS_TYPE: 7 USB, 11 SATA, 17 NVMe
    seek_penalty: bool | None = None


class VolumeCalls(Protocol):
    """Questions to Windows; None (or the path itself) where there is no answer."""

    def real_path(self, path: str) -> str:
        """``path`` with a drive letter made by ``subst`` replaced by the folder it stands for."""
        ...

    def mount_of(self, path: str) -> str | None:
        r"""The root of the volume: ``C:\``, ``D:\mounted\``, ``\\server\share\``."""
        ...

    def drive_type(self, mount: str) -> int | None:
        """One of ``DRIVE_...``."""
        ...

    def filesystem(self, mount: str) -> str | None:
        """``NTFS``, ``exFAT``, ..."""
        ...

    def space(self, path: str) -> tuple[int, int] | None:
        """Bytes free for this user (quotas count) and in all."""
        ...

    def storage(self, mount: str) -> Storage | None:
        """The device below the volume."""
        ...

    def cloud_folder(self, path: str) -> bool | None:
        """Whether the folder or one above it is kept by a cloud provider; None where nothing says so."""
        ...


class WinVolumeCalls:
    """This machine's own answers. On other systems every answer is missing."""

    def real_path(self, path: str) -> str:
        """See ``VolumeCalls.real_path``."""
        kernel = _kernel()
        drive, rest = ntpath.splitdrive(path)
        if kernel is None or len(drive) != 2:
            return path
        buffer = ctypes.create_unicode_buffer(32768)
        if not kernel.QueryDosDeviceW(c_wchar_p(drive), buffer, len(buffer)):
            return path
        return substituted(buffer.value, rest) or path

    def mount_of(self, path: str) -> str | None:
        """See ``VolumeCalls.mount_of``."""
        kernel = _kernel()
        if kernel is None:
            return None
        buffer = ctypes.create_unicode_buffer(32768)
        return buffer.value or None if kernel.GetVolumePathNameW(c_wchar_p(path), buffer, len(buffer)) else None

    def drive_type(self, mount: str) -> int | None:
        """See ``VolumeCalls.drive_type``."""
        kernel = _kernel()
        answer = DRIVE_UNKNOWN if kernel is None else cast("int", kernel.GetDriveTypeW(c_wchar_p(mount)))
        return None if answer in {DRIVE_UNKNOWN, DRIVE_NO_ROOT} else answer

    def filesystem(self, mount: str) -> str | None:
        """See ``VolumeCalls.filesystem``."""
        kernel = _kernel()
        if kernel is None:
            return None
        buffer = ctypes.create_unicode_buffer(261)
        ok = kernel.GetVolumeInformationW(c_wchar_p(mount), None, 0, None, None, None, buffer, len(buffer))
        return buffer.value or None if ok else None

    def space(self, path: str) -> tuple[int, int] | None:
        """See ``VolumeCalls.space``. ``shutil.disk_usage`` counts the whole volume, without the user's quota."""
        kernel = _kernel()
        if kernel is None:
            return None
        free, total = c_uint64(), c_uint64()
        folder = path if path.endswith("\\") else path + "\\"  # needed for UNC
        if not kernel.GetDiskFreeSpaceExW(c_wchar_p(folder), byref(free), byref(total), None):
            return None
        return free.value, total.value

    def storage(self, mount: str) -> Storage | None:
        """See ``VolumeCalls.storage``: the volume is asked, and its disk where the volume does not pass it on."""
        kernel = _kernel()
        if kernel is None:
            return None
        device = _volume_device(kernel, mount)
        found = _query(kernel, device)
        if found is not None and found.seek_penalty is not None:
            return found
        number = _disk_number(kernel, device)
        disk = None if number is None else _query(kernel, rf"\\.\PhysicalDrive{number}")
        return disk or found

    def cloud_folder(self, path: str) -> bool | None:
        """See ``VolumeCalls.cloud_folder``."""
        current = path
        while True:
            try:
                status = os.lstat(current)
            except OSError:
                return None
            attributes = getattr(status, "st_file_attributes", 0)
            tag = getattr(status, "st_reparse_tag", 0)
            if attributes & _CLOUD_ATTRIBUTES or tag & _CLOUD_TAG_MASK == _CLOUD_TAG:
                return True
            parent = ntpath.dirname(current)
            if parent == current:
                return None
            current = parent


def substituted(device: str, rest: str) -> str | None:
    r"""``C:\folder\rest`` for the target ``\??\C:\folder`` of a ``subst`` letter; None for a real volume."""
    if not device.startswith("\\??\\"):
        return None
    target = device[4:]
    if target.upper().startswith("UNC\\"):
        target = "\\" + target[3:]
    return ntpath.join(target, rest.lstrip("\\")) if rest.strip("\\") else target.rstrip("\\") + "\\"


@functools.cache
def _kernel() -> Any:  # noqa: ANN401 - a ctypes library, here and below
    if sys.platform != "win32":
        return None
    kernel = cast("Any", ctypes).WinDLL("kernel32", use_last_error=True)
    kernel.CreateFileW.restype = c_void_p
    return kernel


def _volume_device(kernel: Any, mount: str) -> str:  # noqa: ANN401
    r"""``\\?\Volume{guid}``: works for drive letters and for volumes mounted in folders; else ``\\.\C:``."""
    buffer = ctypes.create_unicode_buffer(64)
    if kernel.GetVolumeNameForVolumeMountPointW(c_wchar_p(mount), buffer, len(buffer)) and buffer.value:
        return buffer.value.rstrip("\\")
    return "\\\\.\\" + ntpath.splitdrive(mount)[0]


def _query(kernel: Any, device: str) -> Storage | None:  # noqa: ANN401
    described = _ask_device(kernel, device, _QUERY_PROPERTY, _DEVICE_PROPERTY)
    penalty = _ask_device(kernel, device, _QUERY_PROPERTY, _SEEK_PENALTY_PROPERTY)
    if described is None and penalty is None:
        return None
    return Storage(
        bus=_number(described, _BUS_OFFSET),
        seek_penalty=None if penalty is None or len(penalty) <= _SEEK_PENALTY_OFFSET else penalty[8] != 0,
    )


def _disk_number(kernel: Any, device: str) -> int | None:  # noqa: ANN401
    return _number(_ask_device(kernel, device, _DEVICE_NUMBER, None), 4)


def _number(answer: bytes | None, offset: int) -> int | None:
    if answer is None or len(answer) < offset + 4:
        return None
    return int.from_bytes(answer[offset : offset + 4], "little")


def _ask_device(kernel: Any, device: str, code: int, property_id: int | None) -> bytes | None:  # noqa: ANN401
    handle = kernel.CreateFileW(c_wchar_p(device), 0, _SHARE_READ_WRITE, None, _OPEN_EXISTING, 0, None)
    if handle in {None, _INVALID_HANDLE}:
        return None
    try:
        query = (c_uint32 * 3)(property_id or 0, 0, 0)
        answer = ctypes.create_string_buffer(1024)
        size = c_uint32()
        asked, length = (None, 0) if property_id is None else (byref(query), ctypes.sizeof(query))
        ok = kernel.DeviceIoControl(c_void_p(handle), code, asked, length, answer, len(answer), byref(size), None)
        return answer.raw[: size.value] if ok else None
    finally:
        kernel.CloseHandle(c_void_p(handle))
