"""Downloads against a server on the loopback that is slow, forgetful, faulty or cut off."""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from wheel_index import Index, make_wheel, serve

from rocm_gui.core.errors import AppError
from rocm_gui.services import download
from rocm_gui.services.download import Cancelled, Downloader, Item, Network, show_url

if TYPE_CHECKING:
    from pathlib import Path

NAME, WHEEL = make_wheel("bigone", "1.0", {"bigone/__init__.py": b"", "bigone/data.bin": os.urandom(1_500_000)})
SHA = hashlib.sha256(WHEEL).hexdigest()


@pytest.fixture
def index():
    with serve(Index(files={NAME: WHEEL})) as running:
        yield running


class Waits:
    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __call__(self, seconds: float) -> bool:
        self.seconds.append(seconds)
        return False


def downloader(tmp_path: Path, **more) -> tuple[Downloader, Waits]:
    waits = Waits()
    network = Network(timeout_s=(5, 5))
    return Downloader(tmp_path / "downloads", network, wait=waits, **more), waits


def item(index: Index, sha: str | None = SHA) -> Item:
    return Item(url=f"{index.url}/files/{NAME}", filename=NAME, sha256=sha)


def test_whole_file(index: Index, tmp_path: Path) -> None:
    heard: list[tuple[int, int | None, str]] = []
    fetcher, waits = downloader(tmp_path, on_bytes=lambda i, done, total, act: heard.append((done, total, act)))
    path = fetcher.fetch(item(index))
    assert path.read_bytes() == WHEEL
    assert path.name == NAME
    assert [p.name for p in path.parent.iterdir()] == [NAME]
    assert heard[-1] == (len(WHEEL), len(WHEEL), "check")
    assert ("download") in {act for _, _, act in heard}
    assert waits.seconds == []
    assert fetcher.size(item(index)) == len(WHEEL)
    index.requests.clear()
    assert fetcher.fetch(item(index)) == path
    assert index.requests == []  # it stands already and was checked
    fetcher.close()


def test_cut_connections_are_continued_where_they_broke(index: Index, tmp_path: Path) -> None:
    index.cut_after = [400_000, 300_000, 0, 100_000]
    fetcher, waits = downloader(tmp_path)
    assert fetcher.fetch(item(index)).read_bytes() == WHEEL
    assert index.sent[NAME] == len(WHEEL)  # not one byte twice
    assert waits.seconds == [1.0, 1.0, 1.0, 1.0]
    ranges = [wanted for method, path, wanted in index.requests if method == "GET"]
    assert ranges[:3] == [None, "bytes=400000-", "bytes=700000-"]


def test_server_without_ranges_starts_over(index: Index, tmp_path: Path) -> None:
    index.ranges = False
    index.cut_after = [400_000]
    fetcher, _ = downloader(tmp_path)
    assert fetcher.fetch(item(index)).read_bytes() == WHEEL
    assert index.sent[NAME] == len(WHEEL) + 400_000


@pytest.mark.parametrize("sha", [SHA, None], ids=["hash known", "hash unknown"])
def test_file_that_changed_on_the_server_is_fetched_anew(index: Index, tmp_path: Path, sha: str | None) -> None:
    index.cut_after = [400_000] + [0] * 9
    fetcher, _ = downloader(tmp_path)
    with pytest.raises(AppError, match="download_failed"):
        fetcher.fetch(item(index, sha))
    index.cut_after = []
    index.etag_suffix = "b"
    index.sent.clear()
    assert fetcher.fetch(item(index, sha)).read_bytes() == WHEEL
    assert index.sent[NAME] == len(WHEEL)


def test_wrong_bytes_are_thrown_away_and_fetched_again(index: Index, tmp_path: Path) -> None:
    index.corrupt = 2
    fetcher, _ = downloader(tmp_path)
    assert fetcher.fetch(item(index)).read_bytes() == WHEEL
    assert index.sent[NAME] == 3 * len(WHEEL)


@pytest.mark.parametrize("sha", [SHA, None], ids=["hash known", "hash unknown"])
def test_always_wrong_bytes_end_with_a_sentence(index: Index, tmp_path: Path, sha: str | None) -> None:
    index.corrupt = 99
    fetcher, _ = downloader(tmp_path)
    with pytest.raises(AppError) as caught:
        fetcher.fetch(item(index, sha))
    assert caught.value.code == "download_damaged"
    assert caught.value.facts["file"] == NAME
    assert list((tmp_path / "downloads").rglob("*.whl*")) == []


def test_errors_of_the_server_are_waited_out_with_growing_pauses(index: Index, tmp_path: Path) -> None:
    index.status = [503, 500, 429]
    fetcher, waits = downloader(tmp_path)
    assert fetcher.fetch(item(index)).read_bytes() == WHEEL
    assert waits.seconds == [1.0, 2.0, 4.0]


def test_gone_or_forbidden_is_said_at_once(index: Index, tmp_path: Path) -> None:
    index.status = [403]
    fetcher, waits = downloader(tmp_path)
    with pytest.raises(AppError) as caught:
        fetcher.fetch(item(index))
    assert caught.value.code == "download_refused"
    assert "403" in str(caught.value.facts["reason"])
    assert waits.seconds == []


def test_no_server(tmp_path: Path) -> None:
    fetcher, waits = downloader(tmp_path)
    with pytest.raises(AppError) as caught:
        fetcher.fetch(Item(url="http://127.0.0.1:9/x.whl", filename="x.whl"))
    assert caught.value.code == "download_failed"
    assert "refused" in str(caught.value.facts["reason"]).lower()
    assert waits.seconds == [1.0, 2.0, 4.0, 8.0, 15.0]


def test_proxy_that_is_not_there(index: Index, tmp_path: Path) -> None:
    fetcher = Downloader(tmp_path, Network(proxy="http://127.0.0.1:9", timeout_s=(2, 2)), wait=Waits())
    with pytest.raises(AppError) as caught:
        fetcher.fetch(Item(url="https://example.invalid/x.whl", filename="x.whl"))
    assert caught.value.code in ("download_refused", "download_failed")


def test_cancel_keeps_what_has_come(index: Index, tmp_path: Path) -> None:
    cancel = threading.Event()

    def hear(_item: Item, done: int, _total: int | None, act: str) -> None:
        if act == "download" and done > 500_000:
            cancel.set()

    fetcher, _ = downloader(tmp_path, cancel=cancel, on_bytes=hear)
    with pytest.raises(Cancelled):
        fetcher.fetch(item(index))
    part = next((tmp_path / "downloads").rglob("*.part"))
    assert 500_000 < part.stat().st_size < 700_000
    index.requests.clear()
    again, _ = downloader(tmp_path)
    size = part.stat().st_size
    assert again.fetch(item(index)).read_bytes() == WHEEL
    assert index.requests[0][2] == f"bytes={size}-"


def test_full_disk_keeps_the_part(index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = 0

    def write_all(write, block: bytes) -> None:
        nonlocal written
        written += len(block)
        if written > 600_000:
            raise OSError(errno.ENOSPC, "No space left on device")
        write(memoryview(block))

    monkeypatch.setattr(download, "_write_all", write_all)
    fetcher, _ = downloader(tmp_path)
    with pytest.raises(AppError) as caught:
        fetcher.fetch(item(index))
    assert caught.value.code == "disk_full"
    assert isinstance(caught.value.facts["free_mb"], int)
    part = next((tmp_path / "downloads").rglob("*.part"))
    assert part.stat().st_size > 400_000
    monkeypatch.undo()
    index.sent.clear()
    assert fetcher.fetch(item(index)).read_bytes() == WHEEL
    assert index.sent[NAME] < 1_200_000


def test_too_little_space_is_said_before_the_first_byte(
    index: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(download.shutil, "disk_usage", lambda _: usage._replace(free=1000))
    fetcher, _ = downloader(tmp_path)
    with pytest.raises(AppError) as caught:
        fetcher.fetch(item(index))
    assert caught.value.code == "disk_full"
    assert caught.value.facts["needed_mb"] == 2
    written = [path for path in (tmp_path / "downloads").rglob("*.part") if path.stat().st_size]
    assert written == []  # what the server pushed into its own buffers says nothing


def test_damaged_file_in_place_is_found(tmp_path: Path) -> None:
    path = tmp_path / NAME
    path.write_bytes(WHEEL[:-2000])
    fetcher, _ = downloader(tmp_path)
    for sha in (SHA, None):
        with pytest.raises(AppError, match="download_damaged"):
            fetcher.check(Item(url=path.as_uri(), filename=NAME, sha256=sha), path)
    path.write_bytes(WHEEL)
    fetcher.check(Item(url=path.as_uri(), filename=NAME), path)


def test_damaged_finished_file_is_replaced(index: Index, tmp_path: Path) -> None:
    fetcher, _ = downloader(tmp_path)
    path = fetcher.fetch(item(index))
    path.write_bytes(b"x" * len(WHEEL))
    assert fetcher.fetch(item(index)).read_bytes() == WHEEL


def test_secrets_never_reach_a_message() -> None:
    assert show_url("https://me:secret@host.example:8443/a/b.whl?token=1") == "https://host.example:8443/a/b.whl"


_CHILD = """
import sys
from pathlib import Path
from rocm_gui.services.download import Downloader, Item
url, name, sha, folder = sys.argv[1:]
def hear(item, done, total, act):
    print(done, flush=True)
Downloader(Path(folder), on_bytes=hear).fetch(Item(url=url, filename=name, sha256=sha))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
def test_kill_9_in_the_middle_fetches_at_most_5_percent_again(index: Index, tmp_path: Path) -> None:
    index.bytes_per_s = 2_000_000
    argv = [sys.executable, "-c", _CHILD, f"{index.url}/files/{NAME}", NAME, SHA, str(tmp_path)]
    child = subprocess.Popen(argv, stdout=subprocess.PIPE)
    assert child.stdout is not None
    for line in child.stdout:
        if int(line) > len(WHEEL) // 2:
            child.send_signal(signal.SIGKILL)
            break
    child.wait()
    child.stdout.close()
    part = next(tmp_path.rglob("*.part"))
    have = part.stat().st_size
    assert have >= len(WHEEL) // 2
    index.bytes_per_s = None
    index.requests.clear()
    fetcher = Downloader(tmp_path)
    assert fetcher.fetch(Item(url=f"{index.url}/files/{NAME}", filename=NAME, sha256=SHA)).read_bytes() == WHEEL
    start = int(index.requests[0][2].removeprefix("bytes=").removesuffix("-"))
    assert start == have  # nothing that stood on the disk is fetched again
    assert start >= len(WHEEL) // 2 - 0.05 * len(WHEEL)
