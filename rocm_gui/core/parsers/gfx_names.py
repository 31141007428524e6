"""Architecture names in the output of rocminfo, hipInfo and their like."""

from __future__ import annotations

import re

# A name of its own: not the end of "amdgcn-amd-amdhsa--gfx1100", not the start of "gfx9-4-generic".
_NAME = re.compile(r"(?<![\w-])gfx[0-9a-f]{3,4}(?![\w-])")


def gfx_names(output: str) -> tuple[str, ...]:
    """Every architecture that ``output`` names, in the order of first mention."""
    return tuple(dict.fromkeys(_NAME.findall(output)))
