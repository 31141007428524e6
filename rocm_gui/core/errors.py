"""The one exception that reaches a person, and the exit codes of every command."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


class ExitCode(IntEnum):
    """What a command's exit code says; the same for every subcommand."""

    OK = 0
    FAILED = 1  # a check or a verification failed, or an operation did not succeed
    USAGE = 2  # wrong use, or input that cannot be read
    UNTRUSTED = 3  # there is a result, and it must not be trusted
    CRASHED = 4  # a child crashed or ran out of time
    DENIED = 5  # not permitted
    CANCELLED = 130  # Ctrl-C, cleanly


class AppError(Exception):
    """Something a person must hear of, as a code and facts; the sentences stand in ``resources/data/messages``.

    ``code`` names the entry ``[error.CODE]`` there; ``facts`` fill its placeholders.
    """

    def __init__(self, code: str, exit_code: ExitCode = ExitCode.FAILED, /, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.exit_code = exit_code
        self.facts: Mapping[str, object] = facts

    def __str__(self) -> str:
        """The code and its facts: for logs, never for people."""
        facts = ", ".join(f"{key}={value!r}" for key, value in self.facts.items())
        return f"{self.code}({facts})"
