"""Something unforeseen was raised: it is logged, shown with a copyable report, and the program goes on."""

from __future__ import annotations

import faulthandler
import logging
import platform
import sys
import threading
import traceback
from typing import TYPE_CHECKING

from PySide6 import __version__ as qt_version
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from rocm_gui import __version__
from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Text
from rocm_gui.ui.widgets.code_box import mono_font

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import TextIO

_LOG = logging.getLogger("rocm_gui.crash")


def crash_report(error: BaseException) -> str:
    """Versions and traceback as text; holds no settings and no environment."""
    head = (
        f"rocm_gui {__version__}, Python {platform.python_version()}, Qt {qt_version}, "
        f"{platform.system()} {platform.release()} {platform.machine()}"
    )
    return head + "\n\n" + "".join(traceback.format_exception(error))


class CrashDialog(QDialog):
    """The report, with a button that copies it."""

    def __init__(self, report: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.report = report
        size = round(unit(self.font()))
        self._text = Text("", wrap=True, parent=self)
        view = QPlainTextEdit(report, self)
        view.setReadOnly(True)
        view.setFont(mono_font())
        self._copy = QPushButton(self)
        self._copy.clicked.connect(self.copy)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.addButton(self._copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setSpacing(3 * size)
        layout.addWidget(self._text)
        layout.addWidget(view, 1)
        layout.addWidget(buttons)
        self.resize(180 * size, 110 * size)
        self._retranslate()

    def copy(self) -> None:
        """Put the report on the clipboard."""
        QGuiApplication.clipboard().setText(self.report)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.setWindowTitle(self.tr("Something unforeseen happened"))
        self._text.setText(
            self.tr(
                "A part of the program failed. Your work is kept and the program goes on; if it misbehaves, start it "
                "again. The report below tells the developers what happened. It holds no personal settings."
            )
        )
        self._copy.setText(self.tr("Copy the report"))


class CrashHandler:
    """Installs the hooks; ``close`` puts the old ones back."""

    def __init__(self, in_gui_thread: Callable[[Callable[[], None]], None], log_stream: TextIO | None) -> None:
        self._in_gui_thread = in_gui_thread
        self._old = (sys.excepthook, threading.excepthook)
        self._showing = False
        self.dialog: CrashDialog | None = None
        sys.excepthook = self._hook
        threading.excepthook = self._thread_hook
        stream = log_stream or sys.__stderr__
        if stream is not None:
            faulthandler.enable(file=stream)

    def close(self) -> None:
        """Stop handling."""
        sys.excepthook, threading.excepthook = self._old
        faulthandler.disable()

    def handle(self, error: BaseException) -> None:
        """Log ``error`` and show it, once at a time: a fault in a repaint must not open a hundred windows."""
        _LOG.critical("unhandled", exc_info=error)
        if self._showing:
            return
        self._showing = True
        self._in_gui_thread(lambda: self._show(crash_report(error)))

    def _show(self, report: str) -> None:
        self.dialog = CrashDialog(report)
        self.dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.dialog.finished.connect(self._on_finished)
        self.dialog.open()

    def _on_finished(self) -> None:
        self._showing = False
        self.dialog = None

    def _hook(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QGuiApplication.quit()
            return
        self.handle(error.with_traceback(trace))

    def _thread_hook(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
            self.handle(args.exc_value)
