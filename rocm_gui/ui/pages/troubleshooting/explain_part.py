"""Explain an error: text at the left with its telling lines marked, what they mean at the right."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout

from rocm_gui.core.plan_report import size_text
from rocm_gui.ui.pages.troubleshooting.cause_card import CauseCard
from rocm_gui.ui.pages.troubleshooting.part import TroublePart
from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Card, ScrollBody, Text
from rocm_gui.ui.widgets.busy_line import BusyLine
from rocm_gui.ui.widgets.marked_edit import MarkedEdit

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QWidget

    from rocm_gui.ui.app import Gui
    from rocm_gui.ui.pages.troubleshooting.model import TroubleshootingModel
    from rocm_gui.ui.pages.troubleshooting.views import ExplanationView

BESIDE_UNITS = 200  # text and explanations beside each other need this


class ExplainPart(TroublePart):
    """The text stays in sight while its explanations scroll."""

    bundle_wanted = Signal()

    def __init__(self, gui: Gui, model: TroubleshootingModel, parent: QWidget | None = None) -> None:
        super().__init__(gui, parent, scroll=False)
        self._model = model
        self._shown: tuple[object, ...] | None = None
        self.busy = BusyLine(gui.theme, self)
        self.controls.addWidget(self.busy)
        self._build_text(gui)
        self._build_answers()
        self._beside: bool | None = None
        self._both = QHBoxLayout()
        self._both.setSpacing(round(3.5 * unit(self.font())))
        self._both.addWidget(self._text_card, 1)
        self._both.addWidget(self._area, 1)
        self.content.addLayout(self._both, 1)
        model.explained.connect(self.show_model)
        model.text_read.connect(self._on_text_read)
        press = QShortcut(QKeySequence("Ctrl+Return"), self)
        press.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        press.activated.connect(self.explain)

    def _build_text(self, gui: Gui) -> None:
        size = round(unit(self.font()))
        self._text_card = Card(parent=self)
        self.text = MarkedEdit(gui.theme, self._text_card)
        self.text.setMinimumHeight(36 * size)
        self.text.file_dropped.connect(self._model.read_log)
        self.text.textChanged.connect(self._on_edited)
        self.open_button, self.clear_button = QPushButton(self._text_card), QPushButton(self._text_card)
        self.open_button.clicked.connect(self._ask_for_file)
        self.clear_button.clicked.connect(lambda: self._model.take_text(""))
        self.explain_button = QPushButton(self._text_card)
        self.explain_button.setProperty("kind", "primary")
        self.explain_button.clicked.connect(self.explain)
        self.explain_button.setEnabled(False)
        row = QHBoxLayout()
        row.setSpacing(2 * size)
        row.addWidget(self.open_button)
        row.addWidget(self.clear_button)
        row.addStretch(1)
        row.addWidget(self.explain_button)
        self._left_out = Text("", "note", "warn", wrap=True, parent=self._text_card)
        self._left_out.hide()
        self._text_card.body.addWidget(self.text, 1)
        self._text_card.body.addWidget(self._left_out)
        self._text_card.body.addLayout(row)

    def _build_answers(self) -> None:
        size = round(unit(self.font()))
        self._area = QScrollArea(self)
        self._area.setObjectName("pageScroll")
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = ScrollBody()
        self._answers = QVBoxLayout(inside)
        self._answers.setContentsMargins(0, 0, size, 0)
        self._answers.setSpacing(round(3.5 * size))
        self._area.setWidget(inside)
        self.cards: list[CauseCard] = []
        self.line_buttons: dict[CauseCard, QPushButton] = {}
        self.nothing = Card(parent=inside)
        self._nothing_text = Text("", wrap=True, parent=self.nothing).selectable()
        self.bundle_button = QPushButton(self.nothing)
        self.bundle_button.clicked.connect(self.bundle_wanted)
        row = QHBoxLayout()
        row.addWidget(self.bundle_button)
        row.addStretch(1)
        self.bundle_button.setVisible(self._model.ports.bundle is not None)
        self.nothing.body.addWidget(self._nothing_text)
        self.nothing.body.addLayout(row)
        self.nothing.hide()
        self._answers.addWidget(self.nothing)
        self._answers.addStretch(1)

    def retranslate(self) -> None:
        """Set every text again."""
        super().retranslate()
        self.title.setText(self.tr("Explain an error"))
        self._text_card.set_title(self.tr("What the program said"))
        self.text.setPlaceholderText(
            self.tr("Paste it here, or drop a log file. The more lines around it, the better.")
        )
        self.text.setAccessibleName(self.tr("What the program said"))
        self.open_button.setText(self.tr("Open a &file…"))
        self.clear_button.setText(self.tr("C&lear"))
        self.explain_button.setText(self.tr("&Explain"))
        self.explain_button.setToolTip(QKeySequence("Ctrl+Return").toString(QKeySequence.SequenceFormat.NativeText))
        self.busy.set_text(self.tr("Reading…"))
        self.nothing.set_title(self.tr("Nothing that is known"))
        self._nothing_text.setText(
            self.tr(
                "No line of this text is among the errors that this program knows. That does not mean that nothing is "
                "wrong: it means that it cannot say what. More of the text may help: the cause often stands many lines "
                "above the last one."
            )
        )
        self.bundle_button.setText(self.tr("Support &bundle"))
        self._shown = None
        self.show_model()

    def enter(self) -> None:
        """The keyboard begins in the text."""
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def explain(self) -> None:
        """Look the text up."""
        if self.text.document().isEmpty():
            return
        self._model.explain(self.text.toPlainText())

    def show_model(self) -> None:
        """What was found."""
        model = self._model
        self.busy.set_busy(busy=model.reading)
        self.sentence.setText(self._sentence())
        error = model.text_error
        if error is None:
            self.banner.hide()
        else:
            self.banner.present(self.gui.error_text(error), "bad")
        self._left_out.setVisible(model.left_out > 0)
        self._left_out.setText(
            self.tr("The file is long: {size} in its middle are not shown.").format(size=size_text(model.left_out))
        )
        found = model.explanations
        if self._shown is not None and found == self._shown[0]:
            return
        self._shown = (found,)
        self._show_area()
        self.nothing.setVisible(found == ())
        self._show_cards(found or ())
        self.text.mark(
            [line for view in found or () for line in view.lines],
            found[0].lines[0] if found and found[0].lines else None,
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Explanations beside the text where there is room, else below it."""
        super().resizeEvent(event)
        beside = event.size().width() > BESIDE_UNITS * unit(self.font())
        if beside == self._beside:
            return
        self._beside = beside
        if beside:
            self._both.insertWidget(0, self._text_card, 1)
        else:  # it scrolls with its explanations
            self._answers.insertWidget(0, self._text_card, 1)
        self._show_area()

    def _show_area(self) -> None:
        self._area.setVisible(not self._beside or self._model.explanations is not None)

    def _sentence(self) -> str:
        model = self._model
        if model.text_name:
            return self.tr("{name}. Nothing of it leaves this computer.").format(name=model.text_name)
        return self.tr("What is pasted here is compared with known errors on this computer; nothing is sent.")

    def _show_cards(self, found: tuple[ExplanationView, ...]) -> None:
        while len(self.cards) < len(found):
            card = CauseCard(self.gui.theme, self._area.widget())
            button = self.line_buttons[card] = card.add_button()
            button.clicked.connect(lambda _on=False, card=card: self._show_line(card))
            self._answers.insertWidget(self._answers.indexOf(self.nothing), card)
            self.cards.append(card)
        for index, card in enumerate(self.cards):
            card.setVisible(index < len(found))
            if index < len(found):
                view = found[index]
                card.present(view.cause, self._lines(view))
                self.line_buttons[card].setText(self.tr("Show the line"))
                self.line_buttons[card].setVisible(bool(view.lines))

    def _lines(self, view: ExplanationView) -> str:
        if not view.lines:
            return ""
        return self.tr("line {numbers}").format(numbers=", ".join(str(line) for line in view.lines[:5]))

    def _show_line(self, card: CauseCard) -> None:
        found = self._model.explanations or ()
        view = found[self.cards.index(card)]
        if view.lines:
            self.text.mark([line for other in found for line in other.lines], view.lines[0])
            self.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_edited(self) -> None:
        self.explain_button.setEnabled(not self.text.document().isEmpty())
        if self._model.explanations is not None:
            self._model.forget_text()

    def _on_text_read(self, text: str) -> None:
        self.text.setPlainText(text)
        if text.strip():
            self.explain()
        else:
            self._model.forget_text()

    def _ask_for_file(self) -> None:
        dialog = QFileDialog(self, self.tr("Open a log file"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("Logs (*.log *.txt *.out *.err *.stderr)"), self.tr("Every file (*)")])
        dialog.fileSelected.connect(lambda name: self._model.read_log(Path(name)))
        dialog.open()
