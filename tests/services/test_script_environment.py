"""Which variables, which folder and which GPU a script gets."""

from __future__ import annotations

import os
import sys

import msgspec
import pytest

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.verification import DeviceInfo, EnvironmentProbe, Fault, VerificationReport, Workaround
from rocm_gui.services import script_environment
from rocm_gui.services.script_environment import ScriptRequest, known_setup, prepare_script
from rocm_gui.system.paths import default_paths

APU = DeviceInfo(index=0, name="AMD Radeon 890M", gfx_target="gfx1150", total_memory_bytes=48 << 30, integrated=True)
SMALL = DeviceInfo(index=1, name="RX 7600", gfx_target="gfx1102", total_memory_bytes=8 << 30, integrated=False)
LARGE = DeviceInfo(index=2, name="RX 7900 XTX", gfx_target="gfx1100", total_memory_bytes=24 << 30, integrated=False)


@pytest.fixture
def environment(tmp_path, monkeypatch):
    """An environment whose PyTorch is said to see what the test says; gives what ``prepare_script`` makes of it."""
    target = tmp_path / "rocm"
    folder = target / "env" / ("Scripts" if sys.platform == "win32" else "bin")
    folder.mkdir(parents=True)
    python = folder / ("python.exe" if sys.platform == "win32" else "python")
    python.write_bytes(b"")
    (target / "env" / "pyvenv.cfg").write_text("home = /usr\n", encoding="utf-8")
    script = tmp_path / "work" / "train.py"
    script.parent.mkdir()
    script.write_text("", encoding="utf-8")
    asked: dict = {}

    def prepare(build="rocm", devices=(APU, SMALL, LARGE), fault=None, environ=None, **request):
        def probe(path, **options):
            asked.update(options, python=path)
            return EnvironmentProbe(python=path, build=build, devices=tuple(devices), fault=fault)

        monkeypatch.setattr(script_environment, "probe_environment", probe)
        options = {"python": str(python), "script": str(script), **request}
        variables = {"PATH": "/usr/bin"} if environ is None else environ
        return prepare_script(ScriptRequest(**options), paths=default_paths(), environ=variables)

    prepare.target = target  # type: ignore[attr-defined]
    prepare.script = script  # type: ignore[attr-defined]
    prepare.python = python  # type: ignore[attr-defined]
    prepare.asked = asked  # type: ignore[attr-defined]
    return prepare


def test_the_large_discrete_gpu_is_the_only_visible_one(environment):
    prepared = environment(arguments=("--epochs", "3"))
    assert prepared.argv == (str(environment.python), "-u", str(environment.script), "--epochs", "3")
    assert prepared.cwd == str(environment.script.parent)
    assert prepared.device == LARGE
    assert prepared.visible == ("HIP_VISIBLE_DEVICES", "2")
    assert prepared.env["HIP_VISIBLE_DEVICES"] == "2"
    assert prepared.env["PYTHONUNBUFFERED"] == prepared.env["PYTHONUTF8"] == "1"


def test_the_environments_programs_come_first(environment):
    prepared = environment()
    assert prepared.env["VIRTUAL_ENV"] == str(environment.python.parent.parent)
    assert prepared.env["PATH"].split(os.pathsep) == [str(environment.python.parent), "/usr/bin"]


def test_a_number_chooses_as_pytorch_counts(environment):
    assert environment(device=1).visible == ("HIP_VISIBLE_DEVICES", "1")


def test_what_the_person_hides_stays_hidden(environment):
    """Of GPUs 3 and 1, PyTorch's second is number 1 of the machine."""
    seen = [msgspec.structs.replace(SMALL, index=0), msgspec.structs.replace(LARGE, index=1)]
    prepared = environment(
        devices=seen, environ={"PATH": "", "HIP_VISIBLE_DEVICES": "3, 1", "CUDA_VISIBLE_DEVICES": "0"}
    )
    assert prepared.visible == ("HIP_VISIBLE_DEVICES", "1")
    assert "CUDA_VISIBLE_DEVICES" not in prepared.env


def test_a_cuda_build_has_its_own_variable(environment):
    prepared = environment(build="cuda", devices=[msgspec.structs.replace(LARGE, index=0)])
    assert prepared.visible == ("CUDA_VISIBLE_DEVICES", "0")
    assert "HIP_VISIBLE_DEVICES" not in prepared.env


@pytest.mark.parametrize("request_", [{"build": "cpu", "devices": ()}, {"device": "all"}])
def test_nothing_is_hidden_on_the_processor_or_on_request(environment, request_):
    prepared = environment(environ={"PATH": "", "HIP_VISIBLE_DEVICES": "0"}, **request_)
    assert prepared.visible is None
    assert prepared.env["HIP_VISIBLE_DEVICES"] == "0"


def test_a_gpu_that_is_not_there_is_wrong_use(environment):
    with pytest.raises(AppError) as caught:
        environment(device=3)
    assert (caught.value.code, caught.value.exit_code) == ("device_index", ExitCode.USAGE)
    assert caught.value.facts == {"index": 3, "count": 3}


def test_a_broken_pytorch_stops_only_those_who_choose_a_gpu(environment):
    fault = Fault(code="library_missing")
    assert environment(devices=(), build=None, fault=fault).visible is None
    with pytest.raises(AppError) as caught:
        environment(devices=(), build=None, fault=fault, device=0)
    assert caught.value.code == "script_device_unknown"


def test_a_script_or_folder_that_is_not_there_is_wrong_use(environment, tmp_path):
    for options, code in (
        ({"script": str(tmp_path / "none.py")}, "script_missing"),
        ({"cwd": str(tmp_path / "none")}, "script_folder_missing"),
    ):
        with pytest.raises(AppError) as caught:
            environment(**options)
        assert (caught.value.code, caught.value.exit_code) == (code, ExitCode.USAGE)


def test_a_module_runs_in_the_current_folder(environment, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    prepared = environment(script="torch.utils.collect_env", module=True)
    assert prepared.argv[1:] == ("-u", "-m", "torch.utils.collect_env")
    assert prepared.cwd == str(tmp_path)


def test_the_workarounds_of_the_setup_reach_the_script_and_the_probe(environment):
    target = environment.target
    (target / ".rocm_gui.json").write_text(
        '{"setup_id": "unknown", "created": "2026-12-01", "environment": "env", "verified": true}', encoding="utf-8"
    )
    (target / "constraints.txt").write_text("torch==2.14.0\n", encoding="utf-8")
    report = VerificationReport(
        verdict="workaround",
        exit_code=0,
        probe=EnvironmentProbe(python="python"),
        workarounds=(
            Workaround(
                id="miopen_ascii_cache", tests=("conv",), variables={"MIOPEN_USER_DB_PATH": "C:\\m"}, snippet="x"
            ),
            Workaround(id="miopen_off", tests=("rnn",), snippet="import torch\ntorch.backends.cudnn.enabled = False\n"),
        ),
    )
    (target / "verification.json").write_bytes(msgspec.json.encode(report))
    prepared = environment()
    assert prepared.env["MIOPEN_USER_DB_PATH"] == "C:\\m"
    assert prepared.env["PIP_CONSTRAINT"] == (target / "constraints.txt").as_uri()
    assert prepared.snippets == ("import torch\ntorch.backends.cudnn.enabled = False\n",)
    assert environment.asked["env"]["MIOPEN_USER_DB_PATH"] == "C:\\m"


def test_an_environment_of_others_has_no_setup(tmp_path):
    assert known_setup(tmp_path / "bin" / "python", default_paths()).variables == {}
