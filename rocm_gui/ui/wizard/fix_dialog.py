"""Shows what a fix will do, asks, and runs it with its output in sight."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from rocm_gui.core.jobs import JobState
from rocm_gui.core.plan_report import size_text
from rocm_gui.core.texts import pick
from rocm_gui.services.fixes import exit_meaning, fix_job, is_noise, shown_lines
from rocm_gui.ui.job_bridge import JobBridge
from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Text
from rocm_gui.ui.widgets.code_box import CodeBox
from rocm_gui.ui.widgets.log_view import LogView
from rocm_gui.ui.widgets.remarks import Remark

if TYPE_CHECKING:
    from PySide6.QtGui import QCloseEvent, QShowEvent

    from rocm_gui.core.jobs import JobView
    from rocm_gui.services.fixes import Fix
    from rocm_gui.ui.app import Gui


class FixDialog(QDialog):
    """Opened with ``open``; ``mended`` says that looking again makes sense."""

    mended = Signal()

    def __init__(self, gui: Gui, title: str, fix: Fix, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gui = gui
        self._fix = fix
        self._started_s = 0.0
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._job = JobBridge(self)
        self._job.logged.connect(self._on_logged)
        self._job.ended.connect(self._on_ended)
        gui.window_closing.connect(self._job.close)
        self._build(title)

    def _build(self, title: str) -> None:
        size = round(unit(self.font()))
        fix, language = self._fix, self._gui.languages.language
        self.setMinimumWidth(round(120 * unit(self.font())))
        column = QVBoxLayout(self)
        column.setContentsMargins(6 * size, 5 * size, 6 * size, 5 * size)
        column.setSpacing(3 * size)
        column.addWidget(Text(title, "title", wrap=True, parent=self))
        column.addWidget(Text(pick(fix.text, language) or "", wrap=True, parent=self))
        lines = shown_lines(fix) or ((fix.url,) if fix.url else ())
        self.code = CodeBox(self._gui.theme, self)
        self.code.set_text("\n".join(lines))
        column.addWidget(Text(self._code_title(), "note", "muted", wrap=True, parent=self))
        column.addWidget(self.code)
        if fix.download_bytes and fix.disk_bytes:
            sizes = self.tr("About {download} to download, {disk} on the disk.").format(
                download=size_text(fix.download_bytes), disk=size_text(fix.disk_bytes)
            )
            column.addWidget(Text(sizes, "note", "muted", wrap=True, parent=self))
        for status, text in self._notes():
            remark = Remark(self._gui.theme, self)
            remark.present(status, text)
            column.addWidget(remark)
        self.log = LogView(self._gui.theme, self)
        self.log.setMinimumHeight(44 * size)
        self.log.hide()
        column.addWidget(self.log, 100)
        self.outcome = Remark(self._gui.theme, self)
        self.outcome.hide()
        column.addWidget(self.outcome)
        column.addStretch(1)
        column.addLayout(self._buttons(size))

    def showEvent(self, event: QShowEvent) -> None:
        """As tall as its texts need at this width."""
        if not event.spontaneous():
            self.resize(round(160 * unit(self.font())), self.height())
            (self.act_button if self.act_button.isEnabled() else self.close_button).setFocus()
            QTimer.singleShot(0, self._fit)  # the code's height follows from its width, which it gets when shown
        super().showEvent(event)

    def _fit(self) -> None:
        layout = self.layout()
        if layout is not None:
            layout.activate()
            self.resize(self.width(), layout.totalHeightForWidth(self.width()))

    def _buttons(self, size: int) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(2 * size)
        self.close_button = QPushButton(self.tr("Cancel"), self)
        self.close_button.setAutoDefault(False)
        self.close_button.clicked.connect(self._on_close_pressed)
        self.act_button = QPushButton(self._act_text(), self)
        self.act_button.setProperty("kind", "primary")
        self.act_button.setDefault(True)
        self.act_button.clicked.connect(self._act)
        row.addStretch(1)
        row.addWidget(self.close_button)
        row.addWidget(self.act_button)
        if self._fix.kind == "run" and self._gui.context.simulated:
            self.act_button.setEnabled(False)
        return row

    def _act_text(self) -> str:
        return {"run": self.tr("Run it"), "open": self.tr("Open"), "copy": self.tr("Copy and close")}[self._fix.kind]

    def _code_title(self) -> str:
        if self._fix.kind == "run":
            return self.tr("This will run:")
        if self._fix.kind == "open":
            return self.tr("This will be opened:")
        shells = {"powershell": self.tr("For PowerShell:"), "cmd": self.tr("For the Command Prompt:")}
        return shells.get(self._fix.shell or "", self.tr("For a terminal:"))

    def _notes(self) -> list[tuple[str, str]]:
        fix = self._fix
        notes: list[tuple[str, str]] = []
        if fix.rights == "asks":
            notes.append(("warn", self.tr("Windows will ask for administrator rights on the way.")))
        elif fix.rights == "needs":
            notes.append(("warn", self.tr("It needs administrator rights.")))
        elif fix.kind == "run":
            notes.append(("ok", self.tr("No administrator rights are needed.")))
        if fix.kind == "run" and self._gui.context.simulated:
            notes.append(("warn", self.tr("This computer is simulated, so nothing is run.")))
        return notes

    def _act(self) -> None:
        fix = self._fix
        if fix.kind == "copy":
            self.code.copy()
            self.accept()
        elif fix.kind == "open":
            QDesktopServices.openUrl(QUrl(fix.url or ""))
            self.accept()
        else:
            self._run()

    def _run(self) -> None:
        self.log.clear()
        self.log.show()
        self.outcome.hide()
        self.resize(self.width(), self.height() + self.log.minimumHeight())
        self.act_button.setEnabled(False)
        self.close_button.setText(self.tr("Stop"))
        self._started_s = time.monotonic()
        jobs = self._gui.context.paths.jobs
        self._job.start(lambda hear: fix_job(self._fix, jobs, hear))

    def _on_logged(self, lines: list[tuple[str, str]]) -> None:
        self.log.add_all([(text, level) for text, level in lines if not is_noise(text)])

    def _on_ended(self, view: JobView) -> None:
        status, text = self._told(view)
        self.outcome.present(status, text)
        self.outcome.show()
        self.close_button.setText(self.tr("Close"))
        self.act_button.setText(self.tr("Try again"))
        self.act_button.setVisible(status == "fail")
        self.act_button.setEnabled(status == "fail")
        self.close_button.setFocus(Qt.FocusReason.OtherFocusReason)
        self.mended.emit()

    def _told(self, view: JobView) -> tuple[str, str]:
        """How it ended, in a status and a sentence."""
        meaning = exit_meaning(self._gui.context.fixes(), self._fix, view.exit_code)
        if meaning is not None and view.state in (JobState.DONE, JobState.FAILED):
            status = {"done": "ok", "restart": "warn", "failed": "fail"}[meaning.verdict]
            return status, pick(meaning.text, self._gui.languages.language) or ""
        if view.state is JobState.DONE:
            return "ok", self.tr("Done. Everything is being checked again.")
        if view.state is JobState.CANCELLED:
            return "warn", self.tr("Stopped. What was installed up to here stays.")
        if view.state is JobState.TIMED_OUT:
            return "fail", self.tr("It did not end and was stopped. The output above says how far it came.")
        if view.failure is not None:
            texts = self._gui.context.texts(self._gui.languages.language)
            return "fail", texts.get(f"error.{view.failure.code}", **view.failure.facts)
        text = self.tr("It ended with code {code}. The output above says why; try again, or do it by hand.")
        return "fail", text.format(code=_code(view.exit_code))

    def _on_close_pressed(self) -> None:
        if self._job.running:
            self.close_button.setEnabled(False)
            self._job.ended.connect(lambda _view: self.close_button.setEnabled(True))
            self._job.cancel()
        else:
            self.reject()

    def reject(self) -> None:
        """Escape stops what runs before it closes."""
        if self._job.running:
            self._on_close_pressed()
        else:
            super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        """The window's own close button: what runs is ended."""
        self._job.close()
        super().closeEvent(event)


def _code(exit_code: int | None) -> str:
    if exit_code is None:
        return "?"
    return f"0x{exit_code & 0xFFFFFFFF:08X}" if abs(exit_code) > 0xFFFF else str(exit_code)
