"""``rocm-gui env`` as a person uses it, on a home folder of its own."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import jsonschema
import pytest

from rocm_gui.cli import main
from rocm_gui.core.variables import Backup, Value

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the registry is tested in tests/windows")
SCHEMA = json.loads((Path(__file__).parents[2] / "resources" / "docs" / "schema" / "env.json").read_text("utf-8"))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", "/bin/sh")
    monkeypatch.setenv("ROCM_GUI_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    monkeypatch.delenv("ROCM_PATH", raising=False)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["--lang", "en", "env", *arguments])
    shown = capsys.readouterr()
    return code, shown.out, shown.err


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    code, out, err = run(capsys, *arguments, "--json")
    assert code == 0, err
    found = json.loads(out)
    jsonschema.validate(found, SCHEMA)
    return found


def test_add_show_undo(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "tools").mkdir()
    code, out, err = run(capsys, "add-path", str(home / "tools"), "--yes")
    assert code == 0
    assert f"+ {home / 'tools'}" in err
    batch = out.rsplit(maxsplit=1)[-1]
    shown = document(capsys, "show")
    assert [row["entry"] for row in shown["scopes"]["user"]["path"]] == ["$PATH", str(home / "tools")]
    assert [row["exists"] for row in shown["scopes"]["user"]["path"]] == [None, True]
    assert run(capsys, "add-path", str(home / "tools") + "/", "--yes")[2].startswith("Nothing to change")
    assert document(capsys, "undo", batch, "--yes")["written"] is True
    assert not (home / ".profile").exists()
    assert [row["state"] for row in document(capsys, "history")["batches"]] == ["done", "undone"]


def test_without_a_yes_nothing_is_written(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "set", "ROCM_PATH", "/opt/rocm")
    assert (code, "Repeat with --yes" in err) == (2, True)
    answer = document(capsys, "set", "ROCM_PATH", "/opt/rocm", "--dry-run")
    assert (answer["written"], answer["changes"][0]["after"]["text"]) == (False, "/opt/rocm")
    assert not (home / ".config").exists()


def test_get_tells_what_is_not_set(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "get", "ROCM_PATH")[::2] == (1, "rocm-gui: ROCM_PATH is not set for your account.\n")
    assert run(capsys, "set", "ROCM_PATH", "/opt/my rocm", "--yes")[0] == 0
    assert run(capsys, "get", "ROCM_PATH")[:2] == (0, "/opt/my rocm\n")
    assert document(capsys, "get", "ROCM_PATH")["value"] == "/opt/my rocm"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["set", "A=B", "1"], 2, "an = in it"),
        (["set", "A", "1\n2"], 2, "line break"),
        (["add-path", "tools"], 2, "no full path"),
        (["add-path", "/a:/b"], 2, "colon"),
        (["undo"], 2, "no change"),
        (["undo", "nothing"], 2, "nothing"),
        (["restore", "/nowhere.json"], 2, "/nowhere.json"),
        (["set", "A", "1", "--scope", "machine"], 5, "sudo"),
        (["explain-setx", "echo"], 2, "no setx line"),
        (["sets", "--interface", "nope0"], 2, "nope0"),
        (["sets", "--save-script", "x.txt"], 2, ".ps1"),
        (["backup", "/proc/nowhere/x.json"], 1, "/proc/nowhere"),
    ],
)
def test_bad_input_is_a_sentence(
    home: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, words: str
) -> None:
    changes = arguments[0] in ("set", "add-path", "restore", "undo")
    answer = run(capsys, *arguments, *(["--yes"] if changes else []))
    assert answer[0] == code
    assert words in answer[2].replace("a = in", "an = in")
    assert not (home / ".profile").exists()


def test_backup_and_restore(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "set", "ROCM_PATH", "/a", "--yes")[0] == 0
    assert document(capsys, "backup", str(home / "b.json"))["files"] == [str(home / "b.json")]
    assert run(capsys, "set", "ROCM_PATH", "/b", "--yes")[0] == 0
    assert run(capsys, "restore", str(home / "b.json"), "--yes")[0] == 0
    assert run(capsys, "get", "ROCM_PATH")[1] == "/a\n"


def test_setx_for_a_recorded_windows(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import msgspec

    path = ";".join(rf"D:\tools\number {n:03}" for n in range(90))
    backup = Backup(user={"Path": Value(kind="REG_EXPAND_SZ", text=path)}, machine={})
    (home / "pc.json").write_bytes(msgspec.json.encode(backup))
    line = r'setx PATH "%PATH%;C:\rocm\bin"'
    found = document(capsys, "explain-setx", line, "--windows-state", str(home / "pc.json"))["lines"][0]
    assert found["findings"][0]["code"] == "cut"
    assert f"from {len(path) + 12} to 1024 characters" in found["findings"][0]["text"]
    assert found["safe"] == [r"rocm-gui env add-path C:\rocm\bin"]
    assert len(found["stored"]) == 1024


def test_sets_name_an_interface_and_save_a_script(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    answer = document(capsys, "sets", "--interface", "lo", "--save-script", str(home / "launch.sh"))
    assert answer["launch"]["NCCL_SOCKET_IFNAME"] == "lo"
    assert "export NCCL_SOCKET_IFNAME=lo\n" in (home / "launch.sh").read_text()
    assert {row["name"]: row["code"] for row in answer["tutorial"]}["ROCM_PATH"] == "rocm_path_none"
    assert "RCCL_TRACE" in run(capsys, "sets")[1]
