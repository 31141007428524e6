"""Pythons, tools and what is on this computer already."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtWidgets import QVBoxLayout

from rocm_gui.core.errors import AppError
from rocm_gui.core.planner import choose_python
from rocm_gui.core.route_choice import in_range
from rocm_gui.services.own_python import own_python
from rocm_gui.ui.theme import unit
from rocm_gui.ui.wizard.check_page import CheckPage
from rocm_gui.ui.wizard.python_rows import PythonRow

if TYPE_CHECKING:
    from rocm_gui.core.model import PythonInstall
    from rocm_gui.core.routes import Route
    from rocm_gui.services.doctor import Diagnosis


class SoftwarePage(CheckPage):
    """The Pythons that were found stand above the checks of Python."""

    name = "software"
    groups: ClassVar[tuple[str, ...]] = ("python", "tools", "environment")

    def build(self) -> None:
        """The list of Pythons is filled as they are found."""
        super().build()
        self.python_rows: list[PythonRow] = []
        self._pythons = QVBoxLayout()
        self._pythons.setSpacing(round(2 * unit(self.font())))
        self.cards["python"].body.insertLayout(0, self._pythons)

    def retranslate(self) -> None:
        """Set every text."""
        super().retranslate()
        self.title.setText(self.tr("Software"))

    def show_diagnosis(self, diagnosis: Diagnosis) -> None:
        """Every Python found, the one that will be taken first."""
        found = diagnosis.machine.pythons or ()
        route = diagnosis.choice.route if diagnosis.choice else None
        taken = self._taken(diagnosis)
        ordered = sorted(found, key=lambda python: (python.path != taken, not python.usable))
        while len(self.python_rows) < len(ordered):
            row = PythonRow(self.cards["python"])
            self._pythons.addWidget(row)
            self.python_rows.append(row)
        for index, row in enumerate(self.python_rows):
            row.setVisible(index < len(ordered))
            if index < len(ordered):
                python = ordered[index]
                row.present(python, *self._state(python, route, taken), reason=self._reason(python))

    def _taken(self, diagnosis: Diagnosis) -> str | None:
        """The path of the Python that the setup will be made with."""
        choice = diagnosis.choice
        if choice is None or choice.route.kind == "guide" or self.model.options.env_kind == "conda":
            return None
        machine = diagnosis.machine
        try:
            return choose_python(choice.route, machine, self.model.options, own_python(machine)).path
        except AppError:
            return None

    def _state(self, python: PythonInstall, route: Route | None, taken: str | None) -> tuple[str, str]:
        if python.path == taken:
            return self.tr("Will be used"), "ok"
        if not python.usable:
            return self.tr("Not usable"), "neutral"
        if route is not None and python.version is not None and not in_range(python.version, route):
            return self.tr("Does not fit the route"), "neutral"
        return self.tr("Fits too"), "neutral"

    def _reason(self, python: PythonInstall) -> str:
        if python.usable or python.reason is None:
            return ""
        code = f"setup.python_reason.{python.reason}"
        return self.tr("Not used: {reason}.").format(reason=self.texts.get(code)) if self.texts.has(code) else ""
