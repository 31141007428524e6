"""The tutorial's variables judged for a machine, and the lines of a launch script."""

from __future__ import annotations

import subprocess
import sys

import pytest

from rocm_gui.core.env_sets import Interface, launch_script, launch_variables, order_interfaces, tutorial_items
from rocm_gui.core.variables import Edit, EnvState, ScopeState, Value


def state(*, windows: bool = True, environ: dict[str, str] | None = None, **user: str) -> EnvState:
    kind = "REG_SZ" if windows else "posix"
    values = {name: Value(kind=kind, text=text) for name, text in user.items()}
    return EnvState(
        windows=windows,
        user=ScopeState(scope="user", values=values),
        machine=ScopeState(scope="machine", values={}),
        environ=environ or {},
    )


def judged(stands: EnvState, **more: object) -> dict[str, tuple[str, tuple[Edit, ...]]]:
    items = tutorial_items(stands, lambda folder: "there" in folder, **more)  # type: ignore[arg-type]
    return {item.name: (item.code, item.edits) for item in items}


def test_a_clean_machine_needs_nothing() -> None:
    for windows in (True, False):
        found = judged(state(windows=windows))
        assert {name: code for name, (code, _) in found.items()} == {
            "ROCM_PATH": "rocm_path_none",
            "PATH": "path_none",
            "HSA_OVERRIDE_GFX_VERSION": "override_none",
        }


def test_what_the_tutorial_left_on_windows_is_offered_for_removal() -> None:
    stands = state(
        ROCM_PATH=r"C:\gone", PATH=r"C:\there;%ROCM_PATH%\bin;D:\ROCm\lib", HSA_OVERRIDE_GFX_VERSION="11.0.0"
    )
    found = judged(stands)
    assert found["ROCM_PATH"] == ("rocm_path_stale", (Edit(kind="unset", scope="user", name="ROCM_PATH"),))
    assert found["PATH"][0] == "path_stale"
    assert [edit.text for edit in found["PATH"][1]] == [r"%ROCM_PATH%\bin", r"D:\ROCm\lib"]
    assert found["HSA_OVERRIDE_GFX_VERSION"][0] == "override_no_effect"


def test_on_linux_the_override_is_for_routes_that_need_it() -> None:
    needed = judged(state(windows=False), overrides=[("RX 6700 XT", "gfx1031", "10.3.0")])
    assert needed["HSA_OVERRIDE_GFX_VERSION"] == ("override_needed", ())
    left = judged(state(windows=False, HSA_OVERRIDE_GFX_VERSION="10.3.0"))
    assert left["HSA_OVERRIDE_GFX_VERSION"][0] == "override_needless"
    assert left["HSA_OVERRIDE_GFX_VERSION"][1] != ()


def test_the_way_to_other_computers_comes_first() -> None:
    found = order_interfaces(
        [
            Interface(name="lo", addresses=("127.0.0.1",), virtual=True),
            Interface(name="docker0", addresses=("172.17.0.1",), virtual=True),
            Interface(name="eth1", addresses=("10.0.0.2",), speed_mbit_s=100_000),
            Interface(name="eth0", addresses=("192.0.2.7",), is_default=True),
            Interface(name="eth9", up=False, addresses=("10.0.0.9",)),
        ]
    )
    assert [interface.name for interface in found] == ["eth0", "eth1", "eth9", "docker0", "lo"]


def test_windows_gets_nothing_of_nccl() -> None:
    assert launch_variables("以太网", windows=True) == {"GLOO_SOCKET_IFNAME": "以太网"}
    assert launch_variables("eth0", windows=False) == {
        "NCCL_SOCKET_IFNAME": "eth0",
        "GLOO_SOCKET_IFNAME": "eth0",
        "NCCL_DEBUG": "INFO",
    }
    assert launch_script({"A": "x y%"}, "cmd") == 'set "A=x y%%"\r\n'
    assert launch_script({"A": "it's"}, "ps1") == "$env:A = 'it''s'\r\n"


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of Linux")
def test_the_lines_hold_in_a_shell() -> None:
    script = launch_script({"A": "x 'y' $z"}, "sh") + 'printf %s "$A"'
    done = subprocess.run(["/bin/sh", "-c", script], capture_output=True, check=True, timeout=30)
    assert done.stdout.decode() == "x 'y' $z"
