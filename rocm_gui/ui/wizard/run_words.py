"""How far a run is and how it ended, in words; shared by the pages that show runs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from rocm_gui import __version__
from rocm_gui.core.plan_report import size_text, worded
from rocm_gui.core.redact import mask_secrets
from rocm_gui.core.texts import pick
from rocm_gui.ui.engine_words import listed, sentences, window_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocm_gui.core.errors import AppError
    from rocm_gui.core.setup_events import StepProgress
    from rocm_gui.core.texts import Texts
    from rocm_gui.core.undo import Decision
    from rocm_gui.services.installer import Outcome
    from rocm_gui.ui.wizard.model import StepView


def time_words(seconds: float) -> str:
    """A duration in the window's language: "3 min 40 s"."""
    translate = QCoreApplication.translate
    whole = round(seconds)
    if whole >= 3600:
        text = translate("run_words", "{hours} h {minutes} min")
        return text.format(hours=whole // 3600, minutes=whole % 3600 // 60)
    if whole >= 60:
        return translate("run_words", "{minutes} min {seconds} s").format(minutes=whole // 60, seconds=whole % 60)
    return translate("run_words", "{seconds} s").format(seconds=whole)


def progress_words(event: StepProgress, texts: Texts) -> str:
    """What is known of it: 412 MB of 2.9 GB (14 %), 11.3 MB/s, 3 min 40 s left."""
    parts: list[str] = []
    if event.unit == "bytes" and event.done is not None:
        done = size_text(event.done)
        if event.total:
            share = min(100, int(100 * event.done / event.total))
            parts.append(texts.get("setup.progress.of", done=done, total=size_text(event.total), percent=share))
        else:
            parts.append(done)
        if event.rate:
            parts.append(f"{size_text(event.rate)}/s")
        if event.remaining_s is not None and event.remaining_s >= 1:
            parts.append(texts.get("setup.progress.left", time=time_words(event.remaining_s)))
    elif event.done is not None and event.unit in ("packages", "files"):
        key = f"setup.progress.{event.unit}" if event.total is not None else f"setup.progress.{event.unit}_open"
        total = None if event.total is None else int(event.total)
        parts.append(texts.get(key, done=int(event.done), total=total))
    return listed(parts)


def log_words(text: str, level: str, texts: Texts) -> tuple[str, str]:
    """A line of a step and its level; codes of the verification become sentences."""
    for code in (f"verify.test.{text}", f"verify.notice.{text}"):
        if text.isidentifier() and texts.has(code):
            return texts.get(code), "info"
    return text, level


def trouble_words(outcome: Outcome, texts: Texts) -> list[str]:
    """The known troubles that the output shows: cause and remedy."""
    return [
        texts.get(
            "setup.trouble",
            cause=pick(trouble.cause, texts.language) or trouble.id,
            remedy=window_words(pick(trouble.remedy, texts.language) or ""),
        )
        for trouble in outcome.troubles[:3]
    ]


def decision_words(decision: Decision, texts: Texts) -> tuple[str, str]:
    """What undo did with one change, as (status, sentence)."""
    line = texts.get(f"setup.undo.{decision.action}", path=decision.path)
    if decision.action == "keep":
        details = ", ".join(decision.details[:5])
        line = sentences(line, texts.get(f"setup.undo.reason.{decision.reason}", details=details))
    return ("warn" if decision.conflict else "ok"), line


def failure_report(
    target: str,
    steps: Sequence[StepView],
    error: AppError | None,
    outcome: Outcome | None,
    texts: Texts,
    log: str,
) -> str:
    """A failed run as text for a question to somebody; secrets are masked, names are the caller's matter."""
    lines = [f"rocm-gui {__version__}, {time.strftime('%Y-%m-%d %H:%M:%S %z')}", target]
    if outcome is not None:
        lines.append(outcome.setup_id)
    lines += [f"  {texts.get(f'setup.step.{step.id}')}: {texts.get(f'setup.state.{step.state}')}" for step in steps]
    if error is not None:
        shown = worded(error, texts)
        lines += ["", f"{shown.code}: " + texts.get(f"error.{shown.code}", **shown.facts)]
    if outcome is not None:
        lines += trouble_words(outcome, texts)
    return mask_secrets("\n".join([*lines, "", *log.splitlines()[-200:]])) + "\n"
