"""The JSON of Microsoft's vswhere (``-products * -utf8 -format json``)."""

from __future__ import annotations

import json
import re

import msgspec


class VisualStudioInstance(msgspec.Struct, frozen=True, rename="camel"):
    """One installation. Setups that never finished lack most of these."""

    installation_path: str
    installation_version: str | None = None  # "17.12.35527.113"
    display_name: str | None = None  # "Visual Studio Build Tools 2022"
    product_id: str | None = None  # "Microsoft.VisualStudio.Product.BuildTools"
    is_complete: bool | None = None
    is_launchable: bool | None = None


def parse_vswhere(text: str) -> tuple[VisualStudioInstance, ...]:
    """The installations, entries without a path left out.

    Raises:
        ValueError: for anything that is not vswhere's JSON list.
    """
    listed: object = json.loads(text.lstrip("\ufeff"))
    if not isinstance(listed, list):
        raise ValueError("vswhere's answer is not a list")  # noqa: TRY004  # wrong content, not a wrong call
    entries = msgspec.convert(listed, list[dict[str, object]])
    return tuple(msgspec.convert(entry, VisualStudioInstance) for entry in entries if entry.get("installationPath"))


def newest_msvc(folders: list[str]) -> str | None:
    r"""The newest among the names of ``VC\Tools\MSVC``: 14.42.34433; other names are no versions."""
    versions = [name for name in folders if re.fullmatch(r"\d+(?:\.\d+)+", name)]
    return max(versions, key=lambda name: tuple(int(part) for part in name.split(".")), default=None)
