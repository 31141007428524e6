"""The written memory of one setup: what was begun, what was changed, what is left; folded purely from its lines.

A journal is a file of JSON lines, each written and synchronised before the act it announces (``intent``) or right
after it (``changed``, ``done``). A process killed at any byte leaves at worst a torn last line, which is ignored.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from rocm_gui.core.plan import StepState

EventName = Literal[
    "opened",
    "resumed",
    "begin",
    "intent",
    "changed",
    "done",
    "skipped",
    "failed",
    "cancelled",
    "undo_begin",
    "undone",
    "conflict",
    "undo_done",
]
MadeKind = Literal["folder", "file", "replaced_file", "tree", "stashed", "removed_tree"]
Phase = Literal["new", "applying", "failed", "cancelled", "done", "undoing", "undone"]
Fact = str | int | float | bool | None


class Made(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One change to the machine, with what is needed to take it back.

    ``folder``: an empty folder; ``tree``: a folder with all that a tool puts into it, listed in ``manifest`` once it
    stands; ``file`` and ``replaced_file``: content with ``sha256`` (``backup`` keeps the former content);
    ``stashed``: files moved aside, listed in ``manifest``, now below ``backup``; ``removed_tree``: an older
    environment of ours, gone for good.
    """

    kind: MadeKind
    path: str
    sha256: str | None = None
    former_sha256: str | None = None  # of our own earlier content, which stands there until this change is confirmed
    backup: str | None = None
    backup_sha256: str | None = None
    manifest: str | None = None


class Entry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One line of a journal; ``seq`` counts from 1 without gaps, ``time`` is aware ISO time."""

    seq: int
    time: str
    event: EventName
    step: str = ""
    made: Made | None = None
    facts: dict[str, Fact] = {}


class MadeState(msgspec.Struct, frozen=True, kw_only=True):
    """A change as the journal knows it."""

    made: Made
    step: str
    certain: bool  # False: announced, then the process ended; it may or may not have happened
    undone: bool = False


class StepRecord(msgspec.Struct, frozen=True, kw_only=True):
    """How far a step came."""

    id: str
    state: StepState
    facts: dict[str, Fact] = {}


class SetupRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A journal folded up."""

    phase: Phase
    steps: dict[str, StepRecord]
    made: tuple[MadeState, ...]
    current: str | None = None  # step that was begun and has no end
    last_time: str | None = None
    entries: int = 0
    torn: bool = False  # the last line was cut by a crash and ignored
    conflicts: tuple[str, ...] = ()

    @property
    def interrupted(self) -> bool:
        """Whether a step was begun and never ended: the process was killed, or still runs."""
        return self.current is not None or (self.phase == "undoing")

    def done(self, step_id: str) -> bool:
        """Whether ``step_id`` is behind us."""
        record = self.steps.get(step_id)
        return record is not None and record.state in ("done", "warning", "skipped")


class JournalDamagedError(ValueError):
    """A line before the last cannot be read: the file was changed by something else."""

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line}")
        self.line = line


_DECODER = msgspec.json.Decoder(Entry)
_ENCODER = msgspec.json.Encoder()


def encode_entry(entry: Entry) -> bytes:
    """One line with its newline."""
    return _ENCODER.encode(entry) + b"\n"


def decode_journal(data: bytes) -> tuple[tuple[Entry, ...], int]:
    """The entries of ``data`` and the length in bytes of its sound part.

    A last line that is cut short is not an entry: the sound part ends before it.

    Raises:
        JournalDamagedError: where a line other than the last is not an entry, or a number is missing.
    """
    entries: list[Entry] = []
    sound = 0
    lines = data.split(b"\n")
    tail = lines.pop()  # empty when the data ends with a newline; else a torn line
    for number, line in enumerate(lines, start=1):
        try:
            entry = _DECODER.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            if number == len(lines) and not tail:
                break  # a newline inside a block that was never written completely
            raise JournalDamagedError(number) from error
        if entry.seq != number:
            raise JournalDamagedError(number)
        entries.append(entry)
        sound += len(line) + 1
    return tuple(entries), sound


_ENDS: dict[str, StepState] = {"done": "done", "skipped": "skipped", "failed": "failed", "cancelled": "cancelled"}


class _Fold:
    """The running sum over a journal."""

    def __init__(self) -> None:
        self.phase: Phase = "new"
        self.steps: dict[str, StepRecord] = {}
        self.made: dict[tuple[str, str], MadeState] = {}
        self.current: str | None = None
        self.conflicts: list[str] = []

    def add(self, entry: Entry) -> None:
        name = entry.event
        if name in ("opened", "resumed"):
            self.phase = "applying"
        elif name == "begin":
            self.current = entry.step
            self.phase = "applying"
            self._step(entry, "interrupted")
        elif name in _ENDS:
            self._end(entry)
        elif name in ("intent", "changed", "undone", "conflict"):
            self._change(entry)
        elif name == "undo_begin":
            self.phase, self.current, self.conflicts = "undoing", None, []
        elif name == "undo_done":
            self._undo_done()

    def _step(self, entry: Entry, state: StepState) -> None:
        self.steps[entry.step] = StepRecord(id=entry.step, state=state, facts=entry.facts)

    def _end(self, entry: Entry) -> None:
        state = _ENDS[entry.event]
        if entry.event == "done" and entry.facts.get("warning"):
            state = "warning"
        self._step(entry, state)
        self.current = None
        if entry.event in ("failed", "cancelled"):
            self.phase = "failed" if entry.event == "failed" else "cancelled"
        elif entry.step == "finish":
            self.phase = "done"

    def _change(self, entry: Entry) -> None:
        if entry.made is None:
            return
        key = (entry.made.kind, entry.made.path)
        known = self.made.get(key)
        if entry.event == "conflict":
            self.conflicts.append(entry.made.path)
        elif entry.event == "undone":
            if known is not None:
                self.made[key] = MadeState(made=known.made, step=known.step, certain=known.certain, undone=True)
        else:
            step = known.step if known is not None and not known.undone else entry.step
            if known is not None and known.undone:
                del self.made[key]  # made anew: it counts from here
            self.made[key] = MadeState(made=entry.made, step=step, certain=entry.event == "changed")

    def _undo_done(self) -> None:
        self.phase = "undone"
        self.current = None
        self.steps = {
            step_id: StepRecord(id=step_id, state="undone", facts=step.facts) if step.state != "skipped" else step
            for step_id, step in self.steps.items()
        }


def fold(entries: tuple[Entry, ...], *, torn: bool = False) -> SetupRecord:
    """What the journal says in sum."""
    total = _Fold()
    for entry in entries:
        total.add(entry)
    return SetupRecord(
        phase=total.phase,
        steps=total.steps,
        made=tuple(total.made.values()),
        current=total.current,
        last_time=entries[-1].time if entries else None,
        entries=len(entries),
        torn=torn,
        conflicts=tuple(total.conflicts),
    )
