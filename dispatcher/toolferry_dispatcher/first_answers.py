"""First answers: what the model was told of calls that ended after its turn could wait no longer.

The ledger keeps the first answer of a call, and from then on everybody tells the model that one. A
call that ends in the very moment has its result told instead: the ledger takes an answer only while
there is no result.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from toolferry import call_key, running_answer
from toolferry_dispatcher.meta import TurnMeta
from toolferry_ledger import Ledger, read_answers, read_json, write_json


class FirstAnswers:
    """The first answers of one turn.

    Args:
        meta: The turn.
        due: For each call that may be answered so when that is, in seconds of the monotonic clock.
        ledger: What keeps them.
    """

    def __init__(self, meta: TurnMeta, due: Mapping[int, float], ledger: Ledger) -> None:
        self._meta = meta
        self._due = due
        self._ledger = ledger
        # The last one first: mostly it is the one that is asked for.
        self._latest_first = sorted(range(len(meta.calls)), key=self._due_at, reverse=True)

    @property
    def are_possible(self) -> bool:
        """Whether any call may be answered before its end."""
        return bool(self._due)

    def all_due_at(self, ended: Collection[int]) -> float:
        """Give when all calls but the ended ones may be answered, on the monotonic clock.

        Infinite when one of them may not at all, minus infinite when all have ended.
        """
        if not self._due:
            return math.inf
        still_open = (at for at in self._latest_first if at not in ended)
        return next(map(self._due_at, still_open), -math.inf)

    def due_in(self, positions: Iterable[int]) -> dict[int, float]:
        """Give the seconds until each of these calls may be answered before its end."""
        now = time.monotonic()
        return {at: self._due_at(at) - now for at in positions}

    def give(self, ended: Collection[int]) -> dict[int, dict[str, Any]]:
        """Answer the open calls if all are due; give all first answers of the turn, by position.

        While one is not due nobody is told anything, so none is answered. Two round trips at most.

        Args:
            ended: The positions of the calls that are known to have ended.

        Raises:
            LedgerUnavailable: The server does not answer.
        """
        still_open = [at for at in self._due if at not in ended]
        if still_open and self.all_due_at(ended) <= time.monotonic():
            self._ledger.answer(self._meta.turn_id, {at: self._write(at) for at in still_open})
        given = read_answers(self._ledger, self._meta.turn_id, list(self._due))
        return {at: read_json(text) for at, text in given.items()}

    def _due_at(self, position: int) -> float:
        return self._due.get(position, math.inf)

    def _write(self, position: int) -> bytes:
        handle = call_key(self._meta.turn_id, position)
        return write_json(running_answer(self._meta.calls[position].name, handle))


def due_times(meta: TurnMeta, server_now: float) -> dict[int, float]:
    """Give for each call that may be answered before its end when, on the monotonic clock.

    Args:
        meta: The turn.
        server_now: Seconds of the server's clock since the epoch, now.
    """
    behind = time.monotonic() - server_now
    return {
        at: behind + meta.requested_at + call.answer_within
        for at, call in enumerate(meta.calls)
        if call.answer_within is not None
    }
