"""The Setup page: the wizard, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocm_gui.ui.pages.base import Page
from rocm_gui.ui.wizard.frame import WizardFrame

if TYPE_CHECKING:
    from rocm_gui.ui.app import Gui


class SetupPage(Page):
    """Hosts the guided setup."""

    def __init__(self, gui: Gui) -> None:
        super().__init__(scroll=False)
        self.wizard = WizardFrame(gui, self)
        self.title.hide()
        self.sentence.hide()
        self.content.addWidget(self.wizard)
        gui.window_closing.connect(self.wizard.close_model)
        gui.closing.watch(self._running)

    def _running(self) -> str:
        return self.tr("The setup is changing this computer.") if self.wizard.model.busy else ""
