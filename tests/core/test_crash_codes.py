"""Exit codes are explained for both systems."""

import pytest

from rocm_gui.core.crash_codes import explain


@pytest.mark.parametrize(
    ("exit_code", "code", "shown", "layer"),
    [
        (0xC0000005, "access_violation", "0xC0000005", None),
        (-1073741819, "access_violation", "0xC0000005", None),  # the same, read as signed
        (0xC0E90002, "app_control", "0xC0E90002", "libraries"),
        (0xC0000135, "dll_missing", "0xC0000135", "libraries"),
        (0xC0000139, "entry_point_missing", "0xC0000139", "libraries"),
        (0xC06D007E, "dll_missing", "0xC06D007E", "libraries"),
        (0xC000001D, "illegal_instruction", "0xC000001D", "libraries"),
        (0xC0000409, "fail_fast", "0xC0000409", None),
        (0xC000012D, "commit_limit", "0xC000012D", "memory"),
        (0xC0001234, "exception_code", "0xC0001234", None),
        (-11, "access_violation", "SIGSEGV", None),
        (-4, "illegal_instruction", "SIGILL", "libraries"),
        (-7, "bus_error", "SIGBUS", "memory"),
        (-9, "killed", "SIGKILL", "memory"),
        (-6, "aborted", "SIGABRT", None),
        (-50, "signal", "signal 50", None),
    ],
)
def test_codes_that_tell_of_a_crash(exit_code: int, code: str, shown: str, layer: str | None) -> None:
    crash = explain(exit_code)
    assert crash is not None
    assert (crash.code, crash.shown, crash.layer) == (code, shown, layer)


@pytest.mark.parametrize("exit_code", [None, 0, 1, 2, 130, 255, 65535])
def test_codes_that_do_not(exit_code: int | None) -> None:
    assert explain(exit_code) is None
