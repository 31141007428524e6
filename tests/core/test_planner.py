"""Plans for whole machines, their command lines written out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import machines
import msgspec
import pytest

from rocm_gui.core.errors import AppError
from rocm_gui.core.model import Machine, SetupOptions
from rocm_gui.core.planner import PlanContext, build_guide, build_plan, choose_python, setup_gfx_targets
from rocm_gui.core.route_choice import choose_routes
from rocm_gui.core.route_loader import load_routes
from rocm_gui.core.sources import SourceChoice, requirements_of
from rocm_gui.system.datafiles import read_toml

if TYPE_CHECKING:
    from rocm_gui.core.plan import Plan, Step

BOOK = load_routes(read_toml(Path(__file__).resolve().parents[2] / "resources" / "data" / "routes.toml"), "routes.toml")
WINDOWS_STATE = r"C:\Users\amy\AppData\Local\rocm_gui\setups\20261201-101500-ab12"
LINUX_STATE = "/home/amy/.local/share/rocm_gui/setups/20261201-101500-ab12"
PYTHON312 = r"C:\Users\amy\AppData\Local\Programs\Python\Python312\python.exe"
SHOWN = ("--progress-bar", "raw", "--use-feature", "fast-deps")
ISOLATED = ("-m", "pip", "--isolated", "--no-input", "--disable-pip-version-check", "install")


def plan_of(machine: Machine, route_id: str | None = None, *, source: int = 0, **changes: object) -> Plan:
    """The plan of the best route (or of ``route_id``), from its source number ``source``."""
    options = changes.pop("options", SetupOptions())
    assert isinstance(options, SetupOptions)
    choices = choose_routes(BOOK.routes, machine, options)
    choice = next(choice for choice in choices if route_id in (None, choice.route.id))
    windows = machine.host is not None and machine.host.os == "windows"
    settings: dict[str, object] = {
        "machine": machine,
        "options": options,
        "target": r"D:\rocm" if windows else "/home/amy/rocm",
        "target_exists": False,
        "setup_id": "20261201-101500-ab12",
        "created": "2026-12-01T10:15:00+08:00",
        "state": WINDOWS_STATE if windows else LINUX_STATE,
        "downloads": r"C:\Users\amy\AppData\Local\rocm_gui\Cache\downloads" if windows else "/home/amy/.cache/x",
    }
    context = PlanContext(base=choose_python(choice.route, machine, options, None), **{**settings, **changes})  # type: ignore[arg-type]
    if choice.route.kind == "guide":
        return build_guide(choice, context)
    chosen = choice.route.sources[source]
    targets = setup_gfx_targets(choice, machine, options)
    lines = requirements_of(chosen, targets, options.torch_version, BOOK.pairs)
    url = None if chosen.kind == "user_pip" else options.index_url or chosen.url
    return build_plan(choice, SourceChoice(source=chosen, url=url, requirements=lines), context)


def step(plan: Plan, name: str) -> Step:
    return next(step for step in plan.steps if step.id == name)


def command(plan: Plan, name: str) -> tuple[str, ...]:
    (only,) = step(plan, name).commands
    return only


def notices(plan: Plan) -> list[str]:
    return [notice.code for notice in plan.notices]


def test_windows_with_one_radeon() -> None:
    plan = plan_of(machines.windows_one_radeon())
    python = r"D:\rocm\env\Scripts\python.exe"
    assert plan.route_id == "amd-windows-10.1"
    assert plan.gfx_target == "gfx1100"
    assert plan.environment == r"D:\rocm\env"
    assert plan.environment_python == python
    assert [one.id for one in plan.steps] == [
        "preflight", "environment", "pip", "resolve", "download", "install", "start_script", "verify", "finish",
    ]  # fmt: skip
    assert command(plan, "environment") == (PYTHON312, "-m", "venv", r"D:\rocm\env")
    assert command(plan, "pip") == (python, "-m", "pip", "install", "--upgrade", "pip>=24.1", "setuptools", "wheel")
    assert step(plan, "pip").variables == {"PIP_NO_INPUT": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    assert command(plan, "resolve") == (
        python, *ISOLATED, "--dry-run", "--ignore-installed", "--report", WINDOWS_STATE + r"\report.json",
        *SHOWN, "--no-build-isolation",
        "--index-url", "https://stable.repo.amd.com/rocm/whl-next/",
        "torch[device-gfx1100]==2.14.0+rocm10.1.0",
        "torchvision[device-gfx1100]==0.29.0a0+rocm10.1.0",
        "torchaudio==2.11.0.3+rocm10.1.0",
    )  # fmt: skip
    assert step(plan, "resolve").variables == {"PIP_CONFIG_FILE": "nul"}
    assert command(plan, "install") == (
        python, *ISOLATED, "--no-index", "--no-deps", "--no-build-isolation", "-r", WINDOWS_STATE + r"\locked.txt",
    )  # fmt: skip
    assert step(plan, "install").variables == {"PIP_CONFIG_FILE": "nul"}
    assert [change.path for change in step(plan, "start_script").changes] == [
        r"D:\rocm\start.cmd",
        r"D:\rocm\start.ps1",
    ]
    assert step(plan, "download").download_bytes == 1_100_000_000
    assert notices(plan) == ["python_chosen"]


def test_windows_with_an_apu_and_a_radeon() -> None:
    plan = plan_of(machines.windows_apu_and_radeon())
    assert command(plan, "resolve")[-3:] == (
        "torch[device-gfx1100]==2.14.0+rocm10.1.0",
        "torchvision[device-gfx1100]==0.29.0a0+rocm10.1.0",
        "torchaudio==2.11.0.3+rocm10.1.0",
    )
    assert notices(plan) == ["python_chosen", "igpu_hidden"]
    assert plan.notices[1].facts == {"hidden": "Radeon Graphics (Ryzen 7000)", "gpu": "Radeon RX 7900 XTX"}


def test_windows_with_an_nvidia_card_and_a_radeon() -> None:
    plan = plan_of(machines.windows_nvidia_and_radeon())
    assert plan.route_id == "amd-windows-10.1"
    assert command(plan, "resolve")[-3] == "torch[device-gfx1100]==2.14.0+rocm10.1.0"
    assert notices(plan) == ["python_chosen"]


def test_windows_without_a_gpu_gets_the_cpu_build() -> None:
    plan = plan_of(machines.windows_no_gpu())
    python = r"D:\rocm\env\Scripts\python.exe"
    assert plan.route_id == "cpu"
    assert plan.gfx_target is None
    assert command(plan, "pip") == (python, "-m", "pip", "install", "--upgrade", "pip>=24.1")
    assert command(plan, "resolve") == (
        python, *ISOLATED, "--dry-run", "--ignore-installed", "--report", WINDOWS_STATE + r"\report.json",
        *SHOWN, "--index-url", "https://download.pytorch.org/whl/cpu",
        "torch==2.13.0", "torchvision==0.28.0", "torchaudio==2.11.0",
    )  # fmt: skip


def test_the_users_own_pip_is_used_as_it_is() -> None:
    plan = plan_of(machines.no_gpu(), source=1)
    python = "/home/amy/rocm/env/bin/python"
    assert plan.source_id == "user-pip"
    assert plan.index_url is None
    assert command(plan, "environment") == ("/usr/bin/python3.12", "-m", "venv", "/home/amy/rocm/env")
    assert command(plan, "resolve") == (
        python, "-m", "pip", "install", "--dry-run", "--ignore-installed",
        "--report", LINUX_STATE + "/report.json", *SHOWN, "torch==2.13.0", "numpy",
    )  # fmt: skip
    assert step(plan, "resolve").variables == {"PIP_NO_INPUT": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def test_a_radeon_in_wsl() -> None:
    plan = plan_of(machines.wsl_radeon())
    assert plan.route_id == "wsl-10.1"
    assert command(plan, "resolve") == (
        "/home/amy/rocm/env/bin/python", *ISOLATED, "--dry-run", "--ignore-installed",
        "--report", LINUX_STATE + "/report.json", *SHOWN, "--no-build-isolation",
        "--index-url", "https://stable.repo.amd.com/rocm/whl-next/",
        "torch[device-gfx1100]==2.14.0+rocm10.1.0",
        "torchvision[device-gfx1100]==0.29.0a0+rocm10.1.0",
        "torchaudio==2.11.0.3+rocm10.1.0",
    )  # fmt: skip
    assert step(plan, "resolve").variables == {"PIP_CONFIG_FILE": "/dev/null"}
    (guide,) = plan.guide
    assert guide.lines[-1] == "sudo apt install amdrocm10.1-gfx1100"
    assert "packages/ubuntu2404/" in guide.lines[2]


def test_eight_equal_cards_need_one_device_package() -> None:
    plan = plan_of(machines.linux_mi300x8())
    assert command(plan, "resolve")[-3] == "torch[device-gfx942]==2.14.0+rocm10.1.0"
    assert notices(plan) == ["python_chosen"]


def test_two_discrete_cards_of_different_targets_get_both_packages() -> None:
    other = msgspec.structs.replace(machines.RX_7900_XTX, gfx_target="gfx1201", vram_bytes=16 * machines.GIB)
    plan = plan_of(machines.windows_one_radeon(gpus=(other, machines.RX_7900_XTX)))
    assert command(plan, "resolve")[-3] == "torch[device-gfx1100,device-gfx1201]==2.14.0+rocm10.1.0"
    assert notices(plan) == ["python_chosen", "several_targets"]


def test_an_unofficial_card_is_said() -> None:
    plan = plan_of(machines.windows_rx6000())
    assert command(plan, "resolve")[-3] == "torch[device-gfx1030]==2.14.0+rocm10.1.0"
    assert notices(plan) == ["unofficial", "python_chosen"]


def test_the_pinned_files_of_7_2_1() -> None:
    plan = plan_of(machines.windows_one_radeon(), "amd-windows-7.2.1", pypi_url="https://pypi.org/simple/")
    arguments = command(plan, "resolve")
    place = "https://repo.radeon.com/rocm/windows/rocm-rel-7.2.1/"
    assert arguments[arguments.index("--index-url") + 1] == "https://pypi.org/simple/"
    assert arguments[-7:] == (
        place + "rocm_sdk_core-7.2.1-py3-none-win_amd64.whl",
        place + "rocm_sdk_devel-7.2.1-py3-none-win_amd64.whl",
        place + "rocm_sdk_libraries_custom-7.2.1-py3-none-win_amd64.whl",
        place + "rocm-7.2.1.tar.gz",
        place + "torch-2.9.1%2Brocm7.2.1-cp312-cp312-win_amd64.whl",
        place + "torchvision-0.24.1%2Brocm7.2.1-cp312-cp312-win_amd64.whl",
        place + "torchaudio-2.9.1%2Brocm7.2.1-cp312-cp312-win_amd64.whl",
    )
    as_configured = command(plan_of(machines.windows_one_radeon(), "amd-windows-7.2.1"), "resolve")
    assert "--isolated" not in as_configured
    assert "--index-url" not in as_configured


def test_the_nightly_route_allows_previews() -> None:
    arguments = command(plan_of(machines.linux_one_radeon(), "amd-linux-nightly"), "resolve")
    assert arguments[-4:] == ("--pre", "torch[device-gfx1100]", "torchvision[device-gfx1100]", "torchaudio")


def test_mirror_proxy_certificate_cache_and_extras() -> None:
    options = SetupOptions(
        proxy="http://127.0.0.1:7890", ca_bundle="/etc/company.pem", cache_dir="/data/pip", extras=("transformers",)
    )
    network = ("--proxy", "http://127.0.0.1:7890", "--cert", "/etc/company.pem", "--cache-dir", "/data/pip")
    mirror = "https://pypi.tuna.tsinghua.edu.cn/simple/"
    plan = plan_of(
        machines.linux_one_radeon(),
        options=options,
        pypi_url=mirror,
        proxy=options.proxy,
        certificate=options.ca_bundle,
    )
    python = "/home/amy/rocm/env/bin/python"
    assert command(plan, "pip") == (
        python, *ISOLATED, "--index-url", mirror, *network, "--upgrade", "pip>=24.1", "setuptools", "wheel",
    )  # fmt: skip
    assert command(plan, "extras") == (
        python, *ISOLATED, "--index-url", mirror, *network, "--progress-bar", "raw",
        "-c", "/home/amy/rocm/constraints.txt", "transformers",
    )  # fmt: skip
    arguments = command(plan, "resolve")
    assert network == arguments[arguments.index("--proxy") : arguments.index("--proxy") + 6]
    assert arguments[arguments.index("--index-url") + 1] == "https://stable.repo.amd.com/rocm/whl-next/"


def test_no_command_ever_adds_a_second_index() -> None:
    for machine in (machines.windows_one_radeon(), machines.linux_mi300x8(), machines.wsl_radeon(), machines.no_gpu()):
        for choice in choose_routes(BOOK.routes, machine, SetupOptions()):
            if choice.fits and choice.route.kind != "guide":
                plan = plan_of(machine, choice.route.id, pypi_url="https://pypi.org/simple/")
                words = [word for one in plan.steps for line in one.commands for word in line]
                assert "--extra-index-url" not in words


def test_another_torch_brings_its_partners() -> None:
    plan = plan_of(machines.linux_mi300x8(), options=SetupOptions(torch_version="2.12.0"))
    assert plan.requirements == (
        "torch[device-gfx942]==2.12.0",
        "torchvision[device-gfx942]==0.27.*",
        "torchaudio==2.11.*",
    )
    unknown = plan_of(machines.linux_mi300x8(), options=SetupOptions(torch_version="3.0"))
    assert unknown.requirements == ("torch[device-gfx942]==3.0", "torchvision[device-gfx942]", "torchaudio")


def test_conda_on_windows() -> None:
    options = SetupOptions(env_kind="conda")
    machine = machines.windows_one_radeon()
    choice = choose_routes(BOOK.routes, machine, options)[0]
    conda = msgspec.structs.replace(machines.WINDOWS_PYTHONS[0], path=r"C:\miniforge3\Scripts\conda.exe")
    context = PlanContext(
        machine=machine, options=options, target=r"D:\rocm", target_exists=True, base=conda,
        setup_id="x", created="", state=WINDOWS_STATE, downloads="d",
    )  # fmt: skip
    source = SourceChoice(source=choice.route.sources[0], url="https://x/", requirements=("torch",))
    plan = build_plan(choice, source, context)
    assert command(plan, "environment") == (
        r"C:\miniforge3\Scripts\conda.exe", "create", "-y", "-p", r"D:\rocm\env", "python=3.12",
    )  # fmt: skip
    assert plan.environment_python == r"D:\rocm\env\python.exe"
    assert [change.kind for change in step(plan, "environment").changes] == ["create_file", "create_folder"]


def test_a_second_environment_replaces_the_first_only_at_the_end() -> None:
    plan = plan_of(
        machines.linux_one_radeon(), target_exists=True, environment_name="env2", replaces="/home/amy/rocm/env"
    )
    assert plan.environment == "/home/amy/rocm/env2"
    assert [change.kind for change in step(plan, "start_script").changes] == ["replace_file"]
    assert [(change.kind, change.path) for change in step(plan, "finish").changes] == [
        ("replace_file", "/home/amy/rocm/.rocm_gui.json"),
        ("remove", "/home/amy/rocm/env"),
    ]
    assert '"$here"/env2' in (step(plan, "start_script").changes[0].value or "")


def test_the_old_line_writes_its_override_into_the_start_script() -> None:
    machine = machines.with_gpu(machines.linux_one_radeon(), gfx_target="gfx1031", support="wheel")
    plan = plan_of(machine, "pytorch-rocm6.1")
    assert plan.environment_variables == {"HSA_OVERRIDE_GFX_VERSION": "10.3.0"}
    assert "export HSA_OVERRIDE_GFX_VERSION=10.3.0" in (step(plan, "start_script").changes[0].value or "")


def test_a_path_too_long_for_rocblas_is_said() -> None:
    target = "D:\\" + "a" * 110
    assert "path_long" in notices(plan_of(machines.windows_one_radeon(), target=target, rocblas_path_most=174))
    assert "path_long" not in notices(plan_of(machines.windows_one_radeon(), rocblas_path_most=174))
    assert "path_long" not in notices(plan_of(machines.windows_no_gpu(), target=target, rocblas_path_most=174))


def test_a_guide_has_steps_for_the_person_and_none_of_ours() -> None:
    plan = plan_of(machines.windows_one_radeon(), "therock-windows")
    assert plan.kind == "guide"
    assert plan.steps == ()
    assert "cmake -B build -GNinja . -DTHEROCK_AMDGPU_FAMILIES=gfx110X-all" in plan.guide[1].lines


def test_a_plan_survives_its_file() -> None:
    plan = plan_of(machines.windows_apu_and_radeon())
    assert msgspec.json.decode(msgspec.json.encode(plan), type=type(plan)) == plan


def _pythons(*versions: str) -> Machine:
    base = machines.LINUX_PYTHONS[0]
    return machines.no_gpu(
        pythons=tuple(msgspec.structs.replace(base, path=f"/p/{version}", version=version) for version in versions)
    )


def test_which_python_is_taken() -> None:
    routes = {route.id: route for route in BOOK.routes}
    several = _pythons("3.14.0", "3.9.2", "3.12.1", "3.10.14")
    amd, cpu = routes["amd-linux-10.1"], routes["cpu"]
    assert choose_python(amd, several, SetupOptions(), "/p/3.10.14").version == "3.12.1"
    assert choose_python(cpu, several, SetupOptions(), "/p/3.10.14").version == "3.10.14"
    assert choose_python(cpu, several, SetupOptions(), "/p/3.9.2").version == "3.14.0"
    assert choose_python(cpu, several, SetupOptions(), None).version == "3.14.0"
    assert choose_python(amd, _pythons("3.11.1", "3.13.1"), SetupOptions(), None).version == "3.13.1"
    assert choose_python(cpu, several, SetupOptions(python="/p/3.12.1"), None).version == "3.12.1"


@pytest.mark.parametrize(
    ("python", "code"),
    [("/p/3.9.2", "setup_python_out_of_range"), ("/nowhere", "setup_python_missing"), (None, "setup_python_none")],
)
def test_pythons_that_cannot_be_taken(python: str | None, code: str) -> None:
    cpu = next(route for route in BOOK.routes if route.id == "cpu")
    with pytest.raises(AppError) as caught:
        choose_python(cpu, _pythons("3.9.2"), SetupOptions(python=python), None)
    assert caught.value.code == code
    if code != "setup_python_missing":
        assert caught.value.facts["needed"] == "3.10–3.14"


def test_a_venv_stands_for_the_python_it_was_made_from() -> None:
    base = machines.LINUX_PYTHONS[0]
    venv = msgspec.structs.replace(base, path="/v/bin/python", prefix="/v", kind="venv", usable=False, reason="is_venv")
    machine = machines.no_gpu(pythons=(base, venv))
    cpu = next(route for route in BOOK.routes if route.id == "cpu")
    assert choose_python(cpu, machine, SetupOptions(python="/v/bin/python"), None) == base
