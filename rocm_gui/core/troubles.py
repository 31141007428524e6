"""Known troubles: what a line of output means and what to do about it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from rocm_gui.core.routes import LocalText

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

System = Literal["windows", "linux", "wsl"]


class Trouble(msgspec.Struct, frozen=True, kw_only=True):
    """One row of ``troubles.toml``."""

    id: str
    pattern: str | None = None  # None: found by measurement, never in a text
    os: Literal["any", "windows", "linux", "wsl"] = "any"
    layer: Literal[
        "network", "index", "pip", "storage", "system", "python", "driver", "runtime", "libraries", "miopen",
        "torch", "memory", "collectives", "tools", "build",
    ]  # fmt: skip
    cause: LocalText
    remedy: LocalText
    example: str | None = None  # a line that the pattern must find
    verify: str | None = None  # a command that shows whether it is cured
    source: str = ""
    checked: str = ""


class _File(msgspec.Struct):
    trouble: tuple[Trouble, ...]


def load_troubles(document: Mapping[str, Any]) -> tuple[Trouble, ...]:
    """The troubles of a parsed ``troubles.toml``.

    Raises:
        ValueError: where a row is malformed, an id stands twice or a pattern does not compile.
    """
    troubles = msgspec.convert(document, _File).trouble
    seen: set[str] = set()
    for trouble in troubles:
        if trouble.id in seen:
            raise ValueError(f"{trouble.id} stands twice")
        seen.add(trouble.id)
        if trouble.pattern is not None:
            _compiled(trouble.pattern)
    return troubles


def match(text: str, system: System, troubles: Iterable[Trouble]) -> list[Trouble]:
    """The troubles that ``text`` shows on ``system``, in the order of their first sign; WSL knows Linux's too."""
    found: list[tuple[int, Trouble]] = []
    systems = {"any", system, *(("linux",) if system == "wsl" else ())}
    for trouble in troubles:
        if trouble.pattern is None or trouble.os not in systems:
            continue
        hit = _compiled(trouble.pattern).search(text)
        if hit:
            found.append((hit.start(), trouble))
    return [trouble for _, trouble in sorted(found, key=lambda pair: pair[0])]


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except re.error as error:
        raise ValueError(f"{pattern!r}: {error}") from error
