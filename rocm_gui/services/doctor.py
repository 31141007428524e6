"""Runs the checks: looks at what they need, chooses the route that they judge for, and survives each of them."""

from __future__ import annotations

import difflib
import threading
from typing import TYPE_CHECKING

import msgspec

from rocm_gui.core.check_rules import ALL_CHECKS
from rocm_gui.core.checks import EVERY_SYSTEM, Check, CheckContext, CheckResult, Limits
from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.model import Machine, SetupOptions
from rocm_gui.core.route_choice import choose_routes, system_of
from rocm_gui.core.routes import Route, RouteChoice

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from rocm_gui.core.checks import Fact

    Collect = Callable[[SetupOptions, Collection[str]], Machine]
    Choose = Callable[[Iterable[Route], Machine, SetupOptions], Sequence[RouteChoice]]

ROUTE_PROBES = ("host", "gpus", "pythons", "tools", "linux_access")  # what the choice of a route looks at
TIME_LIMIT_S = 2.0


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """What one run of the doctor found."""

    machine: Machine
    choices: tuple[RouteChoice, ...]
    choice: RouteChoice | None  # the route that the checks were judged for
    target: str | None
    results: tuple[CheckResult, ...]

    @property
    def failed(self) -> bool:
        """Whether something must be fixed first."""
        return any(result.status == "fail" for result in self.results)


class Doctor:
    """The checks bound to a machine.

    ``collect`` looks at the machine (only at the probes named), ``routes`` loads the routes, ``choose`` judges
    them. A check that raises or takes longer than ``time_limit_s`` answers "unknown" and never ends the run.
    """

    def __init__(
        self,
        *,
        collect: Collect,
        routes: Callable[[], Iterable[Route]],
        limits: Limits,
        choose: Choose = choose_routes,
        checks: Sequence[Check] = ALL_CHECKS,
        time_limit_s: float = TIME_LIMIT_S,
    ) -> None:
        self._collect = collect
        self._routes = routes
        self._limits = limits
        self._choose = choose
        self._checks = tuple(checks)
        self._time_limit_s = time_limit_s

    @property
    def checks(self) -> tuple[Check, ...]:
        """Every check, in order."""
        return self._checks

    def run(self, only: Collection[str] | None = None, options: SetupOptions | None = None) -> list[CheckResult]:
        """The answers of all checks that apply here, or of those in ``only``.

        Raises:
            AppError: as ``diagnose``.
        """
        return list(self.diagnose(options, only).results)

    def diagnose(self, options: SetupOptions | None = None, only: Collection[str] | None = None) -> Diagnosis:
        """Look at the machine and judge it.

        Raises:
            AppError: ``check_unknown`` or ``route_unknown`` with the nearest names there are.
        """
        options = options or SetupOptions()
        selected = self._select(only)
        routes = tuple(self._routes())
        self._require_route(options, routes)
        probes = {probe for check in selected for probe in check.probes} | set(ROUTE_PROBES)
        machine = self._collect(options, probes)
        choices = tuple(self._choose(routes, machine, options))
        choice = pick_route(choices, options)
        volume = machine.volume("target")
        target = options.target or (volume.path if volume else None)
        context = CheckContext(
            machine=machine,
            options=options,
            route=choice.route if choice else None,
            target=target,
            limits=self._limits,
        )
        answers = [self._answer(check, context) for check in selected if _applies(check, machine)]
        results = tuple(answer for answer in answers if answer is not None)
        return Diagnosis(machine=machine, choices=choices, choice=choice, target=target, results=results)

    def rejudge(self, diagnosis: Diagnosis, target: str, only: Collection[str]) -> tuple[CheckResult, ...]:
        """What the checks ``only`` say of another target folder on the machine as it was found; nothing is looked at.

        For checks that read the path itself: they can follow a person's typing.
        """
        context = CheckContext(
            machine=diagnosis.machine,
            options=SetupOptions(target=target),
            route=diagnosis.choice.route if diagnosis.choice else None,
            target=target,
            limits=self._limits,
        )
        selected = [check for check in self._select(only) if _applies(check, diagnosis.machine)]
        answers = [self._answer(check, context) for check in selected]
        return tuple(answer for answer in answers if answer is not None)

    def _select(self, only: Collection[str] | None) -> list[Check]:
        if only is None:
            return list(self._checks)
        known = [check.id for check in self._checks]
        strangers = [name for name in only if name not in known]
        if strangers:
            raise AppError(
                "check_unknown", ExitCode.USAGE, ids=", ".join(strangers), near=_nearest(strangers[0], known)
            )
        return [check for check in self._checks if check.id in only]

    def _require_route(self, options: SetupOptions, routes: Iterable[Route]) -> None:
        known = [route.id for route in routes]
        if options.route_id is not None and options.route_id not in known:
            near = _nearest(options.route_id, known)
            raise AppError("check_route_unknown", ExitCode.USAGE, route=options.route_id, near=near)

    def _answer(self, check: Check, context: CheckContext) -> CheckResult | None:
        for probe in check.probes:
            if getattr(context.machine, probe) is None:
                reason = context.machine.problems.get(probe)
                text = "probe_failed" if reason else "not_collected"
                return _unknown(check, text, probe=probe, reason=reason)
        return self._guarded(check, context)

    def _guarded(self, check: Check, context: CheckContext) -> CheckResult | None:
        """The rule's answer; a hanging rule is left behind in its daemon thread."""
        answer: list[CheckResult | None] = []
        trouble: list[str] = []

        def work() -> None:
            try:
                answer.append(check.judge(context))
            except Exception as error:  # noqa: BLE001  # whatever a rule does, the others are told
                trouble.append(f"{type(error).__name__}: {error}")

        thread = threading.Thread(target=work, name=f"check-{check.id}", daemon=True)
        thread.start()
        thread.join(self._time_limit_s)
        if answer:
            return answer[0]
        if trouble:
            return _unknown(check, "crashed", reason=trouble[0])
        return _unknown(check, "timed_out", limit_s=self._time_limit_s)


def pick_route(choices: Sequence[RouteChoice], options: SetupOptions) -> RouteChoice | None:
    """The route to judge for: the one that the person named, else the best.

    A ROCm route that lacks nothing but a Python goes before the CPU route: the Python is then what to fix.
    """
    if options.route_id is not None:
        return next((choice for choice in choices if choice.route.id == options.route_id), None)
    installable = [choice for choice in choices if choice.route.kind != "guide"]
    rocm = [choice for choice in installable if choice.route.kind != "cpu"]
    for pool, wanted in ((rocm, _fits), (rocm, _lacks_python), (installable, _fits), (installable, _lacks_python)):
        found = next((choice for choice in pool if wanted(choice)), None)
        if found is not None:
            return found
    return None


def _fits(choice: RouteChoice) -> bool:
    return choice.fits


def _lacks_python(choice: RouteChoice) -> bool:
    return all(reason.code.startswith("python") for reason in choice.reasons)


def _applies(check: Check, machine: Machine) -> bool:
    system = system_of(machine.host)
    return check.systems == EVERY_SYSTEM or system in check.systems


def _unknown(check: Check, text: str, **facts: Fact) -> CheckResult:
    """An answer whose sentence stands in ``[common]`` of ``checks.toml``."""
    return CheckResult(id=check.id, status="unknown", text=text, facts=facts, group=check.group)


def _nearest(name: str, known: Sequence[str]) -> str:
    """The names most like ``name``; the first few where none is."""
    return ", ".join(difflib.get_close_matches(name, known, n=3, cutoff=0.5) or known[:3])
