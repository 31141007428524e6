"""The steps of the tutorial that people come with, each judged: what works, what is dated, what never worked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from rocm_gui.core.routes import LocalText

if TYPE_CHECKING:
    from collections.abc import Mapping

Verdict = Literal["works", "dated", "wrong", "absent"]  # absent: there is no such tool on that system
Shell = Literal["powershell", "cmd", "bash", "python"]


class TutorialStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step as it is printed, and what is true of it today."""

    id: str
    section: LocalText
    lines: tuple[str, ...]  # as printed
    windows: Verdict
    linux: Verdict
    why: LocalText
    instead: LocalText  # what works
    shell: Shell | None = None
    instead_lines: tuple[str, ...] = ()
    source: str
    checked: str

    def verdict(self, system: str | None) -> Verdict:
        """The judgement for ``system`` (windows, linux, wsl); Windows', which the tutorial is for, where unknown."""
        return self.linux if system in ("linux", "wsl") else self.windows


def load_tutorial(document: Mapping[str, Any]) -> tuple[TutorialStep, ...]:
    """The steps in a TOML document, in their order.

    Raises:
        msgspec.ValidationError: with the place of what is wrong.
    """
    return tuple(msgspec.convert(row, TutorialStep) for row in document.get("step", ()))
