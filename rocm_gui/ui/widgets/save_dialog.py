"""The system's question where a file is to be saved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget


def ask_where_to_save(
    parent: QWidget, title: str, filters: Sequence[str], name: str, chosen: Callable[[Path], object]
) -> QFileDialog:
    """Open the dialog with ``name`` suggested; ``chosen`` gets the path, with that suffix where it has none."""
    dialog = QFileDialog(parent, title)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setNameFilters(list(filters))
    dialog.setDefaultSuffix(Path(name).suffix[1:])
    dialog.selectFile(name)
    dialog.fileSelected.connect(lambda path: chosen(Path(path)))
    dialog.open()
    return dialog
