"""The composition root: the only place that names concrete classes and wires them together."""

from __future__ import annotations

import locale
import os
import sys
from typing import TYPE_CHECKING

from rocm_gui.core.texts import Texts
from rocm_gui.system.datafiles import read_messages
from rocm_gui.system.paths import default_paths

if TYPE_CHECKING:
    from rocm_gui.core.texts import Language


def system_language() -> Language:
    """Simplified Chinese where the system speaks Chinese, else English."""
    names = [os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    name = next((value for value in names if value), None) or locale.getlocale()[0] or ""
    if sys.platform == "win32" and not any(names):
        import ctypes

        if ctypes.windll.kernel32.GetUserDefaultUILanguage() & 0x3FF == 0x04:
            return "zh_CN"
    return "zh_CN" if name.lower().startswith(("zh", "chinese")) else "en"


def load_texts(language: Language | None = None) -> Texts:
    """The message catalogue in ``language``, the settings' language, or the system's."""
    return Texts(read_messages(default_paths().resources), language or system_language())


def run_gui() -> int:
    """Open the window."""
    texts = load_texts()
    print(texts.get("cli.no_window"), file=sys.stderr)  # noqa: T201
    return 2
