r"""Builds the plan of a setup: every command, value and size, decided before anything happens.

Pure: paths are spelled in the style of ``machine.host.os``, so a Windows plan can be made and tested anywhere.
Layout of the target folder T: ``T/env`` (or ``T/env2`` while an older one still stands), the start scripts,
``constraints.txt``, ``verification.*`` and our marker; the name of the environment is short because rocBLAS
dies on Windows when it is installed deeper than 174 characters.
"""

from __future__ import annotations

import ntpath
import posixpath
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

import msgspec
from packaging.version import Version

from rocm_gui.core.check_rules.storage import rocblas_folder
from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.model import Gpu, Machine, PythonInstall, SetupOptions
from rocm_gui.core.plan import Change, Notice, Plan, Step
from rocm_gui.core.route_choice import in_range, judged_gpu, usable_pythons
from rocm_gui.core.start_script import StartSettings, start_files

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rocm_gui.core.routes import GuideStep, Route, RouteChoice
    from rocm_gui.core.sources import SourceChoice

MARKER = ".rocm_gui.json"
PIP_LEAST = "24.1"  # the first with --progress-bar raw
START_FILES = {True: ("start.cmd", "start.ps1"), False: ("start.sh",)}
REPORTS = ("verification.txt", "verification.json", "verification.html")


class PlanContext(msgspec.Struct, frozen=True, kw_only=True):
    """What a plan needs beside the route and its source."""

    machine: Machine
    options: SetupOptions
    target: str  # absolute
    target_exists: bool
    base: PythonInstall  # the interpreter the environment is made from; of conda: the conda program
    setup_id: str
    created: str  # aware ISO time
    state: str  # folder of this setup below the product's own state
    downloads: str
    environment_name: str = "env"
    replaces: str | None = None  # the environment that goes once the new one is proved
    pypi_url: str | None = None  # None: the user's own pip configuration
    proxy: str | None = None
    certificate: str | None = None
    pip_cache: str | None = None  # below the product's own cache, so that nothing is left elsewhere; None: pip's own
    rocblas_path_most: int | None = None  # characters that the path of rocBLAS's kernels may have on Windows


def setup_gfx_targets(choice: RouteChoice, machine: Machine, options: SetupOptions) -> tuple[str, ...]:
    """The gfx targets that device packages are fetched for: the judged GPU first, then other discrete AMD cards.

    An integrated GPU beside a discrete one is left out: the start script hides it, which saves its packages.
    """
    if choice.gfx_target is None:
        return ()
    targets = [choice.gfx_target]
    if options.gfx_target is None:
        known = {*choice.route.gfx_official, *choice.route.gfx_unofficial}
        others = (gpu.gfx_target for gpu in machine.amd_gpus if gpu.integrated is False)
        targets += [target for target in others if target in known]
    return tuple(dict.fromkeys(targets))


def choose_python(route: Route, machine: Machine, options: SetupOptions, own: str | None) -> PythonInstall:
    """The base interpreter: the person's, else the route's preferred version, else ``own``, else the newest in range.

    Raises:
        AppError: ``setup_python_missing``, ``setup_python_unusable``, ``setup_python_out_of_range`` or
            ``setup_python_none``.
    """
    if options.python is not None:
        return _given_python(route, machine, options.python)
    fitting = usable_pythons(route, machine)
    if not fitting:
        found = sorted({python.version for python in machine.pythons or () if python.usable and python.version})
        raise AppError(
            "setup_python_none",
            ExitCode.FAILED,
            needed=python_range(route),
            prefer=route.python_prefer or route.python_max,
            found=", ".join(found) or None,
        )
    if route.python_prefer is not None:
        best = [python for python in fitting if _release(python) == route.python_prefer]
    else:
        best = [python for python in fitting if python.path == own]
    return best[0] if best else max(fitting, key=lambda python: Version(python.version or "0"))


def _release(python: PythonInstall) -> str:
    return ".".join((python.version or "").split(".")[:2])


def _given_python(route: Route, machine: Machine, path: str) -> PythonInstall:
    found = next((python for python in machine.pythons or () if python.path == path), None)
    if found is None:
        raise AppError("setup_python_missing", ExitCode.USAGE, path=path)
    if found.reason == "is_venv":  # an environment is made from what that one was made from
        bases = [python for python in machine.pythons or () if python.usable and python.prefix == found.base_prefix]
        found = bases[0] if bases else found
    if not found.usable or found.version is None:
        raise AppError("setup_python_unusable", ExitCode.USAGE, path=path, reason=found.reason)
    if not in_range(found.version, route):
        raise AppError(
            "setup_python_out_of_range", ExitCode.USAGE, path=path, found=found.version, needed=python_range(route)
        )
    return found


def python_range(route: Route) -> str:
    """The versions that a route takes, as "3.11–3.14", "3.12" or "3.11+"."""
    low, high = route.python_min or "3", route.python_max
    return low if low == high else f"{low}–{high}" if high else f"{low}+"


def build_plan(choice: RouteChoice, source: SourceChoice, context: PlanContext) -> Plan:
    """The whole plan of an installable route."""
    layout = _Layout(context)
    writer = _Steps(choice, source, context, layout)
    targets = setup_gfx_targets(choice, context.machine, context.options)
    return Plan(
        setup_id=context.setup_id,
        route_id=choice.route.id,
        source_id=source.source.id,
        target=context.target,
        environment=layout.environment,
        base_python=context.base.path,
        environment_python=layout.python,
        gfx_target=choice.gfx_target,
        options=context.options,
        steps=writer.all(),
        notices=(*source.notices, *_notices(choice, context, layout, targets)),
        created=context.created,
        index_url=source.url,
        pypi_url=context.pypi_url,
        requirements=source.requirements,
        environment_variables=writer.variables,
        guide=fill_guide(choice, context.machine),
    )


def build_guide(choice: RouteChoice, context: PlanContext) -> Plan:
    """The plan of a guide: nothing that this program does, the steps that the person does."""
    return Plan(
        setup_id=context.setup_id,
        route_id=choice.route.id,
        target=context.target,
        environment="",
        base_python="",
        environment_python="",
        gfx_target=choice.gfx_target,
        options=context.options,
        steps=(),
        notices=tuple(Notice(code=caution.code, facts=dict(caution.facts)) for caution in choice.cautions),
        created=context.created,
        kind="guide",
        guide=fill_guide(choice, context.machine),
    )


def fill_guide(choice: RouteChoice, machine: Machine) -> tuple[GuideStep, ...]:
    """The route's guide with this machine's names in it."""
    gpu = judged_gpu(machine, SetupOptions(gfx_target=choice.gfx_target))
    host = machine.host
    ubuntu = "ubuntu2404"
    if host is not None and host.distribution == "ubuntu" and host.os_release:
        ubuntu = "ubuntu" + host.os_release.replace(".", "")
    names = {
        "{gfx_target}": choice.gfx_target or "gfxNNNN",
        "{family}": (gpu.family if gpu else None) or "FAMILY",
        "{ubuntu}": ubuntu,
    }
    return tuple(
        msgspec.structs.replace(step, lines=tuple(_filled(line, names) for line in step.lines))
        for step in choice.route.guide
    )


def _filled(text: str, names: Mapping[str, str]) -> str:
    for name, value in names.items():
        text = text.replace(name, value)
    return text


class _Layout:
    """Where things go, spelled for the target's system."""

    def __init__(self, context: PlanContext) -> None:
        host = context.machine.host
        self.windows = host is not None and host.os == "windows"
        style: type[PurePath] = PureWindowsPath if self.windows else PurePosixPath
        self._target, self._state = style(context.target), style(context.state)
        self.environment = str(self._target / context.environment_name)
        inside = style(self.environment)
        if not self.windows:
            self.python = str(inside / "bin" / "python")
        elif context.options.env_kind == "conda":
            self.python = str(inside / "python.exe")
        else:
            self.python = str(inside / "Scripts" / "python.exe")
        self.null_device = ntpath.devnull if self.windows else posixpath.devnull  # pip compares by spelling: "nul"

    def target(self, name: str) -> str:
        """A file of ours in the target folder."""
        return str(self._target / name)

    def state(self, name: str) -> str:
        """A file in this setup's state folder."""
        return str(self._state / name)


class _Steps:
    """Writes the steps in their order."""

    def __init__(self, choice: RouteChoice, source: SourceChoice, context: PlanContext, layout: _Layout) -> None:
        self._route = choice.route
        self._source = source
        self._context = context
        self._options = context.options
        self._layout = layout
        value = choice.route.needs_hsa_override.get(choice.gfx_target or "")
        self.variables = {"HSA_OVERRIDE_GFX_VERSION": value} if value else {}

    def all(self) -> tuple[Step, ...]:
        """Every step that this setup has."""
        steps = [
            Step(id="preflight"),
            self._environment(),
            self._pip(),
            self._resolve(),
            self._download(),
            self._install(),
        ]
        if self._options.extras:
            steps.append(self._extras())
        return (*steps, self._start_script(), self._verify(), self._finish())

    def _command(self, *rest: str) -> tuple[str, ...]:
        return (self._layout.python, "-m", "pip", *rest)

    def _isolated(self, *rest: str) -> tuple[str, ...]:
        return self._command("--isolated", "--no-input", "--disable-pip-version-check", "install", *rest)

    def _quiet(self) -> dict[str, str | None]:
        return {"PIP_NO_INPUT": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}

    def _alone(self) -> dict[str, str | None]:
        # --isolated leaves pip's machine-wide configuration in force; the null device takes that away as well
        return {"PIP_CONFIG_FILE": self._layout.null_device}

    def _network(self, *, isolated: bool) -> tuple[str, ...]:
        """What ``--isolated`` would otherwise take away, said explicitly; else only what the person gave."""
        context, options = self._context, self._options
        given = {
            "--proxy": context.proxy if isolated else options.proxy,
            "--cert": context.certificate if isolated else options.ca_bundle,
            "--cache-dir": options.cache_dir or context.pip_cache,
        }
        return tuple(part for name, value in given.items() if value for part in (name, value))

    def _from_pypi(self, *rest: str) -> tuple[tuple[str, ...], dict[str, str | None]]:
        """A pip command on ordinary packages: from the chosen mirror, or as the user's own pip does it."""
        if self._context.pypi_url is None:
            return self._command("install", *self._network(isolated=False), *rest), self._quiet()
        return self._isolated(
            "--index-url", self._context.pypi_url, *self._network(isolated=True), *rest
        ), self._alone()

    def _environment(self) -> Step:
        layout, context = self._layout, self._context
        changes = [] if context.target_exists else [Change(kind="create_folder", path=context.target)]
        changes += [
            Change(kind="create_file", path=layout.target(MARKER)),
            Change(kind="create_folder", path=layout.environment),
        ]
        if self._options.env_kind == "conda":
            version = self._route.python_prefer or self._route.python_max or "3"
            command = (context.base.path, "create", "-y", "-p", layout.environment, f"python={version}")
        else:
            command = (context.base.path, "-m", "venv", layout.environment)
        return Step(id="environment", commands=(command,), changes=tuple(changes))

    def _pip(self) -> Step:
        packages = [f"pip>={PIP_LEAST}"]
        if self._source.source.sdists:
            packages += ["setuptools", "wheel"]
        command, variables = self._from_pypi("--upgrade", *packages)
        change = Change(kind="install", path=self._layout.environment, value=" ".join(packages))
        return Step(id="pip", commands=(command,), variables=variables, changes=(change,))

    def _build(self) -> tuple[str, ...]:
        return ("--no-build-isolation",) if self._source.source.sdists else ()

    def _resolve(self) -> Step:
        source = self._source
        report = ("--dry-run", "--ignore-installed", "--report", self._layout.state("report.json"))
        # fast-deps: of a wheel without separate metadata pip fetches only the end, not gigabytes that come again later
        shown = ("--progress-bar", "raw", "--use-feature", "fast-deps", *self._build())
        # beside direct URLs only ordinary packages are missing, and those come from PyPI or its mirror
        url = self._context.pypi_url if source.source.kind == "files" else source.url
        if url is None:
            arguments = (*report, *shown, *self._network(isolated=False), *source.requirements)
            command, variables = self._command("install", *arguments), self._quiet()
        else:
            pre = ("--pre",) if source.source.pre else ()
            network = self._network(isolated=True)
            command = self._isolated(*report, *shown, "--index-url", url, *pre, *network, *source.requirements)
            variables = self._alone()
        change = Change(kind="create_file", path=self._layout.state("report.json"))
        return Step(id="resolve", commands=(command,), variables=variables, changes=(change,))

    def _download(self) -> Step:
        size = self._route.download_bytes
        if self._source.torch_bytes is not None:
            size = max(size or 0, self._source.torch_bytes)
        change = Change(kind="download", path=self._context.downloads, size_bytes=size)
        return Step(id="download", changes=(change,), download_bytes=size)

    def _install(self) -> Step:
        locked = self._layout.state("locked.txt")
        command = self._isolated("--no-index", "--no-deps", *self._build(), "-r", locked)
        changes = (
            Change(kind="create_file", path=locked),
            Change(
                kind="install",
                path=self._layout.environment,
                size_bytes=self._route.disk_bytes,
                value=" ".join(self._source.requirements),
            ),
            Change(kind="create_file", path=self._layout.target("constraints.txt")),
        )
        return Step(id="install", commands=(command,), variables=self._alone(), changes=changes)

    def _extras(self) -> Step:
        constraints = self._layout.target("constraints.txt")
        command, variables = self._from_pypi("--progress-bar", "raw", "-c", constraints, *self._options.extras)
        change = Change(kind="install", path=self._layout.environment, value=" ".join(self._options.extras))
        return Step(id="extras", commands=(command,), variables=variables, changes=(change,))

    def _start_script(self) -> Step:
        settings = StartSettings(
            environment=self._context.environment_name,
            env_kind=self._options.env_kind,
            target=self._context.target,
            variables=self.variables,
        )
        files = start_files("windows" if self._layout.windows else "linux", settings)
        kind = "replace_file" if self._context.replaces else "create_file"
        changes = [
            Change(kind=kind, path=self._layout.target(name), size_bytes=len(data), value=data.decode("utf-8-sig"))
            for name, data in files.items()
        ]
        return Step(id="start_script", changes=tuple(changes))

    def _verify(self) -> Step:
        changes = tuple(Change(kind="create_file", path=self._layout.target(name)) for name in REPORTS)
        return Step(id="verify", changes=changes)

    def _finish(self) -> Step:
        changes = [Change(kind="replace_file", path=self._layout.target(MARKER))]
        if self._context.replaces:
            changes.append(Change(kind="remove", path=self._context.replaces))
        return Step(id="finish", changes=tuple(changes))


def _notices(choice: RouteChoice, context: PlanContext, layout: _Layout, targets: Sequence[str]) -> list[Notice]:
    notices = [Notice(code=caution.code, facts=dict(caution.facts)) for caution in choice.cautions]
    if context.options.env_kind == "venv":
        facts: dict[str, str | int | float | None] = {"version": context.base.version, "path": context.base.path}
        notices.append(Notice(code="python_chosen", facts=facts))
    gpu = judged_gpu(context.machine, context.options) if targets else None
    notices += [
        Notice(code="igpu_hidden", facts={"hidden": hidden.name, "gpu": gpu.name if gpu else None})
        for hidden in _hidden(gpu, context.machine)
    ]
    if len(targets) > 1:
        notices.append(Notice(code="several_targets", facts={"targets": ", ".join(targets)}))
    most = context.rocblas_path_most
    length = len(rocblas_folder(context.target, choice.route))
    if layout.windows and targets and most is not None and length > most:
        notices.append(Notice(code="path_long", facts={"length": length, "most": most}))
    if context.replaces:
        notices.append(Notice(code="replaces", facts={"old": context.replaces, "new": layout.environment}))
    return notices


def _hidden(gpu: Gpu | None, machine: Machine) -> list[Gpu]:
    if gpu is None or gpu.integrated is not False:
        return []
    return [other for other in machine.amd_gpus if other.integrated is True]
