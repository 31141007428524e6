"""Windows Job objects: every process that a child starts dies with the job, even when we are killed ourselves."""

from __future__ import annotations

import sys
import time

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    # https://learn.microsoft.com/windows/win32/api/winnt/ns-winnt-jobobject_extended_limit_information
    _KILL_ON_JOB_CLOSE = 0x2000
    _DIE_ON_UNHANDLED_EXCEPTION = 0x0400  # no "has stopped working" box that would keep a crashed child alive
    _BASIC_ACCOUNTING_INFORMATION = 1
    _EXTENDED_LIMIT_INFORMATION = 9
    _FAIL_CRITICAL_ERRORS = 0x0001  # no box "X.dll was not found": the exit code 0xC0000135 says it
    _NO_OPEN_FILE_ERROR_BOX = 0x8000

    class _BasicLimits(ctypes.Structure):
        _fields_ = (
            ("PerProcessUserTimeLimit", ctypes.c_int64),
            ("PerJobUserTimeLimit", ctypes.c_int64),
            ("LimitFlags", wintypes.DWORD),
            ("MinimumWorkingSetSize", ctypes.c_size_t),
            ("MaximumWorkingSetSize", ctypes.c_size_t),
            ("ActiveProcessLimit", wintypes.DWORD),
            ("Affinity", ctypes.c_size_t),
            ("PriorityClass", wintypes.DWORD),
            ("SchedulingClass", wintypes.DWORD),
        )

    class _ExtendedLimits(ctypes.Structure):
        _fields_ = (
            ("BasicLimitInformation", _BasicLimits),
            ("IoInfo", ctypes.c_uint64 * 6),
            ("ProcessMemoryLimit", ctypes.c_size_t),
            ("JobMemoryLimit", ctypes.c_size_t),
            ("PeakProcessMemoryUsed", ctypes.c_size_t),
            ("PeakJobMemoryUsed", ctypes.c_size_t),
        )

    class _Accounting(ctypes.Structure):
        _fields_ = (
            ("TotalUserTime", ctypes.c_int64),
            ("TotalKernelTime", ctypes.c_int64),
            ("ThisPeriodTotalUserTime", ctypes.c_int64),
            ("ThisPeriodTotalKernelTime", ctypes.c_int64),
            ("TotalPageFaultCount", wintypes.DWORD),
            ("TotalProcesses", wintypes.DWORD),
            ("ActiveProcesses", wintypes.DWORD),
            ("TotalTerminatedProcesses", wintypes.DWORD),
        )

    def _kernel32() -> ctypes.WinDLL:
        dll = ctypes.WinDLL("kernel32", use_last_error=True)
        dll.CreateJobObjectW.argtypes = (ctypes.c_void_p, wintypes.LPCWSTR)
        dll.CreateJobObjectW.restype = wintypes.HANDLE
        dll.SetInformationJobObject.argtypes = (wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD)
        dll.QueryInformationJobObject.argtypes = (
            wintypes.HANDLE,
            ctypes.c_int,
            ctypes.c_void_p,
            wintypes.DWORD,
            ctypes.c_void_p,
        )
        dll.AssignProcessToJobObject.argtypes = (wintypes.HANDLE, wintypes.HANDLE)
        dll.TerminateJobObject.argtypes = (wintypes.HANDLE, wintypes.UINT)
        dll.CloseHandle.argtypes = (wintypes.HANDLE,)
        return dll

    class JobObject:
        """One Job object with kill-on-close. Threads may share it; ``close`` kills what is left in it."""

        def __init__(self) -> None:
            self._dll = _kernel32()
            self._handle = self._dll.CreateJobObjectW(None, None)
            if not self._handle:
                raise ctypes.WinError(ctypes.get_last_error())
            limits = _ExtendedLimits()
            limits.BasicLimitInformation.LimitFlags = _KILL_ON_JOB_CLOSE | _DIE_ON_UNHANDLED_EXCEPTION
            if not self._dll.SetInformationJobObject(
                self._handle, _EXTENDED_LIMIT_INFORMATION, ctypes.byref(limits), ctypes.sizeof(limits)
            ):
                error = ctypes.WinError(ctypes.get_last_error())
                self.close()
                raise error

        def adopt(self, process_handle: int) -> None:
            """Put a process (all it starts from now on included) into the job.

            Raises:
                OSError: where Windows refuses.
            """
            if not self._dll.AssignProcessToJobObject(self._handle, process_handle):
                raise ctypes.WinError(ctypes.get_last_error())

        def active(self) -> int | None:
            """How many processes of the job run; None when Windows does not say."""
            if not self._handle:
                return 0
            accounting = _Accounting()
            done = self._dll.QueryInformationJobObject(
                self._handle, _BASIC_ACCOUNTING_INFORMATION, ctypes.byref(accounting), ctypes.sizeof(accounting), None
            )
            return int(accounting.ActiveProcesses) if done else None

        def terminate(self, exit_code: int = 1) -> None:
            """Kill every process of the job."""
            if self._handle:
                self._dll.TerminateJobObject(self._handle, exit_code)

        def wait_empty(self, timeout_s: float) -> bool:
            """Whether the job was empty within the time."""
            deadline = time.monotonic() + timeout_s
            while self.active():
                if time.monotonic() > deadline:
                    return False
                time.sleep(0.01)
            return True

        def close(self) -> None:
            """Close the handle, which kills what still runs in the job."""
            handle, self._handle = self._handle, None
            if handle:
                self._dll.CloseHandle(handle)

    def resume_process(process_handle: int) -> None:
        """Let a process run that was created suspended.

        Raises:
            OSError: where Windows refuses.
        """
        ntdll = ctypes.WinDLL("ntdll")
        ntdll.NtResumeProcess.argtypes = (wintypes.HANDLE,)
        ntdll.NtResumeProcess.restype = ctypes.c_long
        status = int(ntdll.NtResumeProcess(process_handle))
        if status < 0:
            raise OSError(f"NtResumeProcess: 0x{status & 0xFFFFFFFF:08x}")

    def prepare_process() -> None:
        """Set what children inherit from us: no error boxes, and not a frozen program's own DLL folder."""
        dll = ctypes.WinDLL("kernel32")
        dll.SetErrorMode(dll.GetErrorMode() | _FAIL_CRITICAL_ERRORS | _NO_OPEN_FILE_ERROR_BOX)
        if getattr(sys, "frozen", False):
            dll.SetDllDirectoryW(None)  # PyInstaller sets it, and a foreign python.exe would load our DLLs
