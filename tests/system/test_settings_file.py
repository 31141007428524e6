from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from rocm_gui.core.errors import AppError
from rocm_gui.core.settings import DEFAULTS, Settings
from rocm_gui.system import settings_file
from rocm_gui.system.settings_file import SettingsFile

if TYPE_CHECKING:
    from pathlib import Path

BY_HAND = """\
# my settings
theme = "dark"   # easier on the eyes
colour = "red"
sample_period_s = 99.0

[window]
width = 800
"""


@pytest.fixture
def file(tmp_path: Path) -> SettingsFile:
    return SettingsFile(tmp_path / "config" / "settings.toml")


def put(file: SettingsFile, data: str | bytes) -> None:
    file.path.parent.mkdir(parents=True, exist_ok=True)
    file.path.write_bytes(data.encode() if isinstance(data, str) else data)


def test_no_file_means_defaults_and_makes_none(file: SettingsFile) -> None:
    assert file.load() == (DEFAULTS, [])
    file.save(DEFAULTS)
    assert not file.path.exists()


def test_what_is_saved_is_loaded(file: SettingsFile) -> None:
    settings = Settings(language="zh_CN", proxy="http://me:pw@proxy:1", simulate=True, default_target="C:\\ROCm 目录")
    file.save(settings)
    assert file.load() == (settings, [])
    file.save(DEFAULTS)
    assert file.load() == (DEFAULTS, [])


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_only_the_owner_may_read_it(file: SettingsFile) -> None:
    file.save(Settings(proxy="http://me:pw@proxy:1"))
    assert file.path.stat().st_mode & 0o777 == 0o600


def test_comments_unknown_keys_and_bad_values_stay_until_they_are_chosen_anew(file: SettingsFile) -> None:
    put(file, BY_HAND)
    settings, warnings = file.load()
    assert settings == Settings(theme="dark")
    assert [warning.facts["key"] for warning in warnings] == ["sample_period_s"]
    assert file.update({"language": "en"}) == Settings(theme="dark", language="en")
    assert file.path.read_text() == BY_HAND.replace("99.0\n", '99.0\nlanguage = "en"\n')
    file.update({"sample_period_s": 1.0, "language": None, "theme": "light"})
    assert file.path.read_text() == BY_HAND.replace("99.0", "1.0").replace('"dark"', '"light"')
    assert file.load() == (Settings(theme="light"), [])


def test_a_file_with_tables_only_gets_its_keys_above_them(file: SettingsFile) -> None:
    put(file, "[window]\nwidth = 800\n")
    file.update({"theme": "dark"})
    assert file.load() == (Settings(theme="dark"), [])


def test_a_save_keeps_what_another_program_changed_meanwhile(file: SettingsFile) -> None:
    file.save(Settings(theme="dark"))
    SettingsFile(file.path).update({"language": "zh_CN"})
    assert file.update({"simulate": True}) == Settings(theme="dark", language="zh_CN", simulate=True)


def test_an_update_that_does_not_fit_changes_nothing(file: SettingsFile) -> None:
    file.save(Settings(theme="dark"))
    before = file.path.read_bytes()
    with pytest.raises(ValueError, match="blue"):
        file.update({"language": "zh_CN", "theme": "blue"})
    assert file.path.read_bytes() == before


@pytest.mark.parametrize("data", [b'theme = "dark', b"\xff\xfe\x00", b"a = 1\na = 2\n"])
def test_a_malformed_file_is_kept_aside(file: SettingsFile, data: bytes) -> None:
    put(file, data)
    settings, warnings = file.load()
    assert settings == DEFAULTS
    assert [warning.code for warning in warnings] == ["malformed"]
    assert file.path.read_bytes() == data, "loading changes nothing"
    file.update({"theme": "light"})
    assert file.load() == (Settings(theme="light"), [])
    kept = file.path.with_name("settings.toml.bad")
    assert kept.read_bytes() == data
    put(file, data + b"#")
    file.update({"theme": "dark"})
    assert kept.read_bytes() == data, "an earlier one is not overwritten"
    assert file.path.with_name("settings.toml.bad2").read_bytes() == data + b"#"


def test_an_unreadable_file_is_said(file: SettingsFile) -> None:
    file.path.mkdir(parents=True)
    settings, warnings = file.load()
    assert settings == DEFAULTS
    assert [warning.code for warning in warnings] == ["unreadable"]
    with pytest.raises(AppError) as caught:
        file.save(Settings(theme="dark"))
    assert caught.value.code == "settings_not_saved"


def test_a_failed_save_leaves_the_old_file(file: SettingsFile, monkeypatch: pytest.MonkeyPatch) -> None:
    file.save(Settings(theme="dark"))

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(settings_file, "write_atomic", full)
    with pytest.raises(AppError) as caught:
        file.save(Settings(theme="light"))
    assert caught.value.facts == {"path": str(file.path), "reason": "No space left on device"}
    assert file.load() == (Settings(theme="dark"), [])


def test_sentences_exist_in_both_languages() -> None:
    from rocm_gui.bootstrap import load_texts

    english, chinese = load_texts("en"), load_texts("zh_CN")
    for code in ("bad_value", "malformed", "unreadable"):
        assert english.get(f"settings.warning.{code}") != chinese.get(f"settings.warning.{code}")
    assert "disk full" in english.get("error.settings_not_saved", path="x", reason="disk full")


_SAVER = """
import sys
from pathlib import Path
from rocm_gui.system.settings_file import SettingsFile
file = SettingsFile(Path(sys.argv[1]))
number = 0
while True:
    file.update({"default_target": "/data/" + "x" * (number % 50), "simulate": number % 2 == 0})
    number += 1
    print(number, flush=True)
"""


def test_kill_in_the_middle_of_saving_leaves_it_readable(file: SettingsFile) -> None:
    put(file, BY_HAND)
    for round_number in range(5):
        process = subprocess.Popen([sys.executable, "-c", _SAVER, str(file.path)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        for _ in range(3 * round_number + 1):
            process.stdout.readline()
        process.kill()
        process.wait()
        process.stdout.close()
        settings, warnings = file.load()
        assert settings.theme == "dark"
        assert (settings.default_target or "").startswith("/data/")
        assert [warning.facts["key"] for warning in warnings] == ["sample_period_s"]
        assert "# easier on the eyes" in file.path.read_text()
