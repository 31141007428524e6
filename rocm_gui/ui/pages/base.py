"""What every page is: a head with title, sentence and controls, and content below."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Banner, ScrollBody, Text


class Page(QWidget):
    """Base of all pages. ``enter`` and ``leave`` are called as the page is shown and hidden."""

    def __init__(self, parent: QWidget | None = None, *, scroll: bool = True) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        size = round(unit(self.font()))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(6 * size, 4 * size, 6 * size, 3 * size)
        outer.setSpacing(2 * size)
        head = QHBoxLayout()
        self.title = Text("", "title", wrap=True, parent=self)
        self.title.setMinimumHeight(round(7.5 * size))  # as high as a button: titles stay put from page to page
        self.controls = QHBoxLayout()
        self.controls.setSpacing(2 * size)
        self.head = head
        head.addWidget(self.title, 1)
        head.addLayout(self.controls)
        self.sentence = Text("", "body", "muted", wrap=True, parent=self)
        self.banner = Banner(self)
        outer.addLayout(head)
        outer.addWidget(self.sentence)
        outer.addWidget(self.banner)
        outer.addSpacing(size)
        self.content = QVBoxLayout()
        self.content.setSpacing(round(3.5 * size))
        if scroll:
            area = QScrollArea(self)
            area.setObjectName("pageScroll")
            area.setFrameShape(QFrame.Shape.NoFrame)
            area.setWidgetResizable(True)
            area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            inside = ScrollBody()
            self.content.setContentsMargins(0, 0, size, size)
            inside.setLayout(self.content)
            area.setWidget(inside)
            self.scroll_area: QScrollArea | None = area
            outer.addWidget(area, 1)
        else:
            self.scroll_area = None
            outer.addLayout(self.content, 1)

    def enter(self) -> None:
        """The page becomes visible."""

    def leave(self) -> None:
        """The page is hidden: stop whatever only draws."""

    def retranslate(self) -> None:
        """Set every text again, in the language now in force."""

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)
