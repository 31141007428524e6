"""Which route is best for whole machines, and why the others do not fit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import machines
import msgspec
import pytest

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.model import Machine, SetupOptions
from rocm_gui.core.route_choice import choose_routes, in_range, judged_gpu
from rocm_gui.core.route_loader import load_routes
from rocm_gui.system.datafiles import read_toml

if TYPE_CHECKING:
    from rocm_gui.core.routes import RouteChoice

ROUTES = load_routes(
    read_toml(Path(__file__).resolve().parents[2] / "resources" / "data" / "routes.toml"), "routes.toml"
).routes


def choose(machine: Machine, **options: object) -> dict[str, RouteChoice]:
    """Route id -> judgement, in order."""
    return {choice.route.id: choice for choice in choose_routes(ROUTES, machine, SetupOptions(**options))}  # type: ignore[arg-type]


def fitting(machine: Machine, **options: object) -> list[str]:
    """Installable routes that fit, best first."""
    return [name for name, choice in choose(machine, **options).items() if choice.fits and choice.route.kind != "guide"]


def best(choices: dict[str, RouteChoice]) -> str:
    return next(iter(choices))


def reasons(choice: RouteChoice) -> list[str]:
    return [reason.code for reason in choice.reasons]


def cautions(choice: RouteChoice) -> list[str]:
    return [caution.code for caution in choice.cautions]


WINDOWS_RDNA2 = ["amd-windows-10.1", "amd-windows-10.0", "amd-windows-7.14", "cpu", "amd-windows-nightly"]
WINDOWS_RDNA3 = [*WINDOWS_RDNA2[:3], "amd-windows-7.2.1", *WINDOWS_RDNA2[3:]]
LINUX_LISTED = ["amd-linux-10.1", "amd-linux-10.0", "pytorch-rocm7.2", "amd-linux-7.14", "cpu"]
LINUX_LISTED += ["amd-linux-nightly", "pytorch-rocm6.1"]


@pytest.mark.parametrize(
    ("machine", "expected"),
    [
        (machines.windows_one_radeon(), WINDOWS_RDNA3),
        (machines.windows_apu_and_radeon(), WINDOWS_RDNA3),
        (machines.windows_nvidia_and_radeon(), WINDOWS_RDNA3),
        (machines.windows_rx6000(), WINDOWS_RDNA2),
        (machines.windows_too_old_radeon(), ["cpu"]),
        (machines.windows_no_amd(), ["cpu"]),
        (machines.windows_no_gpu(), ["cpu"]),
        (machines.no_gpu(), ["cpu"]),
        (machines.wsl_radeon(), ["wsl-10.1", "cpu"]),
        (
            machines.linux_one_radeon(),
            LINUX_LISTED,
        ),
        (
            machines.linux_mi300x8(),
            LINUX_LISTED,
        ),
    ],
)  # fmt: skip
def test_what_fits_best_first(machine: Machine, expected: list[str]) -> None:
    assert fitting(machine) == expected


def test_the_discrete_card_is_judged_before_the_integrated_one() -> None:
    machine = machines.windows_apu_and_radeon()
    gpu = judged_gpu(machine, SetupOptions())
    assert gpu is not None
    assert gpu.name == "Radeon RX 7900 XTX"
    assert choose(machine)["amd-windows-10.1"].gfx_target == "gfx1100"
    assert choose(machine)["amd-windows-10.1"].official


def test_the_larger_of_two_cards_is_judged() -> None:
    small = msgspec.structs.replace(
        machines.RX_7900_XTX, name="small", gfx_target="gfx1102", vram_bytes=8 * machines.GIB
    )
    machine = machines.windows_one_radeon(gpus=(small, machines.RX_7900_XTX))
    gpu = judged_gpu(machine, SetupOptions())
    assert gpu is machines.RX_7900_XTX


def test_a_card_that_rocm_knows_goes_before_a_larger_one_that_is_too_old() -> None:
    old = msgspec.structs.replace(machines.RX_580, vram_bytes=64 * machines.GIB)
    gpu = judged_gpu(machines.windows_one_radeon(gpus=(old, machines.RX_7900_XTX)), SetupOptions())
    assert gpu is machines.RX_7900_XTX


def test_an_override_decides() -> None:
    choices = choose(machines.windows_no_gpu(), gfx_target="gfx1201")
    assert best(choices) == "amd-windows-10.1"
    assert choices["amd-windows-10.1"].gfx_target == "gfx1201"
    assert choices["amd-windows-10.1"].official


def test_a_wished_gfx_target_that_no_route_knows_is_refused() -> None:
    with pytest.raises(AppError, match="gfx_target_unknown") as caught:
        choose_routes(ROUTES, machines.windows_one_radeon(), SetupOptions(gfx_target="foo"))
    assert caught.value.exit_code == ExitCode.USAGE
    assert "gfx1100" in str(caught.value.facts["names"])


def test_reasons_on_a_machine_without_an_amd_gpu() -> None:
    choices = choose(machines.windows_no_amd())
    assert reasons(choices["amd-windows-10.1"]) == ["gpu_none"]
    assert reasons(choices["amd-linux-10.1"]) == ["os"]
    assert choices["amd-linux-10.1"].reasons[0].facts == {"needed": "linux", "found": "windows"}
    assert not choices["amd-linux-10.1"].fits
    # what does not fit: this system's routes before those of others
    assert list(choices).index("amd-windows-nightly") < list(choices).index("amd-linux-10.1")


def test_an_unknown_gfx_target_is_said_not_guessed() -> None:
    machine = machines.with_gpu(machines.windows_one_radeon(), gfx_target=None, family=None, support=None)
    choices = choose(machine)
    assert best(choices) == "cpu"
    assert reasons(choices["amd-windows-10.1"]) == ["gfx_unknown"]
    assert choices["amd-windows-10.1"].reasons[0].facts == {"gpu": "Radeon RX 7900 XTX", "pci_id": "1002:744c"}


def test_a_card_that_is_too_old() -> None:
    choices = choose(machines.windows_too_old_radeon())
    assert reasons(choices["amd-windows-10.1"]) == ["gfx_too_old"]


def test_unofficial_cards_fit_with_a_caution() -> None:
    choice = choose(machines.windows_rx6000())["amd-windows-10.1"]
    assert choice.fits
    assert not choice.official
    assert cautions(choice) == ["unofficial"]


def test_only_listed_cards_of_a_shared_target_are_official() -> None:
    on_linux = machines.with_gpu(machines.linux_one_radeon(), gfx_target="gfx1030", support="wheel")
    assert not choose(on_linux)["amd-linux-10.1"].official
    w6800 = machines.with_gpu(machines.linux_one_radeon(), gfx_target="gfx1030", support="official")
    assert choose(w6800)["amd-linux-10.1"].official


@pytest.mark.parametrize(
    ("release", "expected"), [("26.8.1", []), ("26.10.1", []), ("26.2.2", ["driver_old"]), (None, ["driver_unknown"])]
)
def test_the_driver_is_a_caution(release: str | None, expected: list[str]) -> None:
    machine = machines.with_gpu(machines.windows_one_radeon(), driver_release=release)
    assert cautions(choose(machine)["amd-windows-10.1"]) == expected


def test_a_kernels_own_driver_is_not_compared_with_amds_releases() -> None:
    machine = machines.with_gpu(machines.linux_one_radeon(), driver_version="6.14.0")
    assert cautions(choose(machine)["amd-linux-10.1"]) == []
    assert cautions(choose(machines.with_gpu(machine, driver_version="30.9.0"))["amd-linux-10.1"]) == ["driver_old"]


@pytest.mark.parametrize(
    ("build", "fits", "expected"),
    [(19045, False, []), (22000, True, ["windows_untested"]), (26100, True, ["windows_untested"]), (26200, True, [])],
)
def test_windows_builds(build: int, fits: bool, expected: list[str]) -> None:
    choice = choose(machines.with_host(machines.windows_one_radeon(), os_build=build))["amd-windows-10.1"]
    assert choice.fits is fits
    assert cautions(choice) == expected
    if not fits:
        assert reasons(choice) == ["windows_build"]


def test_wsl_without_its_device() -> None:
    access = msgspec.structs.replace(machines.WSL_ACCESS, dxg_present=False)
    choices = choose(machines.wsl_radeon(linux_access=access))
    assert reasons(choices["wsl-10.1"]) == ["wsl_no_dxg"]
    assert best(choices) == "cpu"


def test_a_python_out_of_range_says_what_is_needed_and_found() -> None:
    python = msgspec.structs.replace(machines.WINDOWS_PYTHONS[0], version="3.10.11")
    choices = choose(machines.windows_one_radeon(pythons=(python,)))
    assert [(reason.code, reason.facts) for reason in choices["amd-windows-10.1"].reasons] == [
        ("python_range", {"needed": "3.11–3.14", "found": "3.10.11"})
    ]
    assert [reason.facts["needed"] for reason in choices["amd-windows-7.2.1"].reasons] == ["3.12"]
    assert best(choices) == "cpu"


def test_no_python_at_all_leaves_nothing_to_install() -> None:
    choices = choose(machines.windows_one_radeon(pythons=()))
    assert reasons(choices["cpu"]) == ["python_none"]


def test_conda_brings_its_own_python() -> None:
    tools = (msgspec.structs.replace(machines.LINUX_TOOLS[0], id="conda", path="/opt/conda/bin/conda"),)
    machine = machines.linux_one_radeon(pythons=(), tools=tools)
    assert fitting(machine) == []
    assert fitting(machine, env_kind="conda")[0] == "amd-linux-10.1"


def test_other_processors_get_the_cpu() -> None:
    choices = choose(machines.with_host(machines.linux_one_radeon(), architecture="aarch64"))
    assert best(choices) == "cpu"
    assert reasons(choices["amd-linux-10.1"]) == ["architecture"]


def test_the_old_line_needs_an_override_for_some_cards() -> None:
    machine = machines.with_gpu(machines.linux_one_radeon(), gfx_target="gfx1031", support="wheel")
    choice = choose(machine)["pytorch-rocm6.1"]
    assert cautions(choice) == ["obsolete", "hsa_override", "unofficial"]
    assert choice.cautions[1].facts == {"gfx": "gfx1031", "value": "10.3.0"}


def test_the_articles_build_never_fits() -> None:
    assert reasons(choose(machines.windows_one_radeon())["article-source"]) == ["does_not_work"]


def test_the_order_does_not_depend_on_the_order_of_the_routes() -> None:
    machine = machines.linux_one_radeon()
    forward = choose_routes(ROUTES, machine, SetupOptions())
    assert choose_routes(reversed(ROUTES), machine, SetupOptions()) == forward


@pytest.mark.parametrize(
    ("version", "inside"), [("3.11.0", True), ("3.14.2", True), ("3.10.14", False), ("3.15.0a1", False), ("x", False)]
)
def test_python_ranges_count_major_and_minor(version: str, inside: bool) -> None:
    route = next(route for route in ROUTES if route.id == "amd-windows-10.1")
    assert in_range(version, route) is inside
