"""What the parts show and command: the machine, the flow under way, the text that is explained, the bundle."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from rocm_gui.core.errors import AppError
from rocm_gui.core.jobs import exit_code_text
from rocm_gui.core.route_choice import system_of
from rocm_gui.core.troubles import match
from rocm_gui.services.failed_jobs import failed_jobs, read_job
from rocm_gui.services.log_file import read_log
from rocm_gui.services.script_run import known_troubles
from rocm_gui.ui.pages.troubleshooting.ports import Ports
from rocm_gui.ui.pages.troubleshooting.views import DetailsView, ExplanationView, FlowView, OverviewView, StackView
from rocm_gui.ui.pages.troubleshooting.words import failed_job, job_name, trouble_cause

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from rocm_gui.core.troubles import System, Trouble
    from rocm_gui.services.doctor import Diagnosis
    from rocm_gui.services.failed_jobs import JobRecord
    from rocm_gui.services.log_file import LogText
    from rocm_gui.ui.app import Gui
    from rocm_gui.ui.pages.troubleshooting.ports import Answer
    from rocm_gui.ui.pages.troubleshooting.views import BundleFileView

SYSTEMS: tuple[System, ...] = ("windows", "linux", "wsl")


class TroubleshootingModel(QObject):
    """Public attributes are read by the parts, in the window's thread only."""

    overview_changed = Signal()
    flow_changed = Signal()
    explained = Signal()
    text_read = Signal(str)  # a file or a job was read; its text is to be shown
    bundle_changed = Signal()

    def __init__(self, gui: Gui, parent: QObject | None = None, ports: Ports | None = None) -> None:
        super().__init__(parent)
        self._gui = gui
        self.ports = ports or Ports()
        self.diagnosis: Diagnosis | None = None
        self.scanning = False
        self.error: AppError | None = None
        self._jobs: tuple[JobRecord, ...] = ()
        self.flow_name = ""
        self.checking = False
        self.flow_error: AppError | None = None
        self.text_name = ""
        self.left_out = 0  # bytes of the file that were not read
        self.reading = False
        self.text_error: AppError | None = None
        self._found: tuple[tuple[Trouble, tuple[int, ...]], ...] | None = None
        self._text_ticket = 0
        self.bundle: tuple[BundleFileView, ...] = ()
        self.bundle_error: AppError | None = None
        self.bundle_saved: Path | None = None
        self.collecting = False

    # ---- the overview

    def enter(self) -> None:
        """Look at what is known, and at the machine where nobody has."""
        self._read_jobs()
        if self.diagnosis is None and not self.scanning:
            if self._gui.diagnosis is None:
                self.scan()
            else:
                self._take(self._gui.diagnosis)

    def scan(self) -> None:
        """Look at the machine again."""
        if self.scanning:
            return
        self.scanning = True
        self.error = None
        self.overview_changed.emit()

        def done(diagnosis: Diagnosis) -> None:
            self._gui.set_diagnosis(diagnosis)
            self._take(diagnosis)

        def failed(error: BaseException) -> None:
            self.scanning = False
            self.error = _known(error)
            self.overview_changed.emit()

        def look() -> Diagnosis:  # which makes the doctor, where nobody has
            return self._gui.context.doctor.diagnose()

        self._gui.background.run(look, done, failed)
        self._read_jobs()

    def overview(self) -> OverviewView:
        """The stack and what failed lately."""
        stack = self.ports.stack.view() if self.ports.stack is not None and self.diagnosis is not None else StackView()
        return OverviewView(stack=stack, jobs=tuple(failed_job(record) for record in self._jobs))

    def details(self, key: str) -> DetailsView:
        """More about a thing of the stack."""
        assert self.ports.stack is not None
        return self.ports.stack.details(key)

    def _take(self, diagnosis: Diagnosis) -> None:
        """Work out the stack of a machine that was looked at."""
        stack = self.ports.stack

        def done(_none: None) -> None:
            self.diagnosis = diagnosis
            self.scanning = False
            self.overview_changed.emit()

        def failed(error: BaseException) -> None:
            self.error = _known(error)
            done(None)

        if stack is None:
            done(None)
            return
        self.scanning = True
        self._gui.background.run(lambda: stack.look(diagnosis), done, failed)

    def _read_jobs(self) -> None:
        folder = self._gui.context.paths.jobs

        def done(records: tuple[JobRecord, ...]) -> None:
            if records != self._jobs:
                self._jobs = records
                self.overview_changed.emit()

        self._gui.background.run(lambda: failed_jobs(folder), done)

    # ---- the flow

    def flow(self) -> FlowView | None:
        """The flow in words; None before the first begins."""
        port = self.ports.flow
        return port.view() if port is not None and self.flow_name and not self.checking else None

    def start_flow(self, name: str) -> None:
        """Begin the flow ``name`` on a machine that is looked at anew."""
        port = self.ports.flow
        if port is None:
            return
        self.flow_name = name
        self._in_flow(lambda: port.start(name, self._look()))

    def answer(self, answer: Answer) -> None:
        """Answer the open question."""
        port = self.ports.flow
        if port is not None:
            self._in_flow(lambda: port.answer(answer))

    def go_back(self, index: int) -> None:
        """Ask the question at ``index`` again."""
        port = self.ports.flow
        if port is not None:
            self._in_flow(lambda: port.go_back(index))

    def check_cause(self) -> None:
        """Look again at what shows the cause."""
        port = self.ports.flow
        if port is not None:
            self._in_flow(lambda: port.check(self._look()))

    def pass_cause(self) -> None:
        """Go on behind the cause."""
        port = self.ports.flow
        if port is not None:
            self._in_flow(port.pass_cause)

    def _look(self) -> Diagnosis:
        """In the background: the machine as it is now."""
        diagnosis = self._gui.context.doctor.diagnose()
        self._gui.background.call(lambda: self._gui.set_diagnosis(diagnosis))
        return diagnosis

    def _in_flow(self, work: Callable[[], Any]) -> None:
        if self.checking:
            return
        self.checking = True
        self.flow_error = None
        self.flow_changed.emit()

        def done(_result: object) -> None:
            self.checking = False
            self.flow_changed.emit()

        def failed(error: BaseException) -> None:
            self.flow_error = _known(error)
            done(None)

        self._gui.background.run(work, done, failed)

    # ---- a text

    @property
    def explanations(self) -> tuple[ExplanationView, ...] | None:
        """What the text means, in words; None before it was looked up."""
        if self._found is None:
            return None
        language = self._gui.languages.language
        return tuple(ExplanationView(trouble_cause(trouble, language), lines) for trouble, lines in self._found)

    def explain(self, text: str) -> None:
        """Compare ``text`` with the known troubles; ``explained`` follows."""
        own, paths = self._system(), self._gui.context.paths

        def work() -> tuple[tuple[Trouble, tuple[int, ...]], ...]:
            troubles = known_troubles(paths)
            for system in sorted(SYSTEMS, key=lambda other: other != own):  # the text may be another computer's
                found = match(text, system, troubles)
                if found:
                    return tuple((trouble, _lines(trouble, text)) for trouble in found)
            return ()

        self._in_text(work, self._on_found)

    def take_text(self, text: str, name: str = "") -> None:
        """Show a text that another page has, and explain it."""
        self.text_name, self.left_out = name, 0
        self.text_read.emit(text)

    def forget_text(self) -> None:
        """The text was changed by hand: what was found is of another."""
        self._text_ticket += 1
        self.reading = False
        self._found = None
        self.text_error = None
        self.explained.emit()

    def read_log(self, path: Path) -> None:
        """Read a file; ``text_read`` follows."""

        def done(log: LogText) -> None:
            self.text_name, self.left_out = path.name, log.left_out
            self.text_read.emit(log.text)

        self._in_text(lambda: read_log(path), done)

    def read_job(self, job_id: str) -> None:
        """Read what a failed job said; ``text_read`` follows."""
        folder = self._gui.context.paths.jobs

        def work() -> JobRecord:
            record = read_job(folder, job_id)
            if record is None:
                raise AppError("job_record_gone")
            if not record.text.strip():
                raise AppError("job_said_nothing", exit_code=exit_code_text(record.view.exit_code))
            return record

        def done(record: JobRecord) -> None:
            self.text_name, self.left_out = job_name(record), 0
            self.text_read.emit(record.text)

        self._in_text(work, done)

    def _on_found(self, found: tuple[tuple[Trouble, tuple[int, ...]], ...]) -> None:
        self._found = found

    def _in_text(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        """Only the newest piece of work counts."""
        self._text_ticket += 1
        ticket = self._text_ticket
        self.reading = True
        self.text_error = None
        self.explained.emit()

        def finished(result: object) -> None:
            if ticket == self._text_ticket:
                self.reading = False
                done(result)
                self.explained.emit()

        def failed(error: BaseException) -> None:
            if ticket == self._text_ticket:
                self.reading = False
                self.text_error = _known(error)
                self.explained.emit()

        self._gui.background.run(work, finished, failed)

    def _system(self) -> System:
        diagnosis = self._gui.diagnosis
        system = system_of(diagnosis.machine.host) if diagnosis is not None else None
        if system in SYSTEMS:
            return system  # type: ignore[return-value]
        return "windows" if sys.platform == "win32" else "linux"

    # ---- the bundle

    def collect_bundle(self) -> None:
        """Collect what would be saved; ``bundle_changed`` follows."""
        port = self.ports.bundle
        if port is None or self.collecting:
            return
        self.bundle_saved = None

        def done(files: tuple[BundleFileView, ...]) -> None:
            self.bundle = files

        self._in_bundle(port.collect, done)

    def save_bundle(self, path: Path, include: Sequence[str]) -> None:
        """Write the files named in ``include``."""
        port = self.ports.bundle
        if port is None or self.collecting:
            return

        def done(_none: None) -> None:
            self.bundle_saved = path

        self._in_bundle(lambda: port.save(path, include), done)

    def _in_bundle(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        self.collecting = True
        self.bundle_error = None
        self.bundle_changed.emit()

        def finished(result: object) -> None:
            self.collecting = False
            done(result)
            self.bundle_changed.emit()

        def failed(error: BaseException) -> None:
            self.collecting = False
            self.bundle_error = _known(error)
            self.bundle_changed.emit()

        self._gui.background.run(work, finished, failed)


def _known(error: BaseException) -> AppError:
    return error if isinstance(error, AppError) else AppError("unforeseen", reason=str(error))


def _lines(trouble: Trouble, text: str) -> tuple[int, ...]:
    """The line, counted from 1, where the trouble's pattern begins."""
    hit = re.search(trouble.pattern, text) if trouble.pattern is not None else None
    return () if hit is None else (text.count("\n", 0, hit.start()) + 1,)
