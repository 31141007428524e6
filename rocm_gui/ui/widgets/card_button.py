"""A button that is a whole card: texts laid out inside it, painted by the style sheet, pressed anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QLabel, QSizePolicy, QStyle, QStyleOption, QVBoxLayout

from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Text

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QPaintEvent
    from PySide6.QtWidgets import QWidget

    from rocm_gui.ui.theme import Theme


class CardButton(QAbstractButton):
    """Base of buttons with a layout. Labels inside must let the mouse through: ``inside`` sees to it."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def inside(self, label: QLabel) -> QLabel:
        """``label``, through which a click reaches the button."""
        label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        return label

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return presses it too, as on any card of a page."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Background and border as the style sheet has them for this state."""
        option = QStyleOption()
        option.initFrom(self)
        option.state |= QStyle.StateFlag.State_On if self.isChecked() else QStyle.StateFlag.State_Off
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        painter.end()


class EntryCard(CardButton):
    """A way into something: a picture, what it is, and one sentence that says when to take it."""

    def __init__(self, theme: Theme, icon: str, parent: QWidget | None = None) -> None:
        super().__init__("entryCard", parent)
        self._theme = theme
        self._name = icon
        size = round(unit(self.font()))
        self._icon = self.inside(QLabel(self))
        self._title = Text("", "heading", wrap=True, parent=self)
        self._text = Text("", "body", "muted", wrap=True, parent=self)
        self._go = self.inside(QLabel(self))
        words = QVBoxLayout()
        words.setSpacing(size // 2)
        for label in (self._title, self._text):
            words.addWidget(self.inside(label))
        words.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(4 * size, 3 * size, 3 * size, 3 * size)
        row.setSpacing(3 * size)
        row.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        row.addWidget(self._go, 0, Qt.AlignmentFlag.AlignVCenter)
        theme.changed.connect(self._recolour)
        self._recolour()

    def present(self, title: str, text: str) -> None:
        """Say what it leads to."""
        self._title.setText(title)
        self._text.setText(text)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)

    def _recolour(self) -> None:
        ratio = self.devicePixelRatioF()
        pixels = round(6 * unit(self.font()))
        self._icon.setPixmap(self._theme.pixmap(self._name, "accent", pixels, ratio))
        self._icon.setFixedSize(QSize(pixels, pixels))
        self._go.setPixmap(self._theme.pixmap("chevron-right", "muted", round(4 * unit(self.font())), ratio))
