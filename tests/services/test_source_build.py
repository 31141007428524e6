"""Real git, cmake, ninja and a compiler on a small C project: built, broken, stopped, killed, continued, removed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest
from machines import linux_one_radeon

from rocm_gui.core.errors import AppError
from rocm_gui.core.recipes import BuildOptions, load_recipes
from rocm_gui.core.setup_events import StepChanged, StepLog, StepProgress
from rocm_gui.core.troubles import load_troubles
from rocm_gui.services import source_build
from rocm_gui.services.build_record import MARKER, read_record
from rocm_gui.services.source_build import SourceBuild
from rocm_gui.system.datafiles import read_toml
from rocm_gui.system.paths import default_paths

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="tests/windows has its own"),
    pytest.mark.timeout(240),
]
DATA = Path(__file__).parents[2] / "resources" / "data"
FILES = 12


def write_project(folder: Path, *, files: int = FILES, slow: str | None = None) -> Path:
    """A program of ``files`` + 1 C files; ``slow`` is a command that the file number 3 waits for."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"part{number}" for number in range(files)]
    lines = [
        "cmake_minimum_required(VERSION 3.16)",
        "project(small C)",
        f"add_executable(small main.c {' '.join(f'{name}.c' for name in names)})",
        "install(TARGETS small DESTINATION bin)",
    ]
    if slow is not None:
        lines.append(f'add_custom_target(slow ALL COMMAND sh -c "{slow}" VERBATIM)')
        lines.append("add_dependencies(slow small)")
    (folder / "CMakeLists.txt").write_text("\n".join(lines) + "\n")
    for number, name in enumerate(names):
        (folder / f"{name}.c").write_text(f"int {name}(void) {{ return {number}; }}\n")
    calls = " + ".join(f"{name}()" for name in names)
    declarations = "".join(f"int {name}(void);\n" for name in names)
    (folder / "main.c").write_text(
        f'#include <stdio.h>\n{declarations}int main(void) {{ printf("%d\\n", {calls}); return 0; }}\n'
    )
    return folder


def make_repository(folder: Path) -> str:
    write_project(folder)
    git = ["git", "-C", str(folder), "-c", "user.name=t", "-c", "user.email=t@example.org"]
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "one"], ["tag", "v1"]):
        subprocess.run([*git, *words], check=True, timeout=60)
    (folder / "part0.c").write_text("int part0(void) { return 100; }\n")
    subprocess.run([*git, "commit", "-q", "-am", "two"], check=True, timeout=60)
    return folder.as_uri()


class Heard(list):
    """Events of a run."""

    def states(self) -> dict[str, str]:
        return {event.step: event.state for event in self if isinstance(event, StepChanged)}

    def text(self) -> str:
        return "\n".join(event.text for event in self if isinstance(event, StepLog))


@pytest.fixture
def builds(product_home: Path) -> SourceBuild:
    recipes = load_recipes(read_toml(DATA / "recipes.toml"))
    troubles = load_troubles(read_toml(DATA / "troubles.toml"))
    return SourceBuild(default_paths(product_home), recipes, lambda: linux_one_radeon(tools=None), troubles)


def options(source: Path | str, work: Path, **more: object) -> BuildOptions:
    return BuildOptions(source=str(source), work_dir=str(work), prefix=str(work.parent / "out"), **more)  # type: ignore[arg-type]


def run(builds: SourceBuild, wanted: BuildOptions, cancel: threading.Event | None = None) -> tuple[object, Heard]:
    heard = Heard()
    return builds.run(builds.plan(wanted), heard.append, cancel or threading.Event()), heard


def test_a_folder_with_blanks_and_chinese_letters_is_built_and_installed(builds: SourceBuild, tmp_path: Path) -> None:
    source = write_project(tmp_path / "源 码" / "小项目")
    outcome, heard = run(builds, options(source, tmp_path / "构 建" / "w"))
    assert outcome.state == "done", outcome
    program = tmp_path / "构 建" / "out" / "bin" / "small"
    assert subprocess.run([program], capture_output=True, check=True, timeout=10).stdout == b"66\n"
    assert heard.states() == {"configure": "done", "build": "done", "build_install": "done"}
    done = [event for event in heard if isinstance(event, StepProgress) and event.unit == "targets"]
    assert done[-1].done == done[-1].total == FILES + 2
    assert sorted(path.name for path in source.iterdir() if path.suffix not in (".c", ".txt")) == []
    again, heard = run(builds, options(source, tmp_path / "构 建" / "w"))
    assert again.state == "done"
    assert set(heard.states().values()) == {"skipped"}


def test_a_git_address_is_fetched_shallowly_at_a_ref(builds: SourceBuild, tmp_path: Path) -> None:
    url = make_repository(tmp_path / "origin")
    outcome, _ = run(builds, options(url, tmp_path / "w"))
    assert outcome.state == "done", outcome
    program = tmp_path / "out" / "bin" / "small"
    assert subprocess.run([program], capture_output=True, check=True, timeout=10).stdout == b"166\n"
    argv = ["git", "-C", str(tmp_path / "w" / "source"), "log", "--oneline"]
    log = subprocess.run(argv, capture_output=True, check=True, timeout=10)
    assert len(log.stdout.splitlines()) == 1
    outcome, heard = run(builds, options(url, tmp_path / "w", ref="v1"))
    assert outcome.state == "done", outcome
    assert heard.states()["clone"] == "done"
    program = tmp_path / "w" / "build" / "small"  # CMake takes what is a second younger for up to date and leaves it
    assert subprocess.run([program], capture_output=True, check=True, timeout=10).stdout == b"66\n"
    outcome, _ = run(builds, options(url, tmp_path / "w2", ref="nothing"))
    assert (outcome.state, outcome.step) == ("failed", "clone")
    assert "nothing" in (outcome.error or "")


def test_a_compile_error_is_named_with_its_place_and_mended_without_building_all_anew(
    builds: SourceBuild, tmp_path: Path
) -> None:
    source = write_project(tmp_path / "s")
    (source / "part7.c").write_text("int part7(void) {\n    return missing_name;\n}\n")
    outcome, heard = run(builds, options(source, tmp_path / "w", jobs=1))
    assert (outcome.state, outcome.step) == ("failed", "build")
    assert (outcome.error_file, outcome.error_line) == (str(source / "part7.c"), 2)
    assert "missing_name" in outcome.error
    assert (
        next(event for event in heard if isinstance(event, StepLog) and "missing_name" in event.text).level == "error"
    )
    (source / "part7.c").write_text("int part7(void) { return 7; }\n")
    heard = Heard()
    outcome = builds.resume(tmp_path / "w", heard.append, threading.Event())
    assert outcome.state == "done"
    assert heard.states()["configure"] == "skipped"
    total = [event.total for event in heard if isinstance(event, StepProgress) and event.unit == "targets"][-1]
    assert total < FILES + 2


def test_a_configure_error_is_said_in_cmakes_words(builds: SourceBuild, tmp_path: Path) -> None:
    source = write_project(tmp_path / "s")
    with (source / "CMakeLists.txt").open("a") as file:
        file.write("find_package(NoSuchThing REQUIRED)\n")
    outcome, heard = run(builds, options(source, tmp_path / "w"))
    assert (outcome.state, outcome.step, outcome.error_line) == ("failed", "configure", 5)
    assert "NoSuchThing" in " ".join(outcome.error_lines)
    assert heard.states() == {"configure": "failed"}


def test_stopped_in_the_middle_it_goes_on_where_it_was(builds: SourceBuild, tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    source = write_project(tmp_path / "s", slow=f"test -e {fifo}.go || cat {fifo}")
    cancel = threading.Event()
    heard = Heard()

    def hear(event: object) -> None:
        heard.append(event)
        if isinstance(event, StepProgress) and event.unit == "targets" and event.done == FILES + 2:
            cancel.set()  # all is compiled; now it waits for the fifo

    plan = builds.plan(options(source, tmp_path / "w"))
    outcome = builds.run(plan, hear, cancel)
    assert (outcome.state, outcome.step) == ("cancelled", "build")
    assert read_record(tmp_path / "w").state == "cancelled"
    with pytest.raises(AppError, match="build_none"):
        builds.resume(tmp_path / "elsewhere", heard.append, threading.Event())
    Path(f"{fifo}.go").touch()
    again = Heard()
    outcome = builds.resume(tmp_path / "w", again.append, threading.Event())
    assert outcome.state == "done"
    compiled = [event for event in again if isinstance(event, StepProgress) and event.unit == "targets"]
    assert compiled[-1].total == 1  # the waiting step alone
    assert "Building C object" not in again.text()


KILLED = """
import sys, threading
from pathlib import Path
sys.path[:0] = [sys.argv[1], sys.argv[1] + "/tests"]
from machines import linux_one_radeon
from rocm_gui.core.recipes import BuildOptions, load_recipes
from rocm_gui.services.source_build import SourceBuild
from rocm_gui.system.datafiles import read_toml
from rocm_gui.system.paths import default_paths
home, source, work = map(Path, sys.argv[2:5])
recipes = load_recipes(read_toml(Path(sys.argv[1]) / "resources/data/recipes.toml"))
builds = SourceBuild(default_paths(home), recipes, lambda: linux_one_radeon(tools=None))
def hear(event):
    if getattr(event, "unit", "") == "targets" and event.done == event.total - 1:
        print("now", flush=True)
plan = builds.plan(BuildOptions(source=str(source), work_dir=str(work), prefix=str(work.parent / "out")))
builds.run(plan, hear, threading.Event())
"""


def test_killed_in_the_middle_it_goes_on_and_can_be_removed(
    builds: SourceBuild, tmp_path: Path, product_home: Path
) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    source = write_project(tmp_path / "s", slow=f"test -e {fifo}.go || cat {fifo}")
    root = str(Path(__file__).parents[2])
    argv = [sys.executable, "-c", KILLED, root, str(product_home), str(source), str(tmp_path / "w")]
    child = subprocess.Popen(argv, stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"now\n"
    child.kill()
    child.wait(30)
    child.stdout.close()
    record = read_record(tmp_path / "w")
    assert (record.state, record.running) == ("running", "build:2")
    assert [r.plan.work_dir for r in builds.known()] == [str(tmp_path / "w")]
    Path(f"{fifo}.go").touch()
    assert builds.resume(tmp_path / "w", lambda _event: None, threading.Event()).state == "done"
    assert builds.clean(tmp_path / "w", "build") == (str(tmp_path / "w" / "build"),)
    assert read_record(tmp_path / "w").done == ()
    assert builds.clean(tmp_path / "w", "all") == (str(tmp_path / "w"),)
    assert source.is_dir()


def test_what_is_not_a_build_is_not_touched(builds: SourceBuild, tmp_path: Path) -> None:
    source = write_project(tmp_path / "s")
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / "mine.txt").write_text("mine")
    with pytest.raises(AppError, match="build_foreign"):
        run(builds, options(source, tmp_path / "w"))
    assert [path.name for path in (tmp_path / "w").iterdir()] == ["mine.txt"]
    for bad, code in (
        (options(tmp_path / "nowhere", tmp_path / "x"), "build_source_missing"),
        (options(tmp_path / "w", tmp_path / "x"), "build_no_cmakelists"),
        (options(source, source), "build_inside_source"),
        (options(source, Path("relative")), "build_work_dir"),
        (options(source, tmp_path / "x", defines=("A",)), "build_define"),
        (options(source, tmp_path / "x", jobs=0), "build_jobs"),
        (options(source, tmp_path / "x", ref="--upload-pack=x"), "build_ref"),
        (BuildOptions(recipe_id="nope", work_dir=str(tmp_path / "x")), "build_recipe"),
        (BuildOptions(recipe_id="cmake", work_dir=str(tmp_path / "x")), "build_no_source"),
        (BuildOptions(recipe_id="therock", mirror="nope", work_dir=str(tmp_path / "x")), "build_mirror"),
    ):
        with pytest.raises(AppError, match=code):
            builds.plan(bad)
    assert not (tmp_path / "x").exists()


def test_a_missing_tool_is_a_need_that_is_not_met(
    builds: SourceBuild, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write_project(tmp_path / "s")
    (tmp_path / "bin").mkdir()
    for name in ("git", "ninja", "cc"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    needs = {need.id: need.status for need in builds.check(options(source, tmp_path / "w"))}
    assert needs["cmake"] == "fail"
    assert needs["compiler"] == "ok"
    outcome, _ = run(builds, options(source, tmp_path / "w"))
    assert (outcome.state, outcome.step) == ("failed", "configure")
    assert outcome.reason


def test_a_full_disk_is_an_error_that_is_continued(
    builds: SourceBuild, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write_project(tmp_path / "s")
    plan = builds.plan(options(source, tmp_path / "w"))

    def full(*_args: object, **_more: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("rocm_gui.services.build_record.write_atomic", full)
        with pytest.raises(OSError, match="No space"):
            builds.run(plan, lambda _event: None, threading.Event())
    assert builds.run(plan, lambda _event: None, threading.Event()).state == "done"


def test_a_damaged_record_is_said(builds: SourceBuild, tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    (tmp_path / "w" / MARKER).write_bytes(b"{")
    with pytest.raises(AppError, match="build_record"):
        builds.resume(tmp_path / "w", lambda _event: None, threading.Event())
    assert builds.known() == ()


def test_a_prefix_that_needs_rights_is_said_in_the_plan_and_built_up_to_there(
    builds: SourceBuild, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_build, "may_write", lambda _folder: False)
    source = write_project(tmp_path / "s", files=1)
    plan = builds.plan(options(source, tmp_path / "w"))
    assert [step.needs_admin for step in plan.steps] == [False, False, True]
    heard = Heard()
    with pytest.raises(AppError, match="build_needs_sudo") as caught:
        builds.run(plan, heard.append, threading.Event())
    assert str(caught.value.facts["line"]).startswith("sudo ")
    assert heard.states()["build"] == "done"


def test_the_record_of_a_plan_comes_back(builds: SourceBuild, tmp_path: Path) -> None:
    plan = builds.plan(options(write_project(tmp_path / "s"), tmp_path / "w", gfx_targets=("gfx1100",)))
    assert msgspec.json.decode(msgspec.json.encode(plan), type=type(plan)) == plan
    assert json.loads(msgspec.json.encode(plan))["jobs_limit"] in ("cores", "ram")
