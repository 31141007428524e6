"""The probe in real children of this Python, against PyTorch builds that are played by small stand-in packages."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.services.probe import probe_environment, resolve_python, visible_indexes
from rocm_gui.services.setup_store import Marker, encode_marker
from rocm_gui.system.paths import default_paths

if TYPE_CHECKING:
    from pathlib import Path

STAND_IN = """
import os, sys, types
__version__ = "2.14.0+rocm10.1.0"
version = types.SimpleNamespace(hip="7.17.1", cuda=None)
print("a library that prints to the wire")
class cuda:
    @staticmethod
    def is_available():
        {available}
        return True
    @staticmethod
    def device_count():
        return 2
    @staticmethod
    def get_arch_list():
        return ["gfx1036", "gfx1100"]
    @staticmethod
    def get_device_properties(index):
        {device}
        name = ["AMD Radeon(TM) Graphics", "AMD Radeon RX 7900 XTX"][index]
        arch = ["gfx1036", "gfx1100:sramecc-:xnack-"][index]
        return types.SimpleNamespace(name=name, gcnArchName=arch, total_memory=25753026560, multi_processor_count=48,
            pci_domain_id=0, pci_bus_id=3, pci_device_id=0, major=11, minor=0, is_integrated=int(index == 0))
"""


@pytest.fixture
def stand_in(tmp_path: Path):
    """Writes a ``torch`` package; returns the variables that put it before the real one."""

    def write(available: str = "pass", device: str = "pass", head: str = "") -> dict[str, str | None]:
        package = tmp_path / "site" / "torch"
        package.mkdir(parents=True)
        text = head + STAND_IN.format(available=available, device=device)
        (package / "__init__.py").write_text(text, encoding="utf-8")
        return {"PYTHONPATH": str(tmp_path / "site"), "HIP_VISIBLE_DEVICES": "0,1"}

    return write


def probe(env: dict[str, str | None], **more: object):
    return probe_environment(sys.executable, paths=default_paths(), env=env, imports=False, **more)


def test_everything_that_a_rocm_build_tells(stand_in) -> None:
    found = probe(stand_in())
    assert found.fault is None
    assert (found.torch_version, found.build, found.hip_version, found.cuda_version) == (
        "2.14.0+rocm10.1.0", "rocm", "7.17.1", None,
    )  # fmt: skip
    assert (found.available, found.device_count, found.arch_list) == (True, 2, ("gfx1036", "gfx1100"))
    card = found.devices[1]
    assert (card.name, card.gfx_target, card.arch_full) == (
        "AMD Radeon RX 7900 XTX", "gfx1100", "gfx1100:sramecc-:xnack-",
    )  # fmt: skip
    assert (card.pci_address, card.total_memory_bytes, card.multiprocessors) == ("0000:03:00.0", 25753026560, 48)
    assert (found.devices[0].integrated, card.integrated, card.uuid) == (True, False, None)
    assert found.variables["HIP_VISIBLE_DEVICES"] == "0,1"
    assert visible_indexes(found.devices, "gfx1100") == (1,)


CRASH = "import os, signal; os.kill(os.getpid(), signal.SIGSEGV) if os.name == 'posix' else os._exit(-1073741819)"


def test_a_crash_in_is_available_names_that_act_and_keeps_what_came_before(stand_in) -> None:
    found = probe(stand_in(available=CRASH))
    assert (found.failed_act, found.torch_version, found.available) == ("available", "2.14.0+rocm10.1.0", None)
    assert found.fault is not None
    assert (found.fault.code, found.fault.facts["crash"]) == ("crash", "access_violation")


def test_a_crash_at_the_second_device_keeps_the_first(stand_in) -> None:
    found = probe(stand_in(device=f"\n        if index == 1:\n            {CRASH}"))
    assert (found.failed_act, [device.gfx_target for device in found.devices]) == ("device", ["gfx1036"])


def test_a_missing_library_is_named(stand_in) -> None:
    found = probe(stand_in(head="import ctypes; ctypes.CDLL('libabsent_amdhip64.so.7')\n"))
    assert found.failed_act == "import_torch"
    assert found.fault is not None
    assert found.fault.code == "library_missing"
    assert "absent_amdhip64" in str(found.fault.facts["library"])


def test_a_hang_ends_at_the_limit(stand_in) -> None:
    found = probe(stand_in(available="import time; time.sleep(600)"), timeout_s=1.5)
    assert (found.failed_act, found.fault.code if found.fault else None) == ("available", "timeout")


def test_what_is_no_python(tmp_path: Path) -> None:
    other = tmp_path / "python"
    other.write_text("#!/bin/sh\necho hello\nexit 3\n")
    other.chmod(0o755)
    for path, code in ((other, "python_not_python"), (tmp_path / "absent", "interpreter_missing"),
                       (tmp_path, "environment_without_python")):  # fmt: skip
        with pytest.raises(AppError) as caught:
            probe_environment(str(path), paths=default_paths())
        assert (caught.value.code, caught.value.exit_code) == (code, ExitCode.USAGE)


def test_an_environments_folder_is_as_good_as_its_interpreter(tmp_path: Path) -> None:
    inside = tmp_path / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    inside.parent.mkdir()
    inside.touch()
    assert resolve_python(str(tmp_path)) == str(inside)
    assert resolve_python(str(inside)) == str(inside)


@pytest.mark.parametrize("written", ["/home/me/rocm/env2", "C:\\rocm\\env2"])
def test_a_setups_folder_stands_for_the_environment_that_serves_now(tmp_path: Path, written: str) -> None:
    for name in ("env", "env2"):
        inside = tmp_path / name / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
        inside.parent.mkdir(parents=True)
        inside.touch()
    marker = Marker(setup_id="s", created="2026-12-01T00:00:00+00:00", environment=written, verified=True)
    (tmp_path / ".rocm_gui.json").write_bytes(encode_marker(marker))
    assert resolve_python(str(tmp_path)) == str(inside)
