"""The variables of a Linux account: one file of ours in ``environment.d`` and one marked block in the shell's profile.

Nothing else is touched: outside the block a profile stays as it is, byte for byte. The desktop session reads
``~/.config/environment.d`` (systemd, environment.d(5)), login shells read their profile.
"""

from __future__ import annotations

import os
import re
import shlex
from typing import TYPE_CHECKING, Final

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.variables import POSIX, Change, EnvState, ScopeState, Value, is_list
from rocm_gui.system.files import write_atomic

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

CONF: Final = ".config/environment.d/60-rocm_gui.conf"
BEGIN: Final = "# >>> rocm_gui: variables set by ROCm GUI; change them there >>>"
END: Final = "# <<< rocm_gui <<<"
_LINE = re.compile(r"([A-Za-z_]\w*)=(.*)")
_JOINED: Final = " (this file had no newline at its end)"
_BLOCK = re.compile(
    rb"(?:\A|(?<=\n)|(?P<joined>\n))"
    + re.escape(BEGIN.encode())
    + rb"(?(joined)"
    + re.escape(_JOINED.encode())
    + rb")\r?\n.*?"
    + re.escape(END.encode())
    + rb"(?:\r?\n|\Z)",
    re.DOTALL,
)
_HEAD: Final = "# Variables set by ROCm GUI; change them there, or with: rocm-gui env\n"


class ProfileVariables:
    """The variables that this program set for an account. Those of the machine are read from the running process."""

    windows = False

    def __init__(self, home: Path, shell: str, environ: Mapping[str, str]) -> None:
        self._home = home
        self._shell = shell.rsplit("/", 1)[-1]
        self._environ = environ

    @property
    def conf(self) -> Path:
        """Our file for the desktop session."""
        return self._home / CONF

    @property
    def profile(self) -> Path:
        """The file that the login shell reads."""
        if self._shell == "fish":
            return self._home / ".config/fish/conf.d/rocm_gui.fish"
        if self._shell == "zsh":
            return self._home / ".zprofile"
        bash = [self._home / name for name in (".bash_profile", ".bash_login")]
        return next((path for path in bash if self._shell == "bash" and path.exists()), self._home / ".profile")

    def read(self) -> EnvState:
        """What our file sets as the user's; the machine's scope is not ours to write."""
        user = self._user()
        return EnvState(
            windows=False,
            user=user,
            machine=ScopeState(scope="machine", values={}, writable=False),
            environ=dict(self._environ),
        )

    def write(self, change: Change) -> None:
        """Make ``change`` in our file and in the profile.

        Raises:
            AppError: ``env_machine_linux``, ``env_unreadable``.
            OSError: where a file cannot be written.
        """
        if change.scope == "machine":
            raise AppError("env_machine_linux", ExitCode.DENIED, name=change.name, line=machine_line(change))
        now = self._user()
        if now.values is None:
            raise AppError("env_unreadable", ExitCode.DENIED, scope="user", reason=now.reason)
        values = {name: value.text or "" for name, value in now.values.items()}
        values.pop(change.name, None)
        if change.after is not None and change.after.text:
            values[change.name] = change.after.text
        self._write_conf(values)
        self._write_profile(values)

    def announce(self) -> None:
        """Nobody can be told: the next login reads it."""

    def _user(self) -> ScopeState:
        try:
            text = self.conf.read_text("utf-8")
        except FileNotFoundError:
            return ScopeState(scope="user", values={})
        except (OSError, UnicodeDecodeError) as error:
            return ScopeState(scope="user", values=None, writable=False, reason=f"{self.conf}: {error}")
        values: dict[str, Value] = {}
        for line in text.splitlines():
            found = _LINE.fullmatch(line.strip())
            if found:
                values[found[1]] = Value(kind=POSIX, text=_unquoted(found[2]))
        return ScopeState(scope="user", values=values)

    def _write_conf(self, values: Mapping[str, str]) -> None:
        if not values:
            self.conf.unlink(missing_ok=True)
            return
        lines = [f"{name}={_conf_quoted(name, text)}" for name, text in sorted(values.items())]
        write_atomic(self.conf, _HEAD + "\n".join(lines) + "\n", mode=0o644)

    def _write_profile(self, values: Mapping[str, str]) -> None:
        path = self.profile
        fish = self._shell == "fish"
        try:
            old = path.read_bytes()
        except FileNotFoundError:
            old = None
        body = shell_lines(values, fish=fish)
        block = "\n".join([BEGIN, *body, END]).encode() + b"\n" if values else b""
        content = old or b""
        found = _BLOCK.search(content)
        if found:
            if block and found["joined"]:
                block = _joined(block)
            new = content[: found.start()] + block + content[found.end() :]
        elif block:
            new = content + (_joined(block) if content and not content.endswith(b"\n") else block)
        else:
            return
        if not new and old is not None and found and found[0] == old:
            path.unlink()  # it held our block and nothing else
            return
        if new != old:
            write_atomic(path, new)


def _joined(block: bytes) -> bytes:
    """A block behind a last line without a newline: its own newline goes with it again."""
    return b"\n" + block.replace(BEGIN.encode(), (BEGIN + _JOINED).encode(), 1)


def shell_lines(values: Mapping[str, str], *, fish: bool = False) -> list[str]:
    """Lines for a profile that set ``values``; a list is put around what is there, once however often it is read."""
    lines: list[str] = []
    for name, text in sorted(values.items()):
        own = f"${name}"
        if is_list(name) and own in text.split(":"):
            entries = text.split(":")
            place = entries.index(own)
            front, back = list(reversed(entries[:place])), entries[place + 1 :]
            lines += [_list_line(name, entry, fish=fish, first=True) for entry in front if entry]
            lines += [_list_line(name, entry, fish=fish, first=False) for entry in back if entry]
        elif fish:
            lines.append(f"set -gx {name} {_shell_quoted(text)}")
        else:
            lines.append(f"export {name}={_shell_quoted(text)}")
    return lines


def _list_line(name: str, entry: str, *, fish: bool, first: bool) -> str:
    word = _shell_quoted(entry)
    if fish:
        there = f"contains -- {word} ${name}; or "
        return there + (f"set -gx {name} {word} ${name}" if first else f"set -gx {name} ${name} {word}")
    joined = f"{word}${{{name}:+:${name}}}" if first else f"${{{name}:+${name}:}}{word}"
    return f'case ":${{{name}-}}:" in *:{word}:*) ;; *) export {name}={joined} ;; esac'


def _shell_quoted(text: str) -> str:
    """Single quotes, but variables at the beginning of a path still count: ``$HOME/bin``."""
    found = re.match(r"(\$\{?\w+\}?)(/.*)?$", text)
    return f'"{found[1]}"{shlex.quote(found[2]) if found[2] else ""}' if found else shlex.quote(text)


def machine_line(change: Change) -> str:
    """The line that sets a variable for every account, to be run by a person with ``sudo``."""
    text = change.after.text if change.after is not None else None
    if text is None:
        return f"sudo sed -i '/^{change.name}=/d' /etc/environment"
    return f"echo {shlex.quote(f'{change.name}={text}')} | sudo tee -a /etc/environment"


def _conf_quoted(name: str, text: str) -> str:
    """As environment.d(5) reads it: double quotes, with a backslash before what would mean something."""
    parts = re.split(rf"(\$\{{?{re.escape(name)}\}}?|\$HOME|\$\{{HOME\}})", text)
    return '"' + "".join(p if i % 2 else re.sub(r'([\\"$`])', r"\\\1", p) for i, p in enumerate(parts)) + '"'


def _unquoted(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] == '"':
        return re.sub(r'\\([\\"$`])', r"\1", text[1:-1])
    return text


def real_variables() -> ProfileVariables:
    """Those of this account."""
    import pwd
    from pathlib import Path

    record = pwd.getpwuid(os.getuid())
    home = Path(os.environ.get("HOME") or record.pw_dir)
    return ProfileVariables(home, os.environ.get("SHELL") or record.pw_shell or "/bin/sh", os.environ)
