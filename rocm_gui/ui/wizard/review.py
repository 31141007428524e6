"""Placeholder while this page is written."""

from __future__ import annotations

from rocm_gui.ui.wizard.step_page import StepPage


class ReviewPage(StepPage):
    """See the module."""

    name = "review"
