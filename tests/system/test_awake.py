"""Staying awake, with stand-ins for the system."""

from __future__ import annotations

import os
import sys
import threading

import pytest

from rocm_gui.system.awake import KeepAwake, inhibitors


def test_windows_gets_its_state_set_and_cleared_by_one_thread():
    calls: list[tuple[int, int]] = []

    def set_state(flags: int) -> int:
        calls.append((flags, threading.get_ident()))
        return 0x80000000

    awake = KeepAwake("test", set_state=set_state)
    awake.acquire()
    assert awake.method == "windows"
    awake.release()
    awake.release()
    assert [flags for flags, _ in calls] == [0x80000001, 0x80000000]
    assert len({thread for _, thread in calls}) == 1
    assert calls[0][1] != threading.get_ident()
    assert awake.method is None


def test_a_refusal_of_windows_is_no_promise():
    awake = KeepAwake("test", set_state=lambda _: 0)
    awake.acquire()
    assert awake.method is None
    awake.release()


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Puts a fake program on the path."""
    if sys.platform == "win32":
        pytest.skip("the commands are Linux's")
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    def make(name: str, body: str) -> str:
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        path.chmod(0o755)
        return name

    return make


def test_the_first_command_that_stays_holds_until_the_release(program, tmp_path):
    refused = program("refused", "exit 1")
    holds = program("holds", f"echo began > {tmp_path}/log; cat; echo ended >> {tmp_path}/log")
    awake = KeepAwake("test", commands=[("no-such-program-here",), (refused,), (holds,)])
    awake.acquire()
    for _ in range(1000):
        if awake.method == "holds" and (tmp_path / "log").exists():
            break
        threading.Event().wait(0.01)
    assert awake.method == "holds"
    awake.release()
    assert (tmp_path / "log").read_text(encoding="utf-8") == "began\nended\n"
    assert awake.method is None


def test_without_any_program_nothing_is_promised():
    awake = KeepAwake("test", commands=[("no-such-program-here",)])
    awake.acquire()
    assert awake.method is None
    awake.release()


def test_a_release_without_a_request_is_nothing():
    KeepAwake("test", commands=[]).release()


def test_the_commands_block_sleep_and_end_with_our_pipe():
    commands = inhibitors("training")
    assert commands[0][0] == "systemd-inhibit"
    assert all(command[-1] == "cat" for command in commands)
    assert "--why=training" in commands[0]
