"""The sentences of a check's answer, from the catalogue ``checks.toml``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocm_gui.core.checks import CheckResult
    from rocm_gui.core.texts import Texts


def found(result: CheckResult, texts: Texts) -> str:
    """The sentence of what was found."""
    own = f"{result.id}.texts.{result.text}"
    return texts.get(own if texts.has(own) else f"common.texts.{result.text}", **result.facts)


def remedy(result: CheckResult, texts: Texts) -> str | None:
    """The sentence of what to do."""
    return None if result.remedy is None else texts.get(f"{result.id}.remedies.{result.remedy}", **result.facts)
