"""What can be done about a check at once: a program to run, a page to open, a line to copy, or another choice."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from rocm_gui.core.command_line import shown_command
from rocm_gui.core.jobs import JobSpec
from rocm_gui.core.route_choice import system_of
from rocm_gui.core.routes import LocalText
from rocm_gui.core.texts import fill as fill_text
from rocm_gui.services.job import Job, new_job_id

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from rocm_gui.core.checks import CheckResult
    from rocm_gui.core.jobs import AnyJobEvent, JobView
    from rocm_gui.core.model import Machine

Kind = Literal["run", "open", "copy", "page"]
Rights = Literal["none", "asks", "needs"]  # asks: the system asks while it runs; needs: the person must be allowed to
Verdict = Literal["done", "restart", "failed"]

TOTAL_LIMIT_S = 2 * 60 * 60  # Visual Studio's installer over a slow line
SILENCE_LIMIT_S = 30 * 60  # installers are silent while they unpack
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


class Fix(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One way to mend what a check found. ``argv``, ``lines`` and ``url`` are filled from the check's facts."""

    checks: tuple[str, ...]
    remedies: tuple[str, ...]  # keys below [CHECK.remedies] of checks.toml
    systems: tuple[Literal["windows", "linux", "wsl"], ...]
    kind: Kind
    text: LocalText  # what it does, one or two sentences
    argv: tuple[str, ...] = ()  # kind run
    url: str | None = None  # kind open: https, or a page of Windows' settings
    shell: Literal["powershell", "cmd", "bash"] | None = None  # kind copy: where the lines belong
    lines: tuple[str, ...] = ()
    page: Literal["route", "options"] | None = None  # kind page: of the guided setup
    needs_tool: str | None = None  # id of a tool that must have been found
    distributions: tuple[str, ...] = ()  # os-release IDs; none: every one
    rights: Rights = "none"
    download_bytes: int | None = None  # about
    disk_bytes: int | None = None  # about
    program: str | None = None  # full path of argv[0], where the machine's record has it
    source: str
    checked: str


class ExitMeaning(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What an exit code of a program means."""

    program: str
    code: int  # as 32 bits without a sign
    verdict: Verdict
    text: LocalText


class FixBook(msgspec.Struct, frozen=True, kw_only=True):
    """All that ``fixes.toml`` holds, in its order: the first that fits is taken."""

    fixes: tuple[Fix, ...] = ()
    exits: tuple[ExitMeaning, ...] = ()


def load_fixes(document: Mapping[str, Any]) -> FixBook:
    """The book in a TOML document.

    Raises:
        msgspec.ValidationError: with the place of what is wrong.
    """
    return FixBook(
        fixes=tuple(msgspec.convert(row, Fix) for row in document.get("fix", ())),
        exits=tuple(msgspec.convert(row, ExitMeaning) for row in document.get("exit", ())),
    )


def fix_for(book: FixBook, result: CheckResult, machine: Machine) -> Fix | None:
    """The way to mend what ``result`` found on ``machine``; None where there is none."""
    if result.status == "ok" or result.remedy is None:
        return None
    for fix in book.fixes:
        if result.id in fix.checks and result.remedy in fix.remedies and _fits(fix, machine):
            filled = _filled(fix, result.facts, machine)
            if filled is not None:
                return filled
    return None


def shown_lines(fix: Fix) -> tuple[str, ...]:
    """What will run or is to be copied, as a person may read and copy it; empty for other kinds."""
    if fix.kind == "run":
        return (shown_command(fix.argv, windows="windows" in fix.systems),)
    return fix.lines


def fix_job(fix: Fix, jobs_dir: Path | None, on_event: Callable[[JobView, AnyJobEvent], None] | None = None) -> Job:
    """The job of a fix of kind ``run``, not yet started."""
    assert fix.kind == "run"
    spec = JobSpec(
        id=new_job_id("fix"),
        kind="fix",
        argv=(fix.program or fix.argv[0], *fix.argv[1:]),
        total_timeout_s=TOTAL_LIMIT_S,
        silence_timeout_s=SILENCE_LIMIT_S,
        protocol="lines",
        resource="fix",
    )
    return Job(spec, jobs_dir, on_event)


def exit_meaning(book: FixBook, fix: Fix, exit_code: int | None) -> ExitMeaning | None:
    """What the exit code of the fix's program means, where it is known."""
    if exit_code is None or not fix.argv:
        return None
    code = exit_code & 0xFFFFFFFF
    return next((row for row in book.exits if row.program == fix.argv[0] and row.code == code), None)


def is_noise(line: str) -> bool:
    """Whether a line of an installer is a spinner or a progress bar and nothing more."""
    return not line.strip(" \t\b-\\|/░▒▓█▏▎▍▌▋▊▉") or "█" in line or "▒" in line


def _fits(fix: Fix, machine: Machine) -> bool:
    host = machine.host
    if host is None or system_of(host) not in fix.systems:
        return False
    if fix.distributions and host.distribution not in fix.distributions:
        return False
    if fix.needs_tool is None:
        return True
    tool = machine.tool(fix.needs_tool)
    return tool is not None and tool.path is not None


def _filled(fix: Fix, facts: Mapping[str, object], machine: Machine) -> Fix | None:
    """The fix with its placeholders filled; None where a fact is missing or has more than plain characters."""
    values = {name: str(value) for name, value in facts.items() if value is not None}
    wanted = {name for text in (*fix.argv, *fix.lines, fix.url or "") for name in _PLACEHOLDER.findall(text)}
    if any(re.fullmatch(r"[\w.+-]+", values.get(name, "")) is None for name in wanted):
        return None

    def fill(text: str) -> str:
        return _PLACEHOLDER.sub(lambda match: values[match[1]], text)

    tool = machine.tool(fix.needs_tool) if fix.needs_tool and fix.argv and fix.argv[0] == fix.needs_tool else None
    return msgspec.structs.replace(
        fix,
        argv=tuple(fill(part) for part in fix.argv),
        lines=tuple(fill(line) for line in fix.lines),
        url=fill(fix.url) if fix.url else None,
        text={language: fill_text(text, values) for language, text in fix.text.items()},
        program=tool.path if tool else None,
    )
