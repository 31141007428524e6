"""Base of the wizard's pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Banner, ScrollBody, Text

if TYPE_CHECKING:
    from rocm_gui.core.texts import Texts
    from rocm_gui.ui.app import Gui
    from rocm_gui.ui.wizard.model import WizardModel


class StepPage(QWidget):
    """One page of the wizard: a head, one sentence, content that scrolls.

    Subclasses fill ``content`` in ``build``, set texts in ``retranslate`` and values in ``show_model``.
    """

    complete_changed = Signal()
    name = ""

    def __init__(self, gui: Gui, model: WizardModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.gui = gui
        self.model = model
        size = round(unit(self.font()))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(2 * size)
        self.title = Text("", "title", wrap=True, parent=self)
        self.title.setMinimumHeight(round(7.5 * size))  # as high as a button: titles stay put from page to page
        self.sentence = Text("", "body", "muted", wrap=True, parent=self)
        self.banner = Banner(self)
        head = QHBoxLayout()
        head.setSpacing(2 * size)
        head.addWidget(self.title, 1)
        self.controls = QHBoxLayout()
        self.controls.setSpacing(2 * size)
        head.addLayout(self.controls)
        outer.addLayout(head)
        outer.addWidget(self.sentence)
        outer.addWidget(self.banner)
        self._area = QScrollArea(self)
        self._area.setObjectName("pageScroll")
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        inside = ScrollBody()
        self.content = QVBoxLayout(inside)
        self.content.setContentsMargins(0, 0, size, size)
        self.content.setSpacing(round(3.5 * size))
        self._area.setWidget(inside)
        outer.addWidget(self._area, 1)
        self.build()

    @property
    def texts(self) -> Texts:
        """The catalogue of the engine's sentences in the language now in force."""
        return self.gui.context.texts(self.gui.languages.language)

    def build(self) -> None:
        """Make the widgets, once."""

    def retranslate(self) -> None:
        """Set every text of the page's own."""

    def show_model(self) -> None:
        """Show the model as it is now; called only while the page is visible."""

    def enter(self) -> None:
        """The page becomes the current one."""

    def leave(self) -> None:
        """Another page becomes the current one."""

    @property
    def settled(self) -> bool:
        """Whether everything that the page has to show stands there."""
        return True

    @property
    def complete(self) -> bool:
        """Whether Next may be pressed."""
        return True

    @property
    def next_text(self) -> str:
        """The words of the Next button; empty for the usual ones."""
        return ""

    def advance(self) -> bool:
        """Next was pressed; False keeps the page (it will move on by itself, or never)."""
        return True

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            self.show_model()
        super().changeEvent(event)
