"""The tests of the libraries below PyTorch: memory, kernels, matrix products, MIOpen, attention.

Each takes a ``Bench``, lays its comparisons down in it and raises only where a library fails. Sizes are odd on
purpose (no multiple of a tile, a wavefront or a vector) next to even ones, and small enough for an old CPU.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

from _numeric import tolerance

if TYPE_CHECKING:
    from _numeric import Bench

_PRODUCTS = {  # name -> rows, inner, columns
    "256x256x256": (256, 256, 256),
    "257x129x511": (257, 129, 511),
    "1x1000x333": (1, 1000, 333),
    "64x4096x64": (64, 4096, 64),
}
# Winograd transforms of large tiles cost float32 several bits and float16 up to four; bfloat16 is not transformed.
_CONVOLUTION_SLACK = {"float32": 64.0, "float16": 16.0, "bfloat16": 4.0}
_CONVOLUTIONS = {  # name -> batch, channels in, height, width, channels out, kernel, stride, padding, groups
    "3x3": (4, 16, 31, 29, 24, 3, 1, 1, 1),
    "7x7 stride 2": (2, 3, 65, 63, 16, 7, 2, 3, 1),
    "1x1": (4, 32, 14, 13, 48, 1, 1, 0, 1),
    "3x3 depthwise": (4, 24, 17, 19, 24, 3, 1, 1, 24),
}


def article(bench: Bench) -> None:
    """What the article's script computes: one product of a 1024 x 1024 matrix with itself, here compared."""
    started = time.perf_counter()
    matrix = bench.normal(1024, 1024)
    placed = bench.put(matrix, "float32")
    product = bench.torch.matmul(placed, placed)
    bench.compare("1024x1024", "float32", product, matrix @ matrix, tolerance("float32", 1024), started)


def copy(bench: Bench) -> None:
    """Every byte that goes to the device and comes back, over each path, is the byte that was sent."""
    torch = bench.torch
    block = bench.integers(256, 8 * 1024 * 1024 + 3).to(torch.uint8)
    started = time.perf_counter()
    there = block.to(bench.device)
    bench.equal("to device and back", "uint8", there, block, started)
    started = time.perf_counter()
    bench.equal("on device", "uint8", there.clone(), block, started)
    grid = block[: 2047 * 4096].view(2047, 4096)
    started = time.perf_counter()
    turned = there[: 2047 * 4096].view(2047, 4096).t().contiguous()
    bench.equal("transposed", "uint8", turned, grid.t(), started)
    if bench.device != "cpu":
        started = time.perf_counter()
        pinned = block.pin_memory()
        there = pinned.to(bench.device, non_blocking=True)
        torch.cuda.synchronize()
        bench.equal("pinned", "uint8", there, block, started)


def kernels(bench: Bench) -> None:
    """PyTorch's own kernels: reductions, elementwise functions, and exact ones: selection, sorting, indexing."""
    torch = bench.torch
    values = bench.normal(1009, 1013, shift=1.0)
    placed = bench.put(values, "float32")
    numeric = {
        "sum": (lambda x: x.sum(), values.numel()),
        "mean of rows": (lambda x: x.mean(1), 1013),
        "variance": (lambda x: x.var(0), 1009),
        "running sum": (lambda x: x[:64].cumsum(1), 1013),
        "softmax": (lambda x: torch.softmax(x, 1), 1013),
        "exp and log": (lambda x: torch.log1p(x.abs().exp()), 1),
        "sine": (lambda x: x.sin() * x.tanh(), 1),
    }
    for name, (function, terms) in numeric.items():
        started = time.perf_counter()
        bench.compare(name, "float32", function(placed), function(values), tolerance("float32", terms, 4), started)
    exact32 = values.to(torch.float32)
    rows = bench.integers(1009, 300)
    exact = {
        "largest": lambda x: x.max(1).values,
        "index of largest": lambda x: x.argmax(1),
        "sorting": lambda x: x.sort(1).values,
        "gathering rows": lambda x: x.index_select(0, rows.to(x.device)),
        "max pooling": lambda x: torch.nn.functional.max_pool2d(x[None, None], 3, 2, 1),
        "choosing": lambda x: torch.where(x > 0.5, x, -x),
    }
    for name, function in exact.items():
        started = time.perf_counter()
        bench.equal(name, "float32", function(placed), function(exact32), started)
    whole = bench.integers(1 << 20, 100003)
    started = time.perf_counter()
    bench.equal("whole numbers", "int64", whole.to(bench.device).cumsum(0), whole.cumsum(0), started)


def gemm(bench: Bench) -> None:
    """Matrix products: plain, transposed, batched and with a bias, odd and even sizes, each data type."""
    for dtype in ("float64", *bench.dtypes):
        for name, (rows, inner, columns) in _PRODUCTS.items():
            bench.supported(name, dtype, lambda d=dtype, n=name, s=(rows, inner, columns): _product(bench, n, d, *s))
        bench.supported("transposed", dtype, lambda d=dtype: _transposed(bench, d))
        bench.supported("batched", dtype, lambda d=dtype: _batched(bench, d))
        bench.supported("with bias", dtype, lambda d=dtype: _linear(bench, d))
    _check_product_reference(bench)


def _product(bench: Bench, name: str, dtype: str, rows: int, inner: int, columns: int) -> None:
    started = time.perf_counter()
    left, right = bench.normal(rows, inner, dtype=dtype), bench.normal(inner, columns, dtype=dtype)
    got = bench.put(left, dtype) @ bench.put(right, dtype)
    bench.compare(name, dtype, got, left @ right, tolerance(dtype, inner), started)


def _transposed(bench: Bench, dtype: str) -> None:
    started = time.perf_counter()
    left, right = bench.normal(300, 127, dtype=dtype), bench.normal(260, 300, dtype=dtype)
    got = bench.put(left, dtype).t() @ bench.put(right, dtype).t()
    bench.compare("transposed", dtype, got, left.t() @ right.t(), tolerance(dtype, 300), started)


def _batched(bench: Bench, dtype: str) -> None:
    started = time.perf_counter()
    left, right = bench.normal(9, 65, 33, dtype=dtype), bench.normal(9, 33, 127, dtype=dtype)
    got = bench.torch.bmm(bench.put(left, dtype), bench.put(right, dtype))
    bench.compare("batched", dtype, got, left @ right, tolerance(dtype, 33), started)


def _linear(bench: Bench, dtype: str) -> None:
    started = time.perf_counter()
    linear = bench.torch.nn.functional.linear
    inputs = [bench.normal(*shape, dtype=dtype) for shape in ((70, 200), (90, 200), (90,))]
    got = linear(*(bench.put(value, dtype) for value in inputs))
    bench.compare("with bias", dtype, got, linear(*inputs), tolerance(dtype, 200), started)


def _check_product_reference(bench: Bench) -> None:
    """The reference itself against sums that Python rounds once, on elements spread over the result."""
    started = time.perf_counter()
    left, right = bench.normal(129, 257), bench.normal(257, 131)
    product = left @ right
    picks = [(index * 37 % 129, index * 53 % 131) for index in range(64)]
    exact = [math.fsum((left[i] * right[:, j]).tolist()) for i, j in picks]
    got = bench.torch.stack([product[i, j] for i, j in picks])
    exact_tensor = bench.torch.tensor(exact, dtype=bench.torch.float64)
    bench.compare("reference", "float64", got, exact_tensor, tolerance("float64", 257), started)


def conv(bench: Bench) -> None:
    """Convolutions forward and backward; the first one lets MIOpen compile, which can take minutes."""
    for dtype in bench.dtypes:
        for name in _CONVOLUTIONS:
            bench.supported(name, dtype, lambda d=dtype, n=name: _convolution(bench, n, d))
    _check_convolution_reference(bench)


def _convolution(bench: Bench, name: str, dtype: str) -> None:
    batch, channels, height, width, out, kernel, stride, padding, groups = _CONVOLUTIONS[name]
    started = time.perf_counter()
    convolve = bench.torch.nn.functional.conv2d
    raw = [
        bench.normal(batch, channels, height, width, dtype=dtype),
        bench.normal(out, channels // groups, kernel, kernel, dtype=dtype),
        bench.normal(out, dtype=dtype),
    ]
    options = {"stride": stride, "padding": padding, "groups": groups}
    inputs = [bench.put(value, dtype, grad=True) for value in raw]
    leaves = [bench.leaf(value) for value in raw]
    got, reference = convolve(*inputs, **options), convolve(*leaves, **options)
    upstream = bench.normal(*reference.shape, dtype=dtype)
    got.backward(bench.put(upstream, dtype))
    reference.backward(upstream)
    window = channels // groups * kernel * kernel
    positions = reference.numel() // out
    terms = {"input": out // groups * kernel * kernel, "weight": positions, "bias": positions}
    slack = _CONVOLUTION_SLACK[dtype]
    bench.compare(name, dtype, got, reference, tolerance(dtype, window, slack), started)
    for part, value, leaf in zip(terms, inputs, leaves, strict=True):
        allowed = bench.gradient_tolerance(dtype, terms[part], slack)
        bench.compare(f"{name}, gradient of {part}", dtype, value.grad, leaf.grad, allowed, started)


def _check_convolution_reference(bench: Bench) -> None:
    """The reference's convolution as one matrix product of unfolded windows: another algorithm, same numbers."""
    started = time.perf_counter()
    functional = bench.torch.nn.functional
    image, weight = bench.normal(2, 5, 11, 13), bench.normal(7, 5, 3, 3)
    unfolded = weight.view(7, -1) @ functional.unfold(image, 3, padding=1)
    got = functional.conv2d(image, weight, padding=1)
    bench.compare("reference", "float64", got, unfolded.view(2, 7, 11, 13), tolerance("float64", 45, 2), started)


def batchnorm(bench: Bench) -> None:
    """BatchNorm while training (forward, backward, running statistics) and while evaluating."""
    for dtype in bench.dtypes:
        for name, shape in {"2d": (8, 24, 14, 13), "1d": (33, 24)}.items():
            bench.supported(name, dtype, lambda d=dtype, n=name, s=shape: _batchnorm(bench, n, d, s))
    _check_batchnorm_reference(bench)


def _batchnorm(bench: Bench, name: str, dtype: str, shape: tuple[int, ...]) -> None:
    started = time.perf_counter()
    torch, channels = bench.torch, shape[1]
    normalise = torch.nn.functional.batch_norm
    raw = bench.normal(*shape, dtype=dtype, scale=2.0, shift=3.0)
    parameters = [bench.normal(channels, shift=1.0, scale=0.3), bench.normal(channels)]
    inputs = [bench.put(raw, dtype, grad=True), *(bench.put(value, "float32", grad=True) for value in parameters)]
    leaves = [bench.leaf(raw), *(bench.leaf(value) for value in parameters)]
    statistics = [torch.zeros(channels), torch.ones(channels)]
    placed = [value.to(bench.device) for value in statistics]
    double = [value.double() for value in statistics]
    got = normalise(inputs[0], *placed, *inputs[1:], training=True, momentum=0.1)
    reference = normalise(leaves[0], *double, *leaves[1:], training=True, momentum=0.1)
    upstream = bench.normal(*shape, dtype=dtype)
    got.backward(bench.put(upstream, dtype))
    reference.backward(upstream)
    terms = raw.numel() // channels
    allowed = tolerance(dtype, terms, 4)
    bench.compare(f"{name} training", dtype, got, reference, allowed, started)
    for part, value, leaf in zip(("input", "weight", "bias"), inputs, leaves, strict=True):
        bench.compare(f"{name} training, gradient of {part}", dtype, value.grad, leaf.grad, allowed, started)
    for part, value, exact in zip(("mean", "variance"), placed, double, strict=True):
        bench.compare(f"{name} training, running {part}", dtype, value, exact, tolerance("float32", terms, 4), started)
    got = normalise(inputs[0], *placed, *inputs[1:], training=False)
    bench.compare(f"{name} evaluating", dtype, got, normalise(leaves[0], *double, *leaves[1:]), allowed, started)


def _check_batchnorm_reference(bench: Bench) -> None:
    """The reference's BatchNorm against its definition in elementary steps."""
    started = time.perf_counter()
    raw = bench.normal(8, 5, 7, 6, shift=3.0)
    mean = raw.mean((0, 2, 3), keepdim=True)
    spread = ((raw - mean) ** 2).mean((0, 2, 3), keepdim=True)
    got = bench.torch.nn.functional.batch_norm(raw, None, None, training=True)
    exact = (raw - mean) / (spread + 1e-5).sqrt()
    bench.compare("reference", "float64", got, exact, tolerance("float64", 336, 4), started)


def rnn(bench: Bench) -> None:
    """LSTM (two layers, both directions) and GRU, forward and backward through fifteen steps."""
    for dtype in ("float32",) if bench.device == "cpu" else tuple(bench.dtypes[:2]):
        for name in ("LSTM", "GRU"):
            bench.supported(name, dtype, lambda d=dtype, n=name: _recurrent(bench, n, d))


def _recurrent(bench: Bench, name: str, dtype: str) -> None:
    """Rounding errors pass through fifteen steps of the network and grow there: slack 8.

    In float32 slack 64: libraries compute the gates with the hardware's fast tanh, which is right but coarser
    than float32 (cuDNN on an H200: 4.6e-5 where native kernels have 1.7e-6).
    """
    started = time.perf_counter()
    torch = bench.torch
    torch.manual_seed(7)
    options = {"num_layers": 2, "bidirectional": True} if name == "LSTM" else {}
    module = getattr(torch.nn, name)(32, 48, **options).to(bench.dtype(dtype))
    twin = getattr(torch.nn, name)(32, 48, **options).double()
    twin.load_state_dict({key: value.double() for key, value in module.state_dict().items()})
    module = module.to(bench.device)
    raw = bench.normal(15, 7, 32, dtype=dtype)
    placed, leaf = bench.put(raw, dtype, grad=True), bench.leaf(raw)
    got, reference = module(placed)[0], twin(leaf)[0]
    upstream = bench.normal(*reference.shape, dtype=dtype)
    got.backward(bench.put(upstream, dtype))
    reference.backward(upstream)
    slack = 64 if dtype == "float32" else 8
    bench.compare(name, dtype, got, reference, tolerance(dtype, 15 * 7, slack), started)
    allowed = bench.gradient_tolerance(dtype, 15 * 7, slack)
    bench.compare(f"{name}, gradient of input", dtype, placed.grad, leaf.grad, allowed, started)
    for (key, value), exact in zip(module.named_parameters(), twin.parameters(), strict=True):
        if key.endswith("_l0"):
            bench.compare(f"{name}, gradient of {key}", dtype, value.grad, exact.grad, allowed, started)


def attention(bench: Bench) -> None:
    """Scaled dot product attention, with and without a causal mask, forward and backward."""
    for dtype in bench.dtypes:
        for causal in (False, True):
            bench.supported("causal" if causal else "full", dtype, lambda d=dtype, c=causal: _attention(bench, d, c))


def _attention(bench: Bench, dtype: str, causal: bool) -> None:
    """Softmax weights are rounded to the data type in between: slack 4; gradients chain two more: 8.

    In float32 four times that, for the hardware's fast exponential.
    """
    started = time.perf_counter()
    torch, name = bench.torch, "causal" if causal else "full"
    raw = [bench.normal(2, 3, 67, 32, dtype=dtype) for _ in range(3)]
    inputs = [bench.put(value, dtype, grad=True) for value in raw]
    leaves = [bench.leaf(value) for value in raw]
    got = torch.nn.functional.scaled_dot_product_attention(*inputs, is_causal=causal)
    reference = _plain_attention(torch, *leaves, causal=causal)
    upstream = bench.normal(*reference.shape, dtype=dtype)
    got.backward(bench.put(upstream, dtype))
    reference.backward(upstream)
    slack = 16 if dtype == "float32" else 4
    bench.compare(name, dtype, got, reference, tolerance(dtype, 67, slack), started)
    for part, value, leaf in zip(("query", "key", "value"), inputs, leaves, strict=True):
        allowed = bench.gradient_tolerance(dtype, 67, 2 * slack)
        bench.compare(f"{name}, gradient of {part}", dtype, value.grad, leaf.grad, allowed, started)


def _plain_attention(torch: Any, query: Any, key: Any, value: Any, *, causal: bool) -> Any:  # noqa: ANN401
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if causal:
        length = scores.shape[-1]
        hidden = torch.ones(length, length, dtype=torch.bool).triu(1)
        scores = scores.masked_fill(hidden, -math.inf)
    return torch.softmax(scores, -1) @ value
