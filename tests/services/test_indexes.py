"""Choosing a source, against real HTTP servers on the loopback."""

from __future__ import annotations

import http.server
import json
import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import msgspec
import pytest

from rocm_gui.core.errors import AppError
from rocm_gui.core.model import SetupOptions
from rocm_gui.core.routes import Route, Source, TorchPair
from rocm_gui.core.sources import Wanted
from rocm_gui.services.indexes import HttpIndex, NoAnswerError, Question, choose_source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

JSON = "application/vnd.pypi.simple.v1+json"
PAIRS = (TorchPair(torch="2.14", torchvision="0.29", torchaudio="2.11"),)
TRIO = ("torch==2.13.0", "torchvision==0.28.0", "torchaudio==2.11.0")


class Server(http.server.ThreadingHTTPServer):
    """Answers from a table: path -> (status, type, body); "hold" keeps the caller waiting."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages: dict[str, tuple[int, str, bytes]] = {}
        self.asked: list[str] = []
        self.release = threading.Event()
        self.url = f"http://127.0.0.1:{self.server_port}"


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        server = self.server
        assert isinstance(server, Server)
        server.asked.append(self.path)
        if self.path.startswith("/hold"):
            server.release.wait(20)
            return
        status, kind, body = server.pages.get(self.path, (404, "text/plain", b"no"))
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def do_HEAD(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.release.set()
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    with served() as one:
        yield one


def page(*names: str, size: int | None = None) -> tuple[int, str, bytes]:
    files = [{"filename": name, "url": name, "hashes": {}, **({"size": size} if size else {})} for name in names]
    return 200, JSON, json.dumps({"meta": {}, "name": "torch", "files": files}).encode()


def wheel(version: str, python: str = "cp312", platform: str = "manylinux_2_28_x86_64") -> str:
    return f"torch-{version}-{python}-{python}-{platform}.whl"


def route(*sources: Source) -> Route:
    return Route(
        id="r",
        title={"en": "r"},
        summary={"en": "r"},
        kind="cpu",
        os=("linux",),
        torch_version="2.13.0",
        sources=sources,
    )


def source(name: str, url: str, *requirements: str, **changes: object) -> Source:
    one = Source(id=name, kind="index", url=url, requirements=requirements or TRIO)
    return msgspec.structs.replace(one, **changes)


USER = Source(id="user-pip", kind="user_pip", requirements=("torch==2.13.0",))
QUESTION = Question(wanted=Wanted(python="3.12", windows=False), options=SetupOptions(), pairs=PAIRS)
INDEX = HttpIndex(timeout_s=2.0)


def asking(**options: object) -> Question:
    return msgspec.structs.replace(QUESTION, options=SetupOptions(**options))  # type: ignore[arg-type]


def codes(choice: object) -> list[str]:
    return [notice.code for notice in choice.notices]  # type: ignore[attr-defined]


def test_the_first_that_answers_and_has_it(server: Server) -> None:
    server.pages["/a/torch/"] = page(wheel("2.13.0+cpu"), wheel("2.14.0+cpu"), size=191794682)
    choice = choose_source(route(source("a", server.url + "/a"), USER), QUESTION, INDEX)
    assert choice.source.id == "a"
    assert choice.requirements == TRIO
    assert choice.verified
    assert choice.answered
    assert choice.torch_bytes == 191794682
    assert codes(choice) == ["source_used"]
    assert choice.notices[0].facts == {"source": "a", "url": server.url + "/a", "version": "2.13.0+cpu"}


def test_an_html_page_will_do(server: Server) -> None:
    body = f'<a href="/x/{wheel("2.13.0+cpu").replace("+", "%2B")}#sha256=0">x</a>'.encode()
    server.pages["/a/torch/"] = (200, "text/html", body)
    assert choose_source(route(source("a", server.url + "/a/")), QUESTION, INDEX).requirements == TRIO


def test_a_closed_port_is_passed_over(server: Server) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        server.pages["/b/torch/"] = page(wheel("2.13.0"))
        choice = choose_source(route(source("a", url), source("b", server.url + "/b")), QUESTION, INDEX)
    assert choice.source.id == "b"
    assert codes(choice) == ["source_unreachable", "source_used"]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ((503, "text/plain", b""), "source_http"),
        ((200, JSON, b"{"), "source_malformed"),
        ((200, "text/plain", b"blocked by policy"), "source_malformed"),
        ((404, "text/plain", b""), "source_no_wheel"),
        (page(wheel("2.13.0", python="cp311")), "source_no_wheel"),
        (page(wheel("2.13.0", platform="win_amd64")), "source_no_wheel"),
    ],
)
def test_the_users_pip_comes_next_and_the_reason_is_told(
    server: Server, answer: tuple[int, str, bytes], code: str
) -> None:
    server.pages["/a/torch/"] = answer
    choice = choose_source(route(source("a", server.url + "/a"), USER), QUESTION, INDEX)
    assert choice.source.id == "user-pip"
    assert choice.url is None
    assert choice.requirements == ("torch==2.13.0",)
    assert codes(choice) == [code, "source_user_pip"]


def test_a_silent_server_costs_no_more_than_the_limit(server: Server) -> None:
    index = HttpIndex(timeout_s=0.3)
    choice = choose_source(route(source("a", server.url + "/hold"), USER), QUESTION, index)
    assert codes(choice) == ["source_timeout", "source_user_pip"]


def test_a_version_that_is_gone_is_replaced_by_the_newest_and_called_unverified(server: Server) -> None:
    server.pages["/a/torch/"] = page(wheel("2.12.0"), wheel("2.14.0"), wheel("2.15.0a0"))
    choice = choose_source(route(source("a", server.url + "/a"), USER), QUESTION, INDEX)
    assert not choice.verified
    assert choice.requirements == ("torch==2.14.0", "torchvision==0.29.*", "torchaudio==2.11.*")
    assert codes(choice) == ["source_used", "version_gone"]
    assert choice.notices[1].facts == {"pinned": "2.13.0", "offered": "2.14.0"}


def test_without_a_pin_the_index_decides(server: Server) -> None:
    server.pages["/a/torch/"] = page(wheel("2.14.0"), wheel("2.15.0a0+rocm10.2.0a20261130"))
    nightly = source("a", server.url + "/a", "torch{device}", "torchaudio", pre=True)
    question = msgspec.structs.replace(QUESTION, gfx_targets=("gfx1100",))
    choice = choose_source(route(nightly), question, INDEX)
    assert choice.requirements == ("torch[device-gfx1100]", "torchaudio")
    assert codes(choice) == ["source_used", "version_from_index"]
    assert choice.notices[1].facts == {"version": "2.15.0a0+rocm10.2.0a20261130"}


def test_a_chosen_version_is_looked_for(server: Server) -> None:
    server.pages["/a/torch/"] = page(wheel("2.14.0+cpu"), wheel("2.13.0+cpu"))
    choice = choose_source(route(source("a", server.url + "/a")), asking(torch_version="2.14.0"), INDEX)
    assert choice.requirements[0] == "torch==2.14.0"
    assert codes(choice) == ["source_used", "torch_unverified"]
    with pytest.raises(AppError) as caught:
        choose_source(route(source("a", server.url + "/a")), asking(torch_version="9.9"), INDEX)
    assert caught.value.code == "torch_version_absent"
    assert caught.value.facts["available"] == "2.14.0+cpu, 2.13.0+cpu"


def test_a_url_of_the_person_stands_alone(server: Server) -> None:
    server.pages["/mine/torch/"] = page(wheel("2.13.0"))
    offered = route(source("a", server.url + "/a"), USER)
    choice = choose_source(offered, asking(index_url=server.url + "/mine/"), INDEX)
    assert (choice.source.id, choice.url) == ("custom", server.url + "/mine/")
    assert server.asked == ["/mine/torch/"]


def test_no_wheel_anywhere_is_an_error(server: Server) -> None:
    with pytest.raises(AppError) as caught:
        choose_source(route(source("a", server.url + "/a")), QUESTION, INDEX)
    assert caught.value.code == "no_wheel"
    assert caught.value.facts["python"] == "3.12"


def test_without_any_answer_the_first_is_planned_and_that_is_said(server: Server) -> None:
    server.pages["/a/torch/"] = (500, "text/plain", b"")
    choice = choose_source(route(source("a", server.url + "/a")), QUESTION, INDEX)
    assert choice.answered is False
    assert choice.url == server.url + "/a"
    assert codes(choice) == ["source_http", "index_unreachable"]


def test_files_are_asked_for_by_their_head(server: Server) -> None:
    name = wheel("2.13.0+rocm7.2.1").replace("+", "%2B")
    server.pages[f"/f/{name}"] = (200, "application/zip", b"x" * 1234)
    files = Source(id="f", kind="files", url=server.url + "/f/", requirements=(f"{server.url}/f/{name}",))
    choice = choose_source(route(files), QUESTION, INDEX)
    assert choice.torch_bytes == 1234
    assert choice.requirements == files.requirements


def test_files_can_come_from_a_copy_of_their_server(server: Server) -> None:
    name = wheel("2.13.0+rocm7.2.1").replace("+", "%2B")
    server.pages[f"/copy/{name}"] = (200, "application/zip", b"x")
    files = Source(id="f", kind="files", url="https://far.example/f/", requirements=(f"https://far.example/f/{name}",))
    choice = choose_source(route(files), asking(index_url=server.url + "/copy"), INDEX)
    assert choice.requirements == (f"{server.url}/copy/{name}",)


def test_the_proxy_is_used(server: Server) -> None:
    server.pages["http://far.example/simple/torch/"] = page(wheel("2.13.0"))
    index = HttpIndex(proxy=server.url, timeout_s=2.0)
    choice = choose_source(route(source("a", "http://far.example/simple")), QUESTION, index)
    assert choice.answered
    assert server.asked == ["http://far.example/simple/torch/"]


def test_a_proxy_that_is_not_there_is_named_without_its_password(server: Server) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        index = HttpIndex(proxy=f"http://amy:secret@127.0.0.1:{closed.getsockname()[1]}", timeout_s=2.0)
        choice = choose_source(route(source("a", "http://far.example/simple"), USER), QUESTION, index)
    assert codes(choice)[0] == "source_proxy"
    assert "secret" not in str(choice.notices[0].facts)


def test_a_missing_certificate_file_is_named(tmp_path: Path) -> None:
    index = HttpIndex(certificate=str(tmp_path / "none.pem"), timeout_s=2.0)
    with pytest.raises(NoAnswerError) as caught:
        index.project("https://127.0.0.1:9/simple", "torch")
    assert caught.value.code == "certificate"


def test_a_folder_on_this_machine_is_an_index(tmp_path: Path) -> None:
    project = tmp_path / "simple" / "torch"
    project.mkdir(parents=True)
    (project / wheel("2.13.0+cpu")).write_bytes(b"12345")
    url = (tmp_path / "simple").as_uri()
    choice = choose_source(route(source("a", url)), QUESTION, INDEX)
    assert choice.torch_bytes == 5
    (project / "index.html").write_text(f'<a href="{wheel("2.14.0")}">x</a>', encoding="utf-8")
    assert "version_gone" in codes(choose_source(route(source("a", url)), QUESTION, INDEX))
