"""A whole setup on Windows: real venv, real pip, real PyTorch, killed on the way, resumed, proved, taken back."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.windows, pytest.mark.timeout(1500)]
REPOSITORY = Path(__file__).resolve().parents[2]
TORCH = "2.9.1"


@pytest.mark.torch
@pytest.mark.network
def test_cpu_route_killed_resumed_and_proved(torch_setup) -> None:
    _, seen = torch_setup.answers["apply"]
    done = [event["step"] for event in seen if event["type"] == "step" and event["state"] == "done"]
    assert done == ["preflight", "environment", "pip", "resolve", "download"], seen[-3:]

    code, status = torch_setup.answers["status"]
    assert (code, status[-1]["phase"]) == (0, "interrupted")
    assert status[-1]["next"] == ["resume", "undo"]

    code, lines = torch_setup.answers["resume"]
    result = lines[-1]
    assert (code, result["type"], result["state"], result["verdict"]) == (0, "result", "done", "cpu_only"), result
    names = sorted(path.name for path in torch_setup.target.iterdir())
    assert names == [
        ".rocm_gui.json",
        "constraints.txt",
        "env",
        "start.cmd",
        "start.ps1",
        "verification.html",
        "verification.json",
        "verification.txt",
    ]
    assert (torch_setup.target / "constraints.txt").read_text().startswith(f"torch=={TORCH}")
    answer = subprocess.run(
        [
            torch_setup.python,
            "-c",
            "import torch; print(torch.__version__, (torch.ones(3, 3) @ torch.ones(3, 3)).sum().item())",
        ],
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert answer.stdout.decode().split() == [TORCH + "+cpu", "27.0"]


def test_second_process_is_refused_while_the_first_holds_the_target(tmp_path: Path) -> None:
    from rocm_gui.core.errors import AppError
    from rocm_gui.services.setup_store import TargetLock
    from rocm_gui.system.paths import default_paths

    paths = default_paths(tmp_path / "state")
    code = (
        "import sys; from pathlib import Path; from rocm_gui.services.setup_store import TargetLock\n"
        "from rocm_gui.system.paths import default_paths\n"
        "with TargetLock(default_paths(Path(sys.argv[1])), Path(sys.argv[2])):\n"
        "    print('held', flush=True); sys.stdin.readline()\n"
    )
    argv = [sys.executable, "-c", code, str(tmp_path / "state"), str(tmp_path / "T")]
    env = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    errors = tmp_path / "errors.txt"
    with errors.open("wb") as stderr:
        child = subprocess.Popen(argv, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr)
    assert child.stdin is not None
    assert child.stdout is not None
    assert child.stdout.readline().strip() == b"held", (child.wait(30), errors.read_bytes())
    lock = TargetLock(paths, tmp_path / "t")  # the same folder: Windows does not tell case apart
    assert lock.held()
    assert lock.holder() == child.pid
    with pytest.raises(AppError, match="setup_busy"):
        lock.__enter__()
    child.kill()  # the lock dies with its process
    child.wait(30)
    child.stdin.close()
    child.stdout.close()
    with lock:
        assert not TargetLock(paths, tmp_path / "other").held()
    assert not lock.held()
