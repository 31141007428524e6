"""Known troubles: every pattern finds its example, and real output leads to the right row."""

from __future__ import annotations

from pathlib import Path

import pytest

from rocm_gui.core.troubles import Trouble, load_troubles, match
from rocm_gui.system.datafiles import read_toml

DATA = Path(__file__).resolve().parents[2] / "resources" / "data" / "troubles.toml"
TROUBLES = load_troubles(read_toml(DATA))
BY_ID = {trouble.id: trouble for trouble in TROUBLES}


def ids(text: str, system: str = "linux") -> list[str]:
    return [trouble.id for trouble in match(text, system, TROUBLES)]  # type: ignore[arg-type]


@pytest.mark.parametrize("trouble", [t for t in TROUBLES if t.pattern is not None], ids=lambda t: t.id)
def test_pattern_finds_its_example(trouble: Trouble) -> None:
    assert trouble.example is not None
    system = "linux" if trouble.os == "any" else trouble.os
    assert trouble.id in ids(trouble.example, system)


def test_every_row_is_complete_in_both_languages() -> None:
    assert len(TROUBLES) >= 70
    for trouble in TROUBLES:
        for text in (trouble.cause, trouble.remedy):
            assert set(text) == {"en", "zh_CN"}
            assert text["en"].strip()
            assert text["zh_CN"].strip()
        assert trouble.source
        assert trouble.checked == "2026-12-01"
    measured = {trouble.id for trouble in TROUBLES if trouble.pattern is None}
    assert measured == {"PATH-174", "SLOW-GEMM", "WIN-SPILL"}


def test_system_decides() -> None:
    assert ids("HSA_OVERRIDE_GFX_VERSION=11.0.0", "windows") == ["HSA-OVERRIDE-WIN"]
    assert ids("HSA_OVERRIDE_GFX_VERSION=11.0.0", "linux") == []
    assert "KFD-PERM" in ids("Unable to open /dev/kfd", "wsl")


def test_order_is_that_of_the_text() -> None:
    text = "error: [Errno 28] No space left on device\nERROR: No matching distribution found for torch"
    assert ids(text) == ["DISK-FULL", "WHEEL-NO-MATCH"]


def test_sound_output_shows_no_trouble() -> None:
    text = "Collecting torch\n  Downloading torch-2.13.0.whl (210.0 MB)\nSuccessfully installed torch-2.13.0"
    assert ids(text) == []


def test_faulty_rows_are_refused() -> None:
    row = {"id": "A", "layer": "pip", "cause": {"en": "a"}, "remedy": {"en": "b"}, "pattern": "("}
    with pytest.raises(ValueError, match=r"\("):
        load_troubles({"trouble": [row]})
    row["pattern"] = "x"
    with pytest.raises(ValueError, match="twice"):
        load_troubles({"trouble": [row, row]})


SAMPLES = {
    "pip-404-index.txt": "WHEEL-NO-MATCH",
    "pip-no-match-from-versions-none.txt": "WHEEL-NO-MATCH",
    "pip-connection-refused.txt": "NET-SSL",
    "pip-ssl-error.txt": "NET-SSL",
    "pip-hash-mismatch.txt": "HASH-MISMATCH",
    "pip-no-space-mid-download.txt": "DISK-FULL",
    "pip-resolution-impossible-constraint.txt": "RESOLUTION-IMPOSSIBLE",
    "pip-conflict-six.txt": "RESOLUTION-IMPOSSIBLE",
    "pip-unsupported-wheel.txt": "WRONG-PLATFORM-WHEEL",
    "torch-cpu-build-no-cuda.txt": "TORCH-CPU-BUILD",
    "derived-torch-winerror-126.txt": "DLL-126",
    "derived-torch-cuda-no-hip-gpus.txt": "HIP-NOT-ENUMERATED",
    "torch-import-win-126-korean.txt": "DLL-126",
    "torch-import-win-127-chinese.txt": "HIPSDK-MIX",
    "torch-import-win-1455-paging-file.txt": "PAGE-FILE",
    "torch-import-win-4551-app-control-portuguese.txt": "SAC-BLOCK",
    "cmake-vs-generator-on-linux.txt": None,
    "pip-plain-success.txt": None,
    "pip-download-saved.txt": None,
    "ninja-piped-ok.txt": None,
}


@pytest.mark.samples
@pytest.mark.parametrize(("name", "expected"), SAMPLES.items())
def test_real_output(samples: Path, name: str, expected: str | None) -> None:
    text = (samples / "logs" / name).read_text(encoding="utf-8", errors="replace")
    found = ids(text, "windows")
    assert (found[0] if found else None) == expected
