from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocm_gui.core.settings import DEFAULTS, SETTING_NAMES, Settings, check_setting, settings_from


def test_good_values_are_taken_and_unknown_keys_are_fine() -> None:
    table = {"language": "zh_CN", "proxy": "http://127.0.0.1:7890", "sample_period_s": 2, "future": [1]}
    settings, warnings = settings_from(table)
    assert settings == Settings(language="zh_CN", proxy="http://127.0.0.1:7890", sample_period_s=2.0)
    assert warnings == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("language", "fr"),
        ("theme", 3),
        ("simulate", "yes"),
        ("proxy", "127.0.0.1:7890"),
        ("proxy", "ftp://host"),
        ("proxy", "socks5://127.0.0.1:1080"),
        ("proxy", "http://host:port"),
        ("proxy", "http://[::1"),
        ("index_url", "http://"),
        ("sample_period_s", 0.0),
        ("sample_period_s", float("nan")),
        ("sample_period_s", True),
        ("log_level", "loud"),
    ],
)
def test_a_bad_value_falls_back_alone_and_is_named(name: str, value: object) -> None:
    settings, warnings = settings_from({name: value, "default_target": "/data/rocm"})
    assert settings == Settings(default_target="/data/rocm")
    assert [(warning.code, warning.facts["key"]) for warning in warnings] == [("bad_value", name)]
    assert warnings[0].facts["reason"]
    with pytest.raises(ValueError, match=r"\w"):
        check_setting(name, value)


def test_a_warning_shows_no_password() -> None:
    _, warnings = settings_from({"proxy": "ftp://me:hunter2@host"})
    assert "hunter2" not in str(warnings[0].facts)


def test_an_empty_text_means_the_default() -> None:
    assert check_setting("proxy", " ") is None
    assert settings_from({"default_target": ""}) == (DEFAULTS, [])


def test_an_unknown_setting_is_an_error() -> None:
    with pytest.raises(KeyError):
        check_setting("colour", "red")


VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.lists(st.integers())


@given(st.dictionaries(st.sampled_from([*SETTING_NAMES, "other"]), VALUES))
def test_any_table_gives_settings(table: dict[str, object]) -> None:
    settings, warnings = settings_from(table)
    for warning in warnings:
        name = warning.facts["key"]
        assert getattr(settings, name) == getattr(DEFAULTS, name)
