"""``rocm-gui verify`` as people and scripts run it."""

from __future__ import annotations

import getpass
import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from rocm_gui.system.paths import find_resources

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs PyTorch in this Python")


def rocm_gui(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rocm_gui", *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=250, check=False)


@pytest.mark.torch
@needs_torch
def test_a_cpu_environment_is_verified_and_saved_in_three_formats(tmp_path: Path) -> None:
    files = [tmp_path / f"report.{ending}" for ending in ("txt", "json", "html")]
    saves = [argument for file in files for argument in ("--save", str(file))]
    done = rocm_gui("--lang", "zh_CN", "verify", "--python", sys.executable, "--json", *saves)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1
    document = json.loads(done.stdout)
    schema = json.loads((find_resources() / "docs" / "schema" / "verify.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, schema)
    assert (document["type"], document["schema"], document["verdict"]) == ("result", 1, "cpu_only")
    assert {test["status"] for test in document["tests"]} == {"ok"}
    assert len(document["tests"]) == 11
    assert "[1/12]" in done.stderr
    saved = json.loads(files[1].read_text(encoding="utf-8"))
    jsonschema.validate(saved, schema)
    assert saved["tests"] == document["tests"]
    text, page = files[0].read_text(encoding="utf-8"), files[2].read_text(encoding="utf-8")
    assert "仅限 CPU" in text
    assert "仅限 CPU" in page
    home = str(Path.home())
    if len(home) > 1:
        assert all(home + "/" not in content for content in (text, page, files[1].read_text(encoding="utf-8")))
    assert f"/home/{getpass.getuser()}" not in page


@pytest.mark.parametrize(
    ("arguments", "exit_code", "words"),
    [
        (("--python", "/nowhere/python"), 2, "There is no file /nowhere/python"),
        (("--python", "{tmp}"), 2, "holds no Python environment"),
        (("--python", "{other}"), 2, "does not answer as a Python interpreter"),
        (("--python", "{other}", "--save", "x.pdf"), 2, "saved as .txt, .json or .html"),
        ((), 2, "required: --python"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for a foreign program is a shell script")
def test_wrong_use_is_one_clear_sentence(
    arguments: tuple[str, ...], exit_code: int, words: str, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.write_text("#!/bin/sh\nexit 0\n")
    other.chmod(0o755)
    filled = [argument.format(tmp=tmp_path, other=other) for argument in arguments]
    done = rocm_gui("--lang", "en", "verify", *filled)
    assert (done.returncode, done.stdout) == (exit_code, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_an_environment_without_pytorch_fails_with_the_way_out(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "env")], check=True, timeout=120)
    done = rocm_gui("--lang", "en", "verify", "--python", str(tmp_path / "env"))
    assert done.returncode == 1
    assert "PyTorch is not installed in this environment." in done.stdout
    assert "rocm-gui setup repair" in done.stdout
