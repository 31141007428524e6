"""A window in a process of its own, on the stage: measured, closed at a chosen moment, or killed from outside.

Usage: ``python window_driver.py FOLDER ACTION [ARGUMENT]``; FOLDER keeps the product's files and the stage's. Answers
are lines of JSON on stdout. Nothing of the driver is imported before what it measures.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import statistics
import sys
import time
from collections import Counter
from pathlib import Path

LINES_PER_S = 2000
FRAME_S = 1 / 60
QT_KEEPS = {  # objects of Qt itself that the application owns once there was a window
    "PySide::SenderSignalDeletionTracker",
    "QGestureManager",
    "QInputDevice",
    "QPanGesture",
    "QPointingDevice",
    "QStyleSheetStyle",
}


def say(**facts: object) -> None:
    print(json.dumps(facts), flush=True)


def since_process_start() -> float:
    """Seconds since the system made this process."""
    if sys.platform != "linux":
        import psutil

        return time.time() - psutil.Process().create_time()
    ticks = int(Path("/proc/self/stat").read_bytes().rsplit(b")", 1)[1].split()[19])
    return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")


# ---- the first picture


def first_paint(widget, application) -> None:
    """Show ``widget``'s window, and say when its first picture stood."""
    from PySide6.QtCore import QEvent, QObject, QTimer

    class Watch(QObject):
        def eventFilter(self, watched, event) -> bool:  # noqa: N802
            if event.type() == QEvent.Type.Paint:
                watched.removeEventFilter(self)
                QTimer.singleShot(0, self.painted)
            return False

        def painted(self) -> None:
            say(wall_s=since_process_start(), cpu_s=time.process_time())
            sys.stdout.flush()
            os._exit(0)  # the end is measured elsewhere

    watch = Watch()
    widget.installEventFilter(watch)
    widget.window().show()
    application.exec()


def paint_product(folder: Path) -> None:
    """As ``bootstrap.run_gui`` does it."""
    from rocm_gui.bootstrap import make_context

    context = make_context()
    from rocm_gui.ui.app import Gui, Look

    gui = Gui(context, Look(language="en", theme="light"))
    first_paint(gui.window.stack.currentWidget(), gui.application)


def paint_empty(folder: Path) -> None:
    """The yardstick: what any window in Python costs here."""
    from PySide6.QtWidgets import QApplication, QMainWindow

    application = QApplication([])
    window = QMainWindow()
    window.resize(1180, 760)
    first_paint(window, application)


# ---- the stage


class Bot:
    """What the stage needs of pytest-qt's ``qtbot``, outside pytest."""

    def waitUntil(self, condition, timeout: int = 10_000) -> None:  # noqa: N802
        from PySide6.QtTest import QTest

        deadline = time.monotonic() + timeout / 1000
        while not condition():
            assert time.monotonic() < deadline, "waited in vain"
            QTest.qWait(5)


def open_stage(folder: Path, script):
    from wizard_stage import Stage

    from rocm_gui.services import installer

    installer.STEPS.update(script.steps())
    return Stage(Bot(), folder, script)


def make_script(*, flood: bool):
    """Programs that go on until they are cancelled, and talk at ``LINES_PER_S`` where they ``flood``."""
    from wizard_stage import Script

    from rocm_gui.core.setup_events import StepLog

    class Talking(Script):
        def steps(self):
            steps = super().steps()

            def talk(ctx) -> dict:
                start, said = time.monotonic(), 0
                while not self.go.is_set():
                    ctx.check_cancel()
                    due = int((time.monotonic() - start) * LINES_PER_S) if flood else said + 1
                    for number in range(said, due):
                        level = "error" if number % 500 == 499 else "info"
                        ctx.emit(StepLog(step="download", text=f"Collecting package-{number}", level=level))
                        ctx.progress(number * 1e5, 1e9, "bytes", f"package-{number}.whl")
                    said = due
                    self.go.wait(0.005)
                return {}

            steps["download"] = talk
            return steps

    return Talking()


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def frames(folder: Path, seconds: str) -> None:
    """The ticks of a 60 Hz timer, with the page at rest and then with the same page in a loud run.

    Of each interval both the length and the processor time that the GUI thread used in it.
    """
    from PySide6.QtCore import Qt, QTimer
    from PySide6.QtTest import QTest

    stage = open_stage(folder, make_script(flood=True))
    clock = QTimer()
    clock.setTimerType(Qt.TimerType.PreciseTimer)
    clock.setInterval(round(1000 * FRAME_S))
    ticks: list[tuple[float, float]] = []
    clock.timeout.connect(lambda: ticks.append((time.perf_counter(), time.thread_time())))

    def measure() -> dict[str, float]:
        ticks.clear()
        clock.start()
        QTest.qWait(round(1000 * float(seconds)))
        clock.stop()
        pairs = list(itertools.pairwise(ticks))
        lengths = [1000 * (later[0] - earlier[0]) for earlier, later in pairs]
        work = [1000 * (later[1] - earlier[1]) for earlier, later in pairs]
        return {"p99_ms": percentile(lengths, 0.99), "worst_ms": max(lengths), "work_p99_ms": percentile(work, 0.99)}

    stage.page("install")
    QTest.qWait(200)
    idle = measure()
    page = stage.install()
    stage.wait(lambda: page.log.error_count > 0)
    loud = measure()
    lines = page.log._written
    stage.model.cancel()
    stage.ended()
    stage.close()
    say(idle=idle, loud=loud, lines=lines)


def pages(folder: Path) -> None:
    """What a page takes from asking for it to the end of the paint that follows, in three visits.

    Milliseconds as (passed, processor time of the GUI thread).
    """
    from PySide6.QtCore import QEvent, QObject
    from PySide6.QtTest import QTest

    from rocm_gui.ui.main_window import BOTTOM_PAGES, PAGES
    from rocm_gui.ui.wizard.model import PAGES as STEPS

    stage = open_stage(folder, make_script(flood=False))
    window = stage.gui.window

    class Paints(QObject):
        seen = 0

        def eventFilter(self, watched, event) -> bool:  # noqa: N802
            self.seen += event.type() == QEvent.Type.Paint
            return False

    paints = Paints()

    def timed(act, widget) -> tuple[float, float]:
        start, worked = time.perf_counter(), time.thread_time()
        act()
        shown = widget()
        shown.installEventFilter(paints)
        before, paints.seen = paints.seen, 0
        shown.update()
        stage.gui.application.processEvents()  # layouts and the picture, all of it
        ended, work = time.perf_counter(), time.thread_time() - worked
        shown.removeEventFilter(paints)
        assert paints.seen, before
        return 1000 * (ended - start), 1000 * work

    times: dict[str, list[tuple[float, float]]] = {}
    yard: list[tuple[float, float]] = []
    for _visit in range(3):
        for name in (*PAGES, *BOTTOM_PAGES):
            took = timed(lambda name=name: window.show_page(name), window.stack.currentWidget)
            times.setdefault(name, []).append(took)
            QTest.qWait(20)
        window.show_page("setup")
        for name in STEPS:
            took = timed(lambda name=name: stage.wizard.turn_to(name), stage.wizard._stack.currentWidget)
            times.setdefault(f"setup/{name}", []).append(took)
            QTest.qWait(20)
            yard.append(timed(window.repaint, window.stack.currentWidget))
    stage.close()
    say(pages=times, repaint=[statistics.median(column) for column in zip(*yard, strict=True)])


# ---- the end


def open_files() -> list[str]:
    """What this process holds open, but for the wake-up descriptors that Qt keeps for threads."""
    import psutil

    folder = Path("/proc/self/fd")
    if not folder.is_dir():
        return sorted(file.path for file in psutil.Process().open_files())
    names = []
    for link in list(folder.iterdir()):
        with contextlib.suppress(OSError):  # the listing itself
            names.append(str(link.readlink()))
    return sorted(name for name in names if not name.endswith(("[eventfd]", "/fd")))


def living() -> dict[str, list[str]]:
    """Everything that a closed window must not leave behind."""
    import gc
    import threading

    import psutil
    import shiboken6
    from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
    from PySide6.QtWidgets import QApplication

    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    gc.collect()
    ours = [one for one in gc.get_objects() if isinstance(one, QObject) and shiboken6.isValid(one)]
    application = QCoreApplication.instance()
    return {
        "widgets": [type(widget).__name__ for widget in QApplication.allWidgets()],
        "timers": [str(one.parent()) for one in ours if isinstance(one, QTimer) and one.isActive()],
        "objects": sorted(type(one).__name__ for one in ours if type(one).__module__.startswith("rocm_gui")),
        "children": sorted({one.metaObject().className() for one in application.findChildren(QObject)} - QT_KEEPS),
        "threads": [one.name for one in threading.enumerate() if one is not threading.main_thread()],
        "processes": [one.name() for one in psutil.Process().children(recursive=True)],
        "files": open_files(),
    }


def leftovers(before: dict[str, list[str]]) -> dict[str, list[str]]:
    """What lives now and did not ``before``."""
    return {kind: list((Counter(names) - Counter(before[kind])).elements()) for kind, names in living().items()}


def close(folder: Path, moment: str) -> None:
    """The window as a person has it, closed at ``moment``; says how long that took and what is left."""
    from rocm_gui.bootstrap import logging_to_file
    from rocm_gui.ui.app import make_application

    make_application()
    before = living()
    with logging_to_file():
        code, took = _close(folder, moment)
    say(code=code, took_s=took, left=leftovers(before))


def _close(folder: Path, moment: str) -> tuple[int, float]:
    from PySide6.QtCore import QTimer

    stage = open_stage(folder, make_script(flood=True))
    gui, asked = stage.gui, []

    def stop() -> None:
        reach(stage, folder, moment)
        say(reached=stage.model.activity)
        asked.append(time.monotonic())
        gui.window.close()
        if gui.closing.question is not None:
            stage.answer("Stop and close")

    QTimer.singleShot(0, stop)
    code = gui.run()
    return code, time.monotonic() - asked[0]


def reach(stage, folder: Path, moment: str) -> None:
    """Bring the window to ``moment``."""
    model = stage.model
    if moment == "scanning":
        _slow(stage.gui.context.doctor, "diagnose")
        model.scan()
        assert model.activity == "scanning"
    elif moment == "planning":
        stage.to_options()
        planner = stage.gui.context.make_planner
        stage.gui.context.make_planner = lambda machine: _slow(planner(machine), "plan")
        stage.next()
        assert model.activity == "planning"
    elif moment == "installing":
        page = stage.install()
        stage.wait(lambda: page.log.error_count > 0)
    elif moment == "script":
        _run_script(stage, folder)


def _slow(service, method: str):
    """``service`` with a ``method`` that takes a second."""
    original = getattr(service, method)

    def slowly(*args, **kwargs):
        time.sleep(1.0)
        return original(*args, **kwargs)

    object.__setattr__(service, method, slowly)
    return service


def _run_script(stage, folder: Path) -> None:
    import venv

    from rocm_gui.services.launch import FinishedSetup

    environment = folder / "bare"
    venv.create(environment, with_pip=False, symlinks=True)
    python = environment / "bin" / "python"
    program = folder / "endless.py"
    program.write_text("import time\nprint('begun', flush=True)\nwhile True:\n    time.sleep(0.1)\n")
    card = stage.page("finish").script
    card.show_setup(
        FinishedSetup(
            setup_id="1", target=folder, environment=environment, python=python, verdict="ok", gfx_target=None
        )
    )
    card.script.setText(str(program))
    card.start()
    stage.wait(lambda: "begun" in card.log.text, 30_000)


# ---- killed from outside


def install(folder: Path) -> None:
    """A loud run that goes on until somebody ends this process."""
    stage = open_stage(folder, make_script(flood=True))
    context = stage.gui.context
    context.change_settings(language="zh_CN")
    page = stage.install()
    stage.gui.window._state.sync()
    say(running=True)
    number = 0
    while True:  # everything that writes goes on writing
        number += 1
        context.change_settings(language=("en", "zh_CN")[number % 2])
        stage.gui.window._state.setValue("window/page", "setup")
        stage.gui.window._state.setValue("window/number", number)
        stage.gui.window._state.sync()
        stage.model.turned_to("install")
        stage.gui.application.processEvents()
        if page.end.end != "none":
            return


def look(folder: Path) -> None:
    """The next start after a kill: what can be read, what is offered, and how it ends when it is taken."""
    from PySide6.QtCore import QSettings
    from wizard_stage import Script

    from rocm_gui.bootstrap import make_context

    context = make_context()
    draft = context.load_draft()
    state = QSettings(str(context.paths.config / "window.ini"), QSettings.Format.IniFormat)
    page = state.value("window/page") if state.status() == QSettings.Status.NoError else None
    stage = open_stage(folder, Script())
    stage.wait(stage.wizard.unfinished.isVisible)
    facts = {
        "settings": [warning.code for warning in context.settings_warnings],
        "language": context.settings.language is not None,
        "draft": draft and draft.page,
        "state": page,
        "phase": [report.phase for report in stage.model.unfinished],
        "offered": stage.wizard.unfinished.action.text(),
    }
    stage.click(stage.wizard.unfinished.action)
    stage.wait(lambda: stage.model.outcome is not None or stage.model.run_error is not None, 30_000)
    outcome = stage.model.outcome
    stage.close()
    say(**facts, ended=outcome and outcome.state)


def main() -> None:
    folder, action, *more = sys.argv[1:]
    os.environ["ROCM_GUI_HOME"] = str(Path(folder) / "home")
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.path.insert(1, str(Path(__file__).resolve().parent.parent))
    actions = {
        "paint-product": paint_product,
        "paint-empty": paint_empty,
        "frames": frames,
        "pages": pages,
        "close": close,
        "install": install,
        "look": look,
    }
    actions[action](Path(folder), *more)


if __name__ == "__main__":
    main()
