"""The one handler of Qt's own messages: known platform remarks go to the log, everything else to stderr too."""

from __future__ import annotations

import logging
import re
import sys

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

_LOG = logging.getLogger("rocm_gui.qt")

# Remarks of platform plugins about the machine, not about this program. Each with the reason why it may be ignored.
ALLOWED = (
    r"This plugin does not support (propagateSizeHints|raise|setting window opacity|grabbing)",  # offscreen, minimal
    r"QStandardPaths: (XDG_RUNTIME_DIR not set|wrong permissions on runtime directory)",  # a service account's session
    r"qt\.qpa\.plugin: Could not find the Qt platform plugin \"wayland\"",  # Qt then takes xcb by itself
    r"Could not register app ID: App info not found",  # started without its .desktop file: portals are optional
    r"QWindowsWindow::setGeometry: Unable to set geometry",  # Windows moved the window onto its screen
    r"Failed to create wl_display",  # as above, Wayland socket absent
    r"PerMonitorVersion2 is not supported by current system",  # Windows before 1703, Wine: Qt scales by itself
    r"EnableNonClientDpiScaling\(\) failed for HWND",  # as above: frames keep the system's size
)
_ALLOWED = re.compile("|".join(ALLOWED))

_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def is_allowed(message: str) -> bool:
    """Whether ``message`` is a known remark of a platform plugin."""
    return _ALLOWED.search(message) is not None


def _handle(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    del context
    level = _LEVELS.get(kind, logging.WARNING)
    _LOG.log(level, "%s", message)
    if level >= logging.WARNING and not is_allowed(message) and sys.stderr is not None:
        sys.stderr.write(f"Qt: {message}\n")


def install_message_filter() -> None:
    """Send every message of Qt through the handler."""
    qInstallMessageHandler(_handle)
