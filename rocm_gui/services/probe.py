"""Asks a foreign Python which PyTorch it holds and which devices that sees, in a child with a time limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocm_gui.core.errors import AppError, ExitCode

if TYPE_CHECKING:
    import threading
    from collections.abc import Mapping

    from rocm_gui.core.verification import EnvironmentProbe
    from rocm_gui.system.paths import Paths


def probe_environment(
    python: str,
    *,
    paths: Paths,
    timeout_s: float = 180,
    env: Mapping[str, str | None] | None = None,
    cancel: threading.Event | None = None,
) -> EnvironmentProbe:
    """What the environment of ``python`` holds.

    Args:
        python: the interpreter of the environment.
        paths: the product's folders.
        timeout_s: limit for the whole probe; the first import of ROCm's libraries can take minutes.
        env: variables to set for the child, or (None) to remove.
        cancel: set from elsewhere, it ends the probe.

    Raises:
        AppError: ``python_missing`` or ``python_not_python`` (usage), ``cancelled``.
    """
    del paths, timeout_s, env, cancel
    raise AppError("python_missing", ExitCode.USAGE, path=python)
