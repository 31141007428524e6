"""What is in this computer, and what of it stands in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rocm_gui.ui.engine_words import sentences
from rocm_gui.ui.widgets.basics import Card, Text
from rocm_gui.ui.wizard.check_page import CheckPage
from rocm_gui.ui.wizard.hardware_cards import GpuCard, HostCard, alike

if TYPE_CHECKING:
    from rocm_gui.core.model import Machine
    from rocm_gui.services.doctor import Diagnosis


class HardwarePage(CheckPage):
    """A card for each kind of GPU and one for the computer, then the checks."""

    name = "hardware"
    groups: ClassVar[tuple[str, ...]] = ("gpu", "system", "storage")

    def build(self) -> None:
        """Cards are made as GPUs are found."""
        super().build()
        self.gpu_cards: list[GpuCard] = []
        self.no_gpu = Card(parent=self)
        self._no_gpu_text = Text("", wrap=True, parent=self.no_gpu)
        self.no_gpu.body.addWidget(self._no_gpu_text)
        self.no_gpu.hide()
        self.host_card = HostCard(self)
        self.host_card.hide()
        self.top.addWidget(self.no_gpu)
        self.top.addWidget(self.host_card)

    def retranslate(self) -> None:
        """Set every text."""
        super().retranslate()
        self.title.setText(self.tr("Hardware"))
        self.no_gpu.set_title(self.tr("No AMD GPU"))
        self._no_gpu_text.setText(
            self.tr(
                "No AMD GPU was found in this computer. PyTorch for the processor will be set up: everything works, "
                "training is many times slower. If there is a card, look at the checks below and check again."
            )
        )

    def show_diagnosis(self, diagnosis: Diagnosis) -> None:
        """One card for each kind of GPU, AMD's first."""
        machine = diagnosis.machine
        kinds = alike(sorted(machine.gpus or (), key=lambda gpu: gpu.vendor != "amd"))
        while len(self.gpu_cards) < len(kinds):
            card = GpuCard(self.gui.theme, self)
            self.top.insertWidget(len(self.gpu_cards), card)
            self.gpu_cards.append(card)
        for index, card in enumerate(self.gpu_cards):
            card.setVisible(index < len(kinds))
            if index < len(kinds):
                card.present_gpus(kinds[index])
        self.no_gpu.setVisible(not machine.amd_gpus)
        self.host_card.setVisible(machine.host is not None)
        if machine.host is not None:
            self.host_card.present_host(machine.host)

    def summary(self) -> str:
        """Name what was found."""
        said = super().summary()
        machine = self.model.diagnosis.machine if self.model.diagnosis else None
        found = "" if machine is None else self._found(machine)
        return sentences(found, said)

    def _found(self, machine: Machine) -> str:
        count = len(machine.amd_gpus)
        return self.tr("%n AMD GPU(s) found.", "", count) if count else self.tr("No AMD GPU was found.")
