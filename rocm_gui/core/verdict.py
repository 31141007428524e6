"""From what was found to one verdict: is the environment usable, which layer fails, what to do. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from rocm_gui.core.errors import ExitCode
from rocm_gui.core.verification import (
    Case,
    DeviceInfo,
    EnvironmentProbe,
    Fault,
    Finding,
    Layer,
    LayerVersion,
    Trial,
    VerdictCode,
    VerificationReport,
    Workaround,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocm_gui.core.model import Gpu, Machine
    from rocm_gui.core.routes import Route

__all__ = [
    "TEST_LAYERS",
    "Judgement",
    "VerificationReport",
    "choose_device",
    "findings_of",
    "judge",
    "layer_versions",
    "status_of",
]

# In the order in which they run, from the ground up; the names are those of workers/verify.py.
TEST_LAYERS: dict[str, Layer] = {
    "article": "gemm",
    "copy": "memory",
    "kernels": "kernels",
    "gemm": "gemm",
    "conv": "miopen",
    "batchnorm": "miopen",
    "rnn": "miopen",
    "attention": "attention",
    "autograd": "autograd",
    "amp": "amp",
    "optimizer": "optimizer",
}
_ACT_LAYERS: dict[str, Layer] = {
    "metadata": "python",
    "import_torch": "libraries",
    "available": "runtime",
    "devices": "runtime",
    "device": "device",
    "start_device": "runtime",
}
# Remedies by fault, then by layer; the sentences stand under [verify.remedy].
_REMEDIES = {
    "torch_missing": "install_torch",
    "module_missing": "reinstall",
    "app_control": "app_control",
    "page_file": "page_file",
    "library_mismatch": "library_mismatch",
    "library_broken": "reinstall",
    "library_missing": "library_missing",
    "no_kernel": "device_wheel",
    "tensile_missing": "device_wheel",
    "out_of_memory": "memory",
    "kfd_denied": "gpu_access",
    "driver_too_old": "driver",
    "gpu_reset": "gpu_reset",
    "miopen_compile": "miopen_compile",
    "miopen_database": "miopen_database",
    "device_missing": "choose_device",
    "no_device": "driver",
}
_LAYER_REMEDIES: dict[str, str] = {
    "python": "python",
    "torch_install": "reinstall",
    "libraries": "library_missing",
    "driver": "driver",
    "runtime": "driver",
    "device": "choose_device",
    "memory": "memory",
    "miopen": "miopen",
    "reference": "reference",
}
_MINIMUM_PYTHON = (3, 10)  # the workers' own; every wheel of today's routes needs it as well


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """The verdict with its reason."""

    verdict: VerdictCode
    exit_code: ExitCode
    layer: Layer | None = None
    remedy: str | None = None
    fault: Fault | None = None


def status_of(cases: Sequence[Case]) -> str:
    """``wrong`` where one comparison is, ``unsupported`` where nothing could be compared, else ``ok``."""
    states = {case.status for case in cases}
    if "wrong" in states:
        return "wrong"
    return "ok" if "ok" in states else "unsupported"


def choose_device(
    probe: EnvironmentProbe, machine: Machine | None = None, gfx_target: str | None = None, index: int | None = None
) -> DeviceInfo | None:
    """The device to test: the one asked for, else a discrete one before an integrated one, then by memory."""
    if index is not None:
        return next((device for device in probe.devices if device.index == index), None)
    fitting = [device for device in probe.devices if gfx_target is None or device.gfx_target == gfx_target]
    if not fitting:
        return None
    return max(
        fitting,
        key=lambda device: (not is_integrated(device, machine), device.total_memory_bytes or 0, -device.index),
    )


def is_integrated(device: DeviceInfo, machine: Machine | None) -> bool:
    """Whether the device shares the processor's chip, as PyTorch or else the machine's record tells."""
    if device.integrated is not None:
        return device.integrated
    gpu = _gpu_of(device, machine)
    return bool(gpu and gpu.integrated)


def _gpu_of(device: DeviceInfo, machine: Machine | None) -> Gpu | None:
    gpus = machine.amd_gpus if machine is not None else ()
    by_address = [gpu for gpu in gpus if gpu.pci_address and gpu.pci_address == device.pci_address]
    same_target = [gpu for gpu in gpus if gpu.gfx_target and gpu.gfx_target == device.gfx_target]
    return next(iter(by_address or (same_target if len(same_target) == 1 else ())), None)


def judge(
    probe: EnvironmentProbe,
    trials: Sequence[Trial],
    *,
    device: DeviceInfo | None = None,
    machine: Machine | None = None,
    route: Route | None = None,
    gfx_target: str | None = None,
    workarounds: Sequence[Workaround] = (),
) -> Judgement:
    """The verdict. The lowest failing layer is named: what stands on it cannot be judged."""
    return (
        _judge_probe(probe)
        or _judge_build(probe, machine, route)
        or _judge_device(probe, device, gfx_target)
        or _judge_trials(trials, device)
        or _judge_imports(probe)
        or _passed(probe, device, workarounds)
    )


def _failed(layer: Layer, remedy: str | None, fault: Fault | None = None) -> Judgement:
    crashed = fault is not None and (fault.code in {"crash", "ended", "timeout"} or fault.exit_code is not None)
    code = ExitCode.CRASHED if crashed else ExitCode.FAILED
    return Judgement(verdict="failed", exit_code=code, layer=layer, remedy=remedy, fault=fault)


def _remedy(fault: Fault, layer: Layer) -> str | None:
    return _REMEDIES.get(fault.code) or _LAYER_REMEDIES.get(layer)


def _judge_probe(probe: EnvironmentProbe) -> Judgement | None:
    version = tuple(int(part) for part in re.findall(r"\d+", probe.python_version or "")[:2])
    if version and version < _MINIMUM_PYTHON:
        return _failed("python", "python", Fault(code="python_too_old", facts={"version": probe.python_version}))
    if probe.fault is None:
        return None
    layer = probe.fault.layer or _ACT_LAYERS.get(probe.failed_act or "", "python")
    if probe.fault.layer is None and probe.fault.code == "exception" and probe.failed_act == "import_torch":
        layer = "torch_install"
    return _failed(layer, _remedy(probe.fault, layer), probe.fault)


def _judge_build(probe: EnvironmentProbe, machine: Machine | None, route: Route | None) -> Judgement | None:
    wants_gpu = route is not None and route.kind != "cpu"
    if probe.build == "cpu":
        return _failed("torch_install", "rocm_build", Fault(code="cpu_build")) if wants_gpu else None
    if probe.available and probe.devices:
        return None
    if probe.build == "cuda":
        has_amd = machine is not None and bool(machine.amd_gpus)
        return _failed("torch_install", "rocm_build", Fault(code="cuda_build")) if wants_gpu or has_amd else None
    layer, remedy = _why_no_device(probe, machine)
    return _failed(layer, remedy, Fault(code="no_device", layer=layer))


def _why_no_device(probe: EnvironmentProbe, machine: Machine | None) -> tuple[Layer, str]:
    """Hidden by a variable, no GPU at all, no right to use it, or a driver that does not fit."""
    hiding = ("HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL")
    if any(probe.variables.get(name) in {"", "-1"} for name in hiding):
        return "device", "unhide"
    if machine is not None and machine.gpus is not None and not machine.amd_gpus:
        return "device", "no_gpu"
    access = machine.linux_access if machine is not None else None
    if access is not None and access.kfd_present and (access.kfd_accessible is False):
        return "driver", "gpu_access"
    if access is not None and access.kfd_present is False and not access.dxg_present:
        return "driver", "driver"
    return "runtime", "driver"


def _judge_device(probe: EnvironmentProbe, device: DeviceInfo | None, gfx_target: str | None) -> Judgement | None:
    if device is None and gfx_target is not None and probe.devices:
        found = ", ".join(sorted({item.gfx_target or item.name or "?" for item in probe.devices}))
        facts = {"expected": gfx_target, "found": found}
        return _failed("device", "choose_device", Fault(code="other_device", layer="device", facts={**facts}))
    return None


def _judge_trials(trials: Sequence[Trial], device: DeviceInfo | None) -> Judgement | None:
    bad = next((trial for trial in trials if trial.status in {"wrong", "failed", "crashed", "timed_out"}), None)
    stray = next((trial for trial in trials if _strayed(trial, device)), None)
    if bad is None and stray is not None:
        facts = {"expected": device.name if device else None, "found": stray.device_name or stray.device}
        return _failed("device", "choose_device", Fault(code="other_device", layer="device", facts={**facts}))
    if bad is None:
        return None
    if bad.status == "wrong":
        wrong = [case for case in bad.cases if case.status == "wrong"]
        layer: Layer = "reference" if all(case.name == "reference" for case in wrong) else bad.layer
        facts = {"test": bad.id, "case": wrong[0].name, "dtype": wrong[0].dtype, "count": len(wrong)}
        fault = Fault(code="wrong_result", layer=layer, facts={**facts, "error": wrong[0].max_error})
        remedy = "reference" if layer == "reference" else "untrusted"
        return Judgement(verdict="untrusted", exit_code=ExitCode.UNTRUSTED, layer=layer, remedy=remedy, fault=fault)
    fault = bad.fault or Fault(code="ended")
    layer = fault.layer or bad.layer
    if bad.status in {"crashed", "timed_out"}:
        return Judgement(
            verdict="failed", exit_code=ExitCode.CRASHED, layer=layer, remedy=_remedy(fault, layer), fault=fault
        )
    return _failed(layer, _remedy(fault, layer), fault)


def _strayed(trial: Trial, device: DeviceInfo | None) -> bool:
    """Whether the results came from elsewhere than the chosen device: by place, name and architecture."""
    if trial.status != "ok" or trial.device is None:
        return False
    if device is None:
        return trial.device != "cpu"
    arch = device.gfx_target or device.arch_full
    return (
        trial.device != f"cuda:{device.index}"
        or (trial.device_name is not None and device.name is not None and trial.device_name != device.name)
        or (trial.arch is not None and arch is not None and trial.arch != arch)
    )


def _judge_imports(probe: EnvironmentProbe) -> Judgement | None:
    broken = next((package for package in probe.packages if package.imports is False), None)
    if broken is None:
        return None
    known = broken.fault or Fault(code="ended")
    fault = Fault(
        code="package_broken",
        layer="torch_install",
        facts={"package": broken.name, "version": broken.version},
        message=known.message,
    )
    return _failed("torch_install", "reinstall", fault)


def _passed(probe: EnvironmentProbe, device: DeviceInfo | None, workarounds: Sequence[Workaround]) -> Judgement:
    if device is None:
        remedy = "rocm_build" if probe.build == "cuda" else None
        return Judgement(verdict="cpu_only", exit_code=ExitCode.OK, remedy=remedy)
    if workarounds:
        return Judgement(verdict="workaround", exit_code=ExitCode.OK, layer="miopen", remedy="workaround")
    return Judgement(verdict="ok", exit_code=ExitCode.OK)


def layer_versions(
    probe: EnvironmentProbe, machine: Machine | None, device: DeviceInfo | None
) -> tuple[LayerVersion, ...]:
    """The versions of all layers side by side, from the driver up to the GPU that the wheels were built for."""
    rows: list[LayerVersion] = []

    def add(row_id: str, version: str | None, source: str | None = None) -> None:
        rows.append(LayerVersion(id=row_id, version=version or None, source=source))

    host = machine.host if machine is not None else None
    add("os", (host.os_name if host else None) or probe.platform)
    add("python", probe.python_version, probe.python)
    gpu = _gpu_of(device, machine) if device else next(iter(machine.amd_gpus), None) if machine else None
    if gpu is not None:
        release = f"{gpu.driver_release} ({gpu.driver_version})" if gpu.driver_release else gpu.driver_version
        add("driver", release, gpu.driver)
    elif probe.build == "rocm":
        add("driver", None)
    if probe.build == "rocm":
        add("hip", probe.hip_version, "torch.version.hip")
        wheels = [package for package in probe.packages if package.name.startswith("rocm")]
        add("rocm_wheels", ", ".join(f"{package.name} {package.version}" for package in wheels))
    if probe.build == "cuda":
        add("cuda", probe.cuda_version, "torch.version.cuda")
    for name in ("torch", "torchvision", "torchaudio"):
        package = probe.package(name)
        add(name, package.version if package else None)
    if probe.build in {"rocm", "cuda"}:
        devices = [package.name for package in probe.packages if "-device-" in package.name]
        add("kernels", ", ".join(probe.arch_list), ", ".join(devices) or None)
        add("gpu", (device.gfx_target or device.arch_full) if device else None, device.name if device else None)
    return tuple(rows)


def findings_of(
    probe: EnvironmentProbe,
    trials: Sequence[Trial],
    *,
    machine: Machine | None = None,
    device: DeviceInfo | None = None,
    bfloat16: str | None = None,
) -> tuple[Finding, ...]:
    """Remarks worth reading that do not decide the verdict."""
    found: list[Finding] = []

    def add(code: str, **facts: str | float | None) -> None:
        found.append(Finding(code=code, facts={**facts}))

    if device is not None and bfloat16 == "emulated":
        add("bfloat16_emulated", gfx_target=device.gfx_target)
    first = next(iter(probe.devices), None)
    if device is not None and first is not None and first.index != device.index and is_integrated(first, machine):
        add("integrated_first", first=first.name, index=device.index)
    unseen = _unseen_discrete(probe, machine) if device is not None and is_integrated(device, machine) else None
    if unseen is not None:
        add("discrete_unseen", name=unseen.name or unseen.pci_id, gfx_target=unseen.gfx_target)
    if device is not None and device.gfx_target and probe.arch_list and device.gfx_target not in probe.arch_list:
        add("kernels_lack_gpu", gfx_target=device.gfx_target, listed=", ".join(probe.arch_list))
    if probe.build == "cuda":
        add("cuda_build", version=probe.cuda_version)
    if probe.build == "cpu" and machine is not None and machine.amd_gpus:
        add("gpu_unused", name=machine.amd_gpus[0].name or machine.amd_gpus[0].pci_id)
    override = probe.variables.get("HSA_OVERRIDE_GFX_VERSION")
    if override:
        add("hsa_override", value=override)
    for rocm in _mismatched(probe):
        add("rocm_mismatch", torch=probe.torch_version, package=rocm)
    conv = next((trial for trial in trials if trial.id == "conv"), None)
    if conv is not None and conv.status == "ok" and conv.attempts > 1:
        add("conv_second_try")
    return tuple(found)


def _unseen_discrete(probe: EnvironmentProbe, machine: Machine | None) -> Gpu | None:
    """A discrete GPU of the machine that PyTorch does not offer."""
    addresses = {item.pci_address for item in probe.devices}
    targets = {item.gfx_target for item in probe.devices}
    for gpu in machine.amd_gpus if machine is not None else ():
        if gpu.integrated is False and gpu.pci_address not in addresses and gpu.gfx_target not in targets:
            return gpu
    return None


def _mismatched(probe: EnvironmentProbe) -> list[str]:
    """ROCm packages of another version than the one that torch's own version names after ``+rocm``."""
    built = re.search(r"\+rocm(\d+\.\d+)", probe.torch_version or "")
    if built is None:
        return []
    cores = [package for package in probe.packages if package.name.startswith("rocm-sdk")]
    return [f"{core.name} {core.version}" for core in cores if not re.match(re.escape(built[1]) + r"\b", core.version)]
