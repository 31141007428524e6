"""A small table as high as its rows: a mark, cells that wrap, details below a row; copied as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QWidget

from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Text
from rocm_gui.ui.widgets.remarks import ICONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocm_gui.ui.theme import Theme


class Cell(Text):
    """A label that stands in one line where there is room, and wraps where there is not."""

    def sizeHint(self) -> QSize:
        """The whole text in one line."""
        hint = super().sizeHint()
        lines = self.text().split("\n")
        width = max(self.fontMetrics().horizontalAdvance(line) for line in lines) + 4
        margins = self.contentsMargins()
        return QSize(width + margins.left() + margins.right(), max(hint.height(), self.heightForWidth(width)))


class ReportTable(QFrame):
    """Rows of labels in a grid. ``numbers`` are the columns to align at the right."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("reportTable")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._theme = theme
        self._rows: list[tuple[str | None, tuple[str, ...], tuple[str, ...]]] = []
        self._header: tuple[str, ...] = ()
        self._marks: list[tuple[QLabel, str]] = []
        size = round(unit(self.font()))
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(size, 0, size, 0)
        self._grid.setHorizontalSpacing(3 * size)
        self._grid.setVerticalSpacing(0)
        theme.changed.connect(self._recolour)

    @property
    def text(self) -> str:
        """The table with tabs between cells."""
        lines = ["\t".join(self._header)] if self._header else []
        for _, cells, details in self._rows:
            lines += ["\t".join(cells), *(f"\t{detail}" for detail in details)]
        return "\n".join(lines)

    def present(
        self,
        header: Sequence[str],
        rows: Sequence[tuple[str | None, Sequence[str], Sequence[str]]],
        numbers: Sequence[int] = (),
        stretch: int = 1,
    ) -> None:
        """Show rows of (mark, cells, details); ``stretch`` is the column that takes spare width."""
        self._clear()
        self._header = tuple(header)
        self._rows = [(mark, tuple(cells), tuple(details)) for mark, cells, details in rows]
        columns = max((len(cells) for _, cells, _ in self._rows), default=len(header))
        line = 0
        if header:
            for column, word in enumerate(header):
                self._put(Cell(word, "note", "muted", wrap=True, parent=self), line, column, right=column in numbers)
            line = self._rule(1, columns)
        for index, (mark, cells, details) in enumerate(self._rows):
            if index:
                line = self._rule(line, columns)
            if mark is not None:
                self._mark(mark, line)
            for column, cell in enumerate(cells):
                label = Cell(cell, parent=self, wrap=True).selectable()
                label.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
                self._put(label, line, column, right=column in numbers)
            line += 1
            for detail in details:
                note = Text(detail, "note", "muted", wrap=True, parent=self).selectable()
                note.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
                self._grid.addWidget(note, line, 1, 1, columns)
                line += 1
        for column in range(columns):
            self._grid.setColumnStretch(column + 1, 1 if column == min(stretch, columns - 1) else 0)
        self.setAccessibleDescription(self.text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy copies the whole table."""
        if event.matches(QKeySequence.StandardKey.Copy):
            QGuiApplication.clipboard().setText(self.text)
        else:
            super().keyPressEvent(event)

    def _put(self, label: Text, line: int, column: int, *, right: bool) -> None:
        size = round(1.2 * unit(self.font()))
        label.setContentsMargins(0, size, 0, size)
        vertical = Qt.AlignmentFlag.AlignTop
        label.setAlignment((Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft) | vertical)
        self._grid.addWidget(label, line, column + 1)

    def _rule(self, line: int, columns: int) -> int:
        rule = QFrame(self)
        rule.setObjectName("separator")
        self._grid.addWidget(rule, line, 0, 1, columns + 1)
        return line + 1

    def _mark(self, mark: str, line: int) -> None:
        label = QLabel(self)
        size = round(1.2 * unit(self.font()))
        label.setContentsMargins(0, size, 0, size)
        self._marks.append((label, mark))
        self._paint_mark(label, mark)
        self._grid.addWidget(label, line, 0, Qt.AlignmentFlag.AlignTop)

    def _paint_mark(self, label: QLabel, mark: str) -> None:
        icon, role = ICONS[mark]
        label.setPixmap(self._theme.pixmap(icon, role, round(4.2 * unit(self.font())), self.devicePixelRatioF()))

    def _recolour(self) -> None:
        for label, mark in self._marks:
            self._paint_mark(label, mark)

    def _clear(self) -> None:
        self._marks.clear()
        while (item := self._grid.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
