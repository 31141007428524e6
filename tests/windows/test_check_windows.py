"""``rocm-gui check`` with a real Windows Python: real registry, drives and interpreters."""

import json
import subprocess
import sys

import pytest
from check_cases import CHECKS

from rocm_gui.cli import main

pytestmark = pytest.mark.windows


def run(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-m", "rocm_gui", *arguments], capture_output=True, timeout=120, check=False)


def test_this_windows_is_judged():
    done = run("check", "--json")
    document = json.loads(done.stdout.decode("utf-8"))
    answers = {answer["id"]: answer for answer in document["checks"]}
    assert done.returncode == (1 if document["counts"]["fail"] else 0)
    assert document["host"]["os"] == "windows"
    assert document["host"]["os_build"] >= 10240
    assert set(answers) <= set(CHECKS)
    assert "linux_distribution" not in answers
    build = document["host"]["os_build"]
    expected = "tested" if build >= 26200 else "untested" if build >= 22621 else answers["windows_build"]["code"]
    assert answers["windows_build"]["code"] == expected
    assert answers["python_version"]["status"] == "ok"
    assert answers["disk_space"]["status"] in ("ok", "warn", "fail")
    assert [answer for answer in answers.values() if answer["code"] in ("crashed", "timed_out")] == []


def test_a_deep_folder_is_refused_for_rocm(capfd):
    deep = "C:\\" + "x" * 110
    code = main(["check", "--json", "--only", "path_length", "--target", deep, "--route", "amd-windows-10.1"])
    (answer,) = json.loads(capfd.readouterr().out)["checks"]
    assert (code, answer["status"], answer["facts"]["length"]) == (1, "fail", 113 + 62)


def test_chinese_text_on_a_console_of_any_code_page():
    done = run("--lang", "zh_CN", "check", "--only", "ram,git")
    assert done.returncode in (0, 1)
    assert done.stderr == b""
    assert done.stdout.count(b"\n") >= 8
