"""Faults injected into real children with the real PyTorch: each is named with its layer."""

from __future__ import annotations

import importlib.util
import sys
import threading
from typing import TYPE_CHECKING, Any

import pytest

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.events import AnyEvent, Stage
from rocm_gui.core.verification import DeviceInfo, EnvironmentProbe
from rocm_gui.services import verifier
from rocm_gui.services.numeric_tests import default_limit_s
from rocm_gui.services.verifier import dtype_support, verify_environment
from rocm_gui.system.datafiles import read_toml
from rocm_gui.system.paths import default_paths, find_resources

if TYPE_CHECKING:
    from rocm_gui.core.verification import VerificationReport

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="needs PyTorch in this Python")


SINGLE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def verify(inject: str | None, *tests: str, **more: Any) -> VerificationReport:
    return verify_environment(
        sys.executable,
        paths=default_paths(),
        inject=inject,
        tests=tests or ("batchnorm",),
        env=SINGLE_THREAD,
        **more,
    )


def hang_limit_s(stage: str | None) -> float:
    """Only what hangs anyway is given a short limit: the machine may be busy."""
    return 1.0 if stage == "batchnorm" else 180.0


@pytest.fixture
def probed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A CPU build's probe, so that these tests import PyTorch once each; the real probe has tests of its own."""
    probe = EnvironmentProbe(python=sys.executable, python_version="3.12.0", build="cpu", available=False)
    monkeypatch.setattr(verifier, "probe_environment", lambda *_, **__: probe)


@pytest.mark.torch
@needs_torch
@pytest.mark.parametrize(
    ("inject", "verdict", "layer", "fault", "status", "exit_code"),
    [
        ("wrong_result:batchnorm", "untrusted", "miopen", "wrong_result", "wrong", 3),
        ("crash:batchnorm", "failed", "miopen", "crash", "crashed", 4),
        ("hang:batchnorm", "failed", "miopen", "timeout", "timed_out", 4),
        ("oom:batchnorm", "failed", "memory", "out_of_memory", "failed", 1),
        ("missing_dll:batchnorm", "failed", "libraries", "library_missing", "failed", 1),
        ("exception:batchnorm", "failed", "miopen", "exception", "failed", 1),
    ],
)
@pytest.mark.usefixtures("probed")
def test_a_fault_in_one_test(inject: str, verdict: str, layer: str, fault: str, status: str, exit_code: int) -> None:
    hangs = inject.startswith("hang")  # nothing else is given a short limit: this machine may be busy
    report = verify(
        inject, limit_s=(lambda stage: 1.0 if stage == "batchnorm" else 180.0) if hangs else default_limit_s
    )
    assert (report.verdict, report.layer, report.exit_code) == (verdict, layer, exit_code)
    assert report.fault is not None
    assert report.fault.code == fault
    assert [trial.status for trial in report.tests] == [status]


@pytest.mark.torch
@needs_torch
@pytest.mark.parametrize(
    ("inject", "layer", "fault", "exit_code"),
    [
        ("missing_dll:import_torch", "libraries", "library_missing", 1),
        ("crash:available", "runtime", "crash", 4),
        ("exception:import_torch", "torch_install", "exception", 1),
    ],
)
def test_a_fault_before_any_test(inject: str, layer: str, fault: str, exit_code: int) -> None:
    report = verify(inject)
    assert (report.verdict, report.layer, report.exit_code) == ("failed", layer, exit_code)
    assert report.fault is not None
    assert report.fault.code == fault
    assert report.tests == ()


@pytest.mark.torch
@needs_torch
@pytest.mark.usefixtures("probed")
def test_after_a_crash_the_next_test_runs_in_a_new_child() -> None:
    report = verify("crash:batchnorm", "batchnorm", "optimizer")
    assert [(trial.id, trial.status) for trial in report.tests] == [("batchnorm", "crashed"), ("optimizer", "ok")]


@pytest.mark.torch
@needs_torch
def test_a_healthy_cpu_build() -> None:
    heard: list[AnyEvent] = []
    report = verify(None, "batchnorm", "optimizer", on_event=heard.append)
    assert (report.verdict, report.exit_code, report.device) == ("cpu_only", 0, "cpu")
    assert [event.id for event in heard if isinstance(event, Stage)] == ["probe", "batchnorm", "optimizer"]
    assert report.probe.build == "cpu"
    assert report.dtypes is None


@pytest.mark.torch
@needs_torch
@pytest.mark.usefixtures("probed")
def test_a_device_that_is_not_there_is_wrong_use() -> None:
    with pytest.raises(AppError) as caught:
        verify(None, device=3)
    assert (caught.value.code, caught.value.exit_code) == ("device_index", ExitCode.USAGE)


@pytest.mark.torch
@needs_torch
@pytest.mark.usefixtures("probed")
def test_cancelling_ends_the_child_that_runs() -> None:
    cancel = threading.Event()

    def hear(event: AnyEvent) -> None:
        if isinstance(event, Stage) and event.id == "batchnorm":
            cancel.set()

    with pytest.raises(AppError) as caught:
        verify("hang:batchnorm", on_event=hear, cancel=cancel)
    assert (caught.value.code, caught.value.exit_code) == ("verify_cancelled", ExitCode.CANCELLED)


@pytest.mark.parametrize(
    ("gfx_target", "bfloat16"),
    [
        ("gfx1030", "emulated"),
        ("gfx1100", "matrix"),
        ("gfx1201", "matrix"),
        ("gfx90a", "matrix"),
        ("gfx906", "emulated"),
    ],
)
def test_data_types_by_architecture(gfx_target: str, bfloat16: str) -> None:
    table = read_toml(find_resources() / "data" / "dtypes.toml")
    rows = dtype_support(table, DeviceInfo(index=0, gfx_target=gfx_target))
    assert rows is not None
    assert {row.dtype: row.support for row in rows}["bfloat16"] == bfloat16
    assert dtype_support(table, DeviceInfo(index=0, gfx_target="gfx9999")) is None


def test_no_architecture_is_listed_twice() -> None:
    table = read_toml(find_resources() / "data" / "dtypes.toml")
    targets = [target for row in table["architecture"] for target in row["targets"]]
    assert len(targets) == len(set(targets))
