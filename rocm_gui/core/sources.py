"""What a route's source is asked for: URLs and requirements filled in, and the versions that an index has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
from packaging.requirements import Requirement
from packaging.utils import InvalidWheelFilename, canonicalize_name, parse_wheel_filename
from packaging.version import Version

from rocm_gui.core.plan import Notice
from rocm_gui.core.routes import Source

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rocm_gui.core.parsers.simple_index import IndexFile
    from rocm_gui.core.routes import TorchPair

TRIO = ("torch", "torchvision", "torchaudio")


class SourceChoice(msgspec.Struct, frozen=True, kw_only=True):
    """The source that a plan uses, and what is asked of it."""

    source: Source
    url: str | None  # None: the user's own pip configuration
    requirements: tuple[str, ...]
    answered: bool | None = None  # None: was not asked
    verified: bool = True  # the versions are those of the route's data
    torch_bytes: int | None = None  # size of the torch wheel, where the index tells it
    notices: tuple[Notice, ...] = ()


class Wanted(msgspec.Struct, frozen=True, kw_only=True):
    """The interpreter that wheels are looked for."""

    python: str  # "3.12"
    windows: bool
    machine: str = "x86_64"  # as platform tags write it


def fill_url(url: str, gfx_target: str | None, family: str | None) -> str:
    """``url`` with {gfx_target} and {family}."""
    return url.replace("{gfx_target}", gfx_target or "").replace("{family}", family or "")


def requirements_of(
    source: Source, gfx_targets: Sequence[str], torch_version: str | None, pairs: Iterable[TorchPair]
) -> tuple[str, ...]:
    """The requirement lines of ``source`` for exactly ``gfx_targets``.

    ``torch_version`` replaces the source's own pins: torch is pinned to it, torchvision and torchaudio to the
    versions that belong to it, or left to the index where that is not known.
    """
    device = f"[{','.join(f'device-{target}' for target in gfx_targets)}]" if gfx_targets else ""
    lines = tuple(line.replace("{device}", device) for line in source.requirements)
    if torch_version is None or source.kind == "files":
        return lines
    partners = _partners(torch_version, pairs)
    return tuple(_repinned(line, torch_version, partners) for line in lines)


def _partners(torch_version: str, pairs: Iterable[TorchPair]) -> dict[str, str]:
    release = Version(torch_version).release[:2]
    for pair in pairs:
        if Version(pair.torch).release[:2] == release:
            return {"torchvision": f"=={pair.torchvision}.*", "torchaudio": f"=={pair.torchaudio}.*"}
    return {}


def _repinned(line: str, torch_version: str, partners: dict[str, str]) -> str:
    requirement = Requirement(line)
    name = canonicalize_name(requirement.name)
    if name not in TRIO:
        return line
    extras = f"[{','.join(sorted(requirement.extras))}]" if requirement.extras else ""
    pin = f"=={torch_version}" if name == "torch" else partners.get(name, "")
    return f"{requirement.name}{extras}{pin}"


def torch_requirement(requirements: Iterable[str]) -> Requirement | None:
    """The line that asks for torch; None where files are asked for by URL."""
    for line in requirements:
        if not re.match(r"\w+://", line):
            requirement = Requirement(line)
            if canonicalize_name(requirement.name) == "torch":
                return requirement
    return None


def wheels_for(files: Iterable[IndexFile], wanted: Wanted) -> dict[Version, IndexFile]:
    """The newest file of each torch version that this interpreter can install."""
    found: dict[Version, IndexFile] = {}
    for file in files:
        try:
            name, version, _, tags = parse_wheel_filename(file.filename)
        except InvalidWheelFilename:
            continue
        if (
            name == "torch"
            and not file.yanked
            and any(_fits(tag.interpreter, tag.abi, tag.platform, wanted) for tag in tags)
        ):
            found[version] = file
    return found


def _fits(interpreter: str, abi: str, platform: str, wanted: Wanted) -> bool:
    number = wanted.python.replace(".", "")
    if interpreter not in (f"cp{number}", "py3") or abi not in (f"cp{number}", "abi3", "none"):
        return False
    if platform == "any":
        return True
    if wanted.windows:
        return platform == {"x86_64": "win_amd64", "aarch64": "win_arm64"}.get(wanted.machine)
    return platform.startswith(("manylinux", "linux")) and platform.endswith(wanted.machine)


def newest(versions: Iterable[Version], *, pre: bool) -> Version | None:
    """The highest version; a pre-release only where ``pre`` allows it or there is nothing else."""
    every = sorted(versions)
    final = [version for version in every if not version.is_prerelease]
    pool = every if pre or not final else final
    return pool[-1] if pool else None
