"""Asks before the window closes on work that would be stopped by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocm_gui.ui.main_window import MainWindow


class ClosingGuard(QObject):
    """Holds what runs: each entry gives a sentence while it does, and an empty text otherwise."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._running: list[Callable[[], str]] = []
        self.question: QMessageBox | None = None
        window.may_close = self._may_close

    def watch(self, running: Callable[[], str]) -> None:
        """Ask ``running`` whenever the window is about to close."""
        self._running.append(running)

    def let_go(self) -> None:
        """Close without a question from now on: the system or the person has said so."""
        self._window.may_close = lambda: True

    def _may_close(self) -> bool:
        sentences = [sentence for sentence in (running() for running in self._running) if sentence]
        if not sentences:
            return True
        if self.question is None:
            self._ask(sentences)
        return False

    def _ask(self, sentences: list[str]) -> None:
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.NoIcon)
        box.setWindowTitle(self.tr("Close the window?"))
        box.setText("\n".join(sentences))
        box.setInformativeText(
            self.tr("Closing stops it. What a setup has done is kept and can be continued or undone.")
        )
        close = box.addButton(self.tr("Stop and close"), QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton(self.tr("Keep going"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)

        def answered() -> None:
            self.question = None
            if box.clickedButton() is close:
                self.let_go()
                self._window.close()

        box.finished.connect(answered)
        self.question = box
        box.open()
