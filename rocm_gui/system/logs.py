"""The log file: rotating, UTF-8, without secrets."""

from __future__ import annotations

import contextlib
import logging
import logging.handlers
import os
import sys
from pathlib import Path

from rocm_gui.core.redact import mask_secrets

LEVEL_VARIABLE = "ROCM_GUI_LOG"  # debug, info, warning or error
LOG_NAME = "rocm_gui.log"
_LIMIT_BYTES = 2 << 20
_OLD_FILES = 3
_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


class _MaskingFormatter(logging.Formatter):
    """Masks the finished text, so that arguments and tracebacks are covered, and keeps an entry on its own lines."""

    def format(self, record: logging.LogRecord) -> str:
        return mask_secrets(super().format(record)).replace("\r", "").replace("\n", "\n    ")


class _RotatingFile(logging.handlers.RotatingFileHandler):
    """Rotates where it can: on Windows another running copy of the product may hold the file open."""

    def doRollover(self) -> None:  # noqa: N802 - logging's name
        """Move the file away first: when that is refused, the older ones must not have moved either."""
        self.close_stream()
        path = Path(self.baseFilename)
        names = [path.with_name(f"{path.name}.{number}") for number in range(_OLD_FILES + 1)]
        with contextlib.suppress(OSError):
            path.replace(names[0])
            for older, newer in reversed(list(zip(names[1:], names, strict=False))):
                with contextlib.suppress(OSError):
                    newer.replace(older)
        self.stream = self._open()

    def close_stream(self) -> None:
        """Close the file for now; the next record opens it again."""
        stream = self.stream
        self.stream = None  # type: ignore[assignment]  # as the base class does
        if stream is not None:  # pyright: ignore[reportUnnecessaryComparison]
            stream.close()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        """A full disk or a removed folder costs log lines, never a traceback on somebody's terminal."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)


def log_level(*, debug: bool = False, configured: str = "info") -> int:
    """``--debug`` first, then ``ROCM_GUI_LOG``, then the settings."""
    if debug:
        return logging.DEBUG
    return _LEVELS.get(os.environ.get(LEVEL_VARIABLE, "").lower(), _LEVELS.get(configured, logging.INFO))


def open_log(folder: Path, level: int) -> logging.Handler | None:
    """Send the product's log messages to ``folder``; None where it cannot be written, which stops nothing.

    The caller gives the handler to ``close_log`` at the end.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handler = _RotatingFile(
            folder / LOG_NAME,
            maxBytes=_LIMIT_BYTES,
            backupCount=_OLD_FILES,
            encoding="utf-8",
            errors="backslashreplace",
        )
    except OSError:
        return None
    formatter = _MaskingFormatter("%(asctime)s %(levelname)s %(process)d %(threadName)s %(name)s: %(message)s")
    formatter.default_msec_format = "%s.%03d"
    handler.setFormatter(formatter)
    logger = logging.getLogger("rocm_gui")
    logger.addHandler(handler)
    logger.setLevel(level)
    logger.propagate = False
    return handler


def close_log(handler: logging.Handler | None) -> None:
    """Detach and close what ``open_log`` returned."""
    if handler is not None:
        logger = logging.getLogger("rocm_gui")
        logger.removeHandler(handler)
        logger.propagate = True
        with contextlib.suppress(OSError):  # a full disk refuses what was not written yet
            handler.close()
