"""Records of whole machines for tests: what ``system/machine.collect`` would tell of each.

Each function takes fields of ``Machine`` to replace, so that a test states only what is special about it:
``windows_one_radeon(pip_config=PipConfig(index_url="https://..."))``. ``with_host``, ``with_gpu`` and
``with_volume`` change single fields of the nested records.
"""

from __future__ import annotations

from typing import Any

import msgspec

from rocm_gui.core.model import (
    Gpu,
    Host,
    LinuxGpuAccess,
    Machine,
    PipConfig,
    PythonInstall,
    Tool,
    Volume,
    WindowsRuntime,
)

GIB = 1024**3

RX_7900_XTX = Gpu(
    name="Radeon RX 7900 XTX",
    vendor="amd",
    pci_id="1002:744c",
    pci_revision="c8",
    pci_subsystem="1da2:e471",
    pci_address="0000:03:00.0",
    gfx_target="gfx1100",
    family="gfx110X-all",
    series="RX 7000",
    architecture="RDNA3",
    support="official",
    integrated=False,
    vram_bytes=24 * GIB,
    driver="Radeon",
    driver_version="32.0.31021.1015",
    driver_release="26.8.1",
    driver_date="2026-08-12",
    drives_display=True,
    device_problem=0,
)
RX_6800_XT = Gpu(
    name="Radeon RX 6800 XT",
    vendor="amd",
    pci_id="1002:73bf",
    pci_revision="c1",
    pci_address="0000:03:00.0",
    gfx_target="gfx1030",
    family="gfx103X-all",
    series="RX 6000",
    architecture="RDNA2",
    support="wheel",
    integrated=False,
    vram_bytes=16 * GIB,
    driver="Radeon",
    driver_version="32.0.31021.1015",
    driver_release="26.8.1",
    drives_display=True,
)
RX_580 = Gpu(
    name="Radeon RX 580",
    vendor="amd",
    pci_id="1002:67df",
    pci_revision="e7",
    pci_address="0000:01:00.0",
    gfx_target="gfx803",
    series="RX 500",
    architecture="GCN4",
    support="too_old",
    integrated=False,
    vram_bytes=8 * GIB,
    driver="Radeon",
    driver_version="31.0.21924.61",
    drives_display=True,
)
RAPHAEL_IGPU = Gpu(
    name="Radeon Graphics (Ryzen 7000)",
    vendor="amd",
    pci_id="1002:164e",
    pci_revision="c9",
    pci_address="0000:0f:00.0",
    gfx_target="gfx1036",
    family="gfx103X-all",
    series="Ryzen 7000",
    architecture="RDNA2",
    support="wheel",
    integrated=True,
    vram_bytes=GIB // 2,
    shared_memory_bytes=15 * GIB,
    driver="Radeon",
    driver_version="32.0.31021.1015",
    driver_release="26.8.1",
    drives_display=False,
)
RTX_4070 = Gpu(
    name="NVIDIA GeForce RTX 4070",
    vendor="nvidia",
    pci_id="10de:2786",
    pci_address="0000:01:00.0",
    integrated=False,
    vram_bytes=12 * GIB,
    driver="NVIDIA",
    driver_version="32.0.15.6094",
    drives_display=True,
)
INTEL_UHD = Gpu(
    name="Intel(R) UHD Graphics 770",
    vendor="intel",
    pci_id="8086:4680",
    pci_address="0000:00:02.0",
    integrated=True,
    driver="Intel",
    driver_version="32.0.101.5972",
    drives_display=True,
)
MI300X = Gpu(
    name="AMD Instinct MI300X",
    vendor="amd",
    pci_id="1002:74a1",
    pci_revision="00",
    gfx_target="gfx942",
    family="gfx94X-dcgpu",
    series="Instinct",
    architecture="CDNA3",
    support="official",
    integrated=False,
    vram_bytes=192 * GIB,
    driver="amdgpu",
    driver_version="31.50.0",
)

WINDOWS_HOST = Host(
    os="windows",
    os_name="Windows 11 Pro",
    os_build=26200,
    os_update=6584,
    os_release="25H2",
    edition="Professional",
    wsl=False,
    container=False,
    architecture="x86_64",
    cpu_name="AMD Ryzen 9 7950X 16-Core Processor",
    physical_cores=16,
    logical_cores=32,
    ram_bytes=int(31.7 * GIB),
    ram_installed_bytes=32 * GIB,
    page_file_bytes=32 * GIB,
    commit_limit_bytes=63 * GIB,
    long_paths=True,
    developer_mode=False,
    smart_app_control="off",
    user_is_admin=False,
    home=r"C:\Users\amy",
    language="en",
    code_page="cp1252",
    on_battery=False,
)
LINUX_HOST = Host(
    os="linux",
    os_name="Ubuntu 24.04.2 LTS",
    os_release="24.04",
    distribution="ubuntu",
    kernel="6.14.0-27-generic",
    wsl=False,
    container=False,
    architecture="x86_64",
    cpu_name="AMD Ryzen 9 7950X 16-Core Processor",
    physical_cores=16,
    logical_cores=32,
    ram_bytes=int(62.7 * GIB),
    ram_installed_bytes=64 * GIB,
    page_file_bytes=8 * GIB,
    groups=("amy", "render", "video"),
    home="/home/amy",
    language="en",
    code_page="UTF-8",
    on_battery=False,
)
WSL_HOST = msgspec.structs.replace(
    LINUX_HOST, kernel="6.6.87.2-microsoft-standard-WSL2", wsl=True, ram_bytes=int(15.6 * GIB), ram_installed_bytes=None
)


def _volume(purpose: Any, path: str, mount: str, filesystem: str, free_gib: int) -> Volume:
    return Volume(
        purpose=purpose,
        path=path,
        mount=mount,
        free_bytes=free_gib * GIB,
        total_bytes=931 * GIB,
        filesystem=filesystem,
        solid_state=True,
        network=False,
        removable=False,
        onedrive=False,
        writable=True,
    )


WINDOWS_VOLUMES = (
    _volume("target", r"D:\rocm", "D:\\", "NTFS", 400),
    _volume("temp", r"C:\Users\amy\AppData\Local\Temp", "C:\\", "NTFS", 180),
    _volume("pip_cache", r"C:\Users\amy\AppData\Local\pip\cache", "C:\\", "NTFS", 180),
    _volume("home", r"C:\Users\amy", "C:\\", "NTFS", 180),
)
LINUX_VOLUMES = (
    _volume("target", "/home/amy/rocm", "/", "ext4", 300),
    _volume("temp", "/tmp", "/", "ext4", 300),
    _volume("pip_cache", "/home/amy/.cache/pip", "/", "ext4", 300),
    _volume("home", "/home/amy", "/", "ext4", 300),
)
WINDOWS_PYTHONS = (
    PythonInstall(
        path=r"C:\Users\amy\AppData\Local\Programs\Python\Python312\python.exe",
        version="3.12.10",
        kind="python.org",
        bits=64,
        prefix=r"C:\Users\amy\AppData\Local\Programs\Python\Python312",
        base_prefix=r"C:\Users\amy\AppData\Local\Programs\Python\Python312",
        has_venv=True,
        usable=True,
    ),
    PythonInstall(
        path=r"C:\Users\amy\AppData\Local\Microsoft\WindowsApps\python.exe", kind="store_alias", reason="store_alias"
    ),
)
LINUX_PYTHONS = (
    PythonInstall(
        path="/usr/bin/python3.12",
        version="3.12.3",
        kind="system",
        bits=64,
        prefix="/usr",
        base_prefix="/usr",
        has_venv=True,
        usable=True,
    ),
)
WINDOWS_TOOLS = (
    Tool(id="git", path=r"C:\Program Files\Git\cmd\git.exe", version="2.49.0"),
    Tool(id="cmake"),
    Tool(id="ninja"),
    Tool(id="uv"),
    Tool(id="conda"),
    Tool(id="winget", path=r"C:\Users\amy\AppData\Local\Microsoft\WindowsApps\winget.exe", version="1.11.400"),
    Tool(id="hipinfo"),
    Tool(id="hipcc"),
)
LINUX_TOOLS = (
    Tool(id="git", path="/usr/bin/git", version="2.43.0"),
    Tool(id="cmake"),
    Tool(id="ninja"),
    Tool(id="uv"),
    Tool(id="conda"),
    Tool(id="rocminfo"),
    Tool(id="amd-smi"),
    Tool(id="rocm-smi"),
    Tool(id="hipcc"),
)
RUNTIME = WindowsRuntime(
    vc_runtime_version="14.44.35211.0",
    vc_runtime_present=True,
    hip_dlls=(r"C:\Windows\System32\amdhip64_7.dll",),
)
ACCESS = LinuxGpuAccess(
    kfd_present=True,
    kfd_accessible=True,
    render_nodes=("/dev/dri/renderD128",),
    render_accessible=True,
    amdgpu_loaded=True,
    dxg_present=False,
)
WSL_ACCESS = LinuxGpuAccess(
    kfd_present=False, render_nodes=(), render_accessible=None, amdgpu_loaded=False, dxg_present=True
)


def _machine(defaults: dict[str, Any], changes: dict[str, Any]) -> Machine:
    nothing: dict[str, Any] = {
        "visual_studios": (),
        "rocm_installs": (),
        "torch_envs": (),
        "pip_config": PipConfig(),
        "variables": {},
    }
    return Machine(**{**nothing, **defaults, **changes})


def _windows(gpus: tuple[Gpu, ...], changes: dict[str, Any]) -> Machine:
    defaults: dict[str, Any] = {
        "host": WINDOWS_HOST,
        "gpus": gpus,
        "volumes": WINDOWS_VOLUMES,
        "pythons": WINDOWS_PYTHONS,
        "tools": WINDOWS_TOOLS,
        "windows_runtime": RUNTIME,
    }
    return _machine(defaults, changes)


def _linux(host: Host, gpus: tuple[Gpu, ...], access: LinuxGpuAccess, changes: dict[str, Any]) -> Machine:
    defaults: dict[str, Any] = {
        "host": host,
        "gpus": gpus,
        "volumes": LINUX_VOLUMES,
        "pythons": LINUX_PYTHONS,
        "tools": LINUX_TOOLS,
        "linux_access": access,
    }
    return _machine(defaults, changes)


def windows_one_radeon(**changes: Any) -> Machine:
    """Windows 11 25H2, RX 7900 XTX, everything in order."""
    return _windows((RX_7900_XTX,), changes)


def windows_rx6000(**changes: Any) -> Machine:
    """Windows 11 25H2, RX 6800 XT: wheels exist, AMD does not list it."""
    return _windows((RX_6800_XT,), changes)


def windows_too_old_radeon(**changes: Any) -> Machine:
    """Windows 11 25H2, RX 580: no ROCm for it."""
    return _windows((RX_580,), changes)


def windows_apu_and_radeon(**changes: Any) -> Machine:
    """A Ryzen 7000 whose integrated GPU stands before the RX 7900 XTX."""
    return _windows((RAPHAEL_IGPU, RX_7900_XTX), changes)


def windows_nvidia_and_radeon(**changes: Any) -> Machine:
    """An RTX 4070 that drives the monitor, and an RX 7900 XTX beside it."""
    radeon = msgspec.structs.replace(RX_7900_XTX, pci_address="0000:04:00.0", drives_display=False)
    return _windows((RTX_4070, radeon), changes)


def windows_no_amd(**changes: Any) -> Machine:
    """Windows 11 on an Intel PC."""
    return _windows((INTEL_UHD,), changes)


def wsl_radeon(**changes: Any) -> Machine:
    """Ubuntu in WSL2 on a Windows host with an RX 7900 XTX, seen through /dev/dxg."""
    seen = Gpu(
        name="Radeon RX 7900 XTX",
        vendor="amd",
        gfx_target="gfx1100",
        family="gfx110X-all",
        series="RX 7000",
        architecture="RDNA3",
        support="official",
        integrated=False,
    )
    return _linux(WSL_HOST, (seen,), WSL_ACCESS, changes)


def linux_one_radeon(**changes: Any) -> Machine:
    """Ubuntu 24.04, RX 7900 XTX, groups and device files in order."""
    radeon = msgspec.structs.replace(
        RX_7900_XTX, driver="amdgpu", driver_version="31.50.0", driver_release=None, driver_date=None
    )
    return _linux(LINUX_HOST, (radeon,), ACCESS, changes)


def linux_mi300x8(**changes: Any) -> Machine:
    """A server with eight MI300X."""
    gpus = tuple(
        msgspec.structs.replace(MI300X, pci_address=f"0000:{bus:02x}:00.0")
        for bus in (0x05, 0x26, 0x46, 0x65, 0x85, 0xA6, 0xC6, 0xE5)
    )
    host = msgspec.structs.replace(
        LINUX_HOST, cpu_name="AMD EPYC 9654 96-Core Processor", physical_cores=192, logical_cores=384,
        ram_bytes=2263 * GIB, ram_installed_bytes=2304 * GIB,
    )  # fmt: skip
    return _linux(host, gpus, ACCESS, changes)


def no_gpu(**changes: Any) -> Machine:
    """Linux with no display adapter at all."""
    host = msgspec.structs.replace(LINUX_HOST, groups=("amy",))
    access = LinuxGpuAccess(kfd_present=False, render_nodes=(), amdgpu_loaded=False, dxg_present=False)
    return _linux(host, (), access, changes)


def windows_no_gpu(**changes: Any) -> Machine:
    """Windows with no display adapter that counts."""
    return _windows((), changes)


def with_host(machine: Machine, **changes: Any) -> Machine:
    """``machine`` with single fields of its host replaced."""
    return msgspec.structs.replace(machine, host=msgspec.structs.replace(machine.host, **changes))


def with_gpu(machine: Machine, index: int = 0, **changes: Any) -> Machine:
    """``machine`` with single fields of one GPU replaced."""
    gpus = list(machine.gpus or ())
    gpus[index] = msgspec.structs.replace(gpus[index], **changes)
    return msgspec.structs.replace(machine, gpus=tuple(gpus))


def with_volume(machine: Machine, purpose: str, **changes: Any) -> Machine:
    """``machine`` with single fields of one volume replaced."""
    volumes = tuple(
        msgspec.structs.replace(volume, **changes) if volume.purpose == purpose else volume
        for volume in machine.volumes or ()
    )
    return msgspec.structs.replace(machine, volumes=volumes)
