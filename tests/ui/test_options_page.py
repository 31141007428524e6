"""The options: judged while they are typed, kept when one goes back."""

from __future__ import annotations

import machines
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from rocm_gui.core.plan_report import size_text

pytestmark = pytest.mark.qt


def typed(stage, text: str):
    page = stage.page("options")
    stage.type(page.folder.line, text)
    return page


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rocm", "rocm is not an absolute path"),
        ("/usr/rocm", "belongs to the system (/usr)"),
        ("/no/such/parent/rocm", "The folder /no/such/parent does not exist"),
    ],
)
def test_a_folder_that_cannot_be_is_told_at_once(stage, text, said):
    page = typed(stage, text)
    stage.wait(lambda: any(said in remark for remark in page.folder.remarks.texts))
    assert not stage.wizard.next_button.isEnabled()


def test_a_folder_with_foreign_files_is_refused_and_an_empty_one_is_not(stage, tmp_path):
    full = tmp_path / "full"
    full.mkdir()
    (full / "thesis.txt").write_text("x")
    page = typed(stage, str(full))
    stage.wait(lambda: any("thesis.txt" in remark for remark in page.folder.remarks.texts))
    assert not page.complete
    (full / "thesis.txt").unlink()
    stage.type(page.folder.line, str(full))
    stage.wait(stage.wizard.next_button.isEnabled)
    assert page.folder.remarks.texts == []


def test_free_space_of_the_folders_drive_is_shown(stage):
    page = stage.to_options()
    free, needed = size_text(300 * 1024**3), size_text(stage.model.choice.route.disk_bytes)
    assert page.folder.space.text() == f"/: {free} free, the setup takes about {needed}."


def test_going_back_loses_nothing(stage):
    page = stage.to_options()
    stage.type(page.torch, "2.12.1")
    page.extras["datasets"].setFocus()
    QTest.keyClick(page.extras["datasets"], Qt.Key.Key_Space)
    stage.click(stage.wizard.back_button)
    assert stage.wizard.current == "route"
    stage.wizard.turn_to("options")
    assert (page.folder.line.text(), page.torch.text()) == (str(stage.target), "2.12.1")
    assert page.extras["datasets"].isChecked()
    assert stage.model.options.extras == ("datasets",)
    assert "2.12.1" in page.torch_remarks.texts[0]  # nobody has verified it


def test_what_was_typed_outlives_the_program(stage):
    page = stage.to_options()
    stage.type(page.torch, "2.12.1")
    stage.model.turned_to("options")
    stage.wait(lambda: not stage.gui.background.busy)
    stage.reopen()
    assert stage.wizard.current == "options"
    assert (stage.model.options.torch_version, stage.model.options.target) == ("2.12.1", str(stage.target))


def test_a_version_that_is_none_is_told(stage):
    page = stage.to_options()
    stage.type(page.torch, "newest")
    assert page.torch_remarks.texts == ["newest is not a version. Write it as 2.13.0."]
    assert not stage.wizard.next_button.isEnabled()


def test_the_settings_are_the_proposals(stage):
    stage.gui.context.change_settings(proxy="http://127.0.0.1:7890", pypi_mirror="tsinghua")
    page = stage.page("options")
    assert page.network.lines["proxy"].placeholderText() == "http://127.0.0.1:7890 (from the settings)"
    assert page.network.mirror.itemText(0) == "tsinghua (from the settings)"
    assert stage.model.effective_options.proxy == "http://127.0.0.1:7890"
    page.more.unfold()
    stage.type(page.network.lines["proxy"], "http://10.0.0.1:8080")
    assert stage.model.effective_options.proxy == "http://10.0.0.1:8080"


def test_a_proxy_that_is_none_is_told(stage):
    page = stage.to_options()
    page.more.unfold()
    stage.type(page.network.lines["proxy"], "my proxy")
    assert page.network.wrong.text().startswith("“my proxy” is no proxy that pip can use.")
    assert not stage.wizard.next_button.isEnabled()
    stage.type(page.network.lines["proxy"], "socks5://10.0.0.1:1080")  # pip has no SOCKS in a fresh environment
    assert "socks5" in page.network.wrong.text()
    stage.type(page.network.lines["proxy"], "http://10.0.0.1:1081")
    assert page.network.wrong.text() == ""


def on_windows(stage):
    stage.use_machine(machines.windows_one_radeon(), "rx7900xtx")
    return stage.page("options")


def test_the_depth_meter_follows_the_keys_on_windows(stage):
    page = on_windows(stage)
    stage.type(page.folder.line, r"C:\rocm")
    assert page.folder.depth_bar.isVisible()
    assert (page.folder.depth_bar.property("state"), page.folder.depth_bar.maximum()) == ("ok", 174)
    assert page.folder.depth_text.text().endswith("of 174 characters: short enough")
    stage.type(page.folder.line, "C:\\" + "deep\\" * 24 + "rocm")
    assert page.folder.depth_bar.property("state") == "bad"
    assert "too deep" in page.folder.depth_text.text()
    assert any("rocBLAS" in remark for remark in page.folder.remarks.texts)
    assert not page.complete


def test_letters_outside_ascii_are_told_on_windows(stage):
    page = on_windows(stage)
    stage.type(page.folder.line, "D:\\")
    page.folder.line.insert("学习")
    page.folder.line.textEdited.emit(page.folder.line.text())
    found = [remark for remark in page.folder.remarks.texts if "outside ASCII" in remark]
    assert found
    assert "--target" not in found[0]


def test_no_depth_on_linux(stage):
    page = stage.to_options()
    assert not page.folder.depth_bar.isVisible()


def test_the_python_of_the_route_is_marked(stage):
    page = on_windows(stage)
    entries = [page.pythons.itemText(row) for row in range(page.pythons.count())]
    assert entries[0] == "Automatic: Python 3.12.10"
    assert entries[1].endswith("python.exe  ·  recommended")
    assert len(entries) == 2  # the Store's placeholder is not offered
    page.pythons.setFocus()
    QTest.keyClick(page.pythons, Qt.Key.Key_Down)
    stage.wait(lambda: stage.model.options.python is not None)
    assert stage.model.options.python.endswith("python.exe")
