"""Python interpreters: found in the places they live in, asked by a tiny child, judged as a base for a new one.

Nothing of a found Python's site-packages runs: the child starts with ``-E -s -S``.
"""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec

from rocm_gui.core.model import PythonInstall
from rocm_gui.system.parallel import map_in_threads
from rocm_gui.system.process import child_env
from rocm_gui.system.pyplaces import posix_candidates, venv_base, venv_folder

if TYPE_CHECKING:
    from rocm_gui.system.pyplaces import Kind
    from rocm_gui.system.sources import Sources

LIMIT_S = 5.0
MOST_CHILDREN = 16  # at once: a few that hang must not hold the others beyond the time of the whole probe
# Runs on every Python from 2.6 on and imports next to nothing, so that a dozen of them answer in a moment. ``sys``
# is built in; sys.path loses its first entry (the current folder) before anything is imported. ``repr`` on
# Python 2 and ``ascii`` on 3 print the same literal, pure ASCII, whatever the console's encoding.
QUESTION = """
import sys
sys.path[:] = sys.path[1:]
def there(name):
    try:
        from importlib.machinery import PathFinder
        return PathFinder.find_spec(name) is not None
    except Exception:
        return False
implementation = getattr(sys, "implementation", None)
answer = {
    "numbers": tuple(sys.version_info), "bits": 64 if sys.maxsize > 2**32 else 32, "text": sys.version,
    "prefix": sys.prefix, "base_prefix": getattr(sys, "base_prefix", sys.prefix),
    "implementation": implementation.name if implementation else "python2",
    "venv": there("venv"), "ensurepip": there("ensurepip"),
}
print(repr(answer) if sys.version_info[0] < 3 else ascii(answer))
"""


class Answer(msgspec.Struct):
    """What the child prints."""

    numbers: tuple[int, int, int, str, int]
    bits: int
    prefix: str
    base_prefix: str
    implementation: str
    text: str
    venv: bool
    ensurepip: bool

    @property
    def version(self) -> str:
        """As in "3.12.7" or "3.15.0b2"."""
        major, minor, micro, level, serial = self.numbers
        marks = {"alpha": "a", "beta": "b", "candidate": "rc"}
        return f"{major}.{minor}.{micro}" + (f"{marks[level]}{serial}" if level in marks else "")


class _Found(NamedTuple):
    path: str
    kind: Kind
    venv: str | None  # root folder of the venv that it belongs to


def find_pythons(sources: Sources, chosen: str | None = None) -> tuple[PythonInstall, ...]:
    """Every interpreter found, each once; those that may be offered first, newest first.

    Args:
        sources: where to look.
        chosen: an interpreter named by the person; it is looked at wherever it stands and keeps its spelling.
    """
    pairs: list[tuple[str, Kind]] = [(chosen, "other")] if chosen else []
    if sources.windows:
        from rocm_gui.system.windows.pythons import candidates

        registry = sources.registry
        if registry is None:
            raise LookupError("no registry among the sources")
        pairs += candidates(registry, sources.environ, sources.run)
        if sources.executable:
            pairs.append((sources.executable, "other"))
    else:
        pairs += posix_candidates(sources)
    found = _distinct(_with_bases(pairs, windows=sources.windows), chosen)
    answers = map_in_threads(lambda one: _look(one, sources), found, workers=MOST_CHILDREN)
    return tuple(sorted(_venvs_judged(answers), key=_rank))


def probe_python(path: str, sources: Sources, kind: Kind = "other") -> PythonInstall:
    """One interpreter, wherever it stands."""
    venv = venv_folder(path)
    return _look(_Found(path, "venv" if venv else kind, venv), sources)


def _with_bases(pairs: list[tuple[str, Kind]], *, windows: bool) -> list[_Found]:
    """The candidates, each venv followed by the interpreter that it was made from."""
    found: list[_Found] = []
    for path, kind in pairs:
        venv = None if kind == "store_alias" else venv_folder(path)
        found.append(_Found(path, "venv" if venv else kind, venv))
        base = venv_base(venv, windows=windows) if venv else None
        if base:
            found.append(_Found(base, kind_of_place(base, windows=windows), None))
    return found


def kind_of_place(path: str, *, windows: bool) -> Kind:
    """The kind that the place of an interpreter speaks for."""
    text = path.replace("\\", "/").lower()
    if "/.pyenv/" in text or "/pyenv-win/" in text or "/pyenv/versions/" in text:
        return "pyenv"
    if "/uv/python/" in text:
        return "uv"
    if re.search(r"/(?:[a-z]*conda\d*|miniforge\d*|mambaforge|micromamba)/", text):
        return "conda"
    if windows:
        return "store" if "/windowsapps/" in text else "python.org" if "/python" in text else "other"
    return "system" if text.startswith(("/usr/bin/", "/bin/")) else "other"


def _distinct(found: list[_Found], chosen: str | None) -> list[_Found]:
    """Each interpreter once, known by its real file and its venv; the more telling kind and the first path stay."""
    known: dict[tuple[str, str | None], _Found] = {}
    for one in found:
        key = (_real(one.path) if one.kind != "store_alias" else one.path, one.venv)
        have = known.get(key)
        if have is None:
            kept = one.venv is not None or one.path == chosen
            known[key] = one if kept else one._replace(path=_lasting(one.path))
        elif have.kind == "other" and one.kind != "other":
            known[key] = have._replace(kind=one.kind)
    return list(known.values())


def _real(path: str) -> str:
    return os.path.normcase(os.path.realpath(path))


def _lasting(path: str) -> str:
    """``/usr/bin/python3.11`` for ``/usr/bin/python3``: a venv keeps this name and must outlive an upgrade."""
    real = Path(os.path.realpath(path))
    folder = Path(path).parent
    return str(folder / real.name) if real.parent == Path(os.path.realpath(folder)) else path


def _look(one: _Found, sources: Sources) -> PythonInstall:
    if one.kind == "store_alias":  # started, it opens the Microsoft Store instead of running
        return PythonInstall(path=one.path, kind="store_alias", reason="store_alias")
    try:
        stat = os.stat(one.path)  # noqa: PTH116  # follows links, keeps the spelling
    except OSError:
        return PythonInstall(path=one.path, kind=one.kind, reason="no_answer")
    key = (one.path, one.kind, stat.st_mtime_ns, stat.st_size)
    have = sources.python_answers.get(key)
    if have is None:
        have = _ask(one, sources)
        if have.reason != "no_answer":  # a busy machine may have been the reason: ask again next time
            sources.python_answers[key] = have
    return have


def _ask(one: _Found, sources: Sources) -> PythonInstall:
    done = sources.run(
        [one.path, "-E", "-s", "-S", "-c", QUESTION],
        timeout_s=LIMIT_S,
        env=child_env({"PYTHONDONTWRITEBYTECODE": "1"}),
        cwd=sources.home if sources.home.is_dir() else None,
    )
    answer = parse_answer(done.stdout) if done.code == 0 else None
    if answer is None:
        return PythonInstall(path=one.path, kind=one.kind, reason="no_answer")
    conda = one.kind == "conda" or Path(answer.prefix, "conda-meta").is_dir()
    kind: Kind = "conda" if conda and one.venv is None else one.kind
    reason = judge(answer, conda=conda, venv=one.venv is not None, windows=sources.windows)
    return PythonInstall(
        path=one.path,
        version=answer.version,
        kind=kind,
        bits=answer.bits,
        prefix=one.venv or answer.prefix,
        base_prefix=answer.base_prefix,  # with -S the base of a venv, on every version
        has_venv=answer.venv and answer.ensurepip,
        usable=reason is None,
        reason=reason,
    )


def parse_answer(text: str) -> Answer | None:
    """The child's line, the last of what it printed: a wrapper script may have said something before it."""
    lines = text.strip().splitlines()
    if not lines:
        return None
    try:
        return msgspec.convert(ast.literal_eval(lines[-1]), Answer)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None  # msgspec.ValidationError is a ValueError


def judge(answer: Answer, *, conda: bool, venv: bool, windows: bool) -> str | None:
    """The code why an interpreter is not offered as a base, None where it may be."""
    if answer.implementation not in {"cpython", "python2"}:
        return "not_cpython"
    if answer.numbers[0] < 3:
        return "too_old"
    if answer.bits != 64:
        return "bits_32"
    if windows and "ARM64" in answer.text:
        return "arm64"  # there are wheels for x86-64 only
    if "free-threading" in answer.text:
        return "free_threaded"  # ABI cp313t, for which there are no ROCm wheels
    if conda and windows:
        return "conda_windows"
    if venv:
        return "is_venv"
    if not answer.venv or not answer.ensurepip:
        return "no_ensurepip"
    return None


def _venvs_judged(installs: list[PythonInstall]) -> list[PythonInstall]:
    """A venv whose base is nowhere else on the list may serve as a base itself."""
    bases = {_real(one.prefix) for one in installs if one.prefix and one.reason != "is_venv" and one.version}
    return [
        msgspec.structs.replace(one, usable=True, reason=None)
        if one.reason == "is_venv" and one.has_venv and one.base_prefix and _real(one.base_prefix) not in bases
        else one
        for one in installs
    ]


def _rank(one: PythonInstall) -> tuple[bool, tuple[int, ...], str]:
    numbers = tuple(-int(part) for part in re.findall(r"\d+", one.version or "")[:3])
    return (not one.usable, numbers, one.path)


def same_python(left: str, right: str) -> bool:
    """Whether two spellings mean the same interpreter of the same environment."""
    return _real(left) == _real(right) and venv_folder(left) == venv_folder(right)


Reason = Literal[
    "store_alias",
    "no_answer",
    "not_cpython",
    "too_old",
    "bits_32",
    "arm64",
    "free_threaded",
    "conda_windows",
    "is_venv",
    "no_ensurepip",
]
