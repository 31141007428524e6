"""The window's two languages: complete, in step with the sources, with the same placeholders, keys and no leftovers."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QWidget

from rocm_gui.ui.engine_words import listed, sentences
from rocm_gui.ui.main_window import BOTTOM_PAGES, PAGES
from rocm_gui.ui.wizard.model import PAGES as WIZARD_PAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.qt

ROOT = Path(__file__).resolve().parents[2]
PLACEHOLDER = re.compile(r"\{\w+\}|%n")
MNEMONIC = re.compile(r"&(\w)")
HAN = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")

# Names, values and units are the same in Chinese.
SAME = {
    "Python",
    "ROCm GUI",
    "Python {version}",
    "{gb} GB",
    "Python (*.py)",
    "“Python”",
}

# What can be seen together: the parts of a page, and in the wizard the buttons of its frame.
TOGETHER = {
    "welcome": ("WelcomePage", "WizardFrame"),
    "hardware": ("HardwarePage", "CheckPage", "CheckCard", "WizardFrame"),
    "software": ("SoftwarePage", "CheckPage", "CheckCard", "WizardFrame"),
    "route": ("RoutePage", "RouteOption", "WizardFrame"),
    "options": ("OptionsPage", "FolderCard", "NetworkForm", "WizardFrame"),
    "review": ("ReviewPage", "StepCard", "WizardFrame"),
    "install": ("InstallPage", "EndCard", "LogView", "WizardFrame"),
    "verify": ("VerifyPage", "ReportTable", "WizardFrame"),
    "finish": ("FinishPage", "ScriptCard", "LogView", "WizardFrame"),
    "settings": ("SettingsPage",),
    "troubleshooting": ("TroubleOverview",),
    "flow": ("FlowPart", "QuestionCard", "FlowEndCard"),
    "explain": ("ExplainPart",),
    "support": ("SupportPart",),
}
# Seen only while something runs, or only after it ended; and what is never seen at that time.
NEVER_TOGETHER = {
    frozenset(("&Stop…", "&Start")),
    frozenset(("&Stop…", "&Save plan…")),
    frozenset(("&Stop…", "&Save as…")),
    frozenset(("&Stop…", "&Script")),
    frozenset(("&Pause after this step", "Copy re&port")),
}


@dataclass(frozen=True)
class Message:
    context: str
    source: str
    forms: tuple[str, ...]
    plural: bool


def catalogue(language: str) -> list[Message]:
    found = []
    for context in ET.parse(ROOT / "resources" / "i18n" / f"rocm_gui_{language}.ts").iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            assert translation is not None
            plural = message.get("numerus") == "yes"
            forms = translation.findall("numerusform") if plural else [translation]
            texts = tuple(form.text or "" for form in forms)
            found.append(Message(context.findtext("name", ""), message.findtext("source", ""), texts, plural))
    return found


def shown_keys(messages: list[Message], language: str) -> dict[str, list[tuple[str, str]]]:
    """Context -> (key, source) of every text with a key, as ``language`` shows it."""
    keys: dict[str, list[tuple[str, str]]] = {}
    for message in messages:
        for text in (message.source,) if language == "en" else message.forms:
            for key in MNEMONIC.findall(text.replace("&&", "")):
                keys.setdefault(message.context, []).append((key.upper(), message.source))
    return keys


def test_the_files_are_up_to_date_and_complete(monkeypatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "installer"))
    assert import_module("translations").check() == []


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_placeholders_survive(language) -> None:
    wrong = [
        (message.source, form)
        for message in catalogue(language)
        for form in message.forms
        if Counter(PLACEHOLDER.findall(message.source)) != Counter(PLACEHOLDER.findall(form))
    ]
    assert wrong == []


def test_english_has_one_and_many_and_chinese_one_form() -> None:
    english = [message for message in catalogue("en") if message.plural]
    assert len(english) > 5
    assert all(len(message.forms) == 2 and not re.search(r"\(e?s\)", "".join(message.forms)) for message in english)
    assert all(len(message.forms) == 1 for message in catalogue("zh_CN"))


def test_chinese_texts_are_chinese() -> None:
    latin = {m.source for m in catalogue("zh_CN") if not HAN.search(m.forms[0])}
    assert latin - SAME == set()


def test_chinese_punctuation_is_full_width() -> None:
    between = re.compile(r"[\u4e00-\u9fff] [\u4e00-\u9fff]|[\u4e00-\u9fff][,;:!?](?!\w)|[，。；：？！、] ")
    wrong = [message.forms[0] for message in catalogue("zh_CN") if between.search(message.forms[0])]
    assert wrong == []


def test_a_key_stays_the_same_in_both_languages() -> None:
    """Help and habit need not tell two sets of keys; in Chinese the key stands behind the text: 继续(&C)."""
    for message in catalogue("zh_CN"):
        here, there = (
            Counter(key.upper() for key in MNEMONIC.findall(text)) for text in (message.source, *message.forms)
        )
        assert here == there, message
        if here:
            assert re.search(r"\(&[A-Z]\)(\.\.\.)?$", message.forms[0]), message.forms


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_keys_are_unique_on_each_page(language) -> None:
    keys = shown_keys(catalogue("zh_CN"), language)
    assert set(keys) <= {context for contexts in TOGETHER.values() for context in contexts}
    for page, contexts in TOGETHER.items():
        taken: dict[str, set[str]] = {}
        for key, source in (pair for context in contexts for pair in keys.get(context, ())):
            rivals = {other for other in taken.get(key, ()) if frozenset((other, source)) not in NEVER_TOGETHER}
            assert rivals <= {source}, f"{page}: {key} opens {source!r} and {rivals}"
            taken.setdefault(key, set()).add(source)


def visible(widget: QWidget) -> Iterator[QWidget]:
    for child in widget.children():
        if isinstance(child, QWidget) and child.isVisible() and not child.isWindow():
            yield child
            yield from visible(child)


def texts_of(window: QWidget) -> list[str]:
    """Everything that can be read or heard in the window now; what programs print and people type is not ours."""
    found = []
    for widget in visible(window):
        found += [widget.accessibleName(), widget.accessibleDescription(), widget.toolTip()]
        if isinstance(widget, QComboBox):
            found += [widget.itemText(index) for index in range(widget.count())]
        elif isinstance(widget, QLineEdit):
            found.append(widget.placeholderText())
        elif isinstance(widget, (QLabel, QAbstractButton)):
            found.append(widget.text())
    return [text for text in found if text]


@pytest.fixture
def every_page(make_gui, qtbot, settle):
    """Visit every page of a window on ``simulate``; gives the window and a walk that tells the texts of each page."""

    def make(simulate: str, language: str):
        gui = make_gui(simulate, language=language)
        gui.window.resize(1366, 768)
        gui.window.show()
        wizard = gui.window.page("setup").wizard
        model = wizard.model
        qtbot.waitUntil(lambda: model.activity == "idle" and model.diagnosis is not None, timeout=20_000)
        model.set_options(index_url="http://127.0.0.1:9/simple/")  # the route's own would be asked over the network

        def walk() -> dict[str, list[str]]:
            seen = {}
            gui.window.show_page("setup")
            for name in WIZARD_PAGES:
                wizard.turn_to(name)
                qtbot.waitUntil(lambda: model.activity == "idle", timeout=20_000)
                qtbot.waitUntil(partial(getattr, wizard.page(name), "settled"), timeout=20_000)
                settle()
                seen[name] = texts_of(gui.window)
            for name in (*PAGES[1:], *BOTTOM_PAGES):
                gui.window.show_page(name)
                settle()
                seen[name] = texts_of(gui.window)
            return seen

        return gui, walk

    return make


# Words that make a sentence English. Names of products and parts hold none of them.
ENGLISH = re.compile(r"\b(the|is|are|was|were|of|for|from|with|this|that|not|and|here|stands|which|in|to|by)\b")


def english_left(pages: dict[str, list[str]]) -> set[tuple[str, str]]:
    sources = {message.source for message in catalogue("zh_CN")} - SAME
    return {
        (name, text)
        for name, texts in pages.items()
        for text in texts
        if text in sources or (ENGLISH.search(text) and not HAN.search(text) and " --" not in text)  # but commands
    }


def test_no_english_stands_in_the_chinese_window(every_page) -> None:
    _, walk = every_page("none", "zh_CN")
    assert english_left(walk()) == set()


def test_the_language_changes_on_every_page_at_run_time(every_page, settle) -> None:
    gui, walk = every_page("rx7900xtx", "en")
    walk()
    gui.languages.choose("zh_CN")
    settle()
    assert english_left(walk()) == set()
    gui.languages.choose("en")
    settle()
    left = {(name, text) for name, texts in walk().items() for text in texts if HAN.search(text)}
    assert {text for _, text in left} == {"简体中文"}


def test_plural_texts_are_found_below_subclasses() -> None:
    """``self.tr`` with a number looks below the object's own class alone: such classes must have no heirs."""
    import pkgutil

    import rocm_gui.ui

    for module in pkgutil.walk_packages(rocm_gui.ui.__path__, "rocm_gui.ui."):
        import_module(module.name)
    plural = {message.context for message in catalogue("en") if message.plural}
    parents = {
        base.__name__
        for kind in heirs(object)
        for base in kind.__mro__[1:]
        if str(kind.__module__).startswith("rocm_gui.ui")
    }
    assert plural & parents == set()


def heirs(kind: type) -> set[type]:
    found = set()
    todo = [kind]
    while todo:
        for heir in type.__subclasses__(todo.pop()):
            if heir not in found:
                found.add(heir)
                todo.append(heir)
    return found


def test_sentences_are_joined_as_their_language_does() -> None:
    assert sentences("One GPU found.", "All is well.") == "One GPU found. All is well."
    assert sentences("找到 1 块显卡。", "一切就绪。") == "找到 1 块显卡。一切就绪。"
    assert sentences("", None, "Alone.") == "Alone."


def test_lists_have_the_comma_of_the_language(make_gui) -> None:
    gui = make_gui(language="zh_CN")
    assert listed(["1.0 GB", "剩余 3 秒"]) == "1.0 GB，剩余 3 秒"
    gui.languages.choose("en")
    assert listed(["1.0 GB", "3 s left"]) == "1.0 GB, 3 s left"
