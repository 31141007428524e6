"""Worker: does this device compute what a CPU in float64 computes?

Run as ``python -u -X utf8 verify.py --device cuda:0 --tests gemm,conv`` by the Python under test. Each test is
announced by a ``stage`` and answered by a ``partial``; a test that raises ends the process, for a GPU that has
reported an error cannot be trusted with the next one. The parent starts the rest in a new process.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Any

from _emit import run
from _inject import Injection, strike
from _layers import article, attention, batchnorm, conv, copy, gemm, kernels, rnn
from _numeric import Bench
from _training import amp, autograd, optimizer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from _emit import Emitter

# From the ground up: what fails first here is the lowest failing layer.
TESTS: dict[str, Callable[[Bench], None]] = {
    "article": article,
    "copy": copy,
    "kernels": kernels,
    "gemm": gemm,
    "conv": conv,
    "batchnorm": batchnorm,
    "rnn": rnn,
    "attention": attention,
    "autograd": autograd,
    "amp": amp,
    "optimizer": optimizer,
}


def prepare(torch: Any, *, miopen: bool) -> None:  # noqa: ANN401
    """Plain IEEE arithmetic: no TF32, no half precision accumulators, no search for the fastest algorithm."""
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = False
    torch.backends.cudnn.enabled = miopen
    for name in ("allow_fp16_reduced_precision_reduction", "allow_bf16_reduced_precision_reduction"):
        if hasattr(torch.backends.cuda.matmul, name):
            setattr(torch.backends.cuda.matmul, name, False)


def describe(torch: Any, device: str, ran_on: set[str]) -> dict[str, Any]:  # noqa: ANN401
    """The device that the results really came from, by its own name."""
    places = sorted(place for place in ran_on if place == device) or sorted(ran_on)
    place = places[0] if places else device
    if not place.startswith("cuda"):
        return {"device": place, "device_name": None, "arch": None}
    properties = torch.cuda.get_device_properties(place)
    arch = getattr(properties, "gcnArchName", None) if torch.version.hip else None
    return {
        "device": place,
        "device_name": str(properties.name),
        "arch": arch.split(":")[0] if arch else f"sm_{properties.major}{properties.minor}",
    }


def verify(emitter: Emitter, args: argparse.Namespace) -> dict[str, Any]:
    """The named tests in order."""
    injection: Injection | None = args.inject
    emitter.stage("import_torch")
    import torch

    prepare(torch, miopen=not args.no_miopen)
    emitter.stage("start_device")
    if args.device != "cpu":
        torch.zeros(8, device=args.device).add_(1).cpu()
    names = [name for name in args.tests.split(",") if name]
    for index, name in enumerate(names):
        emitter.check_cancel()
        emitter.stage(name, index, len(names))
        bench = Bench(torch, args.device, tuple(args.dtypes.split(",")))
        bench.spoil = (
            injection is not None and injection.name == "wrong_result" and injection.at(name, miopen=not args.no_miopen)
        )
        started = time.perf_counter()
        strike(injection, name, miopen=not args.no_miopen)
        TESTS[name](bench)
        if args.device != "cpu":
            torch.cuda.synchronize()  # an error of a kernel that still runs belongs to this test
        seconds = time.perf_counter() - started
        where = describe(torch, args.device, bench.ran_on - {"cpu"} or bench.ran_on)
        emitter.partial({"test": name, "seconds": seconds, "cases": bench.cases, **where})
    return {"tests": names}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the worker; returns its exit code."""
    parser = argparse.ArgumentParser(prog="verify")
    parser.add_argument("--tests", default=",".join(TESTS))
    parser.add_argument("--device", default="cpu", help="cpu or cuda:N")
    parser.add_argument("--dtypes", default="float32,float16,bfloat16")
    parser.add_argument("--no-miopen", action="store_true", help="native kernels in place of MIOpen's (or cuDNN's)")
    parser.add_argument("--inject", type=Injection.parse, default=None)
    args = parser.parse_args(argv)
    unknown = [name for name in args.tests.split(",") if name and name not in TESTS]
    if unknown:
        parser.error(f"unknown tests: {', '.join(unknown)}")
    return run("verify", lambda emitter: verify(emitter, args))


if __name__ == "__main__":
    sys.exit(main())
