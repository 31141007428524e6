import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from sources_builder import RecordedRun, make_sources, write

from rocm_gui.core.model import PythonInstall
from rocm_gui.system.process import Completed, run
from rocm_gui.system.pyenv import QUESTION, Answer, find_pythons, judge, kind_of_place, parse_answer, probe_python
from rocm_gui.system.pyplaces import conda_environments, posix_candidates, pyvenv_values, venv_base, venv_folder

posix = pytest.mark.skipif(sys.platform == "win32", reason="looks into the folders of a Linux system")
BASE = os.path.realpath(sys._base_executable)


def answer(**changes: object) -> Answer:
    values: dict[str, object] = {
        "numbers": (3, 12, 7, "final", 0),
        "bits": 64,
        "text": "3.12.7 (main, Oct  1 2025, 12:00:00) [GCC 13.2.0]",
        "prefix": "/usr",
        "base_prefix": "/usr",
        "implementation": "cpython",
        "venv": True,
        "ensurepip": True,
    }
    return Answer(**(values | changes))  # type: ignore[arg-type]


def line(fields: Answer) -> str:
    """What the child prints."""
    return repr({name: getattr(fields, name) for name in Answer.__struct_fields__})


@pytest.mark.parametrize(
    ("changes", "flags", "reason"),
    [
        ({}, {}, None),
        ({"implementation": "pypy"}, {}, "not_cpython"),
        ({"numbers": (2, 7, 18, "final", 0), "implementation": "python2"}, {}, "too_old"),
        ({"bits": 32}, {}, "bits_32"),
        ({"ensurepip": False}, {}, "no_ensurepip"),
        ({"venv": False}, {}, "no_ensurepip"),
        ({"text": "3.13.0 experimental free-threading build (main) [GCC]"}, {}, "free_threaded"),
        ({"text": "3.12.7 [MSC v.1941 64 bit (ARM64)]"}, {"windows": True}, "arm64"),
        ({}, {"conda": True}, None),
        ({}, {"conda": True, "windows": True}, "conda_windows"),
        ({}, {"venv": True}, "is_venv"),
    ],
)
def test_who_may_be_a_base(changes: dict[str, object], flags: dict[str, bool], reason: str | None) -> None:
    settings = {"conda": False, "venv": False, "windows": False} | flags
    assert judge(answer(**changes), **settings) == reason


def test_the_childs_answer_is_the_last_line() -> None:
    text = "a wrapper says hello\n" + line(answer(numbers=(3, 15, 0, "beta", 2), ensurepip=False)) + "\n"
    found = parse_answer(text)
    assert found is not None
    assert (found.version, found.ensurepip) == ("3.15.0b2", False)


@pytest.mark.parametrize("text", ["", "hello", "{'numbers': 3}", "{", "__import__('os')", "[" * 5000])
def test_anything_else_is_no_answer(text: str) -> None:
    assert parse_answer(text) is None


def test_this_python_and_its_venv(tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    subprocess.run([BASE, "-m", "venv", "--without-pip", str(venv)], check=True)
    python = str(venv / "bin" / "python") if os.name == "posix" else str(venv / "Scripts" / "python.exe")
    sources = make_sources(tmp_path, platform=sys.platform, run=run)
    found = probe_python(python, sources, "venv")
    assert found.version == ".".join(map(str, sys.version_info[:3]))
    assert (found.kind, found.prefix, found.usable, found.reason) == ("venv", str(venv), False, "is_venv")
    assert found.base_prefix is not None
    assert Path(found.base_prefix).samefile(sys.base_prefix)
    assert venv_folder(python) == str(venv)
    base = venv_base(str(venv), windows=os.name != "posix")
    assert base is not None
    assert Path(base).samefile(BASE)


@posix
def test_the_base_of_a_venv_is_offered_in_its_place(tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    subprocess.run([BASE, "-m", "venv", "--without-pip", str(venv)], check=True)
    sources = make_sources(tmp_path, run=run, environ={"VIRTUAL_ENV": str(venv)})
    found = {one.path: one for one in find_pythons(sources)}
    assert found[str(venv / "bin/python3")].reason == "is_venv"
    base = next(one for one in found.values() if Path(one.path).samefile(BASE) and one.kind != "venv")
    assert base.usable


@posix
def test_nothing_of_the_found_python_runs(tmp_path: Path) -> None:
    """Neither its site-packages, nor the current folder, nor PYTHON* variables reach the child."""
    venv = tmp_path / "venv"
    subprocess.run([BASE, "-m", "venv", "--without-pip", str(venv)], check=True)
    trap = f"open({str(tmp_path / 'trapped')!r}, 'w').close()"
    site_packages = next((venv / "lib").glob("python3.*/site-packages"))
    write(site_packages / "trap.pth", f"import sys; {trap}\n")
    write(site_packages / "sitecustomize.py", trap)
    sources = make_sources(tmp_path, run=run)
    write(sources.home / "importlib.py", trap)
    assert probe_python(str(venv / "bin/python"), sources).version
    assert not (tmp_path / "trapped").exists()


@pytest.mark.parametrize("version", ["2.7.18", "3.6.15", "3.8.18", "3.10.13", "3.13.0"])
def test_old_and_new_pythons_understand_the_question(version: str) -> None:
    place = Path.home() / ".pyenv/versions" / version / "bin/python"
    if not place.exists():
        pytest.skip(f"no Python {version} here")
    done = subprocess.run([place, "-E", "-s", "-S", "-c", QUESTION], capture_output=True, text=True, check=True)
    found = parse_answer(done.stdout)
    assert found is not None
    assert found.version == version
    assert found.venv is found.ensurepip is (version[0] == "3")


def test_a_store_alias_is_never_started(tmp_path: Path) -> None:
    from rocm_gui.system.pyenv import _Found, _look

    recorded = RecordedRun()
    alias = write(tmp_path / "WindowsApps/python.exe")
    found = _look(_Found(str(alias), "store_alias", None), make_sources(tmp_path, run=recorded))
    assert found == PythonInstall(path=str(alias), kind="store_alias", reason="store_alias")
    assert recorded.calls == []


@pytest.mark.parametrize(
    "ending",
    [
        Completed(("python",), None, "", "", 5.0, timed_out=True),
        Completed(("python",), -11, "", "Segmentation fault", 0.1),
        Completed(("python",), 0, "Welcome", "", 0.1),
    ],
)
def test_one_that_hangs_crashes_or_talks_gives_no_answer_and_is_asked_again(tmp_path: Path, ending: Completed) -> None:
    python = str(write(tmp_path / "bin/python3", executable=True))
    recorded = RecordedRun({"python3": ending})
    sources = make_sources(tmp_path, run=recorded)
    for _ in range(2):
        found = probe_python(python, sources)
        assert (found.usable, found.reason, found.version) == (False, "no_answer", None)
    assert len(recorded.calls) == 2


def test_a_missing_python_is_said(tmp_path: Path) -> None:
    assert probe_python(str(tmp_path / "python"), make_sources(tmp_path)).reason == "no_answer"


def test_an_answer_is_kept_until_the_file_changes(tmp_path: Path) -> None:
    python = write(tmp_path / "bin/python3", "x", executable=True)
    text = line(answer())
    recorded = RecordedRun({"python3": text})
    sources = make_sources(tmp_path, run=recorded)
    first = probe_python(str(python), sources)
    assert probe_python(str(python), sources) is first
    assert len(recorded.calls) == 1
    python.write_text("another")
    probe_python(str(python), sources)
    assert len(recorded.calls) == 2


@posix
def test_where_pythons_are_looked_for(tmp_path: Path) -> None:
    sources = make_sources(tmp_path, environ={"PATH": f"{tmp_path}/shims:{tmp_path}/path::relative"})
    home = sources.home
    expected = {
        write(tmp_path / "path/python3.12", executable=True): "other",
        write(home / ".pyenv/versions/3.11.9/bin/python3", executable=True): "pyenv",
        write(home / ".local/share/uv/python/cpython-3.13.1-linux-x86_64-gnu/bin/python3", executable=True): "uv",
        write(home / "miniconda3/bin/python3", executable=True): "conda",
        write(home / "miniconda3/envs/torch/bin/python", executable=True): "conda",
        write(tmp_path / "elsewhere/bin/python", executable=True): "conda",
    }
    for folder in ("miniconda3", "miniconda3/envs/torch"):
        (home / folder / "conda-meta").mkdir()
    write(home / ".conda/environments.txt", f"{tmp_path / 'elsewhere'}\n{tmp_path / 'gone'}\n")
    for other in ("shims/python3", "path/python3-config", "path/python", "path/python3.12-gdb.py"):
        write(tmp_path / other, executable=True)
    assert dict(posix_candidates(sources)) == {str(path): kind for path, kind in expected.items()}


@posix
def test_active_environments_come_first(tmp_path: Path) -> None:
    python = write(tmp_path / "env/bin/python3", executable=True)
    sources = make_sources(tmp_path, environ={"VIRTUAL_ENV": str(tmp_path / "env")}, executable=sys.executable)
    assert posix_candidates(sources)[:2] == [(str(python), "venv"), (sys.executable, "other")]


@posix
def test_one_interpreter_under_many_names_is_listed_once(tmp_path: Path) -> None:
    python = write(tmp_path / "bin/python3.12", executable=True)
    for name in ("python3", "python3.99"):
        (tmp_path / "bin" / name).symlink_to(python.name)
    (tmp_path / "sbin").symlink_to(tmp_path / "bin")
    text = line(answer())
    sources = make_sources(
        tmp_path, run=RecordedRun({"python3.12": text}), environ={"PATH": f"{tmp_path}/bin:{tmp_path}/sbin"}
    )
    assert [(one.path, one.version, one.usable) for one in find_pythons(sources)] == [(str(python), "3.12.7", True)]


@posix
def test_the_best_stands_first_by_number(tmp_path: Path) -> None:
    answers: dict[str, str] = {}
    for minor, ensurepip in ((9, True), (10, True), (13, False)):
        write(tmp_path / f"path/python3.{minor}", str(minor), executable=True)
        fields = answer(numbers=(3, minor, 1, "final", 0), ensurepip=ensurepip, prefix=f"/opt/{minor}")
        answers[f"python3.{minor}"] = line(fields)
    sources = make_sources(tmp_path, run=RecordedRun(answers), environ={"PATH": str(tmp_path / "path")})
    assert [(one.version, one.reason) for one in find_pythons(sources)] == [
        ("3.10.1", None),
        ("3.9.1", None),
        ("3.13.1", "no_ensurepip"),
    ]


@posix
def test_a_python_named_by_the_person_is_looked_at(tmp_path: Path) -> None:
    """Under the name that it was given by, also where it stands on PATH under another."""
    folder = Path(BASE).parent
    chosen = tmp_path / "mine/python3"
    chosen.parent.mkdir()
    chosen.symlink_to(BASE)
    sources = make_sources(tmp_path, run=run, environ={"PATH": str(folder)})
    found = [one for one in find_pythons(sources, str(chosen)) if Path(one.path).samefile(BASE)]
    assert [(one.path, one.usable) for one in found] == [(str(chosen), True)]
    other = next(path for path in folder.glob("python3*") if path.is_symlink() and path.samefile(BASE))
    assert any(one.path == str(other) and one.usable for one in find_pythons(sources, str(other)))


def test_pyvenv_values_and_homes(tmp_path: Path) -> None:
    base = write(tmp_path / "base/bin/python3.12", executable=True)
    write(tmp_path / "uv/pyvenv.cfg", f"home = {base.parent}\nimplementation = CPython\nversion_info = 3.12.7\n")
    assert pyvenv_values(str(tmp_path / "uv"))["version_info"] == "3.12.7"
    assert venv_base(str(tmp_path / "uv"), windows=False) == str(base)
    write(tmp_path / "virtualenv/pyvenv.cfg", f"home = /gone\nbase-executable = {base}\n")
    assert venv_base(str(tmp_path / "virtualenv"), windows=False) == str(base)
    write(tmp_path / "orphan/pyvenv.cfg", "home = /gone\n")
    assert venv_base(str(tmp_path / "orphan"), windows=False) is None
    assert pyvenv_values(str(tmp_path / "nothing")) == {}


@pytest.mark.parametrize(
    ("path", "windows", "kind"),
    [
        ("/usr/bin/python3.11", False, "system"),
        ("/home/li/.pyenv/versions/3.11.7/bin/python3.11", False, "pyenv"),
        ("/home/li/miniforge3/bin/python3.12", False, "conda"),
        ("/opt/conda/bin/python3.12", False, "conda"),
        ("/usr/local/bin/python3.12", False, "other"),
        ("C:\\Users\\Li\\AppData\\Local\\Programs\\Python\\Python312\\python.exe", True, "python.org"),
        ("C:\\Users\\Li\\AppData\\Roaming\\uv\\python\\cpython-3.12\\python.exe", True, "uv"),
        ("C:\\Users\\Li\\.pyenv\\pyenv-win\\versions\\3.12.1\\python.exe", True, "pyenv"),
        ("C:\\Users\\Li\\anaconda3\\python.exe", True, "conda"),
    ],
)
def test_a_place_speaks_for_a_kind(path: str, windows: bool, kind: str) -> None:
    assert kind_of_place(path, windows=windows) == kind


def test_conda_by_its_variable(tmp_path: Path) -> None:
    root = tmp_path / "deep/conda"
    (root / "conda-meta").mkdir(parents=True)
    sources = make_sources(tmp_path, environ={"CONDA_EXE": str(root / "bin/conda")})
    assert conda_environments(sources) == [root]


@posix
@pytest.mark.skipif(shutil.which("python3", path="/usr/bin") is None, reason="no system Python")
def test_the_systems_own_python_is_found(tmp_path: Path) -> None:
    found = find_pythons(make_sources(tmp_path, run=run, program_folders=(Path("/usr/bin"),)))
    system = [one for one in found if one.kind == "system" and one.version]
    assert system
    assert all(one.bits in {32, 64} and one.prefix == "/usr" for one in system)
