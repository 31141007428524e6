"""Settings: a change is in force and kept at once; what cannot be is refused with the reason."""

from __future__ import annotations

import pytest
from clipping import clipped

pytestmark = pytest.mark.qt


@pytest.fixture
def page(make_gui, settle):
    gui = make_gui()
    gui.window.resize(1366, 768)
    gui.window.show()
    gui.window.show_page("settings")
    settle()
    return gui.window.page("settings")


def choose(combo, value) -> None:
    combo.setCurrentIndex(combo.findData(value))
    combo.activated.emit(combo.currentIndex())


def kept(page):
    return page._gui.context.store.load()[0]


def test_the_language_changes_the_page_at_once_and_is_kept(page) -> None:
    choose(page._language, "zh_CN")
    assert page._gui.languages.language == "zh_CN"
    assert kept(page).language == "zh_CN"
    choose(page._language, "en")
    assert page.title.text() == "Settings"


def test_the_theme_changes_at_once_and_is_kept(page) -> None:
    choose(page._theme, "dark")
    assert page._gui.theme.tokens.name == "dark"
    assert kept(page).theme == "dark"


def test_a_mirror_is_kept(page) -> None:
    choose(page._mirror, "tsinghua")
    assert kept(page).pypi_mirror == "tsinghua"


def test_typed_values_are_kept_when_the_field_is_left(page, qtbot) -> None:
    line = page._lines["proxy"]
    line.setFocus()
    qtbot.keyClicks(line, "http://127.0.0.1:7890")
    line.editingFinished.emit()
    assert kept(page).proxy == "http://127.0.0.1:7890"
    line.clear()
    line.editingFinished.emit()
    assert kept(page).proxy is None


def test_a_wrong_value_is_refused_with_name_and_reason(page, settle) -> None:
    line = page._lines["proxy"]
    line.setText("not a proxy")
    line.editingFinished.emit()
    settle()
    assert page._wrong.isVisible()
    assert page._wrong.text().startswith("Proxy: “not a proxy” was not kept.")
    assert kept(page).proxy is None
    assert clipped(page) == []


def test_labels_belong_to_their_fields_and_begin_at_one_line(page) -> None:
    for label in page._labels.values():
        assert label.buddy() is not None
        assert "&" in label.text()
    fields = [label.buddy() for label in page._labels.values()]
    lefts = {field.mapTo(page, field.rect().topLeft()).x() for field in fields}
    assert len(lefts) == 1


def test_a_settings_file_that_cannot_be_written_is_told(page, monkeypatch, settle) -> None:
    from rocm_gui.core.errors import AppError

    def refuse(_settings) -> None:
        raise AppError("settings_not_saved", path="settings.toml", reason="disk full")

    monkeypatch.setattr(page._gui.context.store, "save", refuse)
    choose(page._theme, "dark")
    settle()
    assert page.banner.isVisible()
    assert "disk full" in page.banner.text
    assert page._gui.theme.tokens.name == "dark"
