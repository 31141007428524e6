"""What goes into the frozen program, and the licences that go with it."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest

INSTALLER = Path(__file__).resolve().parents[2] / "installer"
sys.path.insert(0, str(INSTALLER))

import bundle  # noqa: E402
import notices  # noqa: E402


@pytest.mark.parametrize(
    "name",
    [
        "PySide6/Qt/lib/libQt6Widgets.so.6",
        "PySide6/Qt6Gui.dll",
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6\\plugins\\platforms\\qwindows.dll",
        "PySide6/plugins/styles/qmodernwindowsstyle.dll",
        "PySide6/Qt/plugins/tls/libqcertonlybackend.so",
        "PySide6/Qt/translations/qtbase_zh_CN.qm",
        "resources/i18n/rocm_gui_zh_CN.qm",
        "libxcb-cursor.so.0",
        "libssl.so.3",
        "libpython3.11.so.1.0",
        "msgspec/_core.cpython-311-x86_64-linux-gnu.so",
        "workers/_emit.py",
    ],
)
def test_what_the_program_needs_is_taken(name):
    assert bundle.is_wanted(name)


@pytest.mark.parametrize(
    "name",
    [
        "PySide6/Qt/lib/libQt6Qml.so.6",
        "PySide6\\Qt6Quick.dll",
        "PySide6/opengl32sw.dll",
        "libQt6EglFSDeviceIntegration.so.6",
        "PySide6/Qt/plugins/platforms/libqeglfs.so",
        "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
        "PySide6\\plugins\\imageformats\\qwebp.dll",
        "PySide6/Qt/translations/qtbase_de.qm",
        "libstdc++.so.6",
        "libX11.so.6",
        "libglib-2.0.so.0",
        "libgdk_pixbuf-2.0.so.0",
        "libpangocairo-1.0.so.0",
        "libcairo-gobject.so.2",
    ],
)
def test_what_it_never_loads_or_the_desktop_must_bring_stays_out(name):
    assert not bundle.is_wanted(name)


def test_an_icon_holds_every_size():
    data = bundle.pack_icon({16: b"small", 256: b"large one"})
    assert struct.unpack_from("<HHH", data) == (0, 1, 2)
    first = struct.unpack_from("<BBBBHHII", data, 6)
    second = struct.unpack_from("<BBBBHHII", data, 22)
    assert (first[0], second[0]) == (16, 0)  # 0 stands for 256
    assert data[first[7] : first[7] + first[6]] == b"small"
    assert data[second[7] : second[7] + second[6]] == b"large one"


def test_each_bundled_package_brings_its_licence(tmp_path):
    names = notices.write_notices(tmp_path / "licenses", ["msgspec.json", "requests", "psutil/_common.so", "os"])
    assert {"msgspec", "requests", "psutil"} <= set(names)
    index = (tmp_path / "licenses" / "INDEX.txt").read_text(encoding="utf-8")
    assert "msgspec" in index
    assert "Python" in index
    assert any((tmp_path / "licenses" / "msgspec").rglob("LICENSE*"))
    assert (tmp_path / "licenses" / "rocm_gui-LICENSE.txt").is_file()


def test_a_package_without_a_licence_stops_the_build(tmp_path, monkeypatch):
    monkeypatch.setattr(notices, "_copy_licences", lambda *_: 0)
    with pytest.raises(notices.LicenceMissingError):
        notices.write_notices(tmp_path / "licenses", ["msgspec"])
