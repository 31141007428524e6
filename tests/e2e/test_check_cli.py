"""``rocm-gui check`` as a person or a script runs it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import jsonschema
import machines as m
import msgspec
import pytest
from check_cases import CHECKS

from rocm_gui.cli import main
from rocm_gui.core.model import Evidence
from rocm_gui.system.paths import find_resources

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = json.loads((find_resources() / "docs" / "schema" / "check.json").read_text(encoding="utf-8"))


@pytest.fixture
def record(tmp_path: Path):
    """Writes a machine and gives the arguments that judge it."""

    def write(machine) -> list[str]:
        path = tmp_path / "machine.json"
        path.write_bytes(msgspec.json.encode(machine))
        return ["--machine", str(path)]

    return write


@pytest.fixture
def check(capfd, english):
    """Runs the command in this process: exit code, standard output, standard error."""

    def run(*arguments: str, lang: str = "en") -> tuple[int, str, str]:
        code = main(["--lang", lang, "check", *arguments])
        captured = capfd.readouterr()
        return code, captured.out, captured.err

    return run


def document(text: str) -> dict:
    parsed = json.loads(text)
    jsonschema.Draft202012Validator(SCHEMA).validate(parsed)
    return parsed


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_this_machine_as_json_in_a_process_of_its_own():
    done = subprocess.run(
        [sys.executable, "-m", "rocm_gui", "check", "--json"], capture_output=True, timeout=60, check=False
    )
    parsed = document(done.stdout.decode("utf-8"))
    assert done.stdout.count(b"\n") == 1
    assert done.returncode == (1 if parsed["counts"]["fail"] else 0)
    assert parsed["host"]["os"] == ("windows" if sys.platform == "win32" else "linux")
    assert {check["id"] for check in parsed["checks"]} <= set(CHECKS)
    assert [check["id"] for check in parsed["checks"] if check["facts"].get("reason", "").startswith("Assertion")] == []


@pytest.mark.parametrize(
    ("machine", "route", "code"),
    [
        (m.windows_one_radeon(), "amd-windows-10.1", 0),
        (m.windows_apu_and_radeon(), "amd-windows-10.1", 0),
        (m.windows_nvidia_and_radeon(), "amd-windows-10.1", 0),
        (m.wsl_radeon(), "wsl-10.1", 0),
        (m.linux_mi300x8(), "amd-linux-10.1", 0),
        (m.no_gpu(), "cpu", 0),  # no GPU is a warning
        (m.with_gpu(m.windows_one_radeon(), driver_release="25.3.1"), "amd-windows-10.1", 1),
    ],
)
def test_recorded_machines(check, record, machine, route, code):
    done, stdout, stderr = check(*record(machine), "--json")
    parsed = document(stdout)
    assert (done, parsed["route"]["id"], stderr) == (code, route, "")
    assert len(parsed["gpus"]) == len(machine.gpus)


def test_what_is_not_known_is_null(check, record):
    machine = m.Machine(problems={"host": "timeout", "gpus": "timeout"})
    parsed = document(check(*record(machine), "--json")[1])
    assert parsed["host"] is None
    assert parsed["gpus"] is None
    assert all(answer["status"] == "unknown" for answer in parsed["checks"])


def test_the_report_names_the_machine_what_was_found_and_what_to_do(check, record):
    code, stdout, _ = check(*record(m.windows_apu_and_radeon()))
    assert code == 0
    lines = stdout.splitlines()
    assert lines[:5] == [
        "Machine  Windows 11 Pro 25H2 · 26200.6584 · AMD Ryzen 9 7950X 16-Core Processor · 32.0 GB memory",
        "GPU 0    Radeon Graphics (Ryzen 7000) · gfx1036 · integrated · 0.5 GB · driver Radeon 26.8.1",
        "GPU 1    Radeon RX 7900 XTX · gfx1100 · 24.0 GB · driver Radeon 26.8.1",
        "Route    amd-windows-10.1 · " + lines[3].split(" · ")[1],
        r"Folder   D:\rocm",
    ]
    order = next(index for index, line in enumerate(lines) if "Integrated and discrete GPU" in line)
    assert "Look at this" in lines[order]
    assert lines[order + 1].startswith("    -> A setup by this program writes a start script")
    assert any(line.endswith("Memory, Page file, Smart App Control, Power") for line in lines)  # folded
    assert lines[-1] == "Next: rocm-gui setup plan --route amd-windows-10.1"


@pytest.mark.parametrize(("encoding", "marks"), [("cp1252", ("[ok]", "!")), ("utf-8", ("✓", "!"))])
def test_a_console_without_the_signs_gets_plain_ones(record, encoding, marks):
    arguments = record(m.windows_apu_and_radeon())
    done = subprocess.run(
        [sys.executable, "-m", "rocm_gui", "--lang", "en", "check", *arguments],
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
    )
    assert done.returncode == 0
    lines = done.stdout.decode(encoding).splitlines()
    assert all(any(line.startswith(f"  {mark} ") for line in lines) for mark in marks)


def test_the_report_in_chinese(check, record):
    machine = m.with_gpu(m.windows_one_radeon(), driver_release="25.3.1")
    code, stdout, _ = check(*record(machine), lang="zh_CN")
    assert code == 1
    assert "必须解决 · AMD 驱动：Adrenalin 25.3.1 过旧，需要 26.8.1 或更新。" in stdout
    assert "请先解决标出的问题" in stdout


def test_verbose_shows_evidence_and_every_check(check, record):
    machine = m.with_gpu(
        m.windows_one_radeon(), evidence=(Evidence(field="name", source=r"registry 0001\DriverDesc", value="RX"),)
    )
    stdout = check(*record(machine), "-v")[1]
    assert r"name = RX  (from registry 0001\DriverDesc)" in stdout
    assert "Why: " in stdout
    assert "Ready · Memory: 32.0 GB." in stdout


def test_what_failed_for_one_reason_is_told_once(check, record):
    machine = m.linux_one_radeon(linux_access=None, problems={"linux_access": "timeout"})
    stdout = check(*record(machine))[1]
    assert "amdgpu kernel module, Access to /dev/kfd, Groups render and video: Could not be looked at" in stdout


def test_a_route_that_does_not_fit_says_why(check, record):
    code, stdout, _ = check(*record(m.linux_one_radeon()), "--route", "amd-windows-10.1")
    assert code == 1
    assert "does not fit:" in stdout
    assert "The route amd-windows-10.1 is for windows; this is linux." in stdout


def test_only_and_list(check, record):
    parsed = document(check(*record(m.no_gpu()), "--json", "--only", "ram, git", "--only", "power")[1])
    assert [answer["id"] for answer in parsed["checks"]] == ["ram", "power", "git"]
    code, stdout, _ = check("--list")
    assert code == 0
    assert [line.split()[0] for line in stdout.splitlines()] == list(CHECKS)
    listed = json.loads(check("--list", "--json")[1])
    assert [row["id"] for row in listed["checks"]] == list(CHECKS)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--only", "rams"), "There is no check rams. Nearest: ram"),
        (("--route", "amd-linux"), "There is no route amd-linux. Nearest: amd-linux-"),
        (("--sysfs-root", "absent"), "absent is not laid out like /sys"),
        (("--machine", "absent.json"), "absent.json cannot be read"),
        (("--only", "ram", "--save-machine", "x.json"), "Leave one of them out"),
    ],
)
def test_wrong_use_is_one_sentence_and_code_2(check, arguments, said):
    code, stdout, stderr = check(*arguments)
    assert (code, stdout) == (2, "")
    assert said in stderr


def test_a_file_that_is_no_machine_is_refused(check, tmp_path):
    path = tmp_path / "m.json"
    path.write_text('{"host": {"os": "beos"}}')
    code, _, stderr = check("--machine", str(path))
    assert code == 2
    assert "is not a recorded machine" in stderr


def test_a_folder_without_gpus_is_no_sysfs(check, tmp_path):
    code, _, stderr = check("--sysfs-root", str(tmp_path))
    assert code == 2
    assert "is not laid out like /sys" in stderr


def test_a_machine_is_recorded_and_judged_the_same_again(check, tmp_path):
    path = tmp_path / "here.json"
    first = document(check("--json", "--save-machine", str(path))[1])
    again = document(check("--json", "--machine", str(path))[1])
    assert again == first


@pytest.mark.samples
@pytest.mark.parametrize(
    ("card", "gfx_target", "route"),
    [
        ("rx6900xt", "gfx1030", "amd-linux-10.1"),
        ("phoenix", "gfx1103", "amd-linux-10.1"),
        ("rx580", "gfx803", "cpu"),
        ("hd7870", "gfx601", "cpu"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="the routes asserted are those of Linux")
def test_recorded_cards(check, samples, card, gfx_target, route):
    parsed = document(check("--json", "--sysfs-root", str(samples / "sysfs" / card))[1])
    assert [gpu["gfx_target"] for gpu in parsed["gpus"]] == [gfx_target]
    assert parsed["route"]["id"] == route
    assert all(gpu["evidence"] for gpu in parsed["gpus"])
