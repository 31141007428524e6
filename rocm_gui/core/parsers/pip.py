"""What pip prints and reports, typed. Read against pip 23.2 to 26.3; samples stand in the tests."""

from __future__ import annotations

import ast
import contextlib
import re
from urllib.parse import unquote, urlsplit

import msgspec
from packaging.utils import canonicalize_name

from rocm_gui.core.events import AnyEvent, Log, Progress, Stage

_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_RAW_PROGRESS = re.compile(r"^\s*Progress (\d+) of (\d+)\s*$")
_BAR = re.compile(r"([\d.]+)/([\d.]+) (bytes|[kMG]B)\b")
_STEP = re.compile(
    r"^\s*(Collecting|Downloading|Using cached|Processing|Obtaining|Building wheels? for collected packages:|"
    r"Building wheel for|Installing collected packages:|Successfully installed|Successfully uninstalled|"
    r"Uninstalling|Found existing installation:|Attempting uninstall:|Would install|Preparing metadata|"
    r"Requirement already satisfied:)\s*(.*)$"
)
_SIZE = re.compile(r"\(([\d.]+) (bytes|kB|MB|GB)(?:, [^)]*)?\)")
_UNITS = {"bytes": 1, "kB": 1000, "MB": 1000**2, "GB": 1000**3}
_STAGES = {
    "Collecting": "collecting",
    "Downloading": "downloading",
    "Using cached": "cached",
    "Processing": "processing",
    "Installing collected packages:": "installing",
    "Successfully installed": "installed",
    "Building wheel for": "building",
    "Would install": "resolved",
}


class ReportPackage(msgspec.Struct, frozen=True, kw_only=True):
    """One package of an installation report."""

    name: str  # canonical: lower case, hyphens
    version: str
    url: str
    sha256: str | None = None  # None where the index gives none and pip did not download the file
    requested: bool = False
    extras: tuple[str, ...] = ()

    @property
    def filename(self) -> str:
        """The file's name as the URL gives it, unquoted: ``torch-2.13.0+cpu-...whl``."""
        return unquote(urlsplit(self.url).path.rsplit("/", 1)[-1])

    @property
    def is_local(self) -> bool:
        """Whether the file stands on this computer already."""
        return self.url.lower().startswith("file:")


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """``pip install --dry-run --report``: what would be installed."""

    pip_version: str | None
    packages: tuple[ReportPackage, ...]
    python_version: str | None = None


class PipSetting(msgspec.Struct, frozen=True, kw_only=True):
    """One line of ``pip config list``."""

    section: str  # "global", "install", ":env:"
    key: str
    value: str


class _Archive(msgspec.Struct):
    hashes: dict[str, str] = {}
    hash: str | None = None


class _Info(msgspec.Struct):
    url: str
    archive_info: _Archive | None = None


class _Metadata(msgspec.Struct):
    name: str
    version: str


class _Item(msgspec.Struct):
    download_info: _Info
    metadata: _Metadata
    requested: bool = False
    requested_extras: tuple[str, ...] = ()


class _Document(msgspec.Struct):
    version: str
    install: tuple[_Item, ...]
    pip_version: str | None = None
    environment: dict[str, str] = {}


def clean(line: str) -> str:
    """``line`` without colour codes and trailing blanks."""
    return _ANSI.sub("", line).rstrip()


def pip_event(line: str) -> AnyEvent | None:
    """A line of pip's output as an event; None for lines that say nothing."""
    text = clean(line)
    if not text.strip():
        return None
    raw = _RAW_PROGRESS.match(text)
    if raw:
        done, total = int(raw[1]), int(raw[2])
        return Progress(done=done, total=total or None, unit="bytes")
    bar = _BAR.search(text)
    if bar and "(" not in text.split(bar[0])[0]:
        unit = _UNITS[bar[3]]
        return Progress(done=float(bar[1]) * unit, total=float(bar[2]) * unit, unit="bytes")
    step = _STEP.match(text)
    if step and step[1] in _STAGES:
        return Stage(id=f"{_STAGES[step[1]]} {step[2]}".strip())
    return Log(text=text, level=_level(text), stream="stdout")


def size_of(line: str) -> int | None:
    """The size in bytes that a ``Downloading`` line states, rounded as pip rounds it; None where there is none."""
    match = _SIZE.search(clean(line))
    return round(float(match[1]) * _UNITS[match[2]]) if match else None


def errors_of(output: str) -> tuple[str, ...]:
    """The lines of ``output`` that say what went wrong, in order, each once."""
    seen: dict[str, None] = {}
    for line in output.splitlines():
        text = clean(line).strip()
        if text.startswith(("ERROR:", "error:", "fatal:")) or re.match(r"^\w*(Error|Exception): ", text):
            seen.setdefault(text)
    return tuple(seen)


def parse_report(data: bytes) -> Report:
    """A report of pip, format version 1.

    Raises:
        ValueError: where ``data`` is no such report.
    """
    try:
        document = msgspec.json.decode(data, type=_Document)
    except msgspec.MsgspecError as error:
        raise ValueError(f"not a report of pip: {error}") from error
    if document.version != "1":
        raise ValueError(f"not a report of pip that is known: version {document.version}")
    return Report(
        pip_version=document.pip_version,
        packages=tuple(_package(item) for item in document.install),
        python_version=document.environment.get("python_full_version"),
    )


def parse_config(output: str) -> tuple[PipSetting, ...]:
    """The settings that ``pip config list`` prints."""
    found: list[PipSetting] = []
    for line in output.splitlines():
        match = re.match(r"^([^.=]+)\.([\w-]+)=(['\"])(.*)\3\s*$", line.strip())
        if match:
            with contextlib.suppress(ValueError, SyntaxError):  # values are printed with repr()
                value = str(ast.literal_eval(f"{match[3]}{match[4]}{match[3]}"))
                found.append(PipSetting(section=match[1], key=match[2], value=value))
    return tuple(found)


def _package(item: _Item) -> ReportPackage:
    archive = item.download_info.archive_info or _Archive()
    sha256 = archive.hashes.get("sha256")
    if sha256 is None and archive.hash is not None and archive.hash.startswith("sha256="):
        sha256 = archive.hash.removeprefix("sha256=")
    return ReportPackage(
        name=canonicalize_name(item.metadata.name),
        version=item.metadata.version,
        url=item.download_info.url,
        sha256=sha256.lower() if sha256 else None,
        requested=item.requested,
        extras=item.requested_extras,
    )


def _level(text: str) -> str:
    stripped = text.strip()
    if stripped.startswith("ERROR"):
        return "error"
    if stripped.startswith(("WARNING", "DEPRECATION")):
        return "warning"
    return "info"
