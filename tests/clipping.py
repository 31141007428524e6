"""Finds text that cannot be read whole: labels, buttons, fields and widgets that stick out of their parents."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QToolButton,
    QWidget,
)

from rocm_gui.ui.widgets.basics import BREAK, ElidedText

SLACK = 1  # pixels: hints are rounded up, layouts down


def clipped(root: QWidget) -> list[str]:
    """Every visible widget below ``root`` whose text is cut, as "class: text (why)"."""
    found: list[str] = []
    for widget in root.findChildren(QWidget):
        if not widget.isVisibleTo(root) or not widget.isVisible():
            continue
        why = _why(widget) or _outside(widget, root)
        if why:
            found.append(f"{type(widget).__name__}: {_text(widget)[:60]!r} ({why})")
    return found


def _why(widget: QWidget) -> str:
    if isinstance(widget, ElidedText):
        cut = widget.text() != widget.whole
        return "cut without a tool tip" if cut and widget.toolTip() != widget.whole else ""
    if isinstance(widget, QLabel):
        return _label(widget)
    if isinstance(widget, QAbstractButton):
        return _button(widget)
    if isinstance(widget, QComboBox):
        return _short(widget, widget.minimumSizeHint().width() if widget.currentText() else 0)
    if isinstance(widget, QLineEdit) and not widget.text() and widget.placeholderText():
        if widget.toolTip() == widget.placeholderText():
            return ""  # a path: of any length, and to be read there
        return _short(widget, widget.fontMetrics().horizontalAdvance(widget.placeholderText()) + 6)
    if isinstance(widget, QPlainTextEdit) and widget.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff:
        return _lines(widget)
    if isinstance(widget, QScrollArea) and widget.horizontalScrollBar().maximum() > 0:
        return f"content is {widget.horizontalScrollBar().maximum()} px wider than its area"
    return ""


def _label(label: QLabel) -> str:
    shown = QLabel.text(label)  # with the marks at which long words break
    if not shown:
        return ""
    if label.wordWrap():
        words = shown.replace(BREAK, " ").split()
        if not any("一" <= letter <= "鿿" for letter in shown):
            widest = max((label.fontMetrics().horizontalAdvance(word) for word in words), default=0)
            if widest > label.contentsRect().width() + SLACK:
                return f"the longest word needs {widest} px of {label.contentsRect().width()}"
        needed = label.heightForWidth(label.width())
        return f"needs {needed} px of height, has {label.height()}" if needed > label.height() + SLACK else ""
    hint = label.sizeHint()
    if hint.width() > label.width() + SLACK or hint.height() > label.height() + SLACK:
        return f"needs {hint.width()} × {hint.height()}, has {label.width()} × {label.height()}"
    return ""


def _button(button: QAbstractButton) -> str:
    if not button.text():
        return ""
    if isinstance(button, QToolButton) and button.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonIconOnly:
        return "" if button.toolTip() else "an icon alone without a tool tip"
    hint = button.sizeHint()
    if hint.width() > button.width() + SLACK or hint.height() > button.height() + SLACK:
        return f"needs {hint.width()} × {hint.height()}, has {button.width()} × {button.height()}"
    return ""


def _lines(text: QPlainTextEdit) -> str:
    """Whether text without a scroll bar has more lines than are seen."""
    layout, block, needed = text.document().documentLayout(), text.document().begin(), 0.0
    while block.isValid():
        needed += layout.blockBoundingRect(block).height()
        block = block.next()
    room = text.viewport().height()
    return f"lines need {needed:.0f} px of height, have {room}" if needed > room + SLACK else ""


def _short(widget: QWidget, needed: int) -> str:
    return f"needs {needed} px of width, has {widget.width()}" if needed > widget.width() + SLACK else ""


def _outside(widget: QWidget, root: QWidget) -> str:
    """Whether a widget with text sticks out of what cuts it: its parent, or sideways a scroll area."""
    if not _text(widget):
        return ""
    parent = widget.parentWidget()
    while parent is not None and parent is not root.parentWidget():
        place = QRect(widget.mapTo(parent, QPoint(0, 0)), widget.size())
        view = parent.rect()
        if isinstance(parent.parentWidget(), QAbstractScrollArea) and parent.objectName() == "qt_scrollarea_viewport":
            sideways = place.left() < -SLACK or place.right() > view.right() + SLACK
            return "sticks out of the scroll area" if sideways else ""
        if not view.adjusted(-SLACK, -SLACK, SLACK, SLACK).contains(place):
            return f"sticks out of {parent.objectName() or type(parent).__name__}: {place} in {view}"
        parent = parent.parentWidget()
    return ""


def _text(widget: QWidget) -> str:
    if isinstance(widget, (QLabel, QAbstractButton)):
        return widget.text()
    if isinstance(widget, QComboBox):
        return widget.currentText()
    if isinstance(widget, QPlainTextEdit):
        return widget.toPlainText()
    if isinstance(widget, QLineEdit):
        return widget.text() or widget.placeholderText()
    return widget.objectName() if isinstance(widget, QScrollArea) else ""
