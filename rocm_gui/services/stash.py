"""Installed packages set aside and put back: how the replacement of PyTorch in a foreign environment is undone.

Their files are moved, not copied, into a folder beside ``site-packages`` on the same drive: instant, offline, and
exactly what was there.
"""

from __future__ import annotations

import contextlib
import csv
import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from packaging.utils import canonicalize_name

from rocm_gui.services.env_tree import remove_tree
from rocm_gui.system.files import retry_busy, write_atomic

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocm_gui.core.journal import Made


class StashList(msgspec.Struct, frozen=True, kw_only=True):
    """The manifest of a stash: where its files belong. ``packages`` are the names that take their place."""

    site_packages: str
    files: tuple[str, ...]  # relative to site_packages, "../../bin/torchrun" too
    packages: tuple[str, ...] = ()
    new_files: tuple[str, ...] = ()  # that may stand there although their package was never finished


def recorded_files(site_packages: Path, names: Iterable[str]) -> tuple[str, ...]:
    """The files that the packages ``names`` own by their RECORD, and their ``.dist-info`` folders' other files."""
    wanted = {canonicalize_name(name) for name in names}
    files: dict[str, None] = {}
    for info in sorted(site_packages.glob("*.dist-info")):
        if canonicalize_name(info.name.partition("-")[0]) not in wanted:
            continue
        record = info / "RECORD"
        if record.is_file():
            for row in csv.reader(io.StringIO(record.read_text(encoding="utf-8", errors="replace"))):
                if row and not os.path.isabs(row[0]):  # noqa: PTH117 - RECORD of an other system's form
                    files.setdefault(row[0].replace("\\", "/"))
        for path in info.rglob("*"):
            if path.is_file():
                files.setdefault(path.relative_to(site_packages).as_posix())
    return tuple(name for name in files if (site_packages / name).is_file())


def write_stash_list(path: Path, stash: StashList) -> None:
    """Write the list down before anything is moved."""
    write_atomic(path, msgspec.json.encode(stash))


def stash_files(made: Made) -> None:
    """Move the listed files aside. Cut at any point, it can be done again."""
    stash, folder = _read(made)
    for number, name in enumerate(stash.files):
        source = Path(os.path.normpath(Path(stash.site_packages) / name))
        place = _place(folder, number)
        if source.is_file() and not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            _move(source, place)
    # pip since 24.2 takes an empty .dist-info for a package of version None and refuses to replace it.
    for name in sorted({part for file in stash.files for part in _parents(file)}, key=len, reverse=True):
        if name.partition("/")[0].endswith(".dist-info"):
            with contextlib.suppress(OSError):  # not empty: something of somebody else's
                (Path(stash.site_packages) / name).rmdir()


def restore_stash(made: Made) -> None:
    """Put the files back, after the packages that took their place have been removed."""
    stash, folder = _read(made)
    site_packages = Path(stash.site_packages)
    if not folder.exists():
        return
    back = {name for number, name in enumerate(stash.files) if not _place(folder, number).exists()}
    for name in {*recorded_files(site_packages, stash.packages), *stash.new_files} - back:
        Path(os.path.normpath(site_packages / name)).unlink(missing_ok=True)
    for number, name in enumerate(stash.files):
        place = _place(folder, number)
        if place.exists():
            path = Path(os.path.normpath(site_packages / name))
            path.parent.mkdir(parents=True, exist_ok=True)
            _move(place, path)
    _remove_empty(site_packages, stash)
    remove_tree(folder)


def replaced_since(made: Made) -> tuple[str, ...]:
    """Packages of ours, by their ``.dist-info`` folders, that are no longer there: somebody installed others."""
    try:
        stash, _ = _read(made)
    except (OSError, msgspec.MsgspecError):
        return ()
    records = [name for name in stash.new_files if name.endswith(".dist-info/RECORD")]
    return tuple(name.removesuffix("/RECORD") for name in records if not (Path(stash.site_packages) / name).exists())


def _read(made: Made) -> tuple[StashList, Path]:
    assert made.manifest is not None
    assert made.backup is not None
    return msgspec.json.decode(Path(made.manifest).read_bytes(), type=StashList), Path(made.backup)


def _place(folder: Path, number: int) -> Path:
    """Short numbered names: the stash is never deeper than the original was."""
    return folder / f"{number // 1000}" / f"{number}"


def _move(source: Path, place: Path) -> None:
    retry_busy(lambda: source.replace(place))


def _remove_empty(site_packages: Path, stash: StashList) -> None:
    """Remove the folders that only the new packages had; byte code of theirs goes with them."""
    kept = {part for name in stash.files for part in _parents(name)}
    new = {part for name in (*stash.new_files, *_dist_info_files(site_packages, stash)) for part in _parents(name)}
    for name in sorted(new - kept, key=len, reverse=True):
        folder = site_packages / name
        if folder.is_dir() and not any(path.is_file() and path.suffix != ".pyc" for path in folder.rglob("*")):
            remove_tree(folder)


def _dist_info_files(site_packages: Path, stash: StashList) -> list[str]:
    return [
        f"{info.name}/RECORD"
        for info in site_packages.glob("*.dist-info")
        if canonicalize_name(info.name.partition("-")[0]) in stash.packages
    ]


def _parents(name: str) -> list[str]:
    """The folders above a file inside site-packages; none for what stands outside."""
    parts = name.split("/")[:-1]
    return [] if ".." in parts else ["/".join(parts[: length + 1]) for length in range(len(parts))]
