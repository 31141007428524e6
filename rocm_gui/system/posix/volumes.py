"""The drive behind a folder on Linux: mount, file system, free space, kind of disk.

Sources: /proc/self/mounts (proc_mounts(5): octal escapes), /sys/dev/block/MAJ:MIN (a partition's disk is its
parent folder; ``slaves/`` of device mapper and md), ``queue/rotational`` and ``removable`` of the disk.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from rocm_gui.core.model import Volume

if TYPE_CHECKING:
    from collections.abc import Sequence

NETWORK = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "drvfs", "ceph", "glusterfs", "lustre", "afs", "beegfs", "ncpfs"}
)
NETWORK_FUSE = ("sshfs", "rclone", "s3fs", "davfs", "glusterfs", "ceph", "gcsfuse", "goofys", "blobfuse")
IN_MEMORY = frozenset({"tmpfs", "ramfs", "devtmpfs"})
DEEPEST = 8  # device mapper on md on partitions: no real stack is deeper


class Mount(NamedTuple):
    """One line of /proc/self/mounts, unescaped."""

    device: str
    point: str
    filesystem: str
    options: tuple[str, ...]


def volume(
    path: str,
    purpose: Literal["target", "temp", "pip_cache", "home"],
    *,
    proc_root: Path = Path("/proc"),
    sysfs_root: Path = Path("/sys"),
) -> Volume:
    """The facts about the drive that ``path`` is on or would be on; the folder need not exist.

    A small file is written into the nearest existing folder, and removed, to see whether it can be written.
    """
    parent = nearest_existing(Path(path))
    mount = mount_of(parent, read_mounts(proc_root))
    free: int | None = None
    total: int | None = None
    try:
        usage = shutil.disk_usage(parent)
        free, total = usage.free, usage.total
    except OSError:
        pass
    disks = disks_of(parent, mount, sysfs_root)
    filesystem = mount.filesystem if mount else None
    return Volume(
        purpose=purpose,
        path=path,
        mount=mount.point if mount else None,
        free_bytes=free,
        total_bytes=total,
        filesystem=filesystem,
        solid_state=True if filesystem in IN_MEMORY else _solid_state(disks),
        network=None if filesystem is None else is_network(filesystem, mount.options if mount else ()),
        removable=_removable(disks),
        onedrive=False,
        writable=is_writable(parent),
    )


def nearest_existing(path: Path) -> Path:
    """``path`` or its nearest parent that exists, with symbolic links followed."""
    place = path.expanduser().absolute()
    for candidate in (place, *place.parents):
        with contextlib.suppress(OSError):  # a dead network mount or a folder that may not be looked into
            if candidate.is_dir():
                return candidate.resolve()
    return Path("/")


def parse_mounts(text: str) -> tuple[Mount, ...]:
    """The mounts of a /proc/self/mounts, in its order."""
    mounts: list[Mount] = []
    for line in text.splitlines():
        fields = [unescape(part) for part in line.split(" ")]
        if len(fields) >= 4:
            mounts.append(Mount(fields[0], fields[1], fields[2], tuple(fields[3].split(","))))
    return tuple(mounts)


def unescape(text: str) -> str:
    r"""Undo the octal escapes of proc_mounts(5), as ``\040`` for a blank; the bytes are UTF-8."""
    raw = re.sub(rb"\\([0-7]{3})", lambda found: bytes([int(found[1], 8) & 0xFF]), os.fsencode(text))
    return os.fsdecode(raw)


def read_mounts(proc_root: Path) -> tuple[Mount, ...]:
    """The mounts that this process sees; none where they cannot be read."""
    try:
        return parse_mounts(os.fsdecode((proc_root / "self/mounts").read_bytes()))
    except OSError:
        return ()


def mount_of(path: Path, mounts: Sequence[Mount]) -> Mount | None:
    """The mount that ``path`` (absolute, resolved) is on: the longest prefix, the last where several lie over it."""
    best: Mount | None = None
    for mount in mounts:
        inside = mount.point == "/" or path == Path(mount.point) or Path(mount.point) in path.parents
        if inside and (best is None or len(mount.point) >= len(best.point)):
            best = mount
    return best


def is_network(filesystem: str, options: Sequence[str] = ()) -> bool:
    """Whether the file system is reached over a network or, in WSL, over Windows' file server."""
    name = filesystem.lower()
    if name in NETWORK or any(option.startswith("aname=drvfs") for option in options):
        return True
    return name.startswith("fuse.") and any(word in name for word in NETWORK_FUSE)


def disks_of(path: Path, mount: Mount | None, sysfs_root: Path) -> tuple[Path, ...]:
    """The folders below /sys of the whole disks under ``path``; empty where they are not known.

    Btrfs and overlay give ``st_dev`` numbers of their own, so the mount's device node is asked second.
    """
    for number in (_device_number(path), _node_number(mount)):
        if number is None:
            continue
        start = sysfs_root / "dev/block" / f"{os.major(number)}:{os.minor(number)}"
        if start.exists():
            return tuple(dict.fromkeys(_whole_disks(start.resolve(), DEEPEST)))
    return ()


def _device_number(path: Path) -> int | None:
    try:
        return path.stat().st_dev
    except OSError:
        return None


def _node_number(mount: Mount | None) -> int | None:
    if mount is None or not mount.device.startswith("/dev/"):
        return None
    try:
        return Path(mount.device).stat().st_rdev or None
    except OSError:
        return None


def _whole_disks(device: Path, depth: int) -> list[Path]:
    if depth == 0:
        return []
    if (device / "partition").exists():
        device = device.parent
    try:
        slaves = sorted((device / "slaves").iterdir())
    except OSError:
        slaves = []
    if not slaves:
        return [device]
    return [disk for slave in slaves for disk in _whole_disks(slave.resolve(), depth - 1)]


def _flags(disks: Sequence[Path], name: str) -> list[bool]:
    """The flag of each disk that has a readable one."""
    values: list[str] = []
    for disk in disks:
        with contextlib.suppress(OSError, UnicodeDecodeError):
            values.append((disk / name).read_text("ascii").strip())
    return [value == "1" for value in values if value in {"0", "1"}]


def _solid_state(disks: Sequence[Path]) -> bool | None:
    """True where no disk turns, False where one does, None where one does not say.

    Virtual disks are left out: what stands in ``queue/rotational`` of virtio and Xen disks is a default of
    the guest and says nothing of the disk behind it.
    """
    if not disks or any(disk.name.startswith(("vd", "xvd", "loop", "zram", "nbd", "rbd")) for disk in disks):
        return None
    turning = _flags(disks, "queue/rotational")
    return not any(turning) if len(turning) == len(disks) else None


def _removable(disks: Sequence[Path]) -> bool | None:
    """True where a disk can be taken out or hangs on USB."""
    if not disks:
        return None
    flags = _flags(disks, "removable")
    if any(flags) or any(re.search(r"/usb\d+/", str(disk)) for disk in disks):
        return True
    return False if len(flags) == len(disks) else None


def is_writable(folder: Path) -> bool:
    """Whether a file can be made in ``folder``: tried, since rights, quotas and read-only mounts all decide."""
    try:
        with tempfile.TemporaryFile(prefix=".rocm_gui-", dir=folder) as file:
            file.write(b"\0")
    except OSError:
        return False
    return True
