"""Project pages of package indexes."""

from __future__ import annotations

import pytest

from rocm_gui.core.parsers.simple_index import IndexFile, parse_project_page

JSON = "application/vnd.pypi.simple.v1+json"
WHEEL = "torch-2.13.0+cpu-cp312-cp312-win_amd64.whl"


def test_json() -> None:
    body = (
        b'{"meta": {"api-version": "1.1"}, "name": "torch", "files": ['
        b'{"filename": "torch-2.13.0+cpu-cp312-cp312-win_amd64.whl", "url": "x", "hashes": {}, "size": 121634816},'
        b'{"filename": "torch-2.12.0.tar.gz", "url": "x", "hashes": {}, "yanked": "broken"},'
        b'{"filename": "torch-2.11.0.tar.gz", "url": "x", "hashes": {}, "yanked": ""}]}'
    )
    assert parse_project_page(body, JSON) == (
        IndexFile(filename=WHEEL, size=121634816),
        IndexFile(filename="torch-2.12.0.tar.gz", yanked=True),
        IndexFile(filename="torch-2.11.0.tar.gz", yanked=True),
    )


def test_html_as_pytorch_writes_it() -> None:
    body = (
        b"<!DOCTYPE html><html><body><h1>Links for torch</h1>\n"
        b'<a href="/whl/cpu/torch-2.13.0%2Bcpu-cp312-cp312-win_amd64.whl#sha256=ab" data-core-metadata="true">'
        b"torch-2.13.0+cpu-cp312-cp312-win_amd64.whl</a><br/>\n"
        b'<A HREF="torch-2.9.0-cp312-cp312-manylinux_2_28_x86_64.whl" data-yanked="">x</A>'
        b'<a href="../">up</a></body></html>'
    )
    assert parse_project_page(body, "text/html; charset=utf-8") == (
        IndexFile(filename=WHEEL),
        IndexFile(filename="torch-2.9.0-cp312-cp312-manylinux_2_28_x86_64.whl", yanked=True),
    )


@pytest.mark.parametrize(
    ("body", "kind"), [(b"not json", JSON), (b'{"files": 3}', JSON), (b"blocked by policy", "text/plain")]
)
def test_what_is_no_page_is_refused(body: bytes, kind: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_project_page(body, kind)
