"""Freezes the program and proves that the result runs: ``python installer/build.py [--clean]``.

Needs this project's requirements and its ``build`` extra in the Python that runs it, on the system that it builds for:
``pip install -e '.[build]'``. The result stands in ``dist/linux/rocm-gui`` or ``dist/windows/rocm-gui``: the two
programs, ``licenses`` and ``_internal``. On Linux, packages that Qt's X11 plugin needs must be there to be taken along
(Debian: libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-xkb1 libxkbcommon-x11-0). Exit code 0 only where
the frozen program passed its tests.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

INSTALLER = Path(__file__).resolve().parent
ROOT = INSTALLER.parent
SYSTEM = "windows" if sys.platform == "win32" else sys.platform
ENDING = ".exe" if sys.platform == "win32" else ""
TIME_LIMIT_S = 180


class BrokenBuildError(Exception):
    """The frozen program does not do what it must."""


def freeze(dist: Path, work: Path, *, clean: bool) -> Path:
    """Run PyInstaller; returns the folder of the frozen program."""
    if clean:
        shutil.rmtree(work, ignore_errors=True)
    command = [sys.executable, "-m", "PyInstaller", str(INSTALLER / "rocm_gui.spec"), "--noconfirm", "--log-level=WARN"]
    command += ["--distpath", str(dist), "--workpath", str(work), *(["--clean"] if clean else [])]
    subprocess.run(command, check=True, cwd=ROOT)
    return dist / "rocm-gui"


def size_bytes(folder: Path) -> int:
    """All files below ``folder``; a linked file counts once."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def ask(program: Path, *arguments: str, home: Path) -> tuple[str, str]:
    """Run the frozen program; standard output and error.

    Raises:
        BrokenBuildError: where it does not end with 0 in time.
    """
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    env["ROCM_GUI_HOME"] = str(home)
    if sys.platform.startswith("linux"):
        env.setdefault("QT_QPA_PLATFORM", "offscreen")

    def once() -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [str(program), *arguments],
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIME_LIMIT_S,
            check=False,
        )

    try:
        try:
            answer = once()
        except subprocess.TimeoutExpired:
            print(f"{program.name} {' '.join(arguments)}: no end after {TIME_LIMIT_S} s; once more")
            answer = once()  # under Wine a child of a first start stays suspended now and then
    except subprocess.TimeoutExpired as error:
        raise BrokenBuildError(f"{program.name} {' '.join(arguments)}: no end after {TIME_LIMIT_S} s") from error
    out, err = (data.decode("utf-8", "replace") for data in (answer.stdout, answer.stderr))
    if answer.returncode != 0:
        raise BrokenBuildError(f"{program.name} {' '.join(arguments)}: exit code {answer.returncode}\n{out}{err}")
    return out, err


def prove(folder: Path) -> None:
    """What every build must pass before anybody gets it.

    Raises:
        BrokenBuildError: where it does not.
    """
    console, windowed = (folder / f"rocm-gui{letter}{ENDING}" for letter in ("", "w"))
    with tempfile.TemporaryDirectory(prefix="rocm-gui-build-") as place:
        home = Path(place)
        out, _ = ask(console, "--version", home=home)
        print(out.strip())
        document = json.loads(ask(console, "check", "--json", home=home)[0])
        if document["schema"] != 1 or not document["checks"]:
            raise BrokenBuildError("check --json answers without checks")
        for program in (console, windowed):
            started = time.monotonic()
            _, err = ask(program, "--smoke-test", home=home)
            if err.strip():
                raise BrokenBuildError(f"{program.name} --smoke-test wrote to standard error:\n{err}")
            print(f"{program.name} --smoke-test: {time.monotonic() - started:.1f} s")
    for needed in ("licenses/INDEX.txt", "_internal/workers/verify.py", "_internal/resources/data/routes.toml"):
        if not (folder / needed).is_file():
            raise BrokenBuildError(f"{needed} is missing")


def main() -> int:
    """Freeze, prove, tell the size."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("--clean", action="store_true", help="throw away what earlier builds left")
    parser.add_argument(
        "--dist", type=Path, default=ROOT / "dist" / SYSTEM, metavar="DIR", help="where the result goes"
    )
    parser.add_argument("--work", type=Path, default=ROOT / "build" / SYSTEM, metavar="DIR", help="intermediate files")
    args = parser.parse_args()
    started = time.monotonic()
    folder = freeze(args.dist.absolute(), args.work.absolute(), clean=args.clean)
    files = sum(1 for path in folder.rglob("*") if path.is_file())
    print(f"{folder}: {size_bytes(folder) / 1e6:.1f} MB, {files} files, {time.monotonic() - started:.0f} s")
    try:
        prove(folder)
    except BrokenBuildError as error:
        print(f"BROKEN: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
