from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from rocm_gui.system import process
from rocm_gui.system.process import child_env, decode_output, find_program, run
from rocm_gui.system.process_tree import refuse_unsafe_batch

PYTHON = sys.executable
posix = pytest.mark.skipif(sys.platform == "win32", reason="POSIX")


def python(code: str, **options: object) -> process.Completed:
    options.setdefault("timeout_s", 30.0)
    return run([PYTHON, "-c", code], **options)  # type: ignore[arg-type]


def alive(pid: int) -> bool:
    """Whether the process runs; a zombie that nobody has reaped yet does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def gone(pid: int, within_s: float = 5.0) -> bool:
    deadline = time.monotonic() + within_s
    while alive(pid):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def test_output_code_and_input() -> None:
    done = python(
        "import sys; print(sys.stdin.read().upper()); print('é', file=sys.stderr); sys.exit(3)", input_text="ü"
    )
    assert (done.code, done.stdout, done.stderr, done.timed_out, done.missing, done.error, done.ok) == (
        3,
        "Ü\n",
        "é\n",
        False,
        False,
        None,
        False,
    )


def test_standard_input_is_empty_unless_given() -> None:
    assert python("import sys; print(repr(sys.stdin.read()))").stdout == "''\n"


def test_much_output_on_both_streams_does_not_block() -> None:
    done = python("import sys\nfor i in range(20000): print('o' * 50); print('e' * 50, file=sys.stderr)")
    assert (len(done.stdout), len(done.stderr)) == (20000 * 51, 20000 * 51)


def test_a_missing_program_is_an_answer(tmp_path: Path) -> None:
    for name in ("no-such-program-here", str(tmp_path / "nothing")):
        done = run([name], timeout_s=5)
        assert (done.code, done.missing, done.ok) == (None, True, False)
        assert done.error


def test_a_missing_folder_is_not_a_missing_program(tmp_path: Path) -> None:
    done = python("", cwd=tmp_path / "nothing")
    assert (done.code, done.missing) == (None, False)
    assert done.error


@posix
def test_a_file_that_is_no_program_is_an_answer(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("hello")
    done = run([str(tmp_path / "text")], timeout_s=5)
    assert (done.code, done.missing, done.error) == (None, False, "Permission denied")


@pytest.mark.parametrize("argument", ["C:\\R&D\\env", "100%", 'a"b', "x|y", "line\nend"])
def test_a_batch_file_gets_no_argument_that_cmd_would_take_apart(argument: str) -> None:
    for name in ("C:\\conda\\conda.bat", "tool.CMD", "x.bat. "):
        with pytest.raises(OSError, match="batch"):
            refuse_unsafe_batch([name, "create", argument])
    refuse_unsafe_batch(["C:\\conda\\conda.exe", argument])
    refuse_unsafe_batch(["conda.bat", "create", "-p", "C:\\My Env", "python=3.12"])


@posix
def test_a_program_that_hangs_is_killed_with_all_it_started() -> None:
    done = run(["sh", "-c", "sleep 60 & echo $!; echo partial; sleep 60"], timeout_s=1.0)
    assert (done.code, done.timed_out, done.ok) == (None, True, False)
    child, said = done.stdout.split()
    assert said == "partial"
    assert done.duration_s < 10
    assert gone(int(child))


@posix
def test_a_grandchild_that_holds_the_output_does_not_hold_us(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_HELD_PIPE_S", 0.2)
    done = run(["sh", "-c", "sleep 60 & echo $!; exit 4"], timeout_s=30)
    assert (done.code, done.timed_out) == (4, False)
    assert gone(int(done.stdout))
    escaped = run(["sh", "-c", "setsid sleep 60 & echo $!; exit 5"], timeout_s=30)
    assert escaped.code == 5
    assert alive(int(escaped.stdout)), "what left the session is not ours to end"
    os.kill(int(escaped.stdout), 9)


@posix
def test_a_signal_is_told_as_its_negative_number() -> None:
    assert python("import os; os.kill(os.getpid(), 11)").code == -11


def test_the_environment_is_free_of_our_own_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHOME", "/nowhere")
    monkeypatch.setenv("VIRTUAL_ENV", "/ours")
    monkeypatch.setenv("KEPT", "1")
    env = child_env({"ADDED": "2", "KEPT": None, "ABSENT": None})
    assert env["ADDED"] == "2"
    assert env["PYTHONUTF8"] == "1"
    assert not {"PYTHONHOME", "VIRTUAL_ENV", "KEPT"} & env.keys()
    assert python("print('starts')", env=env).stdout == "starts\n"


def test_a_frozen_program_gives_back_what_its_loader_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "_MEIPASS", "/tmp/_MEI1", raising=False)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/tmp/_MEI1")
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/opt/rocm/lib")
    monkeypatch.setenv("_PYI_ARCHIVE_FILE", "x")
    monkeypatch.setenv("QT_PLUGIN_PATH", "/tmp/_MEI1/plugins")
    monkeypatch.setenv("PATH", os.pathsep.join(["/tmp/_MEI1", "/usr/bin"]))
    env = child_env()
    assert (env["LD_LIBRARY_PATH"], env["PATH"]) == ("/opt/rocm/lib", "/usr/bin")
    assert not {"LD_LIBRARY_PATH_ORIG", "_PYI_ARCHIVE_FILE", "QT_PLUGIN_PATH"} & env.keys()


def test_a_program_is_looked_up_on_the_given_path_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "tool.exe" if sys.platform == "win32" else "tool"
    program = tmp_path / "bin" / name
    program.parent.mkdir()
    program.write_text("")
    program.chmod(0o755)
    monkeypatch.chdir(program.parent)
    assert find_program("tool", {"PATH": str(tmp_path)}) is None
    assert find_program("tool", {"PATH": os.pathsep.join(["", ".", str(tmp_path)])}) is None, "never the current folder"
    assert (
        find_program(
            "tool",
            {"PATH": str(program.parent)},
        ).lower()
        == str(program).lower()
    )  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"caf\xc3\xa9\r\nx", "café\nx"),
        (b"\xef\xbb\xbfbom", "bom"),
        ("默认分发版: Ubuntu\r\n".encode("utf-16"), "默认分发版: Ubuntu\n"),
        ("NAME  STATE\r\n".encode("utf-16-le"), "NAME  STATE\n"),
        (b"", ""),
        (b"a\x00b", "a\x00b"),
    ],
)
def test_decoding(data: bytes, text: str) -> None:
    assert decode_output(data) == text


@posix
def test_what_cannot_be_decoded_is_replaced() -> None:
    assert decode_output(b"caf\xe9") == "caf�"
