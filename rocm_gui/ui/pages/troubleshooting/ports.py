"""What the page asks of the engines that look at the stack, lead through a flow and make the bundle.

Methods that say so are called in a background thread; ``view`` is called in the window's, and only words things.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rocm_gui.services.doctor import Diagnosis
    from rocm_gui.ui.pages.troubleshooting.views import BundleFileView, DetailsView, FlowView, StackView

Answer = Literal["yes", "no", "unsure"]


class StackPort(Protocol):
    """The software stack of the machine."""

    def look(self, diagnosis: Diagnosis) -> None:
        """Work out what is installed where; in the background."""
        ...

    def view(self) -> StackView:
        """It in words."""
        ...

    def details(self, key: str) -> DetailsView:
        """More about the thing ``key``."""
        ...


class FlowPort(Protocol):
    """The guided flow under way."""

    def start(self, name: str, diagnosis: Diagnosis) -> None:
        """Begin ``name`` (gpu, torch) and answer what checks can answer; in the background."""
        ...

    def answer(self, answer: Answer) -> None:
        """Answer the open question, and what follows from it; in the background."""
        ...

    def go_back(self, index: int) -> None:
        """Forget the answers from the one at ``index`` on."""
        ...

    def check(self, diagnosis: Diagnosis) -> None:
        """Judge the cause again on a machine that was looked at again; in the background."""
        ...

    def pass_cause(self) -> None:
        """It is something else: go on behind this cause; in the background."""
        ...

    def view(self) -> FlowView:
        """The flow in words."""
        ...


class BundlePort(Protocol):
    """The support bundle."""

    def collect(self) -> tuple[BundleFileView, ...]:
        """Everything that would be saved, masked; in the background."""
        ...

    def save(self, path: Path, include: Sequence[str]) -> None:
        """Write the collected files named in ``include``; in the background.

        Raises:
            AppError: where it cannot be written.
        """
        ...


@dataclass(frozen=True)
class Ports:
    """The engines that are there; the page offers nothing that has none."""

    stack: StackPort | None = None
    flow: FlowPort | None = None
    bundle: BundlePort | None = None
