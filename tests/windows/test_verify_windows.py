"""The verification in the Windows lab: masking, crash codes and children of a real Windows Python.

The whole verification runs in the environment of the shared setup.
"""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec
import pytest

from rocm_gui.core.verdict import TEST_LAYERS
from rocm_gui.core.verification import EnvironmentProbe, VerificationReport
from rocm_gui.services import numeric_tests
from rocm_gui.services.probe import probe_environment, resolve_python
from rocm_gui.services.report_files import masked, masker_of_this_machine
from rocm_gui.services.system_tools import ask_tools
from rocm_gui.services.verifier import verify_environment
from rocm_gui.system.paths import default_paths

pytestmark = pytest.mark.windows

STAND_IN = """
import ctypes, os, types
__version__ = "2.14.0+rocm10.1.0"
version = types.SimpleNamespace(hip="7.17.1", cuda=None)
class cuda:
    @staticmethod
    def is_available():
        {available}
"""


def stand_in(folder: Path, available: str) -> dict[str, str | None]:
    """A ``torch`` package before any real one."""
    package = folder / "site" / "torch"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(STAND_IN.format(available=available), encoding="utf-8")
    return {"PYTHONPATH": str(folder / "site")}


def probe(env: dict[str, str | None]) -> EnvironmentProbe:
    return probe_environment(sys.executable, paths=default_paths(), env=env, imports=False)


@pytest.mark.parametrize(
    ("code", "name", "layer"),
    [
        ("0xC0000005", "access_violation", None),
        ("0xC0000135", "dll_missing", "libraries"),
        ("0xC0E90002", "app_control", "libraries"),
    ],
)
def test_windows_crash_codes_come_through_unsigned(tmp_path: Path, code: str, name: str, layer: str | None) -> None:
    end = f"ctypes.windll.kernel32.TerminateProcess(ctypes.c_void_p(-1), ctypes.c_uint({code}))"
    found = probe(stand_in(tmp_path, end))
    assert found.fault is not None
    assert (found.failed_act, found.fault.code, found.fault.layer) == ("available", "crash", layer)
    assert (found.fault.facts["crash"], found.fault.facts["shown"], found.exit_code) == (name, code, int(code, 16))


def test_a_missing_dll_is_named(tmp_path: Path) -> None:
    found = probe(stand_in(tmp_path, "ctypes.WinDLL('amdhip64_7_absent.dll')"))
    assert found.fault is not None
    assert (found.fault.code, found.fault.layer) == ("library_missing", "libraries")


def test_a_chinese_path_is_no_obstacle(tmp_path: Path) -> None:
    found = probe(stand_in(tmp_path / "用户 张三", "return False"))
    assert (found.fault, found.available, found.build) == (None, False, "rocm")


def test_an_environments_folder_names_its_interpreter(tmp_path: Path) -> None:
    (tmp_path / "Scripts").mkdir()
    (tmp_path / "Scripts" / "python.exe").touch()
    assert resolve_python(str(tmp_path)) == str(tmp_path / "Scripts" / "python.exe")


def test_the_tools_of_windows_are_explained(tmp_path: Path) -> None:
    asked = ask_tools(EnvironmentProbe(python=str(tmp_path / "Scripts" / "python.exe"), build="rocm"), None)
    assert [(tool.id, tool.status) for tool in asked] == [("hipInfo", "absent"), ("rocm-sdk test", "absent")]


def test_an_ascii_folder_for_miopen_is_found() -> None:
    folder = numeric_tests.ascii_cache_folder()
    assert folder is not None
    assert str(folder).isascii()


def test_the_home_folder_is_masked() -> None:
    report = VerificationReport(
        verdict="failed",
        exit_code=1,
        probe=EnvironmentProbe(python=str(Path.home() / "env" / "Scripts" / "python.exe")),
    )
    clean = masked(report, masker_of_this_machine())
    assert clean.probe.python == r"<home>\env\Scripts\python.exe"
    assert str(Path.home()).encode() not in msgspec.json.encode(clean)


@pytest.mark.torch
@pytest.mark.network
def test_pytorch_for_windows_computes_correctly(torch_setup) -> None:
    saved = (torch_setup.target / "verification.json").read_bytes()  # of the setup that was just made
    report = msgspec.json.decode(saved, type=VerificationReport, strict=False)
    assert (report.verdict, report.exit_code) == ("cpu_only", 0)
    assert {trial.id for trial in report.tests} == set(TEST_LAYERS)
    assert {trial.status for trial in report.tests} == {"ok"}


@pytest.mark.torch
@pytest.mark.network
def test_a_real_access_violation_is_named(torch_setup) -> None:
    report = verify_environment(
        str(torch_setup.python), paths=default_paths(), tests=("batchnorm",), inject="crash:batchnorm"
    )
    assert (report.verdict, report.layer, report.exit_code) == ("failed", "miopen", 4)
    assert report.fault is not None
    assert report.fault.facts["shown"] == "0xC0000005"
