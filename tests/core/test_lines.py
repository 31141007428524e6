from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rocm_gui.core.lines import LineSplitter

PIECES = st.lists(st.binary(max_size=12).map(lambda b: bytes(b"ab\n\r"[byte % 4] for byte in b)), max_size=12)


def split(pieces: list[bytes], *, limit: int = 1000, carriage_returns: bool = False) -> list[bytes]:
    splitter = LineSplitter(limit, carriage_returns=carriage_returns)
    lines = [line for piece in pieces for line in splitter.feed(piece)]
    return lines + splitter.flush()


@given(PIECES)
def test_pieces_do_not_matter(pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    expected = [line for line in (part.rstrip(b"\r") for part in whole.split(b"\n")) if line]
    assert split(pieces) == expected


@given(PIECES)
def test_pieces_do_not_matter_with_carriage_returns(pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    expected = [line for line in whole.replace(b"\r", b"\n").split(b"\n") if line]
    assert split(pieces, carriage_returns=True) == expected


@given(PIECES, st.integers(1, 5))
def test_no_line_is_longer_than_the_limit_and_what_was_dropped_is_counted(pieces: list[bytes], limit: int) -> None:
    splitter = LineSplitter(limit)
    lines = [line for piece in pieces for line in splitter.feed(piece)] + splitter.flush()
    assert all(0 < len(line) <= limit for line in lines)
    whole = b"".join(pieces)
    assert splitter.dropped_bytes == sum(max(0, len(part) - limit) for part in whole.split(b"\n"))


def test_a_line_without_end_uses_no_more_memory_than_the_limit() -> None:
    splitter = LineSplitter(100)
    for _ in range(1000):
        assert splitter.feed(b"x" * 1000) == []
    assert splitter.feed(b"\nnext\n") == [b"x" * 100, b"next"]
    assert splitter.dropped_bytes == 999_900


def test_a_progress_bar_is_one_line_for_each_state() -> None:
    assert split([b"\r 10%", b"\r 20%\r", b"\ndone\r\n"], carriage_returns=True) == [b" 10%", b" 20%", b"done"]
