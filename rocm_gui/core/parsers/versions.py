"""Versions as tools print them, and their order.

Shapes seen: ``git version 2.47.0.windows.2`` · ``cmake version 3.29.5-msvc4`` · ``1.11.1.git.kitware.jobserver-1``
(ninja) · ``uv 0.5.11 (c4d0caaee 2024-12-19)`` · ``conda 24.11.1`` · ``v1.9.25200`` (winget) · ``HIP version:
6.1.40093-bd86f1708`` (hipcc, with warnings of Perl ahead of it) · ``6.2.4-120`` (ROCm's ``.info/version``).
"""

from __future__ import annotations

import re

NUMBER = r"(\d+(?:\.\d+)+)"
_PATTERNS = {
    "git": re.compile(rf"^git version {NUMBER}", re.MULTILINE),
    "cmake": re.compile(rf"^cmake\d? version {NUMBER}", re.MULTILINE),
    "ninja": re.compile(rf"\A\s*{NUMBER}"),
    "uv": re.compile(rf"^uv {NUMBER}", re.MULTILINE),
    "conda": re.compile(rf"^(?:conda|micromamba|mamba)?\s*{NUMBER}", re.MULTILINE),
    "winget": re.compile(rf"^v{NUMBER}", re.MULTILINE),
    "hipcc": re.compile(rf"^HIP version\s*: {NUMBER}", re.MULTILINE),
}
_CONDA_META = re.compile(rf"conda-{NUMBER}-[^-]+\.json")
_FOLDER = re.compile(r"(?:rocm-|core-)?v?(\d+(?:\.\d+)*)")
_HIP_FILE = re.compile(r"^HIP_VERSION_(MAJOR|MINOR|PATCH)=(\d+)\s*$", re.MULTILINE)


def parse_tool_version(tool: str, text: str) -> str | None:
    """The dotted number in what ``tool --version`` printed; None where it is not there."""
    pattern = _PATTERNS.get(tool)
    found = pattern.search(text) if pattern else None
    return found.group(1) if found else None


def parse_conda_meta(name: str) -> str | None:
    """Conda's version from the name of its record in ``conda-meta``: ``conda-24.11.1-py312h06a4308_0.json``."""
    found = _CONDA_META.fullmatch(name)
    return found.group(1) if found else None


def parse_rocm_info(text: str) -> str | None:
    """The version in ROCm's ``.info/version`` (``6.2.4-120``); the build number after the dash is left out."""
    found = re.match(rf"\s*{NUMBER}", text)
    return found.group(1) if found else None


def parse_rocm_folder(name: str) -> str | None:
    """The version in a folder's name: ``rocm-6.2.4``, ``core-10.1``, ``6.4`` (HIP SDK)."""
    found = _FOLDER.fullmatch(name)
    return found.group(1) if found else None


def parse_hip_version_file(text: str) -> str | None:
    """HIP's version from its ``.hipVersion`` file (``HIP_VERSION_MAJOR=6`` and so on)."""
    parts = dict(_HIP_FILE.findall(text))
    if not {"MAJOR", "MINOR"} <= set(parts):
        return None
    return ".".join(parts[name] for name in ("MAJOR", "MINOR", "PATCH") if name in parts)


def version_numbers(text: str | None) -> tuple[int, ...]:
    """The numbers of a version, to compare by: 6.10 is after 6.2; empty (before all) for None."""
    return tuple(int(part) for part in re.findall(r"\d+", text or ""))
