from pathlib import Path

import pytest
from sources_builder import make_sources

from rocm_gui.system.variables import environment, read_variables
from rocm_gui.system.windows.registry import MemoryRegistry

MACHINE = "HKLM\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment"


@pytest.mark.parametrize(
    "name",
    [
        "HSA_OVERRIDE_GFX_VERSION",
        "HIP_VISIBLE_DEVICES",
        "ROCM_PATH",
        "ROCR_VISIBLE_DEVICES",
        "NCCL_DEBUG",
        "RCCL_MSCCL_ENABLE",
        "MIOPEN_FIND_MODE",
        "PYTORCH_ROCM_ARCH",
        "TORCH_BLAS_PREFER_HIPBLASLT",
        "PIP_INDEX_URL",
        "UV_INDEX_URL",
        "https_proxy",
        "ALL_PROXY",
        "OneDrive",
        "OneDriveConsumer",
        "CUDA_VISIBLE_DEVICES",
    ],
)
def test_what_matters(tmp_path: Path, name: str) -> None:
    assert read_variables(make_sources(tmp_path, environ={name: "1"})) == {name: "1"}


@pytest.mark.parametrize("name", ["HOME", "PATH", "HIP", "MY_HSA_X", "PIPELINE", "UVX", "TORCHLIGHT", "AWS_SECRET"])
def test_what_does_not(tmp_path: Path, name: str) -> None:
    assert read_variables(make_sources(tmp_path, environ={name: "1"})) == {}


def test_secrets_are_masked(tmp_path: Path) -> None:
    environ = {
        "HTTPS_PROXY": "http://me:secret@proxy.example:8080",
        "UV_INDEX_MINE_PASSWORD": "secret",
        "UV_PUBLISH_TOKEN": "secret",
        "PIP_EXTRA_INDEX_URL": "https://a:secret@x.example https://y.example",
        "PIP_KEYRING_PROVIDER": "auto",
    }
    found = read_variables(make_sources(tmp_path, environ=environ))
    assert "secret" not in str(found)
    assert found["HTTPS_PROXY"] == "http://***@proxy.example:8080"
    assert found["UV_PUBLISH_TOKEN"] == "***"
    assert found["PIP_KEYRING_PROVIDER"] == "auto"


def test_windows_registry_counts_and_the_process_wins(tmp_path: Path) -> None:
    registry = MemoryRegistry(
        {
            "HKCU\\Environment": {"HSA_OVERRIDE_GFX_VERSION": "11.0.0", "HIP_PATH": "C:\\user", "Path": "C:\\x"},
            MACHINE: {"HIP_PATH": "C:\\machine", "ROCM_PATH": "%ProgramFiles%\\AMD\\ROCm", "NUMBER_OF_PROCESSORS": 16},
        }
    )
    environ = {"Hip_Visible_Devices": "1", "ROCM_PATH": "C:\\process"}
    sources = make_sources(tmp_path, platform="win32", registry=registry, environ=environ)
    assert read_variables(sources) == {
        "HIP_PATH": "C:\\user",
        "HIP_VISIBLE_DEVICES": "1",
        "HSA_OVERRIDE_GFX_VERSION": "11.0.0",
        "ROCM_PATH": "C:\\process",
    }
    assert environment(sources)["PATH"] == "C:\\x"


def test_names_keep_their_case_on_linux(tmp_path: Path) -> None:
    environ = {"http_proxy": "http://a:1", "HTTP_PROXY": "http://b:2"}
    assert read_variables(make_sources(tmp_path, environ=environ)) == environ
