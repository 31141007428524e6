import importlib.util
import sys
from pathlib import Path

import pytest
from sources_builder import make_sources, write

from rocm_gui.core.model import PythonInstall, TorchEnv
from rocm_gui.system.torch_envs import find_torch_envs, parse_torch_version, read_torch

posix = pytest.mark.skipif(sys.platform == "win32", reason="environments in the layout of Linux")

VERSION_PY = """\
from typing import Optional

__all__ = ['__version__', 'debug', 'cuda', 'git_version', 'hip', 'rocm', 'xpu']
__version__ = '{version}'
debug = False
cuda: Optional[str] = {cuda}
git_version = 'cf30153c4c131c8164ee7798e5022d810682e2cb'
hip: Optional[str] = {hip}
"""


def torch(
    site_packages: Path, version: str, *, cuda: str = "None", hip: str = "None", wheels: tuple[str, ...] = ()
) -> None:
    write(site_packages / "torch/version.py", VERSION_PY.format(version=version, cuda=cuda, hip=hip))
    write(
        site_packages / f"torch-{version}.dist-info/METADATA",
        f"Metadata-Version: 2.4\nName: torch\nVersion: {version}\n",
    )
    for name in wheels:
        (site_packages / f"{name}.dist-info").mkdir()


@pytest.mark.parametrize(
    ("version", "fields", "build", "rocm"),
    [
        ("2.13.0+cpu", {}, "cpu", None),
        ("2.9.1", {}, "cpu", None),
        ("2.9.1+cu128", {"cuda": "'12.8'"}, "cuda", None),
        ("2.9.1+rocm7.2.1", {"hip": "'7.2.53211-e1a6bc5663'"}, "rocm", "7.2.1"),
        ("2.14.0+rocm10.1.0", {"hip": "'10.1.12345'"}, "rocm", "10.1.0"),
        ("2.8.0a0+gitcedc116", {"hip": '"6.4.43484-123eb5128"'}, "rocm", None),
        ("2.9.1+rocmsdk20251203", {"hip": "'7.1.0'"}, "rocm", None),
    ],
)
def test_what_a_pytorch_was_built_for(
    tmp_path: Path, version: str, fields: dict[str, str], build: str, rocm: str | None
) -> None:
    torch(tmp_path, version, **fields)
    assert read_torch("python", tmp_path) == TorchEnv(
        python="python", torch_version=version, build=build, rocm_version=rocm
    )


def test_device_wheels_tell_the_targets(tmp_path: Path) -> None:
    wheels = (
        "rocm_sdk_device_gfx1201-10.1.0",
        "amd_torch_device_gfx1201-2.14.0+rocm10.1.0",
        "amd_torch_device_gfx90a-2.14.0+rocm10.1.0",
        "rocm_sdk_core-10.1.0",
    )
    torch(tmp_path, "2.14.0+rocm10.1.0", hip="'10.1'", wheels=wheels)
    found = read_torch("python", tmp_path)
    assert found is not None
    assert found.gfx_targets == ("gfx1201", "gfx90a")


def test_a_half_installed_pytorch_says_what_it_can(tmp_path: Path) -> None:
    write(tmp_path / "torch-2.9.1+cu128.dist-info/METADATA", "Name: torch\nVersion: 2.9.1+cu128\n")
    assert read_torch("p", tmp_path) == TorchEnv(python="p", torch_version="2.9.1+cu128", build="cuda")
    write(tmp_path / "bare/torch-2.9.1.dist-info/METADATA", "Name: torch\nVersion: 2.9.1\n")
    assert read_torch("p", tmp_path / "bare") == TorchEnv(python="p", torch_version="2.9.1", build=None)


def test_no_pytorch(tmp_path: Path) -> None:
    write(tmp_path / "torchvision-0.24.1.dist-info/METADATA", "Version: 0.24.1\n")
    assert read_torch("p", tmp_path) is None
    assert read_torch("p", tmp_path / "missing") is None


@pytest.mark.torch
@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="no PyTorch in this Python")
def test_the_pytorch_of_this_python_as_it_says_itself() -> None:
    import torch as real

    found = read_torch(sys.executable, Path(real.__file__).parent.parent)
    assert found is not None
    assert found.torch_version == real.__version__
    assert found.build == ("rocm" if real.version.hip else "cuda" if real.version.cuda else "cpu")


def test_fields_of_a_version_file() -> None:
    text = VERSION_PY.format(version="2.9.1", cuda="None", hip="'7.2'")
    assert parse_torch_version(text) == {"__version__": "2.9.1", "cuda": None, "hip": "7.2"}
    assert parse_torch_version("") == {}


@posix
def test_environments_of_pythons_homes_and_the_target(tmp_path: Path) -> None:
    sources = make_sources(tmp_path, environ={"VIRTUAL_ENV": str(tmp_path / "active")})
    expected: dict[str, str] = {}
    for number, folder in enumerate(
        (tmp_path / "active", sources.home / "comfy/venv", sources.home / ".virtualenvs/x", tmp_path / "T/env")
    ):
        write(folder / "pyvenv.cfg", "home = /usr/bin\n")
        write(folder / "bin/python", executable=True)
        torch(folder / "lib/python3.12/site-packages", f"2.{number}.0+cpu")
        expected[str(folder / "bin/python")] = f"2.{number}.0+cpu"
    torch(sources.home / "no environment/lib/python3.12/site-packages", "9.9.9")
    torch(tmp_path / "base/lib/python3.11/site-packages", "2.9.0+cpu")
    torch(sources.home / ".local/lib/python3.11/site-packages", "2.8.0+cpu")
    pythons = (
        PythonInstall(path="/base/python", version="3.11.7", prefix=str(tmp_path / "base"), kind="pyenv", usable=True),
        PythonInstall(
            path=str(tmp_path / "active/bin/python3"), version="3.12.1", prefix=str(tmp_path / "active"), kind="venv"
        ),
        PythonInstall(path="/broken", reason="no_answer"),
    )
    found = [(one.python, one.torch_version) for one in find_torch_envs(sources, pythons, str(tmp_path / "T"))]
    del expected[str(tmp_path / "active/bin/python")]
    assert sorted(found) == sorted(
        [
            *expected.items(),
            ("/base/python", "2.9.0+cpu"),
            ("/base/python", "2.8.0+cpu"),
            (str(tmp_path / "active/bin/python3"), "2.0.0+cpu"),
        ]
    )
