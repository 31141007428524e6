"""The support bundle: its files as they would be saved, chosen one by one, read before anything is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QHeaderView,
    QPlainTextEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QTreeWidgetItemIterator,
    QWidget,
)

from rocm_gui.core.plan_report import size_text
from rocm_gui.ui.pages.troubleshooting.part import TroublePart
from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Card, Text
from rocm_gui.ui.widgets.busy_line import BusyLine
from rocm_gui.ui.widgets.code_box import mono_font
from rocm_gui.ui.widgets.save_dialog import ask_where_to_save

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtGui import QResizeEvent

    from rocm_gui.ui.app import Gui
    from rocm_gui.ui.pages.troubleshooting.model import TroubleshootingModel
    from rocm_gui.ui.pages.troubleshooting.views import BundleFileView

NAME = Qt.ItemDataRole.UserRole
SHOWN_CHARACTERS = 400_000  # of one file; more is in the saved bundle
BESIDE_UNITS = 150


class SupportPart(TroublePart):
    """Collects when it is entered; saves only what is ticked."""

    def __init__(self, gui: Gui, model: TroubleshootingModel, parent: QWidget | None = None) -> None:
        super().__init__(gui, parent)
        self._model = model
        self._files: tuple[BundleFileView, ...] = ()
        size = round(unit(self.font()))
        self.busy = BusyLine(gui.theme, self)
        self.save = QPushButton(self)
        self.save.setProperty("kind", "primary")
        self.save.clicked.connect(self._ask_and_save)
        self.controls.addWidget(self.busy)
        self.controls.addWidget(self.save)
        self._list_card = Card(parent=self)
        self.tree = QTreeWidget(self._list_card)
        self.tree.setColumnCount(3)
        self.tree.setUniformRowHeights(True)
        self.tree.setMinimumSize(QSize(60 * size, 36 * size))
        self.tree.currentItemChanged.connect(self._on_current)
        self.tree.itemChanged.connect(lambda _item, _column: self._show_total())
        self.total = Text("", "note", "muted", wrap=True, parent=self._list_card)
        self._list_card.body.addWidget(self.tree, 1)
        self._list_card.body.addWidget(self.total)
        self._file_card = Card(parent=self)
        self.why = Text("", "note", "muted", wrap=True, parent=self._file_card)
        self.content_view = QPlainTextEdit(self._file_card)
        self.content_view.setReadOnly(True)
        self.content_view.setTabChangesFocus(True)
        self.content_view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.content_view.setFont(mono_font())
        self.content_view.setMinimumHeight(36 * size)
        self._file_card.body.addWidget(self.why)
        self._file_card.body.addWidget(self.content_view, 1)
        self._both = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._both.setSpacing(round(3.5 * size))
        self._both.addWidget(self._list_card, 2)
        self._both.addWidget(self._file_card, 3)
        self.content.addLayout(self._both, 1)
        model.bundle_changed.connect(self.show_model)

    def retranslate(self) -> None:
        """Set every text again."""
        super().retranslate()
        self.title.setText(self.tr("Support bundle"))
        self.sentence.setText(
            self.tr(
                "This program sends nothing. It makes one file, and you decide whether somebody gets it. Names, "
                "addresses, serial numbers and passwords are masked: read it here first."
            )
        )
        self.save.setText(self.tr("&Save…"))
        self.busy.set_text(self.tr("Collecting…"))
        self._list_card.set_title(self.tr("What goes in"))
        self.tree.setAccessibleName(self.tr("What goes in"))
        self.tree.setHeaderLabels([self.tr("File"), self.tr("Size"), self.tr("Masked")])
        self.content_view.setAccessibleName(self.tr("Content of the file"))
        self._show_file()
        self.show_model()

    def enter(self) -> None:
        """Collect anew: what is shown is what would be saved now."""
        self._model.collect_bundle()
        self.tree.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The names of the ticked files."""
        return tuple(
            item.data(0, NAME)
            for item in self._items()
            if item.data(0, NAME) and item.checkState(0) == Qt.CheckState.Checked
        )

    def show_model(self) -> None:
        """The files as collected."""
        model = self._model
        self.busy.set_busy(busy=model.collecting)
        if model.bundle_error is not None:
            self.banner.present(self.gui.error_text(model.bundle_error), "bad")
        elif model.bundle_saved is not None:
            self.banner.present(self.tr("Saved: {path}").format(path=model.bundle_saved), "ok")
        else:
            self.banner.hide()
        if model.bundle != self._files:
            self._files = model.bundle
            self._fill()
        self._show_total()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The content beside the list where there is room, else below it."""
        super().resizeEvent(event)
        beside = event.size().width() > BESIDE_UNITS * unit(self.font())
        self._both.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)

    def save_to(self, path: Path) -> None:
        """Save what is ticked."""
        self._model.save_bundle(path, self.chosen)

    def _fill(self) -> None:
        unticked = {name for name in self._names() if name not in self.chosen}
        self.tree.clear()
        folders: dict[str, QTreeWidgetItem] = {}
        ticked = Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        for file in self._files:
            folder, _, name = file.name.rpartition("/")
            parent: QTreeWidget | QTreeWidgetItem = self.tree
            if folder:
                if folder not in folders:
                    item = QTreeWidgetItem(self.tree, [folder])
                    item.setFlags(ticked | Qt.ItemFlag.ItemIsAutoTristate)
                    folders[folder] = item
                parent = folders[folder]
            item = QTreeWidgetItem(parent, [name, size_text(file.size_bytes), str(file.masked)])
            item.setFlags(ticked)
            item.setData(0, NAME, file.name)
            item.setToolTip(0, file.why)
            for column in (1, 2):
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            state = Qt.CheckState.Unchecked if file.name in unticked else Qt.CheckState.Checked
            item.setCheckState(0, state)
        self.tree.expandAll()
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        first = next((item for item in self._items() if item.data(0, NAME)), None)
        if first is not None:
            self.tree.setCurrentItem(first)

    def _items(self) -> list[QTreeWidgetItem]:
        found: list[QTreeWidgetItem] = []
        walk = QTreeWidgetItemIterator(self.tree)
        while (item := walk.value()) is not None:
            found.append(item)
            walk += 1
        return found

    def _names(self) -> list[str]:
        return [item.data(0, NAME) for item in self._items() if item.data(0, NAME)]

    def _show_total(self) -> None:
        chosen = set(self.chosen)
        files = [file for file in self._files if file.name in chosen]
        size, masked = sum(file.size_bytes for file in files), sum(file.masked for file in files)
        self.total.setText(
            self.tr("{files} of {all} files, {size}, {masked} places masked").format(
                files=len(files), all=len(self._files), size=size_text(size), masked=masked
            )
        )
        self.save.setEnabled(bool(files) and not self._model.collecting)

    def _on_current(self, _item: QTreeWidgetItem | None, _before: QTreeWidgetItem | None) -> None:
        self._show_file()

    def _show_file(self) -> None:
        item = self.tree.currentItem()
        name = item.data(0, NAME) if item is not None else None
        file = next((file for file in self._files if file.name == name), None)
        self._file_card.set_title(file.name if file is not None else self.tr("Content"))
        self.why.setText(file.why if file is not None else self.tr("Choose a file to read it."))
        self.content_view.setPlainText(file.text[:SHOWN_CHARACTERS] if file is not None else "")

    def _ask_and_save(self) -> None:
        title, kinds = self.tr("Save the support bundle"), [self.tr("Zip file (*.zip)")]
        ask_where_to_save(self, title, kinds, "rocm-gui-support.zip", self.save_to)
