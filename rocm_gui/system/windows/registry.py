r"""The Windows registry behind one small interface: the machine's own, or a recorded one.

Paths are written without the hive ("SOFTWARE\\AMD\\CN") and compared without case, as Windows does. Everything is
read in the 64-bit view; what 32-bit programs wrote below HKLM stands there as ``SOFTWARE\\WOW6432Node``.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast

from rocm_gui.core.errors import AppError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

Hive = Literal["HKLM", "HKCU"]
Value = tuple[object, int]  # raw data and its type, as winreg gives them: text is not expanded

REG_SZ = 1
REG_EXPAND_SZ = 2
REG_BINARY = 3
REG_DWORD = 4
REG_MULTI_SZ = 7
REG_QWORD = 11

_TYPES = {
    "REG_SZ": REG_SZ,
    "REG_EXPAND_SZ": REG_EXPAND_SZ,
    "REG_BINARY": REG_BINARY,
    "REG_DWORD": REG_DWORD,
    "REG_MULTI_SZ": REG_MULTI_SZ,
    "REG_QWORD": REG_QWORD,
}
_TYPE_NAMES = {number: name for name, number in _TYPES.items()}


class Registry(Protocol):
    """Reads keys. None means "no such key" or "may not be read"; ``denied`` tells the two apart."""

    def values(self, hive: Hive, path: str) -> dict[str, Value] | None:
        """All values of a key by name; the default value has the name ""."""
        ...

    def subkeys(self, hive: Hive, path: str) -> tuple[str, ...] | None:
        """The names of the keys below a key, in the registry's order."""
        ...

    def denied(self, hive: Hive, path: str) -> bool:
        """Whether the key is there and this user may not read it."""
        ...


class WritableRegistry(Registry, Protocol):
    """Writes values as well. Both raise ``PermissionError`` where this user may not, ``OSError`` for the rest."""

    def set_value(self, hive: Hive, path: str, name: str, data: object, kind: int) -> None:
        """Write one value, with its type; the key is made where it is missing."""
        ...

    def delete_value(self, hive: Hive, path: str, name: str) -> None:
        """Remove one value; nothing where it is not there."""
        ...


def read(registry: Registry, hive: Hive, path: str, name: str = "") -> object | None:
    """The data of one value (names have no case), or None."""
    return look_up(registry.values(hive, path), name)


def look_up(values: Mapping[str, Value] | None, name: str) -> object | None:
    """The data of the value ``name`` among ``values``; None where either is missing."""
    if values is None:
        return None
    if name in values:
        return values[name][0]
    folded = name.casefold()
    return next((data for key, (data, _) in values.items() if key.casefold() == folded), None)


def text_of(values: Mapping[str, Value] | None, name: str) -> str | None:
    """The value ``name`` as text without blanks and NULs around it; None where missing, empty or no text."""
    data = look_up(values, name)
    if not isinstance(data, str):
        return None
    return data.split("\0", 1)[0].strip() or None


def number_of(values: Mapping[str, Value] | None, name: str) -> int | None:
    """The value ``name`` as a number: REG_DWORD, REG_QWORD, or up to 8 bytes of REG_BINARY (little-endian)."""
    data = look_up(values, name)
    if isinstance(data, bool):
        return None
    if isinstance(data, int):
        return data
    if isinstance(data, bytes) and 0 < len(data) <= 8:
        return int.from_bytes(data, "little")
    return None


def texts_of(values: Mapping[str, Value] | None, name: str) -> tuple[str, ...]:
    """The value ``name`` as a list of texts (REG_MULTI_SZ, or one text)."""
    data = look_up(values, name)
    if isinstance(data, str):
        return (data,)
    if isinstance(data, (list, tuple)):
        return tuple(item for item in cast("Iterable[object]", data) if isinstance(item, str))
    return ()


class WinRegistry:
    """The registry of this machine. Needs Windows when it is used, not when it is made."""

    def values(self, hive: Hive, path: str) -> dict[str, Value] | None:
        """See ``Registry.values``."""
        if sys.platform != "win32":
            return None
        import winreg

        try:
            with self._open(hive, path) as key:
                count = winreg.QueryInfoKey(key)[1]
                rows = (winreg.EnumValue(key, index) for index in range(count))
                return {name: (data, kind) for name, data, kind in rows}
        except OSError:
            return None

    def subkeys(self, hive: Hive, path: str) -> tuple[str, ...] | None:
        """See ``Registry.subkeys``."""
        if sys.platform != "win32":
            return None
        import winreg

        try:
            with self._open(hive, path) as key:
                return tuple(winreg.EnumKey(key, index) for index in range(winreg.QueryInfoKey(key)[0]))
        except OSError:
            return None

    def denied(self, hive: Hive, path: str) -> bool:
        """See ``Registry.denied``."""
        if sys.platform != "win32":
            return False
        try:
            self._open(hive, path).Close()
        except PermissionError:
            return True
        except OSError:
            return False
        return False

    def set_value(self, hive: Hive, path: str, name: str, data: object, kind: int) -> None:
        """See ``WritableRegistry.set_value``."""
        import winreg

        rights = winreg.KEY_SET_VALUE | winreg.KEY_WOW64_64KEY  # pyright: ignore
        with winreg.CreateKeyEx(_root(hive), path, 0, rights) as key:  # pyright: ignore
            winreg.SetValueEx(key, name, 0, kind, data)  # pyright: ignore
            winreg.FlushKey(key)  # pyright: ignore

    def delete_value(self, hive: Hive, path: str, name: str) -> None:
        """See ``WritableRegistry.delete_value``."""
        import winreg

        rights = winreg.KEY_SET_VALUE | winreg.KEY_WOW64_64KEY  # pyright: ignore
        try:
            with winreg.OpenKey(_root(hive), path, 0, rights) as key:  # pyright: ignore
                winreg.DeleteValue(key, name)  # pyright: ignore
                winreg.FlushKey(key)  # pyright: ignore
        except FileNotFoundError:
            pass

    @staticmethod
    def _open(hive: Hive, path: str) -> Any:  # noqa: ANN401 - winreg.HKEYType exists on Windows only
        import winreg

        return winreg.OpenKey(_root(hive), path, 0, winreg.KEY_READ | winreg.KEY_WOW64_64KEY)  # pyright: ignore


def _root(hive: Hive) -> Any:  # noqa: ANN401 - winreg.HKEYType exists on Windows only
    import winreg

    return winreg.HKEY_LOCAL_MACHINE if hive == "HKLM" else winreg.HKEY_CURRENT_USER  # pyright: ignore


class MemoryRegistry:
    r"""A recorded registry. Keys above a recorded one exist too, without values.

    Args:
        keys: "HKLM\\path" -> values; a bare text, number, bytes or list stands for the type that Windows
            would use (REG_SZ, REG_DWORD or REG_QWORD, REG_BINARY, REG_MULTI_SZ), a pair is (data, type).
        denied: full paths of the keys that may not be read.
        protected: full paths of the keys that may not be written.
    """

    def __init__(
        self, keys: Mapping[str, Mapping[str, object]], denied: Iterable[str] = (), protected: Iterable[str] = ()
    ) -> None:
        self._protected = {_fold(path) for path in protected}
        self._keys: dict[str, dict[str, Value]] = {}
        self._children: dict[str, dict[str, str]] = {}  # folded parent -> folded name -> name
        self._denied = {_fold(path) for path in denied}
        for path, values in keys.items():
            self._add(path)
            self._keys[_fold(path)] = {name: _typed(data) for name, data in values.items()}
        for path in denied:
            self._add(path)

    @classmethod
    def from_json(cls, document: str | bytes) -> MemoryRegistry:
        """A registry from the document that ``record`` writes.

        Raises:
            AppError: ``recording_malformed``.
        """
        try:
            content = json.loads(document)
            keys = {
                path: {name: _from_json(data) for name, data in values.items()}
                for path, values in content["keys"].items()
            }
            return cls(keys, tuple(content.get("denied", ())))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise AppError("recording_malformed", ExitCode.USAGE, reason=str(error)) from error

    @classmethod
    def from_file(cls, path: Path) -> MemoryRegistry:
        """A registry from a file that holds such a document.

        Raises:
            AppError: ``file_unreadable`` or ``recording_malformed``.
        """
        try:
            return cls.from_json(path.read_text("utf-8-sig"))
        except (OSError, UnicodeDecodeError) as error:
            raise AppError("file_unreadable", ExitCode.USAGE, path=str(path), reason=str(error)) from error

    def values(self, hive: Hive, path: str) -> dict[str, Value] | None:
        """See ``Registry.values``."""
        key = _fold(f"{hive}\\{path}")
        return None if key in self._denied else self._keys.get(key)

    def subkeys(self, hive: Hive, path: str) -> tuple[str, ...] | None:
        """See ``Registry.subkeys``."""
        key = _fold(f"{hive}\\{path}")
        if key in self._denied or key not in self._keys:
            return None
        return tuple(self._children.get(key, {}).values())

    def denied(self, hive: Hive, path: str) -> bool:
        """See ``Registry.denied``."""
        return _fold(f"{hive}\\{path}") in self._denied

    def set_value(self, hive: Hive, path: str, name: str, data: object, kind: int) -> None:
        """See ``WritableRegistry.set_value``."""
        key = self._writable(hive, path)
        self._add(f"{hive}\\{path}")
        values = self._keys[key]
        own = next((other for other in values if other.casefold() == name.casefold()), name)
        values[own] = (data, kind)

    def delete_value(self, hive: Hive, path: str, name: str) -> None:
        """See ``WritableRegistry.delete_value``."""
        values = self._keys.get(self._writable(hive, path), {})
        for own in [other for other in values if other.casefold() == name.casefold()]:
            del values[own]

    def _writable(self, hive: Hive, path: str) -> str:
        key = _fold(f"{hive}\\{path}")
        if key in self._denied | self._protected:
            raise PermissionError(13, "Access is denied", path)
        return key

    def _add(self, path: str) -> None:
        parts = path.strip("\\").split("\\")
        for depth in range(1, len(parts) + 1):
            folded = _fold("\\".join(parts[:depth]))
            self._keys.setdefault(folded, {})
            if depth > 1:
                parent = _fold("\\".join(parts[: depth - 1]))
                self._children.setdefault(parent, {}).setdefault(parts[depth - 1].casefold(), parts[depth - 1])


def record(registry: Registry, roots: Iterable[tuple[Hive, str]], *, depth: int = 3) -> str:
    """The keys at and below ``roots`` (down to ``depth`` levels) as a JSON document for ``MemoryRegistry``."""
    keys: dict[str, dict[str, object]] = {}
    denied: list[str] = []

    def walk(hive: Hive, path: str, left: int) -> None:
        values = registry.values(hive, path)
        if values is None:
            if registry.denied(hive, path):
                denied.append(f"{hive}\\{path}")
            return
        keys[f"{hive}\\{path}"] = {name: _to_json(data, kind) for name, (data, kind) in values.items()}
        if left > 0:
            for name in registry.subkeys(hive, path) or ():
                walk(hive, f"{path}\\{name}", left - 1)

    for hive, path in roots:
        walk(hive, path, depth)
    return json.dumps({"schema": 1, "keys": keys, "denied": denied}, ensure_ascii=False, indent=1)


def _fold(path: str) -> str:
    return path.strip("\\").casefold()


def _typed(data: object) -> Value:
    if isinstance(data, tuple):
        pair = cast("tuple[object, ...]", data)
        if len(pair) == 2 and isinstance(pair[1], int):
            return pair[0], pair[1]
        return list(pair), REG_MULTI_SZ
    if isinstance(data, bytes):
        return data, REG_BINARY
    if isinstance(data, int):
        return int(data), REG_DWORD if 0 <= data < 1 << 32 else REG_QWORD
    if isinstance(data, list):
        return cast("list[object]", data), REG_MULTI_SZ
    return ("" if data is None else str(data)), REG_SZ


def _to_json(data: object, kind: int) -> object:
    if _typed(data)[1] == kind and not isinstance(data, bytes):
        return data
    name = _TYPE_NAMES.get(kind, str(kind))
    if isinstance(data, bytes):
        return {"type": name, "hex": data.hex()}
    return {"type": name, "value": data}


def _from_json(data: object) -> object:
    if not isinstance(data, dict):
        return data
    entry = cast("dict[str, object]", data)
    name = str(entry["type"])
    kind = _TYPES[name] if name in _TYPES else int(name)
    if "hex" in entry:
        return bytes.fromhex(str(entry["hex"])), kind
    return entry.get("value"), kind
