r"""The start scripts of an environment, as text.

They find the environment beside themselves, so that the letters, blanks, ``%`` or ``!`` of a path cannot break them.
They set what ``activate`` sets instead of calling it: ``call`` would expand a ``%`` of the path a second time.
"""

from __future__ import annotations

import shlex
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from typing import Literal
from urllib.parse import quote

import msgspec

BOM = b"\xef\xbb\xbf"
_CONDA_WINDOWS = ("", r"\Library\mingw-w64\bin", r"\Library\usr\bin", r"\Library\bin", r"\Scripts", r"\bin")


def program_folders(env_kind: Literal["venv", "conda"], *, windows: bool) -> tuple[str, ...]:
    """Folders of an environment's programs, relative to it, as they stand in front of ``PATH``; "" is itself."""
    if not windows:
        return ("/bin",)
    return _CONDA_WINDOWS if env_kind == "conda" else (r"\Scripts",)


class StartSettings(msgspec.Struct, frozen=True, kw_only=True):
    """What the scripts set."""

    environment: str  # name of its folder beside the scripts: "env"
    env_kind: Literal["venv", "conda"] = "venv"
    visible_devices: str | None = None  # HIP_VISIBLE_DEVICES: index or "GPU-<uuid>"; None: all GPUs are visible
    target: str | None = None  # their folder: PIP_CONSTRAINT points at its constraints.txt, which pins the torch trio
    variables: dict[str, str] = {}  # workarounds


def start_files(system: Literal["windows", "linux"], settings: StartSettings) -> dict[str, bytes]:
    """File name -> content, ready to be written.

    Raises:
        ValueError: for a value that no script can hold (line breaks, quotation marks on Windows).
    """
    if system == "linux":
        return {"start.sh": start_sh(settings).encode()}
    return {
        "start.cmd": start_cmd(settings).replace("\n", "\r\n").encode(),
        "start.ps1": BOM + start_ps1(settings).replace("\n", "\r\n").encode(),
    }


def _variables(settings: StartSettings, *, windows: bool) -> list[tuple[str, str]]:
    variables = dict(settings.variables)
    if settings.target is not None:
        # pip splits the variable at blanks; a URL has none, and no letter that a code page could change
        style = PureWindowsPath if windows else PurePosixPath
        variables["PIP_CONSTRAINT"] = _file_url(style(settings.target) / "constraints.txt")
    if settings.visible_devices is not None:
        variables["HIP_VISIBLE_DEVICES"] = settings.visible_devices
    for name, value in variables.items():
        if not name.isidentifier() or not name.isascii():
            raise ValueError(f"no name for a variable: {name!r}")
        if any(ord(letter) < 32 for letter in value):
            raise ValueError(f"a control character in {name}")
    return sorted(variables.items())


def _file_url(path: PurePath) -> str:
    text = path.as_posix()
    if text.startswith("//"):  # a network share
        return "file:" + quote(text)
    return f"file:///{text[:2]}{quote(text[2:])}" if path.drive else "file://" + quote(text)


def start_sh(settings: StartSettings) -> str:
    """The script for POSIX shells.

    An interactive shell reads the person's own settings after its environment is set, and ``conda init``, pyenv and
    their like put another Python in front there. Bash therefore reads this very script instead of ``~/.bashrc``,
    which it reads first; fish is told afterwards; zsh has no such way and starts without the settings.
    """
    home = "CONDA_PREFIX" if settings.env_kind == "conda" else "VIRTUAL_ENV"
    lines = [
        "#!/bin/sh",
        "# ./start.sh opens a shell in the PyTorch environment, ./start.sh python train.py runs a program in it.",
        'if [ -n "${ROCM_GUI_START-}" ]; then  # read by the bash that is started below',
        "    here=$ROCM_GUI_START",
        "    [ ! -r ~/.bashrc ] || . ~/.bashrc",
        "else",
        '    here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd) || exit 1',
        "fi",
        f'{home}="$here"/{shlex.quote(settings.environment)}',
        f"PATH=${home}/bin:$PATH",
        "unset PYTHONHOME PYTHONPATH",
        f"export {home} PATH",
    ]
    lines += [f"export {name}={shlex.quote(value)}" for name, value in _variables(settings, windows=False)]
    lines += [
        'if [ -n "${ROCM_GUI_START-}" ]; then',
        "    PS1='(PyTorch) '$PS1",
        "    unset ROCM_GUI_START here",
        "    return",
        "fi",
        'if [ "$#" -gt 0 ]; then',
        '    exec "$@"',
        "fi",
        "shell=${SHELL:-/bin/sh}",
        "case ${shell##*/} in",
        'bash) ROCM_GUI_START=$here exec "$shell" --rcfile "$here/start.sh" -i ;;',
        f"""fish) exec "$shell" -i -C 'set -gx PATH ${home}/bin $PATH' ;;""",
        'zsh) exec "$shell" -f -i ;;',
        '*) exec "$shell" -i ;;',
        "esac",
    ]
    return "\n".join(lines) + "\n"


def start_cmd(settings: StartSettings) -> str:
    """The script for ``cmd.exe``: UTF-8 without a mark; the code page is changed only where the text needs it."""
    home = "CONDA_PREFIX" if settings.env_kind == "conda" else "VIRTUAL_ENV"
    folders = program_folders(settings.env_kind, windows=True)
    path = ";".join(f"%{home}%{folder}" for folder in folders)
    lines = [
        "rem start.cmd opens a console in the PyTorch environment, start.cmd python train.py runs a program in it.",
        f'set "{home}=%~dp0{_cmd(settings.environment)}"',
        f'set "PATH={path};%PATH%"',
        'set "PYTHONHOME="',
        'set "PYTHONPATH="',
    ]
    lines += [f'set "{name}={_cmd(value)}"' for name, value in _variables(settings, windows=True)]
    lines += [
        'if not "%~1"=="" goto run',
        'if not defined PROMPT set "PROMPT=$P$G"',
        'set "PROMPT=(PyTorch) %PROMPT%"',
        "cmd /k",
        "exit /b",
        ":run",
        "%*",
        "exit /b %ERRORLEVEL%",
    ]
    head = ["@echo off", "setlocal DisableDelayedExpansion"]
    if not all(line.isascii() for line in lines):
        head.append("chcp 65001 >nul")
    return "\n".join([*head, *lines]) + "\n"


def start_ps1(settings: StartSettings) -> str:
    """The script for PowerShell; without arguments it prepares the session that called it."""
    home = "CONDA_PREFIX" if settings.env_kind == "conda" else "VIRTUAL_ENV"
    folders = program_folders(settings.env_kind, windows=True)
    path = " + ".join(f"$env:{home} + {_ps1(folder + ';')}" for folder in folders)
    lines = [
        "# .\\start.ps1 prepares this PowerShell session, .\\start.ps1 python train.py runs a program as well.",
        "# Where scripts are not allowed: powershell -ExecutionPolicy Bypass -File start.ps1 python train.py",
        f"$env:{home} = Join-Path $PSScriptRoot {_ps1(settings.environment)}",
        f"$env:PATH = {path} + $env:PATH",
        "Remove-Item Env:PYTHONHOME, Env:PYTHONPATH -ErrorAction SilentlyContinue",
    ]
    lines += [f"$env:{name} = {_ps1(value)}" for name, value in _variables(settings, windows=True)]
    lines += [
        "if ($args.Count -gt 0) {",
        "    $rest = @($args | Select-Object -Skip 1)",
        "    & $args[0] @rest",
        "    exit $LASTEXITCODE",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _cmd(text: str) -> str:
    if '"' in text:
        raise ValueError(f"cmd.exe cannot hold a quotation mark: {text!r}")
    return text.replace("%", "%%")


def _ps1(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
