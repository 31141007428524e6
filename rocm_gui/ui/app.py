"""The running window: application, theme, languages, signals, crash report, and the order in which all of it ends."""

from __future__ import annotations

import logging
import sys
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QEvent, QObject, QSettings, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QApplication

from rocm_gui import __version__
from rocm_gui.ui.background import Background
from rocm_gui.ui.closing import ClosingGuard
from rocm_gui.ui.crash import CrashHandler, crash_report
from rocm_gui.ui.engine_words import window_words
from rocm_gui.ui.language import Languages
from rocm_gui.ui.main_window import MainWindow
from rocm_gui.ui.messages import install_message_filter
from rocm_gui.ui.pages import load_pages, page_factories
from rocm_gui.ui.signals import ProcessSignals
from rocm_gui.ui.single_instance import SingleInstance
from rocm_gui.ui.theme import Theme
from rocm_gui.ui.wizard import registry

if TYPE_CHECKING:
    from rocm_gui.core.errors import AppError
    from rocm_gui.core.routes import Mirror
    from rocm_gui.core.texts import Language
    from rocm_gui.services.context import AppContext
    from rocm_gui.services.doctor import Diagnosis
    from rocm_gui.services.launch import FinishedSetup
    from rocm_gui.ui.theme import ThemeChoice

_LOG = logging.getLogger(__name__)

# Chinese text in a font that has every glyph in the Simplified form; the system's own interface font stands first.
CHINESE_FAMILIES = (
    "Microsoft YaHei UI",
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "WenQuanYi Micro Hei",
)


@dataclass(frozen=True)
class Look:
    """What a command line may pin for one run."""

    language: Language | None = None
    theme: Literal["system", "light", "dark"] | None = None
    font_scale: float = 1.0


def make_application() -> QApplication:
    """The QApplication of this process, made with what must be set before it."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    install_message_filter()
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    application = QApplication([sys.argv[0] if sys.argv else "rocm-gui"])
    application.setApplicationName("rocm_gui")
    application.setApplicationDisplayName("ROCm GUI")
    application.setApplicationVersion(__version__)
    application.setDesktopFileName("rocm_gui")
    application.setQuitOnLastWindowClosed(False)
    return application


class Gui(QObject):
    """Everything that lives as long as the window; ``close`` ends each part once, in order."""

    diagnosis_changed = Signal()
    window_closing = Signal()

    def __init__(self, context: AppContext, look: Look | None = None) -> None:
        application = make_application()
        super().__init__()
        look = look or Look()
        self.context = context
        self.application = application
        self.diagnosis: Diagnosis | None = None
        self.environments: tuple[FinishedSetup, ...] = ()
        self._plain_font = self.application.font()
        self._set_font(look.font_scale)
        resources = context.paths.resources
        self.theme = Theme(self.application, resources, look.theme or context.settings.theme)
        self.languages = Languages(self.application, resources, look.language or context.language)
        self.background = Background(self.application)
        self.crash = CrashHandler(self.background.call, None)
        self.application.setWindowIcon(self.theme.icon("app", "accent"))
        state = QSettings(str(context.paths.config / "window.ini"), QSettings.Format.IniFormat)
        self.window = MainWindow(self.theme, page_factories(self), state, context.simulated)
        self.background.hold_until_painted(self.window.stack)
        self.closing = ClosingGuard(self.window)
        self.window.closing.connect(self._on_closing)
        self.languages.changed.connect(self._on_language)
        self.window.page_changed.connect(self._on_page_changed)
        self._closed = False
        self._signals: ProcessSignals | None = None
        self._instance: SingleInstance | None = None
        last = state.value("window/page")
        self.window.show_page(last if isinstance(last, str) and last in page_factories(self) else "setup")
        self.background.run(self._warm_up, failed=lambda error: _LOG.debug("not read ahead: %s", error))

    def _warm_up(self) -> None:
        """Read ahead what the next pages need, while the first is looked at."""
        registry.load_pages()
        load_pages()
        self.context.fixes()
        self.context.route_book()

    @property
    def mirrors(self) -> tuple[Mirror, ...]:
        """PyPI and its mirrors."""
        return self.context.route_book().mirrors

    def error_text(self, error: AppError) -> str:
        """What happened, why and what to do, in the language now in force."""
        return window_words(self.context.texts(self.languages.language).get(f"error.{error.code}", **error.facts))

    def environment_text(self) -> str:
        """The newest environment that was set up and proved; empty where there is none."""
        return str(self.environments[0].environment) if self.environments else ""

    def look_for_environments(self) -> None:
        """Find the setups that stand; ``diagnosis_changed`` follows."""

        def done(environments: tuple[FinishedSetup, ...]) -> None:
            self.environments = environments
            self.diagnosis_changed.emit()

        self.background.run(self.context.finished_setups, done)

    def explain(self, text: str, name: str) -> None:
        """Show what ``text``, the output of something that failed, means; ``name`` says where it comes from."""
        from rocm_gui.ui.pages.troubleshooting.page import TroubleshootingPage  # noqa: PLC0415 - made when needed

        self.window.show_page("troubleshooting")
        page = self.window.page("troubleshooting")
        assert isinstance(page, TroubleshootingPage)
        page.explain(text, name)

    def set_diagnosis(self, diagnosis: Diagnosis) -> None:
        """What the doctor found: for the status bar and every page that asks."""
        self.diagnosis = diagnosis
        self.window.set_status(self._gpu_line())
        self.diagnosis_changed.emit()

    def _on_page_changed(self, name: str) -> None:
        if name != "setup":
            self.look_for_environments()

    def _on_language(self) -> None:
        if self.diagnosis is not None:
            self.window.set_status(self._gpu_line())

    def _gpu_line(self) -> str:
        if self.diagnosis is None:
            return self.tr("Looking at this computer…")
        gpus = self.diagnosis.machine.amd_gpus
        if not gpus:
            return self.tr("No AMD GPU found")
        names = Counter(gpu.name or " / ".join(gpu.candidates) or self.tr("unknown AMD GPU") for gpu in gpus)
        return "  ·  ".join(f"{count} × {name}" if count > 1 else name for name, count in names.items())

    def run(self) -> int:
        """Show the window and run until it is closed; returns the exit code."""
        self._instance = SingleInstance(self.context.paths.config, self.application)
        if self._instance.another_runs():
            self.close()
            return 0
        self._instance.take()
        self._instance.raised.connect(self._on_raised)
        self._signals = ProcessSignals(self.application)
        self._signals.asked_to_quit.connect(self._on_asked_to_quit)
        self.application.commitDataRequest.connect(self._on_session_end, Qt.ConnectionType.DirectConnection)
        self.window.show()
        code = self.application.exec()
        self.close()
        return code

    def smoke_test(self) -> int:
        """Show the window, visit every page in both languages and themes, and close; 0 when nothing failed."""
        failures: list[BaseException] = []
        self.crash.handle = failures.append  # type: ignore[method-assign]
        looks: tuple[tuple[Language, ThemeChoice], ...] = (("en", "light"), ("zh_CN", "dark"))
        visits: list[tuple[Language, ThemeChoice, str]] = [
            (language, theme, page) for language, theme in looks for page in page_factories(self)
        ]
        self.window.show()

        def visit() -> None:
            if not visits or failures:
                self.window.close()
                return
            language, theme, page = visits.pop(0)
            self.languages.choose(language)
            self.theme.choose(theme)
            self.window.show_page(page)
            QTimer.singleShot(0, visit)

        QTimer.singleShot(0, visit)
        self.application.exec()
        self.close()
        for error in failures:
            sys.stderr.write(crash_report(error))
        return 1 if failures else 0

    def close(self) -> None:
        """End every part; safe to call more than once."""
        if self._closed:
            return
        self._closed = True
        self.background.close()
        if self._signals is not None:
            self._signals.close()
        if self._instance is not None:
            self._instance.close()
        self.crash.close()
        self.window.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)  # no widget outlives the window
        self.languages.close()
        self.theme.close()
        self.application.setFont(self._plain_font)
        for part in (self._signals, self._instance, self.background, self.languages, self.theme):
            if part is not None:
                part.deleteLater()  # they are the application's children, and this window's only
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def _set_font(self, scale: float) -> None:
        font = QFont(self._plain_font)
        size = font.pointSizeF() if font.pointSizeF() > 0 else 10.0
        font.setPointSizeF(size * scale)
        known = set(QFontDatabase.families())
        extra = [family for family in CHINESE_FAMILIES if family in known]
        font.setFamilies([font.family(), *extra])
        self.application.setFont(font)

    def _on_closing(self) -> None:
        self.window_closing.emit()
        QTimer.singleShot(0, self.application.quit)  # never inside the close event itself

    def _on_raised(self) -> None:
        window = self.window
        window.setWindowState((window.windowState() & ~Qt.WindowState.WindowMinimized) | Qt.WindowState.WindowActive)
        window.raise_()
        window.activateWindow()

    def _on_asked_to_quit(self, number: int) -> None:
        _LOG.info("asked to quit by signal %d", number)
        self.closing.let_go()
        self.window.close()

    def _on_session_end(self, _manager: object) -> None:
        self.closing.let_go()
