"""kill -9 in every step of a setup, then resume or undo: real processes, real environments, a real pip."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from setup_driver import environment_python
from wheel_index import Index, serve

from rocm_gui.services.installer import STEPS

DRIVER = Path(__file__).resolve().parent.parent / "setup_driver.py"
REPOSITORY = DRIVER.parent.parent

POINTS = [
    "write:preflight:begin",
    "write:environment:begin",
    "write:environment:intent",  # the target folder is announced, not made
    "write:environment:intent:3",  # the marker is announced
    "exists:{target}/env/pyvenv.cfg",  # half an environment
    "write:pip:begin",
    "event:pip",
    "exists:{site}/tinytool/__init__.py",  # half a tool
    "write:resolve:begin",
    "event:resolve",
    "write:download:begin",
    "event:download",
    "write:install:begin",
    "exists:{site}/torch/__init__.py",  # half a torch
    "write:install:intent",  # constraints.txt is announced
    "write:start_script:begin",
    "write:start_script:intent",
    "write:verify:begin",
    "write:verify:intent",
    "write:finish:begin",
    "write:finish:intent",
    "write:finish:changed",
]


@pytest.fixture(scope="module")
def index():
    with serve() as running:
        running.add(
            "torch", "2.99.0", {"torch/__init__.py": b"__version__ = '2.99.0'\n", **_ballast("torch")}, ("tinydep",)
        )
        running.add("tinydep", "1.0", {"tinydep/__init__.py": b""})
        running.add("tinytool", "1.0", {"tinytool/__init__.py": b"", **_ballast("tinytool")})
        yield running


def _ballast(name: str) -> dict[str, bytes]:
    return {f"{name}/part{number}.py": os.urandom(2000) for number in range(200)}


class Lab:
    """A small world: home, temporary files, product state and target, each in its own folder."""

    def __init__(self, root: Path, index: Index) -> None:
        self.root = root
        self.target = root / "Ziel 目标" / "rocm"
        for name in ("home", "tmp", "state"):
            (root / name).mkdir()
        self.config = root / "state" / "config.json"
        self.config.write_text(json.dumps({"target": str(self.target), "index": index.simple}), encoding="utf-8")

    def run(self, action: str, kill: str | None = None) -> subprocess.CompletedProcess[str]:
        env = {key: value for key, value in os.environ.items() if not key.startswith(("PIP_", "PYTHON", "XDG_"))}
        env |= {
            "ROCM_GUI_HOME": str(self.root / "state"),
            "HOME": str(self.root / "home"),
            "PATH": os.pathsep.join(
                ("/usr/bin", "/bin")
            ),  # pip asks rustc for its version, whose shim writes into HOME
            "TMPDIR": str(self.root / "tmp"),
            "PYTHONPATH": str(REPOSITORY),
        }
        argv = [sys.executable, str(DRIVER), str(self.config), action, *([kill] if kill else [])]
        return subprocess.run(argv, env=env, capture_output=True, text=True, timeout=240, check=False)

    def kill_at(self, point: str) -> None:
        version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
        site = self.target / "env" / "lib" / version / "site-packages"
        done = self.run("apply", point.format(target=self.target, site=site))
        assert done.returncode == -9, done.stdout + done.stderr

    def left(self) -> list[str]:
        """Everything outside the product's state."""
        return sorted(
            str(path.relative_to(self.root)) for path in self.root.rglob("*") if "state" not in path.parts[-99:]
            and not path.is_relative_to(self.root / "state") and path.name not in ("home", "tmp")
        )  # fmt: skip


@pytest.fixture
def lab(tmp_path: Path, index: Index) -> Lab:
    return Lab(tmp_path, index)


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL; tests/windows has its twin")


def test_points_cover_every_step() -> None:
    steps = {point.split(":")[1] for point in POINTS if not point.startswith("exists")}
    assert steps == STEPS.keys() - {"extras"}


def test_without_a_kill(lab: Lab) -> None:
    done = lab.run("apply")
    assert done.returncode == 0, done.stdout + done.stderr
    names = sorted(path.name for path in lab.target.iterdir())
    assert names == [".rocm_gui.json", "constraints.txt", "env", "start.sh", "verification.json"]
    assert (lab.target / "constraints.txt").read_text() == "torch==2.99.0\n"
    assert lab.run("undo").returncode == 0
    assert lab.left() == []


@pytest.mark.parametrize("point", POINTS)
def test_resume_finishes_and_undo_leaves_nothing(lab: Lab, point: str) -> None:
    lab.kill_at(point)
    done = lab.run("resume")
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["state"] == "done"
    python = environment_python(lab.target / "env")
    answer = subprocess.run(
        [python, "-c", "import torch, tinydep; print(torch.__version__)"], capture_output=True, check=False
    )
    assert answer.stdout.strip() == b"2.99.0"
    assert (lab.target / "constraints.txt").is_file()
    undone = lab.run("undo")
    assert undone.returncode == 0, undone.stdout + undone.stderr
    assert lab.left() == []
    again = lab.run("resume")
    assert again.returncode == 2
    assert "setup_undone" in again.stdout


@pytest.mark.parametrize("point", [point for point in POINTS if ":begin" not in point])
def test_undo_right_after_the_kill_leaves_nothing(lab: Lab, point: str) -> None:
    lab.kill_at(point)
    undone = lab.run("undo")
    assert undone.returncode == 0, undone.stdout + undone.stderr
    assert lab.left() == []


@pytest.mark.parametrize("point", ["write::undo_begin", "write:verify:undone", "write:environment:undone:2"])
def test_undo_that_is_killed_is_finished_by_another(lab: Lab, point: str) -> None:
    assert lab.run("apply").returncode == 0
    killed = lab.run("undo", point)
    assert killed.returncode == -9, killed.stdout + killed.stderr
    assert "setup_undoing" in lab.run("resume").stdout
    assert lab.run("undo").returncode == 0
    assert lab.left() == []
