"""The files of an environment: listed when it is ours and whole, compared before it is touched again."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rocm_gui.system.files import retry_busy, write_atomic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

Listing = dict[str, tuple[int, int]]  # path below the root with "/" -> size in bytes, time of change in ns


@dataclass(frozen=True)
class Difference:
    """How a folder differs from its manifest. Compiled byte code is a cache and never counts."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def packages(self) -> tuple[str, ...]:
        """The packages among what was added, by their ``.dist-info`` folders: ``pandas 2.3.1``."""
        found: dict[str, None] = {}
        for path in self.added:
            for part in path.split("/"):
                if part.endswith(".dist-info"):
                    name, _, version = part.removesuffix(".dist-info").partition("-")
                    found.setdefault(f"{name} {version}")
        return tuple(found)


def list_tree(root: Path) -> Listing:
    """All files and links below ``root``, except compiled byte code."""
    return {path: (info.st_size, info.st_mtime_ns) for path, info in _walk(_long(root), "")}


def _walk(folder: str, prefix: str) -> Iterator[tuple[str, os.stat_result]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            name = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "__pycache__":
                    yield from _walk(entry.path, name + "/")
            elif not entry.name.endswith(".pyc"):
                yield name, entry.stat(follow_symlinks=False)


def write_manifest(path: Path, root: Path) -> None:
    """List ``root`` in the file at ``path``, one line a file: size, time of change, path."""
    lines = [f"{size}\t{changed}\t{name}\n" for name, (size, changed) in sorted(list_tree(root).items())]
    write_atomic(path, "".join(lines).encode("utf-8", "surrogateescape"))


def read_manifest(path: Path) -> Listing | None:
    """The listing in the file at ``path``; None where there is none or it is damaged."""
    listing: Listing = {}
    try:
        for line in path.read_bytes().decode("utf-8", "surrogateescape").split("\n"):
            if line:
                size, changed, name = line.split("\t", 2)
                listing[name] = (int(size), int(changed))
    except (OSError, ValueError):
        return None
    return listing


def compare(root: Path, manifest: Listing) -> Difference:
    """How ``root`` differs from ``manifest`` now; without the folder all of it is missing."""
    present = list_tree(root) if root.is_dir() else {}
    return Difference(
        added=tuple(sorted(present.keys() - manifest.keys())),
        changed=tuple(sorted(name for name, facts in present.items() if manifest.get(name, facts) != facts)),
        missing=tuple(sorted(manifest.keys() - present.keys())),
    )


def reset(root: Path, manifest: Listing) -> bool:
    """Remove what stands in ``root`` beyond ``manifest``; False where something of the manifest is missing or changed.

    Brings an environment back to the end of its last finished step after an installation was killed.
    """
    difference = compare(root, manifest)
    if difference.missing or difference.changed:
        return False
    for name in difference.added:
        _unlink(_long(root / name))
    _prune(_long(root), {name.rsplit("/", 1)[0] for name in manifest if "/" in name}, "")
    return True


def _prune(folder: str, wanted: set[str], prefix: str) -> None:
    """Remove the folders below ``folder`` that hold no file of the manifest; ``wanted`` are the folders that do."""
    with os.scandir(folder) as entries:
        folders = [entry for entry in entries if entry.is_dir(follow_symlinks=False) and entry.name != "__pycache__"]
    for entry in folders:
        name = prefix + entry.name
        inside = {path for path in wanted if path == name or path.startswith(name + "/")}
        if inside:
            _prune(entry.path, inside, name + "/")
        elif not any(True for _ in _walk(entry.path, "")):
            shutil.rmtree(entry.path, ignore_errors=True)


def remove_tree(root: Path, on_file: Callable[[int], None] | None = None) -> None:
    """Remove ``root`` and all below it; read-only files too. A link is removed, never what it points to.

    Raises:
        OSError: where something cannot be removed; what is gone is gone.
    """
    if root.is_symlink() or root.is_file():
        _unlink(_long(root))
        return
    if not os.path.lexists(root):
        return
    count = 0
    for folder, folders, files in os.walk(_long(root), topdown=False):
        for name in files:
            _unlink(os.path.join(folder, name))  # noqa: PTH118 - \\?\ paths
            count += 1
            if on_file is not None and count % 500 == 0:
                on_file(count)
        for name in folders:
            _rmdir(os.path.join(folder, name))  # noqa: PTH118
    _rmdir(_long(root))


def _unlink(path: str) -> None:
    try:
        retry_busy(lambda: os.unlink(path))  # noqa: PTH108 - \\?\ paths
    except FileNotFoundError:
        return
    except PermissionError:
        os.chmod(path, stat.S_IWRITE | stat.S_IREAD)  # noqa: PTH101
        retry_busy(lambda: os.unlink(path))  # noqa: PTH108


def _rmdir(path: str) -> None:
    if os.path.islink(path):  # noqa: PTH114
        _unlink(path)
        return
    with contextlib.suppress(FileNotFoundError):
        retry_busy(lambda: os.rmdir(path))  # noqa: PTH106


def _long(path: Path) -> str:
    """``path`` in the form that Windows takes beyond 260 characters."""
    text = os.path.abspath(path)  # noqa: PTH100
    if sys.platform != "win32" or text.startswith("\\\\?\\"):
        return text
    return "\\\\?\\UNC\\" + text[2:] if text.startswith("\\\\") else "\\\\?\\" + text
