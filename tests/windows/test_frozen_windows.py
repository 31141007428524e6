"""The frozen Windows program; built by ``installer/build.py``, named by ROCM_GUI_FROZEN."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from rocm_gui import __version__

FROZEN = os.environ.get("ROCM_GUI_FROZEN", "")
pytestmark = [
    pytest.mark.windows,
    pytest.mark.frozen,
    pytest.mark.skipif(not FROZEN, reason="ROCM_GUI_FROZEN names no frozen program (see installer/build.py)"),
]


@pytest.fixture(scope="module")
def environment(tmp_path_factory) -> Path:
    """A bare environment of a separate Python."""
    folder = tmp_path_factory.mktemp("bare") / "环境"
    venv.create(folder, with_pip=False)
    return folder


@pytest.fixture
def frozen(tmp_path):
    """Runs the frozen program: exit code, standard output, standard error."""

    def run(*arguments: str, name: str = "rocm-gui.exe") -> tuple[int, str, str]:
        argv = [str(Path(FROZEN).with_name(name)), *arguments]

        def once() -> subprocess.CompletedProcess[bytes]:
            return subprocess.run(
                argv, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, check=False
            )

        try:
            answer = once()
        except subprocess.TimeoutExpired:  # Wine leaves a child suspended, about once in a hundred starts
            answer = once()
        return answer.returncode, answer.stdout.decode("utf-8", "replace"), answer.stderr.decode("utf-8", "replace")

    return run


def test_both_programs_answer_and_the_one_without_a_console_needs_no_streams(frozen):
    """The build itself has let both visit every page of the window (``installer/build.py``)."""
    assert frozen("--version")[:2] == (0, f"rocm-gui {__version__}\r\n")
    assert frozen("--version", name="rocm-guiw.exe")[0] == 0


def test_check_knows_this_windows_and_does_not_take_itself_for_a_python(frozen):
    code, out, _ = frozen("check", "--json")
    assert code in (0, 1)
    document = json.loads(out)
    assert document["host"]["os"] == "windows"
    assert "rocm-gui.exe" not in out


def test_a_script_runs_in_a_separate_python(frozen, environment, tmp_path):
    script = tmp_path / "训练.py"
    script.write_text("import sys\nprint('在运行', sys.argv[1:], sys.prefix)\nsys.exit(7)\n", encoding="utf-8")
    code, out, err = frozen("--lang", "en", "run", "--python", str(environment), "--", str(script), "--epochs", "3")
    assert code == 7, err
    assert out.strip() == f"在运行 ['--epochs', '3'] {environment}"
    assert "PyTorch is not installed" in err


def test_a_worker_in_a_separate_python_gives_the_verdict(frozen, environment):
    code, out, err = frozen("verify", "--python", str(environment), "--json")
    report = json.loads(out)
    assert (code, report["verdict"], report["fault"]["code"]) == (1, "failed", "torch_missing"), err
    assert report["probe"]["python_version"] == ".".join(map(str, sys.version_info[:3]))


def test_the_programs_say_what_they_are():
    import ctypes

    version = ctypes.WinDLL("version")
    for name in ("rocm-gui.exe", "rocm-guiw.exe"):
        path = str(Path(FROZEN).with_name(name))
        assert version.GetFileVersionInfoSizeW(path, None) > 0
