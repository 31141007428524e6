"""The frozen program, which has no Python of its own to give away: checks, its window, a whole setup, a script.

The build freezes it and names it in ROCM_GUI_FROZEN; by hand: ``python installer/build.py``, then
``ROCM_GUI_FROZEN=dist/linux/rocm-gui/rocm-gui pytest -m frozen``.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FROZEN = os.environ.get("ROCM_GUI_FROZEN", "")
pytestmark = [
    pytest.mark.frozen,
    pytest.mark.skipif(not FROZEN, reason="ROCM_GUI_FROZEN names no frozen program (see installer/build.py)"),
    pytest.mark.skipif(sys.platform == "win32", reason="tests/windows has its own"),
    pytest.mark.timeout(900),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory) -> Path:
    """One folder for the setup that these tests make, use and undo."""
    return tmp_path_factory.mktemp("frozen")


@pytest.fixture
def frozen(place):
    """Runs the frozen program: exit code, standard output, standard error."""

    def run(*arguments: str, timeout_s: float = 120, stdin: str = "") -> tuple[int, str, str]:
        env = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
        env |= {"ROCM_GUI_HOME": str(place / "home"), "QT_QPA_PLATFORM": "offscreen"}
        answer = subprocess.run(
            [str(Path(FROZEN).absolute()), *arguments],
            env=env,
            cwd=place,
            input=stdin,
            capture_output=True,
            encoding="utf-8",
            timeout=timeout_s,
            check=False,
        )
        return answer.returncode, answer.stdout, answer.stderr

    return run


def base_python() -> str:
    """A Python that is not the frozen one: the tests' own, outside its virtual environment."""
    return getattr(sys, "_base_executable", None) or sys.executable


def test_the_window_opens_shows_every_page_and_says_nothing(frozen):
    assert frozen("--smoke-test") == (0, "", "")


def test_the_program_without_a_console_is_the_same(frozen):
    windowed = Path(FROZEN).absolute().with_name("rocm-guiw")
    assert windowed.is_file()
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    answer = subprocess.run([str(windowed), "--smoke-test"], env=env, capture_output=True, timeout=120, check=False)
    assert (answer.returncode, answer.stdout, answer.stderr) == (0, b"", b"")


def test_check_answers_in_both_languages(frozen):
    code, out, _ = frozen("check", "--json")
    assert code in (0, 1)
    document = json.loads(out)
    assert document["schema"] == 1
    assert document["host"]["os"] == "linux"
    assert "显卡" in frozen("--lang", "zh_CN", "check")[1]


def test_it_finds_pythons_and_never_itself(frozen):
    document = json.loads(frozen("check", "--json")[1])
    text = json.dumps(document)
    assert str(Path(FROZEN).absolute()) not in text


def test_pages_can_be_pictured(frozen, place):
    code, _, err = frozen("screenshot", str(place / "shots"), "--simulate", "rx7900xtx", "--lang", "zh_CN")
    assert (code, err) == (0, "")
    assert len(list((place / "shots").glob("*.png"))) >= 9


def test_a_whole_setup_with_a_separate_python(frozen, place):
    target = place / "rocm"
    arguments = [
        "setup",
        "apply",
        "--route",
        "cpu",
        "--target",
        str(target),
        "--python",
        base_python(),
        "--yes",
        "--json",
    ]
    code, out, err = frozen(*arguments, timeout_s=800)
    assert code == 0, out[-3000:] + err[-3000:]
    result = json.loads(out.splitlines()[-1])
    assert (result["type"], result["state"]) == ("result", "done")
    python = target / "env" / "bin" / "python"

    code, out, _ = frozen("verify", "--python", str(python), "--json", timeout_s=400)
    report = json.loads(out)
    assert (code, report["verdict"]) == (0, "cpu_only")

    script = place / "train.py"
    script.write_text(
        "import os, sys, torch\n"
        "print(torch.ones(3).sum().item(), sys.argv[1:], sys.prefix)\n"
        "print(sorted(name for name in os.environ if name.startswith(('_PYI', '_MEIPASS'))))\n"
        "print(os.environ.get('LD_LIBRARY_PATH'), os.environ.get('QT_PLUGIN_PATH'))\n",
        encoding="utf-8",
    )
    code, out, err = frozen("run", "--python", str(python), "--", str(script), "--epochs", "3")
    assert code == 0, err
    expected = [f"3.0 ['--epochs', '3'] {target / 'env'}", "[]", f"{os.environ.get('LD_LIBRARY_PATH')} None"]
    assert out.splitlines() == expected

    code, out, err = frozen("setup", "undo", "--target", str(target), timeout_s=200)
    assert code == 0, err
    assert not (target / "env").exists()
    shutil.rmtree(target, ignore_errors=True)


def test_every_package_in_it_has_its_licence():
    folder = Path(FROZEN).absolute().parent / "licenses"
    names = [line.split()[0] for line in (folder / "INDEX.txt").read_text(encoding="utf-8").splitlines()]
    assert {"PySide6_Essentials", "shiboken6", "Python", "msgspec", "requests", "pyinstaller"} <= set(names)
    for name in names:
        assert any(path.stat().st_size > 200 for path in (folder / name).rglob("*") if path.is_file()), name
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in (folder / "PySide6_Essentials" / "LGPL-3.0.txt").read_text("utf-8")


def test_only_what_is_needed_is_in_it():
    inside = Path(FROZEN).absolute().parent / "_internal"
    names = [str(path.relative_to(inside)) for path in inside.rglob("*")]
    assert not [name for name in names if "Qml" in name or "Quick" in name or "torch" in name.lower().split("/")]
    assert [Path(name).name for name in names if name.endswith(".qm") and "qtbase" in name] == ["qtbase_zh_CN.qm"]
    assert "workers/_emit.py" in names
