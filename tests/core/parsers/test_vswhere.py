import json

import pytest

from rocm_gui.core.parsers.vswhere import VisualStudioInstance, newest_msvc, parse_vswhere

BUILD_TOOLS = {
    "instanceId": "5c1b2a3d",
    "installDate": "2026-03-02T08:11:40Z",
    "installationName": "VisualStudio/17.12.3+35527.113",
    "installationPath": "C:\\Program Files (x86)\\Microsoft Visual Studio\\2022\\BuildTools",
    "installationVersion": "17.12.35527.113",
    "productId": "Microsoft.VisualStudio.Product.BuildTools",
    "state": 4294967295,
    "isComplete": True,
    "isLaunchable": True,
    "isPrerelease": False,
    "displayName": "Visual Studio 生成工具 2022",
    "catalog": {"productLineVersion": "2022"},
    "properties": {"nickname": ""},
}
UNFINISHED = {"instanceId": "77aa", "installationPath": "D:\\VS", "isComplete": False, "isLaunchable": False}


def test_installations_whole_and_unfinished() -> None:
    text = "\ufeff" + json.dumps([BUILD_TOOLS, UNFINISHED, {"instanceId": "no path"}], ensure_ascii=False)
    whole, unfinished = parse_vswhere(text)
    assert whole == VisualStudioInstance(
        installation_path="C:\\Program Files (x86)\\Microsoft Visual Studio\\2022\\BuildTools",
        installation_version="17.12.35527.113",
        display_name="Visual Studio 生成工具 2022",
        product_id="Microsoft.VisualStudio.Product.BuildTools",
        is_complete=True,
        is_launchable=True,
    )
    assert unfinished == VisualStudioInstance(installation_path="D:\\VS", is_complete=False, is_launchable=False)


def test_none_installed() -> None:
    assert parse_vswhere("[\r\n]") == ()


@pytest.mark.parametrize("text", ["", "Error 0x57", "{}", "[1]", '[{"installationPath": 3}]'])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        parse_vswhere(text)


def test_newest_toolset_is_the_greatest_number() -> None:
    assert newest_msvc(["14.9.1", "14.42.34433", "14.29.30133", "v143"]) == "14.42.34433"
    assert newest_msvc([]) is None
