"""What the user's own pip configuration says, read as pip reads it, without running pip.

Order (a later one wins): the system's files, the user's old and new file, the active environment's file, the
file named by ``PIP_CONFIG_FILE`` (instead of the user's), then ``PIP_*`` variables. Within the files ``[install]``
wins over ``[global]``. See pip's documentation, "Configuration"; ``pip._internal.configuration`` of pip 24 to 26.
"""

from __future__ import annotations

import configparser
import locale
import ntpath
import os
from pathlib import Path
from typing import TYPE_CHECKING

from rocm_gui.core.model import PipConfig
from rocm_gui.core.redact import mask_secrets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocm_gui.system.sources import Sources

SECTIONS = ("global", "install")


def read_pip_config(sources: Sources) -> PipConfig:
    """The options that decide where packages come from; credentials in URLs are masked.

    Raises:
        ValueError: for a file that pip could not read either, with its path.
    """
    files = [path for path in config_files(sources) if path.is_file()]
    options = _merged(files)
    for name, value in _pip_variables(sources).items():
        if value:
            options[_normal(name[4:])] = value
    return PipConfig(
        files=tuple(str(path) for path in files),
        index_url=_masked(options.get("index-url") or options.get("pypi-url")),
        extra_index_urls=_several(options.get("extra-index-url")),
        find_links=_several(options.get("find-links")),
        constraint_files=_several(options.get("constraint")),
        cache_dir=options.get("cache-dir"),
        proxy=_masked(options.get("proxy")),
        cert=options.get("cert"),
    )


def config_files(sources: Sources) -> list[Path]:
    """The places of pip's files, the strongest last; they need not exist."""
    environ, home = sources.environ, sources.home
    named = _pip_variables(sources).get("PIP_CONFIG_FILE")
    if named is not None and named.lower() == ("nul" if sources.windows else os.devnull):
        return []
    places = [*_system_files(sources)]
    if not (named and Path(named).exists()):
        places += _user_files(sources, home)
    if environ.get("VIRTUAL_ENV"):
        places.append(Path(environ["VIRTUAL_ENV"], _name(sources)))
    if named:
        places.append(Path(named))
    return list(dict.fromkeys(places))


def pip_cache_folder(config: PipConfig | None, sources: Sources) -> str:
    """Where pip keeps its cache: as configured, else its default place."""
    if config is not None and config.cache_dir:
        return config.cache_dir
    environ, home = sources.environ, sources.home
    if sources.windows:
        local = environ.get("LOCALAPPDATA") or ntpath.join(str(home), "AppData", "Local")
        return ntpath.join(local, "pip", "Cache")
    return str(Path(environ.get("XDG_CACHE_HOME") or home / ".cache") / "pip")


def _name(sources: Sources) -> str:
    return "pip.ini" if sources.windows else "pip.conf"


def _system_files(sources: Sources) -> list[Path]:
    if sources.windows:
        data = sources.environ.get("PROGRAMDATA") or sources.environ.get("ProgramData") or "C:\\ProgramData"
        return [Path(ntpath.join(data, "pip", "pip.ini"))]
    xdg = sources.environ.get("XDG_CONFIG_DIRS")
    folders = [Path(entry) for entry in xdg.split(":") if entry] if xdg else [sources.etc_root / "xdg"]
    return [*(folder / "pip" / "pip.conf" for folder in folders), sources.etc_root / "pip.conf"]


def _user_files(sources: Sources, home: Path) -> list[Path]:
    if sources.windows:
        roaming = sources.environ.get("APPDATA") or ntpath.join(str(home), "AppData", "Roaming")
        return [Path(ntpath.join(str(home), "pip", "pip.ini")), Path(ntpath.join(roaming, "pip", "pip.ini"))]
    config = Path(sources.environ.get("XDG_CONFIG_HOME") or home / ".config")
    return [home / ".pip" / "pip.conf", config / "pip" / "pip.conf"]


def _pip_variables(sources: Sources) -> dict[str, str]:
    """``PIP_*`` variables, on Windows also those set for the next process (``setx``)."""
    from rocm_gui.system.variables import environment

    return {key: value for key, value in environment(sources).items() if key.startswith("PIP_")}


def _merged(files: Iterable[Path]) -> dict[str, str]:
    sections: dict[str, dict[str, str]] = {name: {} for name in SECTIONS}
    for path in files:
        parser = configparser.RawConfigParser()
        try:
            parser.read_string(_text(path), source=str(path))
        except (configparser.Error, OSError) as error:
            raise ValueError(f"{path}: {error}") from error
        for section in SECTIONS:
            if parser.has_section(section):
                sections[section] |= {_normal(name): value for name, value in parser.items(section)}
    return {name: value for section in SECTIONS for name, value in sections[section].items() if value}


def _text(path: Path) -> str:
    """A file in UTF-8, or in the system's code page as pip itself writes it on Windows."""
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode(locale.getpreferredencoding(do_setlocale=False), errors="replace")


def _normal(name: str) -> str:
    return name.lower().replace("_", "-").removeprefix("--")


def _masked(value: str | None) -> str | None:
    return mask_secrets(value.strip()) if value else None


def _several(value: str | None) -> tuple[str, ...]:
    return tuple(mask_secrets(part) for part in (value or "").split())
