"""How a result is compared with its reference, and within which tolerance. torch is passed in, never imported.

Inputs are drawn on the CPU in float64 from a seeded generator and rounded to the type under test; the device
computes from the rounded values in that type, the reference from the same rounded values in float64. What
remains is the error of the computation itself. It is the largest difference, divided by the root mean square
of the reference: for sums of many random terms the rounding errors are as large everywhere as for a typical
element, so an elementwise relative error would only measure how close to zero an element happens to fall.

Tolerance = ``slack * (OUTPUT_ULPS * u_out + ACCUMULATION * sqrt(k) * u_acc)``:

* ``u_out``, the unit roundoff of the type of the result (2^-53, 2^-24, 2^-11, 2^-8), taken OUTPUT_ULPS = 8
  times: the largest of a few million normal values is 5.5 times the root mean square, and it is rounded once;
* ``sqrt(k) * u_acc`` for sums of k products: rounding errors are random and grow with the root of their number
  (the strict bound, k * u, would hide a wrong tile). GPUs add half precision products up in float32, so u_acc
  is never larger than 2^-24. ACCUMULATION = 8 allows for the largest of a few million such sums;
* ``slack`` per operation, for algorithms that lose more by design and are right: 1 for matrix products, more for
  convolutions (Winograd transforms) and fast hardware functions, where each test says so.

A missing tile, a swapped stride, a kernel for another GPU or a stale buffer gives errors of order 1: thousands
of times the tolerance in float32, ten times and more in the half types. NaN and infinity never pass.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

UNIT_ROUNDOFF = {"float64": 2.0**-53, "float32": 2.0**-24, "float16": 2.0**-11, "bfloat16": 2.0**-8}
OUTPUT_ULPS = 8.0
ACCUMULATION = 8.0


def tolerance(dtype: str, terms: int, slack: float = 1.0) -> float:
    """The allowed error of a sum of ``terms`` products with a result of type ``dtype``."""
    out = UNIT_ROUNDOFF[dtype]
    accumulated = min(out, UNIT_ROUNDOFF["float32"])
    return slack * (OUTPUT_ULPS * out + ACCUMULATION * math.sqrt(max(terms, 1)) * accumulated)


def relative_error(torch: Any, got: Any, reference: Any) -> float:  # noqa: ANN401
    """The largest difference over the reference's root mean square; infinite where ``got`` is not finite."""
    got = got.detach().to("cpu", torch.float64)
    reference = reference.detach().to("cpu", torch.float64)
    if got.shape != reference.shape or not bool(torch.isfinite(got).all()):
        return math.inf
    scale = float(reference.square().mean().sqrt())
    return float((got - reference).abs().max()) / (scale or 1.0)


def _rounds_half_gradients(torch: Any, device: str) -> bool:  # noqa: ANN401
    """Whether float16 gradients are computed from values rounded to bfloat16, as they are by design on the MI200.

    Its matrix units flush float16 denormals, so rocBLAS and MIOpen take bfloat16 inside in the backward pass there
    (PyTorch's notes on numerical accuracy, ROCBLAS_INTERNAL_FP16_ALT_IMPL).
    """
    if not device.startswith("cuda") or not torch.version.hip:
        return False
    return str(getattr(torch.cuda.get_device_properties(device), "gcnArchName", "")).startswith("gfx90a")


class Bench:
    """Where tests draw their numbers, place them on the device and lay down their comparisons."""

    def __init__(self, torch: Any, device: str, dtypes: tuple[str, ...], seed: int = 20260419) -> None:  # noqa: ANN401
        self.torch = torch
        self.device = device
        self.dtypes = dtypes
        self.cases: list[dict[str, Any]] = []
        self.spoil = False  # injection: the next result is falsified
        self.ran_on: set[str] = set()
        self.coarse_half_gradients = _rounds_half_gradients(torch, device)
        self._generator = torch.Generator("cpu").manual_seed(seed)

    def dtype(self, name: str) -> Any:  # noqa: ANN401
        """The type of PyTorch with that name."""
        return getattr(self.torch, name)

    def normal(self, *shape: int, dtype: str = "float32", scale: float = 1.0, shift: float = 0.0) -> Any:  # noqa: ANN401
        """Normal values on the CPU in float64 that ``dtype`` represents exactly."""
        values = self.torch.randn(*shape, generator=self._generator, dtype=self.torch.float64) * scale + shift
        return values.to(self.dtype(dtype)).to(self.torch.float64)

    def integers(self, high: int, *shape: int) -> Any:  # noqa: ANN401
        """Whole numbers from 0 to below ``high`` on the CPU."""
        return self.torch.randint(0, high, shape, generator=self._generator)

    def put(self, values: Any, dtype: str, *, grad: bool = False) -> Any:  # noqa: ANN401
        """``values`` on the device in ``dtype``."""
        placed = values.to(self.dtype(dtype)).to(self.device)
        return placed.requires_grad_() if grad else placed

    def leaf(self, values: Any) -> Any:  # noqa: ANN401
        """A float64 copy on the CPU that gathers gradients: the reference's input."""
        return values.clone().requires_grad_()

    def gradient_tolerance(self, dtype: str, terms: int, slack: float = 1.0) -> float:
        """As ``tolerance``, for what a backward pass computes."""
        coarse = self.coarse_half_gradients and dtype == "float16"
        return tolerance("bfloat16", terms, min(slack, 4.0)) if coarse else tolerance(dtype, terms, slack)

    def supported(self, name: str, dtype: str, work: Callable[[], None]) -> None:
        """Run ``work``; where this device has no such kernel that is a finding, not a failure."""
        try:
            work()
        except (RuntimeError, NotImplementedError) as error:
            text = str(error)
            if "not implemented for" not in text and "not supported on" not in text:
                raise
            note = text.splitlines()[0][:200]
            self.cases.append({"name": name, "dtype": dtype, "status": "unsupported", "note": note})

    def compare(self, name: str, dtype: str, got: Any, reference: Any, allowed: float, started: float) -> None:  # noqa: ANN401
        """One comparison; ``started`` is the perf_counter at its begin."""
        self.ran_on.add(str(got.device))
        if self.spoil and got.is_floating_point():
            got = got.detach().contiguous().clone()
            got.view(-1)[::7] *= 1.5
            self.spoil = False
        error = relative_error(self.torch, got, reference)
        self._lay(name, dtype, error, allowed, started)

    def equal(self, name: str, dtype: str, got: Any, reference: Any, started: float) -> None:  # noqa: ANN401
        """One comparison bit by bit: its error is the share of elements that differ, and nothing is allowed."""
        self.ran_on.add(str(got.device))
        got = got.detach().to("cpu")
        if self.spoil:
            got = got.contiguous().clone()
            got.view(-1)[0] += 1
            self.spoil = False
        same = got.shape == reference.shape and bool(self.torch.equal(got, reference))
        share = 0.0 if same else 1.0
        if not same and got.shape == reference.shape:
            share = float((got != reference).double().mean()) or 1.0
        self._lay(name, dtype, share, 0.0, started)

    def _lay(self, name: str, dtype: str, error: float, allowed: float, started: float) -> None:
        self.cases.append(
            {
                "name": name,
                "dtype": dtype,
                "status": "ok" if error <= allowed else "wrong",
                "max_error": error if math.isfinite(error) else None,
                "tolerance": allowed,
                "seconds": time.perf_counter() - started,
            }
        )
