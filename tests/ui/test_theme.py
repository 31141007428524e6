"""Colours by role: contrasts computed as WCAG does, tokens the same in both themes, icons in the theme's colours."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QFont, QIcon, QPalette

from rocm_gui.system.paths import default_paths
from rocm_gui.ui.theme import contrast, load_tokens, scaled_font, unit

pytestmark = pytest.mark.qt

RESOURCES = default_paths().resources
THEMES = ("light", "dark")
TEXT_ROLES = ("text", "muted", "accent", "ok", "warn", "bad")


def tokens(name: str):
    return load_tokens(RESOURCES / "themes", name)


def test_contrast_is_wcag_s() -> None:
    assert contrast(QColor("#000000"), QColor("#FFFFFF")) == pytest.approx(21)
    assert contrast(QColor("#777777"), QColor("#FFFFFF")) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", ["bg", "surface"])
@pytest.mark.parametrize("role", TEXT_ROLES)
def test_text_is_readable_on_page_and_card(theme: str, ground: str, role: str) -> None:
    colors = tokens(theme)
    assert contrast(colors.color(role), colors.color(ground)) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("role", "ground"),
    [
        ("on_accent", "accent"),
        ("on_accent", "accent_hover"),
        ("accent", "accent_soft"),
        ("text", "accent_soft"),
        ("text", "selection"),
        ("text", "hover"),
        ("text", "pressed"),
        ("text", "bad_soft"),
        ("text", "warn_soft"),
        ("text", "ok_soft"),
        ("ok", "surface"),
    ],
)
def test_text_is_readable_on_what_is_pressed_marked_or_told(theme: str, role: str, ground: str) -> None:
    colors = tokens(theme)
    assert contrast(colors.color(role), colors.color(ground)) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
def test_lines_of_data_and_borders_of_controls_stand_out(theme: str) -> None:
    colors = tokens(theme)
    assert len(colors.series) == 4
    for line in colors.series:
        assert contrast(QColor(line), colors.color("surface")) >= 3
    assert contrast(colors.color("accent"), colors.color("surface")) >= 3  # the ring of focus


def test_both_themes_have_the_same_roles() -> None:
    assert tokens("light").colors.keys() == tokens("dark").colors.keys()


@pytest.mark.parametrize("theme", THEMES)
def test_the_arrow_of_lists_has_the_muted_colour(theme: str) -> None:
    arrow = (RESOURCES / "icons" / f"arrow-{theme}.svg").read_text("utf-8")
    assert tokens(theme).colors["muted"] in arrow


def test_a_choice_changes_palette_sheet_and_icons_at_once(make_gui) -> None:
    gui = make_gui(theme="light")
    changes: list[str] = []
    gui.theme.changed.connect(lambda: changes.append(gui.theme.tokens.name))
    gui.theme.choose("dark")
    assert changes == ["dark"]
    dark = tokens("dark")
    assert gui.application.palette().color(QPalette.ColorRole.Window) == dark.color("bg")
    assert dark.colors["surface"] in gui.application.styleSheet()
    picture = gui.theme.pixmap("ok", "ok", 96).toImage()
    drawn = {
        picture.pixelColor(x, y).name().upper()
        for x in range(picture.width())
        for y in range(picture.height())
        if picture.pixelColor(x, y).alpha() == 255
    }
    assert dark.colors["ok"].upper() in drawn


def test_icons_grow_with_the_font(make_gui) -> None:
    small = make_gui().theme.icon("setup").availableSizes(QIcon.Mode.Normal)
    large = make_gui(font_scale=2.0).theme.icon("setup").availableSizes(QIcon.Mode.Normal)
    assert max(size.width() for size in large) >= 1.8 * max(size.width() for size in small)


def test_sizes_follow_the_font() -> None:
    font = QFont()
    font.setPointSizeF(10)
    large = QFont(font)
    large.setPointSizeF(20)
    assert unit(large) == pytest.approx(2 * unit(font), rel=0.1)
    assert scaled_font(large, 16.0).pointSizeF() == pytest.approx(32)
