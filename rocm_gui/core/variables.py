"""Environment variables of a person and of a machine: values with their type, edits, and what edits change."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Final, Literal, cast

import msgspec

from rocm_gui.core import path_list
from rocm_gui.core.errors import AppError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Exists = Callable[[str], bool | None]

Scope = Literal["user", "machine"]
SCOPES: Final[tuple[Scope, ...]] = ("machine", "user")  # in the order in which they are searched
LISTS: Final = frozenset({"PATH", "LIBPATH", "PYTHONPATH", "LD_LIBRARY_PATH", "INCLUDE", "LIB", "CMAKE_PREFIX_PATH"})
POSIX: Final = "posix"  # the kind of a value outside the registry


class Value(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A value as it is stored. ``text`` is None where it is no text: then only ``data`` knows it."""

    kind: str  # REG_SZ, REG_EXPAND_SZ, another registry type by name or number, or "posix"
    text: str | None = None
    data: bytes | None = None

    @property
    def shown(self) -> str:
        """For people; of what is no text the first bytes."""
        if self.text is not None:
            return self.text
        return f"<{self.kind}: {(self.data or b'')[:16].hex(' ')}>"


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One variable before and after; None: it is not there."""

    scope: Scope
    name: str
    before: Value | None
    after: Value | None


class Edit(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a person asks for. ``text`` is the value or the entry, ``index`` and ``to`` count entries from 0."""

    kind: Literal["set", "unset", "add", "remove", "remove_at", "replace_at", "move", "clean"]
    scope: Scope
    name: str
    text: str = ""
    index: int = 0
    to: int = 0
    first: bool = False
    expand: bool = False  # set: REG_EXPAND_SZ even without a %


class ScopeState(msgspec.Struct, frozen=True, kw_only=True):
    """The variables of one scope. ``values`` is None where they cannot be read: never the same as none."""

    scope: Scope
    values: dict[str, Value] | None
    writable: bool = True  # without other rights
    reason: str | None = None  # why it cannot be read

    def get(self, name: str, *, windows: bool) -> tuple[str, Value] | None:
        """The variable with its own spelling; names have no case on Windows."""
        values = self.values or {}
        if name in values:
            return name, values[name]
        if windows:
            folded = name.casefold()
            return next(((key, value) for key, value in values.items() if key.casefold() == folded), None)
        return None


class EnvState(msgspec.Struct, frozen=True, kw_only=True):
    """Both scopes as they stand now."""

    windows: bool
    user: ScopeState
    machine: ScopeState
    environ: dict[str, str]  # for expanding: capital names on Windows

    def scope(self, scope: Scope) -> ScopeState:
        """One of the two."""
        return self.user if scope == "user" else self.machine

    def path_texts(self, name: str = "PATH") -> tuple[str, str]:
        """The lists of the machine and of the user, in the order in which they are searched."""
        found = [self.scope(scope).get(name, windows=self.windows) for scope in SCOPES]
        machine, user = ((pair[1].text or "") if pair else "" for pair in found)
        return machine, user

    def effective_path(self, name: str = "PATH") -> str:
        """What a new program sees."""
        parts = [path_list.expand(text, self.environ, windows=self.windows) for text in self.path_texts(name) if text]
        return (";" if self.windows else ":").join(parts)


class Meter(msgspec.Struct, frozen=True, kw_only=True):
    """A length beside a limit."""

    id: Literal["setx", "dialog", "cmd", "value"]
    length: int
    limit: int

    @property
    def over(self) -> bool:
        """Whether the limit is passed."""
        return self.length > self.limit


def meters(state: EnvState, scope: Scope, name: str = "PATH") -> tuple[Meter, ...]:
    """How long a list is beside what setx, the old dialog, cmd.exe and Windows itself can hold; none on Linux."""
    if not state.windows:
        return ()
    machine, user = state.path_texts(name)
    own = len(user if scope == "user" else machine)
    return (
        Meter(id="setx", length=own, limit=path_list.SETX_LIMIT),
        Meter(id="dialog", length=own, limit=path_list.DIALOG_LIMIT),
        Meter(id="cmd", length=len(state.effective_path(name)), limit=path_list.CMD_LIMIT),
        Meter(id="value", length=own + len(name) + 2, limit=path_list.VALUE_LIMIT),
    )


def is_list(name: str) -> bool:
    """Whether the variable holds folders, one after the other."""
    return name.upper() in LISTS


def typed(before: Value | None, text: str, *, windows: bool, expand: bool = False) -> Value:
    """``text`` with the type it must have: the former one, and REG_EXPAND_SZ wherever a ``%`` stands in it."""
    if not windows:
        return Value(kind=POSIX, text=text)
    if expand or "%" in text or (before is not None and before.kind == "REG_EXPAND_SZ"):
        return Value(kind="REG_EXPAND_SZ", text=text)
    return Value(kind="REG_SZ", text=text)


def changes_of(state: EnvState, edits: Iterable[Edit], exists: Exists) -> tuple[Change, ...]:  # fmt: skip
    """What ``edits``, one after the other, change; nothing for those that are fulfilled already.

    Raises:
        AppError: ``env_unreadable``, ``env_name``, ``env_entry``, ``env_not_text``, ``env_too_long``, ``env_index``
            or ``env_line_break``.
    """
    begun: dict[tuple[Scope, str], Change] = {}
    for edit in edits:
        scope = state.scope(edit.scope)
        if scope.values is None:
            raise AppError("env_unreadable", ExitCode.DENIED, scope=edit.scope, reason=scope.reason)
        problem = path_list.name_problem(edit.name, windows=state.windows)
        stored = scope.get(edit.name, windows=state.windows)
        if problem is not None and not (stored is not None and edit.kind == "unset"):
            raise AppError("env_name", ExitCode.USAGE, name=edit.name, problem=problem)
        name = stored[0] if stored else edit.name
        place = (edit.scope, name.casefold() if state.windows else name)
        before = begun[place].before if place in begun else (stored[1] if stored else None)
        now = begun[place].after if place in begun else before
        after = _edited(state, edit, now, exists)
        own = begun[place].name if place in begun else name
        begun[place] = Change(scope=edit.scope, name=own, before=before, after=after)
    return tuple(change for change in begun.values() if change.before != change.after)


def _edited(state: EnvState, edit: Edit, now: Value | None, exists: Exists) -> Value | None:  # fmt: skip
    if edit.kind == "unset":
        return None
    windows = state.windows
    if edit.kind == "set":
        text = edit.text
    else:
        if now is not None and now.text is None:
            raise AppError("env_not_text", ExitCode.FAILED, name=edit.name, kind=now.kind)
        text = _edited_list(state, edit, "" if now is None or now.text is None else now.text, exists)
        if now is None and not text:
            return None
        if now is not None and text == now.text:
            return now  # nothing to do: the type stays as well
    if any(letter in text for letter in "\r\n\0"):
        raise AppError("env_line_break", ExitCode.USAGE, name=edit.name)
    if windows and len(edit.name) + len(text) + 2 > path_list.VALUE_LIMIT:
        raise AppError("env_too_long", ExitCode.USAGE, name=edit.name, length=len(text), limit=path_list.VALUE_LIMIT)
    if now is not None and now.text == text and edit.kind == "set" and not edit.expand:
        return now if "%" not in text or not windows else typed(now, text, windows=windows)
    return typed(now, text, windows=windows, expand=edit.expand)


def _edited_list(state: EnvState, edit: Edit, text: str, exists: Exists) -> str:
    windows, environ = state.windows, state.environ
    if edit.kind in ("add", "replace_at"):
        problem = path_list.entry_problem(edit.text, windows=windows)
        if problem is None and windows and ";" in edit.text and text.count('"') % 2:
            problem = "unclosed_quote"  # the quotes that the entry needs would pair with the one that is there
        if problem is not None:
            raise AppError("env_entry", ExitCode.USAGE, entry=edit.text, problem=problem)
    if edit.kind == "add":
        base = text
        if not windows and not base:
            base = f"${edit.name}"  # what the system sets stays in it
        return path_list.add(base, edit.text, environ, windows=windows, first=edit.first)
    if edit.kind == "remove":
        left = path_list.remove(text, edit.text, environ, windows=windows)
        return "" if not windows and left == f"${edit.name}" else left
    if edit.kind == "clean":
        return path_list.cleaned(text, lambda folder: exists(folder) is not False, environ, windows=windows)
    entries = list(path_list.split(text, windows=windows))
    if not (0 <= edit.index < len(entries)) or (edit.kind == "move" and not 0 <= edit.to < len(entries)):
        raise AppError("env_index", ExitCode.USAGE, name=edit.name, index=edit.index, count=len(entries))
    if edit.kind == "remove_at":
        del entries[edit.index]
    elif edit.kind == "replace_at":
        entries[edit.index] = path_list.quoted(edit.text, windows=windows)
    else:
        entries.insert(edit.to, entries.pop(edit.index))
    return path_list.join(entries, windows=windows)


class DiffLine(msgspec.Struct, frozen=True):
    """A line of a shown difference."""

    sign: Literal["+", "-", " "]
    text: str


def diff_lines(change: Change, *, windows: bool) -> tuple[DiffLine, ...]:
    """The difference entry by entry for lists, as two lines for other variables; types where they differ."""
    before, after = change.before, change.after
    if (
        is_list(change.name)
        and (before is None or before.text is not None)
        and (after is None or after.text is not None)
    ):
        old = path_list.split(before.text or "", windows=windows) if before else ()
        new = path_list.split(after.text or "", windows=windows) if after else ()
        lines: list[DiffLine] = []
        for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
            if tag == "equal":
                lines += [DiffLine(" ", entry) for entry in old[a:b]]
            else:
                lines += [DiffLine("-", entry) for entry in old[a:b]]
                lines += [DiffLine("+", entry) for entry in new[c:d]]
        if before and after and before.kind != after.kind:
            lines += [DiffLine("-", f"<{before.kind}>"), DiffLine("+", f"<{after.kind}>")]
        return tuple(lines)
    named = before is not None and after is not None and before.kind not in (after.kind, POSIX)
    found: list[DiffLine] = []
    for sign, value in (("-", before), ("+", after)):
        if value is not None:
            kind = f"  <{value.kind}>" if named else ""
            found.append(DiffLine(sign, f"{change.name}={value.shown}{kind}"))  # type: ignore[arg-type]
    return tuple(found)


def undo_changes(
    state: EnvState, changes: Iterable[Change], *, force: bool = False
) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
    """What takes ``changes`` back, and those that somebody changed again since (left alone unless ``force``)."""
    back: list[Change] = []
    conflicts: list[Change] = []
    for change in changes:
        scope = state.scope(change.scope)
        if scope.values is None:
            raise AppError("env_unreadable", ExitCode.DENIED, scope=change.scope, reason=scope.reason)
        stored = scope.get(change.name, windows=state.windows)
        now = stored[1] if stored else None
        if now == change.before:
            continue  # never written, or taken back already
        if now != change.after and not force:
            conflicts.append(change)
            continue
        back.append(Change(scope=change.scope, name=change.name, before=now, after=change.before))
    return tuple(back), tuple(conflicts)


class Backup(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that stood in both scopes: what ``restore`` goes by."""

    schema: int = 1
    created: str = ""  # aware ISO time
    system: Literal["windows", "linux"] = "windows"
    user: dict[str, Value] | None = None
    machine: dict[str, Value] | None = None


def restore_changes(state: EnvState, backup: Backup, scopes: Iterable[Scope]) -> tuple[Change, ...]:
    """What makes ``scopes`` again what ``backup`` holds; a scope that it does not hold is left alone."""
    changes: list[Change] = []
    for scope in scopes:
        wanted = backup.user if scope == "user" else backup.machine
        now = state.scope(scope)
        if wanted is None:
            continue
        if now.values is None:
            raise AppError("env_unreadable", ExitCode.DENIED, scope=scope, reason=now.reason)
        names: dict[str, str] = {}
        for name in (*now.values, *wanted):
            names.setdefault(name.casefold() if state.windows else name, name)
        old = ScopeState(scope=scope, values=dict(wanted))
        for name in names.values():
            stands, stood = now.get(name, windows=state.windows), old.get(name, windows=state.windows)
            before, after = (pair[1] if pair else None for pair in (stands, stood))
            if before != after:
                changes.append(Change(scope=scope, name=name, before=before, after=after))
    return tuple(changes)


_ROOTS: Final = {
    "user": "HKEY_CURRENT_USER\\Environment",
    "machine": "HKEY_LOCAL_MACHINE\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment",
}
_NUMBERS: Final = {"REG_SZ": 1, "REG_EXPAND_SZ": 2, "REG_BINARY": 3, "REG_DWORD": 4, "REG_MULTI_SZ": 7, "REG_QWORD": 11}
_NAMES: Final = {number: name for name, number in _NUMBERS.items()}


def reg_file(values: Mapping[Scope, Mapping[str, Value]]) -> bytes:
    r"""A ``.reg`` file that ``reg import`` and a double click understand (UTF-16 with a mark, ``\r\n``)."""
    lines = ["Windows Registry Editor Version 5.00", ""]
    for scope, variables in values.items():
        lines.append(f"[{_ROOTS[scope]}]")
        for name, value in sorted(variables.items()):
            label = name.replace("\\", "\\\\").replace('"', '\\"')
            if value.kind == "REG_SZ" and value.text is not None and value.text.isprintable():
                data = '"' + value.text.replace("\\", "\\\\").replace('"', '\\"') + '"'
            else:
                raw = value.data if value.text is None else (value.text + "\0").encode("utf-16-le", "surrogatepass")
                data = f"hex({_number(value.kind):x}):" + ",".join(f"{byte:02x}" for byte in raw or b"")
            lines.append(f'"{label}"={data}')
        lines.append("")
    return b"\xff\xfe" + "\r\n".join([*lines, ""]).encode("utf-16-le", "surrogatepass")


def value_of(data: object, kind: int) -> Value:
    """A value as ``winreg`` gives it."""
    name = _NAMES.get(kind, str(kind))
    if isinstance(data, str):
        return Value(kind=name, text=data)
    if isinstance(data, bytes):
        return Value(kind=name, data=data)
    if isinstance(data, int):
        return Value(kind=name, data=data.to_bytes(8 if name == "REG_QWORD" else 4, "little", signed=False))
    if isinstance(data, (list, tuple)):
        parts = [str(part) for part in cast("Iterable[object]", data)]
        return Value(kind=name, data="".join(f"{part}\0" for part in [*parts, ""]).encode("utf-16-le", "surrogatepass"))
    return Value(kind=name, data=b"")


def stored_data(value: Value) -> tuple[object, int]:
    """The same for ``winreg``: data and type."""
    number = _number(value.kind)
    if value.text is not None:
        return value.text, number
    data = value.data or b""
    if value.kind in ("REG_DWORD", "REG_QWORD"):
        return int.from_bytes(data, "little"), number
    if value.kind == "REG_MULTI_SZ":
        return data.decode("utf-16-le", "surrogatepass").rstrip("\0").split("\0"), number
    return data, number


def _number(kind: str) -> int:
    return _NUMBERS.get(kind) or (int(kind) if kind.isdigit() else 1)
