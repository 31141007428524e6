"""One module a page; each renders models and sends commands."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from rocm_gui.ui.app import Gui
    from rocm_gui.ui.pages.base import Page


def page_factories(gui: Gui) -> dict[str, Callable[[], Page]]:
    """A function for every page, called when the page is first shown: start-up pays for one page only."""

    def setup() -> Page:
        from rocm_gui.ui.pages.setup import SetupPage  # noqa: PLC0415 - imported with its page

        return SetupPage(gui)

    def settings() -> Page:
        from rocm_gui.ui.pages.settings import SettingsPage  # noqa: PLC0415

        return SettingsPage(gui)

    def troubleshooting() -> Page:
        from rocm_gui.ui.pages.troubleshooting.page import TroubleshootingPage  # noqa: PLC0415

        return TroubleshootingPage(gui)

    def coming(name: str) -> Callable[[], Page]:
        def make() -> Page:
            from rocm_gui.ui.pages.needs import NeedsPage  # noqa: PLC0415

            return NeedsPage(gui, name)

        return make

    names = ("monitor", "topology", "benchmarks", "training", "profiler", "environment", "build")
    return {
        "setup": setup,
        **{name: coming(name) for name in names},
        "troubleshooting": troubleshooting,
        "settings": settings,
    }


def load_pages() -> None:
    """Import every page's module, so that no page has to when it is first shown; for a background thread."""
    for name in ("settings", "needs", "troubleshooting.page"):
        importlib.import_module(f"rocm_gui.ui.pages.{name}")
