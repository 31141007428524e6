from __future__ import annotations

import logging
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rocm_gui.system import logs
from rocm_gui.system.logs import LEVEL_VARIABLE, LOG_NAME, close_log, log_level, open_log

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "日志"
    handler = open_log(place, logging.INFO)
    yield place
    close_log(handler)


def limit(size: int) -> None:
    """Let the open log rotate at ``size`` bytes."""
    handlers = logging.getLogger("rocm_gui").handlers
    next(handler for handler in handlers if isinstance(handler, RotatingFileHandler)).maxBytes = size


def text(folder: Path) -> str:
    return (folder / LOG_NAME).read_text(encoding="utf-8")


def test_messages_stand_there_in_utf8_without_secrets(folder: Path) -> None:
    logger = logging.getLogger("rocm_gui.some.module")
    logger.info("fetching %s through %s", "https://host/轮子?token=abc", "http://me:hunter2@proxy:8080")
    logger.debug("not at this level")
    try:
        raise ValueError("http://me:hunter2@proxy")
    except ValueError:
        logger.exception("failed")
    content = text(folder)
    assert "https://host/轮子?token=*** through http://***@proxy:8080" in content
    assert "ValueError: http://***@proxy" in content
    assert "hunter2" not in content
    assert "not at this level" not in content


def test_a_message_cannot_forge_another_entry(folder: Path) -> None:
    logging.getLogger("rocm_gui").info("one\r\n2026-01-01 00:00:00.000 ERROR forged")
    assert [line[:4] for line in text(folder).splitlines()[1:]] == ["    "]


def test_it_rotates_and_keeps_a_few(folder: Path) -> None:
    limit(300)
    for number in range(40):
        logging.getLogger("rocm_gui").info("message %d %s", number, "x" * 50)
    names = sorted(path.name for path in folder.iterdir())
    assert names == [LOG_NAME, *(f"{LOG_NAME}.{number}" for number in (1, 2, 3))]
    assert "message 39" in text(folder)
    assert all(path.stat().st_size <= 300 for path in folder.iterdir())


def test_a_file_that_cannot_be_moved_goes_on_growing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit(100)

    def refuse(self: Path, target: Path) -> None:
        raise PermissionError(13, "another process uses it")

    monkeypatch.setattr(logs.Path, "replace", refuse)
    for number in range(5):
        logging.getLogger("rocm_gui").info("message %d", number)
    assert text(folder).count("message") == 5
    assert [path.name for path in folder.iterdir()] == [LOG_NAME]


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    handler = open_log(tmp_path / "file", logging.INFO)
    assert handler is None
    close_log(handler)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / LOG_NAME).symlink_to("/dev/full")
    handler = open_log(tmp_path, logging.INFO)
    logging.getLogger("rocm_gui").info("lost")
    close_log(handler)


def test_the_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(LEVEL_VARIABLE, raising=False)
    assert log_level() == logging.INFO
    assert log_level(configured="error") == logging.ERROR
    monkeypatch.setenv(LEVEL_VARIABLE, "WARNING")
    assert log_level() == logging.WARNING
    assert log_level(debug=True) == logging.DEBUG
    monkeypatch.setenv(LEVEL_VARIABLE, "nonsense")
    assert log_level() == logging.INFO
