"""The command line from a bare folder to a proved PyTorch: real venv, real pip, the user's own configuration."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
SCHEMAS = REPOSITORY / "resources" / "docs" / "schema"
pytestmark = [
    pytest.mark.torch,
    pytest.mark.network,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(sys.platform == "win32", reason="tests/windows has its twin"),
]


def check(line: dict, schema: str) -> dict:
    jsonschema.validate(line, json.loads((SCHEMAS / f"{schema}.json").read_text(encoding="utf-8")))
    return line


class Product:
    """The program in processes of its own, with a home that shows what it leaves."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.target = root / "rocm"
        self.home = root / "home"
        (root / "tmp").mkdir()
        self.home.mkdir()
        self.env = {
            **os.environ,
            "ROCM_GUI_HOME": str(root / "state"),
            "HOME": str(self.home),
            "TMPDIR": str(root / "tmp"),
            "PYTHONPATH": str(REPOSITORY),
            "RUSTUP_HOME": str(root / "state" / "rustup"),  # pip asks rustc for its version
        }

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        argv = [sys.executable, "-m", "rocm_gui", "--lang", "en", "setup", *arguments, "--target", str(self.target)]
        return subprocess.Popen([*argv, "--json"], env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, *arguments: str) -> tuple[int, list[dict]]:
        child = self.start(*arguments)
        stdout, stderr = child.communicate(timeout=900)
        lines = [json.loads(line) for line in stdout.splitlines()]
        assert lines, stderr.decode(errors="replace")
        return child.returncode, lines

    def until(self, child: subprocess.Popen[bytes], step: str, number: int) -> list[dict]:
        """Read until the step runs, send it the signal, and read the rest."""
        assert child.stdout is not None
        seen: list[dict] = []
        for line in child.stdout:
            event = json.loads(line)
            seen.append(check(event, "setup_apply"))
            if event["type"] == "step" and event["step"] == step and event["state"] == "running":
                child.send_signal(number)
                if number == signal.SIGKILL:
                    break
        child.communicate(timeout=60)
        return seen

    def left(self) -> list[str]:
        return sorted(
            str(path.relative_to(self.root))
            for path in self.root.rglob("*")
            if not path.is_relative_to(self.root / "state") and path.name not in ("home", "tmp")
        )


def test_cpu_route_cancelled_killed_resumed_proved_and_taken_back(tmp_path: Path) -> None:
    product = Product(tmp_path)
    code, lines = product.run("apply", "--route", "cpu", "--dry-run")
    assert (code, lines[0]["type"], lines[-1]["dry_run"]) == (0, "plan", True)
    for line in lines:
        check(line, "setup_apply")
    assert product.left() == []

    child = product.start("apply", "--route", "cpu")
    seen = product.until(child, "resolve", signal.SIGINT)
    assert child.returncode == 130
    assert (seen[-1]["type"], seen[-1]["state"], seen[-1]["step"]) == ("result", "cancelled", "resolve")

    child = product.start("resume")
    product.until(child, "install", signal.SIGKILL)
    assert child.returncode == -signal.SIGKILL
    code, lines = product.run("status")
    status = check(lines[0], "setup_status")
    assert (code, status["phase"], status["next"]) == (0, "interrupted", ["resume", "undo"])

    code, lines = product.run("resume")
    for line in lines:
        check(line, "setup_apply")
    result = lines[-1]
    assert (code, result["state"], result["verdict"]) == (0, "done", "cpu_only"), result
    python = product.target / "env" / "bin" / "python"
    sums = [python, "-c", "import torch; print((torch.ones(3, 3) @ torch.ones(3, 3)).sum().item())"]
    assert subprocess.run(sums, capture_output=True, check=True).stdout.split() == [b"27.0"]
    shell = subprocess.run([product.target / "start.sh", "python", "-c", "import sys; print(sys.prefix)"],
                           capture_output=True, check=True)  # fmt: skip
    assert shell.stdout.decode().strip() == str(product.target / "env")
    for name in ("verification.txt", "verification.json", "verification.html", "constraints.txt"):
        assert (product.target / name).stat().st_size > 0

    code, lines = product.run("undo")
    assert (code, check(lines[-1], "setup_apply")["complete"]) == (0, True)
    assert product.left() == []
    code, _ = product.run("status")
    assert code == 0
