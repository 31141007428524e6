"""Text in a typewriter face that may be copied: a command, a snippet. As high as its text at any width."""

from __future__ import annotations

import sys
from functools import cache
from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication, QTextOption
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QPlainTextEdit, QSizePolicy, QToolButton, QWidget

from rocm_gui.ui.theme import scaled_font, unit

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from rocm_gui.ui.theme import Theme

COPIED_MS = 1500
WINDOWS_MONO = ("Cascadia Mono", "Consolas")  # Qt proposes Courier New there: thin, and hard to read when small


def mono_font(points: float = 9.5) -> QFont:
    """A typewriter face of the system at ``points`` relative to a 10-point interface font."""
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    if sys.platform == "win32":
        font.setFamilies(_windows_mono(font.family()))
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setPointSizeF(scaled_font(QApplication.font(), points).pointSizeF())
    return font


@cache
def _windows_mono(proposed: str) -> list[str]:
    """The faces that are there, best first; where not even ``proposed`` is, any other of fixed pitch."""
    known = QFontDatabase.families()
    found = [family for family in (*WINDOWS_MONO, proposed) if family in known]
    return found or [family for family in known if QFontDatabase.isFixedPitch(family)][:1] or [proposed]


class CodeText(QPlainTextEdit):
    """Read-only text without scroll bars: it wraps anywhere and grows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("code")
        self.setReadOnly(True)
        self.setFont(mono_font())
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # the Copy button beside it is reached by the keyboard
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        size = round(unit(self.font()))
        self.setViewportMargins(2 * size, size, 2 * size, size)

    def set_text(self, text: str) -> None:
        """Show ``text``."""
        if text != self.toPlainText():
            self.setPlainText(text)
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Follow the width."""
        super().resizeEvent(event)
        self._fit()

    def sizeHint(self) -> QSize:
        """The width is the layout's matter."""
        return QSize(super().sizeHint().width(), self._height())

    def minimumSizeHint(self) -> QSize:
        """Narrow is fine: it wraps."""
        return QSize(0, self._height())

    def _height(self) -> int:
        layout, block = self.document().documentLayout(), self.document().begin()
        lines = 0.0
        while block.isValid():  # asked one by one: the document counts lines that were never laid out as one each
            lines += layout.blockBoundingRect(block).height()
            block = block.next()
        return ceil(lines) + 2 * round(unit(self.font())) + 2 * self.frameWidth() + 2

    def _fit(self) -> None:
        if self.height() != self._height():
            self.setFixedHeight(self._height())


class CodeBox(QFrame):
    """A ``CodeText`` with a button that copies it."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("codeBox")
        self._theme = theme
        self._view = CodeText(self)
        self.copy_button = QToolButton(self)
        self.copy_button.clicked.connect(self.copy)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(COPIED_MS)
        self._timer.timeout.connect(self._recolour)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(round(unit(self.font())))
        row.addWidget(self._view, 1)
        row.addWidget(self.copy_button, 0, Qt.AlignmentFlag.AlignTop)
        theme.changed.connect(self._recolour)
        self._recolour()

    @property
    def text(self) -> str:
        """What it shows and copies."""
        return self._view.toPlainText()

    def set_text(self, text: str) -> None:
        """Show ``text``."""
        self._view.set_text(text)
        self._view.setAccessibleName(text)

    def copy(self) -> None:
        """Put the text on the clipboard."""
        QGuiApplication.clipboard().setText(self.text)
        self.copy_button.setIcon(self._theme.icon("ok", "ok"))
        self.copy_button.setToolTip(self.tr("Copied"))
        self._timer.start()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._recolour()
        super().changeEvent(event)

    def _recolour(self) -> None:
        pixels = round(4 * unit(self.font()))
        self.copy_button.setIconSize(QSize(pixels, pixels))
        self.copy_button.setIcon(self._theme.icon("copy", "muted"))
        self.copy_button.setToolTip(self.tr("Copy"))
        self.copy_button.setAccessibleName(self.tr("Copy"))
