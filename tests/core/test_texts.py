"""Sentences from codes and facts."""

from __future__ import annotations

import pytest

from rocm_gui.core.texts import Texts, fill


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("/home/me/rocm", "/home/me/rocm"),
        ("C:\\rocm", "C:\\rocm"),
        ("C:\\用户 数据\\rocm", '"C:\\用户 数据\\rocm"'),
        ("/home/我/rocm", "/home/我/rocm"),
        ("C:\\R&D\\rocm", '"C:\\R&D\\rocm"'),
        ("/a(b)", '"/a(b)"'),
    ],
)
def test_parts_of_commands_are_quoted_where_a_shell_would_tear_them(path: str, shown: str) -> None:
    assert fill("undo --target {target!q}", {"target": path}) == f"undo --target {shown}"


def test_a_missing_fact_never_breaks_a_sentence() -> None:
    assert fill("{a!q} {b} {c}", {"c": None}) == "{a} {b} —"


def test_marks_between_words() -> None:
    english, chinese = Texts({}, "en"), Texts({}, "zh_CN")
    assert ("GPU" + english.colon + english.listed(("a", "b")) + english.aside("c")) == "GPU: a, b (c)"
    assert ("GPU" + chinese.colon + chinese.listed(("a", "b")) + chinese.aside("c")) == "GPU：a，b（c）"


def test_a_code_among_the_facts_is_said_in_words() -> None:
    catalogue = {
        "error": {"wrong": {"en": "It fails in {layer:@layer}: {why}"}},
        "layer": {"gemm": {"en": "matrix products {a}", "zh_CN": "矩阵乘法"}},
    }
    texts = Texts(catalogue, "en")
    assert texts.get("error.wrong", layer="gemm", why="x") == "It fails in matrix products {a}: x"
    assert texts.get("error.wrong", layer="new", why="x") == "It fails in new: x"
    assert texts.get("error.wrong", why="x") == "It fails in {layer}: x"
