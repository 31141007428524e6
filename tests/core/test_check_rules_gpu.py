"""Rules about GPUs, drivers and access to them."""

from __future__ import annotations

import machines as m
import msgspec
import pytest
from check_cases import judge, verdict

from rocm_gui.core.model import LinuxGpuAccess


def facts(check_id: str, machine, **options):
    return judge(check_id, machine, **options).facts


def test_an_amd_gpu_is_found_and_named_with_its_series():
    assert judge("gpu_present", m.windows_apu_and_radeon()).facts == {
        "count": 2,
        "names": "Radeon Graphics (Ryzen 7000) (Ryzen 7000), Radeon RX 7900 XTX (RX 7000)",
    }


@pytest.mark.parametrize(
    ("machine", "answer"),
    [
        (m.no_gpu(), ("warn", "none", "use_cpu")),
        (m.windows_no_gpu(), ("warn", "none", "use_cpu")),
        (m.windows_no_amd(), ("warn", "only_others", "use_cpu")),
        (m.wsl_radeon(gpus=()), ("warn", "none_in_wsl", "use_cpu_wsl")),
    ],
)
def test_no_amd_gpu_is_a_warning(machine, answer):
    assert verdict("gpu_present", machine) == answer


@pytest.mark.parametrize(
    ("machine", "options", "answer"),
    [
        (m.windows_one_radeon(), {}, ("ok", "official", None)),
        (m.wsl_radeon(), {}, ("ok", "official", None)),
        (m.linux_mi300x8(), {}, ("ok", "official", None)),
        (m.windows_rx6000(), {}, ("warn", "unofficial", "verify_after")),
        (m.windows_too_old_radeon(), {}, ("warn", "too_old", "use_cpu")),
        (m.windows_too_old_radeon(), {"route_id": "amd-windows-10.1"}, ("fail", "too_old", "use_cpu")),
        (m.windows_one_radeon(), {"route_id": "cpu"}, ("warn", "no_route", "see_routes")),
        (m.linux_mi300x8(), {"route_id": "amd-windows-10.1"}, ("fail", "not_in_route", "see_routes")),
        (m.with_gpu(m.linux_one_radeon(), gfx_target=None), {}, ("unknown", "target_unknown", "name_target")),
        (m.with_gpu(m.linux_one_radeon(), gfx_target=None), {"gfx_target": "gfx1100"}, ("ok", "official", None)),
        (m.wsl_radeon(gpus=()), {"gfx_target": "gfx1100"}, ("ok", "official", None)),
        (m.no_gpu(), {}, None),
    ],
)
def test_the_gfx_target_is_judged_for_route_and_system(machine, options, answer):
    assert verdict("gpu_supported", machine, **options) == answer


@pytest.mark.parametrize(
    ("index", "problem", "options", "answer"),
    [
        (1, 0, {}, ("ok", "works", None)),
        (1, None, {}, None),
        (1, 22, {}, ("fail", "disabled", "enable")),
        (1, 43, {}, ("fail", "failed", "repair")),
        (1, 43, {"route_id": "cpu"}, ("warn", "failed", "repair")),
        (0, 22, {}, ("ok", "other_disabled", None)),  # the processor's graphics, switched off on purpose
        (0, 43, {}, ("warn", "failed", "repair")),
    ],
)
def test_device_managers_codes(index, problem, options, answer):
    machine = m.with_gpu(m.windows_apu_and_radeon(), index, device_problem=problem)
    assert verdict("gpu_device", machine, **options) == answer


@pytest.mark.parametrize(
    ("release", "answer"),
    [
        ("26.8.1", ("ok", "new_enough", None)),
        ("26.10.32", ("ok", "new_enough", None)),  # an OEM release; 10 is more than 8
        ("26.8", ("fail", "old", "update")),
        ("26.5.2", ("fail", "old", "update")),
        ("25.12.1 (WHQL)", ("fail", "old", "update")),
        (None, ("unknown", "release_unknown", "look_up")),
        ("unreadable", ("unknown", "release_unknown", "look_up")),
    ],
)
def test_the_adrenalin_release_is_compared_number_by_number(release, answer):
    assert verdict("gpu_driver", m.with_gpu(m.windows_one_radeon(), driver_release=release)) == answer


@pytest.mark.parametrize(
    ("date", "answer"),
    [("2026-05-31", "old_by_date"), ("2026-06-01", "release_unknown"), ("garbled", "release_unknown")],
)
def test_a_driver_without_a_release_is_old_by_its_date_only_where_that_is_certain(date, answer):
    machine = m.with_gpu(m.windows_one_radeon(), driver_release=None, driver_date=date)
    assert judge("gpu_driver", machine).text == answer


def test_a_missing_driver_fails_only_where_the_gpu_is_to_compute():
    machine = m.with_gpu(m.windows_one_radeon(), driver=None, driver_version=None, driver_release=None)
    assert verdict("gpu_driver", machine) == ("fail", "missing", "install")
    assert verdict("gpu_driver", machine, route_id="cpu") == ("warn", "missing", "install")


@pytest.mark.parametrize(
    ("version", "answer"),
    [
        ("31.50.0", ("ok", "new_enough", None)),
        ("30.10.0", ("ok", "new_enough", None)),
        ("30.9.0", ("warn", "old", "update")),
        ("6.14.0", ("ok", "in_kernel", None)),  # a number of the kernel's says nothing of a release
        (None, ("ok", "in_kernel", None)),
    ],
)
def test_amdgpu_packages_have_releases_and_the_kernels_driver_has_none(version, answer):
    assert verdict("amdgpu_version", m.with_gpu(m.linux_one_radeon(), driver_version=version)) == answer


def test_an_integrated_gpu_before_the_card_is_named():
    machine = m.windows_apu_and_radeon()
    assert verdict("gpu_order", machine) == ("warn", "integrated_first", "visible_devices")
    assert facts("gpu_order", machine) == {
        "integrated": "Radeon Graphics (Ryzen 7000)",
        "discrete": "Radeon RX 7900 XTX",
    }
    assert verdict("gpu_order", m.windows_apu_and_radeon(gpus=machine.gpus[::-1])) == ("ok", "discrete_first", None)
    assert verdict("gpu_order", m.windows_one_radeon()) is None


def test_the_monitor_belongs_on_the_card_that_computes():
    both = m.windows_apu_and_radeon()
    on_board = m.with_gpu(m.with_gpu(both, 0, drives_display=True), 1, drives_display=False)
    assert verdict("monitor_connection", both) == ("ok", "on_card", None)
    assert verdict("monitor_connection", on_board) == ("warn", "on_mainboard", "plug_in")
    assert verdict("monitor_connection", m.windows_nvidia_and_radeon()) == ("warn", "on_other_card", "plug_in")
    alone = m.with_gpu(m.windows_one_radeon(), drives_display=False)
    assert verdict("monitor_connection", alone) == ("warn", "on_none", "plug_in")
    unseen = m.with_gpu(m.windows_one_radeon(), drives_display=None)
    assert verdict("monitor_connection", unseen) == ("unknown", "unknown", None)
    assert verdict("monitor_connection", m.windows_one_radeon(gpus=(m.RAPHAEL_IGPU,))) is None


def test_memory_of_cards_and_of_processors_graphics():
    assert verdict("gpu_memory", m.windows_one_radeon()) == ("ok", "enough", None)
    small = m.with_gpu(m.windows_one_radeon(), vram_bytes=2 * m.GIB)
    assert verdict("gpu_memory", small) == ("warn", "small", "small_models")
    windows = m.windows_one_radeon(gpus=(m.RAPHAEL_IGPU,))
    assert verdict("gpu_memory", windows) == ("warn", "small_share", "raise_share")
    linux = m.linux_one_radeon(gpus=(m.RAPHAEL_IGPU,))
    assert verdict("gpu_memory", linux) == ("warn", "small_share", "raise_share_linux")
    assert facts("gpu_memory", linux)["memory_gb"] == 0.5
    unread = m.with_gpu(m.windows_one_radeon(), vram_bytes=None)
    assert verdict("gpu_memory", unread) == ("unknown", "unknown", None)


def access(**changes) -> LinuxGpuAccess:
    return msgspec.structs.replace(m.ACCESS, **changes)


def test_the_kernel_module():
    assert verdict("amdgpu_loaded", m.linux_one_radeon()) == ("ok", "ok", None)
    off = m.linux_one_radeon(linux_access=access(amdgpu_loaded=False))
    assert verdict("amdgpu_loaded", off) == ("fail", "not_loaded", "load")
    assert verdict("amdgpu_loaded", m.no_gpu()) is None


@pytest.mark.parametrize(
    ("changes", "container", "answer"),
    [
        ({}, False, ("ok", "ok", None)),
        ({"kfd_present": False}, False, ("fail", "absent", "load")),
        ({"kfd_present": False}, True, ("fail", "absent_in_container", "pass_devices")),
        ({"kfd_accessible": False}, False, ("fail", "denied", "join_groups")),
        ({"kfd_accessible": None}, False, ("unknown", "unknown", None)),
    ],
)
def test_the_door_to_computing(changes, container, answer):
    machine = m.with_host(m.linux_one_radeon(linux_access=access(**changes)), container=container)
    assert verdict("kfd_access", machine) == answer
    assert verdict("kfd_access", machine, route_id="cpu") is None


def test_groups_matter_only_where_the_devices_are_shut():
    outsider = m.with_host(m.linux_one_radeon(), groups=("amy", "video"))
    assert verdict("render_groups", outsider) == ("ok", "allowed_anyway", None)
    shut = m.with_host(m.linux_one_radeon(linux_access=access(render_accessible=False)), groups=("amy", "video"))
    assert verdict("render_groups", shut) == ("fail", "missing", "join_groups")
    assert facts("render_groups", shut) == {"missing": "render"}
    assert verdict("render_groups", m.linux_one_radeon()) == ("ok", "member", None)


def test_wsl_needs_dxg():
    assert verdict("wsl_gpu", m.wsl_radeon()) == ("ok", "ok", None)
    absent = m.wsl_radeon(linux_access=LinuxGpuAccess(dxg_present=False))
    assert verdict("wsl_gpu", absent) == ("fail", "absent", "update_wsl")
    assert verdict("wsl_gpu", m.wsl_radeon(gpus=(), linux_access=LinuxGpuAccess(dxg_present=False))) == (
        "warn",
        "absent",
        "update_wsl",
    )


def test_a_container_is_told_and_no_fault():
    assert verdict("container", m.linux_one_radeon()) is None
    assert verdict("container", m.with_host(m.linux_one_radeon(), container=True)) == ("ok", "with_gpu", None)
    assert verdict("container", m.with_host(m.no_gpu(), container=True)) == ("ok", "without_gpu", None)


@pytest.mark.parametrize(
    ("kernel", "answer"),
    [
        ("6.18.4-arch1", ("ok", "new_enough", None)),
        ("6.18.10", ("ok", "new_enough", None)),
        ("6.17.0-5-generic", ("warn", "old", "update")),
        (None, ("unknown", "unknown", None)),
    ],
)
def test_strix_halo_wants_a_recent_kernel(kernel, answer):
    machine = m.with_host(m.with_gpu(m.linux_one_radeon(), gfx_target="gfx1151"), kernel=kernel)
    assert verdict("linux_kernel", machine) == answer
    assert verdict("linux_kernel", m.linux_one_radeon()) is None


def test_distributions_on_amds_list():
    assert verdict("linux_distribution", m.linux_one_radeon()) == ("ok", "listed", None)
    debian = m.with_host(m.linux_one_radeon(), distribution="debian", os_release="12")
    assert verdict("linux_distribution", debian) == ("ok", "listed", None)
    arch = m.with_host(m.linux_one_radeon(), distribution="arch", os_release=None)
    assert verdict("linux_distribution", arch) == ("warn", "not_listed", "wheels_work")
    assert verdict("linux_distribution", m.with_host(m.no_gpu(), distribution="arch")) == ("ok", "any_for_cpu", None)
    old = m.with_host(m.linux_one_radeon(), os_release="2.04")  # is not 22.04
    assert judge("linux_distribution", old).text == "not_listed"
