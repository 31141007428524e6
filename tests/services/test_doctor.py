"""The doctor: only what is needed is looked at, and no check ends the run."""

from __future__ import annotations

import threading

import machines as m
import msgspec
import pytest
from check_cases import limits, routes

from rocm_gui.core.checks import Check, CheckResult
from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.model import PythonInstall, SetupOptions
from rocm_gui.services.doctor import ROUTE_PROBES, Doctor


def check(check_id: str, judge, probes=("host",), systems=("windows", "linux", "wsl")) -> Check:
    return Check(id=check_id, group="system", probes=probes, judge=judge, systems=systems)


def fine(check_id: str):
    return lambda _context: CheckResult(id=check_id, status="ok", text="ok", group="system")


class Machines:
    """A ``collect`` that tells what it was asked for."""

    def __init__(self, machine):
        self.machine = machine
        self.asked: set[str] = set()
        self.options: SetupOptions | None = None

    def __call__(self, options, probes):
        self.asked, self.options = set(probes), options
        return self.machine


def doctor(machine=None, **changes) -> Doctor:
    fields = {"collect": Machines(machine or m.linux_one_radeon()), "routes": routes().values, "limits": limits()}
    return Doctor(**{**fields, **changes})


def test_a_machine_in_order_has_nothing_to_fix():
    for machine in (m.linux_one_radeon(), m.windows_one_radeon(), m.wsl_radeon(), m.linux_mi300x8(), m.no_gpu()):
        results = doctor(machine).run()
        assert [result for result in results if result.status == "fail"] == []
        assert len(results) >= 15


def test_a_check_that_crashes_or_hangs_is_unknown_and_the_others_are_told():
    never = threading.Event()

    def crash(_context):
        raise ZeroDivisionError("by zero")

    def hang(_context):
        never.wait()

    checks = (check("first", fine("first")), check("crash", crash), check("hang", hang), check("last", fine("last")))
    try:
        results = doctor(checks=checks, time_limit_s=0.05).run()
    finally:
        never.set()
    assert [(result.id, result.status, result.text) for result in results] == [
        ("first", "ok", "ok"),
        ("crash", "unknown", "crashed"),
        ("hang", "unknown", "timed_out"),
        ("last", "ok", "ok"),
    ]
    assert results[1].facts == {"reason": "ZeroDivisionError: by zero"}
    assert results[2].facts == {"limit_s": 0.05}


def test_a_probe_that_failed_makes_its_checks_unknown_with_the_reason():
    machine = m.linux_one_radeon(volumes=None, problems={"volumes": "timeout"})
    answers = {result.id: result for result in doctor(machine).run()}
    assert answers["disk_space"].status == "unknown"
    assert answers["disk_space"].text == "probe_failed"
    assert answers["disk_space"].facts == {"probe": "volumes", "reason": "timeout"}
    assert answers["ram"].status == "ok"


def test_what_was_not_recorded_is_unknown():
    (answer,) = doctor(m.linux_one_radeon(tools=None)).run(["git"])
    assert (answer.status, answer.text, answer.facts["probe"]) == ("unknown", "not_collected", "tools")


def test_without_a_host_nothing_is_guessed():
    results = doctor(m.windows_one_radeon(host=None, problems={"host": "OSError: no"})).run()
    assert {result.id: result.status for result in results}["ram"] == "unknown"
    assert "gpu_driver" not in {result.id for result in results}  # of Windows only


def test_only_the_probes_of_the_checks_asked_for_are_run():
    collect = Machines(m.linux_one_radeon())
    results = doctor(collect=collect).run(["ram", "disk_space"])
    assert [result.id for result in results] == ["ram", "disk_space"]
    assert collect.asked == {*ROUTE_PROBES, "volumes"}
    assert "torch_envs" not in collect.asked


def test_checks_of_another_system_do_not_run():
    def refuse(_context):
        raise AssertionError

    checks = (check("windows_only", refuse, systems=("windows",)), check("everywhere", fine("everywhere")))
    assert [result.id for result in doctor(m.wsl_radeon(), checks=checks).run()] == ["everywhere"]


def test_a_check_may_not_apply():
    assert doctor(checks=(check("none", lambda _context: None),)).run() == []


def test_an_unknown_check_is_refused_with_the_nearest():
    with pytest.raises(AppError) as caught:
        doctor().run(["gpu_drivers"])
    assert caught.value.code == "check_unknown"
    assert caught.value.exit_code is ExitCode.USAGE
    assert "gpu_driver" in str(caught.value.facts["near"])


def test_an_unknown_route_is_refused_with_the_nearest():
    with pytest.raises(AppError) as caught:
        doctor().diagnose(SetupOptions(route_id="amd-linux-10.2"))
    assert caught.value.code == "check_route_unknown"
    assert "amd-linux-10.1" in str(caught.value.facts["near"])


@pytest.mark.parametrize(
    ("machine", "route"),
    [
        (m.windows_one_radeon(), "amd-windows-10.1"),
        (m.windows_apu_and_radeon(), "amd-windows-10.1"),
        (m.linux_one_radeon(), "amd-linux-10.1"),
        (m.wsl_radeon(), "wsl-10.1"),
        (m.windows_too_old_radeon(), "cpu"),
        (m.no_gpu(), "cpu"),
    ],
)
def test_the_best_route_is_judged(machine, route):
    assert doctor(machine).diagnose().choice.route.id == route


def test_a_rocm_route_that_lacks_a_python_only_goes_before_the_cpu():
    old = PythonInstall(path="py", version="3.10.11", kind="python.org", bits=64, has_venv=True, usable=True)
    diagnosis = doctor(m.windows_one_radeon(pythons=(old,))).diagnose()
    assert diagnosis.choice.route.id == "amd-windows-10.1"
    assert diagnosis.failed
    assert [result.id for result in diagnosis.results if result.status == "fail"] == ["python_version"]


def test_the_persons_route_and_folder_are_judged():
    diagnosis = doctor(m.windows_one_radeon()).diagnose(SetupOptions(route_id="cpu", target="E:\\ai"))
    assert diagnosis.choice.route.id == "cpu"
    assert diagnosis.target == "E:\\ai"
    assert doctor(m.windows_one_radeon()).diagnose().target == r"D:\rocm"


def test_a_diagnosis_can_be_recorded_and_judged_again():
    machine = m.windows_apu_and_radeon()
    again = msgspec.json.decode(msgspec.json.encode(machine), type=type(machine))
    assert doctor(again).run() == doctor(machine).run()
