"""Which class makes which page of the wizard."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rocm_gui.ui.app import Gui
    from rocm_gui.ui.wizard.model import WizardModel
    from rocm_gui.ui.wizard.step_page import StepPage

CLASSES = {
    "welcome": "WelcomePage",
    "hardware": "HardwarePage",
    "software": "SoftwarePage",
    "route": "RoutePage",
    "options": "OptionsPage",
    "review": "ReviewPage",
    "install": "InstallPage",
    "verify": "VerifyPage",
    "finish": "FinishPage",
}


def load_pages() -> None:
    """Import every page's module, so that no page has to when it is first reached; for a background thread."""
    for name in CLASSES:
        importlib.import_module(f"rocm_gui.ui.wizard.{name}")


def make_page(name: str, gui: Gui, model: WizardModel) -> StepPage:
    """A new page; its module is imported now."""
    module = importlib.import_module(f"rocm_gui.ui.wizard.{name}")
    return getattr(module, CLASSES[name])(gui, model)
