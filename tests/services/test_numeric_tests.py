"""When a test is tried again, when a new child is started, and when a workaround counts: with scripted children."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from rocm_gui.core.events import AnyEvent, Log, Partial, Stage
from rocm_gui.core.jobs import JobState
from rocm_gui.core.verification import Fault
from rocm_gui.services import numeric_tests
from rocm_gui.services.numeric_tests import NumericTests, default_limit_s
from rocm_gui.services.worker_run import WorkerRun
from rocm_gui.system.paths import default_paths

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CASE = {"name": "x", "dtype": "float32", "status": "ok", "max_error": 1e-7, "tolerance": 1e-5, "seconds": 0.0}
CRASH = Fault(code="crash", exit_code=-11)
MIOPEN = Fault(code="miopen_compile", layer="miopen")


class Script:
    """Stands in for the children: which tests fail how, and under which conditions they do not."""

    def __init__(self, faults: Mapping[str, Fault], *, cured_by: str = "", wrong: Sequence[str] = ()) -> None:
        self.faults = dict(faults)
        self.cured_by = cured_by  # "--no-miopen", a variable, or "again": only the first time fails
        self.wrong = wrong
        self.children: list[tuple[list[str], bool, dict[str, Any]]] = []

    def __call__(self, python: str, worker: str, arguments: Sequence[str] = (), **more: Any) -> WorkerRun:
        tests = arguments[arguments.index("--tests") + 1].split(",")
        self.children.append((tests, "--no-miopen" in arguments, dict(more.get("env") or {})))
        cured = self.cured_by in arguments or self.cured_by in (more.get("env") or {})
        run = WorkerRun(hello=True)
        for test in tests:
            more["on_event"](Stage(id=test))
            run.stage = test
            fault = None if cured else self.faults.get(test)
            if fault is not None:
                if self.cured_by == "again":
                    del self.faults[test]
                run.fault = fault
                run.state = JobState.CRASHED if fault.code == "crash" else JobState.FAILED
                return run
            status = "wrong" if test in self.wrong and not cured else "ok"
            part = {"test": test, "seconds": 0.1, "cases": [{**CASE, "status": status}], "device": "cuda:0"}
            run.partials.append(part)
            more["on_event"](Partial(data=part))
        run.state = JobState.DONE
        return run


@pytest.fixture
def heard() -> list[AnyEvent]:
    return []


def runner(
    monkeypatch: pytest.MonkeyPatch, script: Script, heard: list[AnyEvent], device: str = "cuda:0", **more: Any
) -> NumericTests:
    monkeypatch.setattr(numeric_tests, "run_worker", script)
    return NumericTests("python", device, paths=default_paths(), build="rocm", on_event=heard.append, **more)


def notices(heard: list[AnyEvent]) -> list[str]:
    return [event.text for event in heard if isinstance(event, Log)]


def test_one_child_is_enough_while_all_goes_well(monkeypatch: pytest.MonkeyPatch, heard: list[AnyEvent]) -> None:
    script = Script({})
    trials, workarounds = runner(monkeypatch, script, heard).run()
    assert len(script.children) == 1
    assert [trial.status for trial in trials] == ["ok"] * 11
    assert workarounds == []
    assert notices(heard) == ["compiling_once"]
    assert sum(isinstance(event, Stage) for event in heard) == 11
    finished = [event.data["id"] for event in heard if isinstance(event, Partial)]
    assert finished == [trial.id for trial in trials]


def test_after_a_crash_the_rest_runs_in_a_new_child(monkeypatch: pytest.MonkeyPatch, heard: list[AnyEvent]) -> None:
    script = Script({"gemm": CRASH})
    trials, _ = runner(monkeypatch, script, heard).run(["copy", "gemm", "attention", "amp"])
    assert [child[0] for child in script.children] == [["copy", "gemm", "attention", "amp"], ["attention", "amp"]]
    assert [(trial.id, trial.status) for trial in trials] == [
        ("copy", "ok"), ("gemm", "crashed"), ("attention", "ok"), ("amp", "ok"),
    ]  # fmt: skip


def test_the_first_convolution_is_tried_again_before_it_counts(
    monkeypatch: pytest.MonkeyPatch, heard: list[AnyEvent]
) -> None:
    script = Script({"conv": CRASH}, cured_by="again")
    trials, workarounds = runner(monkeypatch, script, heard).run(["gemm", "conv", "rnn"])
    assert [(trial.status, trial.attempts) for trial in trials] == [("ok", 1), ("ok", 2), ("ok", 1)]
    assert workarounds == []
    assert "conv_again" in notices(heard)


def test_batchnorm_that_passes_without_miopen_is_a_workaround(
    monkeypatch: pytest.MonkeyPatch, heard: list[AnyEvent]
) -> None:
    script = Script({"batchnorm": MIOPEN}, cured_by="--no-miopen")
    trials, workarounds = runner(monkeypatch, script, heard).run()
    batchnorm = next(trial for trial in trials if trial.id == "batchnorm")
    assert (batchnorm.status, batchnorm.workaround, batchnorm.fault) == ("ok", "miopen_off", MIOPEN)
    assert [(item.id, item.tests) for item in workarounds] == [("miopen_off", ("batchnorm",))]
    assert "torch.backends.cudnn.enabled = False" in workarounds[0].snippet
    assert script.children[-1][:2] == (["batchnorm"], True)


def test_a_wrong_batchnorm_is_cured_the_same_way(monkeypatch: pytest.MonkeyPatch, heard: list[AnyEvent]) -> None:
    script = Script({}, cured_by="--no-miopen", wrong=("batchnorm",))
    _, workarounds = runner(monkeypatch, script, heard).run()
    assert [item.id for item in workarounds] == ["miopen_off"]


def test_no_workaround_where_it_does_not_help(monkeypatch: pytest.MonkeyPatch, heard: list[AnyEvent]) -> None:
    trials, workarounds = runner(monkeypatch, Script({"batchnorm": MIOPEN}), heard).run()
    assert workarounds == []
    assert next(trial for trial in trials if trial.id == "batchnorm").status == "failed"


def test_no_workaround_is_tried_on_a_gpu_whose_matrix_products_fail(
    monkeypatch: pytest.MonkeyPatch, heard: list[AnyEvent]
) -> None:
    script = Script({"gemm": CRASH, "batchnorm": MIOPEN}, cured_by="--no-miopen")
    _, workarounds = runner(monkeypatch, script, heard).run()
    assert workarounds == []
    assert all(not child[1] for child in script.children)


def test_on_the_cpu_nothing_is_tried_twice(monkeypatch: pytest.MonkeyPatch, heard: list[AnyEvent]) -> None:
    script = Script({"conv": CRASH, "batchnorm": MIOPEN})
    runner(monkeypatch, script, heard, device="cpu").run(["conv", "batchnorm"])
    assert [child[0] for child in script.children] == [["conv", "batchnorm"], ["batchnorm"]]
    assert notices(heard) == []


def test_miopens_cache_moves_to_an_ascii_path_where_the_profile_is_not(
    monkeypatch: pytest.MonkeyPatch, heard: list[AnyEvent], tmp_path: Path
) -> None:
    cache = tmp_path / "miopen"
    monkeypatch.setattr(numeric_tests, "ascii_cache_folder", lambda: cache)
    monkeypatch.setattr(Path, "home", lambda: Path("C:/Users/张三"))
    faults = {"conv": Fault(code="miopen_database", layer="miopen")}
    trials, workarounds = runner(monkeypatch, Script(faults, cured_by="MIOPEN_USER_DB_PATH"), heard).run()
    assert [(item.id, item.tests) for item in workarounds] == [("miopen_ascii_cache", ("conv",))]
    assert workarounds[0].variables == {
        "MIOPEN_USER_DB_PATH": str(cache),
        "MIOPEN_CUSTOM_CACHE_DIR": str(cache / "cache"),
    }
    assert {trial.status for trial in trials} == {"ok"}
    assert cache.is_dir()


def test_a_cache_folder_that_did_not_help_is_removed(
    monkeypatch: pytest.MonkeyPatch, heard: list[AnyEvent], tmp_path: Path
) -> None:
    cache = tmp_path / "miopen"
    monkeypatch.setattr(numeric_tests, "ascii_cache_folder", lambda: cache)
    monkeypatch.setattr(Path, "home", lambda: Path("C:/Users/张三"))
    _, workarounds = runner(monkeypatch, Script({"conv": MIOPEN}), heard).run()
    assert workarounds == []
    assert not cache.exists()


def test_a_device_that_does_not_start_stands_for_all_tests(
    monkeypatch: pytest.MonkeyPatch, heard: list[AnyEvent]
) -> None:
    def child(*_: Any, **__: Any) -> WorkerRun:
        return WorkerRun(hello=True, stage="start_device", state=JobState.CRASHED, fault=CRASH)

    monkeypatch.setattr(numeric_tests, "run_worker", child)
    trials, _ = NumericTests("python", "cuda:0", paths=default_paths(), build="rocm").run()
    assert [(trial.id, trial.status, trial.fault.layer if trial.fault else None) for trial in trials] == [
        ("article", "crashed", "runtime")
    ]


def test_the_first_convolution_has_ten_minutes() -> None:
    assert default_limit_s("conv") == 600.0
    assert default_limit_s("gemm") == default_limit_s(None) == 180.0
