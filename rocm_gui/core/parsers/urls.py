"""User names and passwords in URLs."""

from __future__ import annotations

import re

# The first form ends at the last @ before the path. The second is for a password with a slash in it that
# somebody forgot to quote; digits alone after the colon are a port.
_CREDENTIALS = re.compile(r"(?<=://)(?:[^/\s]+@|[^/\s:@]*:(?!\d*(?:/|$))\S*@)")


def mask_credentials(text: str) -> str:
    """``text`` with what stands between ``://`` and ``@`` of every URL replaced by ``***``."""
    return _CREDENTIALS.sub("***@", text)
