"""A person's own script as it really runs: output, Ctrl-C, crashes, time limits."""

from __future__ import annotations

import os
import signal
import sys
import threading

import pytest
from process_end import gone

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.verification import EnvironmentProbe
from rocm_gui.services.script_environment import PreparedScript, ScriptRequest
from rocm_gui.services.script_run import ScriptRun, known_troubles
from rocm_gui.system.paths import default_paths
from rocm_gui.system.process import child_env

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX; tests/windows has the others")


class Awake:
    """Stands in for the request to stay awake."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.method: str | None = None

    def acquire(self) -> None:
        self.calls.append("acquire")
        self.method = "fake"

    def release(self) -> None:
        self.calls.append("release")
        self.method = None


class Heard:
    """What a run says, and a way to wait for it."""

    def __init__(self) -> None:
        self.output = {"stdout": b"", "stderr": b""}
        self._changed = threading.Condition()

    def __call__(self, stream: str, data: bytes) -> None:
        with self._changed:
            self.output[stream] += data
            self._changed.notify_all()

    def wait_for(self, text: bytes, stream: str = "stdout") -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: text in self.output[stream], timeout=20), self.output


@pytest.fixture
def script(tmp_path):
    """Makes a run of the given source."""

    def make(source: str, *arguments: str, timeout_s: float | None = None, grace_s: float = 3.0):
        path = tmp_path / "script.py"
        path.write_text(source, encoding="utf-8")
        request = ScriptRequest(python=sys.executable, script=str(path), timeout_s=timeout_s)
        prepared = PreparedScript(
            argv=(sys.executable, "-u", str(path), *arguments),
            env=child_env(),
            cwd=str(tmp_path),
            request=request,
            probe=EnvironmentProbe(python=sys.executable),
        )
        heard, awake = Heard(), Awake()
        return ScriptRun(prepared, heard, awake=awake, grace_s=grace_s), heard, awake  # type: ignore[arg-type]

    return make


def in_thread(run: ScriptRun):
    """The run in a thread; the result stands in the list after ``join``."""
    outcomes: list = []
    thread = threading.Thread(target=lambda: outcomes.append(run.run()))
    thread.start()
    return thread, outcomes


def test_output_folder_arguments_and_the_scripts_own_exit_code(script, tmp_path):
    run, heard, awake = script(
        "import os, sys\nprint(os.getcwd(), *sys.argv[1:])\nprint('到这里', file=sys.stderr)\nsys.exit(7)",
        "--epochs",
        "3",
    )
    outcome = run.run()
    assert heard.output["stdout"].decode().split() == [str(tmp_path), "--epochs", "3"]
    assert heard.output["stderr"].decode().strip() == "到这里"
    assert (outcome.state, outcome.exit_code, outcome.script_exit_code) == ("failed", 7, 7)
    assert outcome.explanation is None
    assert awake.calls == ["acquire", "release"]
    assert outcome.kept_awake == "fake"


def test_a_module_that_is_not_there_is_explained(script):
    run, _, _ = script("import no_such_module_at_all")
    outcome = run.run()
    assert outcome.exit_code == 1
    assert outcome.explanation is not None
    assert outcome.explanation.code == "module_missing"
    assert outcome.explanation.facts["library"] == "no_such_module_at_all"


@POSIX
def test_a_crash_is_4_and_has_a_name(script):
    run, _, _ = script("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)")
    outcome = run.run()
    assert (outcome.state, outcome.exit_code, outcome.script_exit_code) == ("crashed", 4, -signal.SIGSEGV)
    assert outcome.explanation is not None
    assert outcome.explanation.facts["crash"] == "access_violation"


def test_an_exit_code_that_shells_use_is_1(script):
    run, _, _ = script("import sys\nsys.exit(200)")
    outcome = run.run()
    assert (outcome.state, outcome.exit_code, outcome.script_exit_code) == ("failed", 1, 200)


@POSIX
def test_output_is_live_and_ctrl_c_goes_to_the_script_first(script):
    run, heard, awake = script(
        "import signal\n"
        "try:\n    print('training')\n    signal.pause()\nexcept KeyboardInterrupt:\n    print('checkpoint')\n"
    )
    thread, outcomes = in_thread(run)
    heard.wait_for(b"training\n")
    run.interrupt()
    thread.join(20)
    assert heard.output["stdout"] == b"training\ncheckpoint\n"
    assert (outcomes[0].state, outcomes[0].exit_code, outcomes[0].script_exit_code) == ("cancelled", 130, 0)
    assert awake.calls == ["acquire", "release"]


STUBBORN = """
import signal
for name in ("SIGINT", "SIGTERM"):
    signal.signal(getattr(signal, name), lambda *_: print("no", flush=True))
print("ready")
while True:
    signal.pause()
"""


@POSIX
def test_the_second_ctrl_c_ends_a_script_that_refuses(script):
    run, heard, _ = script(STUBBORN, grace_s=0.1)
    thread, outcomes = in_thread(run)
    heard.wait_for(b"ready")
    run.interrupt()
    heard.wait_for(b"no\n")
    run.interrupt()
    thread.join(20)
    assert (outcomes[0].exit_code, outcomes[0].script_exit_code) == (130, -signal.SIGKILL)


def test_a_time_limit_ends_it_with_4(script):
    run, _, _ = script("import threading\nthreading.Event().wait(60)", timeout_s=0.5, grace_s=0.5)
    outcome = run.run()
    assert (outcome.state, outcome.exit_code) == ("timed_out", 4)
    assert outcome.seconds < 10


@POSIX
def test_what_the_script_leaves_behind_ends_with_it(script):
    run, heard, _ = script(
        "import subprocess, sys\n"
        "left = subprocess.Popen([sys.executable, '-c', 'import signal; signal.pause()'])\n"
        "print(left.pid)\n"
    )
    outcome = run.run()
    assert outcome.exit_code == 0
    assert gone(int(heard.output["stdout"]))


def test_a_python_that_cannot_start_is_said(script, tmp_path):
    _, _, awake = script("")
    broken = PreparedScript(
        argv=(str(tmp_path / "none"), "-u", "x.py"),
        env=child_env(),
        cwd=str(tmp_path),
        request=ScriptRequest(python="x", script="x.py"),
        probe=EnvironmentProbe(python="x"),
    )
    with pytest.raises(AppError) as caught:
        ScriptRun(broken, lambda *_: None, awake=awake).run()  # type: ignore[arg-type]
    assert (caught.value.code, caught.value.exit_code) == ("script_not_started", ExitCode.USAGE)
    assert awake.calls == []


def test_the_known_troubles_load():
    assert isinstance(known_troubles(default_paths()), tuple)
