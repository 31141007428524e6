"""What start.cmd really does under cmd.exe."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from urllib.request import url2pathname

import pytest

from rocm_gui.core.start_script import StartSettings, start_files

pytestmark = pytest.mark.windows
NAMES = ("VIRTUAL_ENV", "PIP_CONSTRAINT", "HIP_VISIBLE_DEVICES", "X")
SHOW = f"import os\nfor name in {NAMES}:\n    print(ascii(os.environ.get(name)))\n"


def _under_wine() -> bool:
    import ctypes

    return hasattr(ctypes.WinDLL("ntdll"), "wine_get_version")


@pytest.mark.parametrize("name", ["plain", "with blanks", "50% off", "%TEMP%", "a&b", "!x#y"])
def test_start_cmd_works_in_any_folder(tmp_path: Path, name: str) -> None:
    if "%" in name and _under_wine():
        pytest.skip("the cmd.exe of Wine expands a % of %~dp0 a second time, which that of Windows does not")
    folder = tmp_path / name
    folder.mkdir()
    settings = StartSettings(environment="env", target=str(folder), visible_devices="1", variables={"X": "50% & more"})
    for file, data in start_files("windows", settings).items():
        (folder / file).write_bytes(data)
    show = tmp_path / "show.py"
    show.write_text(SHOW, encoding="ascii")
    argv = ["cmd", "/d", "/c", ".\\start.cmd", sys.executable, "-I", "-S", str(show)]
    done = subprocess.run(argv, input=b"", capture_output=True, check=False, timeout=60, cwd=folder)
    lines = [ast.literal_eval(line) for line in done.stdout.decode("ascii").splitlines() if line.strip()]
    assert done.returncode == 0, done.stderr
    home, constraint, devices, value = lines
    assert Path(home) == folder / "env"
    assert devices == "1"
    assert value == "50% & more"
    assert " " not in constraint
    assert Path(url2pathname(constraint.removeprefix("file:"))) == folder / "constraints.txt"


def test_start_cmd_hands_on_exit_codes(tmp_path: Path) -> None:
    script = tmp_path / "start.cmd"
    script.write_bytes(start_files("windows", StartSettings(environment="env"))["start.cmd"])
    argv = ["cmd", "/d", "/c", str(script), sys.executable, "-c", "raise SystemExit(7)"]
    assert subprocess.run(argv, input=b"", capture_output=True, check=False, timeout=60).returncode == 7
