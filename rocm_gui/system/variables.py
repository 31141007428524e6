"""Environment variables that change what ROCm, PyTorch and pip do.

On Windows a variable set with ``setx`` or in the system's dialog is in the registry at once and in processes
only after their next start, so both are read; the running process wins.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rocm_gui.core.redact import MASK, mask_secrets

if TYPE_CHECKING:
    from rocm_gui.system.sources import Sources

MATTERS = re.compile(
    r"(?:HSA|HIP|ROCM|ROCR|ROC|AMD|NCCL|RCCL|MIOPEN|ROCBLAS|HIPBLASLT|TENSILE|PYTORCH|TORCH|PIP|UV|CONDA)_\w+"
    r"|(?:HTTP|HTTPS|ALL|NO)_PROXY|OneDrive\w*|CUDA_VISIBLE_DEVICES|GPU_DEVICE_ORDINAL|GPU_MAX_HW_QUEUES"
    r"|PYTHONHOME|PYTHONPATH|VIRTUAL_ENV|LD_LIBRARY_PATH|LD_PRELOAD|HCC_AMDGPU_TARGET"
    r"|REQUESTS_CA_BUNDLE|SSL_CERT_FILE|CURL_CA_BUNDLE",
    re.IGNORECASE,
)
SECRET = re.compile(r"(?:PASSWORD|PASSWD|TOKEN|SECRET|API_?KEY|CREDENTIALS?|USERNAME)(?:_|$)", re.IGNORECASE)
USER_KEY = "Environment"
MACHINE_KEY = "SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment"


def environment(sources: Sources) -> dict[str, str]:
    """All variables: of this process, and on Windows those of the registry that it does not have yet.

    Names are capitals on Windows, where they know no case. Unmasked: for decisions, not for reports.
    """
    if not sources.windows:
        return dict(sources.environ)
    merged: dict[str, str] = {}
    if sources.registry is not None:
        machine = sources.registry.values("HKLM", MACHINE_KEY)
        user = sources.registry.values("HKCU", USER_KEY)
        for values in (machine or {}, user or {}):
            merged |= {name.upper(): data for name, (data, _) in values.items() if isinstance(data, str)}
    merged |= {name.upper(): value for name, value in sources.environ.items()}
    return merged


def read_variables(sources: Sources) -> dict[str, str]:
    """The variables that matter, sorted by name; passwords, tokens and credentials in URLs are masked."""
    return {
        name: MASK if SECRET.search(name) and value else mask_secrets(value)
        for name, value in sorted(environment(sources).items())
        if MATTERS.fullmatch(name)
    }
