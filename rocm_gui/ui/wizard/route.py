"""The way to PyTorch: the best one with its reasons, the others that fit, guides, and why the rest does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QButtonGroup, QFrame, QVBoxLayout, QWidget

from rocm_gui.core.errors import AppError
from rocm_gui.core.model import SetupOptions
from rocm_gui.core.plan_report import reason_texts, size_text
from rocm_gui.core.planner import choose_python, python_range
from rocm_gui.core.texts import pick
from rocm_gui.services.doctor import pick_route
from rocm_gui.services.own_python import own_python
from rocm_gui.ui.engine_words import sentences
from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Card, State
from rocm_gui.ui.widgets.busy_line import BusyLine
from rocm_gui.ui.widgets.fold import Fold
from rocm_gui.ui.widgets.route_option import RouteLine, RouteOption
from rocm_gui.ui.wizard.step_page import StepPage

if TYPE_CHECKING:
    from rocm_gui.core.routes import Route, RouteChoice
    from rocm_gui.services.doctor import Diagnosis

RESCAN_MS = 250  # arrow keys pass several choices on their way


class RoutePage(StepPage):
    """Choosing a route judges the checks anew for it."""

    name = "route"

    def build(self) -> None:
        """Cards; their rows are made anew with every judgement."""
        theme = self.gui.theme
        self.busy = BusyLine(theme, self)
        self.controls.addWidget(self.busy)
        self.best_card = Card(parent=self)
        self.others_card = Card(parent=self)
        self.guides_card = Card(parent=self)
        self.tutorial_card = Card(parent=self)
        self.unfit_card = Card(parent=self)
        self.guides = Fold(theme, self.guides_card)
        self.unfit = Fold(theme, self.unfit_card)
        self.guides_card.body.addWidget(self.guides)
        self.unfit_card.body.addWidget(self.unfit)
        self.tutorial = RouteLine(self.tutorial_card)
        self.tutorial.acted.connect(self._open_tutorial)
        self.tutorial_card.body.addWidget(self.tutorial)
        for card in (self.best_card, self.others_card, self.tutorial_card, self.guides_card, self.unfit_card):
            card.hide()
            self.content.addWidget(card)
        self.content.addStretch(1)
        self.options: dict[str, RouteOption] = {}
        self._group = QButtonGroup(self)
        self._shown: tuple[object, str] | None = None
        self._rescan = QTimer(self)
        self._rescan.setSingleShot(True)
        self._rescan.setInterval(RESCAN_MS)
        self._rescan.timeout.connect(self.model.scan)

    def retranslate(self) -> None:
        """Set every text."""
        self.title.setText(self.tr("Route"))
        self.busy.set_text(self.tr("Judging the checks for this route…"))
        self.others_card.set_title(self.tr("Other routes that fit"))
        self.guides.set_title(self.tr("Guides: steps for you to do"))
        self.tutorial.present(
            self.tr("Coming from a tutorial?"),
            self.tr("Building from source, setx, HSA_OVERRIDE_GFX_VERSION, whl/rocm6.1: each step, what is wrong with "
                    "it today, and what works instead."),
            self.tr("Show step by step…"),
        )  # fmt: skip
        self._shown = None

    def show_model(self) -> None:
        """Show the judgement; rows only when it is a new one."""
        model, diagnosis = self.model, self.model.diagnosis
        self.busy.set_busy(busy=model.activity == "scanning")
        if model.scan_error is None:
            self.banner.hide()
        else:
            self.banner.present(self.gui.error_text(model.scan_error), "bad")
        if diagnosis is None:
            self.sentence.setText(self.tr("Looking at this computer…"))
            return
        now = (diagnosis.choices, self.gui.languages.language)
        if self._shown is None or self._shown[0] is not now[0] or self._shown[1] != now[1]:
            same = self._shown is not None and self._shown[1] == now[1] and self._same_routes(diagnosis)
            self._shown = now
            if not same:
                self._show_choices(diagnosis)
        self._mark()
        self.sentence.setText(self._summary())

    @property
    def complete(self) -> bool:
        """A route that can be set up is chosen."""
        choice = self.model.choice
        return choice is not None and choice.fits and choice.route.kind != "guide"

    @property
    def best(self) -> RouteChoice | None:
        """The route that the product would take."""
        diagnosis = self.model.diagnosis
        return None if diagnosis is None else pick_route(diagnosis.choices, SetupOptions())

    def _summary(self) -> str:
        choice = self.model.choice
        if choice is None:
            return self.tr("No route fits this computer. The reasons stand below.")
        if not choice.fits:
            reasons = sentences(*reason_texts("unfit", choice.reasons, self.texts))
            return self.tr("This route would be the best one, but something is missing: {reasons}").format(
                reasons=reasons
            )
        if choice.route.kind == "cpu":
            return self.tr("PyTorch for the processor is chosen: it uses no GPU.")
        return self.tr("Wheels bring ROCm with them. Nothing is compiled and nothing goes into the system.")

    def _same_routes(self, diagnosis: Diagnosis) -> bool:
        """Whether the rows that stand there say the same (only the choice among them is another)."""
        return self._judged == self._judgement(diagnosis)

    def _judgement(self, diagnosis: Diagnosis) -> list[object]:
        return [(choice.route.id, choice.fits, choice.reasons, choice.cautions) for choice in diagnosis.choices]

    def _show_choices(self, diagnosis: Diagnosis) -> None:
        self._judged = self._judgement(diagnosis)
        focused = next((key for key, option in self.options.items() if option.radio.hasFocus()), None)
        for option in self.options.values():
            self._group.removeButton(option.radio)
        self.options = {}
        for layout in (self.best_card.body, self.others_card.body, self.guides.body, self.unfit.body):
            _clear(layout)
        best = self.best
        if best is not None:
            self.best_card.set_title(self.tr("Recommended"))
            self._add_option(best, diagnosis, self.best_card, best=True)
        fitting = [c for c in diagnosis.choices if c.fits and c.route.kind != "guide" and c is not best]
        for index, choice in enumerate(fitting):
            if index:
                self.others_card.body.addWidget(_separator(self))
            self._add_option(choice, diagnosis, self.others_card)
        guides = [choice for choice in diagnosis.choices if choice.route.kind == "guide" and _shown_here(choice)]
        for choice in guides:
            self._add_guide(choice)
        rest = [c for c in diagnosis.choices if not c.fits and c is not best and c not in guides]
        for choice in rest:
            self._add_unfit(choice)
        self.unfit.set_title(self.tr("%n route(s) do not fit here", "", len(rest)))
        self.best_card.setVisible(best is not None)
        self.others_card.setVisible(bool(fitting))
        self.guides_card.setVisible(bool(guides))
        self.unfit_card.setVisible(bool(rest))
        self.tutorial_card.setVisible(True)
        if focused in self.options:
            self.options[focused].radio.setFocus()

    def _add_option(self, choice: RouteChoice, diagnosis: Diagnosis, card: Card, *, best: bool = False) -> None:
        route, language = choice.route, self.gui.languages.language
        option = RouteOption(self.gui.theme, route.id, card)
        remarks = [("warn", text) for text in reason_texts("caution", choice.cautions, self.texts)]
        remarks = [("fail", text) for text in reason_texts("unfit", choice.reasons, self.texts)] + remarks
        if best:
            remarks = self._why(choice, diagnosis) + remarks
        limits = [pick(limit, language) or "" for limit in route.limits]
        option.present(
            pick(route.title, language) or route.id,
            pick(route.summary, language) or "",
            self._facts(route),
            remarks,
            limits if best else (),
        )
        option.set_pill(*self._pill(choice))
        self._group.addButton(option.radio)
        option.chosen.connect(self._on_chosen)
        self.options[route.id] = option
        card.body.addWidget(option)

    def _why(self, choice: RouteChoice, diagnosis: Diagnosis) -> list[tuple[str, str]]:
        """What speaks for the route, as far as it is known."""
        said: list[tuple[str, str]] = []
        machine, route = diagnosis.machine, choice.route
        gpu = next((gpu for gpu in machine.amd_gpus if gpu.gfx_target == choice.gfx_target), None)
        if choice.official and gpu is not None:
            text = self.tr("AMD lists your {gpu} for it.")
            said.append(("ok", text.format(gpu=gpu.name or " / ".join(gpu.candidates) or choice.gfx_target)))
        try:
            python = choose_python(route, machine, self.model.options, own_python(machine))
        except AppError:
            python = None
        if choice.fits and python is not None and python.version is not None:
            said.append(("ok", self.tr("A fitting Python is here: {version}.").format(version=python.version)))
        needed = route.driver_min_windows if machine.host and machine.host.os == "windows" else None
        cautioned = any(caution.code.startswith("driver") for caution in choice.cautions)
        if needed and gpu is not None and gpu.driver_release and not cautioned:
            text = self.tr("The driver {found} is new enough ({needed} or newer).")
            said.append(("ok", text.format(found=gpu.driver_release, needed=needed)))
        return said

    def _facts(self, route: Route) -> str:
        parts: list[str] = []
        if route.rocm_version:
            parts.append(f"ROCm {route.rocm_version}")
        if route.torch_version:
            parts.append(f"PyTorch {route.torch_version}")
        parts.append(f"Python {python_range(route)}")
        if route.download_bytes:
            parts.append(self.tr("about {size} to download").format(size=size_text(route.download_bytes)))
        if route.disk_bytes:
            parts.append(self.tr("{size} on the disk").format(size=size_text(route.disk_bytes)))
        return "  ·  ".join(parts)

    def _pill(self, choice: RouteChoice) -> tuple[str, State]:
        if not choice.fits:
            return self.tr("Something is missing"), "warn"
        if choice.route.kind == "cpu":
            return self.tr("Without a GPU"), "neutral"
        if choice.route.status != "stable":
            word = self.texts.get(f"route.status.{choice.route.status}")
            return word[:1].upper() + word[1:], "warn"
        return (self.tr("Official"), "ok") if choice.official else (self.tr("Unofficial"), "warn")

    def _add_guide(self, choice: RouteChoice) -> None:
        route, language = choice.route, self.gui.languages.language
        line = RouteLine(self.guides_card)
        title = pick(route.title, language) or route.id
        line.present(title, pick(route.summary, language) or "", self.tr("Show steps…"))
        if route.status == "obsolete":
            line.set_pill(self.tr("Does not work"), "warn")
        line.acted.connect(lambda: self._open_guide(choice))
        self.guides.body.addWidget(line)

    def _add_unfit(self, choice: RouteChoice) -> None:
        line = RouteLine(self.unfit_card)
        title = pick(choice.route.title, self.gui.languages.language) or choice.route.id
        line.present(title, sentences(*reason_texts("unfit", choice.reasons, self.texts)))
        self.unfit.body.addWidget(line)

    def _mark(self) -> None:
        choice = self.model.choice
        option = self.options.get(choice.route.id) if choice else None
        if option is not None and not option.radio.isChecked():
            option.radio.setChecked(True)

    def _on_chosen(self, route_id: str) -> None:
        best = self.best
        wanted = None if best is not None and best.route.id == route_id else route_id
        if wanted != self.model.options.route_id:
            self.model.set_options(route_id=wanted)
            self._rescan.start()
            self.complete_changed.emit()

    def _open_guide(self, choice: RouteChoice) -> None:
        from rocm_gui.ui.wizard.guide_dialog import GuideDialog  # noqa: PLC0415 - few people ever need it

        diagnosis = self.model.diagnosis
        if diagnosis is not None:
            GuideDialog(self.gui, choice, diagnosis.machine, self).open()

    def _open_tutorial(self) -> None:
        from rocm_gui.ui.wizard.guide_dialog import TutorialDialog  # noqa: PLC0415

        machine = self.model.diagnosis.machine if self.model.diagnosis else None
        TutorialDialog(self.gui, machine.host if machine else None, self).open()


def _shown_here(choice: RouteChoice) -> bool:
    """Guides for this system, and those that are kept to show why they do not work."""
    return choice.fits or all(reason.code == "does_not_work" for reason in choice.reasons)


def _separator(parent: QWidget) -> QFrame:
    line = QFrame(parent)
    line.setObjectName("separator")
    line.setFixedHeight(max(1, round(unit(parent.font()) / 4)))
    return line


def _clear(layout: QVBoxLayout) -> None:
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()
