r"""What a pasted ``setx`` line would do, said before anybody runs it, and the safe edits in its place.

``setx`` writes at most 1,024 characters and ends with success all the same; ``%VAR%`` is replaced by the console it
is typed in, so machine entries are copied into the account and references freeze; a variable that an earlier ``setx``
made is not known in the same console. Sources: Microsoft, ``setx``; reports of destroyed PATHs in many projects.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from rocm_gui.core import path_list
from rocm_gui.core.variables import SCOPES, Edit, EnvState, Scope, is_list

if TYPE_CHECKING:
    from collections.abc import Mapping

_PERCENT = re.compile(r"%([^%;=\s]+)%")
_DOLLAR = re.compile(r"\$\{?env:(\w+)\}?", re.IGNORECASE)
_SETX = re.compile(r"^\s*(?:[>@#$]\s*|PS\s+\S*>\s*|[A-Za-z]:\\[^>]*>\s*)?setx(?:\.exe)?\s+(.*)$", re.IGNORECASE)
LIMIT: Final = path_list.SETX_LIMIT

FindingCode = Literal[
    "cut", "copies_machine", "freezes", "unset_here", "powershell_percent", "comment", "usage", "no_effect_windows",
    "not_needed", "too_many", "remote", "from_registry", "from_file",
]  # fmt: skip


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to know about a line: ``[env.setx.CODE]`` in the messages."""

    code: FindingCode
    facts: dict[str, str | int] = {}


class SetxLine(msgspec.Struct, frozen=True, kw_only=True):
    """One ``setx`` line, judged."""

    line: str
    scope: Scope = "user"
    name: str | None = None
    typed: str | None = None  # the value as it stands in the line
    stored: str | None = None  # what would be written; None where setx refuses
    wanted: str | None = None  # what it would be without the limit
    findings: tuple[Finding, ...] = ()
    edits: tuple[Edit, ...] = ()  # the safe way to what was meant


def explain(text: str, state: EnvState, shell: Literal["cmd", "powershell"] = "cmd") -> tuple[SetxLine, ...]:
    """Every ``setx`` line of ``text``, in order; a name set by an earlier one is not yet known to a later one."""
    lines: list[SetxLine] = []
    made: dict[str, str] = {}
    for raw in text.splitlines():
        found = _SETX.match(raw)
        if found:
            judged = _judge(raw.strip(), found[1].strip(), state, shell, made)
            lines.append(judged)
            if judged.name is not None and judged.typed is not None:
                made[judged.name.upper()] = judged.typed
    return tuple(lines)


def words_of(arguments: str) -> list[str]:
    r"""The words of a command line as C programs on Windows see them (``\"`` is a quote)."""
    words: list[str] = []
    current, inside, open_word = "", False, False
    place = 0
    while place < len(arguments):
        letter = arguments[place]
        if letter == "\\":
            end = place
            while end < len(arguments) and arguments[end] == "\\":
                end += 1
            count = end - place
            if end < len(arguments) and arguments[end] == '"':
                current += "\\" * (count // 2)
                if count % 2:
                    current += '"'
                    end += 1
            else:
                current += "\\" * count
            open_word, place = True, end
            continue
        if letter == '"':
            inside, open_word = not inside, True
        elif letter in " \t" and not inside:
            if open_word:
                words.append(current)
            current, open_word = "", False
        else:
            current, open_word = current + letter, True
        place += 1
    if open_word:
        words.append(current)
    return words


def _judge(
    line: str, arguments: str, state: EnvState, shell: Literal["cmd", "powershell"], made: Mapping[str, str]
) -> SetxLine:
    findings: list[Finding] = []
    typed_words = words_of(arguments)
    scope: Scope = "user"
    words: list[str] = []
    for place, word in enumerate(typed_words):
        option = word.upper()
        if option in ("/M", "-M"):
            scope = "machine"
        elif option in ("/S", "/U", "/P"):
            return SetxLine(line=line, findings=(Finding(code="remote"),))
        elif option == "/K":
            return SetxLine(line=line, findings=(Finding(code="from_registry"),))
        elif option == "/F":
            return SetxLine(line=line, findings=(Finding(code="from_file"),))
        elif word.startswith("#") and shell == "cmd" and place >= 2:
            findings.append(Finding(code="comment", facts={"word": word}))
            words += typed_words[place:]
            break
        elif word.startswith("#") and shell == "powershell":
            break
        else:
            words.append(word)
    if len(words) < 2:
        return SetxLine(line=line, scope=scope, name=words[0] if words else None, findings=(Finding(code="usage"),))
    name, typed = words[0], words[1]
    if len(words) > 2:
        if not findings:
            findings.append(Finding(code="too_many", facts={"word": words[2]}))
        return SetxLine(
            line=line, scope=scope, name=name, typed=typed, findings=(*findings, *_meaning(name, typed, state)),
            edits=_safe(scope, name, typed, state, made),
        )  # fmt: skip
    wanted = _expanded(typed, state, shell, made, findings)
    stored = wanted[:LIMIT]
    if len(wanted) > LIMIT:
        lost = len(path_list.split(wanted, windows=True)) - len(path_list.split(stored, windows=True))
        findings.insert(0, Finding(code="cut", facts={"length": len(wanted), "limit": LIMIT, "entries": lost}))
    if is_list(name):
        own = rf"\$\{{?env:{re.escape(name)}\b" if shell == "powershell" else f"%{re.escape(name)}%"
        if re.search(own, typed, re.IGNORECASE):
            findings += _list_findings(scope, name, wanted, state)
    return SetxLine(
        line=line,
        scope=scope,
        name=name,
        typed=typed,
        stored=stored,
        wanted=wanted,
        findings=(*_once(findings), *_meaning(name, typed, state)),
        edits=_safe(scope, name, typed, state, made),
    )


def _once(findings: list[Finding]) -> list[Finding]:
    return [finding for place, finding in enumerate(findings) if finding not in findings[:place]]


def _expanded(
    typed: str,
    state: EnvState,
    shell: Literal["cmd", "powershell"],
    made: Mapping[str, str],
    findings: list[Finding],
) -> str:
    """The value once the console has replaced its references."""
    values = dict(state.environ)
    values["PATH"] = state.effective_path()

    def known(match: re.Match[str]) -> str:
        name = match[1].upper()
        if name in values:
            return values[name]
        if name in made:
            findings.append(Finding(code="unset_here", facts={"name": match[1]}))
        return match[0] if shell == "cmd" else ""

    if shell == "powershell":
        if _PERCENT.search(typed):
            findings.append(Finding(code="powershell_percent", facts={"text": _PERCENT.search(typed)[0]}))  # type: ignore[index]
        return _DOLLAR.sub(known, typed)
    return _PERCENT.sub(known, typed)


def _list_findings(scope: Scope, name: str, wanted: str, state: EnvState) -> list[Finding]:
    machine, user = state.path_texts(name)
    other = machine if scope == "user" else user
    own = user if scope == "user" else machine
    found: list[Finding] = []
    copied = [entry for entry in path_list.split(other, windows=True) if entry.strip()]
    if copied:
        code: FindingCode = "copies_machine"
        found.append(
            Finding(code=code, facts={"count": len(copied), "scope": "machine" if scope == "user" else "user"})
        )
    frozen = len(_PERCENT.findall(own)) + len(_PERCENT.findall(other))
    if frozen and _PERCENT.search(own + other) and len(_PERCENT.findall(wanted)) < frozen:
        found.append(Finding(code="freezes", facts={"count": frozen}))
    return found


def _meaning(name: str, typed: str, state: EnvState) -> list[Finding]:
    if name.upper() == "HSA_OVERRIDE_GFX_VERSION" and state.windows:
        return [Finding(code="no_effect_windows", facts={"name": name})]
    if name.upper() == "ROCM_PATH" and state.windows:
        return [Finding(code="not_needed", facts={"name": name, "value": typed})]
    return []


def _safe(scope: Scope, name: str, typed: str, state: EnvState, made: Mapping[str, str]) -> tuple[Edit, ...]:
    """What was meant, as edits: additions to a list stay additions, references stay references."""
    if name.upper() == "HSA_OVERRIDE_GFX_VERSION" and state.windows:
        stands: list[Scope] = [place for place in SCOPES if state.scope(place).get(name, windows=True)]
        return tuple(Edit(kind="unset", scope=place, name=name) for place in stands)
    text = _DOLLAR.sub(lambda match: f"%{match[1]}%", typed)
    if not is_list(name):
        return (Edit(kind="set", scope=scope, name=name, text=text),)
    own = f"%{name.upper()}%"
    edits: list[Edit] = []
    before = True
    for entry in path_list.split(text, windows=True):
        if entry.strip().upper() == own:
            before = False
        elif entry.strip():
            full = path_list.expand(entry.strip(), {k: v for k, v in made.items() if k != name.upper()}, windows=True)
            first = before and own in text.upper()
            edits.append(Edit(kind="add", scope=scope, name=name, text=full.replace('"', ""), first=first))
    leading = [edit for edit in edits if edit.first]
    return (*reversed(leading), *(edit for edit in edits if not edit.first))
