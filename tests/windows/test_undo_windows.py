"""The last test of the shared setup: taking it back leaves what others put there, and nothing else."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.windows, pytest.mark.timeout(600)]


@pytest.mark.torch
@pytest.mark.network
def test_undo_leaves_nothing_but_what_others_put_there(torch_setup) -> None:
    (torch_setup.target / "notes.txt").write_text("mine")
    code, lines = torch_setup.run("undo")
    assert (code, lines[-1]["complete"]) == (0, True), lines[-1]
    assert [path.name for path in torch_setup.target.iterdir()] == ["notes.txt"]
    (torch_setup.target / "notes.txt").unlink()
    torch_setup.target.rmdir()
    assert torch_setup.left() == []
