import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sources_builder import write

pytest.importorskip("grp", reason="a module for Linux")

from rocm_gui.system.posix.volumes import (
    Mount,
    disks_of,
    is_network,
    is_writable,
    mount_of,
    nearest_existing,
    parse_mounts,
    unescape,
    volume,
)

MOUNTS = r"""
proc /proc proc rw,nosuid 0 0
/dev/nvme0n1p2 / ext4 rw,relatime 0 0
/dev/sda1 /mnt/My\040Drive\011two fuseblk rw,user_id=0 0 0
nas:/export /mnt/nas nfs4 rw,vers=4.2 0 0
systemd-1 /mnt/auto autofs rw,fd=52 0 0
//nas/share /mnt/auto cifs rw 0 0
C:\134 /mnt/c 9p rw,aname=drvfs;path=C:\134;uid=1000 0 0
short line
"""


def test_mounts_are_read_with_their_escapes() -> None:
    mounts = parse_mounts(MOUNTS)
    assert len(mounts) == 7
    assert mounts[2] == Mount("/dev/sda1", "/mnt/My Drive\ttwo", "fuseblk", ("rw", "user_id=0"))
    assert mounts[6].device == "C:\\"
    assert unescape(r"/mnt/\344\270\255") == "/mnt/中"


@pytest.mark.parametrize(
    ("path", "point", "filesystem"),
    [
        ("/home/li/rocm", "/", "ext4"),
        ("/mnt/My Drive\ttwo/rocm", "/mnt/My Drive\ttwo", "fuseblk"),
        ("/mnt/nas", "/mnt/nas", "nfs4"),
        ("/mnt/nas2/rocm", "/", "ext4"),
        ("/mnt/auto/x", "/mnt/auto", "cifs"),
        ("/mnt/c/Users/li", "/mnt/c", "9p"),
    ],
)
def test_the_longest_and_last_mount_holds_a_path(path: str, point: str, filesystem: str) -> None:
    mount = mount_of(Path(path), parse_mounts(MOUNTS))
    assert mount is not None
    assert (mount.point, mount.filesystem) == (point, filesystem)


@given(st.text())
def test_any_text_is_mounts_or_nothing(text: str) -> None:
    for mount in parse_mounts(text):
        assert mount.options


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_escapes_are_undone_whatever_the_name(name: str) -> None:
    escaped = "".join(f"\\{byte:03o}" if byte in b" \t\n\\" else chr(byte) for byte in name.encode())
    assert unescape(escaped.encode("latin-1").decode("utf-8", "surrogateescape")) == name


def test_without_mounts_there_is_none() -> None:
    assert mount_of(Path("/home"), ()) is None


@pytest.mark.parametrize(
    ("filesystem", "network"),
    [("nfs", True), ("cifs", True), ("9p", True), ("fuse.sshfs", True), ("fuse.rclone", True), ("fuseblk", False)]
    + [(name, False) for name in ("ext4", "xfs", "btrfs", "overlay", "fuse.gvfsd-fuse", "zfs", "tmpfs")],
)
def test_network_file_systems(filesystem: str, network: bool) -> None:
    assert is_network(filesystem) is network


class Disks:
    """A /sys with the disks of one folder's device number."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root = root
        number = folder.stat().st_dev
        self.link = root / "dev/block" / f"{os.major(number)}:{os.minor(number)}"
        self.link.parent.mkdir(parents=True)

    def disk(self, name: str, *, rotational: str | None, removable: str = "0", bus: str = "pci0000:00") -> Path:
        disk = self.root / "devices" / bus / "block" / name
        disk.mkdir(parents=True, exist_ok=True)
        if rotational is not None:
            write(disk / "queue/rotational", rotational + "\n")
        write(disk / "removable", removable + "\n")
        return disk

    def partition(self, disk: Path, name: str) -> Path:
        write(disk / name / "partition", "1\n")
        return disk / name

    def mapped(self, name: str, *slaves: Path) -> Path:
        device = self.root / "devices/virtual/block" / name
        (device / "slaves").mkdir(parents=True)
        write(device / "queue/rotational", "0\n")  # what device mapper says of itself is not what counts
        for slave in slaves:
            (device / "slaves" / slave.name).symlink_to(slave)
        return device

    def holds(self, device: Path) -> None:
        self.link.symlink_to(device)


@pytest.fixture
def disks(tmp_path: Path) -> Disks:
    return Disks(tmp_path / "sys", tmp_path)


def look(tmp_path: Path) -> tuple[bool | None, bool | None]:
    found = volume(str(tmp_path), "target", proc_root=tmp_path / "proc", sysfs_root=tmp_path / "sys")
    return found.solid_state, found.removable


@pytest.mark.parametrize(("rotational", "solid"), [("0", True), ("1", False), (None, None), ("x", None)])
def test_a_partition_is_as_its_disk(tmp_path: Path, disks: Disks, rotational: str | None, solid: bool | None) -> None:
    disks.holds(disks.partition(disks.disk("sda", rotational=rotational), "sda2"))
    assert look(tmp_path) == (solid, False)


def test_a_logical_volume_is_as_the_disks_below_it(tmp_path: Path, disks: Disks) -> None:
    ssd = disks.partition(disks.disk("nvme0n1", rotational="0"), "nvme0n1p3")
    hdd = disks.partition(disks.disk("sda", rotational="1"), "sda1")
    disks.holds(disks.mapped("dm-1", disks.mapped("dm-0", ssd), hdd))
    assert disks_of(tmp_path, None, tmp_path / "sys") == (ssd.parent, hdd.parent)
    assert look(tmp_path) == (False, False)


def test_a_virtual_disk_says_nothing_of_the_real_one(tmp_path: Path, disks: Disks) -> None:
    disks.holds(disks.disk("vda", rotational="1"))
    assert look(tmp_path) == (None, False)


def test_a_usb_disk_can_be_taken_out(tmp_path: Path, disks: Disks) -> None:
    disks.holds(disks.disk("sdb", rotational="1", bus="pci0000:00/usb2/2-1"))
    assert look(tmp_path) == (False, True)


def test_an_unknown_device_is_unknown(tmp_path: Path) -> None:
    assert look(tmp_path) == (None, None)


def test_a_real_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    place = str(tmp_path / "not" / "yet")
    found = volume(place, "temp")
    assert (found.purpose, found.path) == ("temp", place)
    assert found.mount is not None
    assert tmp_path.resolve().is_relative_to(found.mount)
    assert found.total_bytes == shutil.disk_usage(tmp_path).total
    assert (found.network, found.writable) == (False, True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(shutil.which("findmnt") is None, reason="no findmnt to compare with")
def test_mount_and_file_system_as_findmnt_tells_them(tmp_path: Path) -> None:
    found = volume(str(tmp_path), "target")
    argv = ["findmnt", "-n", "-o", "TARGET,FSTYPE", "-T", str(tmp_path)]
    told = subprocess.run(argv, capture_output=True, text=True, check=True).stdout.split()
    assert [found.mount, found.filesystem] == told


def test_nearest_existing_parent(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert nearest_existing(tmp_path / "a" / "b") == tmp_path.resolve()
    assert nearest_existing(tmp_path / "file" / "b") == tmp_path.resolve()
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert nearest_existing(tmp_path / "link" / "deep") == (tmp_path / "real").resolve()


def test_a_place_without_rights_is_not_writable(tmp_path: Path) -> None:
    assert is_writable(tmp_path) is True
    assert is_writable(Path("/proc")) is False
    assert is_writable(tmp_path / "missing") is False
