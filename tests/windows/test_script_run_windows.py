"""A script on Windows: Ctrl-C through its hidden console, crashes, staying awake."""

from __future__ import annotations

import sys
import threading

import pytest

from rocm_gui.core.verification import EnvironmentProbe
from rocm_gui.services.script_environment import PreparedScript, ScriptRequest
from rocm_gui.services.script_run import ScriptRun
from rocm_gui.system.awake import KeepAwake
from rocm_gui.system.paths import default_paths
from rocm_gui.system.process import child_env

pytestmark = pytest.mark.windows


@pytest.fixture
def script(tmp_path):
    """Makes a run of the given source; ``ready`` is set by its first output.

    Not in a virtual environment: its launcher ignores Ctrl-C on Windows, as CPython builds it, but not in the lab.
    """

    def make(source: str):
        path = tmp_path / "脚本.py"
        path.write_text(source, encoding="utf-8")
        prepared = PreparedScript(
            argv=(sys.executable, "-u", str(path)),
            env=child_env({"PYTHONUNBUFFERED": "1"}),
            cwd=str(tmp_path),
            request=ScriptRequest(python=sys.executable, script=str(path)),
            probe=EnvironmentProbe(python=sys.executable),
            interrupter=(sys.executable, "-I", "-S", str(default_paths().workers / "interrupt.py")),
        )
        output: list[bytes] = []
        ready = threading.Event()

        def hear(_stream: str, data: bytes) -> None:
            output.append(data)
            if b"\n" in data:
                ready.set()

        return ScriptRun(prepared, hear), output, ready

    return make


def test_ctrl_c_reaches_a_script_without_a_console(script):
    run, output, ready = script(
        "import time\n"
        "try:\n"
        "    print('ready')\n"
        "    for _ in range(600):\n"
        "        time.sleep(0.1)\n"
        "except KeyboardInterrupt:\n"
        "    print('保存')\n"
    )
    outcomes: list = []
    thread = threading.Thread(target=lambda: outcomes.append(run.run()))
    thread.start()
    assert ready.wait(30)
    run.interrupt()
    thread.join(40)
    assert b"".join(output).decode("utf-8").split() == ["ready", "保存"]
    assert (outcomes[0].state, outcomes[0].exit_code, outcomes[0].script_exit_code) == ("cancelled", 130, 0)


def test_the_second_ctrl_c_ends_a_script_that_refuses(script):
    run, _, ready = script(
        "import signal, threading\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "print('ready')\n"
        "threading.Event().wait(60)\n"
    )
    outcomes: list = []
    thread = threading.Thread(target=lambda: outcomes.append(run.run()))
    thread.start()
    assert ready.wait(30)
    run.interrupt()
    run.interrupt()
    thread.join(40)
    assert outcomes[0].exit_code == 130
    assert outcomes[0].seconds < 40


def test_an_exception_code_is_a_crash(script):
    run, _, _ = script("import os\nos._exit(-1073741819)\n")  # 0xC0000005
    outcome = run.run()
    assert (outcome.state, outcome.exit_code, outcome.script_exit_code) == ("crashed", 4, 0xC0000005)
    assert outcome.explanation is not None
    assert outcome.explanation.facts["shown"] == "0xC0000005"


def test_windows_takes_the_request_to_stay_awake():
    awake = KeepAwake("test")
    awake.acquire()
    assert awake.method == "windows"
    awake.release()
