"""Base of the page's parts: a head with a way back, as every page has one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QToolButton

from rocm_gui.ui.pages.base import Page
from rocm_gui.ui.theme import unit

if TYPE_CHECKING:
    from PySide6.QtWidgets import QScrollArea, QWidget

    from rocm_gui.ui.app import Gui


def show_whole(area: QScrollArea | None, widget: QWidget) -> None:
    """Scroll until ``widget`` is seen, its end first and its beginning last; once its height is known."""

    def scroll() -> None:
        inside = area.widget() if area is not None else None
        if area is None or inside is None or not widget.isVisible():
            return
        top = widget.mapTo(inside, QPoint(0, 0)).y()
        area.ensureVisible(0, top + widget.height(), 0, 0)
        area.ensureVisible(0, top, 0, 0)

    QTimer.singleShot(0, widget, scroll)


class TroublePart(Page):
    """A page within the page; Escape goes back to the overview."""

    left = Signal()

    def __init__(self, gui: Gui, parent: QWidget | None = None, *, scroll: bool = True) -> None:
        super().__init__(parent, scroll=scroll)
        self.gui = gui
        self.back = QToolButton(self)
        self.back.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.back.clicked.connect(self.left)
        self.head.insertWidget(0, self.back)
        escape = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        escape.activated.connect(self.on_escape)
        gui.theme.changed.connect(self._recolour)
        self._recolour()

    def retranslate(self) -> None:
        """The way back."""
        self.back.setToolTip(self.tr("Back to the overview"))
        self.back.setAccessibleName(self.tr("Back to the overview"))

    def on_escape(self) -> None:
        """Escape leaves; a part may close something of its own first."""
        self.left.emit()

    def _recolour(self) -> None:
        pixels = round(4.5 * unit(self.font()))
        self.back.setIconSize(QSize(pixels, pixels))
        self.back.setIcon(self.gui.theme.icon("arrow-left", "muted"))
