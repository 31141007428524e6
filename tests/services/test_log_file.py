"""Logs are read in whichever encoding a shell or an editor gave them."""

from __future__ import annotations

import pytest

from rocm_gui.core.errors import AppError
from rocm_gui.services import log_file
from rocm_gui.services.log_file import read_log

TEXT = "Collecting torch\r\nOSError: [Errno 28] 设备上没有空间\r\nэто не кодек\n"
PLAIN = TEXT.replace("\r\n", "\n")


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        TEXT.encode("utf-8-sig"),
        b"\xff\xfe" + TEXT.encode("utf-16-le"),
        b"\xfe\xff" + TEXT.encode("utf-16-be"),
        TEXT.encode("gb18030"),
    ],
    ids=["utf-8", "utf-8 with a mark", "utf-16-le", "utf-16-be", "gbk"],
)
def test_every_encoding_of_a_log_is_read(tmp_path, data) -> None:
    file = tmp_path / "日志 1.log"
    file.write_bytes(data)
    assert read_log(file) == log_file.LogText(text=PLAIN)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_known_by_its_zeros(tmp_path, encoding) -> None:
    file = tmp_path / "a.log"
    file.write_bytes("HIP error: invalid device function\n".encode(encoding))
    assert read_log(file).text == "HIP error: invalid device function\n"


def test_a_stray_byte_does_not_turn_utf_8_into_something_else(tmp_path) -> None:
    file = tmp_path / "a.log"
    file.write_bytes("错误：找不到指定的模块。".encode() * 20 + b"\xff\n")
    assert read_log(file).text.startswith("错误：找不到指定的模块。错误")


def test_colours_and_progress_bars_are_text(tmp_path) -> None:
    file = tmp_path / "a.log"
    file.write_bytes(b"\x1b[31mERROR\x1b[0m\r 10%\r 20%\n" * 50)
    assert "ERROR" in read_log(file).text


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16"])
def test_of_a_long_log_the_beginning_and_the_end_are_read(tmp_path, monkeypatch, encoding) -> None:
    monkeypatch.setattr(log_file, "HEAD_BYTES", 501)
    monkeypatch.setattr(log_file, "TAIL_BYTES", 1003)
    file = tmp_path / "a.log"
    text = "".join(f"第 {number} 行\n" for number in range(1000))
    file.write_bytes(text.encode(encoding))
    read = read_log(file)
    assert read.text.startswith("第 0 行\n第 1 行")
    assert read.text.endswith("第 998 行\n第 999 行\n")
    assert "\ufffd" not in read.text
    assert read.left_out > 0


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff\x00\x00" * 20, "log_not_text"),
        (b"PK\x03\x04" + bytes(range(256)) * 8, "log_not_text"),
        (b"", "log_empty"),
        (b" \r\n\n", "log_empty"),
    ],
)
def test_what_is_no_log_is_refused(tmp_path, data, code) -> None:
    file = tmp_path / "a.bin"
    file.write_bytes(data)
    with pytest.raises(AppError) as caught:
        read_log(file)
    assert caught.value.code == code


def test_a_folder_and_a_file_that_is_gone_tell_why(tmp_path) -> None:
    for path in (tmp_path, tmp_path / "gone.log"):
        with pytest.raises(AppError) as caught:
            read_log(path)
        assert caught.value.code == "log_unreadable"
        assert caught.value.facts["reason"]
