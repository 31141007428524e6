"""Every check, in the order in which they are told. A rule is pure: facts of the machine in, one answer out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rocm_gui.core.check_rules import environment, gpu, linux_access, python, storage, system, tools

if TYPE_CHECKING:
    from rocm_gui.core.checks import Check

ALL_CHECKS: tuple[Check, ...] = (
    gpu.gpu_present,
    gpu.gpu_supported,
    gpu.gpu_device,
    gpu.gpu_driver,
    linux_access.amdgpu_loaded,
    gpu.amdgpu_version,
    linux_access.kfd_access,
    linux_access.render_groups,
    linux_access.wsl_gpu,
    gpu.gpu_order,
    gpu.monitor_connection,
    gpu.gpu_memory,
    system.route_system,
    system.windows_build,
    linux_access.linux_distribution,
    linux_access.linux_kernel,
    system.cpu_architecture,
    system.ram,
    system.page_file,
    system.smart_app_control,
    system.developer_mode,
    linux_access.container,
    system.power,
    storage.disk_space,
    storage.solid_state,
    storage.target_filesystem,
    storage.target_place,
    storage.folders_writable,
    storage.path_length,
    storage.long_paths,
    storage.target_letters,
    storage.profile_letters,
    python.python_version,
    python.python_venv,
    python.python_bits,
    python.python_conda,
    python.python_store_alias,
    tools.git,
    tools.cmake,
    tools.ninja,
    tools.vc_runtime,
    tools.msvc_headers,
    environment.hsa_override,
    environment.gpu_visibility,
    environment.rocm_location,
    environment.hip_libraries,
    environment.hip_sdk,
    environment.rocm_versions,
    environment.pip_index,
    environment.torch_environments,
    environment.proxy,
)
