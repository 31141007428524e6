"""Proves a setup of ours again, as its own last step did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocm_gui.services.setup_store import current_setup
from rocm_gui.services.verifier import verify_environment

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from rocm_gui.core.events import AnyEvent
    from rocm_gui.core.model import Machine
    from rocm_gui.core.routes import Route
    from rocm_gui.core.verification import VerificationReport
    from rocm_gui.system.paths import Paths


def verify_setup(
    target: Path,
    *,
    paths: Paths,
    machine: Machine | None = None,
    routes: Iterable[Route] = (),
    on_event: Callable[[AnyEvent], None] | None = None,
    cancel: threading.Event | None = None,
) -> VerificationReport:
    """Verify the environment of ``target`` with the GPU, variables and route of its setup.

    Raises:
        AppError: ``setup_unknown``, and as ``verify_environment``.
    """
    setup = current_setup(paths, target)
    plan = setup.plan
    done = setup.record().steps.get("start_script")
    visible = done.facts.get("hip_visible_devices") if done is not None else None
    env: dict[str, str | None] = dict(plan.environment_variables)
    if isinstance(visible, str):
        env["HIP_VISIBLE_DEVICES"] = visible
    return verify_environment(
        plan.environment_python,
        paths=paths,
        machine=machine,
        route=next((route for route in routes if route.id == plan.route_id), None),
        gfx_target=plan.gfx_target,
        on_event=on_event,
        cancel=cancel,
        env=env,
    )
