"""What a step says of a server that does not answer."""

from __future__ import annotations

import socket

from rocm_gui.services.download import Network
from rocm_gui.services.setup_tools import reach


def test_a_refused_connection_is_told_in_the_system_s_words() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    said = reach(f"http://127.0.0.1:{port}/simple/", Network())
    assert said is not None
    assert "refused" in said
    assert "Max retries" not in said
    assert "object at" not in said
