"""From options to a plan on this system's own folders."""

from __future__ import annotations

import datetime as dt
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import machines
import msgspec
import pytest

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.model import PipConfig, PythonInstall, SetupOptions
from rocm_gui.core.parsers.simple_index import IndexFile
from rocm_gui.services.indexes import NoAnswerError
from rocm_gui.services.own_python import own_python
from rocm_gui.services.setup_planning import SetupPlanner
from rocm_gui.services.setup_store import Marker, encode_marker
from rocm_gui.system.paths import default_paths
from rocm_gui.system.route_files import read_route_book

if TYPE_CHECKING:
    from rocm_gui.core.model import Machine
    from rocm_gui.core.plan import Plan

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the recorded folders are POSIX ones")
NOW = dt.datetime(2026, 12, 1, 10, 15, tzinfo=dt.timezone(dt.timedelta(hours=8)))


class Shelf:
    """An index of given wheels; without any it does not answer."""

    def __init__(self, *names: str) -> None:
        self.names = names
        self.asked: list[str] = []

    def project(self, index_url: str, name: str) -> tuple[IndexFile, ...]:
        self.asked.append(index_url)
        if not self.names:
            raise NoAnswerError("unreachable")
        return tuple(IndexFile(filename=name) for name in self.names)

    def size(self, url: str) -> int | None:
        raise NoAnswerError("unreachable", url)


def planner(machine: Machine, tmp_path: Path, *wheels: str, recorded: bool = False, **environ: str) -> SetupPlanner:
    paths = default_paths()
    return SetupPlanner(
        paths=paths,
        book=read_route_book(paths),
        machine=machine,
        default_target=str(tmp_path / "rocm"),
        environ=environ,
        index=Shelf(*wheels),
        now=NOW,
        rocblas_path_most=174,
        recorded=recorded,
    )


def command(plan: Plan, name: str) -> tuple[str, ...]:
    return next(step for step in plan.steps if step.id == name).commands[0]


def notices(plan: Plan) -> list[str]:
    return [notice.code for notice in plan.notices]


def refused(code: str, planner: SetupPlanner, **options: object) -> AppError:
    with pytest.raises(AppError) as caught:
        planner.plan(SetupOptions(**options))  # type: ignore[arg-type]
    assert caught.value.code == code
    return caught.value


def test_the_best_route_in_the_default_folder(tmp_path: Path) -> None:
    wheel = "torch-2.14.0+rocm10.1.0-cp312-cp312-manylinux_2_28_x86_64.whl"
    plan = planner(machines.linux_one_radeon(), tmp_path, wheel).plan(SetupOptions())
    assert plan.route_id == "amd-linux-10.1"
    assert plan.target == str(tmp_path / "rocm")
    assert plan.environment_python == str(tmp_path / "rocm" / "env" / "bin" / "python")
    assert plan.setup_id.startswith("20261201-101500-")
    assert len(plan.setup_id) == 20
    assert plan.created == "2026-12-01T10:15:00+08:00"
    state = default_paths().setups / plan.setup_id
    assert str(state / "report.json") in command(plan, "resolve")
    assert notices(plan) == ["source_used", "python_chosen"]


def test_a_wheel_for_another_python_does_not_count(tmp_path: Path) -> None:
    wheel = "torch-2.14.0+rocm10.1.0-cp313-cp313-manylinux_2_28_x86_64.whl"
    refused("no_wheel", planner(machines.linux_one_radeon(), tmp_path, wheel))


def test_the_users_pip_for_the_cpu_and_its_cuda_build(tmp_path: Path) -> None:
    machine = machines.no_gpu()
    plan = planner(machine, tmp_path).plan(SetupOptions())
    assert plan.source_id == "user-pip"
    assert notices(plan) == ["source_unreachable", "source_user_pip", "cuda_build", "python_chosen"]
    links = tmp_path / "wheels"
    links.mkdir()
    (links / "torch-2.13.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl").touch()
    own = machines.no_gpu(pip_config=PipConfig(find_links=(str(links),)))
    assert "cuda_build" in notices(planner(own, tmp_path).plan(SetupOptions()))  # for another Python
    (links / "torch-2.13.0+cpu-cp312-cp312-manylinux_2_28_x86_64.whl").touch()
    assert "cuda_build" not in notices(planner(own, tmp_path).plan(SetupOptions()))
    cpu_index = machines.no_gpu(pip_config=PipConfig(index_url="https://download.pytorch.org/whl/cpu"))
    assert "cuda_build" not in notices(planner(cpu_index, tmp_path).plan(SetupOptions()))
    windows = planner(machines.windows_no_gpu(), tmp_path, recorded=True)
    assert "cuda_build" not in notices(windows.plan(SetupOptions(target=r"D:\rocm")))  # PyPI's is the CPU build there


def test_folders_that_cannot_be_taken(tmp_path: Path) -> None:
    one = planner(machines.no_gpu(), tmp_path)
    (tmp_path / "file").touch()
    assert refused("target_relative", one, target="rocm").exit_code == ExitCode.USAGE
    assert refused("target_file", one, target=str(tmp_path / "file")).facts["target"] == str(tmp_path / "file")
    assert refused("target_parent", one, target=str(tmp_path / "a" / "b")).facts["parent"] == str(tmp_path / "a")
    assert refused("target_system", one, target="/usr/local/rocm").facts["folder"] == "/usr"
    refused("target_system", one, target="/")
    refused("target_system", one, target="/home/../etc/x")
    (tmp_path / "loop").symlink_to("loop")
    refused("target_file", one, target=str(tmp_path / "loop"))
    long = refused("target_not_writable", one, target=str(tmp_path / ("x" * 300)))
    assert (long.exit_code, long.facts["reason"]) == (ExitCode.USAGE, "File name too long")
    assert one.plan(SetupOptions(target=str(tmp_path / "usr"))).target == str(tmp_path / "usr")


@pytest.mark.parametrize(
    ("target", "code"),
    [
        (r"rocm", "target_relative"),
        (r"\rocm", "target_relative"),
        ("C:rocm", "target_relative"),
        ("C:\\", "target_system"),
        (r"C:\Program Files\rocm", "target_system"),
        (r"c:\windows\rocm", "target_system"),
    ],
)
def test_windows_folders_that_cannot_be_taken(tmp_path: Path, target: str, code: str) -> None:
    variables = {"SystemRoot": r"C:\Windows", "ProgramFiles": r"C:\Program Files"}
    refused(code, planner(machines.windows_no_gpu(), tmp_path, recorded=True, **variables), target=target)


def test_a_proved_environment_stays_until_the_new_one_is_proved(tmp_path: Path) -> None:
    target = tmp_path / "rocm"
    (target / "env").mkdir(parents=True)
    marker = Marker(setup_id="old", created="", environment=str(target / "env"), verified=True)
    (target / ".rocm_gui.json").write_bytes(encode_marker(marker))
    one = planner(machines.no_gpu(), tmp_path)
    plan = one.plan(SetupOptions())
    assert plan.environment == str(target / "env2")
    assert notices(plan)[-1] == "replaces"
    (target / "env2").mkdir()
    second = msgspec.structs.replace(marker, environment=str(target / "env2"))
    (target / ".rocm_gui.json").write_bytes(encode_marker(second))
    assert one.plan(SetupOptions()).environment == str(target / "env")
    unproved = msgspec.structs.replace(marker, verified=False)
    (target / ".rocm_gui.json").write_bytes(encode_marker(unproved))
    assert notices(one.plan(SetupOptions()))[-1] != "replaces"


def test_routes_that_cannot_be_planned(tmp_path: Path) -> None:
    one = planner(machines.no_gpu(), tmp_path)
    error = refused("route_unknown", one, route_id="amd-linux-10")
    assert error.exit_code == ExitCode.USAGE
    assert "amd-linux-10.1" in str(error.facts["near"])
    assert [reason.code for reason in refused("route_unfit", one, route_id="amd-linux-10.1").facts["reasons"]] == [
        "gpu_none"
    ]  # type: ignore[attr-defined]
    refused("route_none", planner(machines.with_host(machines.no_gpu(), os="other"), tmp_path))


def test_a_guide_is_planned_even_where_it_does_not_fit(tmp_path: Path) -> None:
    plan = planner(machines.no_gpu(), tmp_path).plan(SetupOptions(route_id="article-source"))
    assert (plan.kind, plan.steps) == ("guide", ())


def test_a_python_out_of_range_names_ways_to_get_one(tmp_path: Path) -> None:
    old = msgspec.structs.replace(machines.LINUX_PYTHONS[0], version="3.9.2")
    one = planner(machines.no_gpu(pythons=(old,)), tmp_path)
    for route_id in ("cpu", None):
        error = refused("setup_python_none", one, route_id=route_id)
        assert error.facts["found"] == "3.9.2"
        assert error.facts["help"] == "uv python install 3.14; sudo apt install python3.14 python3.14-venv"
    python = tmp_path / "python3"
    python.touch()
    listed = msgspec.structs.replace(old, path=str(python))
    error = refused(
        "setup_python_out_of_range", planner(machines.no_gpu(pythons=(listed,)), tmp_path), python=str(python)
    )
    assert error.facts["needed"] == "3.10–3.14"


def test_a_python_is_found_by_any_spelling(tmp_path: Path) -> None:
    python = tmp_path / "python3.12"
    python.touch()
    (tmp_path / "python").symlink_to(python)
    listed = msgspec.structs.replace(machines.LINUX_PYTHONS[0], path=str(python))
    one = planner(machines.no_gpu(pythons=(listed,)), tmp_path)
    assert one.plan(SetupOptions(python=str(tmp_path / "python"))).base_python == str(python)
    refused("setup_python_missing", one, python=str(tmp_path / "nowhere"))


def test_conda_is_needed_for_a_conda_environment(tmp_path: Path) -> None:
    assert refused("conda_missing", planner(machines.no_gpu(), tmp_path), env_kind="conda").exit_code == ExitCode.FAILED


def test_mirrors_by_name_and_by_url(tmp_path: Path) -> None:
    one = planner(machines.no_gpu(), tmp_path)
    arguments = command(one.plan(SetupOptions(pypi_mirror="tsinghua")), "pip")
    assert "https://pypi.tuna.tsinghua.edu.cn/simple/" in arguments
    assert "https://pypi.example/simple" in command(
        one.plan(SetupOptions(pypi_mirror="https://pypi.example/simple")), "pip"
    )
    assert refused("mirror_unknown", one, pypi_mirror="tsingua").facts["names"] == "official, tsinghua, aliyun, tencent"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"torch_version": "new"}, "torch_version_malformed"),
        ({"extras": ("--pre",)}, "extra_malformed"),
        ({"index_url": "--trusted-host"}, "url_malformed"),
        ({"pypi_mirror": "ftp://x"}, "url_malformed"),
    ],
)
def test_words_that_are_not_what_they_stand_for(tmp_path: Path, options: dict[str, object], code: str) -> None:
    assert refused(code, planner(machines.no_gpu(), tmp_path), **options).exit_code == ExitCode.USAGE


def test_proxies_that_pip_cannot_use(tmp_path: Path) -> None:
    for proxy in ("127.0.0.1:7890", "socks5://amy:secret@127.0.0.1:1080"):
        error = refused("proxy_malformed", planner(machines.no_gpu(), tmp_path), proxy=proxy)
        assert "secret" not in str(error)


def test_isolated_pip_gets_the_proxy_and_certificates_of_the_users_own(tmp_path: Path) -> None:
    wheel = "torch-2.14.0+rocm10.1.0-cp312-cp312-manylinux_2_28_x86_64.whl"
    config = PipConfig(proxy="http://proxy:8080", cert="/etc/company.pem")
    plan = planner(machines.linux_one_radeon(pip_config=config), tmp_path, wheel).plan(SetupOptions())
    arguments = command(plan, "resolve")
    assert arguments[arguments.index("--proxy") + 1] == "http://proxy:8080"
    assert arguments[arguments.index("--cert") + 1] == "/etc/company.pem"
    assert "--proxy" not in command(plan, "pip")  # there the user's own configuration is in force
    masked = msgspec.structs.replace(config, proxy="http://***@proxy:8080")
    machine = machines.linux_one_radeon(pip_config=masked)
    with_variable = planner(machine, tmp_path, wheel, PIP_PROXY="http://amy:x@proxy:8080").plan(SetupOptions())
    assert "http://amy:x@proxy:8080" in command(with_variable, "resolve")
    assert "--proxy" not in command(planner(machine, tmp_path, wheel).plan(SetupOptions()), "resolve")


def test_the_interpreter_that_runs_us_is_known() -> None:
    own = PythonInstall(path=str(Path(sys._base_executable)), version="3.11.1", usable=True)
    assert own_python(machines.no_gpu(pythons=(*machines.LINUX_PYTHONS, own))) == own.path
    assert own_python(machines.no_gpu()) is None
