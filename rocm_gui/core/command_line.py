"""Command lines as a person may copy them; never what is run, which is always an argv list."""

from __future__ import annotations

import re
import shlex
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_PLAIN = re.compile(r"[\w@%+=:,./\\~-]+", re.ASCII)


def shown_command(argv: Sequence[str], *, windows: bool) -> str:
    """``argv`` quoted for the system's usual shell: POSIX, or ``cmd.exe`` and PowerShell alike.

    On Windows a part with anything but plain characters is put between quotation marks, so that ``>`` of
    ``pip>=24.1`` is no redirection.
    """
    if not windows:
        return shlex.join(argv)
    return " ".join(part if _PLAIN.fullmatch(part) else _quoted(part) for part in argv)


def _quoted(part: str) -> str:
    listed = subprocess.list2cmdline([part])
    return listed if listed.startswith('"') else f'"{listed}"'
