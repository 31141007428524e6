"""From a person's options to a plan: route, Python, source and target folder, each checked before the plan is built."""

from __future__ import annotations

import contextlib
import difflib
import ntpath
import platform
import posixpath
import secrets
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

import msgspec
from packaging.requirements import InvalidRequirement, Requirement
from packaging.version import InvalidVersion, Version

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.model import PythonInstall
from rocm_gui.core.parsers.simple_index import IndexFile
from rocm_gui.core.plan import Notice, Plan
from rocm_gui.core.planner import PlanContext, build_guide, build_plan, choose_python, setup_gfx_targets
from rocm_gui.core.redact import mask_secrets
from rocm_gui.core.route_choice import choose_routes, judged_gpu, system_of
from rocm_gui.core.settings import check_setting
from rocm_gui.core.sources import SourceChoice, Wanted, torch_requirement, wheels_for
from rocm_gui.services.indexes import HttpIndex, Question, choose_source
from rocm_gui.services.own_python import own_python
from rocm_gui.services.setup_steps import check_target_folder
from rocm_gui.services.setup_store import read_marker
from rocm_gui.system.pyenv import same_python

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocm_gui.core.model import Machine, SetupOptions
    from rocm_gui.core.routes import Route, RouteBook, RouteChoice
    from rocm_gui.services.indexes import Index
    from rocm_gui.system.paths import Paths

PROBES = ("host", "gpus", "pythons", "tools", "linux_access", "pip_config")  # what a plan looks at
NAMES = ("env", "env2")  # folders of an environment in its target, taken in turn
_SYSTEM_FOLDERS = {
    "linux": ("/bin", "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/run", "/sbin", "/sys", "/usr", "/var"),
    "windows": ("SystemRoot", "ProgramFiles", "ProgramFiles(x86)", "ProgramW6432", "ProgramData"),  # variables
}
_MACHINES = {"amd64": "x86_64", "x64": "x86_64", "arm64": "aarch64"}


@dataclass(frozen=True)
class SetupPlanner:
    """Makes plans for one machine; ``own_python`` is the interpreter that runs us, None in a frozen program."""

    paths: Paths
    book: RouteBook
    machine: Machine
    default_target: str
    environ: Mapping[str, str]
    index: Index | None = None  # None: the network
    rocblas_path_most: int | None = None  # characters, on Windows
    recorded: bool = False  # the machine is a record: its folders are not here
    now: datetime | None = None

    def plan(self, options: SetupOptions) -> Plan:
        """The plan for ``options``.

        Raises:
            AppError: ``route_unknown``, ``route_unfit``, ``route_none``, ``gfx_target_unknown``, ``target_*``,
                ``setup_python_*``, ``conda_missing``, ``mirror_unknown``, ``no_wheel``, ``torch_version_*``,
                ``extra_malformed``, ``url_malformed``, ``proxy_malformed``.
        """
        options = self._with_listed_python(options)
        choice = pick_choice(choose_routes(self.book.routes, self.machine, options), options.route_id)
        now = self.now or datetime.now(timezone.utc).astimezone()
        setup_id = f"{now:%Y%m%d-%H%M%S}-{secrets.token_hex(2)}"
        target = self._target(options)
        base = PythonInstall(path="")
        context = PlanContext(
            machine=self.machine,
            options=options,
            target=target,
            target_exists=not self.recorded and Path(target).is_dir(),
            base=base,
            setup_id=setup_id,
            created=now.isoformat(timespec="seconds"),
            state=str(self.paths.setups / setup_id),
            downloads=str(self.paths.downloads),
            rocblas_path_most=self.rocblas_path_most,
        )
        if choice.route.kind == "guide":
            return build_guide(choice, context)
        if not choice.fits and not _lacks_only_python(choice):
            raise AppError("route_unfit", ExitCode.FAILED, route=choice.route.id, reasons=choice.reasons)
        _check_words(options)
        python = self._base(choice.route, options)
        name, replaces = self._environment(target)
        context = msgspec.structs.replace(
            context,
            base=python,
            environment_name=name,
            replaces=replaces,
            pypi_url=self._mirror(options.pypi_mirror),
            proxy=self._proxy(options),
            certificate=self._certificate(options),
            pip_cache=None if self.recorded else str(self.paths.cache / "pip"),
        )
        return build_plan(choice, self._source(choice, options, python), context)

    def check_target(self, options: SetupOptions) -> str:
        """The target folder in its normal spelling, when a setup may have it. Touches the disk, asks no network.

        Raises:
            AppError: ``target_*`` or ``setup_unfinished``.
        """
        target = self._target(options)
        if not self.recorded:
            check_target_folder(self.paths, Path(target))
        return target

    @property
    def _windows(self) -> bool:
        return self.machine.host is not None and self.machine.host.os == "windows"

    def _with_listed_python(self, options: SetupOptions) -> SetupOptions:
        """The interpreter by the path that the machine's list has: links and spellings differ."""
        wish = options.python
        if wish is None or self.recorded:
            return options
        if not Path(wish).is_file():
            raise AppError("setup_python_missing", ExitCode.USAGE, path=wish)
        for python in self.machine.pythons or ():
            if same_python(python.path, wish):
                return msgspec.structs.replace(options, python=python.path)
        return options

    def _target(self, options: SetupOptions) -> str:
        target = options.target or self.default_target
        flavour = ntpath if self._windows else posixpath
        if not flavour.isabs(target) or (self._windows and not flavour.splitdrive(target)[0]):
            raise AppError("target_relative", ExitCode.USAGE, target=target)
        target = flavour.normpath(target)
        folder = self._system_folder(target)
        if folder is not None:
            raise AppError("target_system", ExitCode.USAGE, target=target, folder=folder)
        if not self.recorded:
            _check_place(target)
        return target

    def _system_folder(self, target: str) -> str | None:
        if not self._windows:
            if target == "/":
                return "/"
            return next((root for root in _SYSTEM_FOLDERS["linux"] if _below(target, root, windows=False)), None)
        if ntpath.splitdrive(target)[1] in ("", "\\"):
            return target
        named = {name.upper(): value for name, value in self.environ.items()}
        roots = [named.get(name.upper()) for name in _SYSTEM_FOLDERS["windows"]]
        return next((root for root in roots if root and _below(target, root, windows=True)), None)

    def _environment(self, target: str) -> tuple[str, str | None]:
        """The folder of the new environment, and the proved one of ours that it replaces."""
        marker = None if self.recorded else read_marker(Path(target))
        if marker is None or not marker.verified or not Path(marker.environment).is_dir():
            return NAMES[0], None
        old = Path(marker.environment).name
        return (NAMES[1] if old == NAMES[0] else NAMES[0]), marker.environment

    def _base(self, route: Route, options: SetupOptions) -> PythonInstall:
        if options.env_kind == "conda":
            conda = self.machine.tool("conda")
            if conda is None or conda.path is None:
                raise AppError("conda_missing", ExitCode.FAILED)
            version = route.python_prefer or route.python_max
            return PythonInstall(path=conda.path, version=version, kind="conda")
        try:
            return choose_python(route, self.machine, options, own_python(self.machine))
        except AppError as error:
            if error.code != "setup_python_none":
                raise
            help_lines = "; ".join(self._python_help(str(error.facts.get("prefer"))))
            raise AppError(error.code, error.exit_code, **{**error.facts, "help": help_lines}) from error

    def _python_help(self, version: str) -> list[str]:
        system = "windows" if self._windows else "linux"
        return [row.command.replace("{version}", version) for row in self.book.python_help if row.os == system]

    def _mirror(self, wish: str | None) -> str | None:
        if wish is None or "://" in wish:
            return wish
        for mirror in self.book.mirrors:
            if mirror.id == wish:
                return mirror.url
        names = ", ".join(mirror.id for mirror in self.book.mirrors)
        raise AppError("mirror_unknown", ExitCode.USAGE, mirror=wish, names=names)

    def _proxy(self, options: SetupOptions) -> str | None:
        """The proxy that pip would use by its own configuration, which ``--isolated`` takes away."""
        config = self.machine.pip_config
        configured = config.proxy if config is not None and "***@" not in (config.proxy or "") else None
        return options.proxy or self.environ.get("PIP_PROXY") or configured

    def _certificate(self, options: SetupOptions) -> str | None:
        config = self.machine.pip_config
        return options.ca_bundle or (config.cert if config is not None else None)

    def _source(self, choice: RouteChoice, options: SetupOptions, python: PythonInstall) -> SourceChoice:
        host = self.machine.host
        found = (host.architecture if host else None) or platform.machine()
        wanted = Wanted(
            python=".".join((python.version or "").split(".")[:2]),
            windows=self._windows,
            machine=_MACHINES.get(found.lower(), found.lower()),
        )
        gpu = judged_gpu(self.machine, options)
        question = Question(
            wanted=wanted,
            options=options,
            gfx_targets=setup_gfx_targets(choice, self.machine, options),
            family=gpu.family if gpu else None,
            pairs=self.book.pairs,
        )
        index = self.index or HttpIndex(proxy=self._proxy(options), certificate=self._certificate(options))
        source = choose_source(choice.route, question, index)
        if source.url is None and self._brings_cuda(source, wanted):
            return msgspec.structs.replace(source, notices=(*source.notices, Notice(code="cuda_build")))
        return source

    def _brings_cuda(self, source: SourceChoice, wanted: Wanted) -> bool:
        """PyPI's torch for x86 Linux is the CUDA build; only a CPU wheel in the person's own places outranks it."""
        if system_of(self.machine.host) not in ("linux", "wsl") or wanted.machine != "x86_64":
            return False
        config = self.machine.pip_config
        if config is None:
            return True
        if any("/whl/cpu" in (url or "") for url in (config.index_url, *config.extra_index_urls)):
            return False
        return not any(_has_cpu_wheel(place, source, wanted) for place in config.find_links)


def pick_choice(choices: list[RouteChoice], route_id: str | None) -> RouteChoice:
    """The route asked for, or the best one; where all lack a Python, the best of those.

    Raises:
        AppError: ``route_unknown`` with near names, or ``route_none``.
    """
    if route_id is None:
        installable = [choice for choice in choices if choice.route.kind != "guide"]
        best = [choice for choice in installable if choice.fits] or list(filter(_lacks_only_python, installable))
        if not best:
            raise AppError("route_none", ExitCode.FAILED)
        return best[0]
    for choice in choices:
        if choice.route.id == route_id:
            return choice
    names = [choice.route.id for choice in choices]
    near = difflib.get_close_matches(route_id, names, n=3, cutoff=0.4) or names[:3]
    raise AppError("route_unknown", ExitCode.USAGE, route=route_id, near=", ".join(near))


def _lacks_only_python(choice: RouteChoice) -> bool:
    return bool(choice.reasons) and all(reason.code.startswith("python_") for reason in choice.reasons)


def _check_place(target: str) -> None:
    path, there = Path(target), False
    try:
        with contextlib.suppress(FileNotFoundError, NotADirectoryError):
            path.lstat()
            there = True  # be it a link that leads nowhere
        if there and not path.is_dir():
            raise AppError("target_file", ExitCode.USAGE, target=target)
        if not path.parent.is_dir():
            raise AppError("target_parent", ExitCode.USAGE, target=target, parent=str(path.parent))
    except OSError as error:  # a folder above it that we may not enter, a name that is too long
        code = ExitCode.DENIED if isinstance(error, PermissionError) else ExitCode.USAGE
        raise AppError("target_not_writable", code, target=target, reason=error.strerror or str(error)) from error


def _below(path: str, root: str, *, windows: bool) -> bool:
    style = PureWindowsPath if windows else PurePosixPath
    return style(path).is_relative_to(style(root))


def _check_words(options: SetupOptions) -> None:
    """What the person typed must be what it stands for, since it becomes part of command lines."""
    if options.torch_version is not None:
        try:
            Version(options.torch_version)
        except InvalidVersion as error:
            raise AppError("torch_version_malformed", ExitCode.USAGE, version=options.torch_version) from error
    for extra in options.extras:
        if not _is_requirement(extra):
            raise AppError("extra_malformed", ExitCode.USAGE, extra=extra)
    for url in (options.index_url, options.pypi_mirror if "://" in (options.pypi_mirror or "") else None):
        if url is not None and not url.startswith(("https://", "http://", "file://")):
            raise AppError("url_malformed", ExitCode.USAGE, url=mask_secrets(url))
    if options.proxy is not None:
        try:
            check_setting("proxy", options.proxy)
        except ValueError as error:
            raise AppError("proxy_malformed", ExitCode.USAGE, proxy=mask_secrets(options.proxy)) from error


def _is_requirement(text: str) -> bool:
    try:
        Requirement(text)
    except InvalidRequirement:
        return False
    return True


def _has_cpu_wheel(place: str, source: SourceChoice, wanted: Wanted) -> bool:
    requirement = torch_requirement(source.requirements)
    path = Path(place.removeprefix("file://"))
    if requirement is None or ("://" in place and not place.startswith("file://")):
        return False
    try:
        files = [IndexFile(filename=entry.name) for entry in path.iterdir()]
    except OSError:
        return False
    return any(version.local == "cpu" and version in requirement.specifier for version in wheels_for(files, wanted))
