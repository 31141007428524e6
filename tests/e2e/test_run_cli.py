"""``rocm-gui run`` as a person or a program uses it, in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import venv
from typing import TYPE_CHECKING

import jsonschema
import pytest

from rocm_gui.system.paths import find_resources

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = json.loads((find_resources() / "docs" / "schema" / "run.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def environment(tmp_path_factory) -> Path:
    """A bare environment: no PyTorch, no pip, made in a moment."""
    folder = tmp_path_factory.mktemp("bare") / "env"
    venv.create(folder, with_pip=False, symlinks=os.name == "posix")
    return folder


@pytest.fixture
def script(tmp_path):
    """Writes the script."""

    def write(source: str) -> str:
        path = tmp_path / "train.py"
        path.write_text(source, encoding="utf-8")
        return str(path)

    return write


def command(environment: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "rocm_gui", "--lang", "en", "run", "--python", str(environment), *arguments]


def run(environment: Path, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(environment, *arguments), input=stdin, capture_output=True, encoding="utf-8", timeout=60, check=False
    )


def test_output_input_arguments_and_exit_code_pass_through(environment, script, tmp_path):
    path = script(
        "import os, sys\nprint(sys.prefix != sys.base_prefix, sys.argv[1:], input())\nprint(os.getcwd())\nsys.exit(9)\n"
    )
    answer = run(environment, "--", path, "--json", "--", "-x", stdin="你好\n")
    assert answer.returncode == 9
    assert answer.stdout.splitlines() == ["True ['--json', '--', '-x'] 你好", str(tmp_path)]
    assert "PyTorch is not installed" in answer.stderr


def test_json_lines_end_with_a_result_that_explains(environment, script):
    path = script("print('epoch 1', end='\\r')\nprint('epoch 2')\nimport xformers\n")
    answer = run(environment, "--json", "--", path)
    lines = [json.loads(line) for line in answer.stdout.splitlines()]
    for line in lines:
        jsonschema.Draft202012Validator(SCHEMA).validate(line)
    assert [line["text"] for line in lines if line["type"] == "log" and line["stream"] == "stdout"] == [
        "epoch 1",
        "epoch 2",
    ]
    result = lines[-1]
    assert (result["type"], result["state"], result["exit_code"], answer.returncode) == ("result", "failed", 1, 1)
    assert result["explanation"]["code"] == "module_missing"
    assert result["explanation"]["cause"] == "The package xformers is not installed in this environment."


def test_the_cause_comes_after_the_traceback(environment, script):
    answer = run(environment, script("import xformers"))
    assert answer.returncode == 1
    traceback, _, explained = answer.stderr.partition("No module named 'xformers'")
    assert "Traceback" in traceback
    assert "Why: The package xformers is not installed" in explained
    assert "What to do: " in explained


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--", "no_such_script.py"], "There is no script no_such_script.py"),
        ([], "No script was named"),
        (["--device", "x", "--", "a.py"], "neither a number"),
        (["--timeout", "0", "--", "a.py"], "not a number of seconds above 0"),
    ],
)
def test_wrong_use_is_2_and_one_sentence(environment, arguments, words):
    answer = run(environment, *arguments)
    assert answer.returncode == 2
    assert words in answer.stderr
    assert "Traceback" not in answer.stderr


def test_no_python_is_2(tmp_path, script):
    answer = run(tmp_path / "none", "--", script(""))
    assert answer.returncode == 2
    assert "There is no file" in answer.stderr


def test_a_time_limit_is_4(environment, script):
    answer = run(environment, "--timeout", "0.5", "--", script("import threading\nthreading.Event().wait(60)"))
    assert answer.returncode == 4
    assert "time limit" in answer.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
def test_ctrl_c_goes_to_the_script_and_ends_with_130(environment, script):
    path = script(
        "import signal\n"
        "try:\n    print('ready', flush=True)\n    signal.pause()\n"
        "except KeyboardInterrupt:\n    print('saved')\n"
    )
    process = subprocess.Popen(
        command(environment, "--", path),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert out == "saved\n"
    assert "passed on to the script" in err


@pytest.mark.skipif(os.name != "posix", reason="POSIX terminals")
def test_on_a_terminal_the_script_sees_a_terminal(environment, script):
    import pty

    path = script("import sys\nprint('tty', sys.stdin.isatty(), sys.stdout.isatty())\nprint('got', input())\n")
    main, child = pty.openpty()
    process = subprocess.Popen(
        command(environment, "--", path), stdin=child, stdout=child, stderr=subprocess.DEVNULL, start_new_session=True
    )
    os.close(child)
    os.write(main, b"hello\n")
    seen = b""
    while b"got hello" not in seen:
        seen += os.read(main, 4096)
    assert b"tty True True" in seen
    assert process.wait(30) == 0
    os.close(main)
