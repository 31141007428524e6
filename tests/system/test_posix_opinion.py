from __future__ import annotations

from pathlib import Path

from rocm_gui.core.gpu_table import GpuTable
from rocm_gui.core.model import Gpu
from rocm_gui.system.datafiles import read_toml
from rocm_gui.system.posix.opinion import ask_rocminfo, with_second_opinion
from rocm_gui.system.process import Completed, run

TABLE = GpuTable.from_toml(read_toml(Path(__file__).resolve().parents[2] / "resources/data/gpus.toml"))
LISTING = """ROCk module is loaded
Agent 2
  Name:                    gfx1100
  Marketing Name:          AMD Radeon RX 7900 XTX
  Device Type:             GPU
  Chip ID:                 29772(0x744c)
  BDFID:                   768
"""


class Recorded:
    """Stands in for ``process.run`` and keeps what it was asked."""

    def __init__(self, stdout="", missing=False):
        self.answer = Completed(("rocminfo",), None if missing else 0, stdout, "", 0.1, missing=missing)
        self.calls = []

    def __call__(self, argv, *, timeout_s, env=None, cwd=None, input_text=None):
        self.calls.append((list(argv), env))
        return self.answer


def card(revision=None):
    gpu = Gpu(vendor="amd", pci_id="1002:744c", pci_revision=revision, pci_address="0000:03:00.0")
    return (TABLE.complete(gpu, "linux"),)


def test_asked_only_where_a_question_is_open(monkeypatch):
    monkeypatch.setenv("HSA_OVERRIDE_GFX_VERSION", "11.0.0")
    recorded = Recorded(LISTING)
    assert with_second_opinion(card("c8"), recorded, TABLE, "linux") == card("c8")
    assert with_second_opinion((), recorded, TABLE, "linux") == ()
    assert recorded.calls == []
    (gpu,) = with_second_opinion(card(), recorded, TABLE, "linux", "/opt/rocm/bin/rocminfo")
    assert gpu.name == "Radeon RX 7900 XTX"
    ((argv, environ),) = recorded.calls
    assert argv == ["/opt/rocm/bin/rocminfo"]
    assert "HSA_OVERRIDE_GFX_VERSION" not in environ


def test_old_cards_and_other_makers_raise_no_question():
    recorded = Recorded(LISTING)
    old = (TABLE.complete(Gpu(vendor="amd", pci_id="1002:731f"), "linux"), Gpu(vendor="nvidia", pci_id="10de:2684"))
    assert with_second_opinion(old, recorded, TABLE, "linux") == old
    assert recorded.calls == []


def test_wsl_without_cards_asks_the_runtime():
    (gpu,) = with_second_opinion((), Recorded(LISTING), TABLE, "wsl")
    assert (gpu.name, gpu.support) == ("Radeon RX 7900 XTX", "official")


def test_an_absent_tool_changes_nothing():
    assert with_second_opinion(card(), Recorded(missing=True), TABLE, "linux") == card()
    assert ask_rocminfo(run, "no-such-rocminfo") is None
