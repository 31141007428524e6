"""Wheels, whole and damaged in every way that a line or a disk damages them."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wheel_index import make_wheel

from rocm_gui.services.wheel_check import WheelDamagedError, check_wheel

if TYPE_CHECKING:
    from pathlib import Path

NAME, WHEEL = make_wheel("pkg", "1.0", {"pkg/__init__.py": b"x = 1\n", "pkg/data.bin": bytes(range(256)) * 40})
RECORD = "pkg-1.0.dist-info/RECORD"


def rebuilt(change: dict[str, bytes | None], extra: dict[str, bytes] | None = None) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(WHEEL)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            data = change.get(name, old.read(name))
            if data is not None:
                new.writestr(name, data)
        for name, data in (extra or {}).items():
            new.writestr(name, data)
    return buffer.getvalue()


def check(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / NAME
    path.write_bytes(data)
    check_wheel(path)


def test_sound_wheel_and_its_progress(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_bytes(WHEEL)
    heard: list[tuple[int, int]] = []
    check_wheel(path, lambda done, total: heard.append((done, total)))
    assert heard[-1][0] == heard[-1][1]


@pytest.mark.parametrize(
    ("data", "reason", "member"),
    [
        (b"", "not a zip", None),
        (WHEEL[:-100], "not a zip", None),
        (rebuilt({"pkg/data.bin": b"other"}), "hash differs", "pkg/data.bin"),
        (rebuilt({"pkg/data.bin": None}), "missing", "pkg/data.bin"),
        (rebuilt({RECORD: None}), "no RECORD", None),
        (rebuilt({}, {"pkg/evil.py": b"x"}), "not in RECORD", "pkg/evil.py"),
        (rebuilt({RECORD: b"pkg/__init__.py,md99=abc,3\n"}), "unknown hash", "pkg/__init__.py"),
    ],
)
def test_damage_is_named(tmp_path: Path, data: bytes, reason: str, member: str | None) -> None:
    with pytest.raises(WheelDamagedError) as caught:
        check(tmp_path, data)
    assert reason in str(caught.value)
    assert caught.value.member == member


def test_paths_out_of_the_wheel_are_refused(tmp_path: Path) -> None:
    bad = "../outside.py"
    with zipfile.ZipFile(io.BytesIO(WHEEL)) as archive:
        record = archive.read(RECORD)
    with pytest.raises(WheelDamagedError, match="unsafe path"):
        check(tmp_path, rebuilt({RECORD: record + f"{bad},,\n".encode()}, {bad: b"x"}))


@settings(max_examples=60, deadline=None)
@given(position=st.integers(min_value=0, max_value=len(WHEEL) - 1), flip=st.integers(min_value=1, max_value=255))
def test_any_flipped_byte_of_content_is_found(
    tmp_path_factory: pytest.TempPathFactory, position: int, flip: int
) -> None:
    damaged = bytearray(WHEEL)
    damaged[position] ^= flip
    try:
        check(tmp_path_factory.getbasetemp(), bytes(damaged))
    except WheelDamagedError:
        return
    with zipfile.ZipFile(io.BytesIO(WHEEL)) as good, zipfile.ZipFile(io.BytesIO(bytes(damaged))) as bad:
        assert [bad.read(name) for name in bad.namelist()] == [good.read(name) for name in good.namelist()]
