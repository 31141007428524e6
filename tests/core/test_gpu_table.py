from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocm_gui.core.errors import AppError
from rocm_gui.core.gpu_table import GpuTable, base_gfx_target, gfx_from_version
from rocm_gui.core.model import Evidence, Gpu
from rocm_gui.system.datafiles import read_toml

REPOSITORY = Path(__file__).resolve().parents[2]
DOCUMENT = read_toml(REPOSITORY / "resources/data/gpus.toml")
TABLE = GpuTable.from_toml(DOCUMENT)


@pytest.mark.parametrize(
    ("version", "target"),
    [
        (110501, "gfx1151"),
        (90010, "gfx90a"),
        (90012, "gfx90c"),
        (90402, "gfx942"),
        (90400, "gfx942"),
        (90500, "gfx950"),
        (120001, "gfx1201"),
        (100306, "gfx1036"),
        (80003, "gfx803"),
        (0, None),
        (None, None),
        (-1, None),
        (7, None),
        (99999999, None),
    ],
)
def test_gfx_target_of_the_kernels_number(version, target):
    assert gfx_from_version(version) == target


def test_gfx_target_without_its_features():
    assert base_gfx_target("gfx90a:sramecc+:xnack-") == "gfx90a"
    assert base_gfx_target("amdgcn-amd-amdhsa--gfx1100") == "gfx1100"
    assert base_gfx_target("aie2") is None
    assert base_gfx_target(None) is None


@pytest.mark.parametrize(
    ("pci_id", "revision", "name", "target"),
    [
        ("1002:744c", "c8", "Radeon RX 7900 XTX", "gfx1100"),
        ("1002:744C", "0xC8", "Radeon RX 7900 XTX", "gfx1100"),
        ("1002:744c", "cc", "Radeon RX 7900 XT", "gfx1100"),
        ("1002:744c", "cf", "Radeon RX 7900M", "gfx1100"),
        ("1002:7550", "c0", "Radeon RX 9070 XT", "gfx1201"),
        ("1002:7590", "c0", "Radeon RX 9060 XT", "gfx1200"),
        ("1002:7480", "c1", "Radeon RX 7700S", "gfx1102"),
        ("1002:73ef", "c0", "Radeon RX 6800S", "gfx1032"),
        ("1002:73df", "c3", "Radeon RX 6800M", "gfx1031"),
        ("1002:15bf", "dd", "Radeon 780M", "gfx1103"),
        ("1002:1586", "c1", "Radeon 8060S", "gfx1151"),
        ("1002:150e", "c1", "Radeon 890M", "gfx1150"),
        ("1002:1114", "c2", "Radeon 860M", "gfx1152"),
        ("1002:1681", "c8", "Radeon 680M", "gfx1035"),
        ("1002:164e", "d8", "Radeon 610M", "gfx1036"),
        ("1002:164e", "c9", "Radeon Graphics (Ryzen 7000/9000)", "gfx1036"),
        ("1002:163f", None, "Steam Deck (Van Gogh)", "gfx1033"),
        ("1002:74a1", "00", "Instinct MI300X", "gfx942"),
        ("1002:740f", None, "Instinct MI210", "gfx90a"),
        ("1002:738c", "01", "Instinct MI100", "gfx908"),
        ("1002:66af", "c1", "Radeon VII", "gfx906"),
        ("1002:731f", "c1", "Radeon RX 5700 XT", "gfx1010"),
        ("1002:7340", "c5", "Radeon RX 5500 XT", "gfx1012"),
        ("1002:67df", "e7", "Radeon RX 580", "gfx803"),
        ("1002:67df", "c7", "Radeon RX 480", "gfx803"),
        ("1002:699f", "c7", "Radeon RX 550 / 550", "gfx803"),
        ("1002:687f", "c3", "Radeon RX Vega 56", "gfx900"),
        ("1002:6818", None, "Radeon HD 7870", "gfx601"),
        ("1002:1638", "c8", "Radeon Graphics (Ryzen 5000)", "gfx90c"),
        ("1002:73a0", None, None, "gfx1030"),  # a chip of the kernel's list without a product of its own
    ],
)
def test_card_of_a_pci_id(pci_id, revision, name, target):
    match = TABLE.identify(pci_id, revision)
    assert match is not None
    assert (match.name, match.gfx_target) == (name, target)


@pytest.mark.parametrize("pci_id", ["10de:2684", "8086:56a0", "1002:ffff", "1002", "", None, "nonsense", "1a03:2000"])
def test_what_the_table_does_not_know_is_none(pci_id):
    assert TABLE.identify(pci_id, "c8") is None


def test_an_id_without_a_revision_keeps_all_candidates_and_what_they_share():
    match = TABLE.identify("1002:744c")
    assert match is not None
    assert match.name is None
    assert match.candidates == ("Radeon RX 7900 XTX", "Radeon RX 7900 XT", "Radeon RX 7900 GRE", "Radeon RX 7900M")
    assert (match.gfx_target, match.family, match.series, match.integrated) == (
        "gfx1100",
        "gfx110X-all",
        "RX 7000",
        False,
    )
    assert match.support("linux") is None  # the RX 7900M is not listed by AMD, the others are
    mixed = TABLE.identify("1002:7480")
    assert mixed is not None
    assert mixed.gfx_target == "gfx1102"
    assert mixed.series is None  # RX 7000 and PRO W7000


def test_an_unlisted_revision_is_no_product_but_still_that_chip():
    match = TABLE.identify("1002:744c", "99")
    assert match is not None
    assert match.name is None
    assert match.gfx_target == "gfx1100"


def test_cards_that_share_id_and_revision():
    match = TABLE.identify("1002:740c", "01")
    assert match is not None
    assert match.candidates == ("Instinct MI250X", "Instinct MI250")
    assert match.gfx_target == "gfx90a"
    old = TABLE.identify("1002:66a1", "02")
    assert old is not None
    assert old.candidates == ("Instinct MI60", "Instinct MI50")


def test_a_name_narrows_the_candidates_and_never_contradicts_the_id():
    narrowed = TABLE.identify("1002:744c", name="AMD Radeon RX 7900 XT")
    assert narrowed is not None
    assert narrowed.name == "Radeon RX 7900 XT"
    wrong = TABLE.identify("1002:744c", "c8", name="AMD Radeon RX 580 Series")
    assert wrong is not None
    assert wrong.name == "Radeon RX 7900 XTX"
    generic = TABLE.identify("1002:744c", name="AMD Radeon(TM) Graphics")
    assert generic is not None
    assert generic.name is None


@pytest.mark.parametrize(
    ("name", "card", "target"),
    [
        ("AMD Radeon RX 7900 XTX", "Radeon RX 7900 XTX", "gfx1100"),
        ("AMD Radeon RX 7900 XT", "Radeon RX 7900 XT", "gfx1100"),
        ("AMD Radeon RX 7900M", "Radeon RX 7900M", "gfx1100"),
        ("Radeon RX 7700S", "Radeon RX 7700S", "gfx1102"),
        ("AMD Radeon RX 7700 XT", "Radeon RX 7700 XT", "gfx1101"),
        ("Radeon RX 6800S", "Radeon RX 6800S", "gfx1032"),
        ("AMD Radeon RX 6800M", "Radeon RX 6800M", "gfx1031"),
        ("AMD Radeon RX 6800", "Radeon RX 6800", "gfx1030"),
        ("AMD Radeon(TM) 780M", "Radeon 780M", "gfx1103"),
        ("AMD Radeon 780M Graphics", "Radeon 780M", "gfx1103"),
        ("AMD Ryzen 7 7840HS w/ Radeon 780M Graphics", "Radeon 780M", "gfx1103"),
        ("AMD Radeon(TM) 8060S Graphics", "Radeon 8060S", "gfx1151"),
        ("AMD Radeon RX 9060 XT 16 GB", "Radeon RX 9060 XT", "gfx1200"),
        ("AMD Radeon PRO W7800 48GB", "Radeon PRO W7800 48GB", "gfx1100"),
        ("AMD Radeon AI PRO R9700", "Radeon AI PRO R9700", "gfx1201"),
        ("AMD Instinct MI300X OAM", "Instinct MI300X", "gfx942"),
        ("AMD INSTINCT MI250X (MCM) OAM AC MBA", "Instinct MI250X", "gfx90a"),
        ("AMD Radeon RX 580 Series", "Radeon RX 580", "gfx803"),
        ("Radeon RX 580 2048SP", "Radeon RX 580 2048SP", "gfx803"),
        ("AMD Radeon(TM) RX Vega 10 Graphics", "Radeon Vega 10", "gfx902"),
        ("AMD Radeon RX Vega 64", "Radeon RX Vega 64", "gfx900"),
        ("AMD Custom GPU 0405", "Steam Deck (Van Gogh)", "gfx1033"),
    ],
)
def test_card_of_a_name(name, card, target):
    match = TABLE.identify(None, name=name)
    assert (match and match.name, match and match.gfx_target) == (card, target)


@pytest.mark.parametrize(
    "name",
    [
        "AMD Radeon(TM) Graphics",
        "AMD Radeon Graphics",
        "Radeon",
        "AMD",
        "AMD Radeon RX 7600 GRE",  # one word more than a known card: another card
        "AMD Radeon RX 7900 XT X",
        "NVIDIA GeForce GTX 780M",
        "Intel(R) Arc(TM) A770 Graphics",
        "780M",
        "Microsoft Basic Display Adapter",
        "",
    ],
)
def test_a_name_that_says_too_little_is_no_match(name):
    assert TABLE.identify(None, name=name) is None


def test_names_that_several_targets_share_leave_the_target_open():
    match = TABLE.identify(None, name="AMD Radeon 840M Graphics")
    assert match is not None
    assert (match.name, match.gfx_target, match.architecture) == ("Radeon 840M", None, "RDNA3.5")
    gre = TABLE.identify(None, name="AMD Radeon RX 6750 GRE")
    assert gre is not None
    assert set(gre.candidates) == {"Radeon RX 6750 GRE 12GB", "Radeon RX 6750 GRE 10GB"}
    assert gre.gfx_target is None
    both = TABLE.identify(None, name="AMD Instinct MI60 / MI50")
    assert both is not None
    assert both.candidates == ("Instinct MI60", "Instinct MI50")


@pytest.mark.parametrize(
    ("pci_id", "revision", "linux", "windows", "wsl"),
    [
        ("1002:744c", "c8", "official", "official", "official"),
        ("1002:747e", "ff", "official", "official", "wheel"),
        ("1002:7480", "c0", "wheel", "wheel", "wheel"),
        ("1002:73bf", "c1", "wheel", "wheel", "none"),
        ("1002:73a3", "00", "official", "wheel", "none"),
        ("1002:73a1", "00", "official", "none", "none"),
        ("1002:74a1", "00", "official", "none", "none"),
        ("1002:66af", "c1", "wheel", "wheel", "none"),
        ("1002:731f", "c1", "too_old", "too_old", "too_old"),
        ("1002:67df", "e7", "too_old", "too_old", "too_old"),
        ("1002:67b0", "80", "too_old", "too_old", "too_old"),
    ],
)
def test_support_by_system(pci_id, revision, linux, windows, wsl):
    match = TABLE.identify(pci_id, revision)
    assert match is not None
    assert (match.support("linux"), match.support("windows"), match.support("wsl")) == (linux, windows, wsl)


def test_completion_keeps_what_was_measured_and_says_where_the_rest_is_from():
    gpu = Gpu(vendor="amd", pci_id="1002:15bf", pci_revision="dd", gfx_target="gfx1103")
    full = TABLE.complete(gpu, "linux")
    assert (full.name, full.family, full.integrated, full.support) == ("Radeon 780M", "gfx110X-all", True, "official")
    assert Evidence(field="name", source="gpus.toml by revision", value="Radeon 780M") in full.evidence
    assert "gfx_target" not in {note.field for note in full.evidence}
    assert TABLE.complete(full, "linux") == full
    assert TABLE.complete(Gpu(vendor="nvidia", pci_id="10de:2684"), "windows") == Gpu(
        vendor="nvidia", pci_id="10de:2684"
    )


def test_a_measured_target_picks_among_candidates_and_outranks_the_table():
    same_name = TABLE.complete(Gpu(vendor="amd", name="Radeon 840M", gfx_target="gfx1153"), "linux")
    assert (same_name.name, same_name.gfx_target, same_name.family) == ("Radeon 840M", "gfx1153", "gfx115X-igpu")
    other = TABLE.complete(Gpu(vendor="amd", pci_id="1002:1900", pci_revision="01", gfx_target="gfx1102"), "linux")
    assert (other.gfx_target, other.family) == ("gfx1102", "gfx110X-all")
    newer = TABLE.complete(Gpu(vendor="amd", pci_id="1002:744c", pci_revision="c8", gfx_target="gfx1999"), "linux")
    assert (newer.name, newer.gfx_target, newer.family) == ("Radeon RX 7900 XTX", "gfx1999", None)
    unlisted = TABLE.complete(Gpu(vendor="amd", pci_id="1002:ffff", gfx_target="gfx1201"), "linux")
    assert (unlisted.name, unlisted.family, unlisted.architecture) == (None, "gfx120X-all", "RDNA4")


def test_target_alone():
    match = TABLE.for_target("gfx90a:sramecc+:xnack-")
    assert match is not None
    assert (match.name, match.family, match.support("linux"), match.support("windows")) == (
        None,
        "gfx90a-dcgpu",
        "wheel",
        "none",
    )
    assert TABLE.for_target("gfx9999") is None
    assert TABLE.for_target(None) is None


def test_every_row_and_target_is_complete_and_sourced():
    assert len({(row.name, row.gfx_target) for row in TABLE.rows}) == len(TABLE.rows)
    for row in TABLE.rows:
        assert row.source, row.name
        assert row.checked >= "2026-01-01", row.name
        assert row.gfx_target or row.architecture, row.name
        match = TABLE.identify(None, name=f"AMD {row.name}")
        assert match is not None, row.name
        assert row in match.rows, row.name
    for target in TABLE.targets.values():
        assert target.source, target.name
        assert target.too_old != bool(target.wheels), target.name
        assert target.too_old or target.extra == f"device-{target.name}", target.name


def test_every_pci_entry_finds_its_row():
    for row in TABLE.rows:
        for entry in row.pci:
            device, _, revision = entry.partition(":")
            match = TABLE.identify(f"1002:{device}", revision or None)
            assert match is not None
            assert row in match.rows, entry


def test_users_rows_come_first_and_replace():
    user = {
        "block": [
            {
                "series": "RX 7000",
                "gfx_target": "gfx1100",
                "cards": [
                    {"name": "Radeon RX 7900 XTX", "pci": ["744c:c8"], "note": "mine"},
                    {"name": "My board", "pci": ["744c:c8@1da2:e471"]},
                ],
            }
        ]
    }
    table = GpuTable.from_toml(DOCUMENT, user)
    plain = table.identify("1002:744c", "c8")
    assert plain is not None
    assert plain.row is not None
    assert plain.row.note == "mine"
    board = table.identify("1002:744c", "c8", "1DA2:E471")
    assert board is not None
    assert board.name == "My board"


@pytest.mark.parametrize(
    "faulty",
    [
        {"schema": 2},
        {"block": [{"cards": [{"name": "X"}]}]},  # no series
        {"block": [{"series": "X", "cards": [{"name": "X", "pci": ["744g"]}]}]},
        {"block": [{"series": "X", "gfx_target": "gfx4711", "cards": [{"name": "X"}]}]},
        {"block": [{"series": "X", "cards": [{"name": "X", "vram_gb": "much"}]}]},
        {"block": [{"series": "X", "cards": {"name": "X"}}]},
        {"targets": {"gfx1": {}}},
        {"unknown": 1},
    ],
)
def test_a_faulty_table_is_said(faulty):
    with pytest.raises(AppError) as caught:
        GpuTable.from_toml(DOCUMENT, faulty)
    assert caught.value.code == "gpu_table_malformed"
    assert caught.value.facts["reason"]


@given(st.text(max_size=60), st.text(max_size=12), st.text(max_size=4), st.text(max_size=12))
def test_nonsense_is_no_error(name, pci_id, revision, subsystem):
    TABLE.identify(pci_id, revision, subsystem, name)
    TABLE.identify("1002:744c", revision, subsystem, name)
    base_gfx_target(name)


@given(st.integers())
def test_any_version_number_is_a_target_or_none(version):
    target = gfx_from_version(version)
    assert target is None or base_gfx_target(target) == target


@pytest.mark.samples
def test_every_researched_card_is_found_by_id_and_by_name(samples):
    with (samples.parent / "research/gpus.csv").open(encoding="utf-8", newline="") as file:
        researched = list(csv.DictReader(file))
    assert len(researched) >= 86
    for card in researched:
        for group in card["pci_device_ids"].split():
            device, _, revisions = group.partition(":")
            for revision in revisions.split("/"):
                match = TABLE.identify(f"1002:{device}", None if revision == "*" else revision)
                assert match is not None, group
                assert match.gfx_target == card["gfx_target"], group
        for name in printed_names(card["name"]):
            match = TABLE.identify(None, name=name)
            assert match is not None, name
            assert match.gfx_target in {card["gfx_target"], None}, name


def printed_names(title: str) -> list[str]:
    """What systems print for a line of the research: ``Ryzen 6000 (Radeon 680M/660M)`` stands for two names."""
    if title.startswith("Steam Deck"):
        return ["AMD Custom GPU 0405"]
    inner = re.search(r"\((?:Radeon )([^)]*)\)", title)
    parts = re.split(r" ?/ ?", inner.group(1) if inner else re.sub(r" \(.*", "", title))
    words = [re.sub(r"^(AMD |Radeon |Instinct |RX |Pro )*", "", part) for part in parts]
    prefix = "AMD Radeon RX" if "RX" in title else "AMD Radeon"
    return [parts[0]] if len(parts) == 1 and not inner else [f"{prefix} {word}" for word in words if word != "Graphics"]
