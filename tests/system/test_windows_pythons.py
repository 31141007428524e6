import os
from pathlib import Path

import pytest
from sources_builder import RecordedRun, write

from rocm_gui.system.windows.pythons import candidates, is_store_alias, launcher_paths
from rocm_gui.system.windows.registry import MemoryRegistry

EMPTY = MemoryRegistry({})


def python(folder: Path, name: str = "python.exe") -> str:
    return str(write(folder / name, "MZ"))


def test_registered_interpreters(tmp_path) -> None:
    org, old, anaconda, uv = (python(tmp_path / name) for name in ("Python312", "Python38-32", "anaconda3", "uv312"))
    registry = MemoryRegistry(
        {
            r"HKCU\Software\Python\PythonCore\3.12\InstallPath": {
                "": str(tmp_path / "Python312"),
                "ExecutablePath": org,
            },
            r"HKLM\Software\WOW6432Node\Python\PythonCore\3.8-32\InstallPath": {"": str(tmp_path / "Python38-32")},
            r"HKCU\Software\Python\ContinuumAnalytics\Anaconda312-64\InstallPath": {"": str(tmp_path / "anaconda3")},
            r"HKCU\Software\Python\Astral\CPython3.12.7\InstallPath": {"ExecutablePath": uv},
            r"HKLM\Software\Python\PythonCore\3.9\InstallPath": {"": str(tmp_path / "removed")},
            r"HKLM\Software\Python\PyLauncher": {"InstallDir": str(tmp_path)},
            r"HKLM\Software\Python\PythonCore\3.7": {"Version": "no InstallPath"},
        }
    )
    assert candidates(registry, {}) == [(org, "python.org"), (anaconda, "conda"), (uv, "uv"), (old, "python.org")]


def test_folders_of_the_user(tmp_path) -> None:
    local, roaming, profile = tmp_path / "Local", tmp_path / "Roaming", tmp_path / "me"
    org = python(local / "Programs" / "Python" / "Python313")
    manager = python(local / "Python" / "pythoncore-3.14-64")
    uv = python(roaming / "uv" / "python" / "cpython-3.12.7-windows-x86_64-none")
    pyenv = python(profile / ".pyenv" / "pyenv-win" / "versions" / "3.11.9")
    base = python(profile / "miniconda3")
    env = python(profile / "miniconda3" / "envs" / "rocm")
    other = python(tmp_path / "elsewhere" / "env")
    write(profile / ".conda" / "environments.txt", f"{tmp_path / 'elsewhere' / 'env'}\n{tmp_path / 'gone'}\n\n")
    environ = {"LOCALAPPDATA": str(local), "APPDATA": str(roaming), "UserProfile": str(profile)}
    assert candidates(EMPTY, environ) == [
        (org, "python.org"),
        (manager, "python.org"),
        (pyenv, "pyenv"),
        (uv, "uv"),
        (base, "conda"),
        (env, "conda"),
        (other, "conda"),
    ]


def test_store_aliases_are_told_from_an_installed_store_python(tmp_path) -> None:
    apps = tmp_path / "Local" / "Microsoft" / "WindowsApps"
    stubs = [str(write(apps / name)) for name in ("python.exe", "python3.exe")]
    package = python(apps / "PythonSoftwareFoundation.Python.3.12_qbz5n2kfra8p0")
    environ = {"LOCALAPPDATA": str(tmp_path / "Local"), "PATH": str(apps)}
    assert candidates(EMPTY, environ) == [(package, "store"), (stubs[0], "store_alias"), (stubs[1], "store_alias")]
    assert is_store_alias(r"C:\Users\me\AppData\Local\Microsoft\WindowsApps\python.exe")
    assert not is_store_alias(r"C:\Python312\python.exe")


def test_active_environments_and_the_path(tmp_path) -> None:
    venv = python(tmp_path / "venv" / "Scripts")
    conda = python(tmp_path / "forge-webui" / "env")
    plain = python(tmp_path / "forge-webui" / "tools")
    python(tmp_path / "pyenv-win" / "shims")
    environ = {
        "VIRTUAL_ENV": str(tmp_path / "venv"),
        "CONDA_PREFIX": str(tmp_path / "forge-webui" / "env"),
        "PATH": os.pathsep.join(
            [str(tmp_path / "venv" / "Scripts"), str(tmp_path / "pyenv-win" / "shims"), str(Path(plain).parent), "."]
        ),
    }
    assert candidates(EMPTY, environ) == [(venv, "venv"), (conda, "conda"), (plain, "other")]


def test_the_launcher_is_asked_where_it_is(tmp_path) -> None:
    found = python(tmp_path / "odd place" / "Python310")
    write(tmp_path / "Windows" / "py.exe", "MZ")
    run = RecordedRun({"py.exe": f" -V:3.10 *        {found}\n -V:3.8-32        C:\\gone\\python.exe\n"})
    assert candidates(EMPTY, {"SystemRoot": str(tmp_path / "Windows")}, run) == [(found, "other")]
    assert [call[1:] for call in run.calls] == [("-0p",)]
    assert candidates(EMPTY, {"SystemRoot": str(tmp_path)}, run) == []
    assert len(run.calls) == 1


@pytest.mark.parametrize(
    ("output", "paths"),
    [
        (" -V:3.12 *        C:\\Python312\\python.exe\r\n", [r"C:\Python312\python.exe"]),
        (" -3.8-64\tC:\\Program Files\\Python38\\python.exe *\n", [r"C:\Program Files\Python38\python.exe"]),
        (" -V:Astral/CPython3.12.7 C:\\Users\\张三\\uv\\python.exe\n", [r"C:\Users\张三\uv\python.exe"]),
        ("Installed Pythons found by py.exe Launcher for Windows\nNo Installed Pythons Found!\n", []),
        ("", []),
    ],
)
def test_launcher_lines(output: str, paths: list[str]) -> None:
    assert launcher_paths(output) == paths
