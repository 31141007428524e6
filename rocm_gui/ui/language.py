"""Languages at run time: Qt's own catalogue and ours, swapped together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QObject, QTranslator, Signal

if TYPE_CHECKING:
    from pathlib import Path

    from rocm_gui.core.texts import Language

# Each language in its own words, for the switch: a person who reads only one of them must find it.
NAMES: dict[Language, str] = {"en": "English", "zh_CN": "简体中文"}


class Languages(QObject):
    """Owns the translators. ``changed`` follows Qt's own LanguageChange events to the widgets."""

    changed = Signal(str)

    def __init__(self, application: QCoreApplication, resources: Path, language: Language) -> None:
        super().__init__(application)
        self._application = application
        self._folder = resources / "i18n"
        self._translators: list[QTranslator] = []
        self.language: Language = language
        self._install()

    def choose(self, language: Language) -> None:
        """Speak ``language`` from now on; every widget gets a LanguageChange event."""
        if language == self.language:
            return
        self.language = language
        self.close()
        self._install()
        self.changed.emit(language)

    def close(self) -> None:
        """Take the translations away again."""
        for translator in self._translators:
            self._application.removeTranslator(translator)
            translator.deleteLater()
        self._translators.clear()

    def _install(self) -> None:
        QLocale.setDefault(QLocale(self.language))
        qt_folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        wanted = ((f"qtbase_{self.language}", qt_folder), (f"rocm_gui_{self.language}", str(self._folder)))
        for name, folder in wanted:
            translator = QTranslator(self._application)
            if translator.load(name, folder):
                self._application.installTranslator(translator)
                self._translators.append(translator)
