"""Text that may be pasted, typed or dropped as a file, and in which lines are marked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QTextCursor, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.code_box import mono_font

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QPaintEvent, QResizeEvent

    from rocm_gui.ui.theme import Theme


class _Numbers(QWidget):
    """The column of line numbers, painted by its text."""

    def __init__(self, text: MarkedEdit) -> None:
        super().__init__(text)
        self._text = text

    def sizeHint(self) -> QSize:
        """As wide as the largest number."""
        return QSize(self._text.numbers_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Numbers of the lines in sight."""
        self._text.paint_numbers(self, event)


class MarkedEdit(QPlainTextEdit):
    """Plain text with line numbers; ``mark`` highlights lines until the text changes."""

    file_dropped = Signal(object)  # Path

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._lines: tuple[int, ...] = ()
        self._current: int | None = None
        self.setFont(mono_font())
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setTabChangesFocus(True)
        self._numbers = _Numbers(self)
        self.blockCountChanged.connect(self._fit_numbers)
        self.updateRequest.connect(self._scroll_numbers)
        self.textChanged.connect(self._on_changed)
        theme.changed.connect(self._remark)
        self._fit_numbers()

    @property
    def marked(self) -> tuple[int, ...]:
        """The marked lines, counted from 1."""
        return self._lines

    def mark(self, lines: Iterable[int], current: int | None = None) -> None:
        """Mark ``lines`` (counted from 1); ``current`` is scrolled to and marked more strongly."""
        self._lines = tuple(sorted(set(lines)))
        self._current = current
        self._remark()
        if current is not None:
            block = self.document().findBlockByNumber(current - 1)
            if block.isValid():
                self.setTextCursor(QTextCursor(block))
                self.centerCursor()

    def numbers_width(self) -> int:
        """Room for the column at the left."""
        digits = max(3, len(str(self.blockCount())))
        return self.fontMetrics().horizontalAdvance("0") * digits + round(5 * unit(self.font()))

    def paint_numbers(self, column: QWidget, event: QPaintEvent) -> None:
        """Draw the numbers of the lines in sight, those of marked lines with a mark."""
        painter = QPainter(column)
        tokens = self._theme.tokens
        painter.fillRect(event.rect(), tokens.color("hover"))
        painter.setFont(self.font())
        marked = set(self._lines)
        block, size = self.firstVisibleBlock(), unit(self.font())
        bar = max(2, round(size * 0.75))
        while block.isValid():
            box = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if box.top() > event.rect().bottom():
                break
            number = block.blockNumber() + 1
            role = "bad" if number in marked else "muted"
            painter.setPen(tokens.color(role))
            place = QRect(0, round(box.top()), column.width() - round(2 * size), round(box.height()))
            painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(number))
            if number in marked:
                painter.fillRect(0, round(box.top()), bar, round(box.height()), tokens.color("bad"))
            block = block.next()
        painter.end()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Text and files."""
        return bool(_file_of(source)) or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """A file is read by whoever listens; its name is not what was meant."""
        path = _file_of(source)
        if path is not None:
            self.file_dropped.emit(path)
        else:
            super().insertFromMimeData(source)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The column is as tall as the text."""
        super().resizeEvent(event)
        inside = self.contentsRect()
        self._numbers.setGeometry(QRect(inside.left(), inside.top(), self.numbers_width(), inside.height()))

    def _on_changed(self) -> None:
        """Marks stand for the text as it was."""
        if self._lines:
            self.mark(())

    def _fit_numbers(self) -> None:
        self.setViewportMargins(self.numbers_width(), 0, 0, 0)
        inside = self.contentsRect()
        self._numbers.setGeometry(QRect(inside.left(), inside.top(), self.numbers_width(), inside.height()))

    def _scroll_numbers(self, area: QRect, rows: int) -> None:
        if rows:
            self._numbers.scroll(0, rows)
        else:
            self._numbers.update(0, area.y(), self._numbers.width(), area.height())

    def _remark(self) -> None:
        selections = []
        for number in self._lines:
            block = self.document().findBlockByNumber(number - 1)
            if not block.isValid():
                continue
            selection = QTextEdit.ExtraSelection()
            color = QColor(self._theme.tokens.color("bad_soft"))
            if self._current is not None and number != self._current:
                color.setAlpha(130)
            selection.format.setBackground(color)  # type: ignore[attr-defined]
            selection.format.setProperty(QTextFormat.Property.FullWidthSelection, True)  # type: ignore[attr-defined]
            selection.cursor = QTextCursor(block)  # type: ignore[attr-defined]
            selections.append(selection)
        self.setExtraSelections(selections)
        self._numbers.update()


def _file_of(source: QMimeData) -> Path | None:
    """The one local file that is dropped or pasted."""
    urls = source.urls() if source.hasUrls() else []
    files = [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]
    return files[0] if len(files) == 1 else None
