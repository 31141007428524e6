"""Hardware: a card for each GPU with its evidence, the computer, checks in groups, looking again."""

from __future__ import annotations

import threading

import msgspec
import pytest
from clipping import clipped

from rocm_gui.core.errors import AppError
from rocm_gui.core.model import Evidence, Gpu, Machine
from rocm_gui.system.machine_file import read_machine, simulated_machine, write_machine
from rocm_gui.system.paths import default_paths

pytestmark = pytest.mark.qt


def machine_of(name: str) -> Machine:
    return read_machine(simulated_machine(default_paths().resources, name))


@pytest.fixture
def open_page(make_gui, qtbot, settle, tmp_path):
    """The page ``hardware`` on a simulated machine, or on the record given."""

    def opened(name="rx7900xtx", *, machine: Machine | None = None, **look):
        file = None
        if machine is not None:
            file = tmp_path / "machine.json"
            write_machine(file, machine)
        gui = make_gui(name, machine=file, **look)
        gui.window.resize(1366, 768)
        gui.window.show()
        wizard = gui.window.page("setup").wizard
        qtbot.waitUntil(lambda: wizard.model.activity == "idle" and wizard.model.diagnosis is not None, timeout=20_000)
        wizard.turn_to("hardware")
        settle()
        return wizard.page("hardware")

    return opened


def facts(card) -> dict[str, str]:
    return {fact.name.text(): fact.value.text() for fact in card._facts._facts if not fact.isHidden()}


def test_an_official_card_with_memory_and_driver(open_page) -> None:
    page = open_page()
    (card,) = page.gpu_cards
    assert card._title.text() == "Radeon RX 7900 XTX"
    assert card._identity.text() == "gfx1100  ·  RDNA3  ·  0000:03:00.0"
    assert card.pill.text() == "Officially supported"
    assert facts(card)["Memory"] == "24.0 GB"
    assert facts(card)["Driver"] == "Radeon 26.8.1 (32.0.31021.1015, 2026-08-12)"
    assert not card.evidence.isVisible()
    assert not page.no_gpu.isVisible()
    assert page.complete


def test_the_computer_itself(open_page) -> None:
    assert facts(open_page().host_card) == {
        "System": "Windows 11 Pro 25H2, build 26200.6584",
        "Processor": "AMD Ryzen 9 7950X 16-Core Processor, 16 cores",
        "Memory": "32.0 GB",
        "Page file": "32.0 GB",
    }


def test_cards_of_one_kind_are_told_once(open_page, settle) -> None:
    page = open_page("8xmi300x")
    (card,) = page.gpu_cards
    assert card._title.text() == "8 × AMD Instinct MI300X"
    assert facts(card)["PCI addresses"].startswith("0000:05:00.0, 0000:26:00.0")
    assert page.sentence.text().startswith("8 AMD GPUs found.")
    assert page.gui.window.status.gpus.whole == "8 × AMD Instinct MI300X"
    assert clipped(page) == []


def test_no_gpu_is_an_ordinary_state(open_page) -> None:
    page = open_page("none")
    assert page.no_gpu.isVisible()
    assert "processor" in page._no_gpu_text.text()
    assert page.sentence.text().startswith("No AMD GPU was found.")
    assert page.complete


@pytest.mark.parametrize(
    ("support", "said"),
    [
        ("official", "Officially supported"),
        ("wheel", "Works, unofficial"),
        ("too_old", "Too old for ROCm"),
        ("none", "No ROCm for it"),
        (None, "Support unknown"),
    ],
)
def test_support_in_words(open_page, support, said) -> None:
    machine = machine_of("rx7900xtx")
    gpu = msgspec.structs.replace(machine.gpus[0], support=support)
    page = open_page(machine=msgspec.structs.replace(machine, gpus=(gpu,)))
    assert page.gpu_cards[0].pill.text() == said


def test_several_candidates_unknown_values_and_their_evidence(open_page, settle) -> None:
    gpu = Gpu(
        vendor="amd",
        candidates=("Radeon RX 6800", "Radeon RX 6800 XT"),
        pci_id="1002:73bf",
        evidence=(
            Evidence(field="pci_id", source="registry 0000\\MatchingDeviceId", value="1002:73bf"),
            Evidence(field="gfx_target", source="gpus.toml", value="gfx1030"),
        ),
    )
    machine = msgspec.structs.replace(machine_of("rx7900xtx"), gpus=(gpu,))
    page = open_page(machine=machine)
    card = page.gpu_cards[0]
    assert card._title.text() == "One of: Radeon RX 6800 / Radeon RX 6800 XT"
    assert facts(card)["Memory"] == facts(card)["Driver"] == facts(card)["gfx target"] == "not known"
    assert card.evidence.isVisible()
    card.evidence.unfold()
    settle()
    assert card._table.itemAtPosition(0, 2).widget().text() == "registry 0000\\MatchingDeviceId"
    assert card._table.itemAtPosition(1, 1).widget().text() == "gfx1030"
    assert clipped(page) == []


def test_passed_checks_fold_together_and_others_stand_open(open_page, settle) -> None:
    page = open_page("none")
    card = page.cards["gpu"]
    assert card.rows["gpu_present"].isVisible()
    assert card.pill.text() == "1 to look at"
    ready = open_page("rx7900xtx").cards["gpu"]
    assert (ready.pill.text(), ready.ready.head.text()) == ("Ready", "5 ready")
    assert ready.rows == {}
    ready.ready.unfold()
    settle()
    assert ready.rows["gpu_present"].isVisible()
    assert clipped(ready) == []
    ready.ready.head.setChecked(False)
    assert ready.rows == {}


def test_check_again_looks_again_and_says_so_after_a_moment(open_page, qtbot, monkeypatch) -> None:
    page = open_page()
    go_on = threading.Event()
    doctor = page.gui.context.doctor
    diagnose = doctor.diagnose
    calls: list[object] = []

    def slow(options=None, only=None):
        calls.append(options)
        go_on.wait(20)
        return diagnose(options, only)

    monkeypatch.setattr(doctor, "diagnose", slow)
    page.again.setFocus()
    page.again.click()
    page.again.click()
    assert not page.busy.isVisible()
    qtbot.waitUntil(page.busy.isVisible, timeout=5000)
    go_on.set()
    qtbot.waitUntil(lambda: page.model.activity == "idle", timeout=20_000)
    qtbot.waitUntil(page.busy.isHidden, timeout=5000)
    assert len(calls) == 1
    assert page.again.hasFocus()


def test_a_look_that_failed_is_a_banner_with_a_way_on(open_page, qtbot, monkeypatch) -> None:
    page = open_page()
    monkeypatch.setattr(page.gui.context.doctor, "diagnose", _refuse)
    page.again.click()
    qtbot.waitUntil(page.banner.isVisible, timeout=10_000)
    assert "routes.toml" in page.banner.text
    monkeypatch.undo()
    page.banner.action.click()
    qtbot.waitUntil(page.banner.isHidden, timeout=20_000)


def _refuse(options=None, only=None):
    raise AppError("file_malformed", path="routes.toml", reason="line 3")


def test_a_route_is_chosen_where_the_check_says_so(open_page, settle) -> None:
    page = open_page("none")
    row = page.cards["gpu"].rows["gpu_present"]
    assert row.action.text() == "See routes"
    row.action.click()
    settle()
    assert page.gui.window.page("setup").wizard.current == "route"


def test_everything_follows_the_language(open_page, settle) -> None:
    page = open_page()
    page.gui.languages.choose("zh_CN")
    settle()
    assert page.cards["gpu"]._title.text() == "显卡"
    page.cards["gpu"].ready.unfold()
    settle()
    assert page.cards["gpu"].rows["gpu_present"]._title.text() == "AMD 显卡"
    assert clipped(page) == []
