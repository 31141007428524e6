"""Keeps the settings in a TOML file that a person may edit: comments and unknown keys stay.

Every start reads them, so reading takes the standard library's parser; ``tomlkit`` comes with the first change.
"""

from __future__ import annotations

import contextlib
import sys
import threading
from typing import TYPE_CHECKING, Any, cast

import msgspec

from rocm_gui.core.errors import AppError
from rocm_gui.core.settings import DEFAULTS, Settings, SettingsWarning, check_setting, settings_from
from rocm_gui.system.files import retry_busy, write_atomic

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, MutableMapping
    from pathlib import Path

    import tomlkit

_HEAD = "Settings of rocm_gui. A missing line means the default; other keys and comments are kept."


class SettingsFile:
    """The file at ``path``. Threads may share it; another program's edits between two saves are kept."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()

    def load(self) -> tuple[Settings, list[SettingsWarning]]:
        """The settings and what was wrong with the file. Never fails: at worst all is default."""
        try:
            values = tomllib.loads(self._text() or "")
        except OSError as error:
            facts = {"path": str(self.path), "reason": error.strerror or str(error)}
            return DEFAULTS, [SettingsWarning(code="unreadable", facts=facts)]
        except ValueError as error:
            facts = {"path": str(self.path), "kept": str(self._bad_path), "reason": str(error)}
            return DEFAULTS, [SettingsWarning(code="malformed", facts=facts)]
        return settings_from(values)

    def save(self, settings: Settings) -> None:
        """Write what differs from the file; a malformed file is first kept aside as ``.bad``.

        Raises:
            AppError: ``settings_not_saved``, with the path and the reason.
        """
        self._change(lambda _current: settings)

    def update(self, changes: Mapping[str, object]) -> Settings:
        """Change these settings and leave the others as the file has them now; returns all.

        Raises:
            AppError: ``settings_not_saved``, with the path and the reason.
            KeyError: where there is no such setting.
            ValueError: where a value does not fit.
        """
        checked: dict[str, Any] = {name: check_setting(name, value) for name, value in changes.items()}
        return self._change(lambda current: msgspec.structs.replace(current, **checked), chosen=frozenset(checked))

    def _change(self, change: Callable[[Settings], Settings], chosen: frozenset[str] = frozenset()) -> Settings:
        import tomlkit

        with self._lock:
            try:
                try:
                    document = self._read()
                except ValueError:
                    self._keep_aside()
                    document = _fresh()
                current, _ = settings_from(document.unwrap())
                wanted = change(current)
                if _lay_over(document, current, wanted, chosen):
                    write_atomic(self.path, tomlkit.dumps(document), mode=0o600)  # it may hold a proxy's password
            except OSError as error:
                reason = error.strerror or str(error)
                raise AppError("settings_not_saved", path=str(self.path), reason=reason) from error
        return wanted

    @property
    def _bad_path(self) -> Path:
        return self.path.with_name(self.path.name + ".bad")

    def _keep_aside(self) -> None:
        data = self.path.read_bytes()
        with contextlib.suppress(FileNotFoundError):
            if self._bad_path.read_bytes() != data:  # an earlier one is not overwritten
                number = 2
                while self._bad_path.with_name(f"{self._bad_path.name}{number}").exists():
                    number += 1
                write_atomic(self._bad_path.with_name(f"{self._bad_path.name}{number}"), data, mode=0o600)
            return
        write_atomic(self._bad_path, data, mode=0o600)

    def _text(self) -> str | None:
        """What stands in the file; None where there is none.

        Raises:
            OSError: where the file cannot be read.
            ValueError: where it is not UTF-8.
        """
        try:
            return retry_busy(self.path.read_bytes).decode("utf-8-sig")
        except FileNotFoundError:
            return None

    def _read(self) -> tomlkit.TOMLDocument:
        """The document to be changed, empty where there is no file.

        Raises:
            OSError: where the file cannot be read.
            ValueError: where it is not TOML in UTF-8.
        """
        import tomlkit
        import tomlkit.exceptions

        text = self._text()
        if text is None:
            return _fresh()
        tomllib.loads(text)  # malformed is what ``load`` calls so
        try:
            return tomlkit.parse(text)
        except tomlkit.exceptions.TOMLKitError as error:
            raise ValueError(str(error)) from error


def _fresh() -> tomlkit.TOMLDocument:
    import tomlkit

    document = tomlkit.document()
    document.add(tomlkit.comment(_HEAD))
    return document


def _lay_over(document: tomlkit.TOMLDocument, current: Settings, wanted: Settings, chosen: frozenset[str]) -> bool:
    """Bring ``document`` from ``current`` to ``wanted``; whether anything changed.

    Only what differs is touched: a bad value stays where it is until somebody has ``chosen`` another.
    """
    table = cast("MutableMapping[str, Any]", document)
    changed = False
    for name, value in msgspec.structs.asdict(wanted).items():
        if value == getattr(current, name) and (name not in chosen or name not in table):
            continue
        changed = True
        if value is None:
            table.pop(name, None)
        else:
            table[name] = value
    return changed
