"""The table of AMD GPUs (``resources/data/gpus.toml``): which card is it, and what can it run.

PCI ids decide first, marketing names second. What several cards share stays a list of candidates, with only
those facts filled in on which all of them agree; what the table does not know is None.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import msgspec

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.gpu_names import NameIndex
from rocm_gui.core.model import Evidence, Gpu

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

System = Literal["linux", "windows", "wsl"]
Support = Literal["official", "wheel", "too_old", "none"]
MatchedBy = Literal["revision", "device", "name", "gfx_target"]

AMD_VENDOR = "1002"
_PCI_ENTRY = re.compile(r"^([0-9a-f]{4})(?::([0-9a-f]{2}))?(?:@([0-9a-f]{4}:[0-9a-f]{4}))?$")
_T = TypeVar("_T")


class Peak(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Theoretical peaks by data sheet; None where the format does not exist or no figure is known.

    Matrix figures are dense. ``fp32`` of RDNA3 and later counts dual issue.
    """

    mem_bw_gb_s: float | None = None
    fp32_tflops: float | None = None
    fp16_tflops: float | None = None  # vector
    fp16_matrix_tflops: float | None = None
    bf16_matrix_tflops: float | None = None
    fp8_matrix_tflops: float | None = None
    int8_matrix_tops: float | None = None


class GfxTarget(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A compiler target: every card of it takes the same packages."""

    name: str  # "gfx1100"
    architecture: str  # "RDNA3"
    family: str | None = None  # build family of the wheels, "gfx110X-all"
    index_family: str | None = None  # last part of the older one-index-a-family URLs
    extra: str | None = None  # "device-gfx1100", the extra of the multi-arch indexes
    wheels: dict[str, Literal["tested", "built", "nightly"]] = {}  # by system; an absent system has none
    hsa_override: str | None = None  # Linux, ROCm before 7: HSA_OVERRIDE_GFX_VERSION (community practice)
    too_old: bool = False  # no route of this program: use the CPU
    integrated: bool | None = None  # where all chips of the target are one or the other
    pci: tuple[str, ...] = ()  # device ids of these chips that no row names
    graphics_core: tuple[str, ...] = ()  # GC versions of the kernel's IP discovery: "11.0.1" is a gfx1103
    note: str = ""
    source: str = ""
    checked: str = ""


class GpuRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One card, or one integrated GPU."""

    name: str  # "Radeon RX 7900 XTX", without the maker
    series: str
    gfx_target: str | None = None
    architecture: str | None = None  # only where there is no gfx_target
    pci: tuple[str, ...] = ()  # "744c:c8", "15bf" (every revision), "744c:c8@1da2:e471" (one board)
    aliases: tuple[str, ...] = ()  # other names that systems print
    integrated: bool = False
    vram_gb: tuple[float, ...] = ()  # the sizes sold; none for shared memory
    compute_units: int | None = None
    official: tuple[System, ...] = ()  # systems for which AMD lists the card
    systems: tuple[System, ...] = ("linux", "windows", "wsl")  # those that have a compute driver for it
    peak: Peak = Peak()
    note: str = ""
    source: str = ""
    checked: str = ""


class GpuMatch(msgspec.Struct, frozen=True, kw_only=True):
    """What the table says of one adapter."""

    by: MatchedBy
    name: str | None = None  # None where several cards are possible
    candidates: tuple[str, ...] = ()  # the possible cards, where there are several
    gfx_target: str | None = None
    family: str | None = None
    series: str | None = None
    architecture: str | None = None
    integrated: bool | None = None
    rows: tuple[GpuRow, ...] = ()
    target: GfxTarget | None = None

    @property
    def row(self) -> GpuRow | None:
        """The row where it is exactly one."""
        return self.rows[0] if len(self.rows) == 1 else None

    def support(self, system: System) -> Support | None:
        """How far the card is supported on ``system``; None where that depends on which candidate it is."""
        if not self.rows:
            return None if self.target is None else _support(None, self.target, system)
        verdicts: list[Support] = [_support(row, self.target, system) for row in self.rows]
        return _agreed(verdicts)


class _Document(msgspec.Struct, forbid_unknown_fields=True):
    schema: int = 1
    source: str = ""
    checked: str = ""
    targets: dict[str, dict[str, Any]] = {}
    block: list[dict[str, Any]] = []  # defaults of its ``cards``


def gfx_from_version(version: int | None) -> str | None:
    """The gfx target of a KFD ``gfx_target_version`` (``MMmmss`` in decimal): 110501 is gfx1151, 90010 gfx90a.

    90400 to 90402 were steppings of MI300 that compilers call gfx942. None for 0 (a CPU node) and nonsense.
    """
    if version is None or version <= 0:
        return None
    major, minor, stepping = version // 10000, version // 100 % 100, version % 100
    if not (6 <= major <= 19 and minor < 16 and stepping < 16):
        return None
    if (major, minor) == (9, 4):
        return "gfx942"
    return f"gfx{major}{minor:x}{stepping:x}"


def base_gfx_target(text: str | None) -> str | None:
    """``gfx90a`` from ``gfx90a:sramecc+:xnack-`` or ``amdgcn-amd-amdhsa--gfx90a``; None where there is none."""
    found = re.search(r"\bgfx[0-9a-f]{3,5}\b", text.lower()) if text else None
    return found.group(0) if found else None


class GpuTable:
    """The loaded table. Build it with :meth:`from_toml`."""

    def __init__(self, rows: Iterable[GpuRow], targets: Mapping[str, GfxTarget]) -> None:
        self.rows = tuple(rows)
        self.targets = dict(targets)
        self._names = NameIndex((row.name, row.aliases) for row in self.rows)
        self._by_device: dict[str, list[tuple[str | None, str | None, GpuRow]]] = {}
        for row in self.rows:
            for entry in row.pci:
                device, revision, board = _split_entry(entry)
                self._by_device.setdefault(device, []).append((revision, board, row))
        self._target_of_device = {device: target for target in self.targets.values() for device in target.pci}

    @classmethod
    def from_toml(cls, document: Mapping[str, Any], user: Mapping[str, Any] | None = None) -> GpuTable:
        """The table of ``document`` with the rows and targets of ``user`` before and in place of its own.

        Raises:
            AppError: ``gpu_table_malformed`` with the reason.
        """
        rows: dict[tuple[str, str | None], GpuRow] = {}
        targets: dict[str, GfxTarget] = {}
        try:
            for part in (user, document):
                if part is not None:
                    _add_document(msgspec.convert(part, _Document), rows, targets)
            _check_targets(rows.values(), targets)
        except msgspec.ValidationError as error:
            raise AppError("gpu_table_malformed", ExitCode.USAGE, reason=str(error)) from error
        return cls(rows.values(), targets)

    def identify(
        self,
        pci_id: str | None,
        revision: str | None = None,
        subsystem: str | None = None,
        name: str | None = None,
    ) -> GpuMatch | None:
        """The card with this PCI id (``"1002:744c"``), or this name where the table lacks the id.

        The most specific entry wins: board, then revision, then device. A name narrows what the id leaves
        open and never contradicts it. None for other makers' cards and for what the table does not know.
        """
        vendor, device = _split_id(pci_id)
        if vendor is not None and vendor != AMD_VENDOR:
            return None
        named = self._named(name, vendor == AMD_VENDOR)
        if device is not None:
            rows, by = self._rows_of_device(device, _hex(revision), subsystem)
            if rows:
                narrowed = tuple(row for row in rows if row in named)
                return self._match(narrowed or rows, by)
            target = self._target_of_device.get(device)
            if target is not None:
                return self._match(tuple(row for row in named if row.gfx_target == target.name), "device", target)
        return self._match(named, "name") if named else None

    def for_target(self, gfx_target: str | None) -> GpuMatch | None:
        """What the table says of a gfx target alone (``gfx90a:sramecc+:xnack-`` is gfx90a): no name."""
        target = self.targets.get(base_gfx_target(gfx_target) or "")
        return None if target is None else self._match((), "gfx_target", target)

    def target_of_graphics_core(self, version: str | None) -> str | None:
        """The gfx target of a GC block version of Linux' IP discovery, whose numbers are not the target's."""
        fitting = (target.name for target in self.targets.values() if version in target.graphics_core)
        return next(fitting, None)

    def complete(self, gpu: Gpu, system: System | None, name: str | None = None) -> Gpu:
        """``gpu`` with what the table knows and the system did not say, with evidence for each field.

        ``name`` is what the system calls it, where ``gpu.name`` shall not be kept when the table has none.
        A gfx target already there (KFD, HIP) outranks the table's, and picks among the candidates.
        """
        match = self.identify(gpu.pci_id, gpu.pci_revision, gpu.pci_subsystem, gpu.name or name)
        if gpu.gfx_target is not None:
            match = self._narrow_by_target(match, gpu.gfx_target)
        if match is None:
            return gpu
        source = f"gpus.toml by {match.by.replace('_', ' ')}"
        known: dict[str, Any] = {
            field: value
            for field in ("name", "gfx_target", "family", "series", "architecture", "integrated")
            if getattr(gpu, field) is None and (value := getattr(match, field)) is not None
        }
        if match.name is not None and match.name != gpu.name:
            known["name"] = match.name
        elif match.candidates and match.candidates != gpu.candidates:
            known["candidates"] = match.candidates
        evidence = tuple(Evidence(field=key, source=source, value=_shown(value)) for key, value in known.items())
        known.setdefault("candidates", () if match.name is not None else gpu.candidates)
        support = gpu.support or (match.support(system) if system else None)
        return msgspec.structs.replace(gpu, **known, support=support, evidence=gpu.evidence + evidence)

    def _named(self, name: str | None, known_amd: bool) -> tuple[GpuRow, ...]:
        return tuple(self.rows[index] for index in self._names.find(name, known_amd=known_amd)) if name else ()

    def _rows_of_device(
        self, device: str, revision: str | None, subsystem: str | None
    ) -> tuple[tuple[GpuRow, ...], MatchedBy]:
        """The rows of the most specific kind of entry that fits; all rows of the device where none does."""
        entries = self._by_device.get(device, [])
        board = subsystem.lower() if subsystem else None
        boards = [row for want, on, row in entries if on and on == board and want in {None, revision}]
        exact = [row for want, on, row in entries if not on and want is not None and want == revision]
        every = [row for want, on, row in entries if not on and want is None]
        if boards or exact:
            return _unique(boards or exact), "revision"
        if every and revision is not None:
            return _unique(every), "device"
        return _unique(row for _, _, row in entries), "device"

    def _match(self, rows: tuple[GpuRow, ...], by: MatchedBy, target: GfxTarget | None = None) -> GpuMatch:
        gfx = _agreed(row.gfx_target for row in rows) if rows else None
        target = target or self.targets.get(gfx or "")
        architecture = _agreed(self._architecture(row) for row in rows) if rows else None
        names = tuple(dict.fromkeys(row.name for row in rows))
        return GpuMatch(
            by=by,
            name=names[0] if len(names) == 1 else None,
            candidates=names if len(names) > 1 else (),
            gfx_target=target.name if target else None,
            family=target.family if target else None,
            series=_agreed(row.series for row in rows) if rows else None,
            architecture=target.architecture if target else architecture,
            integrated=_agreed(row.integrated for row in rows) if rows else (target.integrated if target else None),
            rows=rows,
            target=target,
        )

    def _narrow_by_target(self, match: GpuMatch | None, gfx_target: str) -> GpuMatch | None:
        """``match`` reduced to the cards of a target that the system itself reported."""
        target = self.targets.get(gfx_target)
        if match is None or (match.gfx_target is None and not match.rows):
            return self.for_target(gfx_target)
        fitting = tuple(row for row in match.rows if row.gfx_target == gfx_target)
        if fitting:
            return self._match(fitting, match.by, target)
        narrowed = self._match(match.rows, match.by, target)
        if target is None:  # a target newer than the table: its card may be known, its packages are not
            return msgspec.structs.replace(narrowed, gfx_target=gfx_target, family=None, target=None)
        return narrowed

    def _architecture(self, row: GpuRow) -> str | None:
        target = self.targets.get(row.gfx_target or "")
        return row.architecture or (target.architecture if target else None)


def _add_document(
    document: _Document, rows: dict[tuple[str, str | None], GpuRow], targets: dict[str, GfxTarget]
) -> None:
    """Add what is not there yet; the document's source and date stand in for entries without their own."""
    if document.schema != 1:
        raise msgspec.ValidationError(f"schema {document.schema} is not 1")
    default = {"source": document.source, "checked": document.checked}
    for name, fields in document.targets.items():
        targets.setdefault(name, msgspec.convert(default | fields | {"name": name}, GfxTarget))
    for block in document.block:
        shared = default | {key: value for key, value in block.items() if key != "cards"}
        for card in msgspec.convert(block.get("cards", []), list[dict[str, Any]]):
            row = msgspec.convert(shared | card, GpuRow)
            for entry in row.pci:
                _split_entry(entry)
            rows.setdefault((row.name, row.gfx_target), row)


def _check_targets(rows: Iterable[GpuRow], targets: Mapping[str, GfxTarget]) -> None:
    for row in rows:
        if row.gfx_target is not None and row.gfx_target not in targets:
            raise msgspec.ValidationError(f"{row.name}: no [targets.{row.gfx_target}]")


def _support(row: GpuRow | None, target: GfxTarget | None, system: System) -> Support:
    if row is not None and system in row.official:
        return "official"
    if target is None or target.too_old:
        return "too_old" if target or (row and row.architecture) else "none"
    usable = row is None or system in row.systems
    return "wheel" if usable and system in target.wheels else "none"


def _split_entry(entry: str) -> tuple[str, str | None, str | None]:
    found = _PCI_ENTRY.match(entry)
    if found is None:
        raise msgspec.ValidationError(f"not a PCI entry: {entry!r}")
    return found.group(1), found.group(2), found.group(3)


def _split_id(pci_id: str | None) -> tuple[str | None, str | None]:
    """Vendor and device of ``"1002:744C"``, lower case; None twice where it is no such id."""
    found = re.fullmatch(r"(?:0x)?([0-9a-f]{4}):(?:0x)?([0-9a-f]{4})", pci_id.strip().lower()) if pci_id else None
    return (found.group(1), found.group(2)) if found else (None, None)


def _hex(revision: str | None) -> str | None:
    """``"0xC8"`` and ``"C8"`` as ``"c8"``."""
    return revision.strip().lower().removeprefix("0x").zfill(2) if revision else None


def _unique(rows: Iterable[GpuRow]) -> tuple[GpuRow, ...]:
    return tuple({(row.name, row.gfx_target): row for row in rows}.values())


def _agreed(values: Iterable[_T]) -> _T | None:
    """The value on which all agree, else None."""
    seen = list(values)
    return seen[0] if seen and all(value == seen[0] for value in seen) else None


def _shown(value: object) -> str:
    return " | ".join(map(str, value)) if isinstance(value, tuple) else str(value)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
