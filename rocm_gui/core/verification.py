"""What a verification found, as data. None always means "not known"; sentences come from ``messages/verify.toml``."""

from __future__ import annotations

from typing import Literal

import msgspec

Fact = str | int | float | bool | None
Build = Literal["rocm", "cuda", "cpu"]
VerdictCode = Literal["ok", "workaround", "cpu_only", "failed", "untrusted"]
Layer = Literal[
    "python",  # the interpreter itself
    "torch_install",  # the wheels: missing, of the wrong build, without kernels for this GPU
    "libraries",  # a shared library or a C++ runtime that the wheels need
    "driver",  # the GPU's driver, or the right to use it
    "runtime",  # HIP: start-up and enumeration of devices
    "device",  # the chosen GPU: absent, hidden, or another one ran
    "memory",  # device and page memory, copies between host and device
    "gemm",  # rocBLAS, hipBLASLt
    "miopen",  # convolution, BatchNorm, recurrent networks
    "attention",  # scaled dot product attention kernels
    "kernels",  # PyTorch's own elementwise, reduction and indexing kernels
    "autograd",  # gradients through a whole network
    "amp",  # mixed precision
    "optimizer",  # optimiser steps
    "reference",  # the processor's own arithmetic, which everything is compared with
]


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """Why something failed: a code (``[verify.fault.CODE]``) and its facts."""

    code: str
    layer: Layer | None = None  # where the fault itself tells it, whatever was running
    facts: dict[str, Fact] = {}
    message: str = ""  # the library's own words, shortened
    exit_code: int | None = None  # unsigned on Windows; negative signal number on POSIX


class DeviceInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A device as PyTorch sees it; ``index`` counts within HIP_VISIBLE_DEVICES."""

    index: int
    name: str | None = None
    gfx_target: str | None = None  # "gfx1100", without feature flags
    arch_full: str | None = None  # "gfx90a:sramecc+:xnack-", or "sm_90" on a CUDA build
    total_memory_bytes: int | None = None
    multiprocessors: int | None = None
    pci_address: str | None = None  # "0000:03:00.0"
    uuid: str | None = None
    integrated: bool | None = None


class Package(msgspec.Struct, frozen=True, kw_only=True):
    """A package of the environment that matters here, and whether importing it worked where that was tried."""

    name: str
    version: str
    imports: bool | None = None
    fault: Fault | None = None


class EnvironmentProbe(msgspec.Struct, frozen=True, kw_only=True):
    """What a Python environment holds and which devices its PyTorch sees."""

    python: str
    python_version: str | None = None
    python_bits: int | None = None
    platform: str | None = None
    torch_version: str | None = None
    build: Build | None = None
    hip_version: str | None = None
    cuda_version: str | None = None
    available: bool | None = None  # torch.cuda.is_available()
    device_count: int | None = None
    devices: tuple[DeviceInfo, ...] = ()
    arch_list: tuple[str, ...] = ()  # architectures that the wheels carry kernels for
    packages: tuple[Package, ...] = ()
    variables: dict[str, str] = {}  # HIP_*, HSA_*, ROCM_*, ... that the child saw
    fault: Fault | None = None  # what ended the probe early
    failed_act: str | None = None  # python, metadata, import_torch, available, devices, device
    exit_code: int | None = None
    seconds: float | None = None

    def package(self, name: str) -> Package | None:
        """The package ``name``, or None where it is not installed."""
        return next((package for package in self.packages if package.name == name), None)


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One comparison. Errors are relative to the reference's root mean square."""

    name: str
    dtype: str
    status: Literal["ok", "wrong", "unsupported"]
    max_error: float | None = None  # None: not comparable (NaN, infinite), or exact comparison
    tolerance: float | None = None
    seconds: float | None = None
    note: str | None = None


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """One test: all its comparisons, or why there are none."""

    id: str
    layer: Layer
    status: Literal["ok", "wrong", "failed", "crashed", "timed_out", "unsupported", "skipped"]
    cases: tuple[Case, ...] = ()
    seconds: float | None = None
    device: str | None = None  # "cpu", "cuda:0"
    device_name: str | None = None  # of the tensors that came back
    arch: str | None = None
    attempts: int = 1
    fault: Fault | None = None
    workaround: str | None = None  # it passed only with this

    @property
    def worst(self) -> float | None:
        """The largest error as a share of its tolerance."""
        shares = [
            case.max_error / case.tolerance for case in self.cases if case.max_error is not None and case.tolerance
        ]
        return max(shares, default=None)


class ToolResult(msgspec.Struct, frozen=True, kw_only=True):
    """One of the system's own tools."""

    id: str
    status: Literal["ok", "failed", "absent", "timed_out", "not_applicable"]
    path: str | None = None
    gfx_targets: tuple[str, ...] = ()
    seconds: float | None = None
    fault: Fault | None = None
    note: str | None = None  # code below [verify.tool]


class LayerVersion(msgspec.Struct, frozen=True, kw_only=True):
    """One row of the versions side by side."""

    id: str  # os, driver, hip, rocm_wheels, torch, torchvision, torchaudio, kernels, gpu
    version: str | None = None
    source: str | None = None


class DtypeSupport(msgspec.Struct, frozen=True, kw_only=True):
    """How an architecture computes a data type: by matrix units, vector units, or converted in software."""

    dtype: str
    support: Literal["matrix", "vector", "emulated", "none"]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A remark that does not decide the verdict: ``[verify.finding.CODE]``."""

    code: str
    facts: dict[str, Fact] = {}


class Workaround(msgspec.Struct, frozen=True, kw_only=True):
    """What makes the environment usable; later programs and the start script read it by ``id``."""

    id: Literal["miopen_off", "miopen_ascii_cache"]
    tests: tuple[str, ...]
    variables: dict[str, str] = {}
    snippet: str = ""  # Python to put at the top of a program


class VerificationReport(msgspec.Struct, frozen=True, kw_only=True):
    """The whole answer of ``rocm-gui verify``."""

    schema: int = 1
    product_version: str = ""
    created: str = ""  # aware ISO time
    verdict: VerdictCode
    layer: Layer | None = None  # the lowest failing layer
    remedy: str | None = None  # code below [verify.remedy]
    fault: Fault | None = None
    exit_code: int
    expected_gfx: str | None = None
    device: str | None = None  # that the tests were asked to run on
    probe: EnvironmentProbe
    layers: tuple[LayerVersion, ...] = ()
    tests: tuple[Trial, ...] = ()
    tools: tuple[ToolResult, ...] = ()
    dtypes: tuple[DtypeSupport, ...] | None = None  # None: architecture not in the table
    workarounds: tuple[Workaround, ...] = ()
    findings: tuple[Finding, ...] = ()
    seconds: float | None = None
