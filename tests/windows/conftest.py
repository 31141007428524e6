"""One real setup for all tests that need PyTorch on Windows: killed on the way, resumed, proved, taken back last."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from window_fixtures import make_gui, script, settle, stage

__all__ = ["make_gui", "script", "settle", "stage"]

REPOSITORY = Path(__file__).resolve().parents[2]
TORCH = "2.9.1"
SOURCE = (sys.executable, "-m", "rocm_gui")
FROZEN = (os.environ["ROCM_GUI_FROZEN"],) if os.environ.get("ROCM_GUI_FROZEN") else SOURCE


@dataclass
class Product:
    """The program in processes of its own, below one root."""

    root: Path
    answers: dict[str, tuple[int, list[dict]]] = field(default_factory=dict)
    torch: str = TORCH

    @property
    def target(self) -> Path:
        return self.root / "rocm"

    @property
    def python(self) -> Path:
        return self.target / "env" / "Scripts" / "python.exe"

    @property
    def env(self) -> dict[str, str]:
        return {**os.environ, "ROCM_GUI_HOME": str(self.root / "state"), "PYTHONPATH": str(REPOSITORY)}

    def run(self, name: str, *arguments: str, program: tuple[str, ...] = SOURCE) -> tuple[int, list[dict]]:
        """Run ``setup NAME`` to its end; exit code and JSON lines, also kept under ``name``."""
        argv = [*program, "--lang", "en", "setup", name, *arguments, "--target", str(self.target), "--json"]
        done = subprocess.run(argv, env=self.env, capture_output=True, check=False, timeout=1200)
        lines = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines() if line.strip()]
        assert lines, done.stderr.decode("utf-8", "replace")
        self.answers[name] = (done.returncode, lines)
        return self.answers[name]

    def apply_and_kill(self) -> None:
        """Apply, and pull the plug when packages are being installed."""
        arguments = ["setup", "apply", "--route", "cpu", "--torch", TORCH, "--python", sys.executable, "--yes"]
        argv = [*SOURCE, "--lang", "en", *arguments, "--target", str(self.target), "--json"]
        child = subprocess.Popen(argv, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert child.stdout is not None
        seen: list[dict] = []
        for line in child.stdout:
            event = json.loads(line)
            seen.append(event)
            if event["type"] in ("progress", "log") and event["step"] == "install":
                child.kill()
                break
        child.stdout.close()
        child.wait(30)
        self.answers["apply"] = (child.returncode, seen)

    def left(self) -> list[str]:
        """What stands beside the product's own folders."""
        return sorted(path.name for path in self.root.iterdir() if path.name != "state")


@pytest.fixture(scope="session")
def torch_setup(tmp_path_factory: pytest.TempPathFactory) -> Product:
    """The setup, resumed to its end: by the frozen program where one was named."""
    product = Product(tmp_path_factory.mktemp("setup"))
    product.apply_and_kill()
    product.run("status")
    product.run("resume", program=FROZEN)
    return product


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes the shared setup back comes last."""
    items.sort(key=lambda item: "test_undo_windows" in item.nodeid)
