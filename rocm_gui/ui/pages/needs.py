"""A page whose content is not there yet: what it will show, what it needs, and what of that this machine has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPushButton

from rocm_gui.ui.pages.base import Page
from rocm_gui.ui.widgets.basics import Card, Text
from rocm_gui.ui.widgets.check_row import CheckRow

if TYPE_CHECKING:
    from rocm_gui.services.doctor import Diagnosis
    from rocm_gui.ui.app import Gui

NEEDS = {
    "monitor": ("gpu", "driver"),
    "topology": ("gpu", "driver"),
    "benchmarks": ("environment", "gpu"),
    "training": ("environment", "gpu"),
    "profiler": ("environment", "gpu"),
    "environment": (),
    "build": (),
}


class NeedsPage(Page):
    """Honest about what is missing; leads to the setup."""

    def __init__(self, gui: Gui, name: str) -> None:
        super().__init__()
        self._gui = gui
        self._name = name
        self._shows = Card(parent=self)
        self._shows_text = Text("", wrap=True, parent=self._shows)
        self._shows.body.addWidget(self._shows_text)
        self._needs = Card(parent=self)
        self._rows = [CheckRow(gui.theme, need, self._needs) for need in NEEDS[name]]
        for row in self._rows:
            self._needs.body.addWidget(row)
        self._go = QPushButton(self)
        self._go.setProperty("kind", "primary")
        self._go.clicked.connect(lambda: gui.window.show_page("setup"))
        self.content.addWidget(self._shows)
        self.content.addWidget(self._needs)
        self.content.addStretch(1)
        self.controls.addWidget(self._go)
        self._needs.setVisible(bool(self._rows))
        gui.diagnosis_changed.connect(self._show)

    def retranslate(self) -> None:
        """Set every text again."""
        titles = {
            "monitor": self.tr("Monitor"),
            "topology": self.tr("Topology"),
            "benchmarks": self.tr("Benchmarks"),
            "training": self.tr("Training"),
            "profiler": self.tr("Profiler"),
            "environment": self.tr("Environment"),
            "build": self.tr("Build from source"),
        }
        self.title.setText(titles[self._name])
        self.sentence.setText(self.tr("This part of the program is still being built. Setup works today."))
        self._shows.set_title(self.tr("What will stand here"))
        self._shows_text.setText(self._purpose())
        self._needs.set_title(self.tr("What it needs"))
        self._go.setText(self.tr("Go to Setup"))
        self._show()

    def _purpose(self) -> str:
        return {
            "monitor": self.tr(
                "Busy, memory, power, temperatures, clocks and fan of every AMD GPU, live and as a history, and which "
                "programs use it."
            ),
            "topology": self.tr(
                "How the GPUs and processors of this computer are connected: PCIe and XGMI links, their speeds, and "
                "which memory is near."
            ),
            "benchmarks": self.tr(
                "Memory bandwidth, matrix products, ResNet-50 and collectives with one click, beside the figures that "
                "this GPU should reach."
            ),
            "training": self.tr(
                "Training demos in the background: the largest batch that fits, mixed precision, several GPUs, "
                "fine-tuning a language model."
            ),
            "profiler": self.tr(
                "Where the time of your own script goes: kernels, copies, waits; as a table and a timeline."
            ),
            "environment": self.tr(
                "The environment variables of your account and of the machine, edited safely: preview, backup and undo."
            ),
            "build": self.tr("ROCm, or any CMake project, built from its source, step by step."),
        }[self._name]

    def _show(self) -> None:
        diagnosis: Diagnosis | None = self._gui.diagnosis
        for row in self._rows:
            status, title, found = self._need(row.check_id, diagnosis)
            row.present(status, title, found)

    def _need(self, need: str, diagnosis: Diagnosis | None) -> tuple[str, str, str]:
        titles = {
            "gpu": self.tr("An AMD GPU"),
            "driver": self.tr("Its driver"),
            "environment": self.tr("A verified PyTorch environment"),
        }
        title = titles[need]
        if need == "environment":
            found = self._gui.environment_text()
            return ("ok", title, found) if found else ("warn", title, self.tr("None yet: Setup makes one."))
        if diagnosis is None:
            return ("waiting", title, self.tr("Looking at this computer…"))
        gpus = diagnosis.machine.amd_gpus
        if not gpus:
            return ("warn", title, self.tr("No AMD GPU was found in this computer."))
        if need == "gpu":
            names = [gpu.name or " / ".join(gpu.candidates) or self.tr("unknown AMD GPU") for gpu in gpus]
            return ("ok", title, ", ".join(names))
        versions = [gpu.driver_release or gpu.driver_version or gpu.driver for gpu in gpus]
        known = [version for version in versions if version]
        return ("ok", title, ", ".join(known)) if known else ("unknown", title, self.tr("Its version is not known."))
