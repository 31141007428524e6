"""The software stack as a drawing: a band for each layer, what is installed in it, marks where two layers disagree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap, QRegion
from PySide6.QtWidgets import (
    QApplication,
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from rocm_gui.ui.theme import scaled_font, unit
from rocm_gui.ui.widgets.basics import ElidedText, Text
from rocm_gui.ui.widgets.card_button import CardButton
from rocm_gui.ui.widgets.report_table import Cell
from rocm_gui.ui.widgets.state_pill import SHAPES, StatePill

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent, QPaintEvent, QResizeEvent

    from rocm_gui.ui.theme import Theme

BandState = Literal["ok", "warn", "bad", "unknown", "missing"]
ITEM_UNITS = 54  # narrowest item, in spacing units
LABEL_UNITS = 36  # the column of the layers' names
COLUMNS_MOST = 4
PICTURE_UNITS = 250  # width of a saved picture
PICTURE_RATIO = 2  # pixels of a saved picture for each of the window's


@dataclass(frozen=True)
class ItemView:
    """One thing in a layer."""

    key: str
    name: str
    state: BandState
    word: str  # the state in a word
    version: str = ""
    where: str = ""


@dataclass(frozen=True)
class BandView:
    """One layer."""

    key: str
    name: str
    what: str  # what the layer does, in a few words
    state: BandState
    word: str
    items: tuple[ItemView, ...] = ()
    empty: str = ""  # said where nothing stands in it


@dataclass(frozen=True)
class ClashView:
    """Two layers that do not fit together."""

    upper: str  # key of the band above
    lower: str
    state: BandState
    text: str


@dataclass(frozen=True)
class StackView:
    """The whole, top band first."""

    bands: tuple[BandView, ...] = ()
    clashes: tuple[ClashView, ...] = field(default=())


class StackItem(CardButton):
    """Name, version and place of one thing, its state beside them."""

    moved = Signal(int)  # an arrow key: the Qt key

    def __init__(self, theme: Theme, item: ItemView, parent: QWidget) -> None:
        super().__init__("stackItem", parent)
        self.item = item
        self.setCheckable(True)
        self.setProperty("state", SHAPES[item.state][1] if item.state != "missing" else "missing")
        size = round(unit(self.font()))
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * size, round(1.5 * size), 2 * size, round(1.5 * size))
        column.setSpacing(size // 4)
        name = Text(item.name, "body", wrap=True, parent=self)
        name.setFont(scaled_font(QApplication.font(), 10.0, weight=QFont.Weight.DemiBold))
        self.pill = StatePill(theme, self, outlined=False)
        self.pill.present(item.state, item.word)
        head = QHBoxLayout()
        head.setSpacing(2 * size)
        head.addWidget(self.inside(name), 1)
        head.addWidget(self.pill, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(head)
        below = QHBoxLayout()
        below.setSpacing(2 * size)
        if item.version:
            version = Cell(item.version, "body", wrap=True, parent=self)
            version.setFont(scaled_font(QApplication.font(), 10.0, tabular=True))
            below.addWidget(self.inside(version))
        if item.where:
            where = ElidedText("note", "muted", self, mode=Qt.TextElideMode.ElideMiddle)
            where.set_text(item.where)
            below.addWidget(self.inside(where), 1)
            self.setToolTip(item.where)
        else:
            below.addStretch(1)
        column.addLayout(below)
        column.addStretch(1)
        policy = self.sizePolicy()
        policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)  # columns of all bands stand below each other
        self.setSizePolicy(policy)
        self.setAccessibleName(", ".join(filter(None, (item.name, item.version, item.word, item.where))))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows go from thing to thing."""
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.moved.emit(event.key())
        else:
            super().keyPressEvent(event)


class Band(QFrame):
    """The name of a layer at the left, its things at the right, in as many columns as there is room for."""

    def __init__(self, theme: Theme, view: BandView, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("stackBand")
        self.view = view
        size = round(unit(self.font()))
        self._columns = 0
        label = QVBoxLayout()
        label.setSpacing(size // 2)
        name = Text(view.name, "body", wrap=True, parent=self)
        name.setFont(scaled_font(QApplication.font(), 10.5, weight=QFont.Weight.DemiBold))
        what = Text(view.what, "note", "muted", wrap=True, parent=self)
        self._labels = (name, what)
        for text in self._labels:
            label.addWidget(text)
        label.addStretch(1)
        self.items = [StackItem(theme, item, self) for item in view.items]
        self._room = [QWidget(self) for _ in range(COLUMNS_MOST)]
        self._grid = QGridLayout()
        self._grid.setSpacing(round(1.5 * size))
        self._none = Text(view.empty, "body", "muted", wrap=True, parent=self)
        self._none.setVisible(not self.items)
        self._row = row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        row.setContentsMargins(3 * size, 2 * size, 2 * size, 2 * size)
        row.setSpacing(3 * size)
        row.addLayout(label)
        row.addLayout(self._grid, 1)
        row.addWidget(self._none, 0 if self.items else 1)
        self.setAccessibleName(f"{view.name}: {view.word}")

    @property
    def columns(self) -> int:
        """How many things stand beside each other."""
        return max(1, self._columns)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As many columns as fit."""
        super().resizeEvent(event)
        size = unit(self.font())
        beside = self.width() > (LABEL_UNITS + ITEM_UNITS + 8) * size
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)
        for text in self._labels:
            text.setFixedWidth(round(LABEL_UNITS * size if beside else self.width() - 6 * size))
        room = self.width() - (LABEL_UNITS + 8 if beside else 8) * size
        fitting = int(room // (ITEM_UNITS * size))
        columns = max(1, min(COLUMNS_MOST, fitting))
        if columns == self._columns:
            return
        self._columns = columns
        for index, item in enumerate([*self.items, *self._room]):  # room: columns are as wide in every band
            self._grid.removeWidget(item)
            if index < max(columns, len(self.items)):
                self._grid.addWidget(item, index // columns, index % columns)
        for column in range(COLUMNS_MOST):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)

    def minimumSizeHint(self) -> QSize:
        """One column is enough."""
        width = round((ITEM_UNITS + 8) * unit(self.font()))
        return QSize(width, super().minimumSizeHint().height())


class Seam(QFrame):
    """Between two bands that disagree: a mark on a line that joins them, and the sentence that says why."""

    def __init__(self, theme: Theme, clashes: Sequence[ClashView], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._clashes = tuple(clashes)
        size = round(unit(self.font()))
        self._mark = round(6 * unit(self.font()))
        column = QVBoxLayout(self)
        column.setContentsMargins(3 * size + self._mark + 3 * size, 2 * size, 2 * size, 2 * size)
        column.setSpacing(round(1.5 * size))
        self._texts: list[Text] = []
        for clash in clashes:
            text = Text(clash.text, "body", SHAPES[clash.state][1], wrap=True, parent=self).selectable()
            text.setMinimumHeight(self._mark)
            text.setAlignment(Qt.AlignmentFlag.AlignVCenter)
            text.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
            self._texts.append(text)
            column.addWidget(text)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(" ".join(clash.text for clash in clashes))
        theme.changed.connect(self.update)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The line from band to band, and a disc with the state's shape for each sentence."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        middle = 3 * round(unit(self.font())) + self._mark / 2
        tokens = self._theme.tokens
        worst = "bad" if any(clash.state == "bad" for clash in self._clashes) else "warn"
        pen = QPen(tokens.color(worst), 2)
        pen.setDashPattern([2, 2])
        painter.setPen(pen)
        painter.drawLine(QPointF(middle, 0), QPointF(middle, self.height()))
        shape = round(self._mark * 0.62)
        for clash, text in zip(self._clashes, self._texts, strict=True):
            icon, role = SHAPES[clash.state]
            centre = QPointF(middle, text.geometry().top() + min(self._mark, text.height()) / 2)
            disc = QRectF(centre.x() - self._mark / 2, centre.y() - self._mark / 2, self._mark, self._mark)
            painter.setPen(QPen(tokens.color(role), 1.4))
            painter.setBrush(tokens.color(f"{role}_soft") if role in ("bad", "warn", "ok") else tokens.color("surface"))
            painter.drawEllipse(disc.adjusted(1, 1, -1, -1))
            pixmap = self._theme.pixmap(icon, role, shape, self.devicePixelRatioF())
            painter.drawPixmap(QPointF(centre.x() - shape / 2, centre.y() - shape / 2), pixmap)
        painter.end()


class StackPicture(QWidget):
    """The drawing. One thing may be chosen; ``drawer`` then opens below its band."""

    chosen = Signal(str)  # the key of the thing that was pressed; empty: none any more

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.view = StackView()
        self.bands: list[Band] = []
        self.drawer = QFrame(self)
        self.drawer.setObjectName("stackDrawer")
        self.drawer.hide()
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self._gap = max(2, round(unit(self.font()) / 2))

    @property
    def items(self) -> list[StackItem]:
        """Every thing, as it is read."""
        return [item for band in self.bands for item in band.items]

    @property
    def current(self) -> str:
        """The key of the thing whose details are open; empty for none."""
        return next((item.item.key for item in self.items if item.isChecked()), "")

    def present(self, view: StackView) -> None:
        """Draw ``view``; what was chosen stays chosen where it is still there."""
        current, focused = self.current, any(item.hasFocus() for item in self.items)
        self.view = view
        self._clear()
        below: dict[str, list[ClashView]] = {}
        for clash in view.clashes:
            below.setdefault(clash.upper, []).append(clash)
        for index, band_view in enumerate(view.bands):
            band = Band(self._theme, band_view, self)
            self.bands.append(band)
            self._layout.addWidget(band)
            if clashes := below.get(band_view.key):
                self._layout.addWidget(Seam(self._theme, clashes, self))
            elif index + 1 < len(view.bands):
                self._layout.addSpacing(self._gap)
            for item in band.items:
                item.clicked.connect(lambda _on=False, item=item: self._on_pressed(item))
                item.moved.connect(lambda key, item=item: self._on_moved(item, key))
        kept = next((item for item in self.items if item.item.key == current), None)
        self._one_tab_stop(kept or next(iter(self.items), None))
        if kept is not None:
            kept.setChecked(True)
            self._open_below(kept)
            if focused:
                kept.setFocus()
        elif current:
            self.chosen.emit("")

    def close_drawer(self) -> None:
        """Choose nothing; the keyboard goes back to what was chosen."""
        for item in self.items:
            if item.isChecked():
                item.setChecked(False)
                item.setFocus()
        self.drawer.hide()
        self.chosen.emit("")

    def picture(self, background: QColor, caption: str) -> QPixmap:
        """The drawing alone below its ``caption``, always as wide, at twice the window's pixels."""
        size = unit(self.font())
        width, margin = round(PICTURE_UNITS * size), round(4 * size)
        copy = StackPicture(self._theme)  # neither drawer nor focus, and no scroll bar beside it
        copy.present(self.view)
        copy.resize(width, copy.sizeHint().height())
        for _ in range(3):  # the number of columns follows from the width, the height from the columns
            copy.grab()
            for band in copy.bands:
                band.updateGeometry()
            copy._layout.activate()
            copy.resize(width, copy._layout.totalHeightForWidth(width))
        title = Text(caption, "heading", parent=copy)
        top = margin + title.sizeHint().height() + round(2 * size)
        pixmap = QPixmap((width + 2 * margin) * PICTURE_RATIO, (copy.height() + top + margin) * PICTURE_RATIO)
        pixmap.setDevicePixelRatio(PICTURE_RATIO)
        pixmap.fill(background)
        painter = QPainter(pixmap)
        painter.setFont(title.font())
        painter.setPen(self._theme.tokens.color("text"))
        painter.drawText(QPointF(margin, margin + QFontMetricsF(title.font()).ascent()), caption)
        painter.end()
        title.hide()
        copy.render(pixmap, QPoint(margin, top), QRegion(), QWidget.RenderFlag.DrawChildren)
        copy.deleteLater()
        return pixmap

    def _clear(self) -> None:
        self.drawer.hide()
        self.bands = []
        while (entry := self._layout.takeAt(0)) is not None:
            widget = entry.widget()
            if widget is not None and widget is not self.drawer:
                widget.hide()
                widget.deleteLater()

    def _on_pressed(self, item: StackItem) -> None:
        if not item.isChecked():
            self.close_drawer()
            return
        for other in self.items:
            if other is not item:
                other.setChecked(False)
        self._one_tab_stop(item)
        self._open_below(item)
        self.chosen.emit(item.item.key)

    def _open_below(self, item: StackItem) -> None:
        band = next(band for band in self.bands if item in band.items)
        self._layout.removeWidget(self.drawer)
        self._layout.insertWidget(self._layout.indexOf(band) + 1, self.drawer)
        self.drawer.show()

    def _on_moved(self, item: StackItem, key: int) -> None:
        items = self.items
        at = items.index(item)
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            wanted = at + (1 if key == Qt.Key.Key_Right else -1)
            target = items[wanted] if 0 <= wanted < len(items) else None
        else:
            target = self._vertical(item, down=key == Qt.Key.Key_Down)
        if target is not None:
            self._one_tab_stop(target)
            target.setFocus(Qt.FocusReason.TabFocusReason)

    def _vertical(self, item: StackItem, *, down: bool) -> StackItem | None:
        """The thing above or below: in the same band first, then in the next band that holds any."""
        filled = [band for band in self.bands if band.items]
        index = next(number for number, band in enumerate(filled) if item in band.items)
        band = filled[index]
        at = band.items.index(item)
        column, wanted = at % band.columns, at + (band.columns if down else -band.columns)
        if 0 <= wanted < len(band.items):
            return band.items[wanted]
        index += 1 if down else -1
        if not 0 <= index < len(filled):
            return None
        others = filled[index].items
        first = 0 if down else (len(others) - 1) // filled[index].columns * filled[index].columns
        return others[min(first + column, len(others) - 1)]

    def _one_tab_stop(self, item: StackItem | None) -> None:
        """Tab enters the picture once; arrows move inside it."""
        for other in self.items:
            other.setFocusPolicy(Qt.FocusPolicy.StrongFocus if other is item else Qt.FocusPolicy.ClickFocus)
