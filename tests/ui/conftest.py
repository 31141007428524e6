"""Qt without a screen; the window on a stage."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from window_fixtures import make_gui, script, settle, stage

__all__ = ["make_gui", "script", "settle", "stage"]
