"""Rules about the system, folders, Python, tools and what is already installed."""

from __future__ import annotations

import machines as m
import msgspec
import pytest
from check_cases import context_of, judge, routes, verdict

from rocm_gui.core.check_rules.finding import at_least, numbers
from rocm_gui.core.check_rules.storage import rocblas_folder, space_needs
from rocm_gui.core.model import PipConfig, PythonInstall, RocmInstall, Tool, TorchEnv, VisualStudio

SOURCE = {"route_id": "therock-windows"}
CPU = {"route_id": "cpu"}


@pytest.mark.parametrize(
    ("build", "answer"),
    [
        (19045, ("fail", "windows_10", "upgrade")),
        (21999, ("fail", "windows_10", "upgrade")),
        (22000, ("warn", "windows_11_first", "update")),
        (22620, ("warn", "windows_11_first", "update")),
        (22621, ("warn", "untested", "update")),
        (26199, ("warn", "untested", "update")),
        (26200, ("ok", "tested", None)),
        (27000, ("ok", "tested", None)),
        (None, ("unknown", "unknown", "look_up")),
    ],
)
def test_windows_is_judged_by_its_build(build, answer):
    assert (
        verdict("windows_build", m.with_host(m.windows_one_radeon(), os_build=build), route_id="amd-windows-10.1")
        == answer
    )


def test_windows_10_does_for_the_cpu():
    assert verdict("windows_build", m.with_host(m.windows_no_amd(), os_build=19045))[0] == "warn"


def test_a_named_route_must_be_for_this_system():
    assert verdict("route_system", m.windows_one_radeon()) is None
    assert verdict("route_system", m.wsl_radeon(), route_id="amd-linux-10.1") == ("fail", "other_system", "see_routes")
    assert verdict("route_system", m.wsl_radeon(), route_id="wsl-10.1") == ("ok", "fits", None)


def test_processors():
    arm = m.with_host(m.windows_one_radeon(), architecture="ARM64")
    assert verdict("cpu_architecture", arm, route_id="amd-windows-10.1") == ("fail", "other", "use_cpu")
    assert verdict("cpu_architecture", arm, **CPU) == ("warn", "other", "use_cpu")
    assert verdict("cpu_architecture", m.with_host(m.no_gpu(), architecture="AMD64")) == ("ok", "x86_64", None)


@pytest.mark.parametrize(
    ("installed", "visible", "options", "answer"),
    [
        (64, 62.7, {}, ("ok", "plenty", None)),
        (None, 30.9, {}, ("ok", "plenty", None)),  # what 32 GB look like from inside
        (16, 13.8, {}, ("ok", "enough", None)),
        (None, 13.8, {}, ("ok", "enough", None)),  # 16 GB, 2 of them for the graphics
        (None, 11.7, {}, ("warn", "little", "close_programs")),
        (12, 11.7, SOURCE, ("fail", "too_little_to_build", "use_wheels")),
        (4, 3.8, {}, ("fail", "too_little", "add")),
        (4, 3.8, CPU, ("warn", "too_little", "add")),
        (None, None, {}, ("unknown", "unknown", None)),
    ],
)
def test_memory(installed, visible, options, answer):
    machine = m.with_host(
        m.windows_one_radeon(),
        ram_installed_bytes=None if installed is None else installed * m.GIB,
        ram_bytes=None if visible is None else int(visible * m.GIB),
    )
    assert verdict("ram", machine, **options) == answer


def test_wsl_has_half_of_the_memory():
    machine = m.with_host(m.wsl_radeon(), ram_bytes=8 * m.GIB)
    assert verdict("ram", machine) == ("warn", "little", "raise_wsl")


@pytest.mark.parametrize(
    ("page_gib", "commit_gib", "answer"),
    [
        (32, 63, ("ok", "enough", None)),
        (0, 64, ("ok", "none_but_enough", None)),
        (0, 16, ("warn", "none", "enlarge")),
        (2, 18, ("warn", "small", "enlarge")),
        (None, None, ("unknown", "unknown", None)),
    ],
)
def test_the_commit_limit(page_gib, commit_gib, answer):
    machine = m.with_host(
        m.windows_one_radeon(),
        page_file_bytes=None if page_gib is None else page_gib * m.GIB,
        commit_limit_bytes=None if commit_gib is None else commit_gib * m.GIB,
    )
    assert verdict("page_file", machine) == answer


def test_the_cpu_build_promises_itself_less():
    machine = m.with_host(m.windows_no_amd(), commit_limit_bytes=12 * m.GIB)
    assert verdict("page_file", machine) == ("ok", "enough", None)


def test_the_commit_limit_is_added_up_where_it_is_not_told():
    machine = m.with_host(
        m.windows_one_radeon(), commit_limit_bytes=None, ram_bytes=16 * m.GIB, page_file_bytes=4 * m.GIB
    )
    assert judge("page_file", machine).facts == {"page_file_gb": 4.0, "commit_gb": 20.0, "least_gb": 24.0}


@pytest.mark.parametrize(
    ("state", "options", "answer"),
    [
        ("off", {}, ("ok", "off", None)),
        ("evaluation", {}, ("warn", "evaluation", "decide")),
        ("on", {}, ("fail", "on", "decide")),
        ("on", CPU, ("warn", "on", "decide")),
        (None, {}, ("unknown", "unknown", "look_up")),
    ],
)
def test_smart_app_control(state, options, answer):
    assert (
        verdict("smart_app_control", m.with_host(m.windows_one_radeon(), smart_app_control=state), **options) == answer
    )


def test_developer_mode_and_battery():
    assert verdict("developer_mode", m.windows_one_radeon()) is None
    assert verdict("developer_mode", m.windows_one_radeon(), **SOURCE) == ("fail", "off", "switch_on")
    assert verdict("power", m.with_host(m.windows_one_radeon(), on_battery=True)) == ("warn", "battery", "plug_in")
    assert verdict("power", m.with_host(m.windows_one_radeon(), on_battery=None)) is None


# --- folders ---------------------------------------------------------------------------------------------------------


def test_space_is_added_up_on_a_shared_drive():
    route = routes()["amd-windows-10.1"]
    apart = {need.drive: need.need_bytes for need in space_needs(context_of(m.windows_one_radeon()))}
    assert apart == {"D:\\": route.disk_bytes, "C:\\": 2 * route.download_bytes}
    (together,) = space_needs(context_of(m.linux_one_radeon()))
    assert together.need_bytes == route.disk_bytes + 2 * route.download_bytes
    assert together.purposes == ("target", "temp", "pip_cache")


def test_each_drive_that_is_written_to_must_have_room():
    machine = m.windows_one_radeon()
    assert verdict("disk_space", machine) == ("ok", "enough", None)
    full_system = m.with_volume(m.with_volume(machine, "temp", free_bytes=m.GIB), "pip_cache", free_bytes=m.GIB)
    assert verdict("disk_space", full_system) == ("fail", "too_little", "free")
    assert judge("disk_space", full_system).facts["drive"] == "C:\\"
    assert judge("disk_space", full_system).facts["need_gb"] == 2.0
    tight = m.with_volume(machine, "target", free_bytes=14 * m.GIB)
    assert verdict("disk_space", tight) == ("warn", "tight", "free")
    blind = m.with_volume(machine, "target", free_bytes=None)
    assert verdict("disk_space", blind) == ("unknown", "unknown", None)
    assert judge("disk_space", blind).facts["drive"] == "D:\\"


def test_a_hundred_gb_count_only_where_rocm_is_built():
    machine = m.with_volume(m.windows_one_radeon(), "target", free_bytes=60 * m.GIB)
    assert verdict("disk_space", machine)[0] == "ok"
    assert verdict("disk_space", machine, route_id="article-source")[0] == "fail"


def test_kinds_of_drives():
    machine = m.windows_one_radeon()
    assert verdict("solid_state", machine) == ("ok", "ssd", None)
    disk = m.with_volume(machine, "target", solid_state=False)
    assert verdict("solid_state", disk) == ("warn", "hdd", "use_ssd")
    assert verdict("solid_state", disk, **SOURCE) == ("warn", "hdd_to_build", "use_ssd")
    assert verdict("solid_state", m.with_volume(machine, "target", solid_state=None))[0] == "unknown"


@pytest.mark.parametrize(
    ("machine", "filesystem", "answer"),
    [
        (m.windows_one_radeon(), "NTFS", ("ok", "fine", None)),
        (m.windows_one_radeon(), "FAT32", ("fail", "fat", "other_drive")),
        (m.linux_one_radeon(), "vfat", ("fail", "fat", "other_drive")),
        (m.windows_one_radeon(), "exFAT", ("warn", "exfat", "other_drive")),
        (m.linux_one_radeon(), "exfat", ("fail", "exfat", "other_drive")),
        (m.linux_one_radeon(), None, ("unknown", "unknown", None)),
    ],
)
def test_file_systems(machine, filesystem, answer):
    assert verdict("target_filesystem", m.with_volume(machine, "target", filesystem=filesystem)) == answer


@pytest.mark.parametrize(
    ("machine", "changes", "answer"),
    [
        (m.windows_one_radeon(), {}, ("ok", "local", None)),
        (m.windows_one_radeon(), {"onedrive": True}, ("fail", "onedrive", "local_folder")),
        (m.windows_one_radeon(), {"network": True}, ("warn", "network", "local_folder")),
        (m.wsl_radeon(), {"network": True}, ("warn", "windows_drive_in_wsl", "linux_folder")),
        (m.windows_one_radeon(), {"removable": True}, ("warn", "removable", "local_folder")),
    ],
)
def test_places_of_the_target(machine, changes, answer):
    assert verdict("target_place", m.with_volume(machine, "target", **changes)) == answer


def test_folders_accept_files():
    assert verdict("folders_writable", m.linux_one_radeon()) == ("ok", "ok", None)
    denied = m.with_volume(m.linux_one_radeon(), "temp", writable=False)
    assert verdict("folders_writable", denied) == ("fail", "denied", "own_folder")
    assert judge("folders_writable", denied).facts == {"paths": "/tmp"}
    assert verdict("folders_writable", m.with_volume(m.linux_one_radeon(), "home", writable=False))[0] == "ok"


def test_where_rocblas_will_be():
    assert rocblas_folder(r"D:\rocm") == r"D:\rocm\env\Lib\site-packages\_rocm_sdk_libraries\bin\rocblas\library"
    old = rocblas_folder("D:\\rocm\\", routes()["amd-windows-7.2.1"])
    assert old == r"D:\rocm\env\Lib\site-packages\_rocm_sdk_libraries_custom\bin\rocblas\library"


@pytest.mark.parametrize(("length", "status"), [(111, "ok"), (112, "ok"), (113, "fail")])
def test_174_characters_are_the_end(length, status):
    target = "C:\\" + "x" * (length - 3)
    result = judge("path_length", m.windows_one_radeon(), target=target)
    assert result.status == status
    assert result.facts["length"] == length + 62
    assert result.facts["target_most"] == 112
    assert verdict("path_length", m.windows_one_radeon(), target=target, **CPU) is None


def test_long_paths_matter_only_to_long_targets():
    off = m.with_host(m.windows_one_radeon(), long_paths=False)
    assert verdict("long_paths", off) == ("ok", "not_needed", None)
    assert verdict("long_paths", off, target="C:\\" + "x" * 100) == ("warn", "off", "switch_on")
    assert verdict("long_paths", off, **SOURCE) == ("fail", "off_to_build", "switch_on")
    assert verdict("long_paths", m.windows_one_radeon()) == ("ok", "on", None)
    unread = m.with_host(m.windows_one_radeon(), long_paths=None)
    assert verdict("long_paths", unread, target="C:\\" + "x" * 100) == ("unknown", "unknown_and_long", "switch_on")


def test_letters_outside_ascii():
    windows = m.windows_one_radeon()
    assert verdict("target_letters", windows, target="D:\\显卡") == ("warn", "not_ascii", "ascii_folder")
    assert verdict("target_letters", m.linux_one_radeon(), target="/data/显卡") == ("ok", "not_ascii_but_fine", None)
    assert verdict("target_letters", windows, target="D:\\my rocm") == ("ok", "ascii", None)
    assert verdict("target_letters", windows, target="D:\\my rocm", **SOURCE) == (
        "fail",
        "blanks_to_build",
        "ascii_folder",
    )

    chinese = m.with_host(windows, home="C:\\Users\\张三")
    assert verdict("profile_letters", chinese) == ("warn", "not_ascii", "move_cache")
    assert verdict("profile_letters", chinese, **CPU) == ("ok", "not_ascii_but_fine", None)
    moved = {"MIOPEN_USER_DB_PATH": "C:\\miopen", "MIOPEN_CUSTOM_CACHE_DIR": "C:\\miopen"}
    assert verdict("profile_letters", msgspec.structs.replace(chinese, variables=moved)) == ("ok", "moved", None)
    half = {"MIOPEN_USER_DB_PATH": "C:\\miopen"}
    assert verdict("profile_letters", msgspec.structs.replace(chinese, variables=half))[0] == "warn"


# --- Python ----------------------------------------------------------------------------------------------------------


def python(version: str, path: str = r"C:\P\python.exe", **changes) -> PythonInstall:
    fields = {"version": version, "path": path, "kind": "python.org", "bits": 64, "has_venv": True, "usable": True}
    return PythonInstall(**{**fields, **changes})


def test_the_python_of_the_route():
    machine = m.windows_one_radeon(pythons=(python("3.14.0", "a"), python("3.12.4", "b"), python("3.8.10", "c")))
    result = judge("python_version", machine)
    assert (result.status, result.text, result.facts["version"], result.facts["path"]) == ("ok", "fits", "3.12.4", "b")

    old = m.windows_one_radeon(pythons=(python("3.10.11"),))  # the article's advice
    assert verdict("python_version", old) == ("fail", "none_fits", "install_windows")
    assert judge("python_version", old).facts["found"] == "3.10.11"
    assert verdict("python_version", m.linux_one_radeon(pythons=())) == ("fail", "none", "install_linux")


@pytest.mark.parametrize(
    ("chosen", "answer"),
    [
        (python("3.12.4"), ("ok", "fits", None)),
        (python("3.9.1"), ("fail", "out_of_range", "install_windows")),
        (python("3.12.4", bits=32, usable=False, reason="bits_32"), ("fail", "unusable", "install_windows")),
        (python("3.12.4", usable=False, reason="is_venv"), ("ok", "fits", None)),
        (python("3.12.4", path="elsewhere"), ("unknown", "not_looked_at", "see_path")),
    ],
)
def test_the_python_that_the_person_named(chosen, answer):
    machine = m.windows_one_radeon(pythons=(chosen,))
    assert verdict("python_version", machine, python=r"C:\P\python.exe", route_id="amd-windows-10.1") == answer


def test_pythons_that_only_look_like_one():
    alias = PythonInstall(path="alias", kind="store_alias", reason="store_alias")
    conda = python("3.12.1", "conda", kind="conda", usable=False, reason="conda_windows")
    short = python("3.11.1", "short", bits=32, usable=False, reason="bits_32")
    for check_id, item, only, remedy in (
        ("python_store_alias", alias, "only_alias", "install_windows"),
        ("python_conda", conda, "only_conda", "use_python_org"),
        ("python_bits", short, "only_32", "install_windows"),
    ):
        assert verdict(check_id, m.windows_one_radeon(pythons=(item,))) == ("warn", only, remedy)
        assert verdict(check_id, m.windows_one_radeon(pythons=(item, python("3.12.1")))) == ("ok", "ignored", None)
        assert verdict(check_id, m.windows_one_radeon(pythons=(python("3.12.1"),))) is None
    both = m.windows_one_radeon(pythons=(conda, python("3.12.1")))
    assert verdict("python_conda", both, env_kind="conda") == ("warn", "chosen", "use_python_org")


def test_debians_python_without_venv():
    bare = PythonInstall(path="/usr/bin/python3", version="3.12.3", kind="system", bits=64, reason="no_ensurepip")
    machine = m.linux_one_radeon(pythons=(bare,))
    assert verdict("python_venv", machine) == ("fail", "missing", "install")
    assert judge("python_venv", machine).facts["version"] == "3.12"
    assert verdict("python_venv", m.linux_one_radeon(pythons=(bare, *m.LINUX_PYTHONS))) == ("ok", "other_has_it", None)


# --- tools -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tool", ["git", "cmake", "ninja"])
def test_build_tools_are_needed_to_build_only(tool):
    without = m.windows_one_radeon(tools=())
    assert verdict(tool, without) == ("ok", "not_needed", None)
    assert verdict(tool, without, **SOURCE) == ("fail", "missing", "install_windows")


@pytest.mark.parametrize(
    ("version", "answer"),
    [
        ("3.31.6", ("ok", "found", None)),
        ("3.20.0", ("fail", "old", "install_windows")),
        ("4.0.2", ("fail", "too_new", "install_windows")),
        (None, ("ok", "found", None)),
    ],
)
def test_cmake_for_therock_on_windows(version, answer):
    machine = m.windows_one_radeon(tools=(Tool(id="cmake", path="cmake.exe", version=version),))
    assert verdict("cmake", machine, **SOURCE) == answer


@pytest.mark.parametrize(
    ("version", "present", "answer"),
    [
        ("14.44.35211.0", True, ("ok", "new_enough", None)),
        ("14.40.33810.0", True, ("ok", "new_enough", None)),
        ("14.36.32532.0", True, ("fail", "old", "install")),
        (None, False, ("fail", "missing", "install")),
        (None, True, ("unknown", "unknown", "install")),
    ],
)
def test_the_visual_cpp_runtime(version, present, answer):
    runtime = msgspec.structs.replace(m.RUNTIME, vc_runtime_version=version, vc_runtime_present=present)
    assert verdict("vc_runtime", m.windows_one_radeon(windows_runtime=runtime)) == answer


def test_headers_for_miopen():
    assert verdict("msvc_headers", m.windows_one_radeon()) == ("warn", "missing", "install")
    bare = VisualStudio(name="Visual Studio 2022", path="C:\\VS")
    assert verdict("msvc_headers", m.windows_one_radeon(visual_studios=(bare,))) == ("warn", "without_cpp", "install")
    full = msgspec.structs.replace(bare, msvc_version="14.44.35207")
    assert verdict("msvc_headers", m.windows_one_radeon(visual_studios=(bare, full))) == ("ok", "found", None)
    assert verdict("msvc_headers", m.windows_no_amd()) is None


# --- already there ---------------------------------------------------------------------------------------------------


def test_hsa_override():
    value = {"HSA_OVERRIDE_GFX_VERSION": "11.0.0"}
    windows, linux = m.windows_one_radeon(variables=value), m.linux_one_radeon(variables=value)
    assert verdict("hsa_override", windows) == ("warn", "useless", "delete_windows")
    assert verdict("hsa_override", linux) == ("warn", "needless", "delete_linux")
    assert verdict("hsa_override", m.linux_one_radeon()) == ("ok", "unset", None)
    old = m.with_gpu(linux, gfx_target="gfx1101")
    needed = routes()["pytorch-rocm6.1"].needs_hsa_override
    assert needed["gfx1101"] == "11.0.0"
    assert verdict("hsa_override", old, route_id="pytorch-rocm6.1") == ("ok", "right", None)
    other = msgspec.structs.replace(old, variables={"HSA_OVERRIDE_GFX_VERSION": "10.3.0"})
    assert verdict("hsa_override", other, route_id="pytorch-rocm6.1") == ("warn", "wrong", "set_right")
    unset = msgspec.structs.replace(old, variables={})
    assert verdict("hsa_override", unset, route_id="pytorch-rocm6.1") == ("ok", "will_be_set", None)


def test_variables_that_hide_gpus():
    assert verdict("gpu_visibility", m.linux_one_radeon()) == ("ok", "unset", None)
    one = m.linux_one_radeon(variables={"HIP_VISIBLE_DEVICES": "0"})
    assert verdict("gpu_visibility", one) == ("warn", "limits", "delete_linux")
    for value in ("-1", ""):
        hidden = m.windows_one_radeon(variables={"CUDA_VISIBLE_DEVICES": value})
        assert verdict("gpu_visibility", hidden) == ("warn", "hides_all", "delete_windows")
    assert verdict("gpu_visibility", m.no_gpu(variables={"CUDA_VISIBLE_DEVICES": ""})) is None


def test_libraries_that_mix_with_those_of_the_wheels():
    assert verdict("hip_libraries", m.windows_one_radeon()) == ("ok", "driver_only", None)
    driver = (r"C:\Windows\System32\amdhip64_6.dll", r"C:\WINDOWS\system32\amdhip64_7.dll")
    runtime = msgspec.structs.replace(m.RUNTIME, hip_dlls=driver)
    assert verdict("hip_libraries", m.windows_one_radeon(windows_runtime=runtime)) == ("ok", "driver_only", None)
    sdk = (*driver, r"C:\Program Files\AMD\ROCm\7.2\bin\amdhip64_7.dll")
    mixed = m.windows_one_radeon(windows_runtime=msgspec.structs.replace(m.RUNTIME, hip_dlls=sdk))
    assert verdict("hip_libraries", mixed) == ("warn", "mixed", "remove_others")
    assert judge("hip_libraries", mixed).facts["folders"] == r"C:\Program Files\AMD\ROCm\7.2\bin"

    installed = m.windows_one_radeon(
        rocm_installs=(RocmInstall(kind="hip_sdk", path=r"C:\Program Files\AMD\ROCm\7.2", version="7.2"),),
        variables={"HIP_PATH": r"C:\Program Files\AMD\ROCm\7.2"},
    )
    assert verdict("hip_sdk", installed) == ("warn", "present", "uninstall")
    assert verdict("rocm_location", installed) == ("warn", "set", "delete_windows")
    assert verdict("hip_sdk", m.windows_one_radeon()) == ("ok", "absent", None)


def test_versions_of_rocm_in_the_system():
    def rocm(*versions):
        found = tuple(RocmInstall(kind="rocm", path=f"/opt/rocm-{version}", version=version) for version in versions)
        return m.linux_one_radeon(rocm_installs=found)

    assert verdict("rocm_versions", rocm()) == ("ok", "none", None)
    assert verdict("rocm_versions", rocm("10.1.0")) == ("ok", "one", None)
    assert verdict("rocm_versions", rocm("6.4.1")) == ("ok", "old_beside_wheels", None)
    assert verdict("rocm_versions", rocm("6.10.0", "6.2.0")) == ("warn", "several", "keep_one")
    assert judge("rocm_versions", rocm("6.10.0", "6.2.0")).facts["versions"] == "6.2.0, 6.10.0"


@pytest.mark.parametrize(
    ("config", "answer"),
    [
        (PipConfig(), ("ok", "plain", None)),
        (PipConfig(index_url="https://mirror.example/simple"), ("ok", "mirror", None)),
        (PipConfig(extra_index_urls=("https://other.example/simple",)), ("warn", "extra_index", "keep_apart")),
        (PipConfig(find_links=("/wheels",)), ("warn", "find_links", "keep_apart")),
        (PipConfig(constraint_files=("c.txt",)), ("warn", "constraints", "keep_apart_constraints")),
    ],
)
def test_pip_configurations(config, answer):
    assert verdict("pip_index", m.windows_one_radeon(pip_config=config)) == answer
    assert verdict("pip_index", m.no_gpu(pip_config=config))[0] == "ok"


def test_environments_that_cannot_use_the_gpu():
    cpu = TorchEnv(python="/a/bin/python", torch_version="2.13.0+cpu", build="cpu")
    rocm = TorchEnv(python="/b/bin/python", torch_version="2.14.0+rocm10.1.0", build="rocm", gfx_targets=("gfx1100",))
    other = msgspec.structs.replace(rocm, python="/c/bin/python", gfx_targets=("gfx1201",))
    assert verdict("torch_environments", m.linux_one_radeon()) is None
    assert verdict("torch_environments", m.linux_one_radeon(torch_envs=(cpu, rocm))) == (
        "warn",
        "wrong_build",
        "repair",
    )
    assert verdict("torch_environments", m.linux_one_radeon(torch_envs=(rocm,))) == ("ok", "right", None)
    assert verdict("torch_environments", m.linux_one_radeon(torch_envs=(other,))) == ("warn", "other_target", "repair")
    assert verdict("torch_environments", m.no_gpu(torch_envs=(cpu,))) is None


def test_a_proxy_is_told():
    assert verdict("proxy", m.linux_one_radeon()) is None
    machine = m.linux_one_radeon(variables={"HTTPS_PROXY": "http://proxy.example:3128"})
    assert judge("proxy", machine).facts == {"proxy": "http://proxy.example:3128"}
    assert judge("proxy", machine, proxy="http://other:1").facts == {"proxy": "http://other:1"}


@pytest.mark.parametrize(
    ("version", "least", "answer"),
    [
        ("26.10.1", "26.8.1", True),
        ("26.8.1", "26.8.1", True),
        ("26.8", "26.8.1", False),
        ("26.8", "26.8.0", True),
        ("v14.40.33810", "14.40", True),
        ("", "1", None),
        (None, "1", None),
        ("1", None, None),
    ],
)
def test_versions_are_compared_as_numbers(version, least, answer):
    assert at_least(version, least) is answer


def test_numbers_of_a_version():
    assert numbers("6.17.0-5-generic") == (6, 17, 0)
    assert numbers("none") is None
