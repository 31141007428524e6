"""The line below the page: the GPUs found, whether they are simulated, and the running job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout

from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import ElidedText, Pill

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class StatusStrip(QFrame):
    """Never taller than one line; long texts are cut at their end and whole in the tool tip."""

    def __init__(self, simulated: str | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusStrip")
        self._simulated_name = simulated
        size = round(unit(self.font()))
        row = QHBoxLayout(self)
        row.setContentsMargins(6 * size, size, 6 * size, 2 * size)
        row.setSpacing(2 * size)
        self.simulated = Pill(parent=self)
        self.gpus = ElidedText("note", "muted", self)
        self.job = ElidedText("note", "muted", self)
        row.addWidget(self.simulated)
        row.addWidget(self.gpus, 3)
        row.addWidget(self.job, 2)
        self._retranslate()

    def present(self, gpus: str, job: str = "") -> None:
        """The GPUs found at the left, the running job at the right."""
        self.gpus.set_text(gpus)
        self.job.set_text(job)
        self.job.setVisible(bool(job))
        self.setAccessibleName(" · ".join(part for part in (gpus, job) if part))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        name = self._simulated_name
        self.simulated.set_state(self.tr("simulated: {name}").format(name=name) if name else "", "neutral")
        self.simulated.setToolTip(self.tr("Nothing here is read from this computer."))
        self.job.setAccessibleName(self.tr("Running job"))
