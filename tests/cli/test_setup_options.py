"""Words of the command line that cannot be meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import machines as m
import msgspec
import pytest

from rocm_gui.cli import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    "words",
    [
        ("setup", "undo", "--target", ""),  # a variable that is not set must not be the folder we stand in
        ("setup", "resume", "--target", " "),
        ("setup", "status", "--target="),
        ("setup", "plan", "--target", ""),
        ("setup", "apply", "--target", "/tmp/\udcff"),
        ("verify", "--python", "python", "--device", "-1"),
    ],
)
def test_refused_as_typed(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--lang", "en", *words])
    assert caught.value.code == 2
    assert f"argument {words[-2] if '=' not in words[-1] else '--target'}: invalid" in capsys.readouterr().err


def test_certificates_that_are_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "absent.pem")
    words = ["--lang", "en", "setup", "plan", "--route", "cpu", "--target", str(tmp_path / "t"), "--ca-bundle", path]
    assert main(words) == 2
    assert capsys.readouterr().err.startswith(f"rocm-gui: {path} cannot be read: No such file or directory")
    record = tmp_path / "machine.json"
    record.write_bytes(msgspec.json.encode(m.no_gpu()))
    assert main([*words, "--machine", str(record)]) == 0  # of another computer


def test_routes_of_the_person_that_cannot_be_read(
    tmp_path: Path, product_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (product_home / "config").mkdir()
    (product_home / "config" / "routes.toml").symlink_to("routes.toml")  # a loop
    record = tmp_path / "machine.json"
    record.write_bytes(msgspec.json.encode(m.no_gpu()))
    assert main(["--lang", "en", "setup", "routes", "--machine", str(record)]) == 2
    assert "routes.toml cannot be read: Too many levels of symbolic links" in capsys.readouterr().err
