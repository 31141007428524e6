"""A package index on the loopback, with small wheels made here, that can be slow, forgetful or faulty on purpose."""

from __future__ import annotations

import base64
import hashlib
import io
import re
import threading
import time
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote, unquote


def make_wheel(name: str, version: str, files: dict[str, bytes], requires: tuple[str, ...] = ()) -> tuple[str, bytes]:
    """The file name and bytes of a sound pure-Python wheel."""
    info = f"{name}-{version}.dist-info"
    metadata = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    metadata += "".join(f"Requires-Dist: {requirement}\n" for requirement in requires)
    members = {
        **files,
        f"{info}/METADATA": metadata.encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},sha256={_b64(data)},{len(data)}\n" for path, data in members.items())
    members[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for path, data in members.items():
            archive.writestr(zipfile.ZipInfo(path, (2026, 1, 1, 0, 0, 0)), data)
    return f"{name}-{version}-py3-none-any.whl", buffer.getvalue()


def _b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


@dataclass
class Index:
    """What the server offers and how it behaves; change it between requests."""

    files: dict[str, bytes] = field(default_factory=dict)
    hashes: bool = True
    metadata: bool = True  # PEP 658
    ranges: bool = True
    etags: bool = True
    etag_suffix: str = ""
    cut_after: list[int] = field(default_factory=list)  # for each of the next answers: bytes, then the line breaks
    corrupt: int = 0  # so many of the next answers have wrong bytes
    status: list[int] = field(default_factory=list)  # for the next answers
    bytes_per_s: float | None = None
    sent: dict[str, int] = field(default_factory=dict)  # body bytes by file name
    requests: list[tuple[str, str, str | None]] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        """Of the server."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def simple(self) -> str:
        """Of the index."""
        return f"{self.url}/simple"

    def add(self, name: str, version: str, files: dict[str, bytes], requires: tuple[str, ...] = ()) -> str:
        """Offer a wheel; returns its URL path."""
        filename, data = make_wheel(name, version, files, requires)
        self.files[filename] = data
        return filename

    def etag(self, name: str) -> str:
        """Of a file."""
        return f'"{hashlib.sha256(self.files[name]).hexdigest()[:16]}{self.etag_suffix}"'


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    index: Index

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._answer(head=True)

    def do_GET(self) -> None:
        self._answer(head=False)

    def _answer(self, *, head: bool) -> None:
        index = self.index
        path = unquote(self.path.split("?")[0])
        index.requests.append((self.command, path, self.headers.get("Range")))
        page = re.fullmatch(r"/simple/([\w.-]+)/?", path)
        if page:
            self._page(page[1].replace("-", "_"), head=head)
        elif path in ("/simple", "/simple/"):
            self._send(200, b"<html></html>", "text/html", head=head)
        elif path.endswith(".metadata") and index.metadata:
            name = path.rsplit("/", 1)[1].removesuffix(".metadata")
            with zipfile.ZipFile(io.BytesIO(index.files[name])) as archive:
                member = next(n for n in archive.namelist() if n.endswith("METADATA"))
                self._send(200, archive.read(member), "text/plain", head=head)
        elif path.startswith("/files/") and path[7:] in index.files:
            self._file(path[7:], head=head)
        else:
            self._send(404, b"", "text/plain", head=head)

    def _page(self, project: str, *, head: bool) -> None:
        links = []
        for name, data in self.index.files.items():
            if name.split("-")[0].lower() == project.lower():
                fragment = f"#sha256={hashlib.sha256(data).hexdigest()}" if self.index.hashes else ""
                extra = ' data-core-metadata="true"' if self.index.metadata else ""
                links.append(f'<a href="/files/{quote(name)}{fragment}"{extra}>{name}</a>')
        code = 200 if links else 404
        self._send(code, f"<html><body>{' '.join(links)}</body></html>".encode(), "text/html", head=head)

    def _file(self, name: str, *, head: bool) -> None:
        index = self.index
        if index.status and not head:
            code = index.status.pop(0)
            if code != 200:
                self._send(code, b"", "text/plain", head=head)
                return
        data, start, code = index.files[name], 0, 200
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        same = self.headers.get("If-Range") in (None, index.etag(name))
        if wanted and index.ranges and same:
            start, code = int(wanted[1]), 206
            if start >= len(data):
                self._send(416, b"", "text/plain", head=head)
                return
        stop = int(wanted[2]) + 1 if code == 206 and wanted[2] else len(data)
        body = data[start:stop]
        self.send_response(code)
        self.send_header("Content-Length", str(len(body)))
        if index.ranges:
            self.send_header("Accept-Ranges", "bytes")
        if index.etags:
            self.send_header("ETag", index.etag(name))
        if code == 206:
            self.send_header("Content-Range", f"bytes {start}-{start + len(body) - 1}/{len(data)}")
        self.end_headers()
        if not head:
            self._body(name, body)

    def _body(self, name: str, body: bytes) -> None:
        index = self.index
        if index.corrupt > 0:
            index.corrupt -= 1
            middle = len(body) // 2
            body = body[:middle] + bytes([body[middle] ^ 0xFF]) + body[middle + 1 :]
        limit = index.cut_after.pop(0) if index.cut_after else len(body)
        step = 16384 if index.bytes_per_s else 1 << 20
        done = 0
        try:
            while done < min(limit, len(body)):
                piece = body[done : min(done + step, limit)]
                # counted first: whoever has read the last byte must find it counted
                index.sent[name] = index.sent.get(name, 0) + len(piece)
                self.wfile.write(piece)
                done += len(piece)
                if index.bytes_per_s:
                    time.sleep(len(piece) / index.bytes_per_s)
        except OSError:
            self.close_connection = True
        if done < len(body):
            self.close_connection = True
            self.connection.close()

    def _send(self, code: int, body: bytes, kind: str, *, head: bool) -> None:
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if not head:
            self.wfile.write(body)


@contextmanager
def serve(index: Index | None = None):
    """Run ``index`` on a free port of the loopback."""
    index = index or Index()
    handler = type("Handler", (_Handler,), {"index": index})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    index.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield index
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
