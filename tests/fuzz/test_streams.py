"""No stream raises anything but the project's own errors, however its pieces change their types."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations, permutations, product
from random import Random
from typing import Any

import pytest

from tests.fuzz.parsers import PARSERS, parse
from tests.fuzz.skeletons import SKELETONS, places, with_part
from tests.fuzz.streams import STREAMS
from tests.fuzz.test_parsers import ODD

#: One of each type; what is inside of them has another type than usual.
KINDS: list[Any] = [7, "a", [{"type": "text", "text": True}], {"id": []}]


def twice_odd(stream: list[Any], pairs: list[tuple[Any, Any]]) -> Iterator[bytes]:
    """Give copies of a stream in which one chunk comes three times, twice with something odd in it.

    The two stand before the good one, so that what is gathered goes from odd to odd to good.
    """
    for at, chunk in enumerate(stream):
        for path in places(chunk):
            for pair in pairs:
                odd = [with_part(chunk, path, part) for part in pair]
                yield json.dumps([*stream[:at], *odd, *stream[at:]]).encode()


def test_each_format_that_is_streamed_has_a_good_stream() -> None:
    """None is left out below."""
    assert STREAMS.keys() == {name for name in PARSERS if name.endswith(" stream")}


@pytest.mark.parametrize("name", sorted(STREAMS))
def test_a_good_stream_is_read(name: str) -> None:
    """Whole, without an error: what is odd in it below is the only thing that is."""
    PARSERS[name](next(twice_odd(STREAMS[name], [(STREAMS[name][0],) * 2])))


@pytest.mark.parametrize("name", sorted(STREAMS))
def test_pieces_that_change_their_type_raise_no_foreign_error(name: str) -> None:
    """In every place of a stream, from one chunk to the next and on to a good one."""
    for data in twice_odd(STREAMS[name], [*permutations(KINDS, 2)]):
        parse(PARSERS[name], data)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(STREAMS))
def test_no_two_odd_pieces_raise_a_foreign_error(name: str) -> None:
    """Everything that could stand there, behind everything else that could."""
    for data in twice_odd(STREAMS[name], [*product([*ODD, *KINDS], repeat=2)]):
        parse(PARSERS[name], data)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(SKELETONS))
def test_nothing_odd_in_any_two_places_raises_a_foreign_error(name: str) -> None:
    """Wherever in a response they are, whole or streamed."""
    chance = Random(0)  # noqa: S311 -- a seed, no secret
    for first, second in combinations(places(SKELETONS[name]), 2):
        # The second place comes later or lies inside the first one; then it is gone.
        once = with_part(SKELETONS[name], second, chance.choice([*ODD, *KINDS]))
        data = json.dumps(with_part(once, first, chance.choice([*ODD, *KINDS]))).encode()
        parse(PARSERS[name], data)
