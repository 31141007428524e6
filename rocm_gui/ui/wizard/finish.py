"""What stands where, and everything that is done with it: terminal, editor, kernel, own script, the next pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QGridLayout, QPushButton

from rocm_gui.core.errors import AppError
from rocm_gui.services.launch import (
    FinishedSetup,
    Programs,
    add_kernel,
    find_programs,
    finished_setup,
    kernel_name,
    open_editor,
    open_terminal,
)
from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Card, EmptyState, Text
from rocm_gui.ui.widgets.report_table import ReportTable
from rocm_gui.ui.wizard.ask_undo import ask_undo
from rocm_gui.ui.wizard.script_card import ScriptCard
from rocm_gui.ui.wizard.step_page import StepPage

if TYPE_CHECKING:
    from collections.abc import Callable

ACTIONS = ("terminal", "editor", "kernel", "folder")
NEXT = ("monitor", "benchmarks", "training")
ICONS = {"terminal": "terminal", "editor": "external", "kernel": "environment", "folder": "folder"}


class FinishPage(StepPage):
    """The end of the guided setup."""

    name = "finish"

    def build(self) -> None:
        """Places, actions, script, next, undo."""
        size = round(unit(self.font()))
        self.setup: FinishedSetup | None = None
        self.programs: Programs | None = None
        self._looked_for: object = None
        self._empty = EmptyState(self)
        self._empty.acted.connect(lambda: self.model.page_wanted.emit("review"))
        self._places = Card(parent=self)
        self.table = ReportTable(self.gui.theme, self._places)
        self._places.body.addWidget(self.table)
        self._use = self._build_use(size)
        self.script = ScriptCard(self.gui, self)
        self.script.running_changed.connect(self._show_undo)
        self._next = Card(parent=self)
        self.next_buttons: dict[str, QPushButton] = {}
        self.next_notes: dict[str, Text] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(6 * size)
        grid.setVerticalSpacing(2 * size)
        grid.setColumnStretch(1, 1)
        for line, name in enumerate((*NEXT, "undo")):
            button = QPushButton(self._next)
            note = Text("", "note", "muted", wrap=True, parent=self._next)
            grid.addWidget(button, line, 0)
            grid.addWidget(note, line, 1)
            self.next_buttons[name] = button
            self.next_notes[name] = note
        for page in NEXT:
            self.next_buttons[page].clicked.connect(lambda _checked=False, page=page: self.gui.window.show_page(page))
        self.undo = self.next_buttons["undo"]
        self.undo.clicked.connect(self._on_undo)
        self._next.body.addLayout(grid)
        self._cards = (self._places, self._use, self.script, self._next)
        self.content.addWidget(self._empty, 1)
        for card in self._cards:
            self.content.addWidget(card)
        self.content.addStretch(1)
        self.gui.theme.changed.connect(self._recolour)
        self._recolour()

    def _build_use(self, size: int) -> Card:
        card = Card(parent=self)
        grid = QGridLayout()
        grid.setHorizontalSpacing(6 * size)
        grid.setVerticalSpacing(2 * size)
        self.buttons: dict[str, QPushButton] = {}
        self.notes: dict[str, Text] = {}
        slots: dict[str, Callable[[], None]] = {
            "terminal": self._on_terminal,
            "editor": self._on_editor,
            "kernel": self._on_kernel,
            "folder": self._on_folder,
        }
        for line, name in enumerate(ACTIONS):
            button = QPushButton(card)
            button.clicked.connect(slots[name])
            note = Text("", "note", "muted", wrap=True, parent=card)
            grid.addWidget(button, line, 0)
            grid.addWidget(note, line, 1)
            self.buttons[name] = button
            self.notes[name] = note
        grid.setColumnStretch(1, 1)
        card.body.addLayout(grid)
        return card

    def retranslate(self) -> None:
        """Set every text."""
        self.title.setText(self.tr("Finish"))
        self._places.set_title(self.tr("What stands where"))
        self._use.set_title(self.tr("Use it"))
        self._next.set_title(self.tr("Next"))
        words = {
            "terminal": self.tr("Open a &terminal in it"),
            "editor": self.tr("Open in VS &Code"),
            "kernel": self.tr("Add a &Jupyter kernel"),
            "folder": self.tr("Open the &folder"),
        }
        for name, text in words.items():
            self.buttons[name].setText(text)
        names = {
            "monitor": self.tr("Watch the GPUs"),
            "benchmarks": self.tr("Measure them"),
            "training": self.tr("Train a demo"),
        }
        for name, text in names.items():
            self.next_buttons[name].setText(text)
        self.undo.setText(self.tr("&Undo this setup…"))
        notes = {
            "monitor": self.tr("Memory, power, temperature and load while your program runs."),
            "benchmarks": self.tr("Bandwidth and arithmetic, compared with what your GPU should reach."),
            "training": self.tr("A small network or a language model, with its speed."),
            "undo": self.tr("Takes back everything that the setup made; asks first."),
        }
        for name, text in notes.items():
            self.next_notes[name].setText(text)
        self.table.setAccessibleName(self.tr("What stands where"))
        self.script.retranslate()

    def enter(self) -> None:
        """Look at what stands now."""
        self._looked_for = None
        self._look()

    def show_model(self) -> None:
        """What is finished, or that nothing is."""
        self._look()
        setup = self.setup
        self._empty.setVisible(setup is None)
        for card in self._cards:
            card.setVisible(setup is not None)
        if setup is None:
            self.sentence.setText(self.tr("Nothing is set up yet."))
            text = self.tr("When the setup is finished, this is where you open a terminal in it and run your script.")
            self._empty.present(text, self.tr("To the review"))
            pixels = round(12 * unit(self.font()))
            self._empty.picture.setPixmap(self.gui.theme.pixmap("setup", "muted", pixels, self.devicePixelRatioF()))
            return
        verdict = setup.verdict or "unknown"
        self.sentence.setText(self.texts.get(f"setup.finished.{verdict}", target=setup.target))
        self._show_places(setup)
        self._show_programs(setup)
        self.script.show_setup(setup)
        self._show_undo()

    # ---- what is shown

    def _look(self) -> None:
        target = self.model.begun_target
        wanted = (target, self.model.outcome.setup_id if self.model.outcome is not None else None)
        if self._looked_for == wanted or self.model.busy:
            return
        self._looked_for = wanted
        paths = self.gui.context.paths

        def work() -> tuple[FinishedSetup | None, Programs | None]:
            setup = finished_setup(paths, Path(target)) if target is not None else None
            return setup, find_programs(setup) if setup is not None else None

        self.gui.background.run(work, self._on_looked)

    def _on_looked(self, found: tuple[FinishedSetup | None, Programs | None]) -> None:
        self.setup, self.programs = found
        self.show_model()
        self.complete_changed.emit()

    def _show_undo(self) -> None:
        """Not under a running script."""
        self.undo.setEnabled(not self.model.busy and not self.script.running)

    def _show_places(self, setup: FinishedSetup) -> None:
        rows = [
            (self.tr("Folder"), setup.target),
            (self.tr("Environment"), setup.environment),
            (self.tr("Python"), setup.python),
            (self.tr("Start script"), setup.start_script),
            (self.tr("Proof"), setup.target / "verification.json"),
        ]
        self.table.present((), [(None, (name, str(path)), ()) for name, path in rows], stretch=1)

    def _show_programs(self, setup: FinishedSetup) -> None:
        found = self.programs
        if found is None:
            return
        for name, there in (("terminal", found.terminal), ("editor", found.editor), ("kernel", found.kernel)):
            self.buttons[name].setEnabled(bool(there))
        texts = self.texts
        ready = (
            self.tr("Python, pip and your GPU are ready in it.")
            if setup.gfx_target is not None
            else self.tr("Python and pip are ready in it.")
        )
        missing = texts.get("error.terminal_missing", script=setup.start_script)
        self.notes["terminal"].setText(ready if found.terminal else missing)
        self.notes["editor"].setText(
            self.tr("Opens the folder; choose the Python of the environment when VS Code asks.")
            if found.editor
            else texts.get("error.editor_missing")
        )
        kernel = self.tr("For Jupyter and for notebooks in VS Code, under the name {name}.")
        self.notes["kernel"].setText(
            kernel.format(name=kernel_name(setup))
            if found.kernel
            else texts.get("error.kernel_no_ipykernel", script=setup.start_script)
        )
        self.notes["folder"].setText(self.tr("The start script, the environment and the proof."))

    def _recolour(self) -> None:
        for name, button in self.buttons.items():
            button.setIcon(self.gui.theme.icon(ICONS[name], "text"))

    # ---- actions

    def _do(self, work: Callable[[], object], said: Callable[[object], str] | None = None) -> None:
        """Do it in the background; say how it ended only where something is to be said."""
        self.banner.hide()

        def done(result: object) -> None:
            if said is not None:
                self.banner.present(said(result), "ok")

        def failed(error: BaseException) -> None:
            known = error if isinstance(error, AppError) else AppError("unforeseen", reason=str(error))
            self.banner.present(self.gui.error_text(known), "bad")

        self.gui.background.run(work, done, failed)

    def _on_terminal(self) -> None:
        if (setup := self.setup) is not None:
            self._do(lambda: open_terminal(setup))

    def _on_editor(self) -> None:
        if (setup := self.setup) is not None:
            self._do(lambda: open_editor(setup))

    def _on_kernel(self) -> None:
        if (setup := self.setup) is not None:
            paths = self.gui.context.paths
            text = self.tr("The kernel {name} was added. To remove it: jupyter kernelspec remove {name}")
            self._do(lambda: add_kernel(setup, paths), lambda name: text.format(name=name))

    def _on_folder(self) -> None:
        if self.setup is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.setup.target)))

    def _on_undo(self) -> None:
        if self.setup is not None:
            ask_undo(self, self.model, str(self.setup.target))
