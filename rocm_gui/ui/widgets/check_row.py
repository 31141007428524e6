"""One check: a shape and a word, what was found, why it matters, and a button that mends or explains it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from rocm_gui.ui.theme import Theme, unit
from rocm_gui.ui.widgets.basics import Text

ROLES = {"ok": "ok", "warn": "warn", "fail": "bad", "unknown": "muted", "waiting": "muted", "running": "accent"}


class CheckRow(QFrame):
    """A row; the details fold out below it."""

    acted = Signal(str)  # the check's id

    def __init__(self, theme: Theme, check_id: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.check_id = check_id
        self.status = "unknown"
        self._theme = theme
        size = round(unit(self.font()))
        outer = QHBoxLayout(self)
        outer.setContentsMargins(0, size, 0, size)
        outer.setSpacing(2 * size)
        self._icon = QLabel(self)
        self._icon.setFixedWidth(6 * size)
        self._icon.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        self._word = Text("", "note", parent=self)
        self._word.setFixedWidth(round(21 * unit(self.font())))
        self._word.setWordWrap(True)
        self._title = Text("", "body", parent=self, wrap=True)
        self._found = Text("", "body", "muted", wrap=True, parent=self).selectable()
        self._why = Text("", "note", "muted", wrap=True, parent=self)
        self._remedy = Text("", "body", wrap=True, parent=self).selectable()
        texts = QVBoxLayout()
        texts.setSpacing(size // 2)
        for label in (self._title, self._found, self._remedy, self._why):
            policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
            policy.setHeightForWidth(True)
            label.setSizePolicy(policy)
            texts.addWidget(label)
        self.action = QPushButton(self)
        self.action.clicked.connect(lambda: self.acted.emit(self.check_id))
        self.action.hide()
        top = Qt.AlignmentFlag.AlignTop
        outer.addWidget(self._icon, 0, top)
        outer.addWidget(self._word, 0, top)
        outer.addLayout(texts, 1)
        outer.addWidget(self.action, 0, top)
        theme.changed.connect(self._recolour)

    def present(
        self, status: str, title: str, found: str = "", *, remedy: str = "", why: str = "", action: str = ""
    ) -> None:
        """Show the answer; empty texts take no room."""
        self.status = status
        self._title.setText(title)
        for label, text in ((self._found, found), (self._remedy, remedy), (self._why, why)):
            label.setText(text)
            label.setVisible(bool(text))
        self.action.setText(action)
        self.action.setVisible(bool(action))
        if action:
            self.action.setAccessibleName(f"{action}: {title}")
        self._recolour()

    def word(self) -> str:
        """The status in a word."""
        return {
            "ok": self.tr("Ready"),
            "warn": self.tr("Look at this"),
            "fail": self.tr("Must be fixed"),
            "unknown": self.tr("Unknown"),
            "waiting": self.tr("Waiting"),
            "running": self.tr("Running"),
        }[self.status]

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self._recolour()
        super().changeEvent(event)

    def _recolour(self) -> None:
        role = ROLES[self.status]
        pixels = round(4.5 * unit(self.font()))
        self._icon.setPixmap(self._theme.pixmap(self.status, role, pixels, self.devicePixelRatioF()))
        self._word.setText(self.word())
        self._word.set_tone(role)
        self.setAccessibleName(f"{self.word()}: {self._title.text()}. {self._found.text()}")
