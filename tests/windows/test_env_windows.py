"""Variables in the real registry: types and text as ``reg query`` tells them, everything taken back byte for byte."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.windows
REPOSITORY = Path(__file__).resolve().parents[2]
PATH = ";".join(
    [r"%SystemRoot%\system32", '"C:\\Program Files\\a;b"', "C:\\Windows\\", r"c:\windows", r"C:\工具\张三 的程序", ""]
    + [rf"D:\软件\第 {number} 个文件夹\bin" + ("\\" if number % 3 else "") for number in range(190)]
)


@pytest.fixture
def account():
    """The account's variables, restored whatever happens."""
    from rocm_gui.system.variables import USER_KEY
    from rocm_gui.system.windows.registry import WinRegistry

    registry = WinRegistry()
    before = dict(registry.values("HKCU", USER_KEY) or {})
    yield registry
    for name in registry.values("HKCU", USER_KEY) or {}:
        registry.delete_value("HKCU", USER_KEY, name)
    for name, (data, kind) in before.items():
        registry.set_value("HKCU", USER_KEY, name, data, kind)
    assert registry.values("HKCU", USER_KEY) == before


@pytest.fixture
def editor(tmp_path, account):
    from rocm_gui.services.env_editor import EnvEditor
    from rocm_gui.system.windows.environment import RegistryVariables

    return EnvEditor(RegistryVariables(account, os.environ, admin=True), tmp_path / "env", {})


def edit(kind, name="PATH", text="", **more):
    from rocm_gui.core.variables import Edit

    return Edit(kind=kind, scope=more.pop("scope", "user"), name=name, text=text, **more)


def query(name: str) -> tuple[str, str] | None:
    """Type and text as ``reg query`` prints them (through a file: its own code page could not hold every letter)."""
    argv = ["reg", "query", r"HKCU\Environment", "/v", name]
    done = subprocess.run(argv, capture_output=True, check=False, timeout=60)
    with contextlib.suppress(StopIteration):
        line = next(row for row in done.stdout.decode("mbcs", "replace").splitlines() if "REG_" in row)
        found, kind, text = line.strip().split("    ", 2)
        assert found.casefold() == name.casefold()
        return kind, text
    return None


def test_long_path_survives_in_every_byte(account, editor):
    from rocm_gui.system.variables import USER_KEY

    assert len(PATH) > 4000
    account.set_value("HKCU", USER_KEY, "Path", PATH, 2)
    editor.apply(editor.preview([edit("add", text=r"C:\rocm\bin")]))
    assert account.values("HKCU", USER_KEY)["Path"] == (PATH + r";C:\rocm\bin", 2)
    assert editor.preview([edit("add", text="c:/ROCM/bin/")]).changes == ()
    editor.apply(editor.preview([edit("remove", text=r"C:\WINDOWS")]))
    editor.undo()
    editor.undo()
    assert account.values("HKCU", USER_KEY)["Path"] == (PATH, 2)


@pytest.mark.parametrize(
    ("before", "text", "kind"),
    [(None, "plain", "REG_SZ"), (None, "%x% y", "REG_EXPAND_SZ"), (("old", 2), "new", "REG_EXPAND_SZ"),
     (("old", 1), "new", "REG_SZ"), ((b"\x01\x02", 3), "new", "REG_SZ")],
)  # fmt: skip
def test_reg_query_agrees_with_type_and_text(account, editor, before, text, kind):
    from rocm_gui.system.variables import USER_KEY

    if before is not None:
        account.set_value("HKCU", USER_KEY, "ROCM_GUI_TEST", *before)
    editor.apply(editor.preview([edit("set", "rocm_gui_test", text)]))
    assert query("ROCM_GUI_TEST") == (kind, text)
    editor.undo()
    assert (account.values("HKCU", USER_KEY) or {}).get("ROCM_GUI_TEST") == before


def test_a_path_that_is_absent_is_made_and_removed(account, editor):
    from rocm_gui.system.variables import USER_KEY

    account.delete_value("HKCU", USER_KEY, "PATH")
    editor.apply(editor.preview([edit("add", text=r"C:\rocm\bin")]))
    assert query("PATH") == ("REG_SZ", r"C:\rocm\bin")
    editor.undo()
    assert query("PATH") is None


def test_the_reg_file_of_a_backup_restores(account, editor, tmp_path):
    from rocm_gui.system.variables import USER_KEY

    account.set_value("HKCU", USER_KEY, "ROCM_GUI_TEST", '%x% "张三" \\', 2)
    files = editor.backup(tmp_path / "backup.json")
    account.delete_value("HKCU", USER_KEY, "ROCM_GUI_TEST")
    subprocess.run(["reg", "import", str(files[1])], check=True, capture_output=True, timeout=60)
    assert account.values("HKCU", USER_KEY)["ROCM_GUI_TEST"] == ('%x% "张三" \\', 2)


def test_a_new_process_sees_the_machines_scope(account, editor):
    from rocm_gui.system.variables import MACHINE_KEY

    editor.apply(editor.preview([edit("set", "ROCM_GUI_TEST", "机器", scope="machine")]))
    try:
        assert account.values("HKLM", MACHINE_KEY)["ROCM_GUI_TEST"] == ("机器", 1)
    finally:
        editor.undo()
    assert "ROCM_GUI_TEST" not in account.values("HKLM", MACHINE_KEY)


def test_the_command_line_shows_changes_and_takes_back(account, tmp_path):
    env = {**os.environ, "ROCM_GUI_HOME": str(tmp_path), "PYTHONPATH": str(REPOSITORY)}

    def run(*arguments: str) -> dict:
        argv = [sys.executable, "-m", "rocm_gui", "--lang", "en", "env", *arguments, "--json"]
        done = subprocess.run(argv, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=120)
        assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
        return json.loads(done.stdout)

    assert run("add-path", r"C:\rocm\bin", "--yes")["written"] is True
    entries = [row["entry"] for row in run("show")["scopes"]["user"]["path"]]
    assert entries[-1] == r"C:\rocm\bin"
    assert run("undo", "--yes")["written"] is True
    assert r"C:\rocm\bin" not in [row["entry"] for row in run("show")["scopes"]["user"]["path"]]
    found = run("explain-setx", r'setx PATH "%PATH%;C:\x"')["lines"][0]
    assert found["safe"] == [r"rocm-gui env add-path C:\x"]
