"""Where the product keeps its things, and where its resources stand."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path

import platformdirs

APP = "rocm_gui"
ROOT_VARIABLE = "ROCM_GUI_HOME"  # puts every folder of the product below one root: tests, portable use


@dataclass(frozen=True)
class Paths:
    """Every folder of the product. Nothing is created until something is written."""

    config: Path
    data: Path
    cache: Path
    logs: Path
    resources: Path
    workers: Path

    @property
    def settings_file(self) -> Path:
        """The settings as TOML."""
        return self.config / "settings.toml"

    @property
    def user_routes_file(self) -> Path:
        """Routes that the user added."""
        return self.config / "routes.toml"

    @property
    def setups(self) -> Path:
        """One folder a setup: its plan and its journal."""
        return self.data / "setups"

    @property
    def jobs(self) -> Path:
        """One ``.jsonl`` and one ``.stderr`` a job."""
        return self.data / "jobs"

    @property
    def downloads(self) -> Path:
        """Wheels and their ``.part`` files."""
        return self.cache / "downloads"


def find_resources() -> Path:
    """The resources folder: frozen program, source tree or installed wheel.

    Raises:
        FileNotFoundError: where the installation is incomplete.
    """
    package = Path(__file__).resolve().parent.parent
    frozen = getattr(sys, "_MEIPASS", None)
    places = [Path(frozen) / "resources"] if frozen else []
    places += [package.parent / "resources", package / "resources"]
    for place in places:
        if (place / "data").is_dir():
            return place
    raise FileNotFoundError(f"resources not found in {', '.join(map(str, places))}")


def find_workers() -> Path:
    """The folder of the worker programs, as real files."""
    frozen = getattr(sys, "_MEIPASS", None)
    if frozen:
        return Path(frozen) / "workers"
    return Path(__file__).resolve().parent.parent / "workers"


def default_paths(root: Path | None = None) -> Paths:
    """The product's folders: below ``root`` or ``ROCM_GUI_HOME`` where given, else the system's own places."""
    override = root or (Path(os.environ[ROOT_VARIABLE]) if os.environ.get(ROOT_VARIABLE) else None)
    if override is not None:
        base = override.absolute()
        config, data, cache, logs = base / "config", base / "data", base / "cache", base / "logs"
    else:
        dirs = platformdirs.PlatformDirs(APP, appauthor=False, roaming=False)
        config, data = Path(dirs.user_config_dir), Path(dirs.user_data_dir)
        cache, logs = Path(dirs.user_cache_dir), Path(dirs.user_log_dir)
    return Paths(config, data, cache, logs, find_resources(), find_workers())
