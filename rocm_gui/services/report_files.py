"""Saves a verification's report as text, JSON or HTML, with everything personal masked."""

from __future__ import annotations

import contextlib
import getpass
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from rocm_gui.core.errors import AppError, ExitCode
from rocm_gui.core.masking import Masker
from rocm_gui.core.report import compose
from rocm_gui.core.report_formats import to_html, to_text
from rocm_gui.core.verification import VerificationReport
from rocm_gui.services.setup_store import current_setup
from rocm_gui.system.files import write_atomic

if TYPE_CHECKING:
    from rocm_gui.core.texts import Texts
    from rocm_gui.system.paths import Paths

FORMATS = (".txt", ".json", ".html")


def masker_of_this_machine() -> Masker:
    """Masks this user, this host and the home folder."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError, ImportError):  # no such user in the system's lists: containers
        user = ""
    home = Path.home()
    return Masker(users=(user, home.name), hosts=(socket.gethostname(),), homes=(str(home),))


def masked(report: VerificationReport, masker: Masker) -> VerificationReport:
    """The same report without names, home paths, serial numbers and ids."""
    return msgspec.convert(masker.data(msgspec.to_builtins(report)), VerificationReport)


def check_format(path: Path) -> None:
    """Refuse an ending that is none of ``FORMATS``.

    Raises:
        AppError: ``report_format`` (usage).
    """
    if path.suffix.lower() not in FORMATS:
        raise AppError("report_format", ExitCode.USAGE, path=str(path))


def load_report(paths: Paths, target: Path) -> VerificationReport | None:
    """The newest verification of the setup in ``target``; None where there is none that can be read.

    While an older environment still serves, the report of the new one waits in the product's state.
    """
    try:
        staged = current_setup(paths, target).staged
    except AppError:
        return None
    for folder in (staged, target):
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            return msgspec.json.decode((folder / "verification.json").read_bytes(), type=VerificationReport)
    return None


def save_report(report: VerificationReport, path: Path, texts: Texts, masker: Masker | None = None) -> None:
    """Write ``report`` to ``path`` in the format that its ending names, masked.

    Raises:
        AppError: ``report_format`` (usage), ``report_not_saved``.
    """
    check_format(path)
    clean = masked(report, masker or masker_of_this_machine())
    suffix = path.suffix.lower()
    if suffix == ".json":
        content = msgspec.json.format(msgspec.json.encode(clean), indent=2).decode() + "\n"
    elif suffix == ".html":
        content = to_html(compose(clean, texts))
    else:
        content = to_text(compose(clean, texts))
    try:
        write_atomic(path, content)
    except OSError as error:
        reason = error.strerror or str(error)
        raise AppError("report_not_saved", ExitCode.FAILED, path=str(path), reason=reason) from error
