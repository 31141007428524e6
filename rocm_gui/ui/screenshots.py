"""A PNG of every page: for the eyes of those who make the program, and for documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QDeadlineTimer, QEvent, QEventLoop, QSize, QTimer
from PySide6.QtWidgets import QApplication

from rocm_gui.core.errors import AppError
from rocm_gui.ui.app import Gui, Look
from rocm_gui.ui.main_window import BOTTOM_PAGES, INNER_PAGES
from rocm_gui.ui.main_window import PAGES as WINDOW_PAGES
from rocm_gui.ui.pages.setup import SetupPage
from rocm_gui.ui.wizard.model import PAGES as WIZARD_PAGES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rocm_gui.core.texts import Language
    from rocm_gui.services.context import AppContext

SIZE = QSize(1366, 768)
SETTLE_LIMIT_MS = 20_000
SETTLE_TURNS = 10


def take(
    context: AppContext,
    folder: Path,
    language: Language | None,
    theme: Literal["light", "dark"] | None,
    scale: float = 1.0,
) -> list[str]:
    """Render all pages into ``folder``; returns the names of the files written.

    Raises:
        AppError: ``screenshots_not_written`` with the folder and the reason.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise AppError("screenshots_not_written", path=str(folder), reason=reason) from error
    gui = Gui(context, Look(language=language, theme=theme or "light", font_scale=scale))
    try:
        return _take_all(gui, folder)
    finally:
        gui.close()


def _take_all(gui: Gui, folder: Path) -> list[str]:
    window = gui.window
    window.resize(SIZE)
    window.show()
    written: list[str] = []
    setup = window.page("setup")
    assert isinstance(setup, SetupPage)
    window.show_page("setup")
    model = setup.wizard.model
    wait_until(lambda: model.activity == "idle")
    for index, name in enumerate(WIZARD_PAGES, start=1):
        setup.wizard.turn_to(name)
        page = setup.wizard.page(name)
        wait_until(lambda page=page: model.activity == "idle" and page.settled)
        written.append(_save(gui, folder, f"setup-{index}-{name}.png"))
    for name in (*WINDOW_PAGES[1:], *BOTTOM_PAGES, *INNER_PAGES):
        window.show_page(name)
        written.append(_save(gui, folder, f"{name}.png"))
    return written


def _save(gui: Gui, folder: Path, name: str) -> str:
    settle()
    path = folder / name
    if not gui.window.grab().save(str(path), "PNG"):
        raise AppError("screenshots_not_written", path=str(path), reason="PNG")
    return name


def settle() -> None:
    """Let layouts and deferred deletions happen; draws nothing by itself."""
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    turns = iter(range(SETTLE_TURNS))  # a text's height follows its width, a card's follows the text's, and so on up
    wait_until(lambda: next(turns, None) is None)


def wait_until(ready: Callable[[], bool]) -> None:
    """Run the event loop until ``ready``, or for a limited time."""
    limit = QDeadlineTimer(SETTLE_LIMIT_MS)
    loop = QEventLoop()
    timer = QTimer()
    timer.setInterval(10)
    timer.timeout.connect(lambda: loop.quit() if ready() or limit.hasExpired() else None)
    timer.start()
    loop.exec()
    timer.stop()
