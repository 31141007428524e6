"""A live log: follows its end until the reader scrolls, marks errors, copies and saves."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QColor, QGuiApplication, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from rocm_gui.ui.theme import Theme, unit
from rocm_gui.ui.widgets.basics import Text
from rocm_gui.ui.widgets.code_box import mono_font

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_LINES = 20_000
FLUSH_MS = 50  # at most 20 repaints a second however fast lines come
MARK = "▌ "
ROLES = {"error": "bad", "warning": "warn", "muted": "muted"}  # of levels; all others are plain text


class LogView(QWidget):
    """Read-only text with a bounded number of lines."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._waiting: deque[tuple[str, str, str]] = deque(maxlen=MAX_LINES)
        self._errors: list[int] = []
        self._written = 0
        self._view = QPlainTextEdit(self)
        self._view.setReadOnly(True)
        self._view.setMaximumBlockCount(MAX_LINES)
        self._view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._view.setUndoRedoEnabled(False)
        self._view.setFont(mono_font())
        self._first_error = QPushButton(self)
        self._first_error.clicked.connect(self.show_first_error)
        self._first_error.hide()
        self._count = Text("", "note", "muted", parent=self)
        self._copy = QPushButton(self)
        self._copy.clicked.connect(self.copy_all)
        self._save = QPushButton(self)
        self._save.clicked.connect(self._ask_and_save)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(FLUSH_MS)
        self._timer.timeout.connect(self._flush)
        size = round(unit(self.font()))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(size)
        layout.addWidget(self._view, 1)
        row = QHBoxLayout()
        row.addWidget(self._count, 1)
        for button in (self._first_error, self._copy, self._save):
            button.setProperty("kind", "link")
            row.addWidget(button)
        layout.addLayout(row)
        self.setFocusProxy(self._view)
        self._retranslate()

    @property
    def text(self) -> str:
        """Everything that is shown."""
        self._flush()
        return self._view.toPlainText().replace(MARK, "")

    @property
    def error_count(self) -> int:
        """Lines marked as errors so far."""
        return len(self._errors)

    def clear(self) -> None:
        """Start anew."""
        self._waiting.clear()
        self._errors.clear()
        self._written = 0
        self._view.clear()
        self._first_error.hide()
        self._count.setText("")

    def add(self, text: str, level: str = "info", stamp: str = "") -> None:
        """Append lines; ``level`` error or warning marks them."""
        for line in text.splitlines() or [""]:
            self._waiting.append((line, level, stamp))
        if not self._timer.isActive():
            self._timer.start()

    def add_all(self, lines: Sequence[tuple[str, str]]) -> None:
        """Append many lines at once, as (text, level)."""
        for text, level in lines:
            self.add(text, level)

    def copy_all(self) -> None:
        """Put the whole log on the clipboard."""
        QGuiApplication.clipboard().setText(self.text)

    def save_to(self, path: Path) -> None:
        """Write the log as UTF-8."""
        path.write_text(self.text + "\n", encoding="utf-8")

    def show_first_error(self) -> None:
        """Scroll to the first line marked as an error."""
        dropped = max(0, self._written - self._view.blockCount())
        wanted = next((number - dropped for number in self._errors if number >= dropped), None)
        if wanted is None:
            return
        cursor = QTextCursor(self._view.document().findBlockByNumber(wanted))
        self._view.setTextCursor(cursor)
        self._view.centerCursor()
        self._view.setFocus()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _flush(self) -> None:
        if not self._waiting:
            return
        bar = self._view.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - 2
        cursor = QTextCursor(self._view.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        formats = {role: self._format(role) for role in ("text", "muted", "warn", "bad")}
        while self._waiting:
            line, level, stamp = self._waiting.popleft()
            if self._written:
                cursor.insertBlock()
            if stamp:
                cursor.insertText(stamp + " ", formats["muted"])
            if level == "error":
                self._errors.append(self._written)
                cursor.insertText(MARK, formats["bad"])
            cursor.insertText(line, formats[ROLES.get(level, "text")])
            self._written += 1
        cursor.endEditBlock()
        if at_end:
            bar.setValue(bar.maximum())
        self._first_error.setVisible(bool(self._errors))
        self._count.setText(self.tr("%n line(s)", "", self._written))

    def _format(self, role: str) -> QTextCharFormat:
        style = QTextCharFormat()
        style.setForeground(QColor(self._theme.tokens.color(role)))
        return style

    def _ask_and_save(self) -> None:
        name, _ = QFileDialog.getSaveFileName(
            self, self.tr("Save the log"), "rocm-gui.log", self.tr("Text (*.log *.txt)")
        )
        if name:
            self.save_to(Path(name))

    def _retranslate(self) -> None:
        self._view.setAccessibleName(self.tr("Log"))
        self._first_error.setText(self.tr("First error"))
        self._copy.setText(self.tr("Copy"))
        self._save.setText(self.tr("Save…"))
