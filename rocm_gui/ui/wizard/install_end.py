"""How a run ended and the ways on: try again, continue, undo, a report to copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from rocm_gui.core.plan_report import worded
from rocm_gui.services.report_files import masker_of_this_machine
from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Card, Text
from rocm_gui.ui.widgets.remarks import Remarks
from rocm_gui.ui.wizard.ask_undo import ask_undo
from rocm_gui.ui.wizard.run_words import decision_words, failure_report, trouble_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocm_gui.core.errors import AppError
    from rocm_gui.ui.app import Gui
    from rocm_gui.ui.wizard.model import WizardModel

End = Literal["none", "failed", "cancelled", "undone", "undo_failed"]


class EndCard(Card):
    """Hidden while something runs and when all went well."""

    def __init__(self, gui: Gui, model: WizardModel, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._gui = gui
        self._model = model
        self.log_text: Callable[[], str] = str
        size = round(unit(self.font()))
        self.what = Text("", wrap=True, parent=self).selectable()
        self.remarks = Remarks(gui.theme, self)
        self.again = QPushButton(self)
        self.again.setProperty("kind", "primary")
        self.again.clicked.connect(self._on_again)
        self.undo = QPushButton(self)
        self.undo.clicked.connect(self._on_undo)
        self.force = QPushButton(self)
        self.force.clicked.connect(self._on_force)
        self.explain = QPushButton(self)
        self.explain.clicked.connect(self._on_explain)
        self.copy = QPushButton(self)
        self.copy.clicked.connect(self._on_copy)
        row = QHBoxLayout()
        row.setSpacing(2 * size)
        for button in (self.again, self.undo, self.force, self.explain, self.copy):
            row.addWidget(button)
        row.addStretch(1)
        self.body.addWidget(self.what)
        self.body.addWidget(self.remarks)
        self.body.addLayout(row)
        self.end: End = "none"
        self.hide()

    @property
    def _target(self) -> str | None:
        model = self._model
        if model.undo_report is not None:
            return model.undo_report.target
        if model.outcome is not None:
            return model.outcome.target
        return model.begun_target

    def show_end(self, last: str) -> None:
        """Show how it ended; ``last`` is what ran last: applying or undoing."""
        before, self.end = self.end, self._end(last)
        self.setVisible(self.end != "none")
        if self.end == "none":
            return
        texts = self._gui.context.texts(self._gui.languages.language)
        outcome, report = self._model.outcome, self._model.undo_report
        step = texts.get(f"setup.step.{outcome.step}") if outcome is not None and outcome.step else ""
        if self.end == "undone" and report is not None:
            self._show_undone(complete=report.complete)
            self.remarks.present([decision_words(decision, texts) for decision in report.decisions])
        elif self.end == "cancelled":
            self.set_title(self.tr("Stopped by you"), step)
            self.pill.set_state(self.tr("Cancelled"), "warn")
            self.what.setText(self.tr("What was done is kept. Continue goes on from there, Undo takes it back."))
            self.remarks.present(())
        else:
            error = self._error()
            self.set_title(self.tr("Stopped by an error"), step)
            self.pill.set_state(self.tr("Failed"), "bad")
            self.what.setText(self._gui.error_text(worded(error, texts)) if error is not None else "")
            troubles = trouble_words(outcome, texts) if outcome is not None else []
            self.remarks.present([("warn", text) for text in troubles])
        self._show_buttons()
        if before != self.end and self.again.isVisible():
            self.again.setFocus()  # the way on is one key away, and a screen reader says it

    def _end(self, last: str) -> End:
        model = self._model
        if model.busy:
            return "none"
        if model.run_error is not None:
            return "undo_failed" if last == "undoing" else "failed"
        if model.undo_report is not None:
            return "undone"
        outcome = model.outcome
        if outcome is None or outcome.state == "done":
            return "none"
        return "cancelled" if outcome.state == "cancelled" else "failed"

    def _error(self) -> AppError | None:
        if self._model.run_error is not None:
            return self._model.run_error
        return self._model.outcome.error if self._model.outcome is not None else None

    def _show_undone(self, *, complete: bool) -> None:
        if complete:
            self.set_title(self.tr("Taken back"))
            self.pill.set_state(self.tr("Done"), "ok")
            self.what.setText(self.tr("Nothing that this setup made is left."))
        else:
            self.set_title(self.tr("Taken back, but for what was changed since"))
            self.pill.set_state(self.tr("Look at this"), "warn")
            self.what.setText(self.tr("Some parts were changed by somebody and were kept. Look at them first."))

    def _show_buttons(self) -> None:
        conflicts = self._model.undo_report is not None and not self._model.undo_report.complete
        known = self._target is not None
        words = {
            "cancelled": self.tr("&Continue"),
            "failed": self.tr("&Try again"),
            "undo_failed": self.tr("&Try again"),
            "undone": self.tr("Ne&w setup"),
        }
        self.again.setText(words.get(self.end, ""))
        self.again.setVisible(known)
        self.undo.setText(self.tr("&Undo…"))
        self.undo.setVisible(known and self.end in ("failed", "cancelled"))
        self.force.setText(self.tr("&Remove these too…"))
        self.force.setVisible(conflicts and self.end == "undone")
        self.explain.setText(self.tr("E&xplain"))
        self.explain.setVisible(self.end == "failed" and bool(self._said().strip()))
        self.copy.setText(self.tr("Copy re&port"))
        self.copy.setVisible(self.end in ("failed", "undo_failed"))

    # ---- the ways on

    def _on_again(self) -> None:
        target = self._target
        if self.end == "undone":
            self._model.page_wanted.emit("options")
        elif target is not None and self.end == "undo_failed":
            self._model.undo(target)
        elif target is not None:
            self._model.resume(target)

    def _on_undo(self) -> None:
        if self._target is not None:
            ask_undo(self, self._model, self._target)

    def _on_force(self) -> None:
        if self._target is not None:
            ask_undo(self, self._model, self._target, force=True)

    def _on_explain(self) -> None:
        self._gui.explain(self._said(), self.tr("The log of the setup"))

    def _said(self) -> str:
        """The log, and what the failed program said where that does not stand in it."""
        error, said = self._error(), self.log_text()
        if error is None:
            return said
        for more in (getattr(error, "output", ""), str(error.facts.get("reason") or "")):
            if more.strip() and more.strip() not in said:
                said = f"{said}\n{more}"
        return said.strip("\n")

    def _on_copy(self) -> None:
        texts = self._gui.context.texts(self._gui.languages.language)
        model = self._model
        text = failure_report(self._target or "", model.steps, self._error(), model.outcome, texts, self.log_text())
        QGuiApplication.clipboard().setText(masker_of_this_machine().text(text))
