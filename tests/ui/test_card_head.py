"""The head of a card: title, identity and pill share one line as long as there is room."""

from __future__ import annotations

import pytest

from rocm_gui.ui.widgets.basics import Card

pytestmark = pytest.mark.qt

TITLE = "AMD 官方 wheel，ROCm 10.1，PyTorch 2.14（Windows）"


@pytest.fixture
def card(qtbot, settle):
    def make(width: int) -> Card:
        made = Card()
        qtbot.addWidget(made)
        made.set_title(TITLE, "amd-windows-10.1")
        made.pill.set_state("模拟", "neutral")
        made.resize(width, 200)
        made.show()
        settle()
        return made

    return make


def test_the_title_stays_on_one_line_where_there_is_room(card) -> None:
    made = card(900)  # held: its widgets go with it
    title = made._title
    assert title.heightForWidth(title.width()) < 2 * title.fontMetrics().height()
    assert title.width() >= title.fontMetrics().horizontalAdvance(TITLE)


def test_a_narrow_card_breaks_the_title_and_keeps_the_identity_whole(card) -> None:
    made = card(420)
    identity = made._identity
    assert made._title.heightForWidth(made._title.width()) >= 2 * made._title.fontMetrics().height()
    assert identity.width() >= identity.fontMetrics().horizontalAdvance(identity.text())
