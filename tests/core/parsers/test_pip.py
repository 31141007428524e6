"""What pip prints and reports, against recorded output of several versions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from rocm_gui.core.events import Log, Progress, Stage
from rocm_gui.core.parsers.pip import PipSetting, errors_of, parse_config, parse_report, pip_event, size_of

if TYPE_CHECKING:
    from pathlib import Path


def test_raw_progress() -> None:
    assert pip_event("Progress 40960 of 30000906") == Progress(done=40960, total=30000906, unit="bytes")
    assert pip_event("Progress 40960 of 0") == Progress(done=40960, total=None, unit="bytes")


def test_drawn_bar() -> None:
    line = (
        "\x1b[2K     \x1b[91m━━\x1b[0m\x1b[90m━━\x1b[0m \x1b[32m2.4/12.0 MB\x1b[0m \x1b[31m4.2 MB/s\x1b[0m eta 0:00:03"
    )
    assert pip_event(line) == Progress(done=2.4e6, total=12e6, unit="bytes")


@pytest.mark.parametrize(
    ("line", "stage"),
    [
        ("Collecting torch==2.13.0", "collecting torch==2.13.0"),
        ("  Downloading torch-2.13.0-cp312-cp312-win_amd64.whl (210.0 MB)", None),
        ("Installing collected packages: six, torch", "installing six, torch"),
        ("Successfully installed six-1.17.0 torch-2.13.0+cpu", "installed six-1.17.0 torch-2.13.0+cpu"),
        ("Processing ./whl/six-1.17.0-py2.py3-none-any.whl", "processing ./whl/six-1.17.0-py2.py3-none-any.whl"),
        ("Would install bigone-1.0 smalldep-1.0", "resolved bigone-1.0 smalldep-1.0"),
    ],
)
def test_stages(line: str, stage: str | None) -> None:
    event = pip_event(line)
    assert isinstance(event, Stage)
    assert event.id == (stage or "downloading torch-2.13.0-cp312-cp312-win_amd64.whl (210.0 MB)")


def test_other_lines() -> None:
    assert pip_event("") is None
    assert pip_event("   \r") is None
    error = pip_event("ERROR: No matching distribution found for torch")
    assert isinstance(error, Log)
    assert error.level == "error"
    warning = pip_event("WARNING: Retrying (Retry(total=1))")
    assert isinstance(warning, Log)
    assert warning.level == "warning"


def test_sizes() -> None:
    assert size_of("  Downloading torch-2.13.0.whl (210.0 MB)") == 210_000_000
    assert size_of("  Downloading six-1.17.0.whl.metadata (1.7 kB)") == 1700
    assert size_of("  Downloading x.whl (891 bytes)") == 891
    assert size_of("Collecting torch") is None


def test_errors_are_found_once_and_in_order() -> None:
    output = "Collecting torch\nERROR: a\nWARNING: w\nERROR: a\nOSError: [Errno 28] No space left on device\n"
    assert errors_of(output) == ("ERROR: a", "OSError: [Errno 28] No space left on device")


def report(**item) -> bytes:
    entry = {
        "download_info": {"url": "https://x.example/w/My_Pkg-1.0%2Bcpu-py3-none-any.whl", "archive_info": {}},
        "metadata": {"name": "My_Pkg", "version": "1.0+cpu"},
        **item,
    }
    return json.dumps({"version": "1", "pip_version": "26.3", "install": [entry], "environment": {}}).encode()


def test_report() -> None:
    package = parse_report(report(requested=True, requested_extras=["device-gfx1100"])).packages[0]
    assert (package.name, package.version, package.filename) == ("my-pkg", "1.0+cpu", "My_Pkg-1.0+cpu-py3-none-any.whl")
    assert package.sha256 is None
    assert package.requested
    assert package.extras == ("device-gfx1100",)
    assert not package.is_local


def test_hashes_of_a_report_in_both_spellings() -> None:
    url = "file:///opt/w/a.whl"
    new = {"download_info": {"url": url, "archive_info": {"hashes": {"sha256": "AB"}}}}
    old = {"download_info": {"url": url, "archive_info": {"hash": "sha256=cd"}}}
    assert parse_report(report(**new)).packages[0].sha256 == "ab"
    assert parse_report(report(**old)).packages[0].sha256 == "cd"
    assert parse_report(report(**old)).packages[0].is_local


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[]", b'{"version":"2","install":[]}', b'{"version":"1","install":[{}]}']
)
def test_what_is_no_report_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="not a report"):
        parse_report(data)


def test_config() -> None:
    output = (
        ":env:.cert='/etc/ssl/ca.crt'\nglobal.index-url='https://me:pa%40ss@host.example/simple'\n"
        "global.extra-index-url='\\nhttps://a.example/\\nhttps://b.example/'\nglobal.cache-dir=\"C:\\\\用户's\"\nnoise\n"
    )
    assert parse_config(output) == (
        PipSetting(section=":env:", key="cert", value="/etc/ssl/ca.crt"),
        PipSetting(section="global", key="index-url", value="https://me:pa%40ss@host.example/simple"),
        PipSetting(section="global", key="extra-index-url", value="\nhttps://a.example/\nhttps://b.example/"),
        PipSetting(section="global", key="cache-dir", value="C:\\用户's"),
    )


@pytest.mark.samples
def test_recorded_output(samples: Path) -> None:
    for path in sorted((samples / "logs").glob("pip-*.txt")):
        text = path.read_bytes().decode("utf-8", errors="replace").replace("\r", "\n")
        events = [event for line in text.split("\n") if (event := pip_event(line)) is not None]
        assert events, path.name
        if "progress" in path.name:
            done = [event.done for event in events if isinstance(event, Progress)]
            assert done[-1] == 12e6
            assert done == sorted(done)
