import pytest

from rocm_gui.system.windows.host import detect_host, windows_name
from rocm_gui.system.windows.native import NativeHost, read_native
from rocm_gui.system.windows.registry import MemoryRegistry

VERSION = r"HKLM\SOFTWARE\Microsoft\Windows NT\CurrentVersion"
KEYS = {
    VERSION: {
        "ProductName": "Windows 10 Pro",
        "CurrentBuildNumber": "26200",
        "DisplayVersion": "25H2",
        "UBR": 6584,
        "EditionID": "Professional",
        "InstallationType": "Client",
    },
    r"HKLM\HARDWARE\DESCRIPTION\System\CentralProcessor\0": {
        "ProcessorNameString": "AMD Ryzen 9 7950X   16-Core Processor             "
    },
    r"HKLM\SYSTEM\CurrentControlSet\Control\Session Manager\Environment": {"PROCESSOR_ARCHITECTURE": "AMD64"},
    r"HKLM\SYSTEM\CurrentControlSet\Control\FileSystem": {"LongPathsEnabled": 1},
    r"HKLM\SYSTEM\CurrentControlSet\Control\CI\Policy": {"VerifiedAndReputablePolicyState": 2},
    r"HKLM\SYSTEM\CurrentControlSet\Control\Nls\CodePage": {"ACP": "936", "OEMCP": "936"},
}
NATIVE = NativeHost(
    build=26200,
    architecture="x86_64",
    ram_bytes=33_000_000_000,
    ram_installed_bytes=34_359_738_368,
    commit_limit_bytes=41_000_000_000,
    page_file_bytes=8_000_000_000,
    physical_cores=16,
    logical_cores=32,
    user_is_admin=False,
    language="zh_CN",
    code_page="cp936",
    on_battery=False,
)


def test_windows_11_that_calls_itself_10() -> None:
    host = detect_host(MemoryRegistry(KEYS), NATIVE, {"USERPROFILE": r"C:\Users\张三"})
    assert (host.os, host.os_name, host.os_build, host.os_update) == ("windows", "Windows 11 Pro", 26200, 6584)
    assert (host.os_release, host.edition) == ("25H2", "Professional")
    assert host.cpu_name == "AMD Ryzen 9 7950X 16-Core Processor"
    assert (host.physical_cores, host.logical_cores, host.architecture) == (16, 32, "x86_64")
    assert (host.ram_bytes, host.ram_installed_bytes) == (33_000_000_000, 34_359_738_368)
    assert (host.page_file_bytes, host.commit_limit_bytes) == (8_000_000_000, 41_000_000_000)
    assert (host.long_paths, host.developer_mode, host.smart_app_control) == (True, False, "evaluation")
    assert (host.user_is_admin, host.on_battery) == (False, False)
    assert (host.home, host.language, host.code_page) == (r"C:\Users\张三", "zh_CN", "cp936")
    assert host.wsl is False


def test_a_recorded_machine_gets_nothing_from_the_machine_that_reads_it() -> None:
    host = detect_host(MemoryRegistry(KEYS), environ={})
    assert (host.os_build, host.architecture, host.code_page) == (26200, "x86_64", "cp936")
    assert (host.ram_bytes, host.physical_cores, host.user_is_admin, host.language, host.home) == (None,) * 5


def test_an_empty_registry_leaves_everything_unknown() -> None:
    host = detect_host(MemoryRegistry({}), environ={})
    known = {name for name in host.__struct_fields__ if getattr(host, name) is not None}
    assert known == {"os", "wsl"}


def test_denied_switches_are_unknown_and_absent_ones_are_off() -> None:
    file_system = r"HKLM\SYSTEM\CurrentControlSet\Control\FileSystem"
    values = {path: names for path, names in KEYS.items() if path != file_system}
    assert detect_host(MemoryRegistry(values | {file_system: {}})).long_paths is False
    assert detect_host(MemoryRegistry(values, denied=[file_system])).long_paths is None


@pytest.mark.parametrize(
    ("product", "build", "installation", "name"),
    [
        ("Windows 10 Home", 22631, "Client", "Windows 11 Home"),
        ("Windows 10 Pro", 19045, "Client", "Windows 10 Pro"),
        ("Windows 11 Pro", 26200, "Client", "Windows 11 Pro"),
        ("Windows Server 2025 Standard", 26100, "Server", "Windows Server 2025 Standard"),
        ("Windows 10 Pro", None, None, "Windows 10 Pro"),
        (None, 26200, None, None),
    ],
)
def test_names(product: str | None, build: int | None, installation: str | None, name: str | None) -> None:
    assert windows_name(product, build, installation) == name


@pytest.mark.parametrize(("state", "expected"), [(0, "off"), (1, "on"), (2, "evaluation"), (9, None), (None, None)])
def test_smart_app_control(state: int | None, expected: str | None) -> None:
    values = {} if state is None else {"VerifiedAndReputablePolicyState": state}
    keys = {r"HKLM\SYSTEM\CurrentControlSet\Control\CI\Policy": values}
    assert detect_host(MemoryRegistry(keys)).smart_app_control == expected


def test_an_arm_machine() -> None:
    environment = r"HKLM\SYSTEM\CurrentControlSet\Control\Session Manager\Environment"
    assert detect_host(MemoryRegistry({environment: {"PROCESSOR_ARCHITECTURE": "ARM64"}})).architecture == "arm64"


@pytest.mark.skipif("sys.platform == 'win32'")
def test_native_facts_are_missing_elsewhere() -> None:
    assert read_native() == NativeHost()
