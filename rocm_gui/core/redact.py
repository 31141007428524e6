"""Takes passwords and tokens out of text before it is written anywhere."""

from __future__ import annotations

import re

MASK = "***"

# user:password@ of a URL; the user name alone is a token on several package indexes, so it goes as well.
_USERINFO = re.compile(
    r"(?P<scheme>\b[a-z][a-z0-9+.-]*://)(?P<secret>[^\s/?#'\"@]+(?:@[^\s/?#'\"@]+)*)@", re.IGNORECASE
)
_NAMED = re.compile(
    r"(?P<name>(?:[?&;]|\b)(?:[\w-]*(?:token|passw(?:or)?d|pwd|secret|api[_-]?key|access[_-]?key|signature|credential))"
    r"['\"]?\s*[=:]\s*['\"]?)(?P<secret>[^\s&;,'\"]+)",
    re.IGNORECASE,
)
_AUTHORIZATION = re.compile(
    r"(?P<name>\b(?:proxy-)?authorization['\"]?\s*[:=]\s*['\"]?(?:basic|bearer|token|digest)\s+)[^\s,'\"]+",
    re.IGNORECASE,
)
# Tokens that are recognised by themselves: GitHub, Hugging Face, PyPI, GitLab.
_BARE = re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|hf_[A-Za-z0-9]{20,}|pypi-[A-Za-z0-9_-]{20,}|glpat-[\w-]{16,})")


def mask_secrets(text: str) -> str:
    """``text`` with user names and passwords of URLs, tokens and authorization values replaced by ``***``."""
    text = _AUTHORIZATION.sub(rf"\g<name>{MASK}", text)
    text = _USERINFO.sub(rf"\g<scheme>{MASK}@", text)
    text = _NAMED.sub(rf"\g<name>{MASK}", text)
    return _BARE.sub(MASK, text)
