"""Replaces PyTorch inside an environment that somebody else made: its torch family and nothing more.

The former files are set aside on the same drive before the new ones come, so undo needs no network and brings back
exactly what was there.
"""

from __future__ import annotations

import json
import os
import re
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from packaging.utils import canonicalize_name
from packaging.version import Version

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.journal import Made
from rocm_gui.core.plan import Change, Plan, Step
from rocm_gui.services.setup_context import StepContext, StepFailedError
from rocm_gui.services.setup_files import local_path, read_report
from rocm_gui.services.stash import StashList, recorded_files, restore_stash, stash_files, write_stash_list
from rocm_gui.system.files import write_atomic
from rocm_gui.system.process import child_env, run

if TYPE_CHECKING:
    from rocm_gui.core.journal import Fact
    from rocm_gui.core.parsers.pip import Report, ReportPackage

_FAMILY = re.compile(r"^(torch|torchvision|torchaudio|triton|pytorch-triton.*|triton-.*|rocm|rocm-sdk.*|amd-torch.*)$")
_REPORTS = Version("22.2")  # the first pip with --report
_RAW_PROGRESS = Version("24.1")  # the first with --progress-bar raw
_REASON_MOST = 160  # characters: a program that is no Python may repeat the whole question
_QUESTION = """
import json, platform, sys, sysconfig
from importlib import metadata
found = {}
for item in metadata.distributions():
    name = item.metadata["Name"]
    if name:
        found.setdefault(name, item.version)
print(json.dumps({"prefix": sys.prefix, "base": getattr(sys, "_base_executable", None) or sys.executable,
    "version": platform.python_version(), "site_packages": sysconfig.get_path("purelib"), "packages": found}))
"""


class ForeignEnvironment(msgspec.Struct, frozen=True, kw_only=True):
    """An environment as its own Python describes it."""

    prefix: str
    base: str  # the interpreter it was made from
    version: str
    site_packages: str
    packages: dict[str, str]  # as the packages spell their names

    @property
    def family(self) -> dict[str, str]:
        """The packages that a repair replaces, by canonical name."""
        return {
            name: version for spelled, version in self.packages.items() if is_family(name := canonicalize_name(spelled))
        }


class PackageChange(msgspec.Struct, frozen=True, kw_only=True):
    """What a repair does to one package; None: not there."""

    name: str
    before: str | None
    after: str | None


def is_family(name: str) -> bool:
    """Whether the canonical ``name`` belongs to PyTorch and its ROCm libraries."""
    return _FAMILY.match(name) is not None


def read_environment(python: str) -> ForeignEnvironment:
    """Ask the Python at ``python``.

    Raises:
        AppError: ``setup_python_missing``, ``base_python_unusable``, ``repair_no_torch``, ``repair_no_pip`` or
            ``repair_not_writable``.
    """
    if not Path(python).is_file():
        raise AppError("setup_python_missing", ExitCode.USAGE, path=python)
    answer = run([python, "-c", _QUESTION], timeout_s=60)
    try:
        found = msgspec.convert(json.loads(answer.stdout), ForeignEnvironment)
    except (ValueError, msgspec.MsgspecError) as error:
        reason = answer.error or (answer.stderr.strip().splitlines() or ["no answer"])[-1][:_REASON_MOST]
        raise AppError("base_python_unusable", ExitCode.USAGE, path=python, reason=reason) from error
    if "torch" not in found.family:
        raise AppError("repair_no_torch", ExitCode.USAGE, python=python)
    if not os.access(found.site_packages, os.W_OK):
        raise AppError("repair_not_writable", ExitCode.DENIED, python=python, path=found.site_packages)
    pip = run([python, "-m", "pip", "--version"], timeout_s=60, env=child_env())
    if not pip.ok or Version(found.packages.get("pip", "0")) < _REPORTS:
        reason = (pip.stderr.strip().splitlines() or [pip.stdout.strip()])[-1]
        raise AppError("repair_no_pip", ExitCode.USAGE, python=python, reason=reason)
    return found


def repair_plan(plan: Plan, python: str, environment: ForeignEnvironment) -> Plan:
    """The plan of a new setup turned into the repair of ``environment``: the same sources and the same requirements."""
    old_pip = Version(environment.packages.get("pip", "0")) < _RAW_PROGRESS

    def inside(argv: tuple[str, ...]) -> tuple[str, ...]:
        parts = [python if part == plan.environment_python else part for part in argv]
        if old_pip and "--progress-bar" in parts:  # the environment's pip stays as it is
            place = parts.index("--progress-bar")
            del parts[place : place + 2]
        return tuple(parts)

    kept = {"preflight", "resolve", "download", "install", "verify", "finish"}
    steps: list[Step] = []
    for step in plan.steps:
        if step.id not in kept:
            continue
        changes = step.changes
        if step.id == "install":
            changes = (Change(kind="install", path=environment.site_packages, value=" ".join(plan.requirements)),)
        elif step.id in ("verify", "finish"):
            changes = ()
        steps.append(
            msgspec.structs.replace(step, commands=tuple(inside(argv) for argv in step.commands), changes=changes)
        )
    return msgspec.structs.replace(
        plan,
        kind="repair",
        target=environment.prefix,
        environment=environment.prefix,
        environment_python=python,
        base_python=environment.base,
        steps=tuple(steps),
        guide=(),
    )


def difference(environment: ForeignEnvironment, report: Report) -> tuple[PackageChange, ...]:
    """What would become of the torch family, and which packages would be new."""
    wanted = {package.name: package.version for package in wanted_packages(environment, report)}
    names = sorted(environment.family.keys() | wanted.keys())
    present: dict[str, str] = {canonicalize_name(name): version for name, version in environment.packages.items()}
    return tuple(PackageChange(name=name, before=present.get(name), after=wanted.get(name)) for name in names)


def wanted_packages(environment: ForeignEnvironment, report: Report) -> list[ReportPackage]:
    """What is installed: the torch family, and of the rest only what is missing."""
    present = {canonicalize_name(name) for name in environment.packages}
    return [package for package in report.packages if is_family(package.name) or package.name not in present]


# ---- its steps


def preflight(ctx: StepContext) -> dict[str, Fact]:
    """The environment can be asked, has PyTorch and may be written; its list of packages is saved."""
    environment = read_environment(ctx.plan.environment_python)
    frozen = "".join(f"{name}=={version}\n" for name, version in sorted(environment.packages.items()))
    path = ctx.setup.folder / "frozen_before.txt"
    if not path.exists():  # the first look counts
        write_atomic(path, frozen)
        write_atomic(ctx.setup.folder / "environment.json", msgspec.json.encode(environment))
    return {"python": environment.version, "torch": environment.family.get("torch")}


def _environment(ctx: StepContext) -> ForeignEnvironment:
    try:
        return msgspec.json.decode((ctx.setup.folder / "environment.json").read_bytes(), type=ForeignEnvironment)
    except (OSError, msgspec.MsgspecError) as error:
        raise StepFailedError(
            "setup_os_error", path=str(ctx.setup.folder), reason=str(error), step="install"
        ) from error


def replace(ctx: StepContext) -> dict[str, Fact]:
    """Set the former torch family aside and install the new one."""
    environment = _environment(ctx)
    packages = wanted_packages(environment, read_report(ctx.setup, ctx.step.id))
    paths = [local_path(ctx.paths.downloads, package) for package in packages]
    missing = next((path for path in paths if not path.is_file()), None)
    if missing is not None:
        raise StepFailedError("download_missing", file=missing.name, step=ctx.step.id)
    site_packages = Path(environment.site_packages)
    made = Made(
        kind="stashed",
        path=environment.site_packages,
        backup=str(site_packages.parent / f".rocm_gui-before-{ctx.plan.setup_id[-4:]}"),
        manifest=str(ctx.setup.folder / "stash.json"),
    )
    if Path(made.manifest or "").exists():
        restore_stash(made)  # an earlier try was cut: begin from what was there
    write_stash_list(
        Path(made.manifest or ""),
        StashList(
            site_packages=environment.site_packages,
            files=recorded_files(site_packages, environment.family),
            packages=tuple(package.name for package in packages),
            new_files=tuple(name for path in paths for name in _members(path)),
        ),
    )
    ctx.journal.write("intent", ctx.step.id, made=made)
    stash_files(made)
    ctx.journal.write("changed", ctx.step.id, made=made)
    lines = [f"{package.name} @ {path.as_uri()}\n" for package, path in zip(packages, paths, strict=True)]
    write_atomic(ctx.setup.locked_path, "".join(lines))
    try:
        ctx.run_commands(silence_s=3600)
    except BaseException:
        restore_stash(made)  # a failed repair leaves the environment as it was
        ctx.journal.write("undone", ctx.step.id, made=made)
        raise
    return {"packages": len(packages)}


def _members(wheel: Path) -> list[str]:
    """Where the wheel's files go, relative to site-packages; scripts and data are left to its RECORD."""
    if wheel.suffix != ".whl":
        return []
    with zipfile.ZipFile(wheel) as archive:
        names = [info.filename for info in archive.infolist() if not info.is_dir()]
    found: list[str] = []
    for name in names:
        folder, _, rest = name.partition("/")
        if not folder.endswith(".data"):
            found.append(name)
        elif rest.startswith(("purelib/", "platlib/")):
            found.append(rest.partition("/")[2])
    return found


def verify(ctx: StepContext) -> dict[str, Fact]:
    """Compute with it; the report goes into the product's state, not into the foreign environment."""
    with ctx.temporary_folder() as temporary:
        report = ctx.tools.verify(ctx.plan, on_event=ctx.on_tool, cancel=ctx.cancel, env=temporary)
    ctx.check_cancel()
    for name, content in ctx.tools.render(report).items():
        write_atomic(ctx.setup.folder / name, content)
    if report.verdict in ("failed", "untrusted"):
        raise StepFailedError(
            "verification_failed",
            ExitCode(report.exit_code) if report.exit_code else ExitCode.FAILED,
            step=ctx.step.id,
            verdict=report.verdict,
            layer=report.layer,
            remedy=report.remedy,
        )
    return {"verdict": report.verdict, "warning": report.verdict == "workaround" or None}


def finish(ctx: StepContext) -> dict[str, Fact]:
    """Nothing is left to do: the former files stay until undo or until the person deletes them."""
    del ctx
    return {}
