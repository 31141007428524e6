"""Proves that an environment computes correctly, layer by layer, every risky act in a child with a time limit."""

from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rocm_gui import __version__
from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.events import Stage
from rocm_gui.core.verdict import TEST_LAYERS, choose_device, findings_of, judge, layer_versions
from rocm_gui.core.verification import DtypeSupport, Trial, VerificationReport, Workaround
from rocm_gui.services.numeric_tests import NumericTests, default_limit_s
from rocm_gui.services.probe import probe_environment
from rocm_gui.services.system_tools import ask_tools
from rocm_gui.system.datafiles import read_toml

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Mapping, Sequence

    from rocm_gui.core.events import AnyEvent
    from rocm_gui.core.model import Machine
    from rocm_gui.core.routes import Route
    from rocm_gui.core.verification import DeviceInfo, EnvironmentProbe
    from rocm_gui.system.paths import Paths

__all__ = ["verify_environment"]


def verify_environment(
    python: str,
    *,
    paths: Paths,
    machine: Machine | None = None,
    route: Route | None = None,
    gfx_target: str | None = None,
    on_event: Callable[[AnyEvent], None] | None = None,
    cancel: threading.Event | None = None,
    device: int | None = None,
    env: Mapping[str, str | None] | None = None,
    inject: str | None = None,
    limit_s: Callable[[str | None], float] = default_limit_s,
    tests: Sequence[str] = tuple(TEST_LAYERS),
) -> VerificationReport:
    """The report on the environment of ``python``; ``report.verdict`` and ``report.exit_code`` say how it went.

    Args:
        python: the interpreter of the environment, or its folder.
        paths: the product's folders.
        machine: what is known of the machine; drivers and GPUs are compared with it.
        route: the route that made the environment; a GPU route must find a GPU.
        gfx_target: the architecture that must have computed, where it is known.
        on_event: hears ``Stage`` (id of the test that begins), ``Partial`` (a finished ``Trial`` as a dict) and
            ``Log`` (a code below ``[verify.notice]`` as text). Called from other threads.
        cancel: set from elsewhere, it ends the verification.
        device: index of the device to test; None takes the GPU with ``gfx_target`` or the largest discrete one.
        env: variables to set for the children, or (None) to remove.
        inject: a fault to inject, ``NAME:PLACE[:once|:miopen]``, PLACE a test or an act of the probe; for tests.
        limit_s: seconds that a stage may take.
        tests: which tests to run, in this order.

    Raises:
        AppError: ``interpreter_missing``, ``environment_without_python``, ``python_not_python``, ``device_index``
            (usage), ``verify_cancelled``.
    """
    began = time.monotonic()
    if on_event is not None:
        on_event(Stage(id="probe", index=0, count=len(TEST_LAYERS) + 1))
    in_probe = inject is not None and inject.split(":")[1] not in TEST_LAYERS
    probe = probe_environment(python, paths=paths, env=env, cancel=cancel, inject=inject if in_probe else None)
    chosen = choose_device(probe, machine, gfx_target, device)
    if device is not None and chosen is None and probe.fault is None:
        raise AppError("device_index", ExitCode.USAGE, index=device, count=len(probe.devices))
    trials: list[Trial] = []
    workarounds: list[Workaround] = []
    early = judge(probe, (), device=chosen, machine=machine, route=route, gfx_target=gfx_target)
    wrong_build = probe.fault is None and early.layer == "torch_install"  # computes all the same: on the CPU
    if early.verdict != "failed" or wrong_build:
        place = f"cuda:{chosen.index}" if chosen is not None else "cpu"
        numeric = NumericTests(
            probe.python,
            place,
            paths=paths,
            build=probe.build,
            limit_s=limit_s,
            env=env,
            cancel=cancel,
            on_event=on_event,
            inject=None if in_probe else inject,
        )
        trials, workarounds = numeric.run(tests)
    tools = ask_tools(probe, machine)
    judged = judge(
        probe,
        trials,
        device=chosen,
        machine=machine,
        route=route,
        gfx_target=gfx_target,
        workarounds=workarounds,
    )
    dtypes = dtype_support(read_toml(paths.resources / "data" / "dtypes.toml"), chosen)
    bfloat16 = next((row.support for row in dtypes or () if row.dtype == "bfloat16"), None)
    return VerificationReport(
        product_version=__version__,
        created=datetime.now().astimezone().isoformat(timespec="seconds"),
        verdict=judged.verdict,
        layer=judged.layer,
        remedy=judged.remedy,
        fault=judged.fault,
        exit_code=int(judged.exit_code),
        expected_gfx=gfx_target,
        device=_place(probe, chosen),
        probe=probe,
        layers=layer_versions(probe, machine, chosen),
        tests=tuple(trials),
        tools=tools,
        dtypes=dtypes,
        workarounds=tuple(workarounds),
        findings=findings_of(probe, trials, machine=machine, device=chosen, bfloat16=bfloat16),
        seconds=time.monotonic() - began,
    )


def _place(probe: EnvironmentProbe, chosen: DeviceInfo | None) -> str | None:
    if chosen is not None:
        return f"cuda:{chosen.index}"
    return "cpu" if probe.build is not None else None


def dtype_support(table: Mapping[str, Any], device: DeviceInfo | None) -> tuple[DtypeSupport, ...] | None:
    """How the device's architecture computes each data type; None where the table does not know it."""
    if device is None or device.gfx_target is None:
        return None
    for row in table.get("architecture", ()):
        if device.gfx_target in row["targets"]:
            return tuple(DtypeSupport(dtype=name, support=support) for name, support in row["dtypes"].items())
    return None
