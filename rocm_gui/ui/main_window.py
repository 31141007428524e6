"""The window: rail, pages, status bar. Pages are made when they are first shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QSettings, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Banner
from rocm_gui.ui.widgets.rail import Rail
from rocm_gui.ui.widgets.status_strip import StatusStrip

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocm_gui.ui.pages.base import Page
    from rocm_gui.ui.theme import Theme

PAGES = ("setup", "monitor", "topology", "benchmarks", "training", "profiler", "environment", "troubleshooting")
BOTTOM_PAGES = ("settings",)
INNER_PAGES = {"build": "setup"}  # without a place on the rail: few need them; the place they belong to is marked
COLLAPSE_BELOW = 1000  # device-independent pixels of window width, at the usual font size
COLLAPSE_BELOW_UNITS = 232  # the same for larger fonts


class MainWindow(QMainWindow):
    """Owns the pages; knows nothing of what they do."""

    page_changed = Signal(str)
    closing = Signal()

    def __init__(
        self, theme: Theme, factories: dict[str, Callable[[], Page]], state: QSettings, simulated: str | None = None
    ) -> None:
        super().__init__()
        self._factories = factories
        self._state = state
        self._simulated = simulated
        self._pages: dict[str, Page] = {}
        self._current = ""
        self.may_close: Callable[[], bool] = lambda: True
        self.rail = Rail(theme, PAGES, BOTTOM_PAGES, self)
        self.stack = QStackedWidget(self)
        self.banner = Banner(self)
        self.status = StatusStrip(simulated, self)
        self._build()
        self._retranslate()
        self._restore()

    @property
    def current_page(self) -> str:
        """The name of the page that is shown; empty before the first."""
        return self._current

    def page(self, name: str) -> Page:
        """The page ``name``, made now if it was not shown before."""
        if name not in self._pages:
            page = self._factories[name]()
            self._pages[name] = page
            self.stack.addWidget(page)
            page.retranslate()
        return self._pages[name]

    def show_page(self, name: str) -> None:
        """Open the page ``name``."""
        if name == self._current:
            return
        page = self.page(name)
        if self._current:
            self._pages[self._current].leave()
        self._current = name
        self.stack.setCurrentWidget(page)
        self.rail.select(INNER_PAGES.get(name, name))
        page.enter()
        self.page_changed.emit(name)

    def set_status(self, gpus: str, job: str = "") -> None:
        """The GPUs found (left) and the running job (right)."""
        self.status.present(gpus, job)

    def focus_page(self) -> None:
        """Give the keyboard to the page; Tab goes on with its first control."""
        page = self.stack.currentWidget()
        if page is not None:
            page.setFocus(Qt.FocusReason.OtherFocusReason)

    def cycle_regions(self) -> None:
        """From the page to the rail and back."""
        focused = self.focusWidget()
        if focused is not None and self.rail.isAncestorOf(focused):
            self.focus_page()
        else:
            self.rail.focus_current()

    def showEvent(self, event: QShowEvent) -> None:
        """The keyboard begins in the page, not on the rail."""
        super().showEvent(event)
        if self.focusWidget() is None:
            self.focus_page()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Narrow windows show icons alone."""
        super().resizeEvent(event)
        limit = max(COLLAPSE_BELOW, COLLAPSE_BELOW_UNITS * unit(self.font()))
        self.rail.collapse(collapsed=event.size().width() < limit)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask what runs; keep where the window stood."""
        if not self.may_close():
            event.ignore()
            return
        self._state.setValue("window/geometry", self.saveGeometry())
        self._state.setValue("window/page", self.current_page)
        for page in self._pages.values():
            page.leave()
        self.closing.emit()
        super().closeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _build(self) -> None:
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.banner.setProperty("place", "window")  # its margins stand in the style sheet: none while it is hidden
        column.addWidget(self.banner)
        column.addWidget(self.stack, 1)
        column.addWidget(self.status)
        central = QWidget(self)
        central.setObjectName("page")
        central.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(central)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        row.addLayout(column, 1)
        self.setCentralWidget(central)
        self.setMinimumSize(960, 640)
        self.rail.chosen.connect(self.show_page)
        for index, name in enumerate((*PAGES, *BOTTOM_PAGES), start=1):
            shortcut = QShortcut(QKeySequence(f"Ctrl+{index}"), self)
            shortcut.activated.connect(lambda name=name: self.show_page(name))
        regions = QShortcut(QKeySequence(Qt.Key.Key_F6), self)
        regions.activated.connect(self.cycle_regions)
        quit_shortcut = QShortcut(QKeySequence(QKeySequence.StandardKey.Quit), self)
        quit_shortcut.activated.connect(self.close)

    def _retranslate(self) -> None:
        labels = {
            "setup": self.tr("Setup"),
            "monitor": self.tr("Monitor"),
            "topology": self.tr("Topology"),
            "benchmarks": self.tr("Benchmarks"),
            "training": self.tr("Training"),
            "profiler": self.tr("Profiler"),
            "environment": self.tr("Environment"),
            "troubleshooting": self.tr("Troubleshooting"),
            "settings": self.tr("Settings"),
        }
        for index, (name, label) in enumerate(labels.items(), start=1):
            self.rail.label(name, label, f"Ctrl+{index}")
        self.rail.setAccessibleName(self.tr("Pages"))
        title = self.tr("ROCm GUI")
        if self._simulated:
            title = self.tr("{title} (simulated: {name})").format(title=title, name=self._simulated)
        self.setWindowTitle(title)

    def _restore(self) -> None:
        geometry = self._state.value("window/geometry")
        if not (isinstance(geometry, QByteArray) and self.restoreGeometry(geometry)):
            self.resize(1180, 760)
