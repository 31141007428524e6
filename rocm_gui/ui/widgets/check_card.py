"""The checks of one group: what needs a look in the open, what is ready folded together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from rocm_gui.ui.theme import scaled_font
from rocm_gui.ui.widgets.basics import Card
from rocm_gui.ui.widgets.check_row import CheckRow
from rocm_gui.ui.widgets.fold import Fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rocm_gui.ui.theme import Theme

ORDER = {"fail": 0, "warn": 1, "unknown": 2, "ok": 3}


@dataclass(frozen=True)
class CheckView:
    """One check in words."""

    id: str
    status: str
    title: str
    found: str
    remedy: str = ""
    why: str = ""
    action: str = ""


class CheckCard(Card):
    """Rows are kept from one look at the machine to the next, so that focus and folds stay."""

    acted = Signal(str)  # the id of a check whose button was pressed

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._theme = theme
        self._rows: dict[str, CheckRow] = {}
        self._told = QWidget(self)
        self._open = QVBoxLayout(self._told)
        self._open.setContentsMargins(0, 0, 0, 0)
        self._open.setSpacing(0)
        self.ready = Fold(theme, self)
        self.ready.head.setFont(scaled_font(self.font(), 10.0))
        self.ready.body.setSpacing(0)
        self._passed: list[CheckView] = []
        self.ready.head.toggled.connect(self._place_passed)
        self.body.addWidget(self._told)
        self.body.addWidget(self.ready)

    @property
    def rows(self) -> dict[str, CheckRow]:
        """The rows that are made, by the ids of their checks."""
        return self._rows

    def present_checks(self, title: str, checks: Sequence[CheckView]) -> None:
        """Show the group; the pill says how it stands."""
        self.set_title(title)
        self.setVisible(bool(checks))
        known = {check.id for check in checks}
        for gone in [name for name in self._rows if name not in known]:
            self._rows.pop(gone).deleteLater()
        ordered = sorted(checks, key=lambda check: ORDER.get(check.status, 2))
        passed = [check for check in ordered if check.status == "ok"]
        told = [check for check in ordered if check.status != "ok"]
        for index, check in enumerate(told):
            self._place(check, self._open, index)
        self._passed = passed
        self._place_passed()
        self._told.setVisible(bool(told))
        self.ready.setVisible(bool(passed))
        self.ready.set_title(self.tr("%n ready", "", len(passed)))
        self._show_state(told)

    def _place_passed(self) -> None:
        """Rows that nobody has unfolded are not made."""
        if self.ready.head.isChecked():
            for index, check in enumerate(self._passed):
                self._place(check, self.ready.body, index)
            return
        for check in self._passed:
            row = self._rows.pop(check.id, None)
            if row is not None:
                row.hide()
                row.deleteLater()

    def _place(self, check: CheckView, layout: QVBoxLayout, index: int) -> None:
        row = self._rows.get(check.id)
        if row is None:
            row = CheckRow(self._theme, check.id, self)
            row.acted.connect(self.acted)
            self._rows[check.id] = row
        why = "" if check.status == "ok" else check.why
        row.present(check.status, check.title, check.found, remedy=check.remedy, why=why, action=check.action)
        if layout.indexOf(row) != index:
            for other in (self._open, self.ready.body):
                other.removeWidget(row)
            layout.insertWidget(index, row)
        row.show()

    def _show_state(self, told: Sequence[CheckView]) -> None:
        failed = sum(check.status == "fail" for check in told)
        warned = sum(check.status == "warn" for check in told)
        unknown = len(told) - failed - warned
        if failed:
            self.pill.set_state(self.tr("%n to fix", "", failed), "bad")
        elif warned:
            self.pill.set_state(self.tr("%n to look at", "", warned), "warn")
        elif unknown:
            self.pill.set_state(self.tr("%n unknown", "", unknown), "neutral")
        else:
            self.pill.set_state(self.tr("Ready"), "ok")
