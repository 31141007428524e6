"""``python -m rocm_gui`` is the same program as ``rocm-gui``."""

import sys

from rocm_gui.cli import main

if __name__ == "__main__":
    sys.exit(main())
