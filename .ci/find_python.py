"""Prints an interpreter of exactly the version asked for, where one is installed; exit code 1 where none is."""

import glob
import os
import shutil
import subprocess
import sys


def main():
    """Look on the path and in pyenv; a shim that does not run is no interpreter."""
    version = sys.argv[1]
    places = [shutil.which(f"python{version}")]
    pyenv = os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv"))
    places += sorted(glob.glob(f"{pyenv}/versions/{version}.*/bin/python{version}"))
    for place in filter(None, places):
        probe = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
        answer = subprocess.run([place, "-c", probe], capture_output=True, text=True, check=False)
        if answer.returncode == 0 and answer.stdout.strip() == version:
            print(place)
            return
    sys.exit(1)


if __name__ == "__main__":
    main()
