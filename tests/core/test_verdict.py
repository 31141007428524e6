"""One verdict from everything found: the lowest failing layer and what to do."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from rocm_gui.core.model import Gpu, LinuxGpuAccess, Machine
from rocm_gui.core.routes import Route
from rocm_gui.core.verdict import TEST_LAYERS, choose_device, findings_of, judge, layer_versions, status_of
from rocm_gui.core.verification import Case, DeviceInfo, EnvironmentProbe, Fault, Package, Trial, Workaround

RADEON = DeviceInfo(
    index=0,
    name="AMD Radeon RX 7900 XTX",
    gfx_target="gfx1100",
    arch_full="gfx1100",
    total_memory_bytes=25_753_026_560,
    pci_address="0000:03:00.0",
    integrated=False,
)
APU = DeviceInfo(
    index=0, name="AMD Radeon(TM) Graphics", gfx_target="gfx1036", total_memory_bytes=30_000_000_000, integrated=True
)
ROCM = EnvironmentProbe(
    python="/t/env/bin/python",
    python_version="3.12.7",
    torch_version="2.14.0+rocm10.1.0",
    build="rocm",
    hip_version="7.17.1",
    available=True,
    device_count=1,
    devices=(RADEON,),
    arch_list=("gfx1100", "gfx1101"),
    packages=(Package(name="rocm-sdk-core", version="10.1.0"), Package(name="torch", version="2.14.0+rocm10.1.0")),
)
CPU = EnvironmentProbe(
    python="/t/env/bin/python", python_version="3.12.7", torch_version="2.13.0+cpu", build="cpu", available=False
)
MACHINE = Machine(
    gpus=(Gpu(vendor="amd", name="AMD Radeon RX 7900 XTX", gfx_target="gfx1100", pci_address="0000:03:00.0",
              driver="Radeon", driver_version="32.0.21043.12001", driver_release="26.8.1", integrated=False),)
)  # fmt: skip
TEXT = {"en": "x"}
GPU_ROUTE = Route(id="amd-windows", title=TEXT, summary=TEXT, kind="wheels", os=("windows",))
CPU_ROUTE = Route(id="cpu", title=TEXT, summary=TEXT, kind="cpu", os=("windows", "linux"))
GOOD = Case(name="a", dtype="float32", status="ok", max_error=1e-6, tolerance=1e-5)
WRONG = Case(name="3x3", dtype="float16", status="wrong", max_error=0.5, tolerance=0.01)


def trial(name: str, status: str = "ok", **more: Any) -> Trial:
    where: dict[str, Any] = {"device": "cuda:0", "device_name": RADEON.name, "arch": "gfx1100", "cases": (GOOD,)}
    return Trial(**{"id": name, "layer": TEST_LAYERS[name], "status": status, **where, **more})


ALL_GOOD = [trial(name) for name in TEST_LAYERS]


def with_bad(*bad: Trial) -> list[Trial]:
    by_name = {item.id: item for item in bad}
    return [by_name.get(item.id, item) for item in ALL_GOOD]


def test_all_right() -> None:
    judged = judge(ROCM, ALL_GOOD, device=RADEON, machine=MACHINE, route=GPU_ROUTE, gfx_target="gfx1100")
    assert (judged.verdict, judged.exit_code, judged.layer, judged.remedy) == ("ok", 0, None, None)


def test_a_workaround_is_usable_and_said() -> None:
    judged = judge(ROCM, ALL_GOOD, device=RADEON, workarounds=[Workaround(id="miopen_off", tests=("batchnorm",))])
    assert (judged.verdict, judged.exit_code, judged.layer) == ("workaround", 0, "miopen")


def test_a_cpu_build_is_cpu_only_where_nothing_else_was_wanted() -> None:
    trials = [trial(name, device="cpu", device_name=None, arch=None) for name in TEST_LAYERS]
    assert judge(CPU, trials).verdict == "cpu_only"
    assert judge(CPU, trials, route=CPU_ROUTE, machine=MACHINE).exit_code == 0


def test_a_cpu_build_fails_a_gpu_route() -> None:
    judged = judge(CPU, [], route=GPU_ROUTE)
    assert (judged.verdict, judged.exit_code, judged.layer, judged.remedy) == (
        "failed", 1, "torch_install", "rocm_build",
    )  # fmt: skip
    assert judged.fault == Fault(code="cpu_build")


@pytest.mark.parametrize("machine", [None, Machine(gpus=())])
def test_a_cuda_build_without_a_gpu_computes_on_the_cpu(machine: Machine | None) -> None:
    probe = replace(CPU, build="cuda", cuda_version="13.0")
    assert judge(probe, [], machine=machine).verdict == "cpu_only"
    assert judge(probe, [], machine=MACHINE).fault == Fault(code="cuda_build")


@pytest.mark.parametrize(
    ("act", "fault", "layer", "remedy", "exit_code"),
    [
        ("import_torch", Fault(code="torch_missing", layer="torch_install"), "torch_install", "install_torch", 1),
        ("import_torch", Fault(code="library_missing", layer="libraries"), "libraries", "library_missing", 1),
        ("import_torch", Fault(code="exception", facts={"kind": "RuntimeError"}), "torch_install", "reinstall", 1),
        ("import_torch", Fault(code="crash", exit_code=-11), "libraries", "library_missing", 4),
        ("import_torch", Fault(code="timeout", facts={"limit_s": 180.0}), "libraries", "library_missing", 4),
        ("available", Fault(code="crash", exit_code=0xC0000005), "runtime", "driver", 4),
        ("devices", Fault(code="timeout"), "runtime", "driver", 4),
        ("device", Fault(code="crash", exit_code=-11), "device", "choose_device", 4),
        (
            "import_torch",
            Fault(code="crash", layer="libraries", exit_code=0xC0000135),
            "libraries",
            "library_missing",
            4,
        ),
    ],
)
def test_a_probe_that_ended_early(act: str, fault: Fault, layer: str, remedy: str, exit_code: int) -> None:
    judged = judge(replace(ROCM, fault=fault, failed_act=act), [])
    assert (judged.verdict, judged.layer, judged.remedy, judged.exit_code) == ("failed", layer, remedy, exit_code)


def test_an_old_python() -> None:
    judged = judge(replace(ROCM, python_version="3.8.10"), ALL_GOOD, device=RADEON)
    assert (judged.layer, judged.remedy, judged.fault) == (
        "python", "python", Fault(code="python_too_old", facts={"version": "3.8.10"}),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("variables", "machine", "layer", "remedy"),
    [
        ({"HIP_VISIBLE_DEVICES": "-1"}, MACHINE, "device", "unhide"),
        ({}, Machine(gpus=()), "device", "no_gpu"),
        ({}, Machine(gpus=(Gpu(vendor="nvidia"),)), "device", "no_gpu"),
        (
            {},
            replace(MACHINE, linux_access=LinuxGpuAccess(kfd_present=True, kfd_accessible=False)),
            "driver",
            "gpu_access",
        ),
        ({}, replace(MACHINE, linux_access=LinuxGpuAccess(kfd_present=False)), "driver", "driver"),
        ({}, replace(MACHINE, linux_access=LinuxGpuAccess(kfd_present=False, dxg_present=True)), "runtime", "driver"),
        ({}, None, "runtime", "driver"),
    ],
)
def test_a_rocm_build_that_sees_no_gpu(
    variables: dict[str, str], machine: Machine | None, layer: str, remedy: str
) -> None:
    probe = replace(ROCM, available=False, devices=(), device_count=0, variables=variables)
    judged = judge(probe, [], machine=machine)
    assert (judged.verdict, judged.layer, judged.remedy, judged.exit_code) == ("failed", layer, remedy, 1)


@pytest.mark.parametrize("name", list(TEST_LAYERS))
def test_a_wrong_result_is_never_trusted_and_names_its_layer(name: str) -> None:
    judged = judge(ROCM, with_bad(trial(name, "wrong", cases=(GOOD, WRONG))), device=RADEON)
    assert (judged.verdict, judged.exit_code, judged.layer) == ("untrusted", 3, TEST_LAYERS[name])
    assert judged.fault is not None
    assert judged.fault.facts == {"test": name, "case": "3x3", "dtype": "float16", "count": 1, "error": 0.5}


def test_a_wrong_reference_blames_the_processor() -> None:
    bad = trial("gemm", "wrong", cases=(GOOD, replace(WRONG, name="reference", dtype="float64")))
    judged = judge(ROCM, with_bad(bad), device=RADEON)
    assert (judged.verdict, judged.layer, judged.remedy) == ("untrusted", "reference", "reference")


@pytest.mark.parametrize(
    ("status", "fault", "layer", "remedy", "exit_code"),
    [
        ("crashed", Fault(code="crash", exit_code=-11), "miopen", "miopen", 4),
        ("timed_out", Fault(code="timeout"), "miopen", "miopen", 4),
        ("failed", Fault(code="out_of_memory", layer="memory"), "memory", "memory", 1),
        ("failed", Fault(code="no_kernel", layer="torch_install"), "torch_install", "device_wheel", 1),
        ("failed", Fault(code="miopen_compile", layer="miopen"), "miopen", "miopen_compile", 1),
        ("failed", Fault(code="exception"), "miopen", "miopen", 1),
        ("crashed", Fault(code="crash", layer="memory", exit_code=-9), "memory", "memory", 4),
    ],
)
def test_a_test_that_did_not_finish(status: str, fault: Fault, layer: str, remedy: str, exit_code: int) -> None:
    judged = judge(ROCM, with_bad(trial("conv", status, fault=fault, cases=())), device=RADEON)
    assert (judged.verdict, judged.layer, judged.remedy, judged.exit_code) == ("failed", layer, remedy, exit_code)


def test_the_lowest_failing_layer_is_named() -> None:
    bad = (trial("optimizer", "wrong", cases=(WRONG,)), trial("gemm", "crashed", fault=Fault(code="crash")))
    assert judge(ROCM, with_bad(*bad), device=RADEON).layer == "gemm"


@pytest.mark.parametrize(
    "stray",
    [
        {"device": "cuda:1"},
        {"device": "cpu", "device_name": None, "arch": None},
        {"device_name": "AMD Radeon(TM) Graphics"},
        {"arch": "gfx1036"},
    ],
)
def test_results_of_another_device_do_not_count(stray: dict[str, Any]) -> None:
    judged = judge(ROCM, with_bad(trial("gemm", **stray)), device=RADEON)
    assert (judged.verdict, judged.layer) == ("failed", "device")


def test_a_gpu_of_another_architecture_than_expected() -> None:
    assert choose_device(ROCM, gfx_target="gfx1201") is None
    judged = judge(ROCM, [], device=None, gfx_target="gfx1201")
    assert judged.fault is not None
    assert (judged.layer, judged.fault.facts) == ("device", {"expected": "gfx1201", "found": "gfx1100"})


def test_a_broken_torchvision_fails_last() -> None:
    vision = Package(name="torchvision", version="0.20.0", imports=False, fault=Fault(code="exception", message="nms"))
    probe = replace(ROCM, packages=(*ROCM.packages, vision))
    judged = judge(probe, ALL_GOOD, device=RADEON)
    assert (judged.verdict, judged.layer, judged.exit_code) == ("failed", "torch_install", 1)
    assert judge(probe, with_bad(trial("gemm", "failed", fault=Fault(code="exception"))), device=RADEON).layer == "gemm"


def test_the_discrete_gpu_is_chosen_although_the_integrated_one_stands_first_and_is_larger() -> None:
    second = replace(RADEON, index=1)
    probe = replace(ROCM, devices=(APU, second), device_count=2)
    assert choose_device(probe) == second
    assert choose_device(probe, gfx_target="gfx1036") == APU
    assert choose_device(probe, index=0) == APU
    assert choose_device(probe, index=7) is None
    assert [item.code for item in findings_of(probe, [], device=second)] == ["integrated_first"]


def test_the_machine_tells_which_is_integrated_where_pytorch_does_not() -> None:
    first = replace(APU, integrated=None, pci_address="0000:0f:00.0")
    second = replace(RADEON, index=1, integrated=None)
    probe = replace(ROCM, devices=(first, second))
    machine = Machine(gpus=(Gpu(vendor="amd", pci_address="0000:0f:00.0", integrated=True), *MACHINE.amd_gpus))
    assert choose_device(probe, machine) == second


def test_a_discrete_gpu_that_pytorch_does_not_offer_is_missed() -> None:
    probe = replace(ROCM, devices=(APU,))
    codes = [item.code for item in findings_of(probe, [], machine=MACHINE, device=APU)]
    assert "discrete_unseen" in codes
    assert "discrete_unseen" not in [item.code for item in findings_of(ROCM, [], machine=MACHINE, device=RADEON)]


def test_versions_stand_side_by_side() -> None:
    rows = {row.id: row.version for row in layer_versions(ROCM, MACHINE, RADEON)}
    assert rows == {
        "os": None,
        "python": "3.12.7",
        "driver": "26.8.1 (32.0.21043.12001)",
        "hip": "7.17.1",
        "rocm_wheels": "rocm-sdk-core 10.1.0",
        "torch": "2.14.0+rocm10.1.0",
        "torchvision": None,
        "torchaudio": None,
        "kernels": "gfx1100, gfx1101",
        "gpu": "gfx1100",
    }


def test_findings() -> None:
    probe = replace(
        ROCM,
        arch_list=("gfx1030",),
        variables={"HSA_OVERRIDE_GFX_VERSION": "11.0.0"},
        packages=(Package(name="rocm-sdk-core", version="10.0.0"),),
    )
    codes = [item.code for item in findings_of(probe, [trial("conv", attempts=2)], device=RADEON, bfloat16="emulated")]
    assert codes == ["bfloat16_emulated", "kernels_lack_gpu", "hsa_override", "rocm_mismatch", "conv_second_try"]
    assert [item.code for item in findings_of(CPU, [], machine=MACHINE)] == ["gpu_unused"]
    assert findings_of(ROCM, ALL_GOOD, machine=MACHINE, device=RADEON, bfloat16="matrix") == ()


def test_the_status_of_comparisons() -> None:
    missing = Case(name="b", dtype="float16", status="unsupported")
    assert status_of([GOOD, missing]) == "ok"
    assert status_of([missing]) == "unsupported"
    assert status_of([GOOD, WRONG]) == "wrong"


def test_the_worst_share_of_a_tolerance() -> None:
    assert trial("gemm", cases=(GOOD, WRONG)).worst == pytest.approx(50.0)
    assert (
        trial("copy", cases=(Case(name="x", dtype="uint8", status="ok", max_error=0.0, tolerance=0.0),)).worst is None
    )
