"""The steps of a setup. Each can be carried out again: it looks at what is there before it does anything."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.services.env_tree import compare, read_manifest, remove_tree, reset
from rocm_gui.services.setup_context import StepContext, StepFailedError, leftovers
from rocm_gui.services.setup_files import local_path, network_of, read_report
from rocm_gui.services.setup_store import MARKER, Marker, all_setups, encode_marker, read_marker, setups_of
from rocm_gui.services.takeover import take_over
from rocm_gui.system.files import write_atomic
from rocm_gui.system.process import run

if TYPE_CHECKING:
    from collections.abc import Collection, Generator

    from rocm_gui.core.journal import Fact
    from rocm_gui.services.setup_store import Setup
    from rocm_gui.system.paths import Paths

TRIO = ("torch", "torchvision", "torchaudio")
_COUNT_EVERY_S = 1.0
_CHANGES_ENVIRONMENT = ("environment", "pip", "install", "extras")


# ---- preflight


def preflight(ctx: StepContext) -> dict[str, Fact]:
    """Everything that can be known to fail, before anything is changed."""
    check_target(ctx)
    _check_writable(ctx.target)
    _check_space(ctx)
    python = _check_python(ctx)
    if ctx.plan.index_url is not None:
        reason = ctx.tools.reach(ctx.plan.index_url, network_of(ctx))
        if reason is not None:
            raise StepFailedError(
                "index_unreachable", url=ctx.plan.index_url, reason=reason, output=reason, step=ctx.step.id
            )
    return {"python": python}


def check_target(ctx: StepContext) -> None:
    """Refuse a folder that holds what is not ours, or an unfinished setup of ours.

    Raises:
        AppError: ``target_not_folder``, ``target_foreign`` or ``setup_unfinished``.
    """
    ours = {Path(state.made.path) for state in ctx.journal.record.made if not state.undone}
    ours |= {temporary for path in tuple(ours) for temporary in leftovers(path)}
    check_target_folder(ctx.paths, ctx.target, ctx.setup.folder, ours)
    if ctx.environment.exists() and ctx.environment not in ours:
        raise AppError("target_foreign", ExitCode.USAGE, target=str(ctx.target), count=1, names=ctx.environment.name)


def check_target_folder(
    paths: Paths, target: Path, setup_folder: Path | None = None, ours: Collection[Path] = ()
) -> None:
    """As ``check_target``, also before there is a setup; ``ours`` stands there by the one in ``setup_folder``.

    Raises:
        AppError: ``target_not_folder``, ``target_foreign``, ``setup_record_lost`` or ``setup_unfinished``.
    """
    if not target.exists():
        return
    if not target.is_dir():
        raise AppError("target_not_folder", ExitCode.USAGE, target=str(target))
    others = [setup for setup in setups_of(paths, target) if setup.folder != setup_folder]
    if not others and not ours and read_marker(target) is not None:
        raise AppError("setup_record_lost", ExitCode.USAGE, target=str(target))
    open_ones = [setup for setup in others if setup.is_open()]
    for setup in open_ones:
        if setup.record().phase != "done":
            raise AppError("setup_unfinished", ExitCode.USAGE, target=str(target), setup=setup.plan.setup_id)
    entries = sorted(entry.name for entry in target.iterdir())
    foreign = [name for name in entries if target / name not in ours]
    if foreign and not open_ones:
        raise AppError(
            "target_foreign", ExitCode.USAGE, target=str(target), count=len(foreign), names=", ".join(foreign[:5])
        )


def _existing(path: Path) -> Path:
    while not path.exists() and path != path.parent:
        path = path.parent
    return path


def _check_writable(target: Path) -> None:
    place = _existing(target)
    try:
        with tempfile.TemporaryFile(dir=place):  # has no name that could stay behind
            pass
    except OSError as error:
        raise AppError(
            "target_not_writable", ExitCode.DENIED, target=str(place), reason=error.strerror or str(error)
        ) from error


def _check_space(ctx: StepContext) -> None:
    """Compare the plan's sizes with the free space of each drive that they fall on."""
    wanted: dict[int, tuple[Path, int]] = {}
    for step in ctx.plan.steps:
        sizes = [(ctx.paths.downloads, step.download_bytes or 0)] if step.id == "download" else []
        sizes += [(Path(change.path), change.size_bytes or 0) for change in step.changes if change.kind == "install"]
        for path, size in sizes:
            place = _existing(path)
            with contextlib.suppress(OSError):
                drive = place.stat().st_dev
                wanted[drive] = (place, wanted.get(drive, (place, 0))[1] + size)
    for place, size in wanted.values():
        free = shutil.disk_usage(place).free
        if size > free:
            raise AppError("disk_full", path=str(place), needed_mb=_mb(size), free_mb=_mb(free))


def _mb(size: int) -> int:
    return -(-size // 1_000_000)


def _check_python(ctx: StepContext) -> str | None:
    if ctx.plan.options.env_kind == "conda":
        return None
    answer = run([ctx.plan.base_python, "-c", _PYTHON_QUESTION], timeout_s=30)
    if not answer.ok:
        reason = answer.error or (answer.stderr.strip().splitlines() or ["no answer"])[-1]
        raise StepFailedError(
            "base_python_unusable", path=ctx.plan.base_python, reason=reason, output=answer.stderr, step=ctx.step.id
        )
    return answer.stdout.strip() or None


_PYTHON_QUESTION = "import venv, ensurepip, platform; print(platform.python_version())"


# ---- the environment


def make_environment(ctx: StepContext) -> dict[str, Fact]:
    """Folder, marker and an empty environment; a half-made one of ours is removed first."""
    check_target(ctx)
    ctx.make_folder(ctx.target)
    if not ctx.replacing:
        ctx.make_file(ctx.target / MARKER, encode_marker(_marker(ctx, verified=False)))
    if ctx.environment.exists():
        remove_tree(ctx.environment)
    ctx.journal.write("intent", ctx.step.id, made=ctx.environment_made())
    ctx.run_commands(silence_s=600)
    if not Path(ctx.plan.environment_python).exists():
        raise StepFailedError("environment_incomplete", path=ctx.plan.environment_python, step=ctx.step.id)
    ctx.list_environment()
    _keep_manifest(ctx)
    return {}


def _marker(ctx: StepContext, *, verified: bool) -> Marker:
    return Marker(
        setup_id=ctx.plan.setup_id, created=ctx.plan.created, environment=ctx.plan.environment, verified=verified
    )


def upgrade_pip(ctx: StepContext) -> dict[str, Fact]:
    """The newest pip inside the environment."""
    return _inside_environment(ctx, silence_s=900)


def _inside_environment(ctx: StepContext, *, silence_s: float) -> dict[str, Fact]:
    """Run the step's commands and list the environment afterwards, whether they succeed or not."""
    try:
        ctx.run_commands(silence_s=silence_s)
    finally:
        if ctx.environment.is_dir():
            ctx.list_environment()
    _keep_manifest(ctx)
    return {}


def _keep_manifest(ctx: StepContext) -> None:
    write_atomic(step_manifest(ctx.setup, ctx.step.id), ctx.setup.manifest_path.read_bytes())


def step_manifest(setup: Setup, step_id: str) -> Path:
    """The list of the environment's files as they were when ``step_id`` was done."""
    return setup.folder / f"manifest-{step_id}.tsv"


def restore_environment(ctx: StepContext, last_done: str | None) -> bool:
    """Bring the environment back to how ``last_done`` left it; False where only making it anew helps."""
    if last_done is None or not Path(ctx.plan.environment_python).exists():
        return False
    manifest = read_manifest(step_manifest(ctx.setup, last_done))
    return manifest is not None and reset(ctx.environment, manifest)


# ---- resolve and install


def resolve(ctx: StepContext) -> dict[str, Fact]:
    """Let pip decide which files are needed, without installing any."""
    ctx.setup.folder.mkdir(parents=True, exist_ok=True)
    ctx.run_commands(silence_s=900)
    report = read_report(ctx.setup, ctx.step.id)
    facts: dict[str, Fact] = {"packages": len(report.packages)}
    for package in report.packages:
        if package.name in TRIO:
            facts[package.name] = package.version
    torch = facts.get("torch")
    if torch is None:
        raise StepFailedError("resolved_without_torch", step=ctx.step.id)
    if ctx.plan.gfx_target is not None and "rocm" not in str(torch):
        raise StepFailedError("resolved_wrong_build", version=torch, gfx_target=ctx.plan.gfx_target, step=ctx.step.id)
    return facts


def install(ctx: StepContext) -> dict[str, Fact]:
    """Install the fetched files, with no index in reach."""
    report = read_report(ctx.setup, ctx.step.id)
    lines: list[str] = []
    for package in report.packages:
        path = local_path(ctx.paths.downloads, package)
        if not path.is_file():
            raise StepFailedError("download_missing", file=package.filename, step=ctx.step.id)
        lines.append(f"{package.name} @ {path.as_uri()}\n")
    write_atomic(ctx.setup.locked_path, "".join(lines))
    with counting_packages(ctx, len(report.packages)):
        _inside_environment(ctx, silence_s=3600)
    pins = [f"{package.name}=={package.version}\n" for package in report.packages if package.name in TRIO]
    ctx.make_file(ctx.target / "constraints.txt", "".join(pins).encode())
    return {"packages": len(report.packages)}


@contextlib.contextmanager
def counting_packages(ctx: StepContext, count: int) -> Generator[None]:
    """Tell once a second how many of ``count`` packages are in: pip itself says nothing for minutes."""
    before = len(_installed(ctx.environment))
    stop = threading.Event()

    def tell() -> None:
        done = 0
        while not stop.wait(_COUNT_EVERY_S):  # pip renames folders while it works: a count may fall for a moment
            done = max(done, min(count, len(_installed(ctx.environment)) - before))
            ctx.progress(done, count, "packages")

    thread = threading.Thread(target=tell, name="count-packages", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _installed(environment: Path) -> list[Path]:
    places = [environment / "Lib" / "site-packages", *environment.glob("lib/python*/site-packages")]
    return [folder for place in places for folder in place.glob("*.dist-info")]


def extras(ctx: StepContext) -> dict[str, Fact]:
    """Optional packages, which must not touch the torch trio."""
    return _inside_environment(ctx, silence_s=900)


# ---- start script, proof, end


def start_script(ctx: StepContext) -> dict[str, Fact]:
    """Scripts that open a shell in the environment with the right GPU visible."""
    visible = _visible_devices(ctx)
    variables = dict(ctx.plan.environment_variables)
    if visible is not None:
        variables["HIP_VISIBLE_DEVICES"] = visible
    place_scripts(ctx, variables)
    return {"hip_visible_devices": visible}


def _visible_devices(ctx: StepContext) -> str | None:
    """Indexes of the devices that the plan is for; None where there is nothing to hide."""
    wanted = ctx.plan.gfx_target
    if wanted is None:
        return None
    hidden: dict[str, str | None] = {"HIP_VISIBLE_DEVICES": None, "ROCR_VISIBLE_DEVICES": None}
    found = ctx.tools.probe(
        ctx.plan.environment_python, paths=ctx.paths, env={**ctx.plan.environment_variables, **hidden}
    )
    matching = [device.index for device in found.devices if device.gfx_target == wanted]
    if not matching or len(matching) == len(found.devices):
        return None
    return ",".join(map(str, matching))


def place_scripts(ctx: StepContext, variables: dict[str, str]) -> None:
    """Write the start scripts; while an older environment serves, they wait in the product's state."""
    for name, content in ctx.tools.scripts(ctx.plan, variables).items():
        _place(ctx, name, content)


def _place(ctx: StepContext, name: str, content: bytes) -> None:
    if ctx.replacing:
        write_atomic(ctx.setup.staged / name, content)
    else:
        ctx.make_file(ctx.target / name, content, executable=name.endswith(".sh"))


def verify(ctx: StepContext) -> dict[str, Fact]:
    """Compute with it, and compare."""
    done = ctx.journal.record.steps.get("start_script")
    visible = done.facts.get("hip_visible_devices") if done is not None else None
    variables: dict[str, str] = dict(ctx.plan.environment_variables)
    if isinstance(visible, str):
        variables["HIP_VISIBLE_DEVICES"] = visible
    with ctx.temporary_folder() as temporary:  # PyTorch's compiler leaves a cache there
        report = ctx.tools.verify(ctx.plan, on_event=ctx.on_tool, cancel=ctx.cancel, env={**temporary, **variables})
    ctx.check_cancel()
    ctx.list_environment()
    for name, content in ctx.tools.render(report).items():
        _place(ctx, name, content)
    if report.verdict in ("failed", "untrusted"):
        raise StepFailedError(
            "verification_failed",
            ExitCode(report.exit_code) if report.exit_code else ExitCode.FAILED,
            output=report.fault.message if report.fault else "",
            step=ctx.step.id,
            verdict=report.verdict,
            layer=report.layer,
            remedy=report.remedy,
        )
    for workaround in report.workarounds:
        variables.update(workaround.variables)
    if report.workarounds:
        place_scripts(ctx, variables)
    ids = ",".join(workaround.id for workaround in report.workarounds)
    return {"verdict": report.verdict, "workarounds": ids or None, "warning": report.verdict == "workaround" or None}


def finish(ctx: StepContext) -> dict[str, Fact]:
    """Switch over: scripts in place, marker final, the older environment removed."""
    if ctx.setup.staged.is_dir():
        for staged in sorted(ctx.setup.staged.iterdir()):
            ctx.make_file(ctx.target / staged.name, staged.read_bytes(), executable=staged.suffix == ".sh")
    ctx.make_file(ctx.target / MARKER, encode_marker(_marker(ctx, verified=True)))
    removed = 0
    for older in setups_of(ctx.paths, ctx.target):
        if older.folder != ctx.setup.folder and older.is_open():
            take_over(ctx, older)
            removed += 1
    remove_tree(ctx.setup.staged)
    _prune_downloads(ctx)
    return {"replaced": removed}


def _prune_downloads(ctx: StepContext) -> None:
    """Keep the wheels of this setup and of unfinished ones; older ones are gigabytes that nobody needs."""
    kept: set[Path] = set()
    for setup in all_setups(ctx.paths):
        if setup.folder == ctx.setup.folder or setup.record().phase in ("applying", "failed", "cancelled"):
            with contextlib.suppress(StepFailedError):
                packages = read_report(setup, ctx.step.id).packages
                kept |= {local_path(ctx.paths.downloads, package).parent for package in packages}
    if ctx.paths.downloads.is_dir():
        for folder in ctx.paths.downloads.iterdir():
            if folder.is_dir() and folder not in kept:
                with contextlib.suppress(OSError):
                    remove_tree(folder)


# ---- looking back


def still_good(ctx: StepContext, step_id: str) -> bool:
    """Whether what a finished step made is still there."""
    if step_id == "environment":
        return Path(ctx.plan.environment_python).exists()
    if step_id == "resolve":
        return ctx.setup.report_path.is_file()
    if step_id in ("pip", "install", "extras"):
        manifest = read_manifest(step_manifest(ctx.setup, step_id))
        return manifest is not None and not compare(ctx.environment, manifest).missing
    return True


def changes_environment(step_id: str) -> bool:
    """Whether the step installs something into the environment."""
    return step_id in _CHANGES_ENVIRONMENT
