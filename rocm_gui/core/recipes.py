"""Recipes for building from source, as data, and the plan that one of them makes on one machine."""

from __future__ import annotations

import ntpath
import posixpath
import re
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.routes import LocalText

if TYPE_CHECKING:
    from collections.abc import Mapping

BuildSystem = Literal["windows", "linux"]
StepId = Literal["clone", "sources", "configure", "build", "build_install", "build_verify"]
JobsLimit = Literal["cores", "ram", "asked"]
NeedId = Literal[
    "git", "cmake", "ninja", "compiler", "python", "perl", "disk", "ram", "long_paths", "symlinks", "short_path"
]  # fmt: skip
GIB = 1 << 30


_VENV_PYTHON = {"windows": ("Scripts", "python.exe"), "linux": ("bin", "python")}


class SourceMirror(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One address of a recipe's source."""

    id: str
    title: LocalText
    url: str


class Need(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing that must be there: ``[build.need.ID]`` in the messages."""

    id: NeedId
    systems: tuple[BuildSystem, ...] = ("windows", "linux")
    at_least: str | None = None  # version, GB, or characters
    below: str | None = None  # version
    wanted: str | None = None  # less is a warning only


class RecipeStep(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One step; ``{placeholders}`` are filled, a part that is just ``{gfx}``-like and empty is left out."""

    id: StepId
    commands: tuple[tuple[str, ...], ...]
    systems: tuple[BuildSystem, ...] = ("windows", "linux")
    cwd: Literal["source", "work"] = "work"


class Recipe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One row of ``recipes.toml``."""

    id: str
    title: LocalText
    summary: LocalText
    remarks: tuple[LocalText, ...] = ()  # what to know before
    lines: tuple[str, ...] = ()  # as a tutorial prints them
    mirrors: tuple[SourceMirror, ...] = ()
    needs: tuple[Need, ...] = ()
    steps: tuple[RecipeStep, ...]
    makes_runtime: bool = False  # whether what comes out can run GPU programs
    prefix: dict[str, str] = {}  # by system; none: one of the account's own
    ram_per_job_gib: float = 2.0
    source_folder: str = "source"
    build_folder: str = "build"
    families: dict[str, str] = {}  # gfx target -> what the build calls its family
    source: str = ""
    checked: str = ""


class _File(msgspec.Struct, forbid_unknown_fields=True):
    recipe: tuple[Recipe, ...]


def load_recipes(document: Mapping[str, Any]) -> dict[str, Recipe]:
    """The recipes of a parsed ``recipes.toml`` by id.

    Raises:
        msgspec.ValidationError: with the place of what is wrong.
    """
    return {recipe.id: recipe for recipe in msgspec.convert(document, _File).recipe}


class BuildOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What a person chose. None is the recipe's or this machine's own."""

    recipe_id: str = "cmake"
    source: str | None = None  # URL or folder; None: the recipe's own address
    mirror: str | None = None
    ref: str | None = None  # branch, tag or commit
    work_dir: str = ""
    prefix: str | None = None
    generator: str | None = None  # "Ninja" where there is one
    build_type: str = "Release"
    gfx_targets: tuple[str, ...] = ()
    jobs: int | None = None
    ccache: bool = False
    defines: tuple[str, ...] = ()  # KEY=VALUE
    shallow: bool = True


class MachineFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a plan depends on. Not known is None."""

    system: BuildSystem
    cores: int | None = None
    ram_bytes: int | None = None
    local_data: str = ""  # %LOCALAPPDATA%, ~/.local
    python: str = "python3"
    tools: dict[str, str] = {}  # id -> path of git, cmake, ninja, ccache
    gfx_targets: tuple[str, ...] = ()


class BuildStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step with its exact commands."""

    id: StepId
    commands: tuple[tuple[str, ...], ...]
    cwd: str
    needs_admin: bool = False


class BuildPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A whole build, fixed: running it does what it says."""

    schema: int = 1
    recipe_id: str
    options: BuildOptions
    url: str | None  # None: a folder of this computer
    source_dir: str
    build_dir: str
    work_dir: str
    prefix: str
    generator: str | None
    jobs: int
    jobs_limit: JobsLimit
    steps: tuple[BuildStep, ...]
    makes_runtime: bool = False


def parallel_jobs(recipe: Recipe, options: BuildOptions, facts: MachineFacts) -> tuple[int, JobsLimit]:
    """How many compilers run at once, and what limits them: one core and ``ram_per_job_gib`` each."""
    if options.jobs is not None:
        return options.jobs, "asked"
    cores = facts.cores or 1
    if facts.ram_bytes is None:
        return cores, "cores"
    by_ram = max(1, int(facts.ram_bytes / GIB / recipe.ram_per_job_gib))
    return (by_ram, "ram") if by_ram < cores else (cores, "cores")


def is_url(text: str) -> bool:
    """Whether git fetches it from elsewhere."""
    return bool(re.match(r"(?:https?|ssh|git|file)://|[\w.-]+@[\w.-]+:", text))


def make_plan(recipe: Recipe, options: BuildOptions, facts: MachineFacts) -> BuildPlan:
    """The plan for ``options`` on a machine. Pure: nothing is looked up.

    Raises:
        AppError: ``build_no_source``, ``build_mirror``, ``build_work_dir``, ``build_define``, ``build_jobs``,
            ``build_ref``, ``build_tool_missing``.
    """
    path = ntpath if facts.system == "windows" else posixpath
    _check_options(options, path)
    url, source_dir = _source(recipe, options, path)
    work = path.normpath(options.work_dir)
    source_dir = source_dir or path.join(work, recipe.source_folder)
    prefix = options.prefix or recipe.prefix.get(facts.system) or path.join(facts.local_data, "rocm-build", recipe.id)
    jobs, limit = parallel_jobs(recipe, options, facts)
    generator = options.generator or ("Ninja" if "ninja" in facts.tools else None)
    gfx = options.gfx_targets or facts.gfx_targets
    families = dict.fromkeys(recipe.families.get(target, target) for target in gfx)
    values = {
        "git": facts.tools.get("git", "git"),
        "cmake": facts.tools.get("cmake", "cmake"),
        "python": facts.python,
        "url": url or "",
        "ref": options.ref or "HEAD",
        "source": source_dir,
        "build": path.join(work, recipe.build_folder),
        "work": work,
        "prefix": prefix,
        "jobs": str(jobs),
        "build_type": options.build_type,
        "generator": f"-G{generator}" if generator else "",
        "families": f"-DTHEROCK_AMDGPU_FAMILIES={';'.join(families)}" if families else "",
        "depth": "--depth=1" if options.shallow else "",
        "ccache": "-DCMAKE_C_COMPILER_LAUNCHER=ccache" if options.ccache else "",
        "ccache_cxx": "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache" if options.ccache else "",
        "defines": "",
        "venv_python": path.join(work, "tools", *_VENV_PYTHON[facts.system]),
    }
    steps: list[BuildStep] = []
    for step in recipe.steps:
        if facts.system not in step.systems or (step.id == "clone" and url is None):
            continue
        commands = tuple(_filled(command, values, options.defines) for command in step.commands)
        steps.append(BuildStep(id=step.id, commands=commands, cwd=source_dir if step.cwd == "source" else work))
    return BuildPlan(
        recipe_id=recipe.id,
        options=options,
        url=url,
        source_dir=source_dir,
        build_dir=values["build"],
        work_dir=work,
        prefix=prefix,
        generator=generator,
        jobs=jobs,
        jobs_limit=limit,
        steps=tuple(steps),
        makes_runtime=recipe.makes_runtime,
    )


def _check_options(options: BuildOptions, path: Any) -> None:  # noqa: ANN401 - ntpath or posixpath
    if not path.isabs(options.work_dir):
        raise AppError("build_work_dir", ExitCode.USAGE, path=options.work_dir)
    for define in options.defines:
        if not re.fullmatch(r"[A-Za-z_][\w.-]*(?::[A-Z]+)?=.*", define, re.DOTALL) or "\n" in define:
            raise AppError("build_define", ExitCode.USAGE, define=define)
    if options.jobs is not None and not 1 <= options.jobs <= 1024:
        raise AppError("build_jobs", ExitCode.USAGE, jobs=options.jobs)
    if options.ref is not None and not re.fullmatch(r"[\w][\w./+@-]*", options.ref):
        raise AppError("build_ref", ExitCode.USAGE, ref=options.ref)


def _source(recipe: Recipe, options: BuildOptions, path: Any) -> tuple[str | None, str | None]:  # noqa: ANN401
    """(URL, None) of what is fetched, or (None, folder) of what is here."""
    if options.source:
        if is_url(options.source):
            return options.source, None
        return None, path.normpath(options.source)
    if not recipe.mirrors:
        raise AppError("build_no_source", ExitCode.USAGE, recipe=recipe.id)
    wish = options.mirror or recipe.mirrors[0].id
    for mirror in recipe.mirrors:
        if mirror.id == wish:
            return mirror.url, None
    names = ", ".join(mirror.id for mirror in recipe.mirrors)
    raise AppError("build_mirror", ExitCode.USAGE, mirror=wish, names=names)


def _filled(command: tuple[str, ...], values: Mapping[str, str], defines: tuple[str, ...]) -> tuple[str, ...]:
    words: list[str] = []
    for word in command:
        if word == "{defines}":
            words += [f"-D{define}" for define in defines]
            continue
        text = re.sub(r"\{(\w+)\}", lambda match: values[match[1]], word)
        if text or not word.startswith("{"):
            words.append(text)
    return tuple(words)
