"""The wizard's frame: step rail at the left, the current page, Back / Next / Cancel below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, Qt
from PySide6.QtWidgets import QHBoxLayout, QMessageBox, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Banner, Card, Text
from rocm_gui.ui.widgets.step_list import StepList
from rocm_gui.ui.wizard.model import PAGES, WizardModel

if TYPE_CHECKING:
    from rocm_gui.services.installer import StatusReport
    from rocm_gui.ui.app import Gui
    from rocm_gui.ui.wizard.step_page import StepPage

COMPACT_BELOW_UNITS = 190


class WizardFrame(QWidget):
    """Turns pages; every page is made when it is first reached."""

    page_turned = Signal(str)

    def __init__(self, gui: Gui, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gui = gui
        self.model = WizardModel(gui, self)
        self._pages: dict[str, StepPage] = {}
        self._reached = 0
        self._build()
        self.model.changed.connect(self._show)
        self.model.applied.connect(self._on_applied)
        self.model.page_wanted.connect(self.turn_to)
        self._retranslate()
        self.model.find_unfinished()
        self.turn_to(self.model.restore())
        self.model.scan()

    @property
    def current(self) -> str:
        """The name of the page that is shown."""
        widget = self._stack.currentWidget()
        return next((name for name, page in self._pages.items() if page is widget), PAGES[0])

    def page(self, name: str) -> StepPage:
        """The page ``name``, made now if it was not reached before."""
        if name not in self._pages:
            from rocm_gui.ui.wizard.registry import make_page  # noqa: PLC0415 - a page's module is loaded with it

            page = make_page(name, self._gui, self.model)
            page.complete_changed.connect(self._show)
            page.retranslate()
            self._pages[name] = page
            self._stack.addWidget(page)
        return self._pages[name]

    def turn_to(self, name: str) -> None:
        """Show the page ``name``."""
        page = self.page(name)
        if self._stack.currentWidget() is not page and self.current in self._pages:
            self._pages[self.current].leave()
        self._stack.setCurrentWidget(page)
        self._reached = max(self._reached, PAGES.index(name))
        page.enter()
        self.model.turned_to(name)
        self._show()
        self.page_turned.emit(name)

    def go_next(self) -> None:
        """As the Next button."""
        page = self.page(self.current)
        index = PAGES.index(self.current)
        if page.complete and page.advance() and index + 1 < len(PAGES):
            self.turn_to(PAGES[index + 1])

    def go_back(self) -> None:
        """As the Back button; what was typed is kept."""
        index = PAGES.index(self.current)
        if index > 0 and not self.model.busy:
            self.turn_to(PAGES[index - 1])

    def close_model(self) -> None:
        """The window closes."""
        self.model.close()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Alt+Left goes back; Escape asks before it stops something, and otherwise does nothing."""
        if event.key() == Qt.Key.Key_Left and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.go_back()
        elif event.key() == Qt.Key.Key_Escape and self.model.busy:
            self._on_cancel()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Narrow frames (large fonts, small windows) keep the room for the page."""
        super().resizeEvent(event)
        length = unit(self.font())
        compact = event.size().width() < COMPACT_BELOW_UNITS * length
        self.rail.set_compact(compact=compact)
        self._rail_card.setFixedWidth(round((40 if compact else 56) * length))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _build(self) -> None:
        size = round(unit(self.font()))
        self.rail = StepList(self._gui.theme, len(PAGES), self)
        self._rail_card = Card(parent=self)
        self._rail_card.body.addWidget(self.rail, 1)
        self._time_left = Text("", "note", "muted", wrap=True, parent=self._rail_card)
        self._rail_card.body.addWidget(self._time_left)
        self.unfinished = Banner(self)
        self.unfinished.acted.connect(self._on_continue)
        self.undo_unfinished = QPushButton(self.unfinished)
        self.undo_unfinished.clicked.connect(self._on_undo_unfinished)
        layout = self.unfinished.layout()
        if isinstance(layout, QHBoxLayout):
            layout.insertWidget(layout.count() - 1, self.undo_unfinished)
        self._stack = QStackedWidget(self)
        self.cancel_button = QPushButton(self)
        self.cancel_button.clicked.connect(self._on_cancel)
        self.back_button = QPushButton(self)
        self.back_button.clicked.connect(self.go_back)
        self.next_button = QPushButton(self)
        self.next_button.setProperty("kind", "primary")
        self.next_button.setDefault(True)
        self.next_button.clicked.connect(self.go_next)
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * size)
        buttons.addWidget(self.cancel_button)
        buttons.addStretch(1)
        buttons.addWidget(self.back_button)
        buttons.addWidget(self.next_button)
        right = QVBoxLayout()
        right.setSpacing(3 * size)
        right.addWidget(self.unfinished)
        right.addWidget(self._stack, 1)
        right.addLayout(buttons)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(round(4 * size))
        row.addWidget(self._rail_card)
        row.addLayout(right, 1)

    def page_name(self, name: str) -> str:
        """The page's name as the rail shows it."""
        return {
            "welcome": self.tr("Welcome"),
            "hardware": self.tr("Hardware"),
            "software": self.tr("Software"),
            "route": self.tr("Route"),
            "options": self.tr("Options"),
            "review": self.tr("Review"),
            "install": self.tr("Install"),
            "verify": self.tr("Verify"),
            "finish": self.tr("Finish"),
        }[name]

    def _retranslate(self) -> None:
        self.back_button.setText(self.tr("&Back"))
        self.cancel_button.setText(self.tr("&Stop…"))
        self.undo_unfinished.setText(self.tr("Undo it"))
        self.rail.setAccessibleName(self.tr("Steps of the setup"))
        self._show()

    def _show(self) -> None:
        if self.current not in self._pages:
            return
        page = self._pages[self.current]
        page.show_model()
        index = PAGES.index(self.current)
        self.rail.present([(self.page_name(name), self._state(name)) for name in PAGES], index)
        self.back_button.setEnabled(index > 0 and not self.model.busy)
        self.next_button.setEnabled(page.complete)
        self.next_button.setText(page.next_text or self.tr("&Next"))
        self.next_button.setVisible(index + 1 < len(PAGES) or bool(page.next_text))
        self.cancel_button.setVisible(self.model.busy)
        remaining = self.model.remaining_s
        self._time_left.setText(self._left(remaining) if self.model.busy and remaining is not None else "")
        self._show_unfinished()

    def _state(self, name: str) -> str:
        model, index = self.model, PAGES.index(name)
        if name == self.current:
            if model.busy:
                return "running"
            ended = model.outcome.state if name == "install" and model.outcome is not None else "done"
            return ended if ended in ("failed", "cancelled") else "current"
        if name in ("install", "verify", "finish"):
            outcome = model.outcome
            if outcome is None:
                return "waiting"
            if name == "install":
                return {"done": "done", "failed": "failed", "cancelled": "cancelled"}.get(outcome.state, "done")
            return "done" if outcome.state == "done" and index < PAGES.index(self.current) else "waiting"
        if index > self._reached:
            return "waiting"
        return "done" if index < PAGES.index(self.current) else "waiting"

    def _left(self, seconds: float) -> str:
        minutes, rest = divmod(round(seconds), 60)
        return self.tr("{minutes}:{seconds} left in this step").format(minutes=minutes, seconds=f"{rest:02d}")

    def _show_unfinished(self) -> None:
        report = self._unfinished()
        if report is None or self.model.busy or self.current in ("install", "verify", "finish"):
            self.unfinished.hide()
            return
        text = self.tr("A setup in {target} was not finished. It can go on where it stopped, or be undone.")
        self.unfinished.present(text.format(target=report.target), "warn", self.tr("Continue"))

    def _unfinished(self) -> StatusReport | None:
        return next(iter(self.model.unfinished), None)

    def _on_continue(self) -> None:
        report = self._unfinished()
        if report is not None:
            if report.phase == "undoing":
                self.model.undo(report.target)
            else:
                self.model.resume(report.target)
            self.turn_to("install")

    def _on_undo_unfinished(self) -> None:
        report = self._unfinished()
        if report is not None:
            self.model.undo(report.target)
            self.turn_to("install")

    def _on_applied(self) -> None:
        outcome = self.model.outcome
        if self.current == "install" and outcome is not None and outcome.state == "done":
            self.turn_to("verify")

    def _on_cancel(self) -> None:
        if not self.model.busy:
            return
        box = QMessageBox(self)
        box.setWindowTitle(self.tr("Stop the setup?"))
        box.setText(self.tr("The setup is changing this computer."))
        box.setInformativeText(
            self.tr("It stops at a safe point. What was done is kept: it can be continued later, or undone.")
        )
        stop = box.addButton(self.tr("Stop"), QMessageBox.ButtonRole.AcceptRole)
        keep = box.addButton(self.tr("Keep going"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        box.finished.connect(lambda: self.model.cancel() if box.clickedButton() is stop else None)
        box.open()
