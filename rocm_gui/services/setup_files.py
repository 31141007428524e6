"""The files of a setup: what pip resolved and where each file stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from rocm_gui.core.parsers.pip import Report, ReportPackage, parse_report
from rocm_gui.services.download import Item, Network
from rocm_gui.services.setup_context import StepContext, StepFailedError

if TYPE_CHECKING:
    from rocm_gui.services.setup_store import Setup


def read_report(setup: Setup, step_id: str) -> Report:
    """What pip resolved.

    Raises:
        StepFailedError: ``report_unreadable``.
    """
    try:
        return parse_report(setup.report_path.read_bytes())
    except (OSError, ValueError) as error:
        raise StepFailedError(
            "report_unreadable", path=str(setup.report_path), reason=str(error), step=step_id
        ) from error


def item_of(package: ReportPackage) -> Item:
    """What to fetch for ``package``."""
    return Item(url=package.url, filename=package.filename, sha256=package.sha256)


def local_path(downloads: Path, package: ReportPackage) -> Path:
    """Where the file of ``package`` stands once it is here; files of this computer are used in place."""
    return file_path(package.url) if package.is_local else item_of(package).path(downloads)


def file_path(url: str) -> Path:
    """The path of a ``file:`` URL, drive letters and network shares included."""
    from urllib.request import url2pathname  # noqa: PLC0415 - slow to import, rarely needed

    parts = urlsplit(url)
    text = url2pathname(parts.path)
    if parts.netloc and parts.netloc != "localhost":
        text = f"//{unquote(parts.netloc)}{text}"
    return Path(text)


def network_of(ctx: StepContext) -> Network:
    """Proxy and certificates as the plan has them."""
    options = ctx.plan.options
    return Network(proxy=options.proxy, ca_bundle=options.ca_bundle)
