r"""``Get-CimInstance Win32_VideoController | ConvertTo-Json``: text of PowerShell in, adapters out.

PowerShell writes one object where there is one adapter and a list where there are several, with or without a
byte order mark, in UTF-8, UTF-16 or the console's code page, dates as ``/Date(ms)/``, ISO or CIM text.
``AdapterRAM`` is not read: it is a uint32 and says 4 GB for every larger card.
"""

from __future__ import annotations

import html
import json
import re
from datetime import datetime, timedelta, timezone
from typing import cast

import msgspec

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_JSON_DATE = re.compile(r"/Date\((-?\d+)(?:[+-]\d{4})?\)/")
_ISO_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T ]|$)")
_CIM_DATE = re.compile(r"(\d{4})(\d{2})(\d{2})\d{6}\.")


class CimAdapter(msgspec.Struct, frozen=True, kw_only=True):
    """One ``Win32_VideoController``."""

    name: str | None = None
    instance_id: str | None = None  # "PCI\\VEN_1002&DEV_744C&SUBSYS_...&REV_C8\\4&..."
    manufacturer: str | None = None
    driver_version: str | None = None  # WDDM
    driver_date: str | None = None  # ISO date
    problem: int | None = None  # ConfigManagerErrorCode; 0 works
    inf: str | None = None  # the driver's file: "display.inf" is Windows' basic driver
    active: bool | None = None  # shows a desktop now: it has a current resolution


def parse_video_controllers(output: str | bytes) -> tuple[CimAdapter, ...] | None:
    """The adapters in ``output``; None where it holds no answer (nothing, an error text, cut JSON)."""
    text = _decode(output) if isinstance(output, bytes) else output
    content = _find_json(text.lstrip("\ufeff"))
    if isinstance(content, dict):
        content = [cast("object", content)]
    if not isinstance(content, list):
        return None
    rows = [cast("dict[str, object]", row) for row in cast("list[object]", content) if isinstance(row, dict)]
    adapters = tuple(_adapter(row) for row in rows)
    return tuple(adapter for adapter in adapters if adapter.name or adapter.instance_id)


def date_of(value: object) -> str | None:
    """An ISO date from ``/Date(ms)/``, ISO or CIM text, or PowerShell's ``{"value": ...}``; else None."""
    if isinstance(value, dict):
        return date_of(cast("dict[str, object]", value).get("value"))
    if not isinstance(value, str):
        return None
    if match := _JSON_DATE.search(value):
        try:
            return (_EPOCH + timedelta(milliseconds=int(match[1]))).date().isoformat()
        except OverflowError:
            return None
    match = _ISO_DATE.match(value) or _CIM_DATE.match(value)
    if match is None:
        return None
    try:
        return datetime(int(match[1]), int(match[2]), int(match[3]), tzinfo=timezone.utc).date().isoformat()
    except ValueError:
        return None


def _adapter(row: dict[str, object]) -> CimAdapter:
    fields = {key.casefold(): value for key, value in row.items()}
    instance = _text(fields.get("pnpdeviceid"))
    active: bool | None = None
    if "currenthorizontalresolution" in fields:
        active = bool(_number(fields["currenthorizontalresolution"]))
    return CimAdapter(
        name=_text(fields.get("name")),
        instance_id=None if instance is None else html.unescape(instance),
        manufacturer=_text(fields.get("adaptercompatibility")),
        driver_version=_text(fields.get("driverversion")),
        driver_date=date_of(fields.get("driverdate")),
        problem=_number(fields.get("configmanagererrorcode")),
        inf=_text(fields.get("inffilename")),
        active=active,
    )


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _find_json(text: str) -> object:
    """The first JSON document that starts a line: PowerShell profiles and warnings may speak before it."""
    starts = re.finditer(r"^\s*(?=[\[{])", text, re.MULTILINE)
    return next((content for match in starts if (content := _json_at(text, match.end())) is not None), None)


def _json_at(text: str, start: int) -> object:
    try:
        return cast("object", json.JSONDecoder(strict=False).raw_decode(text, start)[0])
    except (ValueError, RecursionError):
        return None


def _decode(data: bytes) -> str:
    """UTF-8 with or without a mark, UTF-16 by its mark or its NULs; else the Chinese code page, leniently."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    if data[1:2] == b"\0":
        return data.decode("utf-16-le", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("gbk", "replace")
