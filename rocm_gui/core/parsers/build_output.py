"""What git, CMake, Ninja, make and compilers say while they build: how far they are, and what went wrong first."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

Severity = Literal["info", "warning", "error"]

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_GIT = re.compile(r"(?:remote: )?([A-Z][a-z]+(?: [a-z]+)*):\s+(\d+)% \((\d+)/(\d+)\)")
_NINJA = re.compile(r"\[(\d+)/(\d+)\] ?(.*)")
_MAKE = re.compile(r"\[\s*(\d+)%\] ?(.*)")
_PLACE = r"(?P<file>(?:[A-Za-z]:)?[^:\n(]+)"
_COMPILER = re.compile(_PLACE + r":(?P<line>\d+)(?::\d+)?: (?P<kind>fatal error|error|warning)(?:: | #)(?P<text>.*)")
_MSVC = re.compile(
    _PLACE + r"\((?P<line>\d+)(?:,\d+)?\)\s*: (?P<kind>fatal error|error|warning)(?P<text> ?\w*\s*:? .*)"
)
_CMAKE = re.compile(
    r"CMake (?P<kind>Error|Warning|Deprecation Warning)(?: \(dev\))?"
    r"(?: at (?P<file>.+?):(?P<line>\d+) \(.*\))?:\s*(?P<text>.*)"
)
_PLAIN_ERROR = re.compile(
    r"(?:fatal|error): .+|ninja: (?:error|fatal): .+|make(?:\[\d+\])?: \*\*\* .+|LINK : fatal error .+|"
    r"(?:\S*/)?(?:ld|lld|ld\.lld|lld-link|collect2)(?:\.exe)?: (?:fatal )?error.*|.*: undefined reference to .+|"
    r"CMake Error.*|.*: error LNK\d+: .+|No space left on device.*|.*: No space left on device|"
    r".*(?:command not found|is not recognized as an internal or external command|不是内部或外部命令).*"
)
_STOPPED = re.compile(
    r"FAILED: .+|ninja: build stopped: .+|-- Configuring incomplete, errors occurred!|gmake: \*\*\*.*"
)


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """Something that a tool complains of."""

    severity: Severity
    text: str
    file: str | None = None
    line: int | None = None


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """How far the tool is: ``done`` of ``total`` in its own units."""

    done: float
    total: float
    unit: Literal["objects", "targets", "percent"]
    item: str = ""


def clean(line: str) -> str:
    """``line`` without colours."""
    return _ANSI.sub("", line).rstrip()


def progress_of(line: str) -> Step | None:
    """The progress that a line tells; None for other lines."""
    found = _GIT.match(line)
    if found:
        return Step(done=int(found[3]), total=int(found[4]), unit="objects", item=found[1])
    found = _NINJA.match(line)
    if found and int(found[2]) > 0:
        return Step(done=int(found[1]), total=int(found[2]), unit="targets", item=found[3])
    found = _MAKE.match(line)
    if found:
        return Step(done=int(found[1]), total=100, unit="percent", item=found[2])
    return None


def problem_of(line: str) -> Problem | None:
    """The warning or error that a line begins; None for other lines and for what only follows from an error."""
    if _STOPPED.match(line):
        return None
    for pattern in (_CMAKE, _COMPILER, _MSVC):
        found = pattern.match(line)
        if found:
            severity: Severity = "warning" if "arning" in found["kind"] else "error"
            number = int(found["line"]) if found["line"] else None
            text = found["text"].strip(" :")
            return Problem(severity=severity, text=text, file=found["file"], line=number)
    if _PLAIN_ERROR.match(line):
        return Problem(severity="error", text=line.strip())
    return None


class FirstError:
    """Remembers the first error and the lines that belong to it: the later ones often follow from it."""

    def __init__(self, keep: int = 8) -> None:
        self.problem: Problem | None = None
        self.lines: tuple[str, ...] = ()
        self._keep = keep

    def hear(self, line: str) -> Severity:
        """Take a line; returns how it is to be marked."""
        found = problem_of(line)
        if found is not None and found.severity == "error" and self.problem is None:
            self.problem = found
            self.lines = (line,)
            return "error"
        if self.problem is not None and 0 < len(self.lines) < self._keep and found is None:
            if progress_of(line) is None and not _STOPPED.match(line):
                self.lines = (*self.lines, line)
                if not self.problem.text and line.strip():  # CMake says what happened in the line below
                    self.problem = msgspec.structs.replace(self.problem, text=line.strip())
            else:
                self._keep = 0
        if found is not None:
            return found.severity
        return "error" if line.startswith("FAILED: ") else "info"
