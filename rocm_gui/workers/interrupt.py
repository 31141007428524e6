"""Sends Ctrl-C to a process that has a hidden console of its own: ``python interrupt.py PID``. Windows only.

Such an event reaches only the programs of one's own console, and attaching to another one means giving up one's own;
so this is a process of its own, started without a console. Exit code 0 where the event was sent.
https://learn.microsoft.com/windows/console/generateconsolectrlevent
"""

import sys

CTRL_C_EVENT = 0


def main() -> int:
    """Attach, send, leave."""
    if sys.platform != "win32":
        return 2
    import ctypes
    import time
    from ctypes import wintypes

    kernel32 = ctypes.WinDLL("kernel32")
    handler_type = ctypes.WINFUNCTYPE(wintypes.BOOL, wintypes.DWORD)
    stay = handler_type(lambda _event: True)  # the event comes to this process too
    kernel32.FreeConsole()
    if not kernel32.AttachConsole(int(sys.argv[1])) or not kernel32.SetConsoleCtrlHandler(stay, True):
        return 1
    if not kernel32.GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0):
        return 1
    time.sleep(0.05)  # its own copy arrives on another thread
    return 0


if __name__ == "__main__":
    sys.exit(main())
