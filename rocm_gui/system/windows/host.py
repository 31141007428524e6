"""The Windows installation and the computer it runs on."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

from rocm_gui.core.model import Host
from rocm_gui.system.windows.native import NativeHost, read_native
from rocm_gui.system.windows.registry import WinRegistry, number_of, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocm_gui.system.windows.registry import Registry

VERSION_PATH = r"SOFTWARE\Microsoft\Windows NT\CurrentVersion"
PROCESSOR_PATH = r"HARDWARE\DESCRIPTION\System\CentralProcessor\0"
ENVIRONMENT_PATH = r"SYSTEM\CurrentControlSet\Control\Session Manager\Environment"
FILE_SYSTEM_PATH = r"SYSTEM\CurrentControlSet\Control\FileSystem"
DEVELOPER_PATH = r"SOFTWARE\Microsoft\Windows\CurrentVersion\AppModelUnlock"
CODE_INTEGRITY_PATH = r"SYSTEM\CurrentControlSet\Control\CI\Policy"

FIRST_WINDOWS_11 = 22000
_ARCHITECTURES = {"AMD64": "x86_64", "ARM64": "arm64", "X86": "x86"}
_SMART_APP_CONTROL: dict[int, Literal["off", "on", "evaluation"]] = {0: "off", 1: "on", 2: "evaluation"}


def detect_host(registry: Registry, native: NativeHost | None = None, environ: Mapping[str, str] | None = None) -> Host:
    """The host as ``registry`` and Windows' functions tell it.

    Args:
        registry: the machine's own or a recorded one.
        native: None asks this machine where ``registry`` is its own; a recorded registry gets no answers from it.
        environ: this process's variables where None.
    """
    own = isinstance(registry, WinRegistry)
    facts = native if native is not None else (read_native() if own else NativeHost())
    variables = os.environ if environ is None else environ
    version = registry.values("HKLM", VERSION_PATH)
    build = _decimal(text_of(version, "CurrentBuildNumber") or text_of(version, "CurrentBuild")) or facts.build
    environment = registry.values("HKLM", ENVIRONMENT_PATH)
    machine = (text_of(environment, "PROCESSOR_ARCHITECTURE") or "").upper()
    return Host(
        os="windows",
        os_name=windows_name(text_of(version, "ProductName"), build, text_of(version, "InstallationType")),
        os_build=build,
        os_update=number_of(version, "UBR"),
        os_release=text_of(version, "DisplayVersion") or text_of(version, "ReleaseId"),
        edition=text_of(version, "EditionID"),
        wsl=False,
        architecture=facts.architecture or _ARCHITECTURES.get(machine),
        cpu_name=_cpu_name(registry),
        physical_cores=facts.physical_cores,
        logical_cores=facts.logical_cores,
        ram_bytes=facts.ram_bytes,
        ram_installed_bytes=facts.ram_installed_bytes,
        page_file_bytes=facts.page_file_bytes,
        commit_limit_bytes=facts.commit_limit_bytes,
        long_paths=_switch(registry, FILE_SYSTEM_PATH, "LongPathsEnabled"),
        developer_mode=_switch(registry, DEVELOPER_PATH, "AllowDevelopmentWithoutDevLicense"),
        smart_app_control=_smart_app_control(registry),
        user_is_admin=facts.user_is_admin,
        home=variables.get("USERPROFILE"),
        language=facts.language,
        code_page=facts.code_page or _recorded_code_page(registry),
        on_battery=facts.on_battery,
    )


def windows_name(product: str | None, build: int | None, installation: str | None = None) -> str | None:
    """The name people know. ``ProductName`` still says "Windows 10" on Windows 11: the build decides."""
    if product is None:
        return None
    server = (installation or "").casefold().startswith("server") or "Server" in product
    if build is not None and build >= FIRST_WINDOWS_11 and not server:
        return product.replace("Windows 10", "Windows 11", 1)
    return product


def _decimal(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() else None


def _cpu_name(registry: Registry) -> str | None:
    name = text_of(registry.values("HKLM", PROCESSOR_PATH), "ProcessorNameString")
    return " ".join(name.split()) if name else None


def _switch(registry: Registry, path: str, name: str) -> bool | None:
    """A DWORD switch that is off where nobody set it; None where it may not be read."""
    values = registry.values("HKLM", path)
    if values is None:
        known = registry.values("HKLM", VERSION_PATH) is not None and not registry.denied("HKLM", path)
        return False if known else None
    return bool(number_of(values, name))


def _smart_app_control(registry: Registry) -> Literal["off", "on", "evaluation"] | None:
    """None where the Windows has no Smart App Control: before 22H2."""
    state = number_of(registry.values("HKLM", CODE_INTEGRITY_PATH), "VerifiedAndReputablePolicyState")
    return None if state is None else _SMART_APP_CONTROL.get(state)


def _recorded_code_page(registry: Registry) -> str | None:
    number = text_of(registry.values("HKLM", r"SYSTEM\CurrentControlSet\Control\Nls\CodePage"), "ACP")
    if number is None:
        return None
    return "utf-8" if number == "65001" else f"cp{number}"
