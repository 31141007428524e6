"""A setup before it happens: every command, value and size, shown first and then carried out as shown."""

from __future__ import annotations

from typing import Literal

import msgspec

from rocm_gui.core.model import SetupOptions
from rocm_gui.core.routes import GuideStep

StepState = Literal["waiting", "running", "done", "warning", "failed", "skipped", "cancelled", "interrupted", "undone"]


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that a step does to the machine."""

    kind: Literal["create_folder", "create_file", "replace_file", "download", "install", "remove"]
    path: str
    size_bytes: int | None = None
    value: str | None = None  # content or a summary, for small files


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One step of a plan."""

    id: Literal[
        "preflight",
        "environment",
        "pip",
        "resolve",
        "download",
        "install",
        "extras",
        "start_script",
        "verify",
        "finish",
    ]
    commands: tuple[tuple[str, ...], ...] = ()  # argv lists, exactly as run
    variables: dict[str, str | None] = {}  # set (or, with None, removed) for those commands only
    changes: tuple[Change, ...] = ()
    download_bytes: int | None = None
    needs_admin: bool = False


class Notice(msgspec.Struct, frozen=True, kw_only=True):
    """A warning or remark: ``[setup.notice.CODE]`` in the messages."""

    code: str
    facts: dict[str, str | int | float | None] = {}


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A whole setup, fixed: applying it does what it says."""

    schema: int = 1
    setup_id: str
    route_id: str
    source_id: str | None = None
    target: str
    environment: str  # folder of the new Python environment
    base_python: str
    environment_python: str
    gfx_target: str | None = None
    options: SetupOptions
    steps: tuple[Step, ...]
    notices: tuple[Notice, ...] = ()
    created: str = ""  # aware ISO time
    kind: Literal["install", "guide", "repair"] = "install"  # guide: the person follows ``guide``, no steps of ours
    guide: tuple[GuideStep, ...] = ()
    index_url: str | None = None  # where torch comes from; None for the user's own pip configuration
    pypi_url: str | None = None  # where everything else comes from; None for the user's own pip configuration
    requirements: tuple[str, ...] = ()  # what is asked of the index
    environment_variables: dict[str, str] = {}  # for the start script
