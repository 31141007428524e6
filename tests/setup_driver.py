"""Carries out a small setup in a process of its own, which can be told to kill itself at any point.

The environment, pip and the index are real; only the packages are small and the GPU's probe and proof are stood in
for. Usage: ``python setup_driver.py CONFIG.json ACTION [KILL]`` where KILL is

    write:STEP:EVENT[:NUMBER]   right after that line is in the journal
    event:STEP                  at the first output or progress of the step
    exists:PATH                 as soon as PATH exists
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import msgspec

from rocm_gui.core.errors import AppError
from rocm_gui.core.model import SetupOptions
from rocm_gui.core.plan import Plan, Step
from rocm_gui.core.setup_events import StepChanged
from rocm_gui.core.troubles import load_troubles
from rocm_gui.core.verification import EnvironmentProbe, Fault, VerificationReport
from rocm_gui.services import setup_store
from rocm_gui.services.installer import Installer
from rocm_gui.services.setup_context import Tools
from rocm_gui.services.setup_tools import job_runner, reach, scripts
from rocm_gui.system.datafiles import read_toml
from rocm_gui.system.paths import default_paths

WINDOWS = sys.platform == "win32"
BARE = ("--without-pip", "--system-site-packages")  # pip of the base Python: saves seconds a run


def environment_python(environment: Path) -> Path:
    return environment / ("Scripts/python.exe" if WINDOWS else "bin/python")


def make_plan(
    target: Path,
    home: Path,
    index_url: str,
    setup_id: str = "20261201-000000-test",
    name: str = "env",
    requirements: tuple[str, ...] = ("torch",),
    extras: tuple[str, ...] = (),
    **more,
) -> Plan:
    """The plan of a small setup: the same steps and commands as a real one."""
    state = home / "data" / "setups" / setup_id
    environment = target / name
    python = str(environment_python(environment))
    alone: dict[str, str | None] = {"PIP_CONFIG_FILE": os.devnull}
    pip = (python, "-m", "pip", "--isolated", "--no-input", "--disable-pip-version-check", "install")
    network = ("--index-url", index_url, "--timeout", "5", "--retries", "0")
    steps = [
        Step(id="preflight"),
        Step(id="environment", commands=((sys.executable, "-m", "venv", *BARE, str(environment)),)),
        Step(id="pip", commands=((*pip, *network, "--no-compile", "tinytool"),), variables=alone),
        Step(
            id="resolve",
            commands=(
                (
                    *pip,
                    "--dry-run",
                    "--ignore-installed",
                    "--report",
                    str(state / "report.json"),
                    *network,
                    *requirements,
                ),
            ),
            variables=alone,
        ),
        Step(id="download"),
        Step(
            id="install",
            commands=((*pip, "--no-index", "--no-deps", "--no-compile", "-r", str(state / "locked.txt")),),
            variables=alone,
        ),
        Step(id="start_script"),
        Step(id="verify"),
        Step(id="finish"),
    ]
    if extras:
        command = (*pip, *network, "-c", str(target / "constraints.txt"), *extras)
        steps.insert(6, Step(id="extras", commands=(command,), variables=alone))
    facts = {
        "setup_id": setup_id,
        "route_id": "cpu",
        "target": str(target),
        "environment": str(environment),
        "base_python": sys.executable,
        "environment_python": python,
        "options": SetupOptions(target=str(target), extras=extras),
        "steps": tuple(steps),
        "created": "2026-12-01T00:00:00+00:00",
        "index_url": index_url,
    }
    return Plan(**{**facts, **more})


def fake_verify(verdict: str = "cpu_only"):
    def verify(plan: Plan, *, on_event, cancel, env) -> VerificationReport:
        answer = subprocess.run(
            [plan.environment_python, "-c", "import torch; print(torch.__version__)"],
            capture_output=True,
            text=True,
            check=True,
        )
        probe = EnvironmentProbe(python=plan.environment_python, torch_version=answer.stdout.strip(), build="cpu")
        fault = Fault(code="wrong", message="x") if verdict in ("failed", "untrusted") else None
        return VerificationReport(
            verdict=verdict,  # type: ignore[arg-type]
            exit_code={"failed": 1, "untrusted": 3}.get(verdict, 0),
            layer="gemm" if fault else None,
            fault=fault,
            probe=probe,
        )

    return verify


def fake_probe(python: str, *, paths, env=None) -> EnvironmentProbe:
    return EnvironmentProbe(python=python, build="cpu", device_count=0)


def make_installer(verdict: str = "cpu_only", **more) -> Installer:
    paths = default_paths()
    tools = {
        "run": job_runner(paths),
        "probe": fake_probe,
        "verify": fake_verify(verdict),
        "reach": reach,
        "scripts": scripts,
        "render": lambda report: {"verification.json": msgspec.json.encode(report)},
        **more,
    }
    troubles = load_troubles(read_toml(paths.resources / "data" / "troubles.toml"))
    return Installer(paths, Tools(**tools), troubles=troubles, system="windows" if WINDOWS else "linux")


def die() -> None:
    if WINDOWS:
        import ctypes

        ctypes.windll.kernel32.TerminateProcess(-1, 9)  # type: ignore[attr-defined]
    os.kill(os.getpid(), 9)


def arm(kill: str):
    """Make this process kill itself as told; returns the listener for events."""
    kind, _, rest = kill.partition(":")
    if kind == "write":
        step, event, number = (*rest.split(":"), "1")[:3]
        left = [int(number)]
        original = setup_store.Journal.write

        def write(self, name, of="", **facts):
            original(self, name, of, **facts)
            if of == step and name == event:
                left[0] -= 1
                if left[0] == 0:
                    die()

        setup_store.Journal.write = write  # type: ignore[method-assign]
    elif kind == "exists":

        def watch() -> None:
            while not Path(rest).exists():
                time.sleep(0.001)
            die()

        threading.Thread(target=watch, daemon=True).start()

    def listen(event) -> None:
        if kind == "event" and event.step == rest and not isinstance(event, StepChanged):
            die()

    return listen


def main() -> int:
    config = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    listen = arm(sys.argv[3]) if len(sys.argv) > 3 else lambda event: None
    target = Path(config["target"])
    installer = make_installer(config.get("verdict", "cpu_only"))
    try:
        if sys.argv[2] == "apply":
            plan = make_plan(target, Path(os.environ["ROCM_GUI_HOME"]), config["index"])
            outcome = installer.apply(plan, listen)
        elif sys.argv[2] == "resume":
            outcome = installer.resume(target, listen)
        else:
            report = installer.undo(target, listen)
            print(json.dumps({"complete": report.complete}))
            return 0 if report.complete else 1
    except AppError as error:
        print(str(error))
        return int(error.exit_code)
    print(json.dumps({"state": outcome.state, "step": outcome.step, "error": str(outcome.error)}))
    return int(outcome.exit_code)


if __name__ == "__main__":
    sys.exit(main())
