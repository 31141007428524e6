"""Runs the numeric tests in children: one child as long as all goes well, a new one after each that fails."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec.structs import replace

from rocm_gui.core.events import Log, Partial, Stage
from rocm_gui.core.jobs import JobState
from rocm_gui.core.verdict import TEST_LAYERS, status_of
from rocm_gui.core.verification import Case, Trial, Workaround
from rocm_gui.services.worker_run import run_worker

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Mapping, Sequence

    from rocm_gui.core.events import AnyEvent
    from rocm_gui.core.jobs import AnyJobEvent
    from rocm_gui.core.verification import Build
    from rocm_gui.services.worker_run import WorkerRun
    from rocm_gui.system.paths import Paths

_MIOPEN_TESTS = ("conv", "batchnorm", "rnn")
_STARTING = (None, "import_torch", "start_device")
SNIPPET = "import torch\n\ntorch.backends.cudnn.enabled = False  # MIOpen off: its {tests} fail on this machine\n"


def default_limit_s(stage: str | None) -> float:
    """Seconds that a stage may take. MIOpen compiles at the first convolution, perhaps again for the others."""
    return {"conv": 600.0, "batchnorm": 300.0, "rnn": 300.0}.get(stage or "", 180.0)


class NumericTests:
    """The tests of one environment on one device.

    Args:
        python: its interpreter.
        device: ``cpu`` or ``cuda:N``.
        build: of its PyTorch; what MIOpen does matters on ``rocm`` alone, its absence is tried on every GPU.
        limit_s: seconds allowed for a stage of the worker.
        on_event: hears Stage, Partial and Log; see ``services.verifier``.
        inject: a fault, ``NAME:TEST[:once|:miopen]``.
    """

    def __init__(
        self,
        python: str,
        device: str,
        *,
        paths: Paths,
        build: Build | None = None,
        limit_s: Callable[[str | None], float] = default_limit_s,
        env: Mapping[str, str | None] | None = None,
        cancel: threading.Event | None = None,
        on_event: Callable[[AnyEvent], None] | None = None,
        inject: str | None = None,
    ) -> None:
        self._python = python
        self._device = device
        self._paths = paths
        self._build: Build | None = build
        self._limit_s = limit_s
        self._env = dict(env or {})
        self._cancel = cancel
        self._on_event = on_event
        self._inject = inject

    def run(self, tests: Sequence[str] = tuple(TEST_LAYERS)) -> tuple[list[Trial], list[Workaround]]:
        """All ``tests`` in order, with a second try and workarounds where those are due."""
        trials = {trial.id: trial for trial in self._run_all(tests)}
        workarounds: list[Workaround] = []
        if self._device != "cpu":
            self._try_ascii_cache(trials, workarounds)
            self._try_without_miopen(trials, workarounds)
        return [trials[name] for name in tests if name in trials], workarounds

    def _run_all(self, tests: Sequence[str]) -> list[Trial]:
        done: list[Trial] = []
        left = list(tests)
        while left:
            run, trials = self._run_child(left)
            done += trials
            left = left[len(trials) :]
            if run.fault is None or not left:
                break
            failed = self._trial_of_fault(left[0], run)
            if run.stage in _STARTING:  # the device does not even start: the first test stands for all
                return [*done, failed]
            if failed.id == "conv" and self._device != "cpu" and failed.status != "wrong":
                self._say("conv_again")
                _, again = self._run_child(["conv"])
                failed = replace(again[0], attempts=2) if again else replace(failed, attempts=2)
            done.append(failed)
            self._tell(failed)
            left = left[1:]
        return done

    def _run_child(
        self, tests: Sequence[str], *, miopen: bool = True, env: Mapping[str, str | None] | None = None
    ) -> tuple[WorkerRun, list[Trial]]:
        arguments = ["--device", self._device, "--tests", ",".join(tests)]
        if self._device == "cpu":  # nobody trains in float16 on a processor, and some builds emulate it at a crawl
            arguments += ["--dtypes", "float32,bfloat16"]
        if not miopen:
            arguments.append("--no-miopen")
        if self._inject:
            arguments += ["--inject", self._inject.removesuffix(":once")]
        if self._inject and self._inject.endswith(":once") and self._inject.split(":")[1] in tests:
            self._inject = None
        run = run_worker(
            self._python,
            "verify",
            arguments,
            paths=self._paths,
            limit_s=self._limit_s,
            env={**self._env, **(env or {})},
            cancel=self._cancel,
            on_event=self._forward,
        )
        return run, [_trial_of_partial(part) for part in run.partials]

    def _trial_of_fault(self, test: str, run: WorkerRun) -> Trial:
        fault = run.fault
        status: Literal["failed", "timed_out", "crashed"] = "crashed"
        if fault is not None and fault.code == "timeout":
            status = "timed_out"
        elif run.state is JobState.FAILED:
            status = "failed"
        if run.stage in _STARTING and fault is not None and fault.layer is None:
            fault = replace(fault, layer="runtime")
        return Trial(id=test, layer=TEST_LAYERS[test], status=status, fault=fault, device=self._device)

    def _try_without_miopen(self, trials: dict[str, Trial], workarounds: list[Workaround]) -> None:
        """Where matrix products are right and MIOpen's operations fail, PyTorch's own kernels may do."""
        failing = [
            name for name in _MIOPEN_TESTS if name in trials and trials[name].status not in {"ok", "unsupported"}
        ]
        grounds = ("article", "copy", "kernels", "gemm")
        if not failing or any(name in trials and trials[name].status != "ok" for name in grounds):
            return
        self._say("without_miopen")
        _, again = self._run_child(failing, miopen=False)
        if len(again) < len(failing) or any(trial.status != "ok" for trial in again):
            return
        for trial in again:
            trials[trial.id] = replace(trial, fault=trials[trial.id].fault, workaround="miopen_off", attempts=2)
            self._tell(trials[trial.id])
        snippet = SNIPPET.format(tests=", ".join(failing))
        workarounds.append(Workaround(id="miopen_off", tests=tuple(failing), snippet=snippet))

    def _try_ascii_cache(self, trials: dict[str, Trial], workarounds: list[Workaround]) -> None:
        """MIOpen on Windows cannot open its database below a profile with letters outside ASCII."""
        conv = trials.get("conv")
        if conv is None or conv.status in {"ok", "wrong"} or str(Path.home()).isascii():
            return
        folder = ascii_cache_folder()
        if folder is None:
            return
        existed = folder.is_dir()
        self._say("ascii_cache")
        (folder / "cache").mkdir(parents=True, exist_ok=True)
        variables = {"MIOPEN_USER_DB_PATH": str(folder), "MIOPEN_CUSTOM_CACHE_DIR": str(folder / "cache")}
        failing = [name for name in _MIOPEN_TESTS if name in trials and trials[name].status != "ok"]
        _, again = self._run_child(failing, env=variables)
        passed = [trial for trial in again if trial.status == "ok"]
        if not any(trial.id == "conv" for trial in passed):
            if not existed:
                shutil.rmtree(folder, ignore_errors=True)
            return
        for trial in passed:
            trials[trial.id] = replace(trial, fault=trials[trial.id].fault, workaround="miopen_ascii_cache", attempts=2)
        lines = [f"os.environ[{name!r}] = {value!r}" for name, value in variables.items()]
        snippet = "\n".join(["import os", "", *lines, "", "import torch", ""])
        tests = tuple(trial.id for trial in passed)
        workarounds.append(Workaround(id="miopen_ascii_cache", tests=tests, variables=variables, snippet=snippet))
        self._env.update(variables)

    def _forward(self, event: AnyJobEvent) -> None:
        if isinstance(event, Stage):
            if event.id == "conv" and self._build == "rocm" and self._device != "cpu":
                self._say("compiling_once")
            if event.id in TEST_LAYERS:
                self._emit(Stage(id=event.id, index=list(TEST_LAYERS).index(event.id) + 1, count=len(TEST_LAYERS) + 1))
        elif isinstance(event, Partial) and "test" in event.data:
            self._tell(_trial_of_partial(event.data))

    def _tell(self, trial: Trial) -> None:
        self._emit(Partial(data=msgspec.to_builtins(trial)))

    def _say(self, code: str) -> None:
        self._emit(Log(text=code, level="notice"))

    def _emit(self, event: AnyEvent) -> None:
        if self._on_event is not None:
            self._on_event(event)


def _trial_of_partial(data: Mapping[str, object]) -> Trial:
    test = str(data["test"])
    known = {key: value for key, value in data.items() if key in Trial.__struct_fields__}
    cases = msgspec.convert(data.get("cases"), tuple[Case, ...])
    return msgspec.convert({**known, "id": test, "layer": TEST_LAYERS[test], "status": status_of(cases)}, Trial)


def ascii_cache_folder() -> Path | None:
    """Where MIOpen's files can go on a path that is ASCII and writable by this user; None where there is none."""
    if sys.platform == "win32":
        roots = [os.environ.get("PUBLIC"), os.environ.get("PROGRAMDATA")]
    else:
        roots = [tempfile.gettempdir()]
    for root in roots:
        if root and root.isascii() and os.access(root, os.W_OK):
            return Path(root) / "rocm_gui" / "miopen"
    return None
