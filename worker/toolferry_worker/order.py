"""The order in which a worker's queues are read: the most urgent first, always."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from toolferry import Priority

_RANK: Final = {priority.value: rank for rank, priority in enumerate(Priority)}


class UrgentFirst:
    """What kombu asks for the order of a worker's queues (its `queue_order_strategy`).

    The server looks into the queues in this order and gives the first message that it finds, so
    that a free slot never goes to a call while a more urgent one waits. Queues that are equally
    urgent take turns.
    """

    def __init__(self, it: Iterable[str] = ()) -> None:
        self._names: list[str] = list(it)

    def update(self, it: Iterable[str]) -> None:
        """Take in which queues there are; those that were there keep their turn."""
        wanted = set(it)
        kept = [name for name in self._names if name in wanted]
        self._names = [*kept, *sorted(wanted.difference(kept))]

    def consume(self, n: int) -> list[str]:
        """Give the names of the queues to look into.

        >>> order = UrgentFirst(["a.async.bulk", "a.async.interactive", "a.async.normal"])
        >>> order.consume(3)
        ['a.async.interactive', 'a.async.normal', 'a.async.bulk']
        """
        return sorted(self._names, key=_rank)[:n]

    def rotate(self, last_used: str) -> str:
        """Let the queue that gave a message be the last of its kind."""
        if last_used in self._names:
            self._names.remove(last_used)
            self._names.append(last_used)
        return last_used


def _rank(queue: str) -> int:
    return _RANK.get(queue.rpartition(".")[2], len(_RANK))
