"""What a person does with a finished environment: a terminal in it, an editor, a Jupyter kernel."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.services.script_environment import known_setup
from rocm_gui.services.setup_store import current_setup
from rocm_gui.system.process import child_env, find_program, run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocm_gui.system.paths import Paths

# Terminal programs on Linux in the order tried; {folder} is where it starts, the command follows.
TERMINALS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("xdg-terminal-exec", ("--dir={folder}", "--")),
    ("gnome-terminal", ("--working-directory={folder}", "--")),
    ("kgx", ("--working-directory={folder}", "--")),
    ("konsole", ("--workdir", "{folder}", "-e")),
    ("xfce4-terminal", ("--working-directory={folder}", "-x")),
    ("mate-terminal", ("--working-directory={folder}", "-x")),
    ("kitty", ("--directory", "{folder}")),
    ("alacritty", ("--working-directory", "{folder}", "-e")),
    ("foot", ("--working-directory={folder}",)),
    ("wezterm", ("start", "--cwd", "{folder}", "--")),
    ("x-terminal-emulator", ("-e",)),
    ("xterm", ("-e",)),
)
_CODE_PLACES = (
    ("LOCALAPPDATA", r"Programs\Microsoft VS Code\Code.exe"),
    ("ProgramFiles", r"Microsoft VS Code\Code.exe"),
)
_SETTLE_S = 0.8  # a program that dies sooner did not start
_KERNEL_LIMIT_S = 60.0


@dataclass(frozen=True)
class FinishedSetup:
    """A setup that stands."""

    setup_id: str
    target: Path
    environment: Path
    python: Path
    verdict: str | None
    gfx_target: str | None = None

    @property
    def start_script(self) -> Path:
        """What opens a shell in it."""
        return self.target / ("start.cmd" if sys.platform == "win32" else "start.sh")


@dataclass(frozen=True)
class Programs:
    """Which of the person's programs can be used with it; None where it was not found."""

    terminal: str | None
    editor: str | None
    kernel: bool  # ipykernel stands in the environment


def finished_setup(paths: Paths, target: Path) -> FinishedSetup | None:
    """The finished setup of ``target``; None where there is none, or it is not finished or not there any more."""
    try:
        setup = current_setup(paths, target)
        record = setup.record()
    except AppError:
        return None
    plan = setup.plan
    if record.phase != "done" or not Path(plan.environment_python).exists():
        return None
    verified = record.steps.get("verify")
    verdict = verified.facts.get("verdict") if verified is not None else None
    return FinishedSetup(
        setup_id=plan.setup_id,
        target=Path(plan.target),
        environment=Path(plan.environment),
        python=Path(plan.environment_python),
        verdict=verdict if isinstance(verdict, str) else None,
        gfx_target=plan.gfx_target,
    )


def find_programs(setup: FinishedSetup, environ: Mapping[str, str] | None = None) -> Programs:
    """Look for them."""
    terminal = _terminal(environ)
    return Programs(
        terminal=terminal[0] if terminal is not None else None,
        editor=find_editor(environ),
        kernel=has_ipykernel(setup),
    )


def has_ipykernel(setup: FinishedSetup) -> bool:
    """Whether the environment can serve as a Jupyter kernel."""
    places = [setup.environment / "Lib" / "site-packages", *setup.environment.glob("lib/python*/site-packages")]
    return any((place / "ipykernel").is_dir() for place in places)


def find_editor(environ: Mapping[str, str] | None = None) -> str | None:
    """VS Code or VSCodium."""
    variables = os.environ if environ is None else environ
    if sys.platform == "win32":
        for name, place in _CODE_PLACES:
            base = variables.get(name)
            if base and (Path(base) / place).is_file():
                return str(Path(base) / place)
        return None
    return next((path for path in (find_program(name, environ) for name in ("code", "codium")) if path), None)


def _terminal(environ: Mapping[str, str] | None = None) -> tuple[str, tuple[str, ...]] | None:
    if sys.platform == "win32":
        return os.environ.get("COMSPEC", "cmd.exe"), ()
    for name, arguments in TERMINALS:
        path = find_program(name, environ)
        if path is not None:
            return path, arguments
    return None


def terminal_argv(setup: FinishedSetup, environ: Mapping[str, str] | None = None) -> list[str]:
    """The command that opens a terminal in the environment, to be run in the target folder.

    Raises:
        AppError: ``terminal_missing``.
    """
    terminal = _terminal(environ)
    if terminal is None:
        raise AppError("terminal_missing", script=str(setup.start_script))
    program, arguments = terminal
    if sys.platform == "win32":  # the script by its name alone: nothing of the folder's name needs quoting
        return [program, "/d", "/c", f".\\{setup.start_script.name}"]
    filled = [argument.format(folder=setup.target) for argument in arguments]
    return [program, *filled, "/bin/sh", str(setup.start_script)]


def open_terminal(setup: FinishedSetup, environ: Mapping[str, str] | None = None) -> None:
    """Open a terminal whose shell is the environment's.

    Raises:
        AppError: ``terminal_missing``, ``launch_failed``.
    """
    _start(terminal_argv(setup, environ), setup.target, environ, console=True)


def open_editor(setup: FinishedSetup, environ: Mapping[str, str] | None = None) -> None:
    """Open VS Code on the target folder; what it starts sees the environment and its GPU.

    Raises:
        AppError: ``editor_missing``, ``launch_failed``.
    """
    editor = find_editor(environ)
    if editor is None:
        raise AppError("editor_missing")
    if sys.platform == "win32":
        shell = os.environ.get("COMSPEC", "cmd.exe")
        argv = [shell, "/d", "/c", f".\\{setup.start_script.name}", editor, "."]
    else:
        argv = ["/bin/sh", str(setup.start_script), editor, str(setup.target)]
    _start(argv, setup.target, environ, console=False)


def kernel_name(setup: FinishedSetup) -> str:
    """The name of its Jupyter kernel: one a folder."""
    letters = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in setup.target.name.lower())
    return f"rocm-gui-{letters.strip('-') or 'env'}"


def add_kernel(setup: FinishedSetup, paths: Paths) -> str:
    """Offer the environment to Jupyter and to notebooks in VS Code, for this user; returns the kernel's name.

    Raises:
        AppError: ``kernel_no_ipykernel``, ``kernel_failed``.
    """
    if not has_ipykernel(setup):
        raise AppError("kernel_no_ipykernel", script=str(setup.start_script))
    name = kernel_name(setup)
    argv = [str(setup.python), "-m", "ipykernel", "install", "--user", "--name", name]
    argv += ["--display-name", f"PyTorch ({setup.target.name})"]
    for variable, value in known_setup(setup.python, paths).variables.items():
        argv += ["--env", variable, value]
    answer = run(argv, timeout_s=_KERNEL_LIMIT_S)
    if not answer.ok:
        said = (answer.stderr or answer.stdout).strip().splitlines()
        reason = answer.error or (said[-1] if said else "timeout" if answer.timed_out else str(answer.code))
        raise AppError("kernel_failed", ExitCode.FAILED, reason=reason)
    return name


def _start(argv: list[str], folder: Path, environ: Mapping[str, str] | None, *, console: bool) -> None:
    """Start a program that outlives us; one that ends at once with an error did not start."""
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.CREATE_NEW_CONSOLE if console else subprocess.CREATE_NO_WINDOW
    quiet = None if sys.platform == "win32" and console else subprocess.DEVNULL
    try:
        process = subprocess.Popen(
            argv,
            cwd=folder,
            env=child_env(environ),
            stdin=quiet,
            stdout=quiet,
            stderr=quiet,
            creationflags=flags,
            start_new_session=True,
        )
    except OSError as error:
        raise AppError("launch_failed", program=argv[0], reason=error.strerror or str(error)) from error
    try:
        code = process.wait(_SETTLE_S)
    except subprocess.TimeoutExpired:
        threading.Thread(target=process.wait, name="launched", daemon=True).start()  # reaps it
        return
    if code != 0:
        raise AppError("launch_failed", program=argv[0], reason=f"exit code {code}")
