"""What is known of a machine. None always means "not known" or "not available", never zero or false."""

from __future__ import annotations

from typing import Literal

import msgspec

Vendor = Literal["amd", "nvidia", "intel", "other"]


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """Where one field of a record was read: for the person who doubts it."""

    field: str
    source: str  # for example "registry 0001\\DriverDesc", "/sys/class/drm/card1/device/uevent", "gpus.toml"
    value: str


class Gpu(msgspec.Struct, frozen=True, kw_only=True):
    """A display adapter or accelerator."""

    name: str | None = None  # marketing name; None where several cards share the id
    candidates: tuple[str, ...] = ()  # the marketing names that share the id, where there are several
    vendor: Vendor = "other"
    pci_id: str | None = None  # "1002:744c", lower case
    pci_revision: str | None = None  # "c8"
    pci_subsystem: str | None = None  # "1da2:e409"
    pci_address: str | None = None  # "0000:03:00.0"
    gfx_target: str | None = None  # "gfx1100"
    family: str | None = None  # wheel build family, "gfx110X-all"
    series: str | None = None  # "RX 7000"
    architecture: str | None = None  # "RDNA3"
    support: Literal["official", "wheel", "too_old", "none"] | None = None  # on this system; see gpus.toml
    integrated: bool | None = None
    vram_bytes: int | None = None
    shared_memory_bytes: int | None = None  # system memory that the GPU may use (GTT; Windows' shared GPU memory)
    driver: str | None = None  # "amdgpu", "Radeon"; None where no driver is bound
    driver_version: str | None = None  # kernel module or WDDM version, "32.0.21043.12001"
    driver_release: str | None = None  # the marketing version, "26.8.1" (Adrenalin)
    driver_date: str | None = None  # ISO date
    drives_display: bool | None = None  # a monitor is plugged into it
    device_problem: int | None = None  # Windows: Configuration Manager code; 0 works, 22 disabled, 43 failed
    partitions: int | None = None  # KFD nodes of the same device (CPX and such)
    evidence: tuple[Evidence, ...] = ()


class Host(msgspec.Struct, frozen=True, kw_only=True):
    """The operating system and the computer."""

    os: Literal["windows", "linux", "other"]
    os_name: str | None = None  # "Windows 11 Pro", "Ubuntu 24.04.2 LTS"
    os_build: int | None = None  # Windows: 26200
    os_update: int | None = None  # Windows: UBR
    os_release: str | None = None  # Windows: "25H2"; Linux: VERSION_ID
    edition: str | None = None  # Windows: "Professional"
    distribution: str | None = None  # Linux: os-release ID, "ubuntu"
    kernel: str | None = None
    wsl: bool | None = None
    container: bool | None = None
    architecture: str | None = None  # "x86_64"
    cpu_name: str | None = None
    physical_cores: int | None = None
    logical_cores: int | None = None
    ram_bytes: int | None = None  # what the system can use
    ram_installed_bytes: int | None = None
    page_file_bytes: int | None = None  # page file or swap, total
    commit_limit_bytes: int | None = None
    long_paths: bool | None = None
    developer_mode: bool | None = None
    smart_app_control: Literal["off", "on", "evaluation"] | None = None
    user_is_admin: bool | None = None
    groups: tuple[str, ...] | None = None  # Linux: of the running process
    home: str | None = None
    language: str | None = None  # "zh_CN"
    code_page: str | None = None  # Windows: "cp936"; Linux: locale encoding
    on_battery: bool | None = None


class Volume(msgspec.Struct, frozen=True, kw_only=True):
    """The drive behind a folder that matters."""

    purpose: Literal["target", "temp", "pip_cache", "home"]
    path: str  # the folder asked about
    mount: str | None = None  # nearest existing parent's drive or mount point
    free_bytes: int | None = None  # for this user
    total_bytes: int | None = None
    filesystem: str | None = None  # "NTFS", "ext4", "FAT32", ...
    solid_state: bool | None = None
    network: bool | None = None
    removable: bool | None = None
    onedrive: bool | None = None
    writable: bool | None = None


class PythonInstall(msgspec.Struct, frozen=True, kw_only=True):
    """A Python interpreter, offered or not."""

    path: str
    version: str | None = None  # "3.12.7"
    kind: Literal["python.org", "system", "venv", "uv", "conda", "pyenv", "store", "store_alias", "other"] = "other"
    bits: int | None = None
    prefix: str | None = None
    base_prefix: str | None = None
    has_venv: bool | None = None  # the modules venv and ensurepip are there
    usable: bool = False  # may be offered as the base of a new environment
    reason: str | None = (
        None  # code why not: "store_alias", "bits_32", "no_ensurepip", "conda_windows", "no_answer", ...
    )


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """A command-line tool; ``path`` None means not found."""

    id: Literal[
        "git",
        "cmake",
        "ninja",
        "uv",
        "conda",
        "winget",
        "rocminfo",
        "amd-smi",
        "rocm-smi",
        "hipinfo",
        "hipcc",
    ]
    path: str | None = None
    version: str | None = None


class VisualStudio(msgspec.Struct, frozen=True, kw_only=True):
    """A Visual Studio or Build Tools installation as vswhere tells it."""

    name: str
    path: str
    version: str | None = None
    complete: bool | None = None
    msvc_version: str | None = None  # newest VC\\Tools\\MSVC folder; None without the C++ tools


class RocmInstall(msgspec.Struct, frozen=True, kw_only=True):
    """A system-wide ROCm or HIP SDK."""

    kind: Literal["rocm", "hip_sdk"]
    path: str
    version: str | None = None


class TorchEnv(msgspec.Struct, frozen=True, kw_only=True):
    """An existing Python environment with PyTorch, read from its metadata without importing it."""

    python: str
    torch_version: str
    build: Literal["rocm", "cuda", "cpu"] | None = None
    rocm_version: str | None = None
    gfx_targets: tuple[str, ...] = ()  # installed device wheels


class LinuxGpuAccess(msgspec.Struct, frozen=True, kw_only=True):
    """What stands between this user and the GPU on Linux (or WSL)."""

    kfd_present: bool | None = None
    kfd_accessible: bool | None = None
    render_nodes: tuple[str, ...] = ()
    render_accessible: bool | None = None
    amdgpu_loaded: bool | None = None
    dxg_present: bool | None = None  # WSL


class WindowsRuntime(msgspec.Struct, frozen=True, kw_only=True):
    """Windows files and policies that decide whether PyTorch's libraries load."""

    vc_runtime_version: str | None = None  # msvcp140.dll
    vc_runtime_present: bool | None = None
    hip_dlls: tuple[str, ...] = ()  # every amdhip64*.dll on the search path
    admin_rights_policy: str | None = None


class PipConfig(msgspec.Struct, frozen=True, kw_only=True):
    """What the user's own pip configuration and variables add."""

    files: tuple[str, ...] = ()
    index_url: str | None = None  # user names and passwords masked
    extra_index_urls: tuple[str, ...] = ()
    find_links: tuple[str, ...] = ()
    constraint_files: tuple[str, ...] = ()
    cache_dir: str | None = None
    proxy: str | None = None
    cert: str | None = None  # file of certificates


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """Everything the checks, routes and plans are decided from.

    A probe that failed or ran out of time leaves its field None and its reason in ``problems``. The whole
    record can be saved and loaded, so a recorded machine can stand in for the real one.
    """

    host: Host | None = None
    gpus: tuple[Gpu, ...] | None = None
    volumes: tuple[Volume, ...] | None = None
    pythons: tuple[PythonInstall, ...] | None = None
    tools: tuple[Tool, ...] | None = None
    visual_studios: tuple[VisualStudio, ...] | None = None
    rocm_installs: tuple[RocmInstall, ...] | None = None
    torch_envs: tuple[TorchEnv, ...] | None = None
    linux_access: LinuxGpuAccess | None = None
    windows_runtime: WindowsRuntime | None = None
    pip_config: PipConfig | None = None
    variables: dict[str, str] | None = (
        None  # those that matter: HSA_*, HIP_*, ROCM_*, ROCR_*, NCCL_*, PYTORCH_*, PIP_*, proxies
    )
    problems: dict[str, str] = {}  # probe name -> "timeout" or the error's class and text

    def volume(self, purpose: str) -> Volume | None:
        """The volume recorded for ``purpose``."""
        return next((volume for volume in self.volumes or () if volume.purpose == purpose), None)

    def tool(self, tool_id: str) -> Tool | None:
        """The tool ``tool_id``, also where it was looked for and not found."""
        return next((tool for tool in self.tools or () if tool.id == tool_id), None)

    @property
    def amd_gpus(self) -> tuple[Gpu, ...]:
        """AMD GPUs only, in the order found."""
        return tuple(gpu for gpu in self.gpus or () if gpu.vendor == "amd")


class SetupOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What a person may choose for a setup; None means the product's own choice."""

    route_id: str | None = None
    target: str | None = None
    python: str | None = None  # path of the base interpreter
    torch_version: str | None = None
    index_url: str | None = None  # instead of the route's own indexes
    pypi_mirror: str | None = None  # id from routes.toml or a URL: official, tsinghua, aliyun, tencent
    proxy: str | None = None
    ca_bundle: str | None = None
    env_kind: Literal["venv", "conda"] = "venv"
    extras: tuple[str, ...] = ()  # optional packages: transformers, datasets, accelerate
    gfx_target: str | None = None  # override of what was detected
    cache_dir: str | None = None
