"""Worker: which PyTorch is this, and which devices does it see?

Run as ``python -u -X utf8 probe.py`` by the Python under test. Every act that may kill the process (importing
torch, starting the runtime, asking a device) is announced by a ``stage`` before it begins and what it found is
sent as a ``partial`` when it ends: after a crash or a hang the last stage names the layer. ``--imports NAMES``
tries the named packages instead; a caller gives each a process of its own.
"""

from __future__ import annotations

import argparse
import importlib
import os
import platform
import re
import struct
import sys
from importlib import metadata
from typing import TYPE_CHECKING, Any

from _emit import run
from _inject import Injection, strike

if TYPE_CHECKING:
    from collections.abc import Sequence

    from _emit import Emitter

_PACKAGES = re.compile(
    r"^(torch|torchvision|torchaudio|numpy|triton.*|pytorch-triton.*|rocm|rocm-(sdk|bootstrap|profiler).*|amd-torch-device.*)$"
)
_VARIABLES = re.compile(
    r"^(HIP_|HSA_|ROCM_|ROCR_|AMD_|GPU_|CUDA_VISIBLE|MIOPEN_|PYTORCH_|TORCH_|HIPBLASLT_|ROCBLAS_|NCCL_|GLOO_|MKL_|OMP_)"
)


def describe_python() -> dict[str, Any]:
    """The interpreter."""
    return {
        "python": sys.executable,
        "python_version": platform.python_version(),
        "python_bits": struct.calcsize("P") * 8,
        "platform": platform.platform(),
        "variables": {name: value for name, value in sorted(os.environ.items()) if _VARIABLES.match(name)},
    }


def list_packages() -> list[dict[str, str]]:
    """Installed packages that matter for computing, from their metadata alone."""
    found: dict[str, str] = {}
    for distribution in metadata.distributions():
        name = str(distribution.metadata["Name"] or "").lower().replace("_", "-")
        if _PACKAGES.match(name):
            found.setdefault(name, distribution.version)
    return [{"name": name, "version": version} for name, version in sorted(found.items())]


def describe_torch(torch: Any) -> dict[str, Any]:  # noqa: ANN401 - torch has no types here
    """Version and build, as the library itself tells."""
    hip, cuda = getattr(torch.version, "hip", None), getattr(torch.version, "cuda", None)
    return {
        "torch_version": str(torch.__version__),
        "build": "rocm" if hip else "cuda" if cuda else "cpu",
        "hip_version": hip,
        "cuda_version": None if hip else cuda,
    }


def describe_device(torch: Any, index: int) -> dict[str, Any]:  # noqa: ANN401
    """One device, with null for what this version of PyTorch does not tell."""
    properties = torch.cuda.get_device_properties(index)
    full = getattr(properties, "gcnArchName", None) if torch.version.hip else None
    numbers = [getattr(properties, name, None) for name in ("pci_domain_id", "pci_bus_id", "pci_device_id")]
    pci = None
    if all(isinstance(number, int) for number in numbers):
        pci = "{:04x}:{:02x}:{:02x}.0".format(*numbers)
    uuid = getattr(properties, "uuid", None)
    integrated = getattr(properties, "is_integrated", None)
    return {
        "index": index,
        "name": str(properties.name) or None,
        "gfx_target": full.split(":")[0] if full else None,
        "arch_full": full or f"sm_{properties.major}{properties.minor}",
        "total_memory_bytes": int(properties.total_memory),
        "multiprocessors": int(properties.multi_processor_count),
        "pci_address": pci,
        "uuid": str(uuid) if uuid is not None else None,
        "integrated": None if integrated is None else bool(integrated),
    }


def probe(emitter: Emitter, injection: Injection | None) -> dict[str, Any]:
    """All acts in the order in which they get riskier."""
    emitter.stage("metadata")
    emitter.partial(describe_python())
    packages = list_packages()
    emitter.partial({"packages": packages})
    if not any(package["name"] == "torch" for package in packages):
        emitter.partial({"torch_listed": False})
    emitter.stage("import_torch")
    strike(injection, "import_torch")
    import torch

    emitter.partial(describe_torch(torch))
    emitter.stage("available")
    strike(injection, "available")
    available = bool(torch.cuda.is_available())
    emitter.partial({"available": available})
    emitter.stage("devices")
    strike(injection, "devices")
    count = int(torch.cuda.device_count()) if available else 0
    emitter.partial({"device_count": count, "arch_list": list(torch.cuda.get_arch_list()) if available else []})
    for index in range(count):
        emitter.stage("device", index, count)
        strike(injection, "device")
        emitter.partial({"device": describe_device(torch, index)})
    return {"available": available, "device_count": count}


def try_imports(emitter: Emitter, names: Sequence[str]) -> dict[str, Any]:
    """Import each package; the one that fails ends the work."""
    for name in names:
        emitter.stage(f"import_{name}")
        importlib.import_module(name)
        emitter.partial({"imported": name})
    return {"imported": list(names)}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the worker; returns its exit code."""
    parser = argparse.ArgumentParser(prog="probe")
    parser.add_argument("--imports", default="", help="packages to import instead, separated by commas")
    parser.add_argument("--inject", type=Injection.parse, default=None)
    args = parser.parse_args(argv)
    names = [name for name in args.imports.split(",") if name]
    if names:
        return run("probe", lambda emitter: try_imports(emitter, names))
    return run("probe", lambda emitter: probe(emitter, args.inject))


if __name__ == "__main__":
    sys.exit(main())
