"""What goes into the frozen folder and what stays out, and what Windows shows of the programs."""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

from rocm_gui import __version__

if TYPE_CHECKING:
    from pathlib import Path

    from PyInstaller.utils.win32.versioninfo import VSVersionInfo

TITLE = "ROCm GUI"
ICON_SIZES = (16, 24, 32, 48, 64, 128, 256)

# Brought along by plugins that this program never loads, or by hooks that copy whole folders.
_UNWANTED = re.compile(
    r"(?:^|/)(?:lib)?Qt6?(?:Qml|Quick|VirtualKeyboard|3D|WebEngine|Pdf|Multimedia|Designer|Help|Test|Sql|PrintSupport"
    r"|OpenGL|Labs|Charts|Graphs|EglFS)\w*(?:\.|$)"
    r"|(?:^|/)plugins/(?:platforminputcontexts/.*virtualkeyboard|qmltooling|sqldrivers|designer|printsupport|generic"
    r"|egldeviceintegrations|networkinformation|tls/.*openssl)"
    r"|(?:^|/)plugins/platforms/(?:lib)?q(?:eglfs|linuxfb|vnc|minimalegl|vkkhrdisplay|direct2d)"
    r"|(?:^|/)plugins/imageformats/(?:lib)?q(?:gif|icns|pdf|tga|tiff|wbmp|webp)\."
    r"|(?:^|/)opengl32sw\.dll$|(?:^|/)d3dcompiler_\d+\.dll$"
    r"|(?:^|/)translations/(?!qtbase_zh_CN\.qm$)\w+\.qm$"
    r"|(?:^|/)plugins/(?:platformthemes/libqgtk3|wayland-graphics-integration-server|egldeviceintegrations)"
    # Libraries of the desktop itself. The graphics driver and the theme load the system's copies of these, and two
    # copies in one process do not mix: https://github.com/AppImageCommunity/pkg2appimage/blob/master/excludelist
    r"|^(?:libstdc\+\+|libgcc_s|libGL|libEGL|libGLX|libGLdispatch|libOpenGL|libgbm|libdrm|libX11|libX11-xcb|libxcb"
    r"|libXext|libXrender|libXau|libXdmcp|libwayland-\w+|libfontconfig|libfreetype|libexpat|libz|libharfbuzz|libgraphite2"
    r"|libbrotli\w+|libpng16|libfribidi|libthai|libdatrie|libatk-[\w.]+|libcairo[\w-]*|libpango[\w-]*[\d.]*|libpixman-1"
    r"|libgtk-\w+|libgdk\w*[\w.-]*|libglib-[\d.]+|libgio-[\d.]+|libgobject-[\d.]+|libgmodule-[\d.]+|libgthread-[\d.]+"
    r"|libdbus-1|libsystemd|libcap|libgcrypt|libgpg-error|libselinux|libmount|libblkid|libpcre2-8|libbsd|libmd)\.so"
)


def is_wanted(name: str) -> bool:
    """Whether the file that would stand at ``name`` below ``_internal`` is needed."""
    return _UNWANTED.search(name.replace("\\", "/")) is None


def version_resource(name: str) -> VSVersionInfo:
    """What Explorer shows under Properties, Details."""
    from PyInstaller.utils.win32.versioninfo import (
        FixedFileInfo,
        StringFileInfo,
        StringStruct,
        StringTable,
        VarFileInfo,
        VarStruct,
        VSVersionInfo,
    )

    numbers = [int(part) for part in re.findall(r"\d+", __version__)[:4]]
    quad = (*numbers, *[0] * (4 - len(numbers)))
    strings = {
        "FileDescription": TITLE,
        "FileVersion": __version__,
        "InternalName": name,
        "LegalCopyright": "MIT licence",
        "OriginalFilename": f"{name}.exe",
        "ProductName": TITLE,
        "ProductVersion": __version__,
    }
    table = StringTable("040904B0", [StringStruct(key, value) for key, value in strings.items()])
    return VSVersionInfo(
        ffi=FixedFileInfo(filevers=quad, prodvers=quad, mask=0x3F, flags=0, OS=0x40004, fileType=1, subtype=0),
        kids=[StringFileInfo([table]), VarFileInfo([VarStruct("Translation", [0x0409, 1200])])],
    )


def program_icon(svg: Path, folder: Path) -> str:
    """An ``.ico`` drawn from the product's ``svg``, one picture a size; returns its path."""
    from PySide6.QtCore import QBuffer, QByteArray, QRectF, Qt
    from PySide6.QtGui import QColor, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    drawing = svg.read_text(encoding="utf-8").replace("currentColor", "#FFFFFF")
    renderer = QSvgRenderer(QByteArray(drawing.encode()))
    pictures: list[bytes] = []
    for size in ICON_SIZES:
        image = QImage(size, size, QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor("#0F6E66"))  # the accent of the light theme
        painter.drawRoundedRect(QRectF(0, 0, size, size), size * 0.2, size * 0.2)
        renderer.render(painter, QRectF(size * 0.08, size * 0.08, size * 0.84, size * 0.84))
        painter.end()
        data = QByteArray()
        buffer = QBuffer(data)
        buffer.open(QBuffer.OpenModeFlag.WriteOnly)
        image.save(buffer, "PNG")  # pyright: ignore[reportCallIssue, reportArgumentType]  # takes no bytes
        pictures.append(bytes(data.data()))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "rocm-gui.ico"
    path.write_bytes(pack_icon(dict(zip(ICON_SIZES, pictures, strict=True))))
    return str(path)


def pack_icon(pictures: dict[int, bytes]) -> bytes:
    """The bytes of an ``.ico`` file with PNG pictures, by their size in pixels.

    https://learn.microsoft.com/previous-versions/ms997538(v=msdn.10)
    """
    head = struct.pack("<HHH", 0, 1, len(pictures))
    offset = len(head) + 16 * len(pictures)
    entries = b""
    for size, picture in pictures.items():
        entries += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(picture), offset)
        offset += len(picture)
    return head + entries + b"".join(pictures.values())
