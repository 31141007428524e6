"""Setups in this process: replacing, refusing, failing, cancelling, taking back, repairing. Real venv and pip."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import msgspec
import pytest
from setup_driver import environment_python, fake_verify, make_installer, make_plan
from wheel_index import Index, serve

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.events import Log
from rocm_gui.core.plan import Plan
from rocm_gui.core.setup_events import StepChanged, StepLog, StepProgress
from rocm_gui.services.setup_store import Journal, TargetLock, current_setup, read_marker
from rocm_gui.services.stash import recorded_files
from rocm_gui.system.paths import default_paths

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="tests/windows has its twin")
VERSION = f"python{sys.version_info[0]}.{sys.version_info[1]}"


@pytest.fixture(scope="module")
def index():
    with serve() as running:
        for version in ("2.98.0", "2.99.0"):
            source = f"__version__ = '{version}'\n".encode()
            running.add(
                "torch", version, {"torch/__init__.py": source, f"torch/only_{version[2:4]}.py": b""}, ("tinydep",)
            )
        running.add("tinydep", "1.0", {"tinydep/__init__.py": b""})
        running.add("tinytool", "1.0", {"tinytool/__init__.py": b""})
        running.add("later", "3.1", {"later/__init__.py": b""})
        yield running


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "rocm"


def quiet(_event) -> None:
    pass


def plan_for(target: Path, product_home: Path, index: Index, **more) -> Plan:
    return make_plan(target, product_home, index.simple, **more)


def pip(python: Path, *arguments: str) -> None:
    env = {**os.environ, "PIP_CONFIG_FILE": os.devnull}
    subprocess.run([python, "-m", "pip", "--isolated", "-q", *arguments], check=True, capture_output=True, env=env)


def version_of(environment: Path) -> str:
    argv = [environment_python(environment), "-c", "import torch; print(torch.__version__)"]
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout.strip()


def test_newer_setup_replaces_the_older_only_after_its_proof(target: Path, product_home: Path, index: Index) -> None:
    installer = make_installer()
    first = plan_for(target, product_home, index, requirements=("torch==2.98.0",))
    assert installer.apply(first, quiet).state == "done"
    old_script = (target / "start.sh").read_bytes()

    again = {"setup_id": "20261202-000000-test", "name": "env2"}
    second = plan_for(target, product_home, index, requirements=("torch==2.99.0",), **again)
    failing = make_installer(verdict="untrusted").apply(second, quiet)
    assert (failing.state, failing.step, failing.exit_code) == ("failed", "verify", ExitCode.UNTRUSTED)
    assert version_of(target / "env") == "2.98.0"
    assert (target / "start.sh").read_bytes() == old_script
    assert read_marker(target).setup_id == first.setup_id  # type: ignore[union-attr]

    assert installer.resume(target, quiet).state == "done"
    assert not (target / "env").exists()
    assert version_of(target / "env2") == "2.99.0"
    assert b"env2" in (target / "start.sh").read_bytes()
    marker = read_marker(target)
    assert marker is not None
    assert (marker.setup_id, marker.verified) == (second.setup_id, True)
    report = installer.undo(target, quiet)
    assert report.complete
    assert not target.exists()


def test_undo_of_an_unproved_replacement_leaves_the_older_one_whole(
    target: Path, product_home: Path, index: Index
) -> None:
    installer = make_installer()
    assert (
        installer.apply(plan_for(target, product_home, index, requirements=("torch==2.98.0",)), quiet).state == "done"
    )
    before = {path: path.read_bytes() for path in target.iterdir() if path.is_file()}
    more = {"setup_id": "20261202-000000-test", "name": "env2"}
    assert (
        make_installer(verdict="failed").apply(plan_for(target, product_home, index, **more), quiet).state == "failed"
    )
    assert installer.undo(target, quiet).complete
    assert {path: path.read_bytes() for path in target.iterdir() if path.is_file()} == before
    assert version_of(target / "env") == "2.98.0"
    assert installer.status(target).phase == "done"


def test_foreign_content_is_refused_and_not_touched(target: Path, product_home: Path, index: Index) -> None:
    target.mkdir()
    (target / "thesis.docx").write_text("mine")
    outcome = make_installer().apply(plan_for(target, product_home, index), quiet)
    assert (outcome.state, outcome.step, outcome.exit_code) == ("failed", "preflight", ExitCode.USAGE)
    assert outcome.error is not None
    assert outcome.error.code == "target_foreign"
    assert outcome.error.facts["names"] == "thesis.docx"
    assert [path.name for path in target.iterdir()] == ["thesis.docx"]


def test_setup_whose_record_is_gone_is_named(target: Path, product_home: Path, index: Index) -> None:
    installer = make_installer()
    assert installer.apply(plan_for(target, product_home, index), quiet).state == "done"
    shutil.rmtree(product_home / "data" / "setups")
    for act in (installer.status, lambda folder: installer.undo(folder, quiet)):
        with pytest.raises(AppError) as caught:
            act(target)
        assert (caught.value.code, caught.value.exit_code) == ("setup_record_lost", ExitCode.USAGE)
    again = installer.apply(plan_for(target, product_home, index, setup_id="20261203-000000-test"), quiet)
    assert again.error is not None
    assert again.error.code == "setup_record_lost"
    assert (target / "env").is_dir()


def test_empty_folder_of_the_person_stays_after_undo(target: Path, product_home: Path, index: Index) -> None:
    target.mkdir()
    installer = make_installer()
    assert installer.apply(plan_for(target, product_home, index), quiet).state == "done"
    assert installer.undo(target, quiet).complete
    assert list(target.iterdir()) == []


def test_what_the_person_added_or_changed_is_kept_unless_forced(target: Path, product_home: Path, index: Index) -> None:
    installer = make_installer()
    assert installer.apply(plan_for(target, product_home, index), quiet).state == "done"
    pip(environment_python(target / "env"), "install", "--index-url", index.simple, "later")
    (target / "start.sh").write_text("mine now")
    (target / "notes.txt").write_text("mine")

    preview = installer.undo(target, quiet, dry_run=True)
    report = installer.undo(target, quiet)
    assert {d.path: (d.action, d.reason) for d in preview.decisions} == {
        d.path: (d.action, d.reason) for d in report.decisions
    }
    assert not report.complete
    kept = {Path(decision.path).name: decision for decision in report.conflicts}
    assert kept["env"].details == ("later 3.1",)
    assert kept["start.sh"].reason == "changed"
    assert sorted(path.name for path in target.iterdir()) == ["env", "notes.txt", "start.sh"]
    assert installer.status(target).phase == "undoing"

    forced = installer.undo(target, quiet, force=True)
    assert forced.complete
    assert [path.name for path in target.iterdir()] == ["notes.txt"]


def test_damaged_journal_is_kept_aside_and_its_sound_part_taken_back(
    target: Path, product_home: Path, index: Index
) -> None:
    installer = make_installer()
    assert installer.apply(plan_for(target, product_home, index), quiet).state == "done"
    journal = current_setup(default_paths(product_home), target).journal_path
    lines = journal.read_bytes().split(b"\n")
    lines[-4] = b"not a line of ours"
    damaged = b"\n".join(lines)
    journal.write_bytes(damaged)
    with pytest.raises(AppError, match="journal_damaged"):
        installer.undo(target, quiet)
    assert journal.read_bytes() == damaged
    report = installer.undo(target, quiet, force=True)
    assert report.complete
    assert not (target / "env").exists()
    assert journal.with_name("journal.damaged.jsonl").read_bytes() == damaged


def test_byte_code_that_programs_leave_is_no_conflict(target: Path, product_home: Path, index: Index) -> None:
    installer = make_installer()
    assert installer.apply(plan_for(target, product_home, index), quiet).state == "done"
    cache = target / "env" / "lib" / VERSION / "site-packages" / "torch" / "__pycache__"
    cache.mkdir(exist_ok=True)
    (cache / "x.cpython-312.pyc").write_bytes(b"x")
    assert installer.undo(target, quiet).complete
    assert not target.exists()


def test_failure_of_pip_names_the_step_and_the_known_trouble(target: Path, product_home: Path, index: Index) -> None:
    events: list = []
    plan = plan_for(target, product_home, index, requirements=("torch==99",))
    installer = make_installer()
    outcome = installer.apply(plan, events.append)
    assert (outcome.state, outcome.step, outcome.exit_code) == ("failed", "resolve", ExitCode.FAILED)
    assert outcome.error is not None
    assert outcome.error.code == "setup_command_failed"
    assert "No matching distribution" in str(outcome.error.facts["reason"])
    assert [trouble.id for trouble in outcome.troubles] == ["WHEEL-NO-MATCH"]
    states = [(event.step, event.state) for event in events if isinstance(event, StepChanged)]
    assert states[-1] == ("resolve", "failed")
    status = installer.status(target)
    assert (status.phase, status.failed_code, status.next) == ("failed", "setup_command_failed", ("resume", "undo"))
    other = plan_for(target, product_home, index, setup_id="20261203-000000-test")
    refused = installer.apply(other, quiet)
    assert refused.error is not None
    assert refused.error.code == "setup_unfinished"
    assert installer.undo(target, quiet).complete
    assert not target.exists()


def test_full_drive_is_recognised_where_the_program_hides_it(
    target: Path, product_home: Path, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_for(target, product_home, index)
    quiet_failure = (sys.executable, "-c", "raise SystemExit('ensurepip returned non-zero exit status 1')")
    steps = [
        msgspec.structs.replace(step, commands=(quiet_failure,)) if step.id == "environment" else step
        for step in plan.steps
    ]
    room = shutil.disk_usage(product_home)
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: room._replace(free=4 << 20))
    outcome = make_installer().apply(msgspec.structs.replace(plan, steps=tuple(steps)), quiet)
    assert (outcome.state, outcome.step) == ("failed", "environment")
    assert [trouble.id for trouble in outcome.troubles] == ["DISK-FULL"]


def test_index_that_does_not_answer_is_said_before_anything_is_made(target: Path, product_home: Path) -> None:
    outcome = make_installer().apply(make_plan(target, product_home, "http://127.0.0.1:9/simple"), quiet)
    assert outcome.error is not None
    assert (outcome.step, outcome.error.code) == ("preflight", "index_unreachable")
    assert [trouble.id for trouble in outcome.troubles] == ["NET-SSL"]
    assert not target.exists()


def test_wrong_build_is_not_installed(target: Path, product_home: Path, index: Index) -> None:
    outcome = make_installer().apply(plan_for(target, product_home, index, gfx_target="gfx1100"), quiet)
    assert outcome.error is not None
    assert (outcome.step, outcome.error.code) == ("resolve", "resolved_wrong_build")


@pytest.mark.parametrize("step", ["resolve", "download", "install"])
def test_cancel_stops_cleanly_and_can_be_resumed(target: Path, product_home: Path, index: Index, step: str) -> None:
    cancel = threading.Event()

    def hear(event) -> None:
        if isinstance(event, StepChanged) and event.step == step and event.state == "running":
            cancel.set()

    installer = make_installer()
    outcome = installer.apply(plan_for(target, product_home, index), hear, cancel)
    assert (outcome.state, outcome.step, outcome.exit_code) == ("cancelled", step, ExitCode.CANCELLED)
    assert installer.status(target).phase == "cancelled"
    assert installer.resume(target, quiet).state == "done"
    assert version_of(target / "env") == "2.99.0"


@pytest.mark.parametrize("step", ["resolve", "verify"])
def test_resume_begins_anew_where_the_folder_was_deleted(
    target: Path, product_home: Path, index: Index, step: str
) -> None:
    def hear(event) -> None:
        if isinstance(event, StepChanged) and event.step == step and event.state == "running":
            shutil.rmtree(target)

    installer = make_installer()
    stopped = installer.apply(plan_for(target, product_home, index), hear)
    assert (stopped.state, stopped.step) == ("failed", step)
    assert installer.resume(target, quiet).state == "done"
    assert version_of(target / "env") == "2.99.0"


def test_resume_fetches_again_what_was_damaged_before_it_was_installed(
    target: Path, product_home: Path, index: Index
) -> None:
    def hear(event) -> None:
        if isinstance(event, StepChanged) and event.step == "install" and event.state == "running":
            for wheel in default_paths().downloads.rglob("torch-*.whl"):
                wheel.write_bytes(bytes(wheel.stat().st_size))

    installer = make_installer()
    stopped = installer.apply(plan_for(target, product_home, index), hear)
    assert (stopped.state, stopped.step) == ("failed", "install")
    assert installer.resume(target, quiet).state == "done"


def test_pip_told_to_install_elsewhere_installs_into_the_environment(
    target: Path, product_home: Path, index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT"):
        monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    monkeypatch.setenv("PIP_USER", "1")
    monkeypatch.setenv("PIP_QUIET", "3")  # nor may it keep quiet: its words are read
    plan = plan_for(target, product_home, index)
    steps = tuple(
        msgspec.structs.replace(
            step, commands=tuple(tuple(word for word in argv if word != "--isolated") for argv in step.commands)
        )
        for step in plan.steps
    )
    events: list = []
    assert make_installer().apply(msgspec.structs.replace(plan, steps=steps), events.append).state == "done"
    assert any(isinstance(event, StepLog) and event.step == "install" and event.text for event in events)
    assert (target / "env" / "lib" / VERSION / "site-packages" / "tinytool").is_dir()
    assert not (tmp_path / "elsewhere").exists()


def test_failure_and_undo_on_a_full_disk(
    target: Path, product_home: Path, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = Journal.write

    def full(journal: Journal, event, step="", **more) -> None:
        if target.exists() and (event, step) not in (("intent", "environment"), ("changed", "environment")):
            raise OSError(28, "No space left on device")
        write(journal, event, step, **more)

    installer = make_installer()
    monkeypatch.setattr(Journal, "write", full)
    stopped = installer.apply(plan_for(target, product_home, index), quiet)
    assert (stopped.state, stopped.step) == ("failed", "environment")
    assert stopped.error is not None
    assert (stopped.error.code, stopped.error.facts["reason"]) == ("setup_os_error", "No space left on device")
    assert installer.status(target).phase == "interrupted"
    assert installer.undo(target, quiet).complete
    assert not target.exists()
    assert installer.status(target).phase == "undone"


def test_progress_has_bytes_and_packages(target: Path, product_home: Path, index: Index) -> None:
    events: list = []
    assert make_installer().apply(plan_for(target, product_home, index), events.append).state == "done"
    progress = [event for event in events if isinstance(event, StepProgress) and event.step == "download"]
    total = sum(len(data) for name, data in index.files.items() if name.startswith(("torch-2.99", "tinydep")))
    assert (progress[-1].done, progress[-1].total, progress[-1].unit) == (total, total, "bytes")


def test_extras_come_under_the_constraints(target: Path, product_home: Path, index: Index) -> None:
    plan = plan_for(target, product_home, index, extras=("later",), requirements=("torch==2.98.0",))
    assert make_installer().apply(plan, quiet).state == "done"
    site = target / "env" / "lib" / VERSION / "site-packages"
    assert (site / "later").is_dir()
    assert version_of(target / "env") == "2.98.0"


def test_guide_is_not_applied_and_busy_target_is_refused(target: Path, product_home: Path, index: Index) -> None:
    plan = plan_for(target, product_home, index)
    installer = make_installer()
    with pytest.raises(AppError, match="route_is_guide"):
        installer.apply(msgspec.structs.replace(plan, kind="guide"), quiet)
    with pytest.raises(AppError, match="setup_unknown"):
        installer.status(target)
    with TargetLock(default_paths(), target), pytest.raises(AppError, match="setup_busy"):
        installer.apply(plan, quiet)


def test_gpu_of_the_plan_is_chosen_in_the_start_script(target: Path, product_home: Path) -> None:
    from rocm_gui.core.verification import DeviceInfo, EnvironmentProbe

    def probe(python: str, *, paths, env=None) -> EnvironmentProbe:
        assert env["HIP_VISIBLE_DEVICES"] is None
        devices = (DeviceInfo(index=0, gfx_target="gfx1036"), DeviceInfo(index=1, gfx_target="gfx1100"))
        return EnvironmentProbe(python=python, device_count=2, devices=devices)

    seen: list = []

    def verify(plan: Plan, *, on_event, cancel, env):
        assert Path(env["TMPDIR"]).is_relative_to(default_paths().cache)
        seen.append({name: value for name, value in env.items() if name not in ("TMPDIR", "TEMP", "TMP")})
        on_event(Log(text="x"))
        return fake_verify("ok")(plan, on_event=on_event, cancel=cancel, env=env)

    with serve() as rocm:
        rocm.add("torch", "2.14.0+rocm10.1.0", {"torch/__init__.py": b"__version__ = '2.14.0'\n"})
        rocm.add("tinytool", "1.0", {"tinytool/__init__.py": b""})
        plan = plan_for(
            target, product_home, rocm, gfx_target="gfx1100", environment_variables={"MIOPEN_FIND_MODE": "FAST"}
        )
        assert make_installer(probe=probe, verify=verify).apply(plan, quiet).state == "done"
    text = (target / "start.sh").read_text()
    assert "HIP_VISIBLE_DEVICES=1" in text
    assert "MIOPEN_FIND_MODE=FAST" in text
    assert seen == [{"MIOPEN_FIND_MODE": "FAST", "HIP_VISIBLE_DEVICES": "1"}]


# ---- repair


@pytest.fixture
def foreign(tmp_path: Path, index: Index) -> Path:
    """Somebody's environment with an older torch and a package of their own; returns its Python."""
    folder = tmp_path / "foreign"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "--system-site-packages", folder], check=True)
    python = environment_python(folder)
    network = ("--index-url", index.simple)
    pip(python, "install", *network, "--ignore-installed", "torch==2.98.0", "later")
    return python


def tree_of(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".pyc"
    }


def repair_of(python: Path, product_home: Path, index: Index) -> Plan:
    from rocm_gui.services.repair import read_environment, repair_plan

    plan = make_plan(product_home / "data" / "repairs" / "x", product_home, index.simple)
    return repair_plan(plan, str(python), read_environment(str(python)))


def test_repair_replaces_torch_only_and_undo_brings_back_every_byte(
    foreign: Path, product_home: Path, index: Index
) -> None:
    environment = foreign.parent.parent
    before = tree_of(environment)
    installer = make_installer()
    plan = repair_of(foreign, product_home, index)
    preview = installer.repair_difference(plan, quiet, threading.Event())
    changes = {change.name: (change.before, change.after) for change in preview.changes}
    assert changes["torch"] == ("2.98.0", "2.99.0")
    assert "later" not in changes
    assert tree_of(environment) == before  # looking changes nothing

    outcome = installer.apply(plan, quiet)
    assert outcome.state == "done", outcome.error
    assert version_of(environment) == "2.99.0"
    site = environment / "lib" / VERSION / "site-packages"
    assert not (site / "torch" / "only_98.py").exists()
    frozen = (current_setup(default_paths(), environment).folder / "frozen_before.txt").read_text()
    assert "torch==2.98.0\n" in frozen
    assert "later==3.1\n" in frozen

    assert installer.undo(environment, quiet).complete
    assert tree_of(environment) == before
    assert version_of(environment) == "2.98.0"


def test_failed_repair_leaves_the_environment_as_it_was(foreign: Path, product_home: Path, index: Index) -> None:
    environment = foreign.parent.parent
    before = tree_of(environment)
    plan = repair_of(foreign, product_home, index)
    steps = tuple(
        msgspec.structs.replace(step, commands=((sys.executable, "-c", "import sys; sys.exit('ERROR: no luck')"),))
        if step.id == "install"
        else step
        for step in plan.steps
    )
    outcome = make_installer().apply(msgspec.structs.replace(plan, steps=steps), quiet)
    assert (outcome.state, outcome.step) == ("failed", "install")
    assert "no luck" in str(outcome.error)
    assert tree_of(environment) == before


def test_repair_refuses_what_it_cannot_repair(tmp_path: Path) -> None:
    from rocm_gui.services.repair import read_environment

    with pytest.raises(AppError, match="setup_python_missing"):
        read_environment(str(tmp_path / "python"))
    empty = tmp_path / "empty"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", empty], check=True)
    with pytest.raises(AppError, match="repair_no_torch"):
        read_environment(str(environment_python(empty)))


def test_family_is_pytorch_and_its_libraries_only() -> None:
    from rocm_gui.services.repair import is_family

    family = ("torch", "torchvision", "torchaudio", "triton", "pytorch-triton-rocm", "rocm", "rocm-sdk-core",
              "rocm-sdk-device-gfx1100", "amd-torch-device-gfx1100")  # fmt: skip
    assert all(map(is_family, family))
    assert not any(map(is_family, ("rocm-gui", "torchmetrics", "torch-geometric", "numpy", "pytorch-lightning")))


def test_recorded_files_know_scripts_outside(foreign: Path) -> None:
    site = foreign.parent.parent / "lib" / VERSION / "site-packages"
    files = recorded_files(site, ["torch"])
    assert "torch/__init__.py" in files
    assert "torch-2.98.0.dist-info/INSTALLER" in files
    assert not any(name.startswith("later") for name in files)


def test_plan_is_kept_as_it_was_shown(target: Path, product_home: Path, index: Index) -> None:
    plan = plan_for(target, product_home, index)
    make_installer().apply(plan, quiet)
    folder = product_home / "data" / "setups" / plan.setup_id
    assert msgspec.json.decode((folder / "plan.json").read_bytes(), type=Plan) == plan
    lines = [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
