"""The book of a conversation: its state as it is now, and each way in which it changes."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from toolferry_dispatcher.conversation.joining import joined
from toolferry_dispatcher.conversation.limits import Spent
from toolferry_dispatcher.conversation.outcome import ConversationOutcome
from toolferry_dispatcher.conversation.reasons import EndReason
from toolferry_dispatcher.conversation.recurring import apart_late
from toolferry_dispatcher.conversation.setup import Setup
from toolferry_dispatcher.conversation.state import ConversationState, OpenRound
from toolferry_dispatcher.late import LateResult


class Book:
    """Keeps the state. Pure but for the clocks that it was given.

    Args:
        state: Where the conversation stands.
        setup: How it is led.
    """

    def __init__(self, state: ConversationState, setup: Setup) -> None:
        self.state = state
        self._setup = setup
        self._counted_at = setup.clock()
        #: What the model said last.
        self.text = ""

    @property
    def seconds_left(self) -> float:
        """The seconds that the conversation may still take; infinite without a limit."""
        self.count_time()
        limit = self._setup.limits.seconds
        return float("inf") if limit is None else limit - self.state.spent.seconds

    def count_time(self) -> None:
        """Count the seconds since they were counted last."""
        now = self._setup.clock()
        self._spend(seconds=self.state.spent.seconds + now - self._counted_at)
        self._counted_at = now

    def skip_time(self) -> None:
        """Leave the seconds since they were counted last uncounted."""
        self._counted_at = self._setup.clock()

    def begin_round(self, response: Mapping[str, Any], price: float) -> OpenRound:
        """Take a response in, under the name that its turn will have whoever dispatches it."""
        opened = OpenRound(turn_id=uuid.uuid4().hex, response=response, since=self._setup.wall())
        spent = self.state.spent
        self._spend(rounds=spent.rounds + 1, cost=spent.cost + price)
        self.state = replace(self.state, open_round=opened)
        return opened

    def charge_calls(self, count: int, cost: float) -> None:
        """Count the calls of the open round, which were sent."""
        opened = self.state.open_round and replace(self.state.open_round, is_sent=True)
        spent = self.with_calls(count, cost)
        self.state = replace(self.state, spent=spent, open_round=opened)

    def with_calls(self, count: int, cost: float) -> Spent:
        """Give what the conversation would have come to with more calls."""
        spent = self.state.spent
        return replace(spent, calls=spent.calls + count, cost=spent.cost + cost)

    def end_round(self, messages: Sequence[Mapping[str, Any]]) -> None:
        """Put the messages of the open round behind the others."""
        together = (*self.state.messages, *map(dict, messages))
        self.state = replace(self.state, messages=together, open_round=None, useless=0)

    def drop_round(self) -> int:
        """Forget a response of no use; give how many came in a row."""
        useless = self.state.useless + 1
        self.state = replace(self.state, open_round=None, useless=useless)
        return useless

    def forgive(self) -> None:
        """Count responses of no use anew: the conversation has ended for them."""
        self.state = replace(self.state, useless=0)

    def tell_late(self, late: Sequence[LateResult]) -> None:
        """Put late results behind the messages, each once."""
        fresh = [one for one in late if one.handle not in self.state.told_late]
        told = apart_late(self.state.messages, fresh)
        self.state = replace(
            self.state,
            messages=tuple(joined(self.state.messages, told)),
            told_late=tuple(one.handle for one in late),
        )

    def end(self, reason: EndReason, detail: str = "", **more: Any) -> ConversationOutcome:
        """Give the outcome that the conversation has now."""
        self.count_time()
        return ConversationOutcome(
            reason=reason, detail=detail, text=self.text, state=self.state, **more
        )

    def _spend(self, **counters: Any) -> None:
        self.state = replace(self.state, spent=replace(self.state.spent, **counters))
