"""The product's own records on a disk that is full or a folder that is refused."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING

import pytest
from setup_driver import make_plan

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.services import setup_store
from rocm_gui.services.setup_store import Journal, TargetLock, create_setup, current_setup
from rocm_gui.system.paths import default_paths

if TYPE_CHECKING:
    from pathlib import Path


def test_line_that_the_disk_had_no_room_for_leaves_the_journal_sound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.jsonl"
    write = os.write
    with contextlib.closing(Journal(path)) as journal:
        journal.write("opened")
        rooms = [10]

        def half(handle: int, data: bytes) -> int:
            if not rooms:
                raise OSError(28, "No space left on device")
            return write(handle, bytes(data)[: rooms.pop()])

        monkeypatch.setattr(setup_store.os, "write", half)
        with pytest.raises(OSError, match="No space left"):
            journal.write("begin", "preflight")
        monkeypatch.undo()
        journal.write("begin", "environment")
    with contextlib.closing(Journal(path)) as journal:
        assert not journal.torn
        assert journal.record.entries == 2
        assert list(journal.record.steps) == ["environment"]


def test_lock_holds_on_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_handle: int, _data: bytes) -> int:
        raise OSError(28, "No space left on device")

    paths = default_paths()
    monkeypatch.setattr(setup_store.os, "write", full)
    with TargetLock(paths, tmp_path):
        assert TargetLock(paths, tmp_path).held()


def test_state_folder_that_cannot_be_used_is_named(tmp_path: Path, product_home: Path) -> None:
    (product_home / "data").write_text("a file in the way")
    paths = default_paths()
    acts = (
        lambda: create_setup(paths, make_plan(tmp_path / "rocm", product_home, "http://127.0.0.1:9/simple")),
        lambda: TargetLock(paths, tmp_path).__enter__(),
    )
    for act in acts:
        with pytest.raises(AppError) as caught:
            act()
        assert (caught.value.code, caught.value.exit_code) == ("state_unusable", ExitCode.FAILED)
        assert str(product_home / "data") in str(caught.value.facts["path"])


@pytest.mark.skipif(sys.platform == "win32" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may all")
def test_state_folder_of_somebody_else_is_not_permitted(tmp_path: Path, product_home: Path) -> None:
    paths = default_paths()
    paths.setups.mkdir(parents=True)
    paths.setups.chmod(0)
    try:
        with pytest.raises(AppError) as caught:
            current_setup(paths, tmp_path)
    finally:
        paths.setups.chmod(0o700)
    assert (caught.value.code, caught.value.exit_code) == ("state_unusable", ExitCode.DENIED)
