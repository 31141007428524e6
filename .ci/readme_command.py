"""Prints the command that the README gives for ``start`` or ``test``: the fenced block after its marker comment."""

import re
import sys
from pathlib import Path


def main():
    """Find the block; a README without it fails the build."""
    text = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")
    found = re.search(rf"<!-- command: {sys.argv[1]} -->\s*```\w*\n(.*?)```", text, re.DOTALL)
    if found is None:
        sys.exit(f"the README has no command {sys.argv[1]}")
    print(found.group(1).strip())


if __name__ == "__main__":
    main()
