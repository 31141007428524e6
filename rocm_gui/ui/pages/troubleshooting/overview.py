"""The overview: the software stack, the ways in, and what failed lately."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QVBoxLayout, QWidget

from rocm_gui.ui.pages.base import Page
from rocm_gui.ui.pages.troubleshooting.part import show_whole
from rocm_gui.ui.pages.troubleshooting.stack_card import StackCard
from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Card
from rocm_gui.ui.widgets.busy_line import BusyLine
from rocm_gui.ui.widgets.card_button import EntryCard
from rocm_gui.ui.widgets.route_option import RouteLine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from rocm_gui.ui.app import Gui
    from rocm_gui.ui.pages.troubleshooting.model import TroubleshootingModel
    from rocm_gui.ui.pages.troubleshooting.views import FailedJobView

BESIDE_UNITS = 150  # two ways in beside each other need this


class TroubleOverview(Page):
    """What stands here leads to the other parts."""

    flow_wanted = Signal(str)
    text_wanted = Signal()
    job_wanted = Signal(str)
    bundle_wanted = Signal()

    def __init__(self, gui: Gui, model: TroubleshootingModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gui = gui
        self._model = model
        self.busy = BusyLine(gui.theme, self)
        self.again = QPushButton(self)
        self.again.clicked.connect(model.scan)
        self.controls.addWidget(self.busy)
        self.controls.addWidget(self.again)
        self.banner.acted.connect(model.scan)
        self.entries = {
            "gpu": EntryCard(gui.theme, "gpu", self),
            "torch": EntryCard(gui.theme, "terminal", self),
            "text": EntryCard(gui.theme, "log", self),
            "bundle": EntryCard(gui.theme, "bundle", self),
        }
        for name in ("gpu", "torch"):
            self.entries[name].clicked.connect(lambda _on=False, name=name: self.flow_wanted.emit(name))
        self.entries["text"].clicked.connect(self.text_wanted)
        self.entries["bundle"].clicked.connect(self.bundle_wanted)
        there = {"gpu": model.ports.flow, "torch": model.ports.flow, "text": model, "bundle": model.ports.bundle}
        for name, entry in self.entries.items():
            entry.setVisible(there[name] is not None)
        self._grid = QGridLayout()
        self._grid.setSpacing(round(3.5 * unit(self.font())))
        self._columns = 0
        self.stack = StackCard(gui, model.details, self)
        self.stack.opened.connect(lambda drawer: show_whole(self.scroll_area, drawer))
        self._jobs_card = Card(parent=self)
        self.jobs: list[RouteLine] = []
        self._jobs = QVBoxLayout()
        self._jobs.setSpacing(round(2.5 * unit(self.font())))
        self._jobs_card.body.addLayout(self._jobs)
        self._jobs_card.hide()
        self.content.addWidget(self.stack)
        self.content.addLayout(self._grid)
        self.content.addWidget(self._jobs_card)
        self.content.addStretch(1)
        model.overview_changed.connect(self.show_model)

    def retranslate(self) -> None:
        """Set every text again."""
        self.title.setText(self.tr("Troubleshooting"))
        self.again.setText(self.tr("Check &again"))
        self.busy.set_text(self.tr("Looking at this computer…"))
        words = {
            "gpu": (
                self.tr("My GPU is not found"),
                self.tr("One question at a time, from the card in its slot to the runtime that should list it."),
            ),
            "torch": (
                self.tr("PyTorch cannot use the GPU"),
                self.tr("It says that no GPU is available, or stops with an error where it should compute."),
            ),
            "text": (
                self.tr("Explain an error"),
                self.tr("Paste what a program said, or drop its log file: what it means, and what to do."),
            ),
            "bundle": (
                self.tr("Support bundle"),
                self.tr("Everything that somebody who helps you asks for, masked, and shown before it is saved."),
            ),
        }
        for name, (title, text) in words.items():
            self.entries[name].present(title, text)
        self._jobs_card.set_title(self.tr("Failed lately"))
        self.stack.retranslate()
        self.show_model()

    def show_model(self) -> None:
        """The stack and the failed jobs as they are now."""
        view, error = self._model.overview(), self._model.error
        self.busy.set_busy(busy=self._model.scanning)
        self.sentence.setText(view.sentence or self._sentence())
        if error is None:
            self.banner.hide()
        else:
            self.banner.present(self._gui.error_text(error), "bad", self.tr("Try again"))
        self.stack.setVisible(bool(view.stack.bands))
        self.stack.present(view.stack)
        self._show_jobs(view.jobs)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The ways in stand beside each other where there is room."""
        super().resizeEvent(event)
        offered = [entry for entry in self.entries.values() if not entry.isHidden()]
        columns = 2 if len(offered) > 1 and event.size().width() > BESIDE_UNITS * unit(self.font()) else 1
        if columns == self._columns:
            return
        self._columns = columns
        for index, entry in enumerate(offered):
            self._grid.addWidget(entry, index // columns, index % columns)
        self._grid.setColumnStretch(0, 1)
        self._grid.setColumnStretch(1, 1 if columns > 1 else 0)

    def _sentence(self) -> str:
        if self._model.ports.flow is None:
            return self.tr("What an error means, and what to do about it. Nothing is sent anywhere.")
        return self.tr("What is installed here, and one question at a time to the cause of a trouble.")

    def _show_jobs(self, jobs: Sequence[FailedJobView]) -> None:
        while len(self.jobs) < len(jobs):
            line = RouteLine(self._jobs_card)
            line.acted.connect(lambda line=line: self.job_wanted.emit(line.property("job")))
            self._jobs.addWidget(line)
            self.jobs.append(line)
        for index, line in enumerate(self.jobs):
            line.setVisible(index < len(jobs))
            if index < len(jobs):
                line.setProperty("job", jobs[index].key)
                line.present(jobs[index].title, jobs[index].text, self.tr("Explain"))
        self._jobs_card.setVisible(bool(jobs))
