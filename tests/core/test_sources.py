"""Requirements of a source, and which wheels an interpreter can take."""

from __future__ import annotations

import pytest
from packaging.version import Version

from rocm_gui.core.parsers.simple_index import IndexFile
from rocm_gui.core.routes import Source, TorchPair
from rocm_gui.core.sources import Wanted, fill_url, newest, requirements_of, torch_requirement, wheels_for

PAIRS = (TorchPair(torch="2.12", torchvision="0.27", torchaudio="2.11"),)
AMD = Source(
    id="a",
    kind="index",
    requirements=("torch{device}==2.14.0+rocm10.1.0", "torchvision{device}", "torchaudio", "numpy<3"),
)
NAMES = (
    "torch-2.13.0+cpu-cp312-cp312-win_amd64.whl",
    "torch-2.13.0+cpu-cp312-cp312-manylinux_2_28_x86_64.whl",
    "torch-2.13.0+cpu-cp312-cp312-manylinux_2_28_aarch64.whl",
    "torch-2.14.0-cp313-cp313t-win_amd64.whl",
    "torch-2.14.0-cp310-abi3-win_amd64.whl",
    "torch-2.15.0-py3-none-any.whl",
    "torch-2.16.0a0-cp312-cp312-linux_x86_64.whl",
    "torchvision-0.28.0-cp312-cp312-win_amd64.whl",
    "torch-2.12.0.tar.gz",
    "torch-broken.whl",
)
FILES = tuple(IndexFile(filename=name) for name in NAMES)


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (Wanted(python="3.12", windows=True), ["2.13.0+cpu", "2.15.0"]),
        (Wanted(python="3.12", windows=False), ["2.13.0+cpu", "2.15.0", "2.16.0a0"]),
        (Wanted(python="3.12", windows=False, machine="aarch64"), ["2.13.0+cpu", "2.15.0"]),
        (Wanted(python="3.13", windows=True), ["2.15.0"]),
        (Wanted(python="3.10", windows=True), ["2.14.0", "2.15.0"]),
    ],
)
def test_wheels_for_an_interpreter(wanted: Wanted, expected: list[str]) -> None:
    assert sorted(str(version) for version in wheels_for(FILES, wanted)) == expected


def test_yanked_files_do_not_count() -> None:
    files = (IndexFile(filename=NAMES[0], yanked=True),)
    assert wheels_for(files, Wanted(python="3.12", windows=True)) == {}


def test_exactly_the_devices_asked_for() -> None:
    assert requirements_of(AMD, ("gfx1100", "gfx1201"), None, PAIRS) == (
        "torch[device-gfx1100,device-gfx1201]==2.14.0+rocm10.1.0",
        "torchvision[device-gfx1100,device-gfx1201]",
        "torchaudio",
        "numpy<3",
    )
    assert requirements_of(AMD, (), None, PAIRS)[0] == "torch==2.14.0+rocm10.1.0"


def test_a_chosen_version_moves_the_trio_and_nothing_else() -> None:
    assert requirements_of(AMD, ("gfx1100",), "2.12.1", PAIRS) == (
        "torch[device-gfx1100]==2.12.1",
        "torchvision[device-gfx1100]==0.27.*",
        "torchaudio==2.11.*",
        "numpy<3",
    )


def test_files_by_url_have_no_version_to_choose() -> None:
    files = Source(id="f", kind="files", requirements=("https://x/torch-2.9.1-cp312-cp312-win_amd64.whl",))
    assert requirements_of(files, ("gfx1100",), "2.12.1", PAIRS) == files.requirements
    assert torch_requirement(files.requirements) is None


def test_urls_are_filled() -> None:
    assert fill_url("https://x/{family}/{gfx_target}/", "gfx1100", "gfx110X-all") == "https://x/gfx110X-all/gfx1100/"


def test_previews_only_where_asked_for_or_alone() -> None:
    versions = [Version("2.14.0"), Version("2.15.0a0")]
    assert str(newest(versions, pre=False)) == "2.14.0"
    assert str(newest(versions, pre=True)) == "2.15.0a0"
    assert str(newest(versions[1:], pre=False)) == "2.15.0a0"
    assert newest([], pre=True) is None
