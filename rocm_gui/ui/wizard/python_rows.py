"""A row for a Python interpreter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Pill, Text

if TYPE_CHECKING:
    from rocm_gui.core.model import PythonInstall


class PythonRow(QFrame):
    """Version and kind, the path below, a pill that says what becomes of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        size = round(unit(self.font()))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2 * size)
        column = QVBoxLayout()
        column.setSpacing(0)
        self._name = Text("", wrap=True, parent=self)
        self._path = Text("", "note", "muted", wrap=True, parent=self).selectable()
        column.addWidget(self._name)
        column.addWidget(self._path)
        self.pill = Pill(parent=self)
        row.addLayout(column, 1)
        row.addWidget(self.pill, 0, Qt.AlignmentFlag.AlignVCenter)

    def present(self, python: PythonInstall, word: str, state: str, *, reason: str = "") -> None:
        """Show the interpreter."""
        parts = [self.tr("Python {version}").format(version=python.version) if python.version else "python"]
        parts.append(self._kind(python.kind))
        if python.bits == 32:
            parts.append(self.tr("32-bit"))
        self._name.setText("  ·  ".join(part for part in parts if part))
        self._path.setText(f"{python.path}\n{reason}" if reason else python.path)
        self.pill.set_state(word, state)  # type: ignore[arg-type]
        self.setAccessibleName(f"{self._name.text()}: {word}. {python.path}. {reason}")

    def _kind(self, kind: str) -> str:
        return {
            "python.org": "python.org",
            "system": self.tr("of the system"),
            "venv": self.tr("of an environment"),
            "uv": "uv",
            "conda": "conda",
            "pyenv": "pyenv",
            "store": self.tr("Microsoft Store"),
            "store_alias": self.tr("Microsoft Store's placeholder"),
        }.get(kind, "")
