"""Base of the pages that show checks: rows in groups, "Check again", and the fixes."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QPushButton, QVBoxLayout

from rocm_gui.core.check_texts import found, remedy
from rocm_gui.core.texts import Texts, pick
from rocm_gui.services.fixes import Fix, fix_for
from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.busy_line import BusyLine
from rocm_gui.ui.widgets.check_card import CheckCard, CheckView
from rocm_gui.ui.wizard.step_page import StepPage

if TYPE_CHECKING:
    from rocm_gui.core.checks import CheckResult
    from rocm_gui.services.doctor import Diagnosis


class Standing(QObject):
    """How the checks stand, in a sentence.

    A class of its own: tr() with a number, called in a subclass, finds no plural forms in the context of its base.
    """

    def told(self, failed: int, warned: int) -> str:
        """The sentence for so many checks."""
        if failed:
            return self.tr("%n thing(s) must be fixed before the setup can work.", "", failed)
        if warned:
            return self.tr("Nothing stands in the way. %n thing(s) to look at.", "", warned)
        return self.tr("Nothing stands in the way.")


class CheckPage(StepPage):
    """Subclasses name their ``groups`` and fill ``top`` with what stands above the checks."""

    groups: ClassVar[tuple[str, ...]] = ()

    def build(self) -> None:
        """The button, the line while it looks, and a card for each group."""
        self.again = QPushButton(self)
        self.again.clicked.connect(self._on_again)
        self.busy = BusyLine(self.gui.theme, self)
        self.controls.addWidget(self.busy)
        self.controls.addWidget(self.again)
        self.banner.acted.connect(self.model.scan)
        self.top = QVBoxLayout()
        self.top.setSpacing(round(3.5 * unit(self.font())))
        self.content.addLayout(self.top)
        self.cards: dict[str, CheckCard] = {}
        for group in self.groups:
            card = CheckCard(self.gui.theme, self)
            card.acted.connect(self._on_acted)
            card.hide()
            self.cards[group] = card
            self.content.addWidget(card)
        self.content.addStretch(1)
        self._standing = Standing(self)
        self._book = self.gui.context.fixes()
        self._shown: tuple[Diagnosis, str] | None = None

    def retranslate(self) -> None:
        """Set the texts that both pages share."""
        self.again.setText(self.tr("Check &again"))
        self.busy.set_text(self.tr("Looking at this computer…"))
        self._shown = None

    def show_model(self) -> None:
        """Show what the doctor found; the cards only when it is something new."""
        model = self.model
        self.busy.set_busy(busy=model.activity == "scanning")
        self._show_error()
        diagnosis = model.diagnosis
        now = None if diagnosis is None else (diagnosis, self.gui.languages.language)
        if now is not None and (self._shown is None or now[0] is not self._shown[0] or now[1] != self._shown[1]):
            self._shown = now
            self.show_diagnosis(now[0])
            self._show_checks(now[0])
        self.sentence.setText(self.summary())

    def show_diagnosis(self, diagnosis: Diagnosis) -> None:
        """What stands above the checks."""

    def summary(self) -> str:
        """The sentence below the title."""
        diagnosis = self.model.diagnosis
        if diagnosis is None:
            return self.tr("Looking at this computer…")
        results = [result for result in diagnosis.results if result.group in self.groups]
        failed = sum(result.status == "fail" for result in results)
        warned = sum(result.status == "warn" for result in results)
        return self._standing.told(failed, warned)

    def fix_of(self, check_id: str) -> Fix | None:
        """The way to mend what the check found."""
        diagnosis = self.model.diagnosis
        result = next((item for item in diagnosis.results if item.id == check_id), None) if diagnosis else None
        return None if diagnosis is None or result is None else fix_for(self._book, result, diagnosis.machine)

    def _show_error(self) -> None:
        error = self.model.scan_error
        if error is None:
            self.banner.hide()
        else:
            self.banner.present(self.gui.error_text(error), "bad", self.tr("Try again"))

    def _show_checks(self, diagnosis: Diagnosis) -> None:
        texts = self._check_texts()
        for group, card in self.cards.items():
            views = [self._view(item, diagnosis, texts) for item in diagnosis.results if item.group == group]
            card.present_checks(texts.get(f"groups.{group}"), views)

    def _view(self, result: CheckResult, diagnosis: Diagnosis, texts: Texts) -> CheckView:
        fix = fix_for(self._book, result, diagnosis.machine)
        todo = remedy(result, texts) or ""
        if fix is not None:  # the button leads on: no command line is needed here
            todo = pick(fix.text, self.gui.languages.language) or todo
        return CheckView(
            id=result.id,
            status=result.status,
            title=texts.get(f"{result.id}.title"),
            found=found(result, texts),
            remedy=todo,
            why=texts.get(f"{result.id}.why"),
            action=self._action(fix),
        )

    def _action(self, fix: Fix | None) -> str:
        if fix is None:
            return ""
        if fix.kind == "page":
            return self.tr("See routes") if fix.page == "route" else self.tr("Choose another")
        return self.tr("Fix…") if fix.kind == "run" else self.tr("How…")

    def _check_texts(self) -> Texts:
        return Texts(self.gui.context.catalogue["checks"], self.gui.languages.language)

    def _on_again(self) -> None:
        """The button stays enabled, so that it keeps the keyboard; one look at a time is enough."""
        if self.model.activity == "idle":
            self.model.scan()

    def _on_acted(self, check_id: str) -> None:
        fix = self.fix_of(check_id)
        if fix is None:
            return
        if fix.page is not None:
            self.model.page_wanted.emit(fix.page)
            return
        from rocm_gui.ui.wizard.fix_dialog import FixDialog  # noqa: PLC0415 - few people ever need it

        dialog = FixDialog(self.gui, self._check_texts().get(f"{check_id}.title"), fix, self)
        dialog.mended.connect(self.model.scan)
        dialog.open()
