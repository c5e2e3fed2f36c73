"""Slots: a count that threads wait for."""

from __future__ import annotations

import threading

from toolferry_worker.slots import Slots


def test_free_slots_are_told_at_once() -> None:
    """Nothing is waited for when there is room."""
    slots = Slots(3)

    slots.take(1)

    assert (slots.wait_free(60), slots.busy) == (2, 1)


def test_a_full_worker_has_none_after_a_while() -> None:
    """The wait ends without room."""
    slots = Slots(1)

    slots.take(1)

    assert slots.wait_free(0.001) == 0


def test_who_waits_is_woken_by_a_slot_that_comes_free() -> None:
    """Another thread gives it back."""
    slots = Slots(1)
    slots.take(1)

    threading.Thread(target=slots.give).start()

    assert slots.wait_free(60) == 1
