"""``setup routes`` and ``setup plan`` as a person runs them."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import machines
import msgspec
import pytest

from rocm_gui.cli import main
from rocm_gui.core.plan import Plan
from rocm_gui.services.indexes import HttpIndex, NoAnswerError
from rocm_gui.system.paths import default_paths

if TYPE_CHECKING:
    from rocm_gui.core.model import Machine

SCHEMAS = Path(__file__).resolve().parents[2] / "resources" / "docs" / "schema"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the recorded machines hold POSIX and Windows paths")


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch, english: None) -> None:
    """Every index is out of reach."""

    def unreachable(*_: object) -> Any:
        raise NoAnswerError("unreachable")

    monkeypatch.setattr(HttpIndex, "project", unreachable)
    monkeypatch.setattr(HttpIndex, "size", unreachable)


def recorded(tmp_path: Path, machine: Machine) -> str:
    file = tmp_path / "machine.json"
    file.write_bytes(msgspec.json.encode(machine))
    return str(file)


def document(capsys: pytest.CaptureFixture[str], schema: str, *argv: str) -> dict[str, Any]:
    """The only document on standard output, valid by its schema."""
    code = main(["setup", *argv, "--json"])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    (line,) = captured.out.splitlines()
    value = json.loads(line)
    jsonschema.validate(value, json.loads((SCHEMAS / f"{schema}.json").read_text(encoding="utf-8")))
    return value


@pytest.mark.parametrize(
    ("machine", "best"),
    [
        (machines.windows_one_radeon(), "amd-windows-10.1"),
        (machines.windows_apu_and_radeon(), "amd-windows-10.1"),
        (machines.windows_nvidia_and_radeon(), "amd-windows-10.1"),
        (machines.wsl_radeon(), "wsl-10.1"),
        (machines.windows_no_gpu(), "cpu"),
        (machines.linux_mi300x8(), "amd-linux-10.1"),
        (machines.no_gpu(), "cpu"),
    ],
)
def test_routes_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str], machine: Machine, best: str) -> None:
    value = document(capsys, "setup_routes", "routes", "--machine", recorded(tmp_path, machine))
    assert value["best"] == best
    assert value["routes"][0]["id"] == best
    assert [route["id"] for route in value["routes"] if route["best"]] == [best]
    for route in value["routes"]:
        assert bool(route["reasons"]) != route["fits"]
        for reason in (*route["reasons"], *route["cautions"]):
            assert reason["text"]
            assert not reason["text"].startswith("route.")
            assert "{" not in reason["text"]


def test_routes_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = recorded(tmp_path, machines.windows_rx6000())
    assert main(["setup", "routes", "--machine", file]) == 0
    text = capsys.readouterr().out
    assert "Judged for Radeon RX 6800 XT (gfx1030)." in text
    assert "amd-windows-10.1 (best, about 1.1 GB to download)" in text
    assert "AMD does not list this card (gfx1030)" in text
    assert "wsl-guide" not in text
    assert main(["setup", "routes", "--all", "--machine", file]) == 0
    text = capsys.readouterr().out
    assert "It has nothing for gfx1030." in text
    assert "It is for Linux; this is Windows." in text


def test_routes_in_chinese(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = recorded(tmp_path, machines.windows_too_old_radeon())
    assert main(["--lang", "zh_CN", "setup", "routes", "--all", "--machine", file]) == 0
    text = capsys.readouterr().out
    assert "Radeon RX 580（gfx803）太旧，当前的 ROCm 均不支持。" in text


@pytest.mark.parametrize("language", ["en", "zh_CN"])
@pytest.mark.parametrize(
    "machine",
    [machines.windows_apu_and_radeon(), machines.wsl_radeon(), machines.no_gpu(), machines.windows_rx6000()],
)
def test_plans_have_a_sentence_for_everything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], machine: Machine, language: str
) -> None:
    file = recorded(tmp_path, machine)
    target = r"D:\rocm" if machine.host and machine.host.os == "windows" else "/home/amy/rocm"
    assert main(["--lang", language, "setup", "plan", "--machine", file, "--target", target]) == 0
    text = capsys.readouterr().out
    assert not re.search(r"\b(setup|route|error)\.\w+\.\w+", text)
    assert "rocm-gui setup apply --route" in text


def test_a_plan_as_json_is_the_plan_with_its_secrets_masked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = recorded(tmp_path, machines.windows_one_radeon())
    argv = ["plan", "--machine", file, "--target", r"D:\rocm", "--proxy", "http://amy:secret@proxy:8080"]
    value = document(capsys, "setup_plan", *argv)
    assert "secret" not in json.dumps(value)
    plan = msgspec.convert({**value, "guide": []}, Plan)
    assert plan.route_id == "amd-windows-10.1"
    assert plan.environment_python == r"D:\rocm\env\Scripts\python.exe"
    assert [notice["code"] for notice in value["notices"]] == [
        "source_unreachable", "index_unreachable", "python_chosen",
    ]  # fmt: skip


def test_a_guide_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = recorded(tmp_path, machines.windows_one_radeon())
    value = document(capsys, "setup_plan", "plan", "--machine", file, "--route", "wsl-guide", "--target", r"D:\x")
    assert value["kind"] == "guide"
    assert "wsl --install -d Ubuntu-24.04" in value["guide"][0]["lines"]
    assert main(["setup", "plan", "--machine", file, "--route", "wsl-guide", "--target", r"D:\x"]) == 0
    assert "wsl --install -d Ubuntu-24.04" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "code", "words"),
    [
        (["--route", "amd-windows-10"], 2, "Did you mean amd-windows-10."),
        (["--route", "amd-linux-10.1"], 1, "does not fit this machine: It is for Linux; this is Windows."),
        (["--target", "rocm"], 2, "rocm is not an absolute path"),
        (["--target", "C:\\"], 2, "belongs to the system"),
        (["--python", r"C:\nowhere\python.exe"], 2, r"There is no Python at C:\nowhere\python.exe"),
        (["--python", machines.WINDOWS_PYTHONS[1].path], 2, "placeholder of the Microsoft Store"),
        (["--mirror", "tuna"], 2, "Known: official, tsinghua, aliyun, tencent"),
        (["--env", "conda"], 1, "conda was not found"),
    ],
)
def test_errors_are_one_sentence_and_the_right_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], argv: list[str], code: int, words: str
) -> None:
    file = recorded(tmp_path, machines.windows_one_radeon())
    assert main(["setup", "plan", "--machine", file, *argv]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert words in captured.err
    assert "{" not in captured.err


def test_settings_stand_in_for_what_the_command_line_does_not_say(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = default_paths().settings_file
    settings.parent.mkdir(parents=True)
    settings.write_text('pypi_mirror = "aliyun"\ndefault_target = "E:\\\\ai"\n', encoding="utf-8")
    file = recorded(tmp_path, machines.windows_one_radeon())
    value = document(capsys, "setup_plan", "plan", "--machine", file)
    assert value["pypi_url"] == "https://mirrors.aliyun.com/pypi/simple/"
    assert value["target"] == r"E:\ai"
    value = document(capsys, "setup_plan", "plan", "--machine", file, "--mirror", "tencent")
    assert value["pypi_url"] == "https://mirrors.cloud.tencent.com/pypi/simple/"


def test_a_record_of_a_machine_is_not_set_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = recorded(tmp_path, machines.no_gpu())
    assert main(["setup", "apply", "--machine", file, "--target", str(tmp_path / "rocm"), "--yes"]) == 2
    assert "can be shown, not carried out" in capsys.readouterr().err
    assert not (tmp_path / "rocm").exists()
