"""Theme: tokens from ``resources/themes`` become a palette, a style sheet, plot colours and recoloured icons."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from string import Template
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QByteArray, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGuiApplication, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QStyleFactory

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from pathlib import Path

ThemeChoice = Literal["system", "light", "dark"]

# Names of lengths in app.qss, in spacing units.
_LENGTHS = {
    "u05": 0.5, "u1": 1, "u125": 1.25, "u15": 1.5, "u175": 1.75, "u2": 2, "u225": 2.25, "u25": 2.5, "u3": 3, "u35": 3.5,
    "u4": 4, "u6": 6, "u8": 8, "u90": 90,
}  # fmt: skip


@dataclass(frozen=True)
class Tokens:
    """The colours of one theme by role; see ``resources/themes``."""

    name: str
    colors: dict[str, str]
    series: tuple[str, ...]

    def color(self, role: str) -> QColor:
        """The colour of ``role``: bg, surface, line, text, muted, accent, ok, warn, bad, ..."""
        return QColor(self.colors[role])

    @property
    def is_dark(self) -> bool:
        """Whether text is light on dark."""
        return self.name == "dark"


def load_tokens(folder: Path, name: str) -> Tokens:
    """The tokens of the theme file ``NAME.toml`` in ``folder``."""
    document = tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))
    colors = dict(document["colors"])
    series = tuple(colors.pop("series"))
    return Tokens(name, colors, series)


def contrast(first: QColor, second: QColor) -> float:
    """WCAG contrast ratio, 1 to 21."""

    def luminance(color: QColor) -> float:
        parts = [color.redF(), color.greenF(), color.blueF()]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def build_palette(tokens: Tokens) -> QPalette:
    """A full palette for Fusion: every part that the style sheet leaves alone follows it."""
    palette = QPalette()
    roles = {
        QPalette.ColorRole.Window: "bg",
        QPalette.ColorRole.WindowText: "text",
        QPalette.ColorRole.Base: "surface",
        QPalette.ColorRole.AlternateBase: "hover",
        QPalette.ColorRole.Text: "text",
        QPalette.ColorRole.Button: "surface",
        QPalette.ColorRole.ButtonText: "text",
        QPalette.ColorRole.BrightText: "bad",
        QPalette.ColorRole.ToolTipBase: "surface",
        QPalette.ColorRole.ToolTipText: "text",
        QPalette.ColorRole.PlaceholderText: "muted",
        QPalette.ColorRole.Highlight: "selection",
        QPalette.ColorRole.HighlightedText: "text",
        QPalette.ColorRole.Link: "accent",
        QPalette.ColorRole.LinkVisited: "accent",
        QPalette.ColorRole.Light: "surface",
        QPalette.ColorRole.Midlight: "line",
        QPalette.ColorRole.Mid: "line_strong",
        QPalette.ColorRole.Dark: "line_strong",
        QPalette.ColorRole.Shadow: "line_strong",
        QPalette.ColorRole.Accent: "accent",
    }
    for role, token in roles.items():
        palette.setColor(role, tokens.color(token))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, tokens.color("disabled"))
    return palette


class Theme(QObject):
    """The theme in force. ``changed`` is emitted after palette and style sheet were replaced."""

    changed = Signal()

    def __init__(self, application: QApplication, resources: Path, choice: ThemeChoice = "system") -> None:
        super().__init__(application)
        self._application = application
        self._icons_folder = resources / "icons"
        self._sheet = Template((resources / "themes" / "app.qss").read_text("utf-8"))
        self._all = {name: load_tokens(resources / "themes", name) for name in ("light", "dark")}
        self._choice: ThemeChoice = choice
        self._svg: dict[str, bytes] = {}
        self._drawn: dict[tuple[str, str, int, float], QPixmap] = {}  # many widgets show the same few icons
        self.tokens = self._wanted()
        application.setStyle(QStyleFactory.create("Fusion"))
        self._apply()
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_system_scheme_changed)

    @property
    def choice(self) -> ThemeChoice:
        """What was chosen; ``tokens`` is what it comes to."""
        return self._choice

    def choose(self, choice: ThemeChoice) -> None:
        """Pin a theme, or follow the system."""
        self._choice = choice
        self._refresh()

    def refresh_fonts(self) -> None:
        """Sizes follow the application's font; call after it changed."""
        self._apply()
        self.changed.emit()

    def icon(self, name: str, role: str = "text", active: str | None = None) -> QIcon:
        """The icon ``NAME.svg`` in the colour of ``role``; ``active`` colours its checked state."""
        icon = QIcon()
        pixels = round(4.5 * unit(self._application.font()))
        states = [(QIcon.State.Off, role)]  # which Qt takes for the other as well, where there is no other
        if active is not None:
            states.append((QIcon.State.On, active))
        for state, token in states:
            for ratio in (1, 2, 3):
                pixmap = self._pixmap(name, self.tokens.color(token), pixels * ratio, ratio)
                icon.addPixmap(pixmap, QIcon.Mode.Normal, state)
                pixmap = self._pixmap(name, self.tokens.color("disabled"), pixels * ratio, ratio)
                icon.addPixmap(pixmap, QIcon.Mode.Disabled, state)
        return icon

    def pixmap(self, name: str, role: str, size: int, ratio: float = 1.0) -> QPixmap:
        """The icon as a square pixmap of ``size`` device-independent pixels."""
        return self._pixmap(name, self.tokens.color(role), round(size * ratio), ratio)

    def close(self) -> None:
        """Let go of what was drawn: no picture may outlive the application."""
        self._drawn.clear()

    def _pixmap(self, name: str, color: QColor, pixels: int, ratio: float) -> QPixmap:
        key = (name, color.name(), pixels, ratio)
        if key not in self._drawn:
            self._drawn[key] = self._draw(name, color, pixels, ratio)
        return self._drawn[key]

    def _draw(self, name: str, color: QColor, pixels: int, ratio: float) -> QPixmap:
        if name not in self._svg:
            self._svg[name] = (self._icons_folder / f"{name}.svg").read_bytes()
        data = self._svg[name].replace(b"currentColor", color.name().encode())
        pixmap = QPixmap(QSize(pixels, pixels))
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        QSvgRenderer(QByteArray(data)).render(painter, QRectF(0, 0, pixels, pixels))
        painter.end()
        pixmap.setDevicePixelRatio(ratio)
        return pixmap

    def _wanted(self) -> Tokens:
        if self._choice != "system":
            return self._all[self._choice]
        dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return self._all["dark" if dark else "light"]

    def _apply(self) -> None:
        self._drawn.clear()
        self._application.setPalette(build_palette(self.tokens))
        size = unit(self._application.font())
        lengths = {name: str(max(1, round(factor * size))) for name, factor in _LENGTHS.items()}
        arrow = (self._icons_folder / f"arrow-{self.tokens.name}.svg").as_posix()
        check = (self._icons_folder / f"check-{self.tokens.name}.svg").as_posix()
        sheet = self._sheet.substitute(self.tokens.colors, arrow=arrow, check=check, **lengths)
        self._application.setStyleSheet(sheet)

    def _refresh(self) -> None:
        wanted = self._wanted()
        if wanted is not self.tokens:
            self.tokens = wanted
            self._apply()
            self.changed.emit()

    def _on_system_scheme_changed(self, _scheme: Qt.ColorScheme) -> None:
        self._refresh()


def unit(font: QFont) -> float:
    """One spacing unit (4 px at the default size) for ``font``: sizes follow the text, at 200 % too."""
    return max(3.0, QFontMetricsF(font).height() / 4.2)


def scaled_font(base: QFont, points: float, *, weight: QFont.Weight | None = None, tabular: bool = False) -> QFont:
    """``base`` at ``points`` relative to a 10-point interface font, so that the user's font size is kept."""
    font = QFont(base)
    size = base.pointSizeF() if base.pointSizeF() > 0 else 10.0
    font.setPointSizeF(size * points / 10.0)
    if weight is not None:
        font.setWeight(weight)
    if tabular:
        font.setFeature(QFont.Tag("tnum"), 1)
    return font
