"""The libraries' own words are recognised; the lines are as the libraries print them."""

import pytest

from rocm_gui.core.faults import fault_of_crash, fault_of_exception, fault_of_timeout, recognise

LINES = [
    ("ModuleNotFoundError: No module named 'torch'", "torch_missing", "torch_install", {}),
    ("ModuleNotFoundError: No module named 'sympy'", "module_missing", "torch_install", {"library": "sympy"}),
    (
        "ImportError: libamdhip64.so.7: cannot open shared object file: No such file or directory",
        "library_missing",
        "libraries",
        {"library": "libamdhip64.so.7"},
    ),
    (
        "FileNotFoundError: Could not find module 'amdhip64_7.dll' (or one of its dependencies).",
        "library_missing",
        "libraries",
        {"library": "amdhip64_7.dll"},
    ),
    (
        r'OSError: [WinError 126] The specified module could not be found. Error loading "C:\e\torch\lib\c10.dll"',
        "library_missing",
        "libraries",
        {"library": r"C:\e\torch\lib\c10.dll"},
    ),
    (
        r'OSError: [WinError 126] 找不到指定的模块。 Error loading "C:\用户\torch\lib\shm.dll" or one of',
        "library_missing",
        "libraries",
        {"library": r"C:\用户\torch\lib\shm.dll"},
    ),
    (
        r'OSError: [WinError 127] The specified procedure was not found. Error loading "C:\e\torch\lib\torch_hip.dll"',
        "library_mismatch",
        "libraries",
        {"library": r"C:\e\torch\lib\torch_hip.dll"},
    ),
    (
        "ImportError: libtorch_hip.so: undefined symbol: hipGetDevicePropertiesR0600",
        "library_mismatch",
        "libraries",
        {"library": "hipGetDevicePropertiesR0600"},
    ),
    ("OSError: [WinError 1455] The paging file is too small for this operation", "page_file", "memory", {}),
    ("OSError: [WinError 4551] An Application Control policy has blocked this file", "app_control", "libraries", {}),
    ("OSError: [WinError 193] %1 is not a valid Win32 application", "library_broken", "libraries", {}),
    ("torch.OutOfMemoryError: HIP out of memory. Tried to allocate 20.00 GiB.", "out_of_memory", "memory", {}),
    (
        "RuntimeError: [enforce fail] DefaultCPUAllocator: can't allocate memory: tried to allocate 36028797 bytes.",
        "out_of_memory",
        "memory",
        {"bytes": "36028797"},
    ),
    ("torch.AcceleratorError: HIP error: invalid device function", "no_kernel", "torch_install", {}),
    ("RuntimeError: HIP error: no kernel image is available for execution", "no_kernel", "torch_install", {}),
    ("rocBLAS error: Cannot read C:\\x\\TensileLibrary.dat: Illegal seek", "tensile_missing", "gemm", {}),
    ("RuntimeError: No HIP GPUs are available", "no_device", "runtime", {}),
    ("torch.AcceleratorError: CUDA error: invalid device ordinal", "device_missing", "device", {}),
    ("Unable to open /dev/kfd read-write: Permission denied", "kfd_denied", "driver", {}),
    ("Memory access fault by GPU node-1 (Agent handle: 0x55)", "gpu_fault", None, {}),
    ("HIP error: unspecified launch failure hipErrorLaunchFailure", "gpu_reset", "driver", {}),
    ("/tmp/comgr/input:1: fatal error: 'type_traits' file not found", "miopen_compile", "miopen", {}),
    ("MIOpen(HIP): Error Cannot open database file:C:\\Users\\张三\\.miopen", "miopen_database", "miopen", {}),
    ("RuntimeError: miopenStatusUnknownError", "miopen_error", "miopen", {}),
    ("RuntimeError: CUDA error: HIPBLAS_STATUS_INTERNAL_ERROR", "blas_error", "gemm", {}),
]


@pytest.mark.parametrize(
    ("text", "code", "layer", "facts"), LINES, ids=[f"{i}-{line[1]}" for i, line in enumerate(LINES)]
)
def test_lines_of_the_libraries(text: str, code: str, layer: str | None, facts: dict[str, str]) -> None:
    fault = recognise(text)
    assert fault is not None
    assert (fault.code, fault.layer, fault.facts) == (code, layer, facts)
    assert fault.message.startswith(text[:50])


def test_a_cause_on_standard_error_beats_its_consequence_in_the_exception() -> None:
    stderr = "warning: x\n/tmp/comgr/input:1: fatal error: 'type_traits' file not found\n1 error generated."
    fault = fault_of_exception("RuntimeError", "RuntimeError: miopenStatusUnknownError", stderr)
    assert fault.code == "miopen_compile"
    assert fault.message == "/tmp/comgr/input:1: fatal error: 'type_traits' file not found"


def test_an_unknown_exception_keeps_its_words() -> None:
    fault = fault_of_exception("ValueError", "ValueError: something new\nsecond line")
    assert (fault.code, fault.layer, fault.facts) == ("exception", None, {"kind": "ValueError"})
    assert fault.message == "ValueError: something new\nsecond line"


def test_a_crash_is_explained_and_its_last_words_kept() -> None:
    fault = fault_of_crash(-11, "loading\nlast words\n")
    assert (fault.code, fault.layer, fault.exit_code) == ("crash", None, -11)
    assert fault.facts == {"exit_code": -11, "crash": "access_violation", "shown": "SIGSEGV"}
    assert fault.message == "last words"


def test_a_crash_whose_cause_is_printed() -> None:
    fault = fault_of_crash(-6, "Memory access fault by GPU node-1\nAborted")
    assert (fault.code, fault.exit_code, fault.facts["shown"]) == ("gpu_fault", -6, "SIGABRT")


def test_an_end_without_words() -> None:
    assert fault_of_crash(0).code == "ended"
    assert fault_of_crash(None).facts == {"exit_code": None}


def test_a_missing_dll_is_told_by_the_exit_code_alone() -> None:
    assert fault_of_crash(0xC0000135).layer == "libraries"


def test_a_time_limit() -> None:
    assert fault_of_timeout(600.0).facts == {"limit_s": 600.0}
