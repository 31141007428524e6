"""Labels, cards, pills, banners and empty states: the parts of ``LOOK``'s vocabulary that hold no logic."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Literal

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QClipboard, QFont, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from rocm_gui.ui.theme import scaled_font, unit

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QResizeEvent

BREAK = "\N{ZERO WIDTH SPACE}"
_LONG_WORD = re.compile(r"[\x21-\x7e]{21,}")
_JOINT = re.compile(r"(?<=[\\/=&?_.,;:-])(?=[^\\/=&?_.,;:-])")

State = Literal["ok", "warn", "bad", "accent", "neutral"]


def _with_breaks(word: re.Match[str]) -> str:
    return _JOINT.sub(BREAK, word[0])


def restyle(widget: QWidget) -> None:
    """Make the style sheet look at the widget's properties again."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)


class Text(QLabel):
    """A label with a size from the type scale; sizes follow the application's font."""

    SIZES: ClassVar[dict[str, float]] = {"title": 16.0, "heading": 11.5, "body": 10.0, "note": 9.0, "number": 17.0}

    def __init__(
        self,
        text: str = "",
        kind: Literal["title", "heading", "body", "note", "number"] = "body",
        tone: str | None = None,
        *,
        wrap: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._kind = kind
        self._said = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        if wrap:
            policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
            policy.setHeightForWidth(True)
            self.setSizePolicy(policy)
        if tone is not None:
            self.set_tone(tone)
        self._apply_font()
        self.setText(text)

    def text(self) -> str:
        """What it says, without the marks at which long words may break."""
        return self._said

    def setText(self, text: str) -> None:
        """Say ``text``; a wrapping label may break long paths, addresses and commands at their joints."""
        self._said = text
        super().setText(_LONG_WORD.sub(_with_breaks, text) if self.wordWrap() else text)

    def set_tone(self, tone: str | None) -> None:
        """Colour by meaning: muted, ok, warn, bad, accent, or none."""
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            restyle(self)

    def selectable(self) -> Text:
        """Let people copy the text with mouse and keyboard."""
        flags = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        self.setTextInteractionFlags(flags)
        return self

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy without the marks."""
        if event.matches(QKeySequence.StandardKey.Copy) and self.hasSelectedText():
            self._copy_selected()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Copy without the marks here too."""
        if not self.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse:
            super().contextMenuEvent(event)
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        copy = menu.addAction(self.tr("Copy"), self._copy_selected)
        copy.setEnabled(self.hasSelectedText())
        menu.addAction(self.tr("Copy all"), lambda: QGuiApplication.clipboard().setText(self._said))
        menu.popup(event.globalPos())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """X11's selection without the marks."""
        super().mouseReleaseEvent(event)
        clipboard = QGuiApplication.clipboard()
        if self.hasSelectedText() and clipboard.supportsSelection():
            clipboard.setText(self.selectedText().replace(BREAK, ""), QClipboard.Mode.Selection)

    def _copy_selected(self) -> None:
        QGuiApplication.clipboard().setText(self.selectedText().replace(BREAK, ""))

    def _apply_font(self) -> None:
        strong = self._kind in ("title", "heading", "number")
        weight = QFont.Weight.DemiBold if strong else None
        self.setFont(
            scaled_font(QApplication.font(), self.SIZES[self._kind], weight=weight, tabular=self._kind == "number")
        )


class Heading(Text):
    """A card's title: on one line where there is room for it.

    Qt's own hint of a wrapping label is a compact block, which breaks a title of thirty letters in the middle.
    """

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(text, "heading", wrap=True, parent=parent)

    def sizeHint(self) -> QSize:
        """The width of the whole text."""
        hint = super().sizeHint()
        width = self.fontMetrics().horizontalAdvance(self._said) + 2
        return hint if width <= hint.width() else QSize(width, self.heightForWidth(width))


class Identity(Text):
    """The muted words beside a title. They may stand below each other; only long ones break, at their joints."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("", "note", "muted", wrap=True, parent=parent)

    def minimumSizeHint(self) -> QSize:
        """Room for the longest word that does not break."""
        hint = super().minimumSizeHint()
        words = [word for word in self._said.split() if not _LONG_WORD.fullmatch(word)]
        return hint.expandedTo(QSize(max(map(self.fontMetrics().horizontalAdvance, words), default=0), 0))


class ElidedText(Text):
    """One line that is cut where room is short, usually at its end; the tool tip then has the whole."""

    def __init__(
        self,
        kind: Literal["title", "heading", "body", "note", "number"] = "body",
        tone: str | None = None,
        parent: QWidget | None = None,
        *,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__("", kind, tone, parent=parent)
        self._whole = ""
        self._mode = mode
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    @property
    def whole(self) -> str:
        """The text without any cut."""
        return self._whole

    def set_text(self, text: str) -> None:
        """Show ``text``."""
        self._whole = text
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut anew."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        shown = self.fontMetrics().elidedText(self._whole, self._mode, max(0, self.width()))
        if shown != self.text():
            self.setText(shown)
        self.setToolTip(self._whole if shown != self._whole else "")
        self.setAccessibleName(self._whole)


class ScrollBody(QWidget):
    """What a scroll area holds: as tall as its content is at the width it has.

    Qt takes the minimum of a layout for the narrowest width, where wrapped texts are tallest: scroll bars would
    appear although nothing is hidden.
    """

    def minimumSizeHint(self) -> QSize:
        """No height of its own where the layout tells it by the width."""
        hint = super().minimumSizeHint()
        layout = self.layout()
        return QSize(hint.width(), 0) if layout is not None and layout.hasHeightForWidth() else hint


class Card(QFrame):
    """A calm surface with an optional head line; ``body`` takes the content."""

    def __init__(self, title: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        size = round(unit(self.font()))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4 * size, 3 * size, 4 * size, 3 * size)
        layout.setSpacing(2 * size)
        self._head = QWidget(self)
        head = QHBoxLayout(self._head)
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(2 * size)
        self._title = Heading(title, self)
        self._identity = Identity(self)
        self.pill = Pill(parent=self)
        self.pill.hide()
        head.addWidget(self._title)
        head.addWidget(self._identity, 1)
        head.addWidget(self.pill, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self._head)
        self._head.setVisible(bool(title))
        self.body = QVBoxLayout()
        self.body.setSpacing(2 * size)
        layout.addLayout(self.body)

    def set_title(self, title: str, identity: str = "") -> None:
        """The head line and the muted identity beside it."""
        self._title.setText(title)
        self._identity.setText(identity)
        self._head.setVisible(bool(title))
        self.setAccessibleName(title)


class Pill(QLabel):
    """A state in a word with a coloured outline."""

    def __init__(self, text: str = "", state: State = "neutral", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setObjectName("pill")
        self.setFont(scaled_font(self.font(), 9.0, weight=QFont.Weight.DemiBold))
        self.set_state(text, state)

    def set_state(self, text: str, state: State) -> None:
        """Show ``text`` in the colour of ``state``."""
        self.setText(text)
        self.setProperty("state", state)
        self.setVisible(bool(text))
        restyle(self)


class Banner(QFrame):
    """Something that can be mended: a sentence and at most one button. Hidden until shown."""

    acted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        size = round(unit(self.font()))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(3 * size, 2 * size, 3 * size, 2 * size)
        self._text = Text("", wrap=True, parent=self).selectable()
        self.action = QPushButton(self)
        self.action.clicked.connect(self.acted)
        self.dismiss = QPushButton(self)
        self.dismiss.setProperty("kind", "link")
        self.dismiss.clicked.connect(self.hide)
        layout.addWidget(self._text, 1)
        layout.addWidget(self.action)
        layout.addWidget(self.dismiss)
        self._retranslate()
        self.hide()

    @property
    def text(self) -> str:
        """What it says."""
        return self._text.text()

    def present(self, text: str, state: State = "warn", action: str = "") -> None:
        """Show the banner; without ``action`` it has no button but Dismiss."""
        self._text.setText(text)
        self.setAccessibleName(text)
        self.setProperty("state", state)
        self.action.setText(action)
        self.action.setVisible(bool(action))
        restyle(self)
        self.show()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == event.Type.LanguageChange:
            self._retranslate()
        super().changeEvent(event)

    def _retranslate(self) -> None:
        self.dismiss.setText(self.tr("Dismiss"))


class EmptyState(QWidget):
    """What will stand here, and one button that gets there."""

    acted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        size = round(unit(self.font()))
        layout = QVBoxLayout(self)
        layout.setSpacing(3 * size)
        layout.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.picture = QLabel(self)
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._text = Text("", "body", "muted", wrap=True, parent=self)
        self._text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._text.setMinimumWidth(90 * size)
        self.action = QPushButton(self)
        self.action.setProperty("kind", "primary")
        self.action.clicked.connect(self.acted)
        layout.addStretch(1)
        layout.addWidget(self.picture)
        layout.addWidget(self._text, 0, Qt.AlignmentFlag.AlignCenter)
        layout.addWidget(self.action, 0, Qt.AlignmentFlag.AlignCenter)
        layout.addStretch(2)

    def present(self, text: str, action: str = "") -> None:
        """One sentence, and the button's words (none hides it)."""
        self._text.setText(text)
        self.action.setText(action)
        self.action.setVisible(bool(action))
