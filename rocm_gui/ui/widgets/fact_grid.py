"""Names and values side by side, in as many columns as there is room for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

COLUMN_UNITS = 46
COLUMNS_MOST = 4


class Fact(QWidget):
    """A small muted name above its value."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.name = Text("", "note", "muted", wrap=True, parent=self)
        self.value = Text("", wrap=True, parent=self).selectable()
        column.addWidget(self.name)
        column.addWidget(self.value)
        column.addStretch(1)

    def present(self, name: str, value: str) -> None:
        """Show both."""
        self.name.setText(name)
        self.value.setText(value)
        self.value.setAccessibleName(f"{name}: {value}")


class FactGrid(QWidget):
    """Facts from left to right, then down."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        size = round(unit(self.font()))
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(4 * size)
        self._grid.setVerticalSpacing(2 * size)
        self._facts: list[Fact] = []
        self._columns = 0
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def present(self, facts: Sequence[tuple[str, str]]) -> None:
        """(name, value) of every fact."""
        while len(self._facts) < len(facts):
            self._facts.append(Fact(self))
        for index, fact in enumerate(self._facts):
            fact.setVisible(index < len(facts))
            if index < len(facts):
                fact.present(*facts[index])
        self._columns = 0
        self._arrange()

    def minimumSizeHint(self) -> QSize:
        """One column is enough."""
        return QSize(round(COLUMN_UNITS * unit(self.font()) * 0.8), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As many columns as fit."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        shown = [fact for fact in self._facts if not fact.isHidden()]
        fitting = int(self.width() // (COLUMN_UNITS * unit(self.font())))
        columns = max(1, min(COLUMNS_MOST, fitting, len(shown)))
        if columns == self._columns:
            return
        self._columns = columns
        for fact in self._facts:
            self._grid.removeWidget(fact)
        for column in range(COLUMNS_MOST):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
        for index, fact in enumerate(shown):
            self._grid.addWidget(fact, index // columns, index % columns)
