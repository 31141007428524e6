"""The run: what is done now, how far it is, what its programs say, and how it ended."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QProgressBar, QPushButton, QVBoxLayout, QWidget

from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Card, EmptyState, Text
from rocm_gui.ui.widgets.log_view import LogView
from rocm_gui.ui.widgets.step_list import StepList
from rocm_gui.ui.wizard.install_end import EndCard
from rocm_gui.ui.wizard.run_words import log_words, progress_words, time_words
from rocm_gui.ui.wizard.step_page import StepPage

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from rocm_gui.core.setup_events import StepProgress
    from rocm_gui.ui.wizard.model import StepView

PERMILLE = 1000
BESIDE = 170  # spacing units that steps and log need beside each other
QWIDGETSIZE_MAX = (1 << 24) - 1
TICK_MS = 1000


class InstallPage(StepPage):
    """Follows the model's run; holds nothing that a page turn could lose."""

    name = "install"

    def build(self) -> None:
        """Now, end, steps and log."""
        size = round(unit(self.font()))
        self._last = "applying"  # what the model did last: applying or undoing
        self._empty = EmptyState(self)
        self._empty.acted.connect(lambda: self.model.page_wanted.emit("review"))
        self._now = Card(parent=self)
        self.bar = QProgressBar(self._now)
        self.bar.setTextVisible(False)
        self._progress = Text("", "body", "muted", wrap=True, parent=self._now)
        self._item = Text("", "note", "muted", wrap=True, parent=self._now)
        self.pause_button = QPushButton(self._now)
        self.pause_button.clicked.connect(self._on_pause)
        row = QHBoxLayout()
        row.setSpacing(3 * size)
        words = QVBoxLayout()
        words.setSpacing(size // 2)
        words.addWidget(self._progress)
        words.addWidget(self._item)
        row.addLayout(words, 1)
        row.addWidget(self.pause_button)
        self._now.body.addWidget(self.bar)
        self._now.body.addLayout(row)
        self.end = EndCard(self.gui, self.model, self)
        self.end.log_text = lambda: self.log.text
        self._steps_card = Card(parent=self)
        self.steps = StepList(self.gui.theme, 0, self._steps_card)
        self._steps_card.body.addWidget(self.steps)
        self._log_card = Card(parent=self)
        self.log = LogView(self.gui.theme, self._log_card)
        self.log.setMinimumHeight(44 * size)
        self._log_card.body.addWidget(self.log, 1)
        self._run = QWidget(self)
        self._both = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._run)
        self._both.setContentsMargins(0, 0, 0, 0)
        self._both.setSpacing(round(3.5 * size))
        self._both.addWidget(self._steps_card, 0)
        self._both.addWidget(self._log_card, 1)
        self.content.addWidget(self._empty, 1)
        self.content.addWidget(self._now)
        self.content.addWidget(self.end)
        self.content.addWidget(self._run, 1)
        self._clock = QTimer(self)
        self._clock.setInterval(TICK_MS)
        self._clock.timeout.connect(self._tick)
        self.model.logged.connect(self._on_logged)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The log beside the steps where there is room for both, else below them."""
        super().resizeEvent(event)
        size = unit(self.font())
        beside = event.size().width() > BESIDE * size
        direction = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        self._both.setDirection(direction)
        self._steps_card.setMaximumWidth(round(80 * size) if beside else QWIDGETSIZE_MAX)
        self._steps_card.setMinimumWidth(round(80 * size) if beside else 0)

    def retranslate(self) -> None:
        """Set every text."""
        self.title.setText(self.tr("Install"))
        self._steps_card.set_title(self.tr("Steps"))
        self._log_card.set_title(self.tr("Log"))
        self.bar.setAccessibleName(self.tr("Progress of the current step"))

    def leave(self) -> None:
        """Nothing is drawn while hidden."""
        self._clock.stop()

    def show_model(self) -> None:
        """The run as it is now."""
        model = self.model
        if model.busy:
            self._last = model.activity
            if not self._clock.isActive():
                self._clock.start()
        else:
            self._clock.stop()
        self.sentence.setText(self._sentence())
        begun = model.busy or bool(model.steps) or model.undo_report is not None or model.run_error is not None
        self._empty.setVisible(not begun)
        self._run.setVisible(begun)
        self._now.setVisible(model.busy)
        if not begun:
            self._show_empty()
        self._show_steps(model.steps)
        if model.busy:
            self._show_now()
        self.end.show_end(self._last)

    @property
    def complete(self) -> bool:
        """Whether there is something to verify."""
        outcome = self.model.outcome
        return not self.model.busy and outcome is not None and outcome.state == "done"

    # ---- what is shown

    def _sentence(self) -> str:
        model = self.model
        target = model.begun_target or model.target or ""
        if model.activity == "undoing":
            return self.tr("Taking the setup back.")
        if model.activity == "applying":
            if model.paused:
                return self.tr("Paused. Nothing runs until you go on.")
            if model.pausing:
                return self.tr("Pauses after this step.")
            return self.tr("Setting up {target}. You can use the computer meanwhile.").format(target=target)
        if model.outcome is not None and model.outcome.state == "done":
            return self.tr("Finished: every step is done.")
        if self.gui.context.simulated is not None:
            return self.tr("This computer is simulated: nothing can be installed on it.")
        if model.undo_report is not None or model.outcome is not None or model.run_error is not None:
            return self.tr("Stopped.")
        return self.tr("Nothing runs yet.")

    def _show_empty(self) -> None:
        if self.gui.context.simulated is not None:
            text = self.tr("On a real computer the steps, their progress and the log of every program stand here.")
        else:
            text = self.tr("The steps and the log stand here once the setup has been started on the page Review.")
        self._empty.present(text, self.tr("To the review"))
        pixels = round(12 * unit(self.font()))
        self._empty.picture.setPixmap(self.gui.theme.pixmap("terminal", "muted", pixels, self.devicePixelRatioF()))

    def _show_steps(self, steps: list[StepView]) -> None:
        self._steps_card.setVisible(bool(steps))
        if len(self.steps.rows) != len(steps):
            old = self.steps
            self.steps = StepList(self.gui.theme, len(steps), self._steps_card)
            self._steps_card.body.replaceWidget(old, self.steps)
            old.hide()
            old.deleteLater()
        self.steps.setAccessibleName(self.tr("Steps of the run"))
        rows = [(self.texts.get(f"setup.step.{step.id}"), step.state) for step in steps]
        current = next((index for index, step in enumerate(steps) if step.state == "running"), None)
        self.steps.present(rows, current)

    def _show_now(self) -> None:
        model = self.model
        undoing = model.activity == "undoing"
        running = next((step for step in model.steps if step.state == "running"), None)
        progress = model.undo_progress if undoing else running.progress if running is not None else None
        if undoing:
            self._now.set_title(self.tr("Undo"))
        elif running is not None:
            number = self.tr("step {number} of {count}").format(
                number=model.steps.index(running) + 1, count=len(model.steps)
            )
            self._now.set_title(self.texts.get(f"setup.step.{running.id}"), number)
        else:
            self._now.set_title(self.tr("Paused") if model.paused else self.tr("Starting"))
        state = self.tr("Paused") if model.paused else self.tr("Pausing") if model.pausing else self.tr("Running")
        self._now.pill.set_state(state, "warn" if model.paused else "accent")
        self._show_bar(progress, idle=model.paused)
        words = progress_words(progress, self.texts) if progress is not None else ""
        since = "" if running is None or running.started_s is None else time_words(time.monotonic() - running.started_s)
        if since and not words:
            words = self.tr("since {time}").format(time=since)
        self._progress.setText(words)
        self._item.setText((progress.item or "") if progress is not None else "")
        self._item.setVisible(bool(self._item.text()))
        self.pause_button.setVisible(not undoing)
        self.pause_button.setText(self.tr("&Go on") if model.pausing else self.tr("&Pause after this step"))

    def _show_bar(self, progress: StepProgress | None, *, idle: bool) -> None:
        if idle:
            self.bar.setRange(0, 1)
            self.bar.setValue(0)
        elif progress is None or not progress.total or progress.done is None:
            self.bar.setRange(0, 0)
        else:
            self.bar.setRange(0, PERMILLE)
            self.bar.setValue(min(PERMILLE, int(PERMILLE * progress.done / progress.total)))

    def _tick(self) -> None:
        if self.isVisible() and self.model.busy:
            self._show_now()

    def _on_logged(self, lines: list[tuple[str, str]]) -> None:
        texts, now = self.texts, time.strftime("%H:%M:%S")
        for text, level in lines:
            words, shown_level = log_words(text, level, texts)
            self.log.add(words, shown_level, now)

    def _on_pause(self) -> None:
        if self.model.pausing:
            self.model.go_on()
        else:
            self.model.pause()
