"""What every test shares: the product's folders below a temporary root, and marks kept in the report."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
SAMPLES = REPOSITORY.parent / "shared" / "samples"

sys.path.insert(
    0, str(Path(__file__).resolve().parent)
)  # builders shared by several folders: tests/machines.py and such

if importlib.util.find_spec("PySide6") is None:
    collect_ignore = ["ui"]  # the engine's tests run without Qt

pytest.register_assert_rewrite("wizard_drive", "wizard_stage")

with contextlib.suppress(ImportError):  # the Windows lab has no hypothesis
    from hypothesis import HealthCheck, settings

    # A busy machine is no fault of the code: no time limit on an example, and none on making one.
    settings.register_profile("product", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("product")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what this system cannot run, and write the marks of each test into the report for the build to judge."""
    has_samples = SAMPLES.is_dir()
    on_windows = sys.platform == "win32"
    for item in items:
        names = sorted({mark.name for mark in item.iter_markers()})
        item.user_properties.append(("marks", " ".join(names)))
        if "samples" in names and not has_samples:
            item.add_marker(pytest.mark.skip(reason="no folder of recorded samples beside the checkout"))
        if "windows" in names and not on_windows:
            item.add_marker(pytest.mark.skip(reason="needs Windows (the build runs it in the Windows lab)"))


@pytest.fixture(autouse=True)
def product_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No test reads or writes the person's own settings, setups or downloads."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("ROCM_GUI_HOME", str(home))
    return home


@pytest.fixture
def samples() -> Path:
    """The recorded output of real machines; use with the mark ``samples``."""
    return SAMPLES


@pytest.fixture
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts in English whatever the system speaks."""
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8" if os.name == "posix" else "en_US.UTF-8")
