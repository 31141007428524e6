"""The real tools of a setup: jobs for programs, the probe, the verification, scripts and reports."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import requests

from rocm_gui.core.jobs import JobSpec, JobState
from rocm_gui.core.start_script import StartSettings, start_files
from rocm_gui.services.job import Job, new_job_id
from rocm_gui.services.probe import probe_environment
from rocm_gui.services.report_files import FORMATS, masker_of_this_machine, save_report
from rocm_gui.services.setup_context import OUTPUT_KEPT, CommandEnd, Tools
from rocm_gui.services.verifier import verify_environment

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Mapping

    from rocm_gui.core.events import AnyEvent
    from rocm_gui.core.jobs import AnyJobEvent, JobView
    from rocm_gui.core.model import Machine
    from rocm_gui.core.plan import Plan
    from rocm_gui.core.routes import Route
    from rocm_gui.core.texts import Texts
    from rocm_gui.core.verification import VerificationReport
    from rocm_gui.services.download import Network
    from rocm_gui.services.setup_context import RunCommand, Verify
    from rocm_gui.system.paths import Paths

_TOTAL_S = 6 * 3600.0
_POLL_S = 0.2
_REACH_S = (8.0, 8.0)


def make_tools(paths: Paths, texts: Texts, machine: Machine | None = None, route: Route | None = None) -> Tools:
    """The tools for this machine. ``texts`` word the reports; ``machine`` and ``route`` let the proof compare more."""
    return Tools(
        run=job_runner(paths),
        probe=probe_environment,
        verify=_verifier(paths, machine, route),
        reach=reach,
        scripts=scripts,
        render=lambda report: render(report, texts),
    )


def job_runner(paths: Paths) -> RunCommand:
    """Runs programs as jobs, with their logs in the product's jobs folder."""

    def run_command(
        job_id: str,
        argv: tuple[str, ...],
        env: dict[str, str],
        *,
        on_event: Callable[[AnyEvent], None],
        parse_line: Callable[[str], AnyEvent | None],
        cancel: threading.Event,
        silence_s: float,
    ) -> CommandEnd:
        spec = JobSpec(
            id=new_job_id(job_id),
            kind="setup",
            argv=argv,
            env=env,
            total_timeout_s=_TOTAL_S,
            silence_timeout_s=silence_s,
            protocol="lines",
        )
        lines: list[str] = []

        def parse(line: str) -> AnyEvent | None:
            lines.append(line)
            if len(lines) > 2 * OUTPUT_KEPT:
                del lines[:OUTPUT_KEPT]
            return parse_line(line)

        def listen(_view: JobView, event: AnyJobEvent) -> None:
            if not event.__struct_config__.tag.startswith("job_"):  # type: ignore[union-attr]
                on_event(event)  # type: ignore[arg-type]

        job = Job(spec, paths.jobs, listen, parse)
        job.start()
        try:
            while not job.wait(_POLL_S).state.terminal:
                if cancel.is_set():
                    job.cancel()
            return _end(job.view, lines)
        finally:
            job.close()

    return run_command


def _end(view: JobView, lines: list[str]) -> CommandEnd:
    failure = view.failure
    return CommandEnd(
        code=view.exit_code,
        lines=(*lines[-OUTPUT_KEPT:], *view.stderr_tail),
        cancelled=view.state is JobState.CANCELLED,
        timed_out=view.state is JobState.TIMED_OUT,
        not_started=failure.message if failure is not None and failure.code == "job_not_started" else None,
    )


def _verifier(paths: Paths, machine: Machine | None, route: Route | None) -> Verify:
    def verify(
        plan: Plan,
        *,
        on_event: Callable[[AnyEvent], None],
        cancel: threading.Event,
        env: Mapping[str, str | None],
    ) -> VerificationReport:
        return verify_environment(
            plan.environment_python,
            paths=paths,
            machine=machine,
            route=route,
            gfx_target=plan.gfx_target,
            on_event=on_event,
            cancel=cancel,
            env=env,
        )

    return verify


def reach(url: str, network: Network) -> str | None:
    """None where a server answers at ``url``, whatever it answers below 500; else why not."""
    with network.session() as session:
        try:
            answer = session.get(url, timeout=_REACH_S, stream=True)
        except requests.RequestException as error:
            return str(error)
        answer.close()
    return None if answer.status_code < 500 else f"HTTP {answer.status_code}"


def scripts(plan: Plan, variables: Mapping[str, str]) -> dict[str, bytes]:
    """The start scripts for this system."""
    rest = {name: value for name, value in variables.items() if name != "HIP_VISIBLE_DEVICES"}
    settings = StartSettings(
        environment=plan.environment.replace("\\", "/").rsplit("/", 1)[-1],
        env_kind=plan.options.env_kind,
        target=plan.target,
        visible_devices=variables.get("HIP_VISIBLE_DEVICES"),
        variables=rest,
    )
    return start_files("windows" if sys.platform == "win32" else "linux", settings)


def render(report: VerificationReport, texts: Texts) -> dict[str, bytes]:
    """The verification report as files, with everything personal masked."""
    masker = masker_of_this_machine()
    with tempfile.TemporaryDirectory() as folder:
        for ending in FORMATS:
            save_report(report, Path(folder) / f"verification{ending}", texts, masker)
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}
