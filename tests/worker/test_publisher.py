"""The publisher: notices go out from a thread of their own."""

from __future__ import annotations

from collections.abc import Sequence

from toolferry import Lane
from toolferry_ledger import Bell, Pool, Ring, Route, Settings
from toolferry_worker.publisher import Publisher


class Heard(Bell):
    """A bell that keeps what was rung."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.rings: list[Ring] = []

    def ring(self, rings: Sequence[Ring]) -> bool:
        """Keep the notices."""
        self.rings += rings
        return True


def ring(number: int) -> Ring:
    """Give a notice."""
    return Ring(f"t:{number}", number, Route(Pool(Lane.ASYNC)), "tool", 1)


def test_everything_is_published_in_order_before_it_stops(settings: Settings) -> None:
    """Also what came just before."""
    bell = Heard(settings)
    publisher = Publisher(bell)
    publisher.publish([ring(1), ring(2)])
    publisher.publish([])
    publisher.start()

    publisher.publish([ring(3)])
    publisher.stop(30)

    assert [one.fence for one in bell.rings] == [1, 2, 3]
