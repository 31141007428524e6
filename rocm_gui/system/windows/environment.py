"""The environment variables of Windows: where they are stored, written, and how running programs hear of it.

Source: Microsoft, "Environment Variables" and ``WM_SETTINGCHANGE``; the types are ``winreg``'s.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from rocm_gui.core.variables import Change, EnvState, Scope, ScopeState, stored_data, value_of
from rocm_gui.system.variables import MACHINE_KEY, USER_KEY

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocm_gui.system.windows.registry import Hive, WritableRegistry

BROADCAST_LIMIT_MS = 5000
_KEYS: dict[Scope, tuple[Hive, str]] = {"user": ("HKCU", USER_KEY), "machine": ("HKLM", MACHINE_KEY)}


class RegistryVariables:
    """The variables of the account and of the machine in a registry."""

    windows = True

    def __init__(self, registry: WritableRegistry, environ: Mapping[str, str], *, admin: bool = False) -> None:
        self._registry = registry
        self._environ = environ
        self._admin = admin

    def read(self) -> EnvState:
        """Both scopes as they stand, raw."""
        scopes = {scope: self._scope(scope) for scope in _KEYS}
        environ = {name.upper(): value for name, value in self._environ.items()}
        for scope in ("machine", "user"):
            values = scopes[scope].values or {}
            for name, value in values.items():
                if value.text is not None and name.upper() != "PATH":
                    environ.setdefault(name.upper(), value.text)
        return EnvState(windows=True, user=scopes["user"], machine=scopes["machine"], environ=environ)

    def write(self, change: Change) -> None:
        """Make ``change``.

        Raises:
            OSError: where Windows refuses.
        """
        hive, path = _KEYS[change.scope]
        if change.after is None:
            self._registry.delete_value(hive, path, change.name)
        else:
            data, kind = stored_data(change.after)
            self._registry.set_value(hive, path, change.name, data, kind)

    def announce(self) -> None:
        """Tell running programs, at most five seconds each; new ones started from the Explorer see the change."""
        if sys.platform != "win32":
            return
        import ctypes

        result = ctypes.c_size_t()
        # HWND_BROADCAST, WM_SETTINGCHANGE, SMTO_ABORTIFHUNG: a plain SendMessage would wait for a program that hangs
        ctypes.windll.user32.SendMessageTimeoutW(
            0xFFFF, 0x001A, 0, ctypes.c_wchar_p("Environment"), 0x0002, BROADCAST_LIMIT_MS, ctypes.byref(result)
        )

    def _scope(self, scope: Scope) -> ScopeState:
        hive, path = _KEYS[scope]
        values = self._registry.values(hive, path)
        if values is None:
            denied = self._registry.denied(hive, path)
            if not denied and scope == "user":
                return ScopeState(scope=scope, values={})  # a new account: the key comes with the first variable
            return ScopeState(scope=scope, values=None, writable=False, reason="denied" if denied else "missing")
        kept = {name: value_of(data, kind) for name, (data, kind) in values.items() if name}
        return ScopeState(scope=scope, values=kept, writable=scope == "user" or self._admin)


def real_variables() -> RegistryVariables:
    """Those of this machine."""
    from rocm_gui.system.elevate import is_admin
    from rocm_gui.system.windows.registry import WinRegistry

    return RegistryVariables(WinRegistry(), os.environ, admin=is_admin())
