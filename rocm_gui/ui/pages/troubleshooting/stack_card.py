"""The card of the software stack: drawing or table, details of one thing, copy and save."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Card, Heading
from rocm_gui.ui.widgets.remarks import Remarks
from rocm_gui.ui.widgets.report_table import ReportTable
from rocm_gui.ui.widgets.save_dialog import ask_where_to_save
from rocm_gui.ui.widgets.stack_picture import StackPicture

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rocm_gui.ui.app import Gui
    from rocm_gui.ui.pages.troubleshooting.views import DetailsView, StackView
    from rocm_gui.ui.widgets.stack_picture import BandView

MARKS = {"ok": "ok", "warn": "warn", "bad": "fail", "unknown": "unknown", "missing": None}


class StackDetails(QWidget):
    """Evidence of one thing, in the drawing's drawer."""

    def __init__(self, gui: Gui, picture: StackPicture) -> None:
        super().__init__(picture.drawer)
        self._theme = gui.theme
        size = round(unit(self.font()))
        self._title = Heading("", self)
        self.close_button = QToolButton(self)
        self.close_button.clicked.connect(picture.close_drawer)
        self.remarks = Remarks(gui.theme, self)
        self.table = ReportTable(gui.theme, self)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * size)
        column.addLayout(head)
        column.addWidget(self.remarks)
        column.addWidget(self.table)
        around = QVBoxLayout(picture.drawer)
        around.setContentsMargins(3 * size, 2 * size, 3 * size, 2 * size)
        around.addWidget(self)
        gui.theme.changed.connect(self._recolour)
        self._recolour()

    def present(self, view: DetailsView) -> None:
        """Show the evidence."""
        self._title.setText(view.title)
        self.remarks.present(view.remarks)
        header = (self.tr("What"), self.tr("Value"), self.tr("Read from"))
        self.table.present(header, [(None, row, ()) for row in view.evidence], stretch=2)
        self.table.setVisible(bool(view.evidence))
        self.table.setAccessibleName(view.title)
        self.close_button.setToolTip(self.tr("Close the details"))
        self.close_button.setAccessibleName(self.tr("Close the details"))

    def _recolour(self) -> None:
        pixels = round(4 * unit(self.font()))
        self.close_button.setIconSize(QSize(pixels, pixels))
        self.close_button.setIcon(self._theme.icon("close", "muted"))


class StackCard(Card):
    """Drawing and table show the same ``StackView``."""

    opened = Signal(object)  # the details' widget, to be scrolled to

    def __init__(self, gui: Gui, details: Callable[[str], DetailsView], parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._gui = gui
        self._details_of = details
        size = round(unit(self.font()))
        self.picture = StackPicture(gui.theme, self)
        self.picture.chosen.connect(self._on_chosen)
        self.details = StackDetails(gui, self.picture)
        self.table = ReportTable(gui.theme, self)
        self.table.hide()
        self.as_picture, self.as_table = QPushButton(self), QPushButton(self)
        self._forms = QButtonGroup(self)
        for button in (self.as_picture, self.as_table):
            button.setCheckable(True)
            button.setProperty("kind", "segment")
            self._forms.addButton(button)
        self.as_picture.setChecked(True)
        self.as_table.toggled.connect(self._on_form)
        self.copy, self.save = QPushButton(self), QPushButton(self)
        self.copy.clicked.connect(self.copy_text)
        self.save.clicked.connect(self._ask_and_save)
        row = QHBoxLayout()
        row.setSpacing(2 * size)
        row.addWidget(self.as_picture)
        row.addWidget(self.as_table)
        row.addStretch(1)
        for button in (self.copy, self.save):
            button.setProperty("kind", "link")
            row.addWidget(button)
        self.body.addWidget(self.picture)
        self.body.addWidget(self.table)
        self.body.addLayout(row)

    def retranslate(self) -> None:
        """Set the words that do not come with the view."""
        self.set_title(self.tr("The software stack"), self._simulated())
        self.as_picture.setText(self.tr("Picture"))
        self.as_table.setText(self.tr("Table"))
        self.copy.setText(self.tr("Copy as text"))
        self.save.setText(self.tr("Save picture…"))
        self.picture.setAccessibleName(self.tr("The software stack"))

    def present(self, view: StackView) -> None:
        """Show ``view``."""
        if view == self.picture.view:
            return
        self.picture.present(view)
        header = (self.tr("Layer"), self.tr("Part"), self.tr("Version"), self.tr("State"))
        rows = [row for band in view.bands for row in self._rows(band, view)]
        self.table.present(header, rows)
        self.table.setAccessibleName(self.tr("The software stack"))
        if self.picture.current:
            self._on_chosen(self.picture.current)

    @property
    def text(self) -> str:
        """The whole as text, with tabs between cells."""
        lines = [self._simulated()] if self._simulated() else []
        return "\n".join([*lines, self.table.text])

    def copy_text(self) -> None:
        """Put the table on the clipboard."""
        QGuiApplication.clipboard().setText(self.text)

    def save_to(self, path: Path) -> bool:
        """Write the drawing as PNG."""
        caption = "  ·  ".join(filter(None, (self.tr("The software stack"), self._simulated())))
        return self.picture.picture(self._gui.theme.tokens.color("surface"), caption).save(str(path), "PNG")

    def _rows(self, band: BandView, view: StackView) -> list[tuple[str | None, tuple[str, ...], tuple[str, ...]]]:
        clashes = tuple(clash.text for clash in view.clashes if clash.upper == band.key)
        rows: list[tuple[str | None, tuple[str, ...], tuple[str, ...]]] = [
            (
                MARKS[item.state],
                (band.name, item.name, item.version or "—", item.word),
                (item.where,) if item.where else (),
            )
            for item in band.items
        ]
        if not rows:
            rows.append((MARKS[band.state], (band.name, "—", "—", band.word), (band.empty,)))
        mark, cells, details = rows[-1]
        rows[-1] = (mark, cells, (*details, *clashes))
        return rows

    def _simulated(self) -> str:
        name = self._gui.context.simulated
        return self.tr("simulated: {name}").format(name=name) if name else ""

    def _on_form(self, table: bool) -> None:
        self.picture.setVisible(not table)
        self.save.setVisible(not table)
        self.table.setVisible(table)

    def _on_chosen(self, key: str) -> None:
        if key:
            self.details.present(self._details_of(key))
            QTimer.singleShot(0, lambda: self.opened.emit(self.picture.drawer))

    def _ask_and_save(self) -> None:
        title, kinds = self.tr("Save picture"), [self.tr("Picture (*.png)")]
        ask_where_to_save(self, title, kinds, "rocm-stack.png", self.save_to)
