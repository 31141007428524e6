"""The recipes as they ship, and the exact commands of their plans on both systems."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocm_gui.core.parsers.build_output import FirstError, clean, problem_of, progress_of
from rocm_gui.core.recipes import BuildOptions, MachineFacts, load_recipes, make_plan, parallel_jobs
from rocm_gui.system.datafiles import read_toml

RECIPES = load_recipes(read_toml(Path(__file__).parents[2] / "resources" / "data" / "recipes.toml"))
WINDOWS = MachineFacts(
    system="windows", cores=16, ram_bytes=32 << 30, local_data=r"C:\Users\a\AppData\Local", python=r"C:\Py\python.exe",
    tools={"ninja": r"C:\n\ninja.exe"}, gfx_targets=("gfx1100", "gfx1103", "gfx1201"),
)  # fmt: skip
LINUX = MachineFacts(
    system="linux", cores=8, ram_bytes=64 << 30, local_data="/home/a/.local", tools={"ninja": "/usr/bin/ninja"}
)


def commands(recipe: str, facts: MachineFacts, **more: object) -> dict[str, list[str]]:
    folder = "B:\\" if facts.system == "windows" else "/b"
    plan = make_plan(RECIPES[recipe], BuildOptions(recipe_id=recipe, work_dir=folder, **more), facts)  # type: ignore[arg-type]
    return {step.id: [" ".join(argv) for argv in step.commands] for step in plan.steps}


def test_the_article_is_run_as_it_means_itself() -> None:
    plan = commands("article", WINDOWS, shallow=False)
    assert plan == {
        "clone": [r"git clone --progress https://gitcode.com/GitHub_Trending/ro/ROCm B:\ROCm"],
        "configure": [r"cmake -S B:\ROCm -B B:\ROCm/build -DCMAKE_INSTALL_PREFIX=C:/Program Files/AMD/ROCm"],
        "build_install": [r"cmake --build B:\ROCm/build --config Release --target install"],
    }
    assert "gitcode" not in commands("article", LINUX, mirror="github")["clone"][0]
    assert not RECIPES["article"].makes_runtime


def test_therock_builds_for_the_gpus_of_the_machine() -> None:
    plan = commands("therock", WINDOWS)
    assert "https://github.com/ROCm/TheRock.git HEAD" in plan["clone"][3]
    assert "--depth=1" in plan["clone"][3]
    assert " ".join(plan["configure"]) == (
        r"cmake -S B:\source -B B:\build -GNinja -DTHEROCK_AMDGPU_FAMILIES=gfx110X-all;gfx120X-all "
        "-DCMAKE_BUILD_TYPE=Release"
    )
    assert plan["build"] == [r"cmake --build B:\build --parallel 16 --target therock-artifacts therock-dist"]
    assert plan["build_verify"][0].endswith("hipInfo.exe")
    linux = commands("therock", LINUX, gfx_targets=("gfx942",))
    assert "-DTHEROCK_AMDGPU_FAMILIES=gfx94X-dcgpu" in linux["configure"][0]
    assert linux["build_verify"] == ["/home/a/.local/rocm-build/therock/bin/rocminfo"]
    below = {need.below for need in RECIPES["therock"].needs if need.id == "cmake" and "windows" in need.systems}
    assert below == {"4"}


def test_choices_reach_the_commands() -> None:
    plan = commands(
        "cmake", LINUX, source="/s", prefix="/p", generator="Unix Makefiles", build_type="Debug", jobs=3, ccache=True,
        defines=("A=1 2", "B:STRING="),
    )  # fmt: skip
    assert " ".join(plan["configure"]) == (
        "cmake -S /s -B /b/build -GUnix Makefiles -DCMAKE_BUILD_TYPE=Debug -DCMAKE_INSTALL_PREFIX=/p "
        "-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DA=1 2 -DB:STRING="
    )
    assert plan["build"] == ["cmake --build /b/build --config Debug --parallel 3"]
    assert "clone" not in plan


@pytest.mark.parametrize(
    ("cores", "gib", "jobs", "limit"),
    [(16, 8, 4, "ram"), (4, 64, 4, "cores"), (None, None, 1, "cores"), (8, 1, 1, "ram")],
)
def test_compilers_are_bounded_by_memory(cores: int | None, gib: int | None, jobs: int, limit: str) -> None:
    facts = MachineFacts(system="linux", cores=cores, ram_bytes=None if gib is None else gib << 30)
    assert parallel_jobs(RECIPES["therock"], BuildOptions(), facts) == (jobs, limit)


@pytest.mark.parametrize(
    ("line", "done", "total", "unit"),
    [
        ("Receiving objects:  42% (420/1000), 1.20 MiB | 800.00 KiB/s", 420, 1000, "objects"),
        ("remote: Counting objects: 100% (7/7), done.", 7, 7, "objects"),
        ("Updating files:   3% (1/33)", 1, 33, "objects"),
        ("[123/4567] Building CXX object a/b.cpp.o", 123, 4567, "targets"),
        ("[ 42%] Building C object main.c.o", 42, 100, "percent"),
    ],
)
def test_progress(line: str, done: int, total: int, unit: str) -> None:
    step = progress_of(line)
    assert step is not None
    assert (step.done, step.total, step.unit) == (done, total, unit)


@pytest.mark.parametrize(
    ("line", "severity", "file", "number"),
    [
        ("/a b/x.c:3:5: error: unknown type name 'foo'", "error", "/a b/x.c", 3),
        (r"C:\src\x.cpp:10:2: fatal error: 'type_traits' file not found", "error", r"C:\src\x.cpp", 10),
        (r"C:\src\x.cpp(10,2): error C2065: 'foo': undeclared identifier", "error", r"C:\src\x.cpp", 10),
        (r"C:\src\x.cpp(10): warning C4996: 'gets'", "warning", r"C:\src\x.cpp", 10),
        ("x.c:1:1: warning: unused", "warning", "x.c", 1),
        ("CMake Error at CMakeLists.txt:4 (find_package):", "error", "CMakeLists.txt", 4),
        ("CMake Warning (dev) at a.cmake:1 (message):", "warning", "a.cmake", 1),
        ("CMake Error: The source directory does not exist.", "error", None, None),
        ("fatal: couldn't find remote ref nothing", "error", None, None),
        ("/usr/bin/ld: main.o: in function `main': x.c:1: undefined reference to `f'", "error", None, None),
        ("LINK : fatal error LNK1104: cannot open file 'x.lib'", "error", None, None),
        ("ninja: error: loading 'build.ninja': No such file", "error", None, None),
        ("make[2]: *** [a.o] Error 1", "error", None, None),
        ("cc1plus: fatal error: No space left on device", "error", None, None),
    ],
)
def test_problems(line: str, severity: str, file: str | None, number: int | None) -> None:
    found = problem_of(line)
    assert found is not None, line
    assert (found.severity, found.file, found.line) == (severity, file, number)


@pytest.mark.parametrize(
    "line",
    ["-- Configuring done", "[1/2] Building error.c", "0 errors", "ninja: no work to do.", "FAILED: a.o",
     "-- error: off", "ninja: build stopped: subcommand failed.", "errors.cpp",
     "In file included from x.c:1:"],
)  # fmt: skip
def test_what_is_no_error_of_its_own(line: str) -> None:
    assert problem_of(line) is None


def test_the_first_error_keeps_the_lines_below_it() -> None:
    first = FirstError()
    log = """[1/3] Building x
FAILED: y.o
/s/y.c:2:12: error: 'a' undeclared
    2 |     return a;
      |            ^
[2/3] Building z
/s/z.c:9:1: error: 'b' undeclared
ninja: build stopped: subcommand failed."""
    marks = [first.hear(line) for line in log.splitlines()]
    assert marks == ["info", "error", "error", "info", "info", "info", "error", "info"]
    assert first.problem is not None
    assert (first.problem.file, first.problem.line) == ("/s/y.c", 2)
    assert first.lines == ("/s/y.c:2:12: error: 'a' undeclared", "    2 |     return a;", "      |            ^")


def test_cmakes_words_stand_below_its_place() -> None:
    first = FirstError()
    for line in (
        "CMake Error at CMakeLists.txt:5 (message):",
        "  Could not find X",
        "",
        "-- Configuring incomplete, errors occurred!",
    ):
        first.hear(line)
    assert first.problem is not None
    assert (first.problem.text, first.problem.line) == ("Could not find X", 5)


@given(st.text())
def test_any_line_is_taken(line: str) -> None:
    progress_of(clean(line))
    FirstError().hear(clean(line))
