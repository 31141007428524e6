"""The comparisons let right results pass on this CPU and catch small, plausible faults."""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from rocm_gui.core.verdict import TEST_LAYERS
from rocm_gui.system.paths import find_workers

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def workers() -> Any:
    """The workers' modules, imported as their own processes import them."""
    torch = pytest.importorskip("torch")
    sys.path.insert(0, str(find_workers()))
    try:
        import _layers
        import _numeric
        import _training
        import verify
    finally:
        sys.path.remove(str(find_workers()))
    verify.prepare(torch, miopen=True)
    torch.set_num_threads(1)  # small work: more threads only wait for each other
    return type(
        "Workers", (), {"torch": torch, "numeric": _numeric, "verify": verify, "layers": _layers, "t": _training}
    )


def bench_of(workers: Any, *dtypes: str) -> Any:
    return workers.numeric.Bench(workers.torch, "cpu", dtypes or ("float32",))


def test_the_worker_has_exactly_the_tests_that_the_verdict_knows_in_the_same_order(workers: Any) -> None:
    assert list(workers.verify.TESTS) == list(TEST_LAYERS)


def test_tolerances_grow_with_the_root_of_the_terms_and_the_roundoff_of_the_type(workers: Any) -> None:
    tolerance = workers.numeric.tolerance
    assert tolerance("float32", 1024) == pytest.approx(8 * 2**-24 * 33)
    assert tolerance("float16", 1024) == pytest.approx(8 * 2**-11 + 8 * 32 * 2**-24)
    assert tolerance("bfloat16", 0, 4) == pytest.approx(4 * (8 * 2**-8 + 8 * 2**-24))
    assert tolerance("float64", 1) == pytest.approx(16 * 2**-53)


def test_float16_gradients_of_the_mi200_are_judged_as_bfloat16(workers: Any) -> None:
    bench, tolerance = bench_of(workers), workers.numeric.tolerance
    assert bench.gradient_tolerance("float16", 64, 8) == tolerance("float16", 64, 8)
    bench.coarse_half_gradients = True
    assert bench.gradient_tolerance("float16", 64, 8) == tolerance("bfloat16", 64, 4)
    assert bench.gradient_tolerance("float32", 64, 8) == tolerance("float32", 64, 8)


def test_the_error_is_relative_to_the_references_root_mean_square(workers: Any) -> None:
    torch = workers.torch
    reference = torch.tensor([3.0, -3.0, 3.0, 3.0], dtype=torch.float64)
    got = reference + torch.tensor([0.0, 0.3, 0.0, -0.6], dtype=torch.float64)
    error = workers.numeric.relative_error
    assert error(torch, got, reference) == pytest.approx(0.2)
    assert error(torch, got * math.nan, reference) == math.inf
    assert error(torch, got / 0, reference) == math.inf
    assert error(torch, got[:3], reference) == math.inf


def test_inputs_are_exact_in_their_type_and_the_same_every_time(workers: Any) -> None:
    values = bench_of(workers).normal(100, dtype="bfloat16")
    assert values.dtype == workers.torch.float64
    assert workers.torch.equal(values.to(workers.torch.bfloat16).double(), values)
    assert workers.torch.equal(values, bench_of(workers).normal(100, dtype="bfloat16"))


@pytest.mark.parametrize("name", [name for name in TEST_LAYERS if name not in {"article", "gemm", "amp"}])
def test_this_cpu_passes_with_room_to_spare(workers: Any, name: str) -> None:
    bench = bench_of(workers)
    workers.verify.TESTS[name](bench)
    assert {case["status"] for case in bench.cases} == {"ok"}
    shares = [case["max_error"] / case["tolerance"] for case in bench.cases if case["tolerance"]]
    assert max(shares, default=0) < 0.6
    assert bench.ran_on == {"cpu"}


@pytest.mark.parametrize("name", ["copy", "batchnorm", "attention", "autograd"])
def test_a_falsified_result_is_wrong_and_only_that_one(workers: Any, name: str) -> None:
    bench = bench_of(workers)
    bench.spoil = True
    workers.verify.TESTS[name](bench)
    assert [case["status"] for case in bench.cases].count("wrong") == 1
    assert bench.cases[0]["status"] == "wrong"


def test_half_precision_in_a_float32_product_is_caught(workers: Any) -> None:
    bench = bench_of(workers)
    left, right = bench.normal(200, 300), bench.normal(300, 100)
    half = (left.half().float() @ right.half().float()).float()
    bench.compare("x", "float32", half, left @ right, workers.numeric.tolerance("float32", 300), time.perf_counter())
    assert bench.cases[0]["status"] == "wrong"


def test_one_missing_term_in_a_bfloat16_sum_is_caught(workers: Any) -> None:
    bench = bench_of(workers)
    left, right = bench.normal(64, 64, dtype="bfloat16"), bench.normal(64, 64, dtype="bfloat16")
    lost = (left[:, 1:] @ right[1:]).to(workers.torch.bfloat16)
    bench.compare("x", "bfloat16", lost, left @ right, workers.numeric.tolerance("bfloat16", 64), time.perf_counter())
    assert bench.cases[0]["status"] == "wrong"


def test_one_wrong_byte_is_caught(workers: Any) -> None:
    bench = bench_of(workers)
    block = bench.integers(256, 1000)
    other = block.clone()
    other[567] ^= 1
    bench.equal("x", "uint8", other, block, time.perf_counter())
    assert (bench.cases[0]["status"], bench.cases[0]["max_error"]) == ("wrong", pytest.approx(0.001))


def test_a_type_without_a_kernel_is_a_finding_and_other_errors_are_not_swallowed(workers: Any) -> None:
    bench = bench_of(workers)

    def missing() -> None:
        raise RuntimeError("\"addmm_impl_cpu_\" not implemented for 'Half'")

    def broken() -> None:
        raise RuntimeError("miopenStatusUnknownError")

    bench.supported("x", "float16", missing)
    assert bench.cases[0]["status"] == "unsupported"
    with pytest.raises(RuntimeError, match="miopen"):
        bench.supported("x", "float16", broken)


def test_the_workers_import_no_torch_before_main() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in Path(find_workers()).glob("*.py"))
    assert "\nimport torch" not in text
    assert "\nfrom torch" not in text
