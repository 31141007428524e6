"""Routes: the ways to a working PyTorch, as data, and the choice among them."""

from __future__ import annotations

from typing import Literal

import msgspec

LocalText = dict[str, str]  # {"en": ..., "zh_CN": ...}


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """One package index of a route, tried in the order listed."""

    id: str
    kind: Literal["index", "files", "user_pip"]  # files: direct URLs, the rest from the PyPI mirror
    # user_pip: the user's own pip configuration as it is
    url: str | None = None  # {family} and {gfx_target} are filled in
    requirements: tuple[str, ...] = ()  # {device} is replaced by "[device-gfxNNNN]"
    pre: bool = False
    sdists: bool = False  # some packages come as sources: setuptools goes in first, builds run without isolation
    note: LocalText = {}


class GuideStep(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the person does: a sentence and the lines to type in ``shell``."""

    text: LocalText
    shell: Literal["powershell", "cmd", "bash"] | None = None
    lines: tuple[str, ...] = ()  # {gfx_target}, {family} and {distribution} are filled in


class Mirror(msgspec.Struct, frozen=True, kw_only=True):
    """A copy of PyPI."""

    id: str
    title: LocalText
    url: str
    source: str = ""
    checked: str = ""


class TorchPair(msgspec.Struct, frozen=True, kw_only=True):
    """Versions that belong together, as major.minor."""

    torch: str
    torchvision: str
    torchaudio: str


class PythonHelp(msgspec.Struct, frozen=True, kw_only=True):
    """A command that installs a Python; {version} is filled in."""

    os: Literal["windows", "linux"]
    tool: str  # "winget", "uv", "apt"
    command: str
    source: str = ""
    checked: str = ""


class Route(msgspec.Struct, frozen=True, kw_only=True):
    """A way to a PyTorch environment for some systems, GPUs and Pythons. Loaded from ``routes.toml``."""

    id: str
    title: LocalText
    summary: LocalText
    kind: Literal["wheels", "cpu", "wsl", "guide"]  # guide: shown with its steps, not installed by this program
    os: tuple[Literal["windows", "linux", "wsl"], ...]
    rocm_version: str | None = None
    torch_version: str | None = None
    python_min: str | None = None  # "3.11"
    python_max: str | None = None  # "3.14", inclusive
    python_prefer: str | None = None
    gfx_official: tuple[str, ...] = ()
    gfx_unofficial: tuple[str, ...] = ()
    driver_min_windows: str | None = None  # Adrenalin release
    driver_min_linux: str | None = None  # amdgpu release
    needs_hsa_override: dict[str, str] = {}  # gfx target -> value, Linux old stacks only
    sources: tuple[Source, ...] = ()
    system_commands: tuple[tuple[str, ...], ...] = ()  # shown, to be run by the person (WSL, apt)
    guide: tuple[GuideStep, ...] = ()  # of kind guide: all of it; else what the person does before or after
    download_bytes: int | None = None  # about, per GPU architecture
    disk_bytes: int | None = None  # about, installed
    builds_from_source: bool = False  # needs Git, CMake, Ninja, a compiler and a large SSD
    status: Literal["stable", "superseded", "obsolete", "preview"] = "stable"
    rank: int = 100  # lower is better among routes that fit
    limits: tuple[LocalText, ...] = ()
    source: str = ""  # where the facts are from
    checked: str = ""  # ISO date
    origin: Literal["builtin", "user"] = "builtin"


class Unfit(msgspec.Struct, frozen=True, kw_only=True):
    """One reason why a route does not fit, as a code (``[route.unfit.CODE]``) and facts."""

    code: str
    facts: dict[str, str | int | None] = {}


class RouteChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A route judged for one machine."""

    route: Route
    fits: bool
    official: bool = False  # AMD lists this GPU for this route and system
    gfx_target: str | None = None  # the GPU it was judged for
    reasons: tuple[Unfit, ...] = ()  # why it does not fit
    cautions: tuple[Unfit, ...] = ()  # fits, but


class RouteBook(msgspec.Struct, frozen=True, kw_only=True):
    """All that ``routes.toml`` holds, and the user's own routes."""

    routes: tuple[Route, ...]
    mirrors: tuple[Mirror, ...] = ()
    pairs: tuple[TorchPair, ...] = ()
    python_help: tuple[PythonHelp, ...] = ()
