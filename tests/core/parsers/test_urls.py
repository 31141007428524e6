import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocm_gui.core.parsers.urls import mask_credentials

PART = st.text("abcXYZ019-_.~%!$&'()*+,;=", min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("url", "masked"),
    [
        ("https://me:secret@pypi.example.org/simple", "https://***@pypi.example.org/simple"),
        ("http://token@proxy.example.org:8080", "http://***@proxy.example.org:8080"),
        ("http://me:p@ss@proxy.example.org:8080/", "http://***@proxy.example.org:8080/"),
        ("http://me:pa/ss@proxy.example.org:8080", "http://***@proxy.example.org:8080"),
        ("https://pypi.example.org:8443/simple/@scope", "https://pypi.example.org:8443/simple/@scope"),
        ("file:///C:/Users/a@b/wheels", "file:///C:/Users/a@b/wheels"),
        ("https://a:b@one.example https://c:d@two.example", "https://***@one.example https://***@two.example"),
        ("me@example.org", "me@example.org"),
        ("", ""),
    ],
)
def test_credentials_are_masked_and_nothing_else(url: str, masked: str) -> None:
    assert mask_credentials(url) == masked


@given(PART, PART)
def test_no_password_survives(user: str, password: str) -> None:
    assert (
        mask_credentials(f"https://{user}:{password}@pypi.example.org/simple") == "https://***@pypi.example.org/simple"
    )
