"""The help in Chinese: nothing is left out, and lines break where a terminal ends."""

from __future__ import annotations

import argparse
from unicodedata import east_asian_width

import pytest

from rocm_gui.cli import COMMANDS, build_parser, main
from rocm_gui.cli.help_words import HelpWords, asked_language


def parsers(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    found = [parser]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                found += parsers(below)
    return found


def words_of(parser: argparse.ArgumentParser) -> set[str]:
    words = {parser.description, parser.epilog, *(group.title for group in parser._action_groups)}
    for action in parser._actions:
        words |= {row.help for row in (action, *getattr(action, "_choices_actions", []))}
    return {word for word in words if word and word != argparse.SUPPRESS}


def every_parser() -> list[argparse.ArgumentParser]:
    return [parser for command in (None, *COMMANDS) for parser in parsers(build_parser(command))]


def test_every_word_of_the_help_is_there_in_chinese() -> None:
    chinese = HelpWords("zh_CN")
    missing = {word for parser in every_parser() for word in words_of(parser) if chinese(word) == word}
    assert not missing


def test_no_entry_is_left_over() -> None:
    used = {word for parser in every_parser() for word in words_of(parser)} | {"usage: "}
    stems = {word[:1].lower() + word[1:].removesuffix(".") for word in used}
    assert set(HelpWords("zh_CN").entries) <= used | stems


@pytest.mark.parametrize("argv", [["--help"], ["setup", "apply", "--help"], ["run", "--help"]])
def test_lines_end_where_the_terminal_ends(
    argv: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as ended:
        main(["--lang", "zh_CN", *argv])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert shown.startswith("用法：")
    lines = [line for line in shown.splitlines() if not line.lstrip().startswith(("用法", "rocm-gui", "["))]
    widths = [sum(2 if east_asian_width(letter) in "WF" else 1 for letter in line) for line in lines]
    assert max(widths) <= 80  # a closing mark may stand on the last columns


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["setup", "aply"], "参数 ACTION 的值 'aply' 无效"),
        (["verify"], "缺少必需的参数：--python"),
        (["verify", "--python"], "参数 --python 缺少值"),
        (["check", "--nothing"], "无法识别的参数：--nothing"),
    ],
)
def test_wrong_words_are_explained_in_chinese(argv: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--lang", "zh_CN", *argv])
    assert ended.value.code == 2
    assert told in capsys.readouterr().err


def test_the_language_is_known_before_the_words_are_understood() -> None:
    assert asked_language(["check", "--lang", "zh_CN"]) == "zh_CN"
    assert asked_language(["--lang=en", "check"]) == "en"
