"""Terminal, editor and Jupyter kernel of a finished environment."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from rocm_gui.core.errors import AppError
from rocm_gui.services.launch import (
    FinishedSetup,
    add_kernel,
    find_programs,
    finished_setup,
    kernel_name,
    open_editor,
    open_terminal,
    terminal_argv,
)
from rocm_gui.system.paths import default_paths

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="programs are stood in for by shell scripts")


def setup_in(folder: Path) -> FinishedSetup:
    environment = folder / "env"
    (environment / "bin").mkdir(parents=True)
    (environment / "bin" / "python").symlink_to(sys.executable)
    script = folder / "start.sh"
    script.write_text('#!/bin/sh\nSTARTED=yes exec "$@"\n')
    return FinishedSetup(
        setup_id="x", target=folder, environment=environment, python=environment / "bin" / "python", verdict="ok"
    )


def program(folder: Path, name: str, text: str) -> None:
    path = folder / name
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)


@pytest.fixture
def place(tmp_path):
    """A setup in a folder with a blank in its name, and an empty folder of programs."""
    target = tmp_path / "my rocm"
    target.mkdir()
    programs = tmp_path / "bin"
    programs.mkdir()
    return setup_in(target), programs, {"PATH": str(programs), "OUT": str(tmp_path / "out")}


def test_the_terminal_starts_in_the_folder_and_in_the_environment(place, tmp_path):
    setup, programs, environ = place
    program(programs, "konsole", 'pwd > "$OUT"; for a in "$@"; do echo "$a" >> "$OUT"; done\n')
    assert find_programs(setup, environ).terminal == str(programs / "konsole")
    open_terminal(setup, environ)
    said = (tmp_path / "out").read_text().splitlines()
    assert said == [
        str(setup.target), "--workdir", str(setup.target), "-e", "/bin/sh", str(setup.target / "start.sh"),
    ]  # fmt: skip


def test_the_first_terminal_of_the_list_is_taken(place):
    setup, programs, environ = place
    for name in ("xterm", "gnome-terminal"):
        program(programs, name, "")
    assert terminal_argv(setup, environ)[:3] == [
        str(programs / "gnome-terminal"), f"--working-directory={setup.target}", "--",
    ]  # fmt: skip


def test_no_terminal_is_said(place):
    setup, _, environ = place
    with pytest.raises(AppError) as caught:
        open_terminal(setup, environ)
    assert caught.value.code == "terminal_missing"
    assert find_programs(setup, environ).terminal is None


def test_a_terminal_that_dies_at_once_did_not_start(place):
    setup, programs, environ = place
    program(programs, "xterm", "exit 1\n")
    with pytest.raises(AppError) as caught:
        open_terminal(setup, environ)
    assert (caught.value.code, caught.value.facts["reason"]) == ("launch_failed", "exit code 1")


def test_the_editor_sees_the_environment(place, tmp_path):
    setup, programs, environ = place
    program(programs, "codium", 'echo "$STARTED $1" > "$OUT"\n')
    open_editor(setup, environ)
    assert (tmp_path / "out").read_text() == f"yes {setup.target}\n"


def test_no_editor_is_said(place):
    setup, _, environ = place
    with pytest.raises(AppError) as caught:
        open_editor(setup, environ)
    assert caught.value.code == "editor_missing"


def test_a_kernel_is_added_with_its_name(place):
    setup, _, environ = place
    with pytest.raises(AppError) as caught:
        add_kernel(setup, default_paths())
    assert caught.value.code == "kernel_no_ipykernel"
    package = setup.environment / "lib" / "python3.12" / "site-packages" / "ipykernel"
    package.mkdir(parents=True)
    assert find_programs(setup, environ).kernel
    setup.python.unlink()
    program(setup.python.parent, "python", f'echo "$@" > "{setup.target}/said"\n')
    assert add_kernel(setup, default_paths()) == "rocm-gui-my-rocm"
    assert (setup.target / "said").read_text() == (
        "-m ipykernel install --user --name rocm-gui-my-rocm --display-name PyTorch (my rocm)\n"
    )


def test_a_kernel_that_fails_says_why(place):
    setup, _, _ = place
    (setup.environment / "lib" / "python3.12" / "site-packages" / "ipykernel").mkdir(parents=True)
    setup.python.unlink()
    program(setup.python.parent, "python", "echo no room >&2; exit 3\n")
    with pytest.raises(AppError) as caught:
        add_kernel(setup, default_paths())
    assert (caught.value.code, caught.value.facts["reason"]) == ("kernel_failed", "no room")


def test_names_of_kernels_are_plain(place, tmp_path):
    setup, _, _ = place
    chinese = FinishedSetup(
        setup_id="x", target=tmp_path / "学习", environment=setup.environment, python=setup.python, verdict=None
    )
    assert kernel_name(chinese) == "rocm-gui-env"


def test_a_folder_without_a_setup_is_none(tmp_path):
    assert finished_setup(default_paths(), tmp_path) is None
    assert not any(tmp_path.iterdir())
