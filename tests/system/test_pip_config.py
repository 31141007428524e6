import os
import subprocess
import sys
from pathlib import Path

import pytest
from sources_builder import make_sources, write

from rocm_gui.core.model import PipConfig
from rocm_gui.system.pip_config import config_files, pip_cache_folder, read_pip_config
from rocm_gui.system.windows.registry import MemoryRegistry

posix = pytest.mark.skipif(sys.platform == "win32", reason="folders in the layout of Linux")


def test_nothing_configured(tmp_path: Path) -> None:
    assert read_pip_config(make_sources(tmp_path)) == PipConfig()


@posix
def test_later_files_replace_and_install_outranks_global(tmp_path: Path) -> None:
    sources = make_sources(tmp_path, environ={"VIRTUAL_ENV": str(tmp_path / "venv")})
    system = write(
        tmp_path / "etc/pip.conf", "[global]\nindex-url = https://one.example/simple\nproxy = http://me:pw@p:3128\n"
    )
    old = write(sources.home / ".pip/pip.conf", "[global]\nextra_index_url = https://old.example/simple\n")
    new = write(
        sources.home / ".config/pip/pip.conf",
        "[global]\nextra-index-url =\n    https://a:b@two.example/simple\n    https://three.example/simple\n"
        "find-links = /wheels\n"
        "[install]\nindex-url = https://four.example/simple\n[list]\nindex-url = https://never.example\n",
    )
    site = write(
        tmp_path / "venv/pip.conf", "[global]\nconstraint = /c.txt\nindex-url = https://loses.example/simple\n"
    )
    assert read_pip_config(sources) == PipConfig(
        files=(str(system), str(old), str(new), str(site)),
        index_url="https://four.example/simple",
        extra_index_urls=("https://***@two.example/simple", "https://three.example/simple"),
        find_links=("/wheels",),
        constraint_files=("/c.txt",),
        proxy="http://***@p:3128",
    )


@posix
def test_variables_outrank_files(tmp_path: Path) -> None:
    environ = {
        "PIP_INDEX_URL": "https://token@variable.example/simple",
        "PIP_EXTRA_INDEX_URL": "https://x.example https://y.example",
        "PIP_CONSTRAINT": "/a.txt /b.txt",
        "PIP_CACHE_DIR": "/cache",
        "PIP_FIND_LINKS": "",
    }
    sources = make_sources(tmp_path, environ=environ)
    write(tmp_path / "etc/pip.conf", "[install]\nindex-url = https://file.example/simple\nfind-links = /wheels\n")
    found = read_pip_config(sources)
    assert found.index_url == "https://***@variable.example/simple"
    assert found.extra_index_urls == ("https://x.example", "https://y.example")
    assert found.constraint_files == ("/a.txt", "/b.txt")
    assert found.find_links == ("/wheels",)
    assert (found.cache_dir, pip_cache_folder(found, sources)) == ("/cache", "/cache")


@posix
def test_a_named_file_stands_in_for_the_users(tmp_path: Path) -> None:
    mine = write(tmp_path / "mine.conf", "[global]\nindex-url = https://mine.example\n")
    sources = make_sources(tmp_path, environ={"PIP_CONFIG_FILE": str(mine)})
    write(sources.home / ".config/pip/pip.conf", "[global]\nextra-index-url = https://user.example\n")
    system = write(tmp_path / "etc/pip.conf", "[global]\nindex-url = https://system.example\n")
    found = read_pip_config(sources)
    assert found.files == (str(system), str(mine))
    assert (found.index_url, found.extra_index_urls) == ("https://mine.example", ())


@posix
def test_the_null_device_switches_files_off(tmp_path: Path) -> None:
    sources = make_sources(tmp_path, environ={"PIP_CONFIG_FILE": os.devnull, "PIP_PROXY": "http://p:1"})
    write(tmp_path / "etc/pip.conf", "[global]\nindex-url = https://system.example\n")
    assert read_pip_config(sources) == PipConfig(proxy="http://p:1")


@posix
def test_a_broken_file_is_named(tmp_path: Path) -> None:
    broken = write(tmp_path / "etc/pip.conf", "index-url = https://no.section\n")
    with pytest.raises(ValueError, match=str(broken)):
        read_pip_config(make_sources(tmp_path))


@posix
def test_a_byte_order_mark_and_percent_signs_are_taken(tmp_path: Path) -> None:
    write(tmp_path / "etc/pip.conf", "\ufeff[global]\nindex-url = https://a.example/%20x\n")
    assert read_pip_config(make_sources(tmp_path)).index_url == "https://a.example/%20x"


@posix
def test_the_same_as_pip_itself(tmp_path: Path) -> None:
    """pip lists its options after the same merge."""
    sources = make_sources(tmp_path)
    write(sources.home / ".pip/pip.conf", "[global]\nindex-url = https://old.example/simple\nfind-links = /old\n")
    write(sources.home / ".config/pip/pip.conf", "[global]\nindex-url = https://new.example/simple\n")
    named = {"HOME": str(sources.home), "PIP_EXTRA_INDEX_URL": "https://x.example", "XDG_CONFIG_DIRS": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"],
        env=named | {"PATH": os.environ["PATH"], "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    listed = dict(line.split("=", 1) for line in done.stdout.splitlines())
    found = read_pip_config(make_sources(tmp_path, environ=named))
    assert repr(found.index_url) == listed["global.index-url"]
    assert repr(found.find_links[0]) == listed["global.find-links"]
    assert repr(found.extra_index_urls[0]) == listed[":env:.extra-index-url"]


def test_places_on_windows(tmp_path: Path) -> None:
    environ = {"APPDATA": "C:\\Users\\li\\AppData\\Roaming", "PROGRAMDATA": "C:\\ProgramData", "LOCALAPPDATA": "C:\\L"}
    sources = make_sources(tmp_path, platform="win32", environ=environ)
    places = [str(path).replace(str(sources.home), "HOME").replace("/", "\\") for path in config_files(sources)]
    assert places == [
        "C:\\ProgramData\\pip\\pip.ini",
        "HOME\\pip\\pip.ini",
        "C:\\Users\\li\\AppData\\Roaming\\pip\\pip.ini",
    ]
    assert pip_cache_folder(None, sources) == "C:\\L\\pip\\Cache"


def test_a_variable_set_with_setx_counts_at_once(tmp_path: Path) -> None:
    registry = MemoryRegistry({"HKCU\\Environment": {"PIP_INDEX_URL": "https://mirror.example/simple"}})
    sources = make_sources(tmp_path, platform="win32", registry=registry, environ={"PIP_CONFIG_FILE": "nul"})
    assert read_pip_config(sources) == PipConfig(index_url="https://mirror.example/simple")


@posix
def test_default_cache_folders(tmp_path: Path) -> None:
    sources = make_sources(tmp_path)
    assert pip_cache_folder(PipConfig(), sources) == str(sources.home / ".cache/pip")
    other = make_sources(tmp_path, environ={"XDG_CACHE_HOME": "/x"})
    assert pip_cache_folder(None, other) == "/x/pip"
