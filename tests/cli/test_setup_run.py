"""What the command line says at the end of a setup."""

from __future__ import annotations

import pytest

from rocm_gui.cli.setup_run import start_words


@pytest.mark.parametrize(
    ("target", "windows", "words"),
    [
        ("C:\\rocm", True, "C:\\rocm\\start.cmd"),
        ("C:\\用户 数据\\rocm", True, 'cmd /c "C:\\用户 数据\\rocm\\start.cmd"'),
        ("/home/me/rocm", False, "/home/me/rocm/start.sh"),
        ("/home/me/my rocm", False, '"/home/me/my rocm/start.sh"'),
    ],
)
def test_words_that_start_the_environment_in_every_shell(target: str, windows: bool, words: str) -> None:
    assert start_words(target, windows=windows) == words
