from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocm_gui.core.redact import mask_secrets


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("http://user:pa55@proxy.example:8080/x", "http://***@proxy.example:8080/x"),
        ("socks5h://user:p@ss@proxy:1080", "socks5h://***@proxy:1080"),
        ("https://tok3n@example.com/simple/", "https://***@example.com/simple/"),
        ("--index-url https://__token__:abc@host/simple torch", "--index-url https://***@host/simple torch"),
        ("https://host/whl/torch.whl?X-Amz-Signature=abcdef&x=1", "https://host/whl/torch.whl?X-Amz-Signature=***&x=1"),
        ("GET /?token=abc HTTP/1.1", "GET /?token=*** HTTP/1.1"),
        ("PASSWORD: hunter2, ok", "PASSWORD: ***, ok"),
        ("{'api_key': 'abc'}", "{'api_key': '***'}"),
        ("Authorization: Bearer abc.def", "Authorization: Bearer ***"),
        ("proxy-authorization: Basic dXNlcjpwdw==", "proxy-authorization: Basic ***"),
        ("use ghp_abcdefghijklmnopqrstuvwxyz0123456789", "use ***"),
    ],
)
def test_secrets_are_masked(text: str, masked: str) -> None:
    assert mask_secrets(text) == masked


@pytest.mark.parametrize(
    "text",
    [
        "https://repo.radeon.com/rocm/manylinux/rocm-rel-7.2/torch-2.9.1%2Brocm7.2.0-cp312.whl",
        "pkg @ https://host/a@b.whl",
        "mail me: someone@example.com",
        "tokenizers 0.22.1 installed; 151 tokens a second",
        "C:\\Users\\me\\rocm: done",
        "file:///home/me/wheels/torch.whl",
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert mask_secrets(text) == text


@given(st.text(alphabet="ab:/@=?&. token", max_size=80))
def test_masking_twice_changes_nothing_more(text: str) -> None:
    once = mask_secrets(text)
    assert mask_secrets(once) == once
