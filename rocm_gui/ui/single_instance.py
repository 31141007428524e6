"""One window a user: a second start raises the first one and ends."""

from __future__ import annotations

import getpass
import hashlib
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

if TYPE_CHECKING:
    from pathlib import Path

CONNECT_MS = 300


class SingleInstance(QObject):
    """Holds the place of the running window for this user and this set of folders."""

    raised = Signal()

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        try:
            user = getpass.getuser()
        except (OSError, KeyError):  # a container's user without a name
            user = ""
        self._name = "rocm_gui-" + hashlib.sha256(f"{user}\0{folder}".encode()).hexdigest()[:16]
        self._server: QLocalServer | None = None

    def another_runs(self) -> bool:
        """Whether a window is open already; if so it is asked to come to the front."""
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if not socket.waitForConnected(CONNECT_MS):
            return False
        socket.write(b"raise\n")
        socket.waitForBytesWritten(CONNECT_MS)
        socket.disconnectFromServer()
        return True

    def take(self) -> bool:
        """Become the running window; a socket left by a crashed one is removed."""
        server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        if not server.listen(self._name):
            QLocalServer.removeServer(self._name)
            if not server.listen(self._name):
                return False
        server.newConnection.connect(self._on_new_connection)
        self._server = server
        return True

    def close(self) -> None:
        """Give the place up."""
        if self._server is not None:
            self._server.close()
            self._server = None

    def _on_new_connection(self) -> None:
        if self._server is None:
            return
        socket = self._server.nextPendingConnection()
        if socket is not None:
            socket.disconnected.connect(socket.deleteLater)
            self.raised.emit()
