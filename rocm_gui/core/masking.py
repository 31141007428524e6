"""Takes what identifies a person or a machine out of a report before it is saved and passed on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from rocm_gui.core.redact import mask_secrets

if TYPE_CHECKING:
    from collections.abc import Iterable

_UUID = re.compile(r"(?i)(?<![0-9a-f-])[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f-])")
_GPU_ID = re.compile(r"(?i)\bGPU-[0-9a-f]{8,}\b")
_SERIAL = re.compile(r"(?i)(\b(?:serial(?:[ _-]?(?:number|no\.?))?|序列号)\s*[:=：]\s*)(?!<)[^\s,;<]+")
_MAC = re.compile(r"(?i)(?<![0-9a-f:])(?:[0-9a-f]{2}:){5}[0-9a-f]{2}(?![0-9a-f:])")
# Public is no person: workarounds keep files there, and their variables are read back from saved reports.
_PROFILE = re.compile(
    r"(?i)((?:[a-z]:)?[\\/]+(?:users|home)[\\/]+)(?!<user>|(?:public|default|shared)(?:[\\/]|$))"
    r"(?:[^\\/\"'<>:|?*\r\n]+(?=\\)|[^\\/\s\"'<>:|?*]+)"  # a name on Windows may hold blanks
)
# A person called like one of these would black out the report; paths are masked by their own rule all the same.
_OWN_WORDS = frozenset(
    {
        "amd",
        "cpu",
        "cuda",
        "device",
        "driver",
        "failed",
        "gpu",
        "hip",
        "linux",
        "memory",
        "ok",
        "python",
        "reference",
        "rocm",
        "runtime",
        "test",
        "torch",
        "wheel",
        "windows",
        "wrong",
    }
)
_SHORT = 3  # names shorter than this occur inside other words: only masked as a whole word


class Masker:
    """Masks the given names and everything that looks like an id, a serial number or a password.

    Masking what is masked already changes nothing. The longest name is replaced first, so that a home folder is
    one ``<home>`` rather than a path with ``<user>`` in it.
    """

    def __init__(
        self,
        *,
        users: Iterable[str] = (),
        hosts: Iterable[str] = (),
        homes: Iterable[str] = (),
        serials: Iterable[str] = (),
    ) -> None:
        homes = tuple(homes)
        spellings = {spelling for home in homes for spelling in _spellings(home)}
        named = [(home, "<home>") for home in spellings if len(home) > 1]
        named += [(name, "<user>") for name in users if name.lower() not in {"", *_OWN_WORDS}]
        named += [(name, "<host>") for host in hosts for name in {host, host.partition(".")[0]} - _OWN_WORDS if name]
        named += [(serial, "<serial>") for serial in serials if serial]
        named.sort(key=lambda pair: len(pair[0]), reverse=True)
        self._named = [(_pattern(name), label) for name, label in named]

    def text(self, text: str) -> str:
        """``text`` with everything masked."""
        text = mask_secrets(text)
        for pattern, label in self._named:
            text = pattern.sub(label, text)
        text = _PROFILE.sub(r"\g<1><user>", text)
        text = _UUID.sub("<id>", text)
        text = _GPU_ID.sub("<id>", text)
        text = _MAC.sub("<id>", text)
        return _SERIAL.sub(r"\g<1><serial>", text)

    def data(self, value: object) -> object:
        """``value`` (JSON-like: dict, list, str, numbers) with every string in it masked; keys stay."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {key: self.data(item) for key, item in cast("dict[str, object]", value).items()}
        if isinstance(value, (list, tuple)):
            return [self.data(item) for item in cast("list[object]", value)]
        return value


def _spellings(path: str) -> set[str]:
    """A Windows path also with the other slash and with doubled backslashes, as in JSON and Python's repr."""
    path = path.rstrip("\\/")
    return {path, path.replace("\\", "/"), path.replace("\\", "\\\\")}


def _pattern(name: str) -> re.Pattern[str]:
    """Whole words only, whatever the letters' case; Chinese names, which have no word limits, anywhere.

    A mask's own words (``<user>`` for a user called "user") are left alone.
    """
    plain = name.isascii() or len(name) < _SHORT
    before, after = (r"(?<![\w<])", r"(?![\w>])") if plain else (r"(?<!<)", r"(?!>)")
    return re.compile(before + re.escape(name) + after, re.IGNORECASE)
