"""Text of small kernel files: ``uevent``, KFD ``properties``, ids and numbers. Nonsense is None, never an error."""

from __future__ import annotations

import re

_ADDRESS = re.compile(r"([0-9a-f]{4,8}):([0-9a-f]{2}):([0-9a-f]{2})\.([0-7])")
_UNSIGNED = re.compile(r"\d{1,20}")


def parse_uevent(text: str | None) -> dict[str, str]:
    """The ``KEY=value`` lines of a ``uevent`` file."""
    pairs = (line.partition("=") for line in (text or "").splitlines())
    return {key.strip(): value.strip() for key, mark, value in pairs if mark and key.strip() and value.strip()}


def parse_properties(text: str | None) -> dict[str, int]:
    """The ``key number`` lines of a KFD ``properties`` file; lines of another shape are left out."""
    words = (line.split() for line in (text or "").splitlines())
    return {pair[0]: int(pair[1]) for pair in words if len(pair) == 2 and _UNSIGNED.fullmatch(pair[1])}


def parse_unsigned(text: str | None) -> int | None:
    """A decimal number such as ``mem_info_vram_total`` holds."""
    return int(text) if text is not None and _UNSIGNED.fullmatch(text) else None


def parse_hex(text: str | None, digits: int) -> str | None:
    """``"0x1002"`` or ``"1002"`` as ``"1002"``: lower case, at most ``digits`` long, filled with zeros."""
    found = re.fullmatch(rf"(?:0x)?([0-9a-f]{{1,{digits}}})", text.strip().lower()) if text else None
    return found.group(1).zfill(digits) if found else None


def parse_id_pair(text: str | None) -> str | None:
    """``"1002:744C"`` as ``"1002:744c"``."""
    found = re.fullmatch(r"([0-9a-f]{1,4}):([0-9a-f]{1,4})", text.strip().lower()) if text else None
    return f"{found.group(1).zfill(4)}:{found.group(2).zfill(4)}" if found else None


def parse_pci_address(text: str | None) -> str | None:
    """``"0000:03:00.0"``, lower case."""
    return text.lower() if text and _ADDRESS.fullmatch(text.lower()) else None


def address_of_location(location_id: int, domain: int = 0) -> str | None:
    """The PCI address of a KFD ``location_id`` or HSA ``BDFID`` (bus << 8 | device << 3 | function)."""
    if not 0 <= location_id <= 0xFFFF or not 0 <= domain <= 0xFFFFFFFF:
        return None
    return f"{domain:04x}:{location_id >> 8:02x}:{location_id >> 3 & 0x1F:02x}.{location_id & 7}"
