"""The window on a stage: a recorded machine, the real planner and installer, programs and proof stood in for."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import machines
import msgspec
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from rocm_gui.bootstrap import make_context
from rocm_gui.core.events import Log
from rocm_gui.core.model import Machine, PythonInstall
from rocm_gui.core.plan import Plan
from rocm_gui.core.setup_events import StepLog
from rocm_gui.core.troubles import load_troubles
from rocm_gui.core.verification import (
    Case,
    EnvironmentProbe,
    Fault,
    LayerVersion,
    Package,
    ToolResult,
    Trial,
    VerificationReport,
    Workaround,
)
from rocm_gui.services import setup_steps
from rocm_gui.services.installer import Installer
from rocm_gui.services.setup_context import CommandEnd, StepContext, Tools
from rocm_gui.services.setup_tools import scripts
from rocm_gui.system.datafiles import read_toml
from rocm_gui.ui.app import Gui, Look

if TYPE_CHECKING:
    from collections.abc import Callable

GIB = 1024**3
WINDOWS = sys.platform == "win32"
SYSTEM: Literal["windows", "linux"] = "windows" if WINDOWS else "linux"
TESTS = Path(__file__).resolve().parent
BASE_PYTHON = str(Path(getattr(sys, "_base_executable", None) or sys.executable))


def machine_for(target: Path) -> Machine:
    """A computer without a GPU whose only Python is the one that runs the tests."""
    python = PythonInstall(
        path=BASE_PYTHON,
        version=".".join(map(str, sys.version_info[:3])),
        kind="system",
        bits=64,
        prefix=sys.base_prefix,
        base_prefix=sys.base_prefix,
        has_venv=True,
        usable=True,
    )
    bare = machines.windows_no_gpu if WINDOWS else machines.no_gpu
    machine = bare(pythons=(python,), pip_config=None)
    return machines.with_volume(machine, "target", path=str(target), mount=target.anchor, free_bytes=300 * GIB)


def report_for(python: str, verdict: str = "cpu_only", **more) -> VerificationReport:
    """A proof with everything that the page shows."""
    right = Case(name="1024 x 1024", dtype="float32", status="ok", max_error=3.1e-7, tolerance=1e-5)
    wrong = Case(name="3 x 3", dtype="float32", status="wrong", max_error=0.5, tolerance=1e-5)
    tests = [
        Trial(id="article", layer="gemm", status="ok", cases=(right,), seconds=0.4, device="cpu"),
        Trial(id="gemm", layer="gemm", status="ok", cases=(right,) * 8, seconds=1.2, device="cpu"),
    ]
    failed = verdict in ("failed", "untrusted")
    if failed:
        tests.append(Trial(id="conv", layer="miopen", status="wrong", cases=(wrong,), seconds=2.0, device="cpu"))
    snippet = "import torch\ntorch.backends.cudnn.enabled = False\n"
    workarounds = (Workaround(id="miopen_off", tests=("conv",), snippet=snippet),)
    facts = {
        "product_version": "0",
        "created": "2026-12-01T10:00:00+08:00",
        "verdict": verdict,
        "exit_code": 1 if failed else 0,
        "layer": "miopen" if failed else None,
        "fault": Fault(code="wrong", facts={"test": "conv"}) if failed else None,
        "device": "cpu",
        "probe": EnvironmentProbe(
            python=python,
            torch_version="2.13.0+cpu",
            build="cpu",
            available=False,
            device_count=0,
            packages=(Package(name="torch", version="2.13.0+cpu"),),
        ),
        "layers": (
            LayerVersion(id="os", version="Ubuntu 24.04", source="os-release"),
            LayerVersion(id="torch", version="2.13.0+cpu", source="torch.__version__"),
        ),
        "tests": tuple(tests),
        "tools": (ToolResult(id="rocminfo", status="absent", note="rocminfo_absent"),),
        "workarounds": workarounds if verdict == "workaround" else (),
        "seconds": 4.2,
    }
    return VerificationReport(**{**facts, **more})


@dataclass
class Script:
    """What the stood-in programs do. ``held`` is the step at which a run waits for ``go`` or for its cancellation."""

    verdict: str = "cpu_only"
    unreachable: str | None = None
    failing: dict[str, Exception] = field(default_factory=dict)  # step -> raised once
    held: str | None = None
    go: threading.Event = field(default_factory=threading.Event)

    def run(self, job_id, argv, env, *, on_event, parse_line, cancel, silence_s) -> CommandEnd:
        on_event(Log(text="$ " + " ".join(argv[-3:])))
        if "venv" in argv:
            python = Path(argv[-1]) / ("Scripts/python.exe" if WINDOWS else "bin/python")
            python.parent.mkdir(parents=True)
            shutil.copy(BASE_PYTHON, python) if WINDOWS else python.symlink_to(BASE_PYTHON)
        return CommandEnd(code=0)

    def tools(self) -> Tools:
        def verify(plan, *, on_event, cancel, env):
            return report_for(plan.environment_python, self.verdict)

        def probe(python, *, paths, env=None):
            return EnvironmentProbe(python=python, build="cpu", device_count=0)

        return Tools(
            run=self.run,
            probe=probe,
            verify=verify,
            reach=lambda url, network: self.unreachable,
            scripts=scripts,
            render=lambda report: {"verification.json": msgspec.json.encode(report)},
        )

    def steps(self) -> dict[str, Callable[[StepContext], dict]]:
        """The steps of the installer, each ready to be held or to fail, without packages."""

        def wrapped(name: str, original: Callable[[StepContext], dict]):
            def act(ctx: StepContext) -> dict:
                if name == self.held:
                    ctx.progress(400e6, 1000e6, "bytes", "torch-2.13.0.whl")
                    ctx.emit(StepLog(step=name, text="something is not right", level="error"))
                    while not self.go.wait(0.005):
                        ctx.check_cancel()
                    ctx.check_cancel()
                error = self.failing.pop(name, None)
                if error is not None:
                    raise error
                return original(ctx)

            return act

        def light(ctx: StepContext) -> dict:
            return {"packages": 9, "torch": "2.13.0", "bytes": 1000}

        originals = {
            "preflight": setup_steps.preflight,
            "environment": setup_steps.make_environment,
            "pip": setup_steps.upgrade_pip,
            "resolve": light,
            "download": light,
            "install": setup_steps.upgrade_pip,
            "extras": setup_steps.extras,
            "start_script": setup_steps.start_script,
            "verify": setup_steps.verify,
            "finish": setup_steps.finish,
        }
        return {name: wrapped(name, original) for name, original in originals.items()}


def run_until_killed(plan: Plan, step: str, folder: Path) -> None:
    """Carry ``plan`` out in a process of its own that dies in the middle of ``step``, as in a power cut."""
    file = folder / "plan.json"
    file.write_bytes(msgspec.json.encode(plan))
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(TESTS.parent), str(TESTS)))}
    argv = [sys.executable, __file__, str(file), step]
    ended = subprocess.run(argv, env=env, capture_output=True, check=False, timeout=120)
    assert ended.stdout.splitlines()[-1:] == [b"dying"], ended.stderr.decode("utf-8", "replace")
    assert ended.returncode == (signal.SIGTERM if WINDOWS else -signal.SIGKILL)


def _die_in(step: str, plan: Plan) -> None:
    from rocm_gui.services import installer
    from rocm_gui.system.paths import default_paths

    def die(ctx: StepContext) -> dict:
        ctx.progress(400e6, 1000e6, "bytes", "torch-2.13.0.whl")
        sys.stdout.write("dying\n")
        sys.stdout.flush()
        os.kill(os.getpid(), signal.SIGTERM if WINDOWS else signal.SIGKILL)  # on Windows this ends it at once
        raise AssertionError("outlived its end")

    script = Script()
    installer.STEPS.update({**script.steps(), step: die})
    Installer(default_paths(), script.tools(), system=SYSTEM).apply(plan, lambda event: None)


class Hands:
    """Uses a window as a person does."""

    def __init__(self, qtbot, gui: Gui) -> None:
        self.qtbot = qtbot
        self.gui = gui

    @property
    def wizard(self):
        return self.gui.window.page("setup").wizard

    @property
    def model(self):
        return self.wizard.model

    def close(self) -> None:
        self.gui.window.may_close = lambda: True
        self.gui.window.close()
        self.gui.close()

    def wait(self, condition, timeout: int = 10_000) -> None:
        self.qtbot.waitUntil(condition, timeout=timeout)

    def click(self, button) -> None:
        self.wait(button.isEnabled)
        assert button.isVisible(), button.text()
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def type(self, line, text: str) -> None:
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(line, text)

    def next(self) -> None:
        self.click(self.wizard.next_button)

    def page(self, name: str):
        """Turn to the page ``name`` without a way."""
        self.wizard.turn_to(name)
        return self.wizard.page(name)

    def ended(self, timeout: int = 10_000) -> None:
        self.wait(lambda: not self.model.busy, timeout)

    def answer(self, word: str) -> None:
        """Press the button of the open question."""
        from PySide6.QtWidgets import QMessageBox

        def box():
            return next((box for box in self.gui.window.findChildren(QMessageBox) if box.isVisible()), None)

        self.wait(lambda: box() is not None)
        button = next(button for button in box().buttons() if word in button.text())
        self.click(button)


class Stage(Hands):
    """The window, its wizard, and hands to use them."""

    def __init__(self, qtbot, tmp_path: Path, script: Script, **context) -> None:
        self.qtbot = qtbot
        self.script = script
        self.target = tmp_path / "place" / "rocm"
        self.target.parent.mkdir(exist_ok=True)
        self.machine_file = tmp_path / "machine.json"
        if not self.machine_file.exists():
            self.machine_file.write_bytes(msgspec.json.encode(machine_for(self.target)))
        self.open(**context)

    def open(self, **changes) -> None:
        """Start the program; ``changes`` are of its context."""
        from rocm_gui.bootstrap import make_setup_planner

        context = make_context(machine_file=self.machine_file)
        context.make_planner = lambda machine: make_setup_planner(context.paths, machine, str(self.target))
        troubles = load_troubles(read_toml(context.paths.resources / "data" / "troubles.toml"))
        context.installer = Installer(context.paths, self.script.tools(), troubles=troubles, system=SYSTEM)
        for name, value in changes.items():
            setattr(context, name, value)
        self.gui = Gui(context, Look(language="en", theme="light"))
        self.gui.window.resize(1366, 768)
        self.gui.window.show()
        self.gui.window.show_page("setup")
        self.wait(lambda: self.model.activity == "idle")

    def use_machine(self, machine: Machine, simulated: str) -> None:
        """Look at another computer from now on, as a simulated one."""
        from rocm_gui.bootstrap import make_doctor, make_setup_planner

        context = self.gui.context
        self.machine_file.write_bytes(msgspec.json.encode(machine))
        context.doctor = make_doctor(context.paths, machine_file=self.machine_file)
        context.make_planner = lambda machine: make_setup_planner(context.paths, machine, recorded=True)
        context.simulated = simulated
        self.model.scan()
        self.wait(lambda: self.model.activity == "idle")

    def reopen(self) -> None:
        """Close the window as a person does and start the program again."""
        self.close()
        self.open()

    def to_options(self):
        self.page("options")
        page = self.wizard.page("options")
        self.type(page.folder.line, str(self.target))
        self.wait(lambda: page.complete)
        return page

    def to_review(self):
        self.to_options()
        self.next()
        self.wait(lambda: self.model.plan is not None or self.model.plan_error is not None)
        return self.wizard.page("review")

    def install(self):
        """Start the run; it may go on."""
        self.to_review()
        self.next()
        assert self.wizard.current == "install"
        return self.wizard.page("install")


if __name__ == "__main__":
    _die_in(sys.argv[2], msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Plan))
