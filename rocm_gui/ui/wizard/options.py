"""Where the setup goes and what goes into it; everything is judged while it is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version
from PySide6.QtCore import QDir, QTimer
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
)

from rocm_gui.core.errors import AppError
from rocm_gui.core.model import SetupOptions
from rocm_gui.core.plan_report import worded
from rocm_gui.core.planner import choose_python, python_range
from rocm_gui.core.route_choice import usable_pythons
from rocm_gui.services.own_python import own_python
from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Card, Text
from rocm_gui.ui.widgets.fold import Fold
from rocm_gui.ui.widgets.remarks import Remarks
from rocm_gui.ui.wizard.options_folder import FolderCard, folder_remarks
from rocm_gui.ui.wizard.options_network import NetworkForm
from rocm_gui.ui.wizard.step_page import StepPage

if TYPE_CHECKING:
    from rocm_gui.core.model import PythonInstall
    from rocm_gui.core.routes import Route

SETTLE_MS = 400  # after the last key
EXTRAS = ("transformers", "datasets", "accelerate", "ipykernel")
DEPTH = "path_length"
OF_THE_PATH = (DEPTH, "long_paths", "target_letters")


class OptionsPage(StepPage):
    """Folder, Python, PyTorch, extras; folded away: kind of environment, mirror, index, proxy, certificates."""

    name = "options"

    def build(self) -> None:
        """Four cards."""
        self._target_error: AppError | None = None
        self._checked_target: str | None = None
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.setInterval(SETTLE_MS)
        self._settled.timeout.connect(self._on_settled)
        self.folder = FolderCard(self.gui.theme, self)
        self.folder.edited.connect(self._on_target_edited)
        self.folder.browse.clicked.connect(self._browse_folder)
        self._python_card = self._build_python()
        self._torch_card = self._build_torch()
        self._more_card = self._build_more()
        for card in (self.folder, self._python_card, self._torch_card, self._more_card):
            self.content.addWidget(card)
        self.content.addStretch(1)

    def _build_python(self) -> Card:
        card = Card(parent=self)
        size = round(unit(self.font()))
        self.pythons = QComboBox(card)
        self.pythons.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.pythons.setMinimumContentsLength(8)
        self.pythons.activated.connect(self._on_python_chosen)
        self.python_browse = QPushButton(card)
        self.python_browse.clicked.connect(self._browse_python)
        row = QHBoxLayout()
        row.setSpacing(2 * size)
        row.addWidget(self.pythons, 1)
        row.addWidget(self.python_browse)
        self.python_remarks = Remarks(self.gui.theme, card)
        self._python_note = Text("", "note", "muted", wrap=True, parent=card)
        card.body.addLayout(row)
        card.body.addWidget(self._python_note)
        card.body.addWidget(self.python_remarks)
        return card

    def _build_torch(self) -> Card:
        card = Card(parent=self)
        size = round(unit(self.font()))
        self._torch_label = QLabel(card)
        self.torch = QLineEdit(card)
        self.torch.textEdited.connect(lambda text: self.model.set_options(torch_version=text.strip() or None))
        self._torch_label.setBuddy(self.torch)
        row = QHBoxLayout()
        row.setSpacing(3 * size)
        row.addWidget(self._torch_label)
        row.addWidget(self.torch, 1)
        self.torch_remarks = Remarks(self.gui.theme, card)
        self._extras_note = Text("", "note", "muted", wrap=True, parent=card)
        card.body.addLayout(row)
        card.body.addWidget(self.torch_remarks)
        card.body.addWidget(self._extras_note)
        self.extras: dict[str, QCheckBox] = {}
        self._extra_notes: dict[str, Text] = {}
        grid = QGridLayout()
        grid.setHorizontalSpacing(4 * size)
        grid.setVerticalSpacing(size)
        grid.setColumnStretch(1, 1)
        for line, name in enumerate(EXTRAS):
            box = QCheckBox(name, card)
            box.clicked.connect(self._on_extras_chosen)
            note = Text("", "body", "muted", wrap=True, parent=card)
            grid.addWidget(box, line, 0)
            grid.addWidget(note, line, 1)
            self.extras[name] = box
            self._extra_notes[name] = note
        card.body.addLayout(grid)
        return card

    def _build_more(self) -> Card:
        card = Card(parent=self)
        self.more = Fold(self.gui.theme, card)
        self.network = NetworkForm(self.gui, card)
        self.network.changed.connect(lambda name, value: self.model.set_options(**{name: value}))
        self.more.body.addWidget(self.network)
        card.body.addWidget(self.more)
        return card

    def retranslate(self) -> None:
        """Set every text."""
        self.title.setText(self.tr("Options"))
        self.sentence.setText(self.tr("The proposals work as they are. Whatever you change is kept when you go back."))
        self.folder.retranslate()
        self._python_card.set_title(self.tr("Python"))
        self.pythons.setAccessibleName(self.tr("Python that the environment is made from"))
        self.python_browse.setText(self.tr("&Another…"))
        self._torch_card.set_title(self.tr("PyTorch and more"))
        self._torch_label.setText(self.tr("&Version"))
        self.torch.setAccessibleName(self.tr("Version of PyTorch"))
        self._extras_note.setText(self.tr("Also install, from PyPI:"))
        words = {
            "transformers": self.tr("language and vision models of Hugging Face"),
            "datasets": self.tr("training data of Hugging Face"),
            "accelerate": self.tr("training on several GPUs, mixed precision"),
            "ipykernel": self.tr("use the environment in Jupyter and VS Code notebooks"),
        }
        for name, text in words.items():
            self._extra_notes[name].setText(text)
            self.extras[name].setAccessibleName(f"{name}: {text}")
        self.more.set_title(self.tr("Advanced"))
        self.network.retranslate()

    def enter(self) -> None:
        """Judge the folder as it is now."""
        self._checked_target = None
        self._check_folder()
        if self.network.given(self.model.options):
            self.more.unfold()

    def leave(self) -> None:
        """What was typed last is judged for the pages that follow."""
        if self._settled.isActive():
            self._settled.stop()
            self._rescan()

    def show_model(self) -> None:
        """Show the options; a field that is being typed in keeps its text."""
        options = self.model.options
        if self._checked_target is None and self.model.diagnosis is not None:
            self._check_folder()
        self._show_folder()
        self._show_pythons()
        self._show_torch(options)
        for name, box in self.extras.items():
            box.setChecked(name in options.extras)
        conda = self.model.diagnosis.machine.tool("conda") if self.model.diagnosis is not None else None
        self.network.show_options(options, self.gui.context.settings, conda.path if conda else None)

    @property
    def complete(self) -> bool:
        """Whether a plan can be made of it."""
        options = self.model.options
        if self.model.diagnosis is None or self._target_error is not None or self._settled.isActive():
            return False
        depth = self._depth()
        if depth is not None and depth.status == "fail":
            return False
        return self._python_error() is None and _torch_error(options) is None and self.network.good

    # ---- folder

    @property
    def _route(self) -> Route | None:
        choice = self.model.choice
        return choice.route if choice is not None else None

    def _depth(self):  # noqa: ANN202 - the type is the doctor's
        diagnosis, target = self.model.diagnosis, self.model.target
        if diagnosis is None or target is None:
            return None
        found = self.gui.context.doctor.rejudge(diagnosis, target, (DEPTH,))
        return found[0] if found and "length" in found[0].facts else None

    def _show_folder(self) -> None:
        diagnosis, target = self.model.diagnosis, self.model.target
        self.folder.show_target(target or "")
        if diagnosis is None or target is None:
            self.folder.remarks.present(())
            self.folder.show_space(None, None)
            return
        live = self.gui.context.doctor.rejudge(diagnosis, target, OF_THE_PATH)
        self.folder.show_depth(next((result for result in live if result.id == DEPTH), None))
        known = diagnosis.target == target or self.gui.context.simulated is not None
        route = self._route
        volume = diagnosis.machine.volume("target") if known else None
        self.folder.show_space(volume, route.disk_bytes if route is not None else None)
        results = [result for result in diagnosis.results if result.id not in OF_THE_PATH] if known else []
        remarks = folder_remarks((*live, *results), self.gui.context.catalogue, self.gui.languages.language)
        if self._target_error is not None:
            remarks.insert(0, ("fail", self.gui.error_text(self._target_error)))
        self.folder.remarks.present(remarks)

    def _on_target_edited(self, text: str) -> None:
        self._target_error = None
        self._checked_target = text
        self._settled.start()
        self.model.set_options(target=text.strip() or None)

    def _on_settled(self) -> None:
        self._check_folder()
        self._rescan()
        self.model.turned_to(self.name)  # what was typed outlives a crash

    def _rescan(self) -> None:
        diagnosis = self.model.diagnosis
        if diagnosis is not None and diagnosis.target != self.model.target and not self._target_error:
            self.model.scan()

    def _check_folder(self) -> None:
        """Ask the planner about the folder: spelling, system folders, what it holds."""
        diagnosis = self.model.diagnosis
        if diagnosis is None:
            return
        options = self.model.effective_options
        self._checked_target = self.model.target
        planner = self.gui.context.make_planner

        def done(_target: str) -> None:
            self._on_folder_checked(options, None)

        def failed(error: BaseException) -> None:
            self._on_folder_checked(options, error if isinstance(error, AppError) else None)

        self.gui.background.run(lambda: planner(diagnosis.machine).check_target(options), done, failed)

    def _on_folder_checked(self, options: SetupOptions, error: AppError | None) -> None:
        if options.target == self.model.effective_options.target:
            self._target_error = error
            self._show_folder()
            self.complete_changed.emit()

    def _browse_folder(self) -> None:
        dialog = QFileDialog(self, self.tr("Folder for the setup"), self.model.target or "")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self._on_folder_picked)
        dialog.open()

    def _on_folder_picked(self, path: str) -> None:
        self._on_target_edited(QDir.toNativeSeparators(path))

    # ---- Python

    def _show_pythons(self) -> None:
        diagnosis, route, options = self.model.diagnosis, self._route, self.model.options
        conda = options.env_kind == "conda"
        self.pythons.setEnabled(not conda)
        self.python_browse.setEnabled(not conda)
        entries: list[tuple[str, str | None]] = []
        if diagnosis is not None and route is not None:
            entries = self._python_entries(route, diagnosis.machine)
        if options.python is not None and options.python not in [path for _, path in entries]:
            entries.append((options.python, options.python))
        shown = [(self.pythons.itemText(row), self.pythons.itemData(row)) for row in range(self.pythons.count())]
        if shown != entries:
            self.pythons.clear()
            for text, path in entries:
                self.pythons.addItem(text, path)
        self.pythons.setCurrentIndex(max(0, self.pythons.findData(options.python)))
        if conda:
            self._python_note.setText(self.tr("conda brings its own Python into the environment."))
        elif route is not None:
            self._python_note.setText(self.tr("This route takes Python {range}.").format(range=python_range(route)))
        error = self._python_error()
        self.python_remarks.present([] if error is None else [("fail", self.gui.error_text(error))])

    def _python_entries(self, route: Route, machine) -> list[tuple[str, str | None]]:  # noqa: ANN001
        try:
            best: PythonInstall | None = choose_python(route, machine, SetupOptions(), own_python(machine))
        except AppError:
            best = None
        entries: list[tuple[str, str | None]] = []
        if best is not None:
            entries.append((self.tr("Automatic: Python {version}").format(version=best.version), None))
        else:
            entries.append((self.tr("Automatic"), None))
        for python in usable_pythons(route, machine):
            text = f"Python {python.version}  ·  {python.path}"
            if route.python_prefer and (python.version or "").startswith(route.python_prefer + "."):
                text += "  ·  " + self.tr("recommended")
            entries.append((text, python.path))
        return entries

    def _python_error(self) -> AppError | None:
        diagnosis, route, options = self.model.diagnosis, self._route, self.model.effective_options
        if diagnosis is None or route is None or route.kind == "guide" or options.env_kind == "conda":
            return None
        if self.model.activity == "scanning":  # a Python that was just picked is being looked at
            return None
        if options.python is not None and not _listed(options.python, diagnosis.machine.pythons):
            return None  # by another spelling; the planner compares the files
        try:
            choose_python(route, diagnosis.machine, options, own_python(diagnosis.machine))
        except AppError as error:
            return worded(error, self.texts)
        return None

    def _on_python_chosen(self, index: int) -> None:
        self.model.set_options(python=self.pythons.itemData(index))

    def _browse_python(self) -> None:
        dialog = QFileDialog(self, self.tr("Choose a Python program"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self._on_python_picked)
        dialog.open()

    def _on_python_picked(self, path: str) -> None:
        self.model.set_options(python=QDir.toNativeSeparators(path))
        self.model.scan()

    # ---- PyTorch

    def _show_torch(self, options: SetupOptions) -> None:
        route = self._route
        if not self.torch.hasFocus():
            self.torch.setText(options.torch_version or "")
        own = route.torch_version if route is not None else None
        placeholder = self.tr("the route's own: {version}").format(version=own) if own else self.tr("the newest")
        self.torch.setPlaceholderText(placeholder)
        error = _torch_error(options)
        remarks = [("fail", self.gui.error_text(error))] if error is not None else []
        if error is None and options.torch_version and options.torch_version != own:
            remarks = [("warn", self.texts.get("setup.notice.torch_unverified", version=options.torch_version))]
        self.torch_remarks.present(remarks)

    def _on_extras_chosen(self) -> None:
        chosen = tuple(name for name, box in self.extras.items() if box.isChecked())
        others = tuple(name for name in self.model.options.extras if name not in self.extras)
        self.model.set_options(extras=(*chosen, *others))


def _torch_error(options: SetupOptions) -> AppError | None:
    if options.torch_version is None:
        return None
    try:
        Version(options.torch_version)
    except InvalidVersion:
        return AppError("torch_version_malformed", version=options.torch_version)
    return None


def _listed(path: str, pythons: tuple[PythonInstall, ...] | None) -> bool:
    return any(python.path == path for python in pythons or ())
