"""The card of the target folder: line, Browse, depth meter, what is to be said about the place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QProgressBar, QPushButton, QWidget

from rocm_gui.core import check_texts
from rocm_gui.core.plan_report import size_text
from rocm_gui.core.texts import Texts
from rocm_gui.ui.engine_words import sentences, window_words
from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Card, Text, restyle
from rocm_gui.ui.widgets.remarks import Remarks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from rocm_gui.core.checks import CheckResult
    from rocm_gui.core.model import Volume
    from rocm_gui.core.texts import Language
    from rocm_gui.ui.theme import Theme

NEAR = 0.9  # of the depth that rocBLAS bears: from here on the meter warns
ABOUT_THE_FOLDER = (
    "disk_space",
    "target_filesystem",
    "target_place",
    "folders_writable",
    "path_length",
    "long_paths",
    "target_letters",
    "solid_state",
)


def folder_remarks(
    results: Iterable[CheckResult], catalogue: Mapping[str, Any], language: Language
) -> list[tuple[str, str]]:
    """The checks that are about the folder, as (status, sentence), where they matter."""
    texts = Texts(catalogue["checks"], language)
    by_id = {result.id: result for result in results}
    remarks: list[tuple[str, str]] = []
    for check_id in ABOUT_THE_FOLDER:
        result = by_id.get(check_id)
        if result is None or result.status in ("ok", "unknown"):
            continue
        parts = [check_texts.found(result, texts), check_texts.remedy(result, texts)]
        remarks.append((result.status, window_words(sentences(*parts))))
    return remarks


class FolderCard(Card):
    """Emits what was typed; shows what it is told."""

    edited = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        size = round(unit(self.font()))
        self.line = QLineEdit(self)
        self.line.textEdited.connect(self.edited)
        self.browse = QPushButton(self)
        row = QHBoxLayout()
        row.setSpacing(2 * size)
        row.addWidget(self.line, 1)
        row.addWidget(self.browse)
        self._meter = QWidget(self)
        self.depth_bar = QProgressBar(self._meter)
        self.depth_bar.setTextVisible(False)
        self.depth_text = Text("", "note", "muted", parent=self._meter)
        meter = QHBoxLayout(self._meter)
        meter.setContentsMargins(0, 0, 0, 0)
        meter.setSpacing(3 * size)
        meter.addWidget(self.depth_bar, 1)
        meter.addWidget(self.depth_text)
        self._meter.hide()
        self._note = Text("", "note", "muted", wrap=True, parent=self)
        self.space = Text("", parent=self, wrap=True)
        self.remarks = Remarks(theme, self)
        self.body.addLayout(row)
        self.body.addWidget(self._meter)
        self.body.addWidget(self._note)
        self.body.addWidget(self.space)
        self.body.addWidget(self.remarks)

    def retranslate(self) -> None:
        """Set every text of its own."""
        self.set_title(self.tr("Folder"))
        self.line.setAccessibleName(self.tr("Folder for the setup"))
        self.browse.setText(self.tr("Br&owse…"))
        self._note.setText(
            self.tr("A folder for this setup alone, new or empty. Everything goes into it; a short path is best.")
        )
        self.depth_bar.setAccessibleName(self.tr("Depth of the folder"))

    def show_target(self, target: str) -> None:
        """The folder; what is being typed stays."""
        if not self.line.hasFocus() and self.line.text() != target:
            self.line.setText(target)

    def show_space(self, volume: Volume | None, needed_bytes: int | None) -> None:
        """What is free on the folder's drive, and what the setup takes there."""
        if volume is None or volume.free_bytes is None:
            self.space.setText("")
        elif needed_bytes is None:
            text = self.tr("{drive}: {free} free.")
            self.space.setText(text.format(drive=volume.mount or volume.path, free=size_text(volume.free_bytes)))
        else:
            text = self.tr("{drive}: {free} free, the setup takes about {needed}.")
            drive, free = volume.mount or volume.path, size_text(volume.free_bytes)
            self.space.setText(text.format(drive=drive, free=free, needed=size_text(needed_bytes)))
        self.space.setVisible(bool(self.space.text()))

    def show_depth(self, result: CheckResult | None) -> None:
        """How deep rocBLAS would sit, of what it bears; None where that does not matter."""
        length, most = (result.facts.get("length"), result.facts.get("most")) if result else (None, None)
        if not isinstance(length, int) or not isinstance(most, int):
            self._meter.hide()
            return
        self.depth_bar.setRange(0, most)
        self.depth_bar.setValue(min(length, most))
        state = "bad" if length > most else "warn" if length > NEAR * most else "ok"
        words = {"bad": self.tr("too deep"), "warn": self.tr("nearly too deep"), "ok": self.tr("short enough")}
        text = self.tr("{length} of {most} characters: {word}")
        self.depth_text.setText(text.format(length=length, most=most, word=words[state]))
        self.depth_text.set_tone("muted" if state == "ok" else state)
        if self.depth_bar.property("state") != state:
            self.depth_bar.setProperty("state", state)
            restyle(self.depth_bar)
        self._meter.show()
