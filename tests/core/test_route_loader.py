"""The product's routes, and what is said of faulty ones."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.route_loader import load_routes
from rocm_gui.system.datafiles import read_messages, read_toml
from rocm_gui.system.paths import default_paths
from rocm_gui.system.route_files import read_route_book

RESOURCES = Path(__file__).resolve().parents[2] / "resources"
DOCUMENT = read_toml(RESOURCES / "data" / "routes.toml")
OWN = {
    "id": "company",
    "title": {"en": "Company index"},
    "summary": {"en": "Our own wheels."},
    "kind": "wheels",
    "os": ["windows", "linux"],
    "python_min": "3.12",
    "python_max": "3.12",
    "gfx_unofficial": ["gfx1100"],
    "rank": 5,
    "sources": [
        {"id": "company", "kind": "index", "url": "https://wheels.example/simple", "requirements": ["torch==2.14.0"]}
    ],
}


def load(**changes: object):
    """The product's routes with one route of the user's."""
    return load_routes(DOCUMENT, "routes.toml", {"route": [{**copy.deepcopy(OWN), **changes}]}, "own.toml")


def refused(**changes: object) -> tuple[str, str]:
    """Place and reason of the error."""
    with pytest.raises(AppError) as caught:
        load(**changes)
    assert caught.value.code == "routes_invalid"
    assert caught.value.exit_code == ExitCode.USAGE
    assert caught.value.facts["path"] == "own.toml"
    return str(caught.value.facts["place"]), str(caught.value.facts["reason"])


def test_every_system_has_its_routes() -> None:
    routes = {route.id: route for route in load_routes(DOCUMENT, "routes.toml").routes}
    installable = {name for name, route in routes.items() if route.kind != "guide"}
    assert {name for name in installable if "windows" in routes[name].os} == {
        "amd-windows-10.1", "amd-windows-10.0", "amd-windows-7.14", "amd-windows-7.2.1", "amd-windows-nightly", "cpu",
    }  # fmt: skip
    assert {name for name in installable if "linux" in routes[name].os} == {
        "amd-linux-10.1", "amd-linux-10.0", "amd-linux-7.14", "amd-linux-nightly", "cpu",
        "pytorch-rocm7.2", "pytorch-rocm6.1",
    }  # fmt: skip
    assert {name for name in installable if "wsl" in routes[name].os} == {"wsl-10.1", "cpu"}
    assert routes["pytorch-rocm6.1"].os == ("linux",)
    assert routes["pytorch-rocm6.1"].status == "obsolete"
    assert {"therock-windows", "article-source", "hip-sdk", "wsl-guide"} <= set(routes)


def test_the_trio_of_each_pinned_route_belongs_together() -> None:
    book = load_routes(DOCUMENT, "routes.toml")
    pairs = {pair.torch: (pair.torchvision, pair.torchaudio) for pair in book.pairs}
    seen = 0
    for route in book.routes:
        for source in route.sources:
            if source.kind != "index" or route.torch_version is None:
                continue
            parsed = [Requirement(line.replace("{device}", "")) for line in source.requirements]
            pins = {pin.name: str(pin.specifier).removeprefix("==") for pin in parsed}
            vision, audio = pairs[route.torch_version.rsplit(".", 1)[0]]
            assert pins["torch"].startswith(route.torch_version.rsplit(".", 1)[0]), route.id
            assert pins["torchvision"].startswith(vision + "."), route.id
            assert pins["torchaudio"].startswith(audio + "."), route.id
            seen += 1
    assert seen >= 9


def test_the_four_mirrors() -> None:
    mirrors = {mirror.id: mirror.url for mirror in load_routes(DOCUMENT, "routes.toml").mirrors}
    assert mirrors == {
        "official": "https://pypi.org/simple/",
        "tsinghua": "https://pypi.tuna.tsinghua.edu.cn/simple/",
        "aliyun": "https://mirrors.aliyun.com/pypi/simple/",
        "tencent": "https://mirrors.cloud.tencent.com/pypi/simple/",
    }


def test_every_reason_has_its_sentence_in_both_languages() -> None:
    messages = read_messages(RESOURCES)
    source = (RESOURCES.parent / "rocm_gui" / "core" / "route_choice.py").read_text(encoding="utf-8")
    unfit, caution = messages["route"]["unfit"], messages["route"]["caution"]
    for code in (
        "os",
        "windows_build",
        "gfx_unknown",
        "gfx_too_old",
        "gfx_not_listed",
        "python_range",
        "does_not_work",
    ):
        assert f'"{code}"' in source
        assert {"en", "zh_CN"} <= set(unfit[code])
    for code in ("unofficial", "driver_old", "driver_unknown", "windows_untested", "hsa_override", "preview"):
        assert {"en", "zh_CN"} <= set(caution[code])
        assert {"en", "zh_CN"} <= set(messages["setup"]["notice"][code])


def test_a_route_of_the_user_joins() -> None:
    book = load()
    own = next(route for route in book.routes if route.id == "company")
    assert own.origin == "user"
    assert own.sources[0].url == "https://wheels.example/simple"
    assert all(route.origin == "builtin" for route in book.routes if route.id != "company")


def test_a_route_of_the_user_replaces_one_of_the_same_id() -> None:
    routes = load(id="cpu", kind="cpu").routes
    assert [route.origin for route in routes if route.id == "cpu"] == ["user"]
    assert len(routes) == len(load_routes(DOCUMENT, "routes.toml").routes)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"kind": "weels"}, "Invalid enum value 'weels' - at `kind`"),
        ({"os": ["macos"]}, "Invalid enum value 'macos' - at `os[0]`"),
        ({"python_min": 3.11}, "Expected `str | null`, got `float` - at `python_min`"),
        ({"indexurl": "x"}, "does not know indexurl"),
        ({"gfx_official": ["7900 XTX"]}, "'7900 XTX' is no gfx target such as gfx1100"),
        ({"title": {}}, "a text lacks en and zh_CN"),
        ({"python_min": "3.14", "python_max": "3.12"}, "python_min is above python_max"),
        ({"sources": []}, "has no sources"),
        ({"checked": "yesterday"}, "checked: 'yesterday' is no date such as 2026-12-01"),
        ({"kind": "guide"}, "a guide has no sources"),
    ],
)
def test_a_fault_is_named_with_its_place(changes: dict[str, object], reason: str) -> None:
    place, told = refused(**changes)
    assert place.startswith("route company")
    assert told == reason


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"url": "wheels.example"}, "url must begin with https://, http:// or file://"),
        ({"url": "https://x/{famly}/"}, "url: does not know {famly}"),
        ({"requirements": []}, "requirements is empty"),
        (
            {"requirements": ["torch=2.1"]},
            "'torch=2.1' is no requirement: Expected semicolon (after name with no version specifier) or end",
        ),
    ],
)
def test_a_fault_of_a_source_names_the_source(changes: dict[str, object], reason: str) -> None:
    source = {**copy.deepcopy(OWN["sources"][0]), **changes}  # type: ignore[index]
    assert refused(sources=[source]) == ("route company, source company", reason)


def test_a_mistyped_key_of_a_source_is_found() -> None:
    source = {**copy.deepcopy(OWN["sources"][0]), "requirement": []}  # type: ignore[index]
    assert refused(sources=[source]) == ("route company, sources 1", "does not know requirement")


def test_an_unknown_schema_is_refused() -> None:
    with pytest.raises(AppError) as caught:
        load_routes({"schema": 2}, "routes.toml")
    assert caught.value.facts["reason"] == "2 is not known, this version reads 1"


def test_the_users_file_is_read_and_a_broken_one_is_named(product_home: Path) -> None:
    paths = default_paths()
    assert "company" not in {route.id for route in read_route_book(paths).routes}
    paths.user_routes_file.parent.mkdir(parents=True)
    paths.user_routes_file.write_text(
        '[[route]]\nid = "company"\ntitle = { en = "x" }\nsummary = { en = "x" }\nkind = "cpu"\nos = ["linux"]\n'
        '[[route.sources]]\nid = "a"\nkind = "index"\nurl = "https://x/"\nrequirements = ["torch"]\n',
        encoding="utf-8",
    )
    assert "company" in {route.id for route in read_route_book(paths).routes}
    paths.user_routes_file.write_text("[[route]\n", encoding="utf-8")
    with pytest.raises(AppError) as caught:
        read_route_book(paths)
    assert caught.value.code == "file_malformed"
    assert caught.value.facts["path"] == str(paths.user_routes_file)
