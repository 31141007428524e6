"""Prints requirement lists taken from pyproject.toml: lint, build, qt-free, windows-lab."""

import re
import sys
from pathlib import Path

import tomllib


def main():
    """Print the list that the command line names."""
    project = tomllib.loads((Path(__file__).resolve().parent.parent / "pyproject.toml").read_text("utf-8"))["project"]
    runtime, extras = project["dependencies"], project["optional-dependencies"]
    no_qt = [item for item in runtime if not re.match(r"(?i)pyside|pyqtgraph", item)]
    tools = [item for item in extras["test"] if not re.match(r"(?i)torch|pytest-qt", item)]
    lists = {
        "lint": extras["lint"] + runtime,
        "build": extras["build"],
        "qt-free": no_qt + tools,
        "windows-lab": [*no_qt, *tools, "pytest-qt>=4.5"],
    }
    print("\n".join(lists[sys.argv[1]]))


if __name__ == "__main__":
    main()
