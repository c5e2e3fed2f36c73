"""Following the turn of a round: the ends of its calls, and what is asked of people meanwhile.

How open calls stand is looked up when nothing was heard for a moment, and then only where a call
waits for a person: calls that end soon, and turns about which nobody is asked, cost no more round
trips than without a conversation. Whether nothing else goes on changes with the end of a call, when
a long call may be told to go on, or elsewhere: then it is looked up again.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator
from typing import Any, Final

from toolferry import ToolCall
from toolferry_dispatcher.conversation.book import Book
from toolferry_dispatcher.conversation.events import (
    ApprovalWanted,
    CallEnded,
    CallsAsked,
    ConversationEvent,
)
from toolferry_dispatcher.conversation.setup import OnApproval, Setup
from toolferry_dispatcher.conversation.steps import Look, Step, WaitNews
from toolferry_dispatcher.handle import GatheredTurn
from toolferry_ledger import PendingApproval

#: Seconds without news after which it is looked up how the open calls stand.
SILENCE: Final = 0.05

Asked = tuple[PendingApproval, ...]
Moves = Generator[ConversationEvent | Step, Any, Asked]


def follow(turn: GatheredTurn, calls: tuple[ToolCall, ...], setup: Setup, book: Book) -> Moves:
    """Follow a turn until something can be told of each call, it waits for people, or time is over.

    Returns:
        What is asked of people, when it waits for them and the conversation shall not.
    """
    yield CallsAsked(turn_id=turn.turn_id, calls=calls)
    course = _Course(turn, setup, book)
    while not course.is_over:
        asked = yield from course.go_on()
        if asked:
            return asked
    return ()


class _Course:
    """The way of one turn.

    Args:
        turn: The turn.
        setup: How its conversation is led.
        book: Knows how much time there is.
    """

    def __init__(self, turn: GatheredTurn, setup: Setup, book: Book) -> None:
        self._turn = turn
        self._setup = setup
        self._book = book
        self._seen: frozenset[int] = frozenset()
        self._wanted: set[str] = set()
        #: Whether it has to be looked up how the open calls stand.
        self._is_unclear = True
        #: When that is looked up again without news, on the monotonic clock.
        self._look_at = math.inf

    @property
    def is_over(self) -> bool:
        """Whether the messages can be written, or will never be able to."""
        told = self._turn.can_tell and not self._has_unseen
        return told or self._patience <= 0

    @property
    def _has_unseen(self) -> bool:
        return not self._turn.watch.abandoned and bool(self._turn.watch.ended - self._seen)

    @property
    def _patience(self) -> float:
        until_told = self._turn.told_at - time.monotonic()
        if until_told <= 0:
            return 1.0 if self._has_unseen else 0.0
        return min(self._book.seconds_left, self._turn.patience(None), until_told)

    def go_on(self) -> Moves:
        """Tell what has ended; when nothing has for a moment, what is asked of people."""
        until_look = SILENCE if self._is_unclear else self._look_at - time.monotonic()
        patience = max(0.0, min(until_look, self._patience))
        known = yield WaitNews(self._turn, self._seen, patience)
        fresh = [known[at] for at in known.keys() - self._seen]
        # What has ended and cannot be read is gone: writing the messages says so.
        self._seen |= known.keys() | self._turn.watch.ended
        for result in sorted(fresh, key=lambda one: one.finished_at):
            yield CallEnded(turn_id=self._turn.turn_id, result=result)
        if fresh:
            self._is_unclear = self._is_unclear or bool(self._wanted)
            return ()
        is_time = self._is_unclear or time.monotonic() >= self._look_at
        return (yield from self._look()) if is_time else ()

    def _look(self) -> Moves:
        standing = yield Look(self._turn)
        self._is_unclear = False
        self._look_at = time.monotonic() + standing.until_next_look(math.inf)
        for one in standing.approvals:
            if one.call_key not in self._wanted:
                self._wanted.add(one.call_key)
                yield ApprovalWanted(turn_id=self._turn.turn_id, approval=one)
        if not standing.is_still or self._setup.on_approval is OnApproval.WAIT:
            return ()
        # Whoever heard of them may have decided at once.
        standing = yield Look(self._turn)
        asked: Asked = standing.approvals if standing.is_still else ()
        return asked
