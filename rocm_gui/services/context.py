"""What the pages of the window work with; made by bootstrap, passed to each of them.

The first picture of the window waits for this module: what only later work needs is loaded by that work.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from rocm_gui.core.errors import AppError
from rocm_gui.core.texts import Texts
from rocm_gui.services.drafts import Draft, load_draft, save_draft
from rocm_gui.services.setup_store import all_setups

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rocm_gui.core.model import Machine
    from rocm_gui.core.routes import RouteBook
    from rocm_gui.core.settings import Settings, SettingsWarning
    from rocm_gui.core.texts import Language
    from rocm_gui.services.doctor import Doctor
    from rocm_gui.services.fixes import FixBook
    from rocm_gui.services.installer import Installer, StatusReport
    from rocm_gui.services.launch import FinishedSetup
    from rocm_gui.services.setup_planning import SetupPlanner
    from rocm_gui.services.tutorial import TutorialStep
    from rocm_gui.system.paths import Paths


class SettingsStore(Protocol):
    """Where the settings are kept."""

    def load(self) -> tuple[Settings, list[SettingsWarning]]:
        """The settings and what was wrong with the file."""
        ...

    def save(self, settings: Settings) -> None:
        """Write them.

        Raises:
            AppError: ``settings_not_saved``.
        """
        ...


@dataclass
class AppContext:
    """Paths, settings, texts and services of one running program."""

    paths: Paths
    store: SettingsStore
    settings: Settings
    settings_warnings: list[SettingsWarning]
    catalogue: Mapping[str, Any]
    system_language: Language
    make_doctor: Callable[[], Doctor]
    route_book: Callable[[], RouteBook]
    make_planner: Callable[[Machine], SetupPlanner]
    make_installer: Callable[[], Installer]
    fixes: Callable[[], FixBook]
    tutorial: Callable[[], tuple[TutorialStep, ...]]
    simulated: str | None = None  # name of the simulated machine; shown wherever its data are

    @cached_property
    def doctor(self) -> Doctor:
        """What judges the machine; made where it is first needed, which should be a background thread."""
        return self.make_doctor()

    @cached_property
    def installer(self) -> Installer:
        """What carries setups out; made where it is first needed, which should be a background thread."""
        return self.make_installer()

    @property
    def language(self) -> Language:
        """The chosen language, or the system's."""
        return self.settings.language or self.system_language

    def texts(self, language: Language) -> Texts:
        """The catalogue in ``language``."""
        return Texts(self.catalogue, language)

    def unfinished_setups(self) -> tuple[StatusReport, ...]:
        """Setups that were begun and neither finished nor undone, newest first."""
        reports: list[StatusReport] = []
        for target in dict.fromkeys(setup.plan.target for setup in all_setups(self.paths)):
            try:
                report = self.installer.status(Path(target))
            except AppError:
                continue
            if report.phase in ("interrupted", "failed", "cancelled", "undoing"):
                reports.append(report)
        return tuple(sorted(reports, key=lambda report: report.setup_id, reverse=True))

    def finished_setups(self) -> tuple[FinishedSetup, ...]:
        """Setups that stand, newest first; reads only."""
        from rocm_gui.services.launch import finished_setup  # noqa: PLC0415 - not for the first picture

        targets = dict.fromkeys(setup.plan.target for setup in all_setups(self.paths))
        found = (finished_setup(self.paths, Path(target)) for target in targets)
        return tuple(sorted(filter(None, found), key=lambda setup: setup.setup_id, reverse=True))

    def load_draft(self) -> Draft | None:
        """The guided setup that was left half way."""
        return load_draft(self.paths.data / "wizard.json")

    def save_draft(self, draft: Draft) -> None:
        """Keep it."""
        save_draft(self.paths.data / "wizard.json", draft)

    def change_settings(self, **values: object) -> None:
        """Change settings and keep them.

        Raises:
            AppError: ``settings_not_saved``; the change is in force all the same.
        """
        self.settings = msgspec.structs.replace(self.settings, **values)
        self.store.save(self.settings)
