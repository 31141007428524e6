"""Runs a person's own script in the finished environment: output live, its end explained."""

from __future__ import annotations

import os
import shlex
import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QDir, QFileInfo, QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from rocm_gui.core.errors import AppError
from rocm_gui.services.script_environment import gpus_of
from rocm_gui.services.script_run import ScriptRequest, ScriptRun, known_troubles, prepare_script
from rocm_gui.services.script_words import end_sentences, place_sentence
from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Card, Text
from rocm_gui.ui.widgets.log_view import LogView
from rocm_gui.ui.widgets.remarks import Remarks

if TYPE_CHECKING:
    from rocm_gui.core.script_faults import ScriptOutcome
    from rocm_gui.core.verification import DeviceInfo
    from rocm_gui.services.launch import FinishedSetup
    from rocm_gui.services.script_run import PreparedScript, Stream
    from rocm_gui.ui.app import Gui

FLUSH_MS = 60
MOST_BYTES = 64_000  # of a line without an end
STATES = {"done": "ok", "cancelled": "warn"}


class ScriptCard(Card):
    """Script, arguments, Run and Stop; below them the output."""

    running_changed = Signal()

    def __init__(self, gui: Gui, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._gui = gui
        self._setup: FinishedSetup | None = None
        self._cancel: threading.Event | None = None
        self._run: ScriptRun | None = None
        self._inbox: list[tuple[Stream, bytes]] = []
        self._lock = threading.Lock()
        self._rest: dict[Stream, bytes] = {"stdout": b"", "stderr": b""}
        self._failed = False  # the last run
        self._build()
        self._timer = QTimer(self)
        self._timer.setInterval(FLUSH_MS)
        self._timer.timeout.connect(self._flush)
        gui.window_closing.connect(self._on_closing)
        gui.closing.watch(lambda: self.tr("Your script is still running.") if self.running else "")
        self._show_buttons()

    def _build(self) -> None:
        size = round(unit(self.font()))
        self._note = Text("", "note", "muted", wrap=True, parent=self)
        self.script = QLineEdit(self)
        self.script.textChanged.connect(self._show_buttons)
        self.script.returnPressed.connect(self.start)
        self.browse = QPushButton(self)
        self.browse.clicked.connect(self._browse)
        self.arguments = QLineEdit(self)
        self.arguments.returnPressed.connect(self.start)
        self.gpu = QComboBox(self)
        self._gpus: tuple[DeviceInfo, ...] = ()
        self._labels = {"script": QLabel(self), "arguments": QLabel(self), "gpu": QLabel(self)}
        self._labels["gpu"].setBuddy(self.gpu)
        self._labels["script"].setBuddy(self.script)
        self._labels["arguments"].setBuddy(self.arguments)
        grid = QGridLayout()
        grid.setHorizontalSpacing(3 * size)
        grid.setVerticalSpacing(2 * size)
        grid.addWidget(self._labels["script"], 0, 0)
        grid.addWidget(self.script, 0, 1)
        grid.addWidget(self.browse, 0, 2)
        grid.addWidget(self._labels["arguments"], 1, 0)
        grid.addWidget(self.arguments, 1, 1, 1, 2)
        grid.addWidget(self._labels["gpu"], 2, 0)
        grid.addWidget(self.gpu, 2, 1, 1, 2)
        grid.setColumnStretch(1, 1)
        row = QHBoxLayout()
        row.setSpacing(2 * size)
        self.run_button, self.stop_button, self.explain_button = (QPushButton(self) for _ in range(3))
        acts = {self.run_button: self.start, self.stop_button: self.stop, self.explain_button: self._on_explain}
        for button, act in acts.items():
            button.clicked.connect(act)
            row.addWidget(button)
        row.addStretch(1)
        self.remarks = Remarks(self._gui.theme, self)
        self.log = LogView(self._gui.theme, self)
        self.log.setMinimumHeight(40 * size)
        self.log.hide()
        self._live = Text("", "note", "muted", parent=self)
        self._live.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._live.hide()
        self.body.addWidget(self._note)
        self.body.addLayout(grid)
        self.body.addLayout(row)
        self.body.addWidget(self.remarks)
        self.body.addWidget(self.log)
        self.body.addWidget(self._live)

    @property
    def running(self) -> bool:
        """Whether a script runs."""
        return self._cancel is not None

    def retranslate(self) -> None:
        """Set every text of its own."""
        self.set_title(self.tr("Run your own script"))
        self._show_note()
        self._labels["script"].setText(self.tr("&Script"))
        self._labels["arguments"].setText(self.tr("&Arguments"))
        self._labels["gpu"].setText(self.tr("&GPU"))
        self._show_gpus()
        self.script.setPlaceholderText(self.tr("a Python file, such as train.py"))
        self.arguments.setPlaceholderText(self.tr("as on a command line, such as --epochs 3"))
        self.browse.setText(self.tr("Br&owse…"))
        self.run_button.setText(self.tr("&Run"))
        self.stop_button.setText(self.tr("Sto&p it"))
        self.explain_button.setText(self.tr("E&xplain"))

    def show_setup(self, setup: FinishedSetup) -> None:
        """The environment to run in; where it has several GPUs, one can be chosen."""
        if self._setup is None or self._setup.python != setup.python:
            self._gpus = ()
            self._show_gpus()
            if setup.gfx_target is not None:
                self._look_for_gpus(str(setup.python))
        self._setup = setup
        self._show_note()
        self._show_buttons()

    def _show_note(self) -> None:
        on_gpu = self._setup is not None and self._setup.gfx_target is not None
        self._note.setText(
            self.tr("It runs in this environment on the GPU; the computer does not go to sleep meanwhile.")
            if on_gpu
            else self.tr("It runs in this environment on the processor; the computer does not go to sleep meanwhile.")
        )

    def _look_for_gpus(self, python: str) -> None:
        def done(gpus: tuple[DeviceInfo, ...]) -> None:
            if self._setup is not None and str(self._setup.python) == python:
                self._gpus = gpus
                self._show_gpus()

        paths = self._gui.context.paths
        # an environment that does not answer is told of when the script runs
        self._gui.background.run(lambda: gpus_of(python, paths=paths), done, lambda _error: None)

    def _show_gpus(self) -> None:
        """Nothing to choose where there is one GPU or none."""
        chosen = self.gpu.currentIndex()
        several = len(self._gpus) > 1
        self.gpu.clear()
        self.gpu.addItem(self.tr("The best one"), None)
        for device in self._gpus:
            name = device.name or device.gfx_target or device.arch_full or ""
            self.gpu.addItem(f"{device.index}: {name}", device.index)
        self.gpu.addItem(self.tr("All of them"), "all")
        self.gpu.setCurrentIndex(chosen if 0 <= chosen < self.gpu.count() else 0)
        self.gpu.setVisible(several)
        self._labels["gpu"].setVisible(several)

    def start(self) -> None:
        """Run the script."""
        setup, script = self._setup, self.script.text().strip()
        if setup is None or not script or self.running:
            return
        try:
            arguments = _words(self.arguments.text())
        except ValueError:
            self.remarks.present([("fail", self.tr("A quotation mark in the arguments is not closed."))])
            return
        device = self.gpu.currentData()
        request = ScriptRequest(python=str(setup.python), script=script, arguments=tuple(arguments), device=device)
        cancel = self._cancel = threading.Event()
        paths = self._gui.context.paths
        texts = self._gui.context.texts(self._gui.languages.language)
        self._failed = False
        self.log.clear()
        self.log.show()
        self._rest = {"stdout": b"", "stderr": b""}
        self.remarks.present([("unknown", texts.get("run.looking"))])
        self._timer.start()
        self._show_buttons()
        self.running_changed.emit()

        def work() -> tuple[PreparedScript, ScriptOutcome]:
            prepared = prepare_script(request, paths=paths, cancel=cancel)
            run = ScriptRun(prepared, self._hear, troubles=known_troubles(paths))
            self._run = run
            if cancel.is_set():
                run.interrupt()
            self._gui.background.call(lambda: self._on_prepared(prepared))
            return prepared, run.run()

        self._gui.background.run(work, self._on_done, self._on_failed)

    def stop(self) -> None:
        """As Ctrl-C; the second time firmly."""
        if self._cancel is not None:
            self._cancel.set()
        if self._run is not None:
            self._run.interrupt()

    def _hear(self, stream: Stream, data: bytes) -> None:
        """Called in threads of the run."""
        with self._lock:
            self._inbox.append((stream, data))

    def _flush(self, *, end: bool = False) -> None:
        with self._lock:
            pieces, self._inbox = self._inbox, []
        for stream, data in pieces:
            *lines, rest = (self._rest[stream] + data).split(b"\n")
            for line in lines:
                self.log.add(_last_state(line))
            self._rest[stream] = rest[-MOST_BYTES:] if b"\r" not in rest[:-1] else rest[rest.rindex(b"\r", 0, -1) :]
        unfinished = [_last_state(rest) for rest in self._rest.values() if rest]
        if end:
            for text in unfinished:
                self.log.add(text)
            self._rest = {"stdout": b"", "stderr": b""}
        self._live.setText("" if end else "  ".join(unfinished))
        self._live.setVisible(bool(self._live.text()))

    def _on_prepared(self, prepared: PreparedScript) -> None:
        texts = self._gui.context.texts(self._gui.languages.language)
        remarks = [("ok", place_sentence(prepared, texts))]
        remarks += [("warn", f"{texts.get('run.needs_snippet')}\n{snippet}") for snippet in prepared.snippets]
        self.remarks.present(remarks)

    def _on_done(self, result: tuple[PreparedScript, ScriptOutcome]) -> None:
        prepared, outcome = result
        self._end()
        texts = self._gui.context.texts(self._gui.languages.language)
        status = STATES.get(outcome.state, "fail")
        self._failed = status == "fail"
        self._show_buttons()
        first, *more = end_sentences(prepared, outcome, texts)
        shown = [("ok", place_sentence(prepared, texts)), (status, first), *(("warn", text) for text in more)]
        self.remarks.present(shown)

    def _on_failed(self, error: BaseException) -> None:
        self._end()
        known = error if isinstance(error, AppError) else AppError("unforeseen", reason=str(error))
        status = "warn" if known.code == "verify_cancelled" else "fail"
        self.remarks.present([(status, self._gui.error_text(known))])

    def _end(self) -> None:
        self._timer.stop()
        self._flush(end=True)
        self._cancel = None
        self._run = None
        self._show_buttons()
        self.running_changed.emit()

    def _on_explain(self) -> None:
        self._gui.explain(self.log.text, QFileInfo(self.script.text().strip()).fileName())

    def _show_buttons(self) -> None:
        self.explain_button.setVisible(self._failed and not self.running and bool(self.log.text.strip()))
        self.run_button.setEnabled(self._setup is not None and bool(self.script.text().strip()) and not self.running)
        self.stop_button.setVisible(self.running)

    def _browse(self) -> None:
        dialog = QFileDialog(self, self.tr("Choose a script"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("Python (*.py)"), self.tr("All files (*)")])
        dialog.fileSelected.connect(lambda path: self.script.setText(QDir.toNativeSeparators(path)))
        dialog.open()

    def _on_closing(self) -> None:
        self.stop()
        self.stop()


def _last_state(line: bytes) -> str:
    """The line as it looks in the end: a progress bar writes it over and over."""
    return line.rstrip(b"\r").rsplit(b"\r", 1)[-1].decode("utf-8", "replace")


def _words(text: str) -> list[str]:
    """Arguments as a shell would split them; on Windows a backslash is a letter of a path.

    Raises:
        ValueError: where a quotation mark is not closed.
    """
    if os.name == "posix":
        return shlex.split(text)
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split = True
    lexer.escape = ""
    lexer.commenters = ""
    return list(lexer)
