"""The drive behind a folder on Windows, also where the folder does not exist yet.

Everything is asked of Windows itself and of the volume that really holds the folder (drive letters made by
``subst``, volumes mounted in folders, UNC paths); nothing needs administrator rights. Every single answer may be
missing without disturbing the others.
"""

from __future__ import annotations

import errno
import ntpath
import os
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rocm_gui.core.model import Volume
from rocm_gui.system.windows.registry import WinRegistry, text_of
from rocm_gui.system.windows.volume_calls import DRIVE_REMOTE, DRIVE_REMOVABLE, VolumeCalls, WinVolumeCalls

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocm_gui.system.windows.registry import Registry
    from rocm_gui.system.windows.volume_calls import Storage

ONEDRIVE_VARIABLES = ("OneDrive", "OneDriveConsumer", "OneDriveCommercial")
ONEDRIVE_PATH = r"Software\Microsoft\OneDrive\Accounts"
_BUS_USB, _BUS_VIRTUAL, _BUS_FILE_BACKED, _BUS_SPACES, _BUS_NVME = 7, 14, 15, 16, 17
_BUSES_OF_UNKNOWN_MEDIA = (_BUS_VIRTUAL, _BUS_FILE_BACKED, _BUS_SPACES)


def volume(
    path: str,
    purpose: Literal["target", "temp", "pip_cache", "home"],
    *,
    registry: Registry | None = None,
    environ: Mapping[str, str] | None = None,
    calls: VolumeCalls | None = None,
) -> Volume:
    """The volume that holds ``path``; its nearest existing parent stands in for a folder that is not there yet.

    Args:
        path: an absolute path.
        purpose: what the folder is for.
        registry: tells OneDrive's folders; the machine's own where None.
        environ: this process's variables where None.
        calls: the questions to Windows; the machine's own where None.
    """
    ask = calls or WinVolumeCalls()
    existing = nearest_existing(path)
    if existing is None:
        share = path.startswith("\\\\")  # not asked again: an unreachable server answers slowly
        network = share or ask.drive_type(ntpath.splitdrive(path)[0] + "\\") == DRIVE_REMOTE
        return Volume(purpose=purpose, path=path, network=network or None)
    real = ask.real_path(existing)
    mount = ask.mount_of(real)
    drive_type = ask.drive_type(mount) if mount else None
    network = None if drive_type is None else drive_type == DRIVE_REMOTE
    storage = ask.storage(mount) if mount and not network else None
    free_total = ask.space(existing)
    return Volume(
        purpose=purpose,
        path=path,
        mount=mount,
        free_bytes=free_total[0] if free_total else None,
        total_bytes=free_total[1] if free_total else None,
        filesystem=ask.filesystem(mount) if mount else None,
        solid_state=solid_state(storage),
        network=network,
        removable=_removable(drive_type, storage),
        onedrive=ask.cloud_folder(existing) or in_onedrive(path, onedrive_folders(registry or WinRegistry(), environ)),
        writable=writable(existing, is_target=same_path(existing, path)),
    )


def nearest_existing(path: str) -> str | None:
    """``path`` or the nearest folder above it that exists; None where its drive is not there or none is named."""
    if not os.path.isabs(path):  # noqa: PTH117 - also a Windows path of a recorded machine, read elsewhere
        return None
    current = os.path.abspath(path)  # noqa: PTH100 - resolves "." and "..", not links
    while not os.path.isdir(current):  # noqa: PTH112 - also true for long and UNC paths
        parent = os.path.dirname(current)  # noqa: PTH120
        if parent == current:
            return None
        current = parent
    return current


def same_path(left: str, right: str) -> bool:
    """Whether two spellings are one path, by name alone."""
    return os.path.normcase(os.path.abspath(left)) == os.path.normcase(os.path.abspath(right))  # noqa: PTH100


def solid_state(storage: Storage | None) -> bool | None:
    """Whether the drive has no moving parts; None for virtual disks and storage pools, which only claim it.

    Some NVMe drives answer the seek-penalty question wrongly: the bus decides for them.
    """
    if storage is None:
        return None
    if storage.bus == _BUS_NVME:
        return True
    if storage.bus in _BUSES_OF_UNKNOWN_MEDIA or storage.seek_penalty is None:
        return None
    return not storage.seek_penalty


def _removable(drive_type: int | None, storage: Storage | None) -> bool | None:
    """External USB disks call themselves fixed; the bus tells."""
    if drive_type is None:
        return None
    return drive_type == DRIVE_REMOVABLE or (storage is not None and storage.bus == _BUS_USB)


def onedrive_folders(registry: Registry, environ: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The folders that OneDrive keeps in step: of every account, from variables and registry."""
    variables = os.environ if environ is None else environ
    folders = [variables.get(name) or variables.get(name.upper()) for name in ONEDRIVE_VARIABLES]
    accounts = (rf"{ONEDRIVE_PATH}\{name}" for name in registry.subkeys("HKCU", ONEDRIVE_PATH) or ())
    folders += [text_of(registry.values("HKCU", account), "UserFolder") for account in accounts]
    return tuple(dict.fromkeys(folder for folder in folders if folder))


def in_onedrive(path: str, folders: tuple[str, ...]) -> bool:
    r"""Whether ``path`` is one of ``folders`` or below it; ``C:\OneDrive2`` is not below ``C:\OneDrive``."""
    wanted = ntpath.normcase(ntpath.normpath(path))
    roots = (ntpath.normcase(ntpath.normpath(folder)).rstrip("\\") for folder in folders)
    return any(wanted == root or wanted.startswith(root + "\\") for root in roots)


def writable(existing: str, *, is_target: bool) -> bool | None:
    r"""Whether this user can really write there: something is made and removed again. None where that says nothing.

    Below ``existing`` a *folder* is tried where the target is yet to be made: at ``C:\`` everybody may create folders
    and only administrators files. ``tempfile`` is not used: on Windows it takes a refusal for a name already taken
    and tries again two thousand million times.
    """
    probe = Path(existing) / f".rocm_gui-{uuid.uuid4().hex[:12]}"
    try:
        if is_target:
            with probe.open("xb"):
                pass
            probe.unlink()
        else:
            probe.mkdir()
            _write_below(probe)
    except PermissionError:
        return False
    except OSError as error:
        return False if error.errno == errno.EROFS else None
    return True


def _write_below(folder: Path) -> None:
    try:
        (folder / "probe").write_bytes(b"")
        (folder / "probe").unlink()
    finally:
        folder.rmdir()
