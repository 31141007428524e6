"""The window: rail, pages, status bar. Pages are made when they are first shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QEvent, QSettings, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Banner
from rocm_gui.ui.widgets.rail import Rail

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocm_gui.ui.pages.base import Page
    from rocm_gui.ui.theme import Theme

PAGES = ("setup", "monitor", "topology", "benchmarks", "training", "profiler", "environment")
BOTTOM_PAGES = ("settings",)
COLLAPSE_BELOW = 1000  # device-independent pixels of window width


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
        self.may_close: Callable[[], bool] = lambda: True
        self.rail = Rail(theme, PAGES, BOTTOM_PAGES, self)
        self.stack = QStackedWidget(self)
        self.banner = Banner(self)
        self._gpus = QLabel(self)
        self._job = QLabel(self)
        self._build()
        self._retranslate()
        self._restore()

    @property
    def current_page(self) -> str:
        """The name of the page that is shown."""
        widget = self.stack.currentWidget()
        return next((name for name, page in self._pages.items() if page is widget), "")

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
        page = self.page(name)
        previous = self.stack.currentWidget()
        if previous is page:
            return
        if self.current_page:
            self._pages[self.current_page].leave()
        self.stack.setCurrentWidget(page)
        self.rail.select(name)
        page.enter()
        self.page_changed.emit(name)

    def set_status(self, gpus: str, job: str = "") -> None:
        """The GPUs found (left) and the running job (right)."""
        self._gpus.setText(gpus)
        self._job.setText(job)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Narrow windows show icons alone."""
        super().resizeEvent(event)
        self.rail.collapse(collapsed=event.size().width() < COLLAPSE_BELOW)

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
        size = round(unit(self.font()))
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.banner.setContentsMargins(size, size, size, size)
        column.addWidget(self.banner)
        column.addWidget(self.stack, 1)
        central = QWidget(self)
        row = QHBoxLayout(central)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        row.addLayout(column, 1)
        self.setCentralWidget(central)
        bar = self.statusBar()
        bar.setSizeGripEnabled(False)
        bar.setContentsMargins(6 * size, 0, 6 * size, size)
        bar.addWidget(self._gpus, 1)
        bar.addPermanentWidget(self._job)
        self.setMinimumSize(960, 640)
        self.rail.chosen.connect(self.show_page)
        for index, name in enumerate((*PAGES, *BOTTOM_PAGES), start=1):
            shortcut = QShortcut(QKeySequence(f"Ctrl+{index}"), self)
            shortcut.activated.connect(lambda name=name: self.show_page(name))
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
