r"""Lists of folders in one variable, such as ``PATH``: taken apart and put together without losing a byte.

``join(split(text)) == text`` for every text. Entries are compared whole (expanded, without quotes, blanks around,
a trailing separator and, on Windows, case); what is not asked to change keeps its spelling.
Facts about quoting and limits: Microsoft's documentation of environment variables and ``setx``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal

import msgspec

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

SETX_LIMIT: Final = 1024  # setx cuts here, and says so in a warning only
DIALOG_LIMIT: Final = 2047  # of the edit field of older Windows
CMD_LIMIT: Final = 8191  # cmd.exe ignores a longer PATH altogether
VALUE_LIMIT: Final = 32767  # of one variable, with its name and the sign between them
NAME_LIMIT: Final = 255

_PERCENT = re.compile(r"%([^%;=]+)%")
_DOLLAR = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
_OWN = re.compile(r"\$(?:PATH|\{PATH\})")  # stands for what the system sets
_POSIX_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

NameProblem = Literal["empty", "equals", "blank", "control", "long", "not_posix"]
EntryProblem = Literal["empty", "quote", "control", "colon", "relative"]


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One entry as it is shown."""

    index: int
    raw: str
    expanded: str
    exists: bool | None = None  # None: not known, as of a recorded machine
    duplicate_of: int | None = None  # index of the earlier entry, in the same list or counted over both scopes
    quoted: bool = False
    problem: Literal["empty", "unclosed_quote", "relative", "unknown_variable"] | None = None


def split(text: str, *, windows: bool) -> tuple[str, ...]:
    """The entries as written, empty ones too; a ``;`` between quotes does not separate."""
    if not text:
        return ()
    if not windows:
        return tuple(text.split(":"))
    entries: list[str] = []
    begin, place = 0, 0
    while place < len(text):
        if text[place] == '"':
            close = text.find('"', place + 1)
            if close > 0:  # else a quote without its partner: it protects nothing
                place = close
        elif text[place] == ";":
            entries.append(text[begin:place])
            begin = place + 1
        place += 1
    entries.append(text[begin:])
    return tuple(entries)


def join(entries: Sequence[str], *, windows: bool) -> str:
    """The text of a list of entries."""
    return (";" if windows else ":").join(entries)


def expand(text: str, environ: Mapping[str, str], *, windows: bool) -> str:
    """``text`` with its ``%VAR%`` (``$VAR``) replaced once, as the system does; unknown ones stay as they are."""
    if windows:
        upper = {name.upper(): value for name, value in environ.items()}
        return _PERCENT.sub(lambda match: upper.get(match[1].upper(), match[0]), text)
    return _DOLLAR.sub(lambda match: environ.get(match[1] or match[2], match[0]), text)


def key(entry: str, environ: Mapping[str, str], *, windows: bool) -> str:
    """What two entries have in common when they name the same folder."""
    text = expand(entry.strip(), environ, windows=windows)
    if not windows:
        return text.rstrip("/") or ("/" if text else "")
    text = text.replace('"', "").strip().replace("/", "\\")
    short = text.rstrip("\\")
    if text != short and (not short or short.endswith(":")):  # "C:\" and "\" are folders, "C:" is another
        short += "\\"
    return short.casefold()


def quoted(entry: str, *, windows: bool) -> str:
    """``entry`` as it may stand in a list."""
    return f'"{entry}"' if windows and ";" in entry and not entry.startswith('"') else entry


def entry_problem(entry: str, *, windows: bool) -> EntryProblem | None:
    """Why ``entry`` cannot be added; None where it can."""
    bare = entry.strip()
    if windows and len(bare) > 1 and bare[0] == bare[-1] == '"':
        bare = bare[1:-1]
    if not bare.strip():
        return "empty"
    if any(ord(letter) < 32 or ord(letter) == 127 for letter in bare):
        return "control"
    if windows:
        if '"' in bare:
            return "quote"
        known = re.match(r"[A-Za-z]:[\\/]|[\\/]{2}[^\\/]|%[^%]+%", bare)
        return None if known else "relative"
    if ":" in bare:
        return "colon"
    return None if bare.startswith(("/", "$")) else "relative"


def name_problem(name: str, *, windows: bool) -> NameProblem | None:
    """Why no variable may be called ``name``; None where it may. A bad name in the machine's scope stops Windows."""
    if not name:
        return "empty"
    if "=" in name:
        return "equals"
    if any(ord(letter) < 32 or ord(letter) == 127 for letter in name):
        return "control"
    if any(letter.isspace() for letter in name):
        return "blank"
    if len(name) > NAME_LIMIT:
        return "long"
    return None if windows or _POSIX_NAME.fullmatch(name) else "not_posix"


def find(text: str, entry: str, environ: Mapping[str, str], *, windows: bool) -> tuple[int, ...]:
    """Where ``entry`` stands in the list."""
    wanted = key(entry, environ, windows=windows)
    entries = split(text, windows=windows)
    return tuple(place for place, other in enumerate(entries) if key(other, environ, windows=windows) == wanted)


def add(text: str, entry: str, environ: Mapping[str, str], *, windows: bool, first: bool = False) -> str:
    """The list with ``entry`` in it: at the end, or with ``first`` in front. One that is there already stays.

    With ``first`` an entry that stands further back is moved, in its own spelling.
    """
    entries = list(split(text, windows=windows))
    places = find(text, entry, environ, windows=windows)
    if places:
        if not first or places[0] == 0:
            return text
        entries.insert(0, entries.pop(places[0]))
        return join(entries, windows=windows)
    own = quoted(entry, windows=windows)
    if first:
        return join([own, *entries], windows=windows)
    end = len(entries)
    while end and not entries[end - 1].strip():  # behind the last entry, before separators that follow it
        end -= 1
    if end == 0 and entries:
        end = len(entries)
    return join([*entries[:end], own, *entries[end:]], windows=windows)


def remove(text: str, entry: str, environ: Mapping[str, str], *, windows: bool) -> str:
    """The list without ``entry``, wherever it stands."""
    places = set(find(text, entry, environ, windows=windows))
    return join([e for i, e in enumerate(split(text, windows=windows)) if i not in places], windows=windows)


def rows(
    texts: Sequence[str], environ: Mapping[str, str], *, windows: bool, exists: Callable[[str], bool | None]
) -> tuple[tuple[Row, ...], ...]:
    """The entries of several lists that are searched one after the other (machine, then user), as they are shown."""
    seen: dict[str, int] = {}
    count = 0
    lists: list[tuple[Row, ...]] = []
    for text in texts:
        found: list[Row] = []
        for index, raw in enumerate(split(text, windows=windows)):
            same = key(raw, environ, windows=windows)
            expanded = expand(raw.strip(), environ, windows=windows)
            bare = expanded.replace('"', "").strip() if windows else expanded
            found.append(
                Row(
                    index=index,
                    raw=raw,
                    expanded=bare,
                    exists=exists(bare) if bare and not _OWN.fullmatch(raw.strip()) else None,
                    duplicate_of=seen.get(same) if same else None,
                    quoted=windows and raw.strip().startswith('"'),
                    problem=_row_problem(raw, bare, windows=windows),
                )
            )
            seen.setdefault(same, count)
            count += 1
        lists.append(tuple(found))
    return tuple(lists)


def _row_problem(
    raw: str, bare: str, *, windows: bool
) -> Literal["empty", "unclosed_quote", "relative", "unknown_variable"] | None:
    if not raw.strip():
        return "empty"
    if windows and raw.count('"') % 2:
        return "unclosed_quote"
    if (_PERCENT if windows else _DOLLAR).search(bare):
        return None if not windows and bare in ("$PATH", "${PATH}") else "unknown_variable"
    return "relative" if entry_problem(bare, windows=windows) == "relative" else None


def cleaned(text: str, keep: Callable[[str], bool], environ: Mapping[str, str], *, windows: bool) -> str:
    """The list without empty entries, repetitions and those that ``keep`` refuses (by their expanded text)."""
    seen: set[str] = set()
    left: list[str] = []
    for raw in split(text, windows=windows):
        same = key(raw, environ, windows=windows)
        bare = expand(raw.strip(), environ, windows=windows).replace('"', "") if windows else raw.strip()
        if same and same not in seen and keep(bare):
            left.append(raw)
        seen.add(same)
    return join(left, windows=windows)
