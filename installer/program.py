"""The frozen program's first lines: which of the two it is, by its own name."""

import os
import sys
from pathlib import Path

if sys.stdout is None or sys.stderr is None:  # the one without a console has no standard streams on Windows
    nothing = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - lives as long as the program
    sys.stdout = sys.stdout or nothing
    sys.stderr = sys.stderr or nothing

from rocm_gui.cli import main, main_windowed

if __name__ == "__main__":
    sys.exit(main_windowed() if Path(sys.executable).stem.endswith("w") else main())
