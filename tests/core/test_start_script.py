"""The start scripts: their text, and on POSIX systems what they really do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Literal
from urllib.request import url2pathname

import pytest

from rocm_gui.core.start_script import StartSettings, start_cmd, start_files, start_ps1

if TYPE_CHECKING:
    from pathlib import Path

posix = pytest.mark.skipif(os.name != "posix", reason="runs /bin/sh")


def test_windows_files_have_the_right_line_ends_and_marks() -> None:
    files = start_files("windows", StartSettings(environment="env", visible_devices="1"))
    assert set(files) == {"start.cmd", "start.ps1"}
    assert not files["start.cmd"].startswith(b"\xef\xbb\xbf")  # cmd.exe would print it
    assert files["start.ps1"].startswith(b"\xef\xbb\xbf")  # PowerShell 5 would read the code page without it
    for data in files.values():
        assert data.count(b"\r\n") == data.count(b"\n")


def test_cmd_needs_no_code_page_for_plain_text() -> None:
    text = start_cmd(StartSettings(environment="env", visible_devices="GPU-1f2e3d4c5b6a7988"))
    assert "chcp" not in text
    assert 'set "HIP_VISIBLE_DEVICES=GPU-1f2e3d4c5b6a7988"' in text.splitlines()


def test_cmd_changes_the_code_page_before_letters_that_need_it() -> None:
    lines = start_cmd(StartSettings(environment="env", variables={"MIOPEN_USER_DB_PATH": "D:\\缓存"})).splitlines()
    assert lines.index("chcp 65001 >nul") < lines.index('set "MIOPEN_USER_DB_PATH=D:\\缓存"')


def test_cmd_doubles_percent_signs_of_values() -> None:
    text = start_cmd(StartSettings(environment="env", variables={"X": "50% & more"}))
    assert 'set "X=50%% & more"' in text.splitlines()


def test_powershell_quotes_apostrophes() -> None:
    text = start_ps1(StartSettings(environment="env", variables={"X": "it's $HOME"}))
    assert "$env:X = 'it''s $HOME'" in text.splitlines()


def test_the_constraints_are_a_plain_url_whatever_the_folder_is_called() -> None:
    settings = StartSettings(environment="env", target="D:\\my 50% 缓存")
    url = "file:///D:/my%2050%25%20%E7%BC%93%E5%AD%98/constraints.txt"
    assert f'set "PIP_CONSTRAINT={url.replace("%", "%%")}"' in start_cmd(settings).splitlines()
    assert f"$env:PIP_CONSTRAINT = '{url}'" in start_ps1(settings).splitlines()
    assert "chcp" not in start_cmd(settings)


@pytest.mark.parametrize("variables", [{"A B": "x"}, {"": "x"}, {"X": "a\nb"}, {"X": "a\rb"}, {"É": "x"}, {"X;Y": "x"}])
def test_what_no_script_can_hold_is_refused(variables: dict[str, str]) -> None:
    for system in ("windows", "linux"):
        with pytest.raises(ValueError, match=r"variable|control character"):
            start_files(system, StartSettings(environment="env", variables=variables))  # type: ignore[arg-type]


def test_cmd_refuses_quotation_marks() -> None:
    with pytest.raises(ValueError, match="quotation mark"):
        start_cmd(StartSettings(environment="env", variables={"X": 'say "hi"'}))


NAMES = ("VIRTUAL_ENV", "PIP_CONSTRAINT", "HIP_VISIBLE_DEVICES", "X")
SHOW = f"import os; print(*(os.environ.get(name) for name in {NAMES}), sep='\\n')"


@posix
@pytest.mark.parametrize("name", ["plain", "with blanks", "50% off", "a'b\"c", "$HOME", "张三", "!x#y?"])
def test_start_sh_works_in_any_folder(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    programs = folder / "env" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").symlink_to(sys.executable)
    settings = StartSettings(
        environment="env", target=str(folder), visible_devices="1", variables={"X": "it's 50% $HOME"}
    )
    script = folder / "start.sh"
    script.write_bytes(start_files("linux", settings)["start.sh"])
    script.chmod(0o755)
    done = subprocess.run(
        [script, "python", "-I", "-S", "-c", SHOW], capture_output=True, check=True, cwd="/", timeout=30
    )
    home, constraint, devices, value = done.stdout.decode().splitlines()
    assert home == str(folder / "env")
    assert devices == "1"
    assert value == "it's 50% $HOME"
    # pip splits the variable at blanks and takes a URL for each part
    assert " " not in constraint
    assert url2pathname(constraint.removeprefix("file://")) == str(folder / "constraints.txt")


@posix
def test_pip_obeys_the_constraint_of_start_sh(tmp_path: Path) -> None:
    folder = tmp_path / "with blanks 张三"
    (folder / "env" / "bin").mkdir(parents=True)
    (folder / "constraints.txt").write_text("nowhere==1.0\n", encoding="utf-8")
    script = folder / "start.sh"
    script.write_bytes(start_files("linux", StartSettings(environment="env", target=str(folder)))["start.sh"])
    script.chmod(0o755)
    argv = [script, sys.executable, "-m", "pip", "install", "--no-index", "--dry-run", "nowhere==2.0"]
    done = subprocess.run(argv, capture_output=True, check=False, timeout=60)
    assert b"The user requested (constraint) nowhere==1.0" in done.stdout + done.stderr


@posix
def test_start_sh_hands_on_exit_codes(tmp_path: Path) -> None:
    script = tmp_path / "start.sh"
    script.write_bytes(start_files("linux", StartSettings(environment="env"))["start.sh"])
    script.chmod(0o755)
    assert subprocess.run([script, "sh", "-c", "exit 7"], check=False, timeout=30).returncode == 7


@posix
@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize("kind", ["venv", "conda"])
def test_the_shell_of_start_sh_keeps_the_environment_whatever_the_settings_put_in_front(
    tmp_path: Path, kind: Literal["venv", "conda"]
) -> None:
    folder, home, other = tmp_path / "with blanks 张三", tmp_path / "home", tmp_path / "pyenv"
    for place in (folder / "env" / "bin", other):
        place.mkdir(parents=True)
        (place / "python").symlink_to(sys.executable)
    home.mkdir()
    (home / ".bashrc").write_text(
        f'PATH={other}:$PATH\nCONDA_PREFIX={other}\nalias greet="echo mine"\n', encoding="utf-8"
    )
    script = folder / "start.sh"
    script.write_bytes(start_files("linux", StartSettings(environment="env", env_kind=kind))["start.sh"])
    script.chmod(0o755)
    done = subprocess.run(
        [script],
        input="command -v python\ngreet\necho \"${CONDA_PREFIX-}|${VIRTUAL_ENV-}|${ROCM_GUI_START-none}\"\nexit\n",
        capture_output=True, text=True, check=True, timeout=30,
        env={"HOME": str(home), "PATH": os.environ["PATH"], "SHELL": str(shutil.which("bash"))},
    )  # fmt: skip
    env = folder / "env"
    homes = f"{env}|" if kind == "conda" else f"{other}|{env}"
    assert done.stdout.splitlines() == [str(env / "bin" / "python"), "mine", f"{homes}|none"]
