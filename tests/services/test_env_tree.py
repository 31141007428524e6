"""Listing, comparing and bringing back the files of an environment."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from rocm_gui.services.env_tree import compare, list_tree, read_manifest, remove_tree, reset, write_manifest

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "环境 1"
    for name in ("a/one.py", "a/b/two.py", "bin/tool", "a/__pycache__/one.cpython-312.pyc"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    return root


def test_manifest_round_trip(root: Path, tmp_path: Path) -> None:
    write_manifest(tmp_path / "m.tsv", root)
    assert read_manifest(tmp_path / "m.tsv") == list_tree(root)
    assert set(list_tree(root)) == {"a/one.py", "a/b/two.py", "bin/tool"}
    assert read_manifest(tmp_path / "absent") is None
    (tmp_path / "bad").write_text("x\ty\n")
    assert read_manifest(tmp_path / "bad") is None


def test_difference(root: Path) -> None:
    manifest = list_tree(root)
    (root / "a/one.py").write_text("edited, longer")
    (root / "bin/tool").unlink()
    info = root / "site/pandas-2.3.1.dist-info"
    info.mkdir(parents=True)
    (info / "RECORD").write_text("")
    (root / "a/__pycache__/two.cpython-312.pyc").write_text("")
    found = compare(root, manifest)
    assert found.changed == ("a/one.py",)
    assert found.missing == ("bin/tool",)
    assert found.added == ("site/pandas-2.3.1.dist-info/RECORD",)
    assert found.packages == ("pandas 2.3.1",)


def test_folder_that_is_gone_misses_everything(root: Path, tmp_path: Path) -> None:
    manifest = list_tree(root)
    remove_tree(root)
    assert compare(root, manifest).missing == tuple(sorted(manifest))
    assert not reset(root, manifest)
    root.write_text("a file in its place")
    assert compare(root, manifest).missing == tuple(sorted(manifest))


def test_reset_takes_away_what_came_later(root: Path) -> None:
    manifest = list_tree(root)
    for name in ("torch/__init__.py", "torch/lib/x.so", "a/b/new/deep.py", "torch/__pycache__/x.pyc"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("half")
    assert reset(root, manifest)
    assert list_tree(root) == manifest
    assert not (root / "torch").exists()
    assert not (root / "a/b/new").exists()
    (root / "a/one.py").unlink()
    assert not reset(root, manifest)


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need a privilege there")
def test_removal_never_follows_links(root: Path, tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "thesis").write_text("mine")
    (root / "link").symlink_to(precious)
    (root / "a/file-link").symlink_to(precious / "thesis")
    (root / "bin/tool").chmod(0o400)
    assert "link" in list_tree(root)
    remove_tree(root)
    assert not root.exists()
    assert (precious / "thesis").read_text() == "mine"
    remove_tree(root)  # nothing there: nothing happens
