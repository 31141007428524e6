"""Gathers the licences of everything that a frozen program contains."""

from __future__ import annotations

import re
import shutil
import sys
import sysconfig
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_LICENCE_FILE = re.compile(r"(?i)(?:^|/)(?:licen[cs]es?/.+|(?:licen[cs]e|copying|notice|authors)[^/]*)$")
_OURS = Path(__file__).resolve().parent
_QT_NOTE = """\
Qt {version} and Qt for Python (PySide6, Shiboken6) are used under the GNU Lesser General Public License,
version 3. Its text is in LGPL-3.0.txt beside this file, together with the GPL-3.0 that it refers to.

They are dynamically linked and stand as separate files in _internal/PySide6 and _internal/shiboken6. You may
replace these files by your own builds of the same version; nothing in this program prevents it. The sources are at
https://download.qt.io/official_releases/qt/ and https://code.qt.io/cgit/pyside/pyside-setup.git/ (tag v{version}).
You may modify the program for your own use and reverse engineer it to debug such changes.
"""
_BOOTLOADER_NOTE = """\
The two programs begin with PyInstaller's bootloader. PyInstaller is under the GPL-2.0 with an exception that
allows the bootloader in programs under any licence: see COPYING.txt.
"""


class LicenceMissingError(Exception):
    """A package is in the program, but no licence of it was found: it must not be given to others like that."""


def write_notices(folder: Path, bundled: Iterable[str]) -> list[str]:
    """Write one folder for each package below ``folder``, and ``INDEX.txt``; returns the packages' names.

    ``bundled`` are module names and file names relative to the program's folder.

    Raises:
        LicenceMissingError: where a package brings no licence text.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    lines: list[str] = []
    names: list[str] = []
    for distribution in sorted(distributions_of(bundled), key=_name):
        name, version = _name(distribution), distribution.version
        place = folder / name
        place.mkdir()
        if name.lower().startswith(("pyside6", "shiboken6")):
            (place / "NOTICE.txt").write_text(_QT_NOTE.format(version=version), encoding="utf-8")
            for text in ("LGPL-3.0.txt", "GPL-3.0.txt"):
                shutil.copyfile(_OURS / "licences" / text, place / text)
        elif not _copy_licences(distribution, place):
            raise LicenceMissingError(name)
        if name.lower() == "pyinstaller":
            (place / "NOTICE.txt").write_text(_BOOTLOADER_NOTE, encoding="utf-8")
        lines.append(f"{name} {version}: {_licence_name(distribution)}")
        names.append(name)
    lines.append(_python_licence(folder))
    shutil.copyfile(_OURS.parent / "LICENSE", folder / "rocm_gui-LICENSE.txt")
    (folder / "INDEX.txt").write_text("\n".join(sorted(lines, key=str.lower)) + "\n", encoding="utf-8")
    return names


def distributions_of(bundled: Iterable[str]) -> list[metadata.Distribution]:
    """The installed packages that the bundled modules and files come from; PyInstaller's bootloader is always one."""
    roots = {re.split(r"[./\\]", name, maxsplit=1)[0] for name in bundled}
    owners = metadata.packages_distributions()
    names = {owner for root in roots for owner in owners.get(root, ())}
    names = {re.sub(r"[-_.]+", "-", name).lower() for name in names}
    if "PyInstaller" in owners:
        names.add("pyinstaller")
    if "pyside6-essentials" in names or "pyside6" in names:
        names -= {"pyside6", "pyside6-addons"}  # the metapackage, and the part that is left out
        names.add("pyside6-essentials")
    return [metadata.distribution(name) for name in names - {"rocm-gui", "pyinstaller-hooks-contrib"}]


def _name(distribution: metadata.Distribution) -> str:
    return str(distribution.metadata["Name"])


def _licence_name(distribution: metadata.Distribution) -> str:
    fields = distribution.metadata
    classifiers = [line.rpartition(" :: ")[2] for line in fields.get_all("Classifier") or () if "License ::" in line]
    named = fields["License-Expression"] or ", ".join(classifiers) or (fields["License"] or "").strip()
    return named.splitlines()[0][:120] if named else "see its folder"


def _copy_licences(distribution: metadata.Distribution, place: Path) -> int:
    count = 0
    for file in distribution.files or ():
        inside = re.split(r"\.dist-info/", str(file).replace("\\", "/"))[-1]
        if ".dist-info" not in str(file) or not _LICENCE_FILE.search(inside):
            continue
        target = place / re.sub(r"^licenses/", "", inside)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(str(file.locate()), target)
        count += 1
    return count


def _python_licence(folder: Path) -> str:
    version = sys.version.split()[0]
    library = Path(sysconfig.get_path("stdlib"))
    places = (library / "LICENSE.txt", Path(sys.base_prefix) / "LICENSE.txt")
    (folder / "Python").mkdir()
    source = next((place for place in places if place.is_file()), None)
    if source is None:
        raise LicenceMissingError("Python")
    shutil.copyfile(source, folder / "Python" / "LICENSE.txt")
    return f"Python {version}: PSF-2.0"
