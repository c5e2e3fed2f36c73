"""Records: what they share with frozen dataclasses when they run."""

from __future__ import annotations

from dataclasses import replace

from toolferry.record import record


@record(frozen=True, slots=True)
class Place:
    """A record of two fields."""

    row: int
    seat: int = 1


def test_a_record_is_compared_hashed_and_replaced_by_its_fields() -> None:
    """Just as a frozen dataclass is."""
    place = Place(7)

    assert place == Place(7, 1)
    assert {place: "taken"}[Place(7)] == "taken"
    assert replace(place, seat=2) == Place(7, 2)


def test_a_record_has_no_room_for_other_fields() -> None:
    """It has slots."""
    assert not hasattr(Place(7), "__dict__")
