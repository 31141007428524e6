import threading

import pytest

from rocm_gui.system.parallel import map_in_threads, run_named


def test_answers_stand_in_the_order_of_the_items() -> None:
    assert map_in_threads(lambda number: number * 2, range(50), workers=4) == [number * 2 for number in range(50)]
    assert map_in_threads(lambda number: number, []) == []


def test_the_exception_of_an_item_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        map_in_threads(lambda number: 1 // number, [1, 0, 2])


def test_items_run_side_by_side() -> None:
    gate = threading.Barrier(3, timeout=10)  # opens only when three are in it at once
    assert sorted(map_in_threads(lambda _: gate.wait() >= 0, range(3), workers=3)) == [True, True, True]


def test_a_crash_and_a_hang_leave_the_others_alone() -> None:
    never = threading.Event()

    def crash() -> object:
        raise OSError("no such drive")

    results, problems = run_named(
        {"good": lambda: 42, "crash": crash, "hang": never.wait},
        {"good": 5.0, "crash": 5.0, "hang": 0.05},
    )
    never.set()
    assert results == {"good": 42}
    assert problems == {"crash": "OSError: no such drive", "hang": "timeout"}


def test_none_is_an_answer() -> None:
    assert run_named({"nothing": lambda: None}, {"nothing": 5.0}) == ({"nothing": None}, {})
