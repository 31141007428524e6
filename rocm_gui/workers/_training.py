"""The tests of what training adds: gradients through whole networks, mixed precision, optimiser steps."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from _numeric import tolerance

if TYPE_CHECKING:
    from _numeric import Bench


def _perceptron(torch: Any) -> Any:  # noqa: ANN401
    nn = torch.nn
    return nn.Sequential(nn.Linear(48, 96), nn.GELU(), nn.LayerNorm(96), nn.Linear(96, 10))


def _convolutional(torch: Any) -> Any:  # noqa: ANN401
    nn = torch.nn
    return nn.Sequential(
        nn.Conv2d(3, 12, 3, padding=1),
        nn.BatchNorm2d(12),
        nn.SiLU(),
        nn.AvgPool2d(2),
        nn.Conv2d(12, 16, 3, stride=2),
        nn.GroupNorm(4, 16),
        nn.Softplus(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(16, 10),
    )


# Smooth activations only: a rectifier's kink would turn a rounding error into a jump of the gradient.
_NETWORKS = {"perceptron": (_perceptron, (33, 48)), "convolutional": (_convolutional, (9, 3, 18, 17))}


def _pair(bench: Bench, name: str) -> tuple[Any, Any, Any, Any]:
    """The network on the device, its float64 twin on the CPU with the same weights, a batch and its labels."""
    torch = bench.torch
    build, shape = _NETWORKS[name]
    torch.manual_seed(11)
    network = build(torch)
    twin = build(torch).double()
    twin.load_state_dict(
        {key: value.double() if value.is_floating_point() else value for key, value in network.state_dict().items()}
    )
    return network.to(bench.device), twin, bench.normal(*shape), bench.integers(10, shape[0])


def autograd(bench: Bench) -> None:
    """Loss and every gradient of two small networks. Errors chain through ten layers with convolutions: slack 64."""
    cross_entropy = bench.torch.nn.functional.cross_entropy
    for name in _NETWORKS:
        started = time.perf_counter()
        network, twin, batch, labels = _pair(bench, name)
        loss = cross_entropy(network(bench.put(batch, "float32")), labels.to(bench.device))
        exact = cross_entropy(twin(batch), labels)
        loss.backward()
        exact.backward()
        allowed = tolerance("float32", 64, 64)
        bench.compare(f"{name}, loss", "float32", loss, exact, allowed, started)
        _compare_gradients(bench, name, "float32", network, twin, allowed, started)


def _compare_gradients(
    bench: Bench,
    name: str,
    dtype: str,
    network: Any,  # noqa: ANN401
    twin: Any,  # noqa: ANN401
    allowed: float,
    started: float,
) -> None:
    """All gradients as one vector: a bias whose true gradient is zero (before a BatchNorm) has no scale of its own."""
    flat = bench.torch.cat([value.grad.reshape(-1) for value in network.parameters()])
    exact = bench.torch.cat([value.grad.reshape(-1) for value in twin.parameters()])
    bench.compare(f"{name}, gradients", dtype, flat, exact, allowed, started)


def amp(bench: Bench) -> None:
    """Mixed precision: autocast in each half type, with gradient scaling for float16, and the step that follows."""
    for dtype in bench.dtypes:
        if dtype != "float32":
            for name in _NETWORKS:
                bench.supported(name, dtype, lambda d=dtype, n=name: _mixed(bench, n, d))


def _mixed(bench: Bench, name: str, dtype: str) -> None:
    """Every layer's output and gradient is rounded to the half type: slack 4; with Winograd in float16 16."""
    started = time.perf_counter()
    torch = bench.torch
    kind = bench.device.split(":")[0]
    cross_entropy = torch.nn.functional.cross_entropy
    network, twin, batch, labels = _pair(bench, name)
    before = [value.detach().clone() for value in network.parameters()]
    steps = torch.optim.SGD(network.parameters(), lr=0.5)
    scaler = _scaler(torch, kind, enabled=dtype == "float16")
    with torch.autocast(kind, dtype=bench.dtype(dtype)):
        loss = cross_entropy(network(bench.put(batch, "float32")), labels.to(bench.device))
    scaler.scale(loss).backward()
    scaler.step(steps)
    scaler.update()
    exact = cross_entropy(twin(batch), labels)
    exact.backward()
    allowed = bench.gradient_tolerance(dtype, 64, 16 if dtype == "float16" else 4)
    bench.compare(f"{name}, loss", dtype, loss, exact, allowed, started)
    moved = torch.cat([(new.detach() - old).reshape(-1) for new, old in zip(network.parameters(), before, strict=True)])
    wanted = torch.cat([(-0.5 * value.grad).reshape(-1) for value in twin.parameters()])
    bench.compare(f"{name}, step", dtype, moved, wanted, allowed, started)


def _scaler(torch: Any, kind: str, *, enabled: bool) -> Any:  # noqa: ANN401
    """A GradScaler, also of versions before torch.amp.GradScaler (2.3)."""
    options = {"init_scale": 1024.0, "enabled": enabled}
    if hasattr(torch.amp, "GradScaler"):
        return torch.amp.GradScaler(kind, **options)
    return torch.cuda.amp.GradScaler(**{**options, "enabled": enabled and kind == "cuda"})


def optimizer(bench: Bench) -> None:
    """Five steps of SGD, Adam and AdamW from the same start.

    Each parameter is half or more away from its goal, so that no gradient comes near zero, where Adam's
    division would magnify a rounding error into a full step.
    """
    torch = bench.torch
    variants: dict[str, tuple[str, dict[str, Any]]] = {
        "SGD with momentum": ("SGD", {"lr": 0.05, "momentum": 0.9}),
        "Adam": ("Adam", {"lr": 0.01, "foreach": False}),
        "Adam, grouped": ("Adam", {"lr": 0.01, "foreach": True}),
        "AdamW": ("AdamW", {"lr": 0.01, "weight_decay": 0.1}),
    }
    if bench.device != "cpu":
        variants["AdamW, fused"] = ("AdamW", {"lr": 0.01, "weight_decay": 0.1, "fused": True})
    for name, (kind, options) in variants.items():
        started = time.perf_counter()
        start = bench.normal(4099)
        away = bench.normal(4099)
        goal = (start + away.sign() * (away.abs() + 0.5)).float().double()
        got = _descend(torch, kind, options, bench.put(start, "float32", grad=True), bench.put(goal, "float32"))
        plain = {key: value for key, value in options.items() if key not in {"fused", "foreach"}}
        reference = _descend(torch, kind, plain, bench.leaf(start), goal)
        bench.compare(name, "float32", got, reference, tolerance("float32", 5, 4), started)


def _descend(torch: Any, kind: str, options: dict[str, Any], value: Any, goal: Any) -> Any:  # noqa: ANN401
    steps = getattr(torch.optim, kind)([value], **options)
    for _ in range(5):
        steps.zero_grad()
        (0.5 * (value - goal) ** 2).sum().backward()
        steps.step()
    return value
