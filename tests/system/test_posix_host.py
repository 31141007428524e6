import os
import platform
from pathlib import Path

import psutil
import pytest

pytest.importorskip("grp", reason="a module for Linux")

from sources_builder import write

from rocm_gui.system.posix.host import detect_host, parse_os_release

UBUNTU = """\
PRETTY_NAME="Ubuntu 24.04.2 LTS"
NAME="Ubuntu"
VERSION_ID="24.04"
# a remark
ID=ubuntu
ID_LIKE='debian'
MOTTO="a \\"quoted\\" \\$word"
"""
CPUINFO = "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD Ryzen 9 7950X 16-Core   Processor\n"
MEMINFO = (
    "MemTotal:       32594760 kB\nSwapTotal:       2097148 kB\nCommitLimit:    18394528 kB\nHugePages_Total:       0\n"
)


def recorded(root: Path, kernel: str, *, cgroup: str = "0::/init.scope\n") -> tuple[Path, Path]:
    write(root / "etc/os-release", UBUNTU)
    write(root / "proc/sys/kernel/osrelease", kernel + "\n")
    write(root / "proc/cpuinfo", CPUINFO)
    write(root / "proc/meminfo", MEMINFO)
    write(root / "proc/1/cgroup", cgroup)
    return root / "proc", root / "etc"


def test_a_recorded_ubuntu(tmp_path: Path) -> None:
    host = detect_host(*recorded(tmp_path, "6.8.0-51-generic"), {"LANG": "zh_CN.UTF-8", "HOME": "/home/li"})
    assert host.os == "linux"
    assert (host.os_name, host.os_release, host.distribution) == ("Ubuntu 24.04.2 LTS", "24.04", "ubuntu")
    assert host.kernel == "6.8.0-51-generic"
    assert (host.wsl, host.container) == (False, False)
    assert host.cpu_name == "AMD Ryzen 9 7950X 16-Core Processor"
    assert host.ram_bytes == 32594760 * 1024
    assert host.page_file_bytes == 2097148 * 1024
    assert host.commit_limit_bytes == 18394528 * 1024
    assert (host.language, host.code_page, host.home) == ("zh_CN", "UTF-8", "/home/li")


def test_wsl_by_its_kernel(tmp_path: Path) -> None:
    assert detect_host(*recorded(tmp_path, "5.15.167.4-microsoft-standard-WSL2"), {}).wsl is True


@pytest.mark.parametrize("mark", [".dockerenv", "run/.containerenv", "run/systemd/container"])
def test_a_container_by_its_mark(tmp_path: Path, mark: str) -> None:
    places = recorded(tmp_path, "6.8.0")
    write(tmp_path / mark)
    assert detect_host(*places, {}).container is True


def test_a_container_by_its_control_group_or_variable(tmp_path: Path) -> None:
    group = "12:cpu:/kubepods/besteffort/pod1b2\n0::/\n"
    assert detect_host(*recorded(tmp_path / "a", "6.8.0", cgroup=group), {}).container is True
    assert detect_host(*recorded(tmp_path / "b", "6.8.0"), {"container": "podman"}).container is True


@pytest.mark.parametrize(
    ("layers", "container"),
    [("/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/2/fs", True), ("/cow/upper", False)],
)
def test_a_container_by_the_layers_of_its_root(tmp_path: Path, layers: str, container: bool) -> None:
    places = recorded(tmp_path, "6.8.0")
    write(tmp_path / "proc/self/mounts", f"overlay / overlay rw,relatime,lowerdir={layers},workdir=/w 0 0\n")
    assert detect_host(*places, {}).container is container


def test_what_cannot_be_read_is_none(tmp_path: Path) -> None:
    host = detect_host(tmp_path / "proc", tmp_path / "etc", {})
    assert (host.os_name, host.distribution, host.kernel, host.wsl, host.container) == (None, None, None, None, None)
    assert (host.cpu_name, host.ram_bytes, host.page_file_bytes, host.language) == (None, None, None, None)


def test_os_release_falls_back_to_the_vendor_file(tmp_path: Path) -> None:
    write(tmp_path / "usr/lib/os-release", 'ID="fedora"\nVERSION_ID=42\n')
    assert detect_host(tmp_path / "proc", tmp_path / "etc", {}).distribution == "fedora"


def test_os_release_quotes_and_escapes() -> None:
    values = parse_os_release(UBUNTU)
    assert values["ID_LIKE"] == "debian"
    assert values["MOTTO"] == 'a "quoted" $word'
    assert "# a remark" not in values


@pytest.mark.parametrize("value", ["C.UTF-8", "POSIX", "C"])
def test_no_language_is_none(tmp_path: Path, value: str) -> None:
    assert detect_host(tmp_path, tmp_path, {"LANG": value}).language is None


def test_this_machine() -> None:
    host = detect_host(Path("/proc"), Path("/etc"), os.environ)
    assert host.kernel == platform.release()
    assert host.architecture == platform.machine()
    assert host.logical_cores == os.cpu_count()
    assert host.ram_bytes == psutil.virtual_memory().total
    assert host.user_is_admin is (os.geteuid() == 0)
    assert host.groups
