"""The question before a setup is taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMessageBox, QWidget

if TYPE_CHECKING:
    from rocm_gui.ui.wizard.model import WizardModel


def ask_undo(parent: QWidget, model: WizardModel, target: str, *, force: bool = False) -> QMessageBox:
    """Ask, and with consent take the setup of ``target`` back and turn to the page that shows it."""
    translate = QCoreApplication.translate
    box = QMessageBox(parent)
    box.setWindowTitle(translate("ask_undo", "Undo this setup?"))
    if force:
        text = translate("ask_undo", "What was changed since in {target} will be deleted too.")
        details = translate("ask_undo", "Your own files beside the setup are never touched. This cannot be undone.")
    else:
        text = translate("ask_undo", "Everything that this setup put into {target} will be removed.")
        details = translate("ask_undo", "What somebody changed or added since is kept and listed.")
    box.setText(text.format(target=target))
    box.setInformativeText(details)
    undo = box.addButton(translate("ask_undo", "Undo it"), QMessageBox.ButtonRole.DestructiveRole)
    keep = box.addButton(translate("ask_undo", "Keep it"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(keep)
    box.setEscapeButton(keep)

    def answered() -> None:
        if box.clickedButton() is undo:
            model.undo(target, force=force)
            model.page_wanted.emit("install")
        box.deleteLater()

    box.finished.connect(answered)
    box.open()
    return box
