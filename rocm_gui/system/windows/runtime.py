"""Windows files and policies that decide whether PyTorch's libraries load."""

from __future__ import annotations

import ctypes
import os
import re
import sys
from ctypes import byref, c_uint32, c_void_p, c_wchar_p
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from rocm_gui.core.model import WindowsRuntime
from rocm_gui.system.windows.registry import WinRegistry, number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from rocm_gui.system.windows.registry import Registry

POLICY_PATH = r"SOFTWARE\Microsoft\Windows\CurrentVersion\Policies\System"
VC_FILES = ("msvcp140.dll", "vcruntime140.dll", "vcruntime140_1.dll")  # the third is what old installations lack
_HIP_DLL = re.compile(r"amdhip64.*\.dll", re.IGNORECASE)
_SIGNATURE = 0xFEEF04BD  # VS_FIXEDFILEINFO


def detect_runtime(
    environ: Mapping[str, str],
    registry: Registry | None = None,
    file_version: Callable[[str], str | None] | None = None,
) -> WindowsRuntime:
    """Visual C++ runtime, HIP libraries on the search path, and who may raise rights.

    Args:
        environ: ``SystemRoot`` and ``PATH`` are used.
        registry: tells the policy; the machine's own where None.
        file_version: version of a DLL by its path; Windows' own answer where None.
    """
    system = _system_folder(environ)
    version_of = file_version or read_file_version
    files = None
    if system is not None:
        present = {entry.lower() for entry in _names(system)}
        files = [name in present for name in VC_FILES]
    main = system / VC_FILES[0] if system is not None and files and files[0] else None
    folders = ([system] if system is not None else []) + search_path(environ)
    return WindowsRuntime(
        vc_runtime_version=version_of(str(main)) if main is not None else None,
        vc_runtime_present=None if files is None else all(files),
        hip_dlls=hip_dlls(folders),
        admin_rights_policy=rights_policy(registry or WinRegistry()),
    )


def search_path(environ: Mapping[str, str]) -> list[Path]:
    """The absolute local folders of ``PATH``, quotes removed and variables filled in.

    Network folders are left out: one server that does not answer would hold up everything.
    """
    text = next((value for name, value in environ.items() if name.upper() == "PATH"), "")
    folders: list[Path] = []
    for part in text.split(os.pathsep):
        entry = os.path.expandvars(part.strip().strip('"'))
        if entry and not entry.startswith(("\\\\", "//")) and Path(entry).is_absolute():
            folders.append(Path(entry))
    return folders


def hip_dlls(folders: Iterable[Path]) -> tuple[str, ...]:
    """Every ``amdhip64*.dll`` in ``folders``, each folder once, in the order in which Windows would find them."""
    found: list[str] = []
    seen: set[str] = set()
    for folder in folders:
        key = os.path.normcase(str(folder)).rstrip("\\/")
        if key not in seen:
            seen.add(key)
            found += [str(folder / name) for name in sorted(_names(folder)) if _HIP_DLL.fullmatch(name)]
    return tuple(found)


def rights_policy(registry: Registry) -> str | None:
    """How Windows answers a program that asks for administrator rights, as a code.

    ``prompt`` asks (the normal case), ``uac_off`` never asks, ``denied_to_users`` refuses standard users silently,
    ``signed_only`` refuses programs without a trusted signature. None where the policy cannot be read.
    """
    values = registry.values("HKLM", POLICY_PATH)
    if values is None:
        return None
    if number_of(values, "EnableLUA") == 0:
        return "uac_off"
    if number_of(values, "ValidateAdminCodeSignatures") == 1:
        return "signed_only"
    return "denied_to_users" if number_of(values, "ConsentPromptBehaviorUser") == 0 else "prompt"


def read_file_version(path: str) -> str | None:
    """The version in a file's resources ("14.40.33810.0"); None where it has none or Windows cannot be asked."""
    if sys.platform != "win32":
        return None
    try:
        library: Any = cast("Any", ctypes).WinDLL("version")
    except OSError:
        return None
    size = library.GetFileVersionInfoSizeW(c_wchar_p(path), None)
    if not size:
        return None
    data = ctypes.create_string_buffer(size)
    place, length = c_void_p(), c_uint32()
    if not library.GetFileVersionInfoW(c_wchar_p(path), 0, size, data):
        return None
    if not library.VerQueryValueW(data, c_wchar_p("\\"), byref(place), byref(length)) or length.value < 16:
        return None
    return fixed_version(ctypes.string_at(cast("int", place.value), 16))


def fixed_version(info: bytes) -> str | None:
    """The version in the first 16 bytes of a VS_FIXEDFILEINFO."""
    signature, _, high, low = (int.from_bytes(info[at : at + 4], "little") for at in range(0, 16, 4))
    if signature != _SIGNATURE:
        return None
    return f"{high >> 16}.{high & 0xFFFF}.{low >> 16}.{low & 0xFFFF}"


def _system_folder(environ: Mapping[str, str]) -> Path | None:
    """System32; a 32-bit program sees the real one as Sysnative."""
    root = next((value for name, value in environ.items() if name.upper() == "SYSTEMROOT"), None)
    if root is None:
        return None
    for name in ("Sysnative", "System32", "system32"):
        folder = Path(root, name)
        if folder.is_dir():
            return folder
    return None


def _names(folder: Path) -> list[str]:
    try:
        return [entry.name for entry in folder.iterdir()]
    except OSError:
        return []
