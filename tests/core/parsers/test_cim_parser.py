import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rocm_gui.core.parsers.cim import CimAdapter, date_of, parse_video_controllers

XTX = {
    "Name": "AMD Radeon RX 7900 XTX",
    "PNPDeviceID": "PCI\\VEN_1002&DEV_744C&SUBSYS_E4711DA2&REV_C8\\6&1F3C2D0&0&00000019",
    "AdapterCompatibility": "Advanced Micro Devices, Inc.",
    "DriverVersion": "32.0.21043.12001",
    "DriverDate": "/Date(1786665600000)/",
    "InfFilename": "oem12.inf",
    "ConfigManagerErrorCode": 0,
    "CurrentHorizontalResolution": 3840,
    "AdapterRAM": 4293918720,
}


def test_one_adapter_is_an_object() -> None:
    assert parse_video_controllers(json.dumps(XTX)) == (
        CimAdapter(
            name="AMD Radeon RX 7900 XTX",
            instance_id=XTX["PNPDeviceID"],
            manufacturer="Advanced Micro Devices, Inc.",
            driver_version="32.0.21043.12001",
            driver_date="2026-08-14",
            problem=0,
            inf="oem12.inf",
            active=True,
        ),
    )


def test_several_are_a_list_and_absent_fields_stay_unknown() -> None:
    rows = [{"Name": "AMD Radeon(TM) Graphics", "DriverVersion": None}, XTX]
    first, second = parse_video_controllers(json.dumps(rows)) or ()
    assert first == CimAdapter(name="AMD Radeon(TM) Graphics")
    assert second.name == "AMD Radeon RX 7900 XTX"


def test_null_resolution_means_that_no_monitor_is_active() -> None:
    (row,) = parse_video_controllers(json.dumps(XTX | {"CurrentHorizontalResolution": None})) or ()
    assert row.active is False


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "gbk"])
def test_encodings(encoding: str) -> None:
    text = json.dumps([XTX | {"Name": "Microsoft 基本显示适配器"}], ensure_ascii=False, indent=4).replace("\n", "\r\n")
    (row,) = parse_video_controllers(text.encode(encoding)) or ()
    assert row.name == "Microsoft 基本显示适配器"


def test_words_before_the_answer_are_passed_over() -> None:
    text = "WARNING: [profile] could not be loaded\n[not json\n" + json.dumps([XTX])
    assert [row.name for row in parse_video_controllers(text) or ()] == ["AMD Radeon RX 7900 XTX"]


def test_escaped_ampersands() -> None:
    (row,) = parse_video_controllers(json.dumps(XTX | {"PNPDeviceID": "PCI\\VEN_1002&amp;DEV_744C\\1"})) or ()
    assert row.instance_id == "PCI\\VEN_1002&DEV_744C\\1"


@pytest.mark.parametrize("text", ["", "\r\n", "Get-CimInstance : Access denied", '{"Name": "cut', "null", "5", "[["])
def test_no_answer(text: str) -> None:
    assert parse_video_controllers(text) is None


def test_an_empty_list_is_an_answer() -> None:
    assert parse_video_controllers("[]") == ()


@pytest.mark.parametrize(
    ("value", "date"),
    [
        ("/Date(1700000000000)/", "2023-11-14"),
        ("\\/Date(1700000000000+0800)\\/".replace("\\/", "/"), "2023-11-14"),
        ("2026-08-14T00:00:00Z", "2026-08-14"),
        ("20260814000000.000000-000", "2026-08-14"),
        ({"value": "/Date(1700000000000)/", "DateTime": "2023年11月14日"}, "2023-11-14"),
        ("2026-13-40", None),
        ("/Date(99999999999999999999)/", None),
        (None, None),
        (7, None),
    ],
)
def test_dates(value: object, date: str | None) -> None:
    assert date_of(value) == date


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_garbage_never_raises(data: bytes) -> None:
    parse_video_controllers(data)


@settings(deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(list(XTX)), inner),
    )
)
def test_any_json_never_raises(content: object) -> None:
    parse_video_controllers(json.dumps(content))


@pytest.mark.samples
def test_recorded_answers(samples) -> None:
    folder = samples / "windows"
    read = {path.name: parse_video_controllers(path.read_bytes()) for path in folder.glob("*cim*.json")}
    assert {name: [row.name for row in rows or ()] for name, rows in read.items()} == {
        "cim-igpu-first-rx7800xt.json": ["AMD Radeon(TM) Graphics", "AMD Radeon RX 7800 XT"],
        "cim-single-object-rx7900xtx.json": ["AMD Radeon RX 7900 XTX"],
        "derived-cim-null-fields-basic-display.json": ["Microsoft Basic Display Adapter", "AMD Radeon(TM) Graphics"],
        "derived-cim-one-adapter-object.json": ["AMD Radeon RX 7900 XTX"],
        "derived-cim-two-adapters-bom.json": ["AMD Radeon(TM) Graphics", "AMD Radeon RX 7900 XTX"],
    }
    assert [row.driver_date for row in read["derived-cim-two-adapters-bom.json"] or ()] == ["2023-11-14", "2024-03-09"]
