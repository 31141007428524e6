from pathlib import Path
from typing import Any

import pytest

from rocm_gui.system.windows.registry import MemoryRegistry
from rocm_gui.system.windows.volume_calls import (
    DRIVE_FIXED,
    DRIVE_REMOTE,
    DRIVE_REMOVABLE,
    Storage,
    WinVolumeCalls,
    substituted,
)
from rocm_gui.system.windows.volumes import (
    in_onedrive,
    nearest_existing,
    onedrive_folders,
    solid_state,
    volume,
    writable,
)

EMPTY = MemoryRegistry({})


class Drive:
    """Recorded answers of one volume."""

    def __init__(self, **answers: Any) -> None:
        self.answers = {"drive_type": DRIVE_FIXED, "filesystem": "NTFS", "space": (5, 9), "storage": None} | answers
        self.asked: list[str] = []

    def real_path(self, path: str) -> str:
        return path

    def mount_of(self, path: str) -> str:
        return "D:\\"

    def drive_type(self, mount: str) -> int:
        return self.answers["drive_type"]

    def filesystem(self, mount: str) -> str:
        return self.answers["filesystem"]

    def space(self, path: str) -> tuple[int, int]:
        return self.answers["space"]

    def storage(self, mount: str) -> Storage | None:
        self.asked.append(mount)
        return self.answers["storage"]

    def cloud_folder(self, path: str) -> bool | None:
        return self.answers.get("cloud")


def look(path: Path, **answers: Any):
    return volume(str(path), "target", registry=EMPTY, environ={}, calls=Drive(**answers))


def test_a_folder_that_is_yet_to_be_made(tmp_path) -> None:
    found = look(tmp_path / "a" / "b", storage=Storage(bus=11, seek_penalty=True))
    assert (found.purpose, found.path, found.mount) == ("target", str(tmp_path / "a" / "b"), "D:\\")
    assert (found.free_bytes, found.total_bytes, found.filesystem) == (5, 9, "NTFS")
    assert (found.solid_state, found.network, found.removable) == (False, False, False)
    assert (found.onedrive, found.writable) == (False, True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("storage", "answer"),
    [
        (Storage(bus=17, seek_penalty=True), True),  # NVMe drives that answer wrongly
        (Storage(bus=17), True),
        (Storage(bus=11, seek_penalty=False), True),
        (Storage(bus=11, seek_penalty=True), False),
        (Storage(bus=11), None),
        (Storage(bus=16, seek_penalty=False), None),  # storage pool
        (Storage(bus=15, seek_penalty=True), None),  # VHD
        (None, None),
    ],
)
def test_solid_state(storage: Storage | None, answer: bool | None) -> None:
    assert solid_state(storage) is answer


def test_a_network_drive_is_not_asked_for_its_disk(tmp_path) -> None:
    drive = Drive(drive_type=DRIVE_REMOTE)
    found = volume(str(tmp_path), "target", registry=EMPTY, environ={}, calls=drive)
    assert (found.network, found.solid_state, drive.asked) == (True, None, [])


def test_usb_disks_are_removable_though_they_call_themselves_fixed(tmp_path) -> None:
    assert look(tmp_path, storage=Storage(bus=7)).removable is True
    assert look(tmp_path, drive_type=DRIVE_REMOVABLE, filesystem="exFAT").removable is True


def test_onedrive_from_variables_registry_and_attributes(tmp_path) -> None:
    accounts = r"HKCU\Software\Microsoft\OneDrive\Accounts"
    registry = MemoryRegistry(
        {
            rf"{accounts}\Personal": {"UserFolder": r"C:\Users\me\OneDrive"},
            rf"{accounts}\Business1": {"UserFolder": r"C:\Users\me\OneDrive - Firma"},
            rf"{accounts}\Business2": {},
        }
    )
    folders = onedrive_folders(registry, {"OneDrive": r"C:\Users\me\OneDrive", "OneDriveConsumer": r"D:\Cloud"})
    assert folders == (r"C:\Users\me\OneDrive", r"D:\Cloud", r"C:\Users\me\OneDrive - Firma")
    assert in_onedrive(r"c:\users\ME\onedrive\Documents\rocm", folders)
    assert in_onedrive("C:/Users/me/OneDrive - Firma/x", folders)
    assert in_onedrive(r"D:\Cloud", folders)
    assert not in_onedrive(r"C:\Users\me\OneDrive2\rocm", folders)
    assert look(tmp_path, cloud=True).onedrive is True


def test_the_nearest_folder(tmp_path) -> None:
    (tmp_path / "file").write_text("")
    assert nearest_existing(str(tmp_path / "file" / "below")) == str(tmp_path)
    assert nearest_existing(str(tmp_path)) == str(tmp_path)


def test_a_windows_path_elsewhere_and_a_relative_one_touch_nothing(monkeypatch, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)
    assert nearest_existing("rocm") is None
    found = volume("rocm", "target", registry=EMPTY, environ={}, calls=Drive())
    assert (found.mount, found.writable) == (None, None)


def test_writing_is_tried_and_leaves_nothing(tmp_path) -> None:
    assert writable(str(tmp_path), is_target=True) is True
    assert writable(str(tmp_path), is_target=False) is True
    assert list(tmp_path.iterdir()) == []
    assert writable(str(tmp_path / "gone"), is_target=True) is None


@pytest.mark.parametrize("is_target", [True, False])
def test_a_refusal_is_found_at_once(tmp_path, monkeypatch, is_target: bool) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Access is denied")

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr(Path, "mkdir", refuse)
    assert writable(str(tmp_path), is_target=is_target) is False


@pytest.mark.parametrize(
    ("device", "rest", "path"),
    [
        ("\\??\\C:\\Users\\me\\long", "\\env\\x", r"C:\Users\me\long\env\x"),
        ("\\??\\C:\\Users\\me\\long", "\\", "C:\\Users\\me\\long\\"),
        ("\\??\\UNC\\server\\share", "\\x", r"\\server\share\x"),
        ("\\Device\\HarddiskVolume3", "\\x", None),
        (r"\Device\LanmanRedirector\;Z:0000\server\share", "\\x", None),
    ],
)
def test_substituted_drives(device: str, rest: str, path: str | None) -> None:
    assert substituted(device, rest) == path


@pytest.mark.skipif("sys.platform == 'win32'")
def test_elsewhere_every_answer_is_missing(tmp_path) -> None:
    found = volume(str(tmp_path), "home", registry=EMPTY, environ={}, calls=WinVolumeCalls())
    assert (found.mount, found.free_bytes, found.filesystem, found.network) == (None, None, None, None)
    assert found.writable is True
