"""The proof: verdict first, then versions, tests, workarounds and tools; it can be repeated and saved."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from rocm_gui.core.errors import AppError
from rocm_gui.core.events import Stage
from rocm_gui.core.report import compose
from rocm_gui.services.report_files import load_report, save_report
from rocm_gui.services.setup_verify import verify_setup
from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Card, EmptyState, Text
from rocm_gui.ui.widgets.code_box import CodeBox
from rocm_gui.ui.widgets.remarks import ICONS
from rocm_gui.ui.widgets.report_table import ReportTable
from rocm_gui.ui.widgets.save_dialog import ask_where_to_save
from rocm_gui.ui.wizard.step_page import StepPage

if TYPE_CHECKING:
    from rocm_gui.core.events import AnyEvent
    from rocm_gui.core.report import Document, Section
    from rocm_gui.core.verification import VerificationReport

USABLE = ("ok", "workaround", "cpu_only")
STATES = {"ok": "ok", "warn": "warn", "fail": "bad", "unknown": "neutral"}
NUMBERS = {"tests": (2, 3)}
STRETCH = {"versions": 2}


def fault_messages(report: VerificationReport) -> list[str]:
    """What the libraries themselves said where something failed, each once."""
    faults = [report.fault, report.probe.fault]
    faults += [part.fault for part in (*report.tests, *report.tools)]
    return list(dict.fromkeys(fault.message for fault in faults if fault is not None and fault.message))


class VerifyPage(StepPage):
    """Shows the newest report of the setup."""

    name = "verify"

    def build(self) -> None:
        """Verdict card, progress, and room for the sections."""
        size = round(unit(self.font()))
        self.report: VerificationReport | None = None
        self._loaded_for: object = None
        self._shown: object = None
        self._cancel: threading.Event | None = None
        self._empty = EmptyState(self)
        self._empty.acted.connect(lambda: self.model.page_wanted.emit("review"))
        self.verdict = Card(parent=self)
        head = QHBoxLayout()
        head.setSpacing(3 * size)
        self._icon = QLabel(self.verdict)
        self._headline = Text("", "heading", wrap=True, parent=self.verdict).selectable()
        self._reasons = Text("", wrap=True, parent=self.verdict).selectable()
        words = QVBoxLayout()
        words.setSpacing(size)
        words.addWidget(self._headline)
        words.addWidget(self._reasons)
        head.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(words, 1)
        self._progress = Text("", "note", "muted", wrap=True, parent=self.verdict)
        self._bar = QProgressBar(self.verdict)
        self._bar.setTextVisible(False)
        self._made = Text("", "note", "muted", wrap=True, parent=self.verdict).selectable()
        self.again = QPushButton(self.verdict)
        self.again.clicked.connect(self.verify_again)
        self.stop = QPushButton(self.verdict)
        self.stop.clicked.connect(self._on_stop)
        self.save = QPushButton(self.verdict)
        self.save.clicked.connect(self._ask_and_save)
        self.explain = QPushButton(self.verdict)
        self.explain.clicked.connect(self._on_explain)
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * size)
        for button in (self.again, self.stop, self.explain, self.save):
            buttons.addWidget(button)
        buttons.addStretch(1)
        self.verdict.body.addLayout(head)
        for widget in (self._progress, self._bar, self._made):
            self.verdict.body.addWidget(widget)
        self.verdict.body.addLayout(buttons)
        self._sections = QWidget(self)
        self._sections_layout = QVBoxLayout(self._sections)
        self._sections_layout.setContentsMargins(0, 0, 0, 0)
        self._sections_layout.setSpacing(round(3.5 * size))
        self.content.addWidget(self._empty, 1)
        self.content.addWidget(self.verdict)
        self.content.addWidget(self._sections)
        self.content.addStretch(1)
        self._show_running(None)
        self.gui.theme.changed.connect(self._on_theme_changed)
        self.gui.window_closing.connect(self._on_stop)

    def retranslate(self) -> None:
        """Set every text."""
        self.title.setText(self.tr("Verify"))
        self.again.setText(self.tr("&Verify again"))
        self.stop.setText(self.tr("S&top"))
        self.explain.setText(self.tr("E&xplain"))
        self.save.setText(self.tr("&Save as…"))
        self._bar.setAccessibleName(self.tr("Progress of the verification"))
        self._shown = None

    def enter(self) -> None:
        """Read the report of the setup where it may be another one."""
        self._load()

    def show_model(self) -> None:
        """The report as it is now."""
        self._load()
        self.sentence.setText(
            self.tr("Every layer computes on the device; each result is compared with the processor in float64.")
        )
        report = self.report
        none = report is None and self._cancel is None
        self._empty.setVisible(none)
        self.verdict.setVisible(not none)
        self._sections.setVisible(report is not None)
        self.save.setEnabled(report is not None)
        self.explain.setVisible(report is not None and bool(fault_messages(report)))
        self.again.setEnabled(self.model.begun_target is not None and not self.model.busy)
        if none:
            self._show_empty()
        elif report is not None:
            self._show_report(report)

    @property
    def complete(self) -> bool:
        """Whether the environment may be used."""
        return self._cancel is None and self.report is not None and self.report.verdict in USABLE

    # ---- the report

    def _load(self) -> None:
        target, outcome = self.model.begun_target, self.model.outcome
        wanted = (target, outcome.setup_id if outcome is not None else None)
        if self._loaded_for == wanted or self.model.busy:
            return
        self._loaded_for = wanted
        if target is None:
            self.report = None
            return
        paths = self.gui.context.paths
        self.gui.background.run(lambda: load_report(paths, Path(target)), self._on_report)

    def _on_report(self, report: VerificationReport | None) -> None:
        self.report = report
        self.show_model()
        self.complete_changed.emit()

    def _show_empty(self) -> None:
        text = self.tr("Once the setup has run, its proof stands here: what was computed, how exactly, and on what.")
        self._empty.present(text, self.tr("To the review"))
        pixels = round(12 * unit(self.font()))
        self._empty.picture.setPixmap(self.gui.theme.pixmap("ok", "muted", pixels, self.devicePixelRatioF()))

    def _show_report(self, report: VerificationReport) -> None:
        language = self.gui.languages.language
        if self._shown == (report, language):
            return
        self._shown = (report, language)
        document = compose(report, self.texts)
        words = {
            "ok": self.tr("Verified"),
            "workaround": self.tr("Verified, with a workaround"),
            "cpu_only": self.tr("Verified, CPU only"),
            "failed": self.tr("Failed"),
            "untrusted": self.tr("Wrong results"),
        }
        self.verdict.set_title(self.tr("Verdict"))
        self.verdict.pill.set_state(words[report.verdict], STATES[document.mark])  # type: ignore[arg-type]
        self._headline.setText(document.verdict)
        self._reasons.setText("\n".join(document.reasons))
        self._reasons.setVisible(bool(document.reasons))
        self._made.setText(document.made)
        self._paint_icon(document.mark)
        self._fill(document, report)

    def _paint_icon(self, mark: str) -> None:
        icon, role = ICONS[mark]
        pixels = round(6 * unit(self.font()))
        self._icon.setPixmap(self.gui.theme.pixmap(icon, role, pixels, self.devicePixelRatioF()))

    def _fill(self, document: Document, report: VerificationReport) -> None:
        while (item := self._sections_layout.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for section in document.sections:
            card = Card(parent=self._sections)
            card.set_title(section.title)
            if section.code is not None:
                box = CodeBox(self.gui.theme, card)
                box.set_text(section.code.rstrip("\n"))
                card.body.addWidget(box)
            if section.rows:
                card.body.addWidget(self._table(section, report, card))
            self._sections_layout.addWidget(card)

    def _table(self, section: Section, report: VerificationReport, parent: QWidget) -> ReportTable:
        table = ReportTable(self.gui.theme, parent)
        table.setAccessibleName(section.title)
        header = list(section.header)
        rows = [(row.mark, list(row.cells), row.details) for row in section.rows]
        if section.id == "tests":
            header.append(self.tr("Device"))
            for (_, cells, _), trial in zip(rows, report.tests, strict=True):
                cells.append(trial.device or "—")
        table.present(header, rows, NUMBERS.get(section.id, ()), STRETCH.get(section.id, 1))
        return table

    def _on_theme_changed(self) -> None:
        if self.report is not None:
            self._paint_icon(compose(self.report, self.texts).mark)

    # ---- again

    def verify_again(self) -> None:
        """Prove the environment once more, in the background."""
        target = self.model.begun_target
        if target is None or self._cancel is not None:
            return
        context = self.gui.context
        diagnosis = self.model.diagnosis
        machine = diagnosis.machine if diagnosis is not None else None
        cancel = self._cancel = threading.Event()
        self.banner.hide()
        self._show_running(Stage(id="probe", index=0, count=None))
        self.complete_changed.emit()

        def hear(event: AnyEvent) -> None:
            if isinstance(event, Stage):
                self.gui.background.call(lambda: self._show_running(event if self._cancel is cancel else None))

        def work() -> VerificationReport:
            routes = context.route_book().routes
            return verify_setup(
                Path(target), paths=context.paths, machine=machine, routes=routes, on_event=hear, cancel=cancel
            )

        self.gui.background.run(work, self._on_verified, self._on_not_verified)

    def _on_explain(self) -> None:
        if self.report is not None:
            self.gui.explain("\n".join(fault_messages(self.report)), self.tr("What the verification was told"))

    def _on_verified(self, report: VerificationReport) -> None:
        self._cancel = None
        self._show_running(None)
        self._on_report(report)

    def _on_not_verified(self, error: BaseException) -> None:
        self._cancel = None
        self._show_running(None)
        known = error if isinstance(error, AppError) else AppError("unforeseen", reason=str(error))
        self.banner.present(self.gui.error_text(known), "warn" if known.code == "verify_cancelled" else "bad")
        self.complete_changed.emit()

    def _on_stop(self) -> None:
        if self._cancel is not None:
            self._cancel.set()

    def _show_running(self, stage: Stage | None) -> None:
        for widget in (self._progress, self._bar, self.stop):
            widget.setVisible(stage is not None)
        self.again.setVisible(stage is None)
        if stage is None:
            return
        self._bar.setRange(0, stage.count or 0)
        self._bar.setValue(stage.index or 0)
        self._progress.setText(self.texts.get(f"verify.test.{stage.id}"))

    # ---- save

    def _ask_and_save(self) -> None:
        title = self.tr("Save the report (names and serial numbers are masked)")
        kinds = [self.tr("Web page (*.html)"), self.tr("Text (*.txt)"), self.tr("Data (*.json)")]
        dialog = ask_where_to_save(self, title, kinds, "verification.html", self.save_to)
        dialog.filterSelected.connect(
            lambda name: dialog.setDefaultSuffix(next(s for s in ("html", "txt", "json") if s in name))
        )

    def save_to(self, path: Path) -> None:
        """Save the report in the format that the ending names, masked, in the background."""
        report, texts = self.report, self.texts
        if report is None:
            return

        def done(_none: None) -> None:
            self.banner.present(self.tr("Saved: {path}").format(path=path), "ok")

        def failed(error: BaseException) -> None:
            known = error if isinstance(error, AppError) else AppError("unforeseen", reason=str(error))
            self.banner.present(self.gui.error_text(known), "bad")

        self.gui.background.run(lambda: save_report(report, path, texts), done, failed)
