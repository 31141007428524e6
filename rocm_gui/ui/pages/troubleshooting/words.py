"""Codes of troubles and jobs in the window's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from rocm_gui.core.jobs import JobState, exit_code_text
from rocm_gui.core.texts import pick
from rocm_gui.ui.engine_words import window_words
from rocm_gui.ui.pages.troubleshooting.views import CauseView, FailedJobView
from rocm_gui.ui.widgets.remedy_steps import RemedyView

if TYPE_CHECKING:
    from rocm_gui.core.texts import Language
    from rocm_gui.core.troubles import Trouble
    from rocm_gui.services.failed_jobs import JobRecord

LAST_LINE_CHARACTERS = 160


def layer_word(layer: str) -> str:
    """The layer of a trouble; the code itself where it has no word."""
    translate = QCoreApplication.translate
    words = {
        "network": translate("troubleshooting_words", "Network"),
        "index": translate("troubleshooting_words", "Package index"),
        "pip": translate("troubleshooting_words", "Packages"),
        "storage": translate("troubleshooting_words", "Storage"),
        "system": translate("troubleshooting_words", "System"),
        "python": translate("troubleshooting_words", "Python environment"),
        "driver": translate("troubleshooting_words", "Driver"),
        "runtime": translate("troubleshooting_words", "Runtime"),
        "libraries": translate("troubleshooting_words", "Math libraries"),
        "miopen": translate("troubleshooting_words", "Convolutions (MIOpen)"),
        "torch": "PyTorch",
        "memory": translate("troubleshooting_words", "Memory"),
        "collectives": translate("troubleshooting_words", "Several GPUs"),
        "tools": translate("troubleshooting_words", "Tools"),
        "build": translate("troubleshooting_words", "Build from source"),
        "environment": translate("troubleshooting_words", "Environment"),
    }
    return words.get(layer, layer)


def trouble_cause(trouble: Trouble, language: Language) -> CauseView:
    """A known trouble as a cause."""
    remedy = window_words(pick(trouble.remedy, language) or "")
    return CauseView(
        key=trouble.id,
        layer=layer_word(trouble.layer),
        title=pick(trouble.cause, language) or trouble.id,
        steps=(RemedyView(remedy),) if remedy else (),
        verify_code=trouble.verify or "",
        source=", ".join(filter(None, (trouble.source, trouble.checked))),
    )


def job_title(kind: str) -> str:
    """What a job was made for."""
    translate = QCoreApplication.translate
    words = {
        "setup": translate("troubleshooting_words", "A step of a setup"),
        "fix": translate("troubleshooting_words", "A fix"),
        "build": translate("troubleshooting_words", "A build from source"),
        "probe": translate("troubleshooting_words", "A look at a Python environment"),
        "verify": translate("troubleshooting_words", "A verification"),
        "repair": translate("troubleshooting_words", "A repair"),
    }
    return words.get(kind, kind) or translate("troubleshooting_words", "A program")


def failed_job(record: JobRecord) -> FailedJobView:
    """When it ended and how, in a line."""
    return FailedJobView(
        key=record.view.id,
        title=job_title(record.view.kind),
        text=" · ".join(filter(None, (_when(record), _how(record), _last_word(record)))),
    )


def job_name(record: JobRecord) -> str:
    """What the text of a job is called."""
    return ", ".join(filter(None, (job_title(record.view.kind), _when(record))))


def _when(record: JobRecord) -> str:
    at_s = record.view.ended_at_s or record.view.started_at_s
    if at_s is None:
        return ""
    return QLocale().toString(QDateTime.fromSecsSinceEpoch(int(at_s)), QLocale.FormatType.ShortFormat)


def _how(record: JobRecord) -> str:
    translate = QCoreApplication.translate
    view = record.view
    if view.state is JobState.TIMED_OUT:
        return translate("troubleshooting_words", "stopped, it did not end in time")
    code = exit_code_text(view.exit_code)
    if view.state is JobState.CRASHED:
        text = translate("troubleshooting_words", "crashed with {code}") if code else ""
        return text.format(code=code) if text else translate("troubleshooting_words", "crashed")
    if code is None or code == "0":
        return translate("troubleshooting_words", "failed")
    return translate("troubleshooting_words", "failed with code {code}").format(code=code)


def _last_word(record: JobRecord) -> str:
    said = record.view.failure.message if record.view.failure else next(iter(record.view.log_tail[-1:]), "")
    line = said.strip().splitlines()[-1].strip() if said.strip() else ""
    return line if len(line) <= LAST_LINE_CHARACTERS else line[: LAST_LINE_CHARACTERS - 1] + "…"
