"""The troubleshooting page: the overview, and the parts that it leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QStackedWidget

from rocm_gui.ui.pages.base import Page
from rocm_gui.ui.pages.troubleshooting.explain_part import ExplainPart
from rocm_gui.ui.pages.troubleshooting.flow_part import FlowPart
from rocm_gui.ui.pages.troubleshooting.model import TroubleshootingModel
from rocm_gui.ui.pages.troubleshooting.overview import TroubleOverview
from rocm_gui.ui.pages.troubleshooting.support_part import SupportPart

if TYPE_CHECKING:
    from rocm_gui.ui.app import Gui
    from rocm_gui.ui.pages.troubleshooting.ports import Ports


class TroubleshootingPage(Page):
    """Turns from part to part; each has its own head."""

    def __init__(self, gui: Gui, ports: Ports | None = None) -> None:
        super().__init__(scroll=False)
        for widget in (self.title, self.sentence):
            widget.hide()
        outer = self.layout()
        assert outer is not None
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        for index in reversed(range(outer.count())):  # the parts have margins and gaps of their own
            entry = outer.itemAt(index)
            if entry is not None and entry.spacerItem() is not None:
                outer.takeAt(index)
        self.model = TroubleshootingModel(gui, self, ports)
        self.parts = QStackedWidget(self)
        self.overview = TroubleOverview(gui, self.model, self)
        self.flow = FlowPart(gui, self.model, self)
        self.explainer = ExplainPart(gui, self.model, self)
        self.support = SupportPart(gui, self.model, self)
        for part in (self.overview, self.flow, self.explainer, self.support):
            self.parts.addWidget(part)
        self.content.addWidget(self.parts)
        self.overview.flow_wanted.connect(self.open_flow)
        self.overview.text_wanted.connect(lambda: self.turn_to(self.explainer))
        self.overview.job_wanted.connect(self._on_job_wanted)
        for part in (self.overview, self.flow, self.explainer):
            part.bundle_wanted.connect(lambda: self.turn_to(self.support))
        self.flow.text_wanted.connect(lambda: self.turn_to(self.explainer))
        for part in (self.flow, self.explainer, self.support):
            part.left.connect(lambda: self.turn_to(self.overview))

    def retranslate(self) -> None:
        """Set every text again."""
        for part in (self.overview, self.flow, self.explainer, self.support):
            part.retranslate()

    def enter(self) -> None:
        """Look at this computer where nobody has, and at the jobs that failed since."""
        self.model.enter()
        part = self.parts.currentWidget()
        if part is not self.overview and isinstance(part, Page):
            part.enter()

    def turn_to(self, part: Page) -> None:
        """Show ``part``."""
        came_from = self.parts.currentWidget()
        self.parts.setCurrentWidget(part)
        part.enter()
        if part is self.overview and came_from is not part and self.isVisible():
            self._focus_entry(came_from)

    def open_flow(self, name: str) -> None:
        """Begin the flow ``name``: gpu or torch."""
        self.model.start_flow(name)
        self.turn_to(self.flow)

    def explain(self, text: str, name: str = "") -> None:
        """Open "Explain an error" with ``text`` in it, explained; ``name`` says where it comes from."""
        self.turn_to(self.explainer)
        self.model.take_text(text, name)

    def _on_job_wanted(self, key: str) -> None:
        self.turn_to(self.explainer)
        self.model.read_job(key)

    def _focus_entry(self, part: object) -> None:
        """The keyboard goes back to the way that was taken."""
        names = {self.explainer: "text", self.support: "bundle"}
        name = self.model.flow_name if part is self.flow else names.get(part)  # type: ignore[call-overload]
        if name:
            self.overview.entries[name].setFocus()
