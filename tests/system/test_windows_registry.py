import pytest

from rocm_gui.core.errors import AppError
from rocm_gui.system.windows.registry import (
    REG_EXPAND_SZ,
    REG_QWORD,
    MemoryRegistry,
    WinRegistry,
    number_of,
    read,
    record,
    text_of,
    texts_of,
)

KEYS = {
    r"HKLM\SOFTWARE\AMD\CN": {"RadeonSoftwareVersion": "26.8.1", "Number": 7, "Empty": ""},
    r"HKCU\Environment": {"Path": (r"%USERPROFILE%\bin;C:\x", REG_EXPAND_SZ)},
    r"HKLM\SYSTEM\Card": {"Size": (24 << 30, REG_QWORD), "Raw": b"\x00\x00\x00\x00\x06\x00\x00\x00", "Ids": ["a", "b"]},
    r"HKLM\SYSTEM\Card\Child": {},
}


def test_keys_have_no_case_and_parents_exist() -> None:
    registry = MemoryRegistry(KEYS)
    assert read(registry, "HKLM", r"software\amd\cn", "radeonsoftwareversion") == "26.8.1"
    assert registry.subkeys("HKLM", "SOFTWARE") == ("AMD",)
    assert registry.subkeys("HKLM", r"SYSTEM\Card") == ("Child",)
    assert registry.values("HKLM", "SYSTEM") == {}


def test_what_is_not_there_is_none() -> None:
    registry = MemoryRegistry(KEYS)
    assert registry.values("HKCU", r"SOFTWARE\AMD\CN") is None
    assert registry.subkeys("HKLM", r"SOFTWARE\Intel") is None
    assert not registry.denied("HKLM", r"SOFTWARE\Intel")


def test_denied_is_told_from_missing() -> None:
    registry = MemoryRegistry(KEYS, denied=[r"HKLM\SYSTEM\Card\Properties"])
    assert registry.values("HKLM", r"SYSTEM\Card\Properties") is None
    assert registry.denied("HKLM", r"SYSTEM\CARD\Properties")
    assert registry.subkeys("HKLM", r"SYSTEM\Card") == ("Child", "Properties")


def test_text_stays_raw_with_its_type() -> None:
    assert MemoryRegistry(KEYS).values("HKCU", "Environment") == {"Path": (r"%USERPROFILE%\bin;C:\x", REG_EXPAND_SZ)}


def test_typed_readers() -> None:
    registry = MemoryRegistry(KEYS)
    card, amd = registry.values("HKLM", r"SYSTEM\Card"), registry.values("HKLM", r"SOFTWARE\AMD\CN")
    assert number_of(card, "Size") == 24 << 30
    assert number_of(card, "Raw") == 24 << 30
    assert texts_of(card, "Ids") == ("a", "b")
    assert texts_of(amd, "RadeonSoftwareVersion") == ("26.8.1",)
    assert number_of(amd, "RadeonSoftwareVersion") is None
    assert text_of(amd, "Empty") is None
    assert text_of(amd, "Number") is None
    assert text_of(None, "Any") is None


def test_a_recording_is_read_back_the_same() -> None:
    registry = MemoryRegistry(KEYS, denied=[r"HKLM\SYSTEM\Card\Properties"])
    again = MemoryRegistry.from_json(record(registry, [("HKLM", "SYSTEM"), ("HKCU", "Environment")]))
    for hive, path in (("HKLM", r"SYSTEM\Card"), ("HKCU", "Environment"), ("HKLM", r"SYSTEM\Card\Child")):
        assert again.values(hive, path) == registry.values(hive, path)
    assert again.denied("HKLM", r"SYSTEM\Card\Properties")
    assert again.values("HKLM", r"SOFTWARE\AMD\CN") is None


@pytest.mark.parametrize("document", ["", "[]", "{}", '{"keys": []}', '{"keys": {"HKLM\\\\A": {"x": {"hex": "0"}}}}'])
def test_a_broken_recording_is_said(document: str) -> None:
    with pytest.raises(AppError) as caught:
        MemoryRegistry.from_json(document)
    assert caught.value.code == "recording_malformed"


def test_a_missing_recording_is_said(tmp_path) -> None:
    with pytest.raises(AppError) as caught:
        MemoryRegistry.from_file(tmp_path / "none.json")
    assert caught.value.code == "file_unreadable"


@pytest.mark.skipif("sys.platform == 'win32'")
def test_the_real_registry_is_empty_elsewhere() -> None:
    registry = WinRegistry()
    assert registry.values("HKLM", "SOFTWARE") is None
    assert registry.subkeys("HKLM", "SOFTWARE") is None
    assert not registry.denied("HKLM", "SOFTWARE")
