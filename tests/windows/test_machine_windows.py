r"""The whole collection with a real Windows Python: registry, drives, interpreters, venv, pip.ini."""

import subprocess
import sys
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from rocm_gui.core.model import Machine, SetupOptions
from rocm_gui.system.machine import PROBES, Sources, collect, default_target, real_sources
from rocm_gui.system.paths import default_paths
from rocm_gui.system.pip_config import read_pip_config
from rocm_gui.system.pyenv import probe_python
from rocm_gui.system.torch_envs import find_torch_envs
from rocm_gui.system.variables import read_variables

pytestmark = pytest.mark.windows
BASE = Path(sys.base_prefix, "python.exe")


@pytest.fixture
def sources() -> Sources:
    return real_sources(default_paths())


@pytest.fixture(scope="module")
def machine() -> Machine:
    return collect(real_sources(default_paths()), SetupOptions())


@pytest.fixture(scope="module")
def venv(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("with blank")
    folder = root / "虚拟环境"
    try:
        folder.mkdir()
    except OSError:  # the lab's file system takes only the letters of the host's locale
        folder = root / "environment"
    subprocess.run([BASE, "-m", "venv", "--without-pip", str(folder)], input=b"", capture_output=True, check=True)
    return folder


def test_every_probe_answers(machine: Machine) -> None:
    assert machine.problems == {}
    assert {name for name in PROBES if getattr(machine, name) is None} == {"linux_access"}
    assert msgspec.json.decode(msgspec.json.encode(machine), type=Machine) == machine


def test_the_host_is_windows(machine: Machine) -> None:
    host = machine.host
    assert host is not None
    assert (host.os, host.architecture, host.wsl) == ("windows", "x86_64", False)
    assert host.os_name is not None
    assert host.os_name.startswith("Windows")


def test_the_python_that_runs_this_may_be_a_base(machine: Machine) -> None:
    own = next(one for one in machine.pythons or () if Path(one.path).samefile(BASE))
    assert own.usable
    assert (own.bits, own.has_venv, own.reason) == (64, True, None)
    assert own.version == ".".join(map(str, sys.version_info[:3]))


def test_drives(machine: Machine) -> None:
    target = machine.volume("target")
    assert target is not None
    assert target.path == str(Path.home() / "rocm")
    assert target.mount == Path.home().anchor
    assert target.writable is True
    assert target.free_bytes is not None
    assert not Path(target.path).exists()


def test_a_venv_is_known_with_its_base(sources: Sources, venv: Path) -> None:
    python = venv / "Scripts" / "python.exe"
    found = probe_python(str(python), sources)
    assert (found.kind, found.prefix, found.reason) == ("venv", str(venv), "is_venv")
    listed = collect(sources, SetupOptions(python=str(python)), {"pythons"}).pythons or ()
    assert [one.path for one in listed if one.usable and Path(one.path).samefile(BASE)]
    assert [one.reason for one in listed if one.path == str(python)] == ["is_venv"]


def test_pytorch_in_a_target_is_read(sources: Sources, tmp_path: Path) -> None:
    environment = tmp_path / "T" / "env"
    (environment / "Scripts").mkdir(parents=True)
    (environment / "Scripts" / "python.exe").touch()
    (environment / "pyvenv.cfg").write_text("home = C:\\Python312\n")
    packages = environment / "Lib" / "site-packages"
    (packages / "torch").mkdir(parents=True)
    (packages / "torch" / "version.py").write_text(
        "__version__ = '2.9.1+rocm7.2.1'\nhip: Optional[str] = '7.2.53211'\n"
    )
    (packages / "rocm_sdk_device_gfx1100-7.2.1.dist-info").mkdir()
    (found,) = find_torch_envs(replace(sources, home=tmp_path), (), str(tmp_path / "T"))
    assert found.python == str(environment / "Scripts" / "python.exe")
    assert (found.build, found.rocm_version, found.gfx_targets) == ("rocm", "7.2.1", ("gfx1100",))


@pytest.fixture
def user_variable() -> Iterator[str]:
    """A variable of the user's environment in the registry, as ``setx`` leaves it; no process has it yet."""
    import winreg

    name = f"HIP_TEST_{uuid.uuid4().hex.upper()}"
    with winreg.CreateKey(winreg.HKEY_CURRENT_USER, "Environment") as key:
        winreg.SetValueEx(key, name, 0, winreg.REG_SZ, "from the registry")
        yield name
        winreg.DeleteValue(key, name)


def test_a_variable_of_the_registry_counts(sources: Sources, user_variable: str) -> None:
    assert read_variables(sources)[user_variable] == "from the registry"


def test_the_users_pip_ini(sources: Sources, tmp_path: Path) -> None:
    ini = tmp_path / "pip" / "pip.ini"
    ini.parent.mkdir()
    ini.write_text("[global]\nindex-url = https://pypi.tuna.tsinghua.edu.cn/simple\n", "utf-8")
    environ = {key: value for key, value in sources.environ.items() if not key.startswith("PIP_")}
    found = read_pip_config(replace(sources, environ=environ | {"APPDATA": str(tmp_path)}))
    assert found.index_url == "https://pypi.tuna.tsinghua.edu.cn/simple"
    assert str(ini) in found.files


def test_tools_of_the_path(sources: Sources, tmp_path: Path) -> None:
    (tmp_path / "ninja.bat").write_text("@echo 1.12.1.git.kitware.jobserver-1\n")
    made = replace(sources, environ=dict(sources.environ) | {"PATH": str(tmp_path)})
    tool = collect(made, SetupOptions(), {"tools"}).tool("ninja")
    assert tool is not None
    assert tool.path is not None
    assert Path(tool.path).samefile(tmp_path / "ninja.bat")
    assert tool.version == "1.12.1"


def test_the_default_target_is_in_the_profile(sources: Sources) -> None:
    assert default_target(sources) == str(Path.home() / "rocm")
