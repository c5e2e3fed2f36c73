"""The turn handle: waiting for the results of a turn, and writing them as messages."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Collection, Iterator
from collections.abc import Set as AbstractSet
from enum import StrEnum
from typing import Any, TypeVar

from toolferry import (
    LedgerUnavailable,
    ResultTimedOut,
    ResultUnavailable,
    ToolResult,
)
from toolferry_dispatcher.asking import Standing
from toolferry_dispatcher.cancelling import NOBODY_WAITS, STOP_PATIENCE, OnTimeout
from toolferry_dispatcher.core import OpenTurn, read_results
from toolferry_dispatcher.messages import told_of, told_running, write_told
from toolferry_dispatcher.providers import Told
from toolferry_dispatcher.reply import ReplyKind
from toolferry_ledger import Ledger, PendingApproval, Withdrawal, get_log

T = TypeVar("T")

log = get_log(__name__)

#: What is told of calls that have ended, and whose results were not read in time.
_GONE = "the server no longer has all of its results: it lost its data, or they have expired"
#: Seconds between two tries to answer while the server is away.
PAUSE = 0.5
#: Seconds beyond the last deadline of a turn that `gather` waits when it is given no timeout.
PATIENCE = 15.0


class TurnState(StrEnum):
    """What has become of a turn."""

    #: Every call has its result.
    COMPLETE = "complete"
    #: Some calls are still open.
    PENDING = "pending"
    #: The response asked for nothing: it is the model's answer.
    FINAL = "final"
    #: The response asked for nothing and said nothing.
    DEGENERATE = "degenerate"
    #: The response was cut off before a call was whole, or its stream just ended.
    INCOMPLETE = "incomplete"
    #: The model, or a filter of its provider, declined to answer.
    REFUSED = "refused"
    #: The provider could not answer.
    PROVIDER_ERROR = "provider_error"


class GatheredTurn:
    """What is known of a turn: its results so far and its messages. Shared by both handles.

    Args:
        turn: The turn as its dispatcher follows it.
        ledger: Where the results are read.
    """

    def __init__(self, turn: OpenTurn, ledger: Ledger) -> None:
        self.meta = turn.meta
        self.watch = turn.watch
        self._inbox = turn.inbox
        self._known = turn.known
        self._first_answers = turn.first_answers
        self._canceller = turn.canceller
        self._asking = turn.asking
        self._observer = turn.observer
        self._ledger = ledger
        self._is_told = False
        self._give_up_at = (
            time.monotonic()
            + PATIENCE
            + max((call.deadline for call in turn.meta.calls), default=0.0)
        )

    @property
    def turn_id(self) -> str:
        """The turn's name; another process can attach to it."""
        return self.meta.turn_id

    @property
    def kind(self) -> ReplyKind:
        """What the model's response was."""
        return ReplyKind(self.meta.kind)

    @property
    def state(self) -> TurnState:
        """What has become of the turn so far."""
        if self.kind is not ReplyKind.CALLS:
            return TurnState(self.kind.value)
        return TurnState.COMPLETE if self.watch.done else TurnState.PENDING

    @property
    def text(self) -> str:
        """What the model said besides its calls: the answer, when it made none."""
        return self.meta.text

    @property
    def warnings(self) -> tuple[str, ...]:
        """What people should know while they wait, such as a lane without workers."""
        return self.watch.warnings

    def has_news(self, seen: AbstractSet[int]) -> bool:
        """Whether a call has ended whose position was not seen, or nothing more will be told."""
        return bool(self.watch.ended - seen) or self.watch.abandoned is not None

    def patience(self, timeout: float | None) -> float:
        """Give the seconds to wait: the caller's, or until every deadline must have been kept."""
        left = self._give_up_at - time.monotonic() if timeout is None else timeout
        return min(max(0.0, left), threading.TIMEOUT_MAX)

    @property
    def told_at(self) -> float:
        """When the model can be told something of every call, on the monotonic clock.

        In the past when that is now, infinite when it is not known.
        """
        if self.watch.is_over:
            return -math.inf
        # Only looked at where it can matter: the ended calls are copied for it.
        if not self._first_answers.are_possible:
            return math.inf
        return self._first_answers.all_due_at(self.watch.ended)

    @property
    def can_tell(self) -> bool:
        """Whether the model can be told something of every call now."""
        return self.told_at <= time.monotonic()

    def comes_sooner(self, than: float) -> Callable[[], bool]:
        """Give what tells whether the model can be told of every call sooner than was thought."""
        return lambda: self.told_at < than

    def read_ended(self) -> dict[int, ToolResult]:
        """Read the results of the calls that have ended, by position. One round trip at most."""
        wanted = self.watch.ended - self._known.keys()
        texts = self.watch.texts(wanted)
        missing = sorted(wanted - texts.keys())
        if missing:
            texts |= self._ledger.results(self.turn_id, missing)
            self.watch.keep(texts)
        self._known |= read_results(self.meta, texts)
        if self._observer:
            self._observer.hear(self._known)
        return self._known

    def look(self) -> Standing:
        """Look how the calls stand that have not ended, and what is asked about them."""
        ended = self.watch.ended
        still_open = [at for at in range(len(self.meta.calls)) if at not in ended]
        return self._asking.look(self.turn_id, self._first_answers.due_in(still_open))

    def withdraw(self, reason: str) -> dict[str, Withdrawal]:
        """Cancel every call of the turn; see `TurnHandle.cancel`."""
        return self._canceller.cancel_calls(self.meta, range(len(self.meta.calls)), reason)

    def in_order(self) -> list[ToolResult]:
        """Read all results, in the model's order.

        Raises:
            ResultTimedOut: A call has not ended.
            ResultUnavailable: The server lost the result, or the dispatcher was closed.
        """
        known = self.read_ended()
        self._require_all(known)
        results = [known[at] for at in range(len(self.meta.calls))]
        self._tell_gathered(results)
        return results

    def _require_all(self, known: Collection[int]) -> None:
        """Require that something is known of every call."""
        missing = [call.call_id for at, call in enumerate(self.meta.calls) if at not in known]
        if missing and self.watch.abandoned is not None:
            raise ResultUnavailable(self.turn_id, self.watch.abandoned)
        if missing and self.watch.done:
            raise ResultUnavailable(self.turn_id, _GONE)
        if missing:
            raise ResultTimedOut(self.turn_id, _still_open(missing, self.warnings))

    def _tell_gathered(self, results: list[ToolResult]) -> None:
        """Tell once that the turn is whole."""
        if self._is_told or not results:
            return
        self._is_told = True
        failed = sum(result.is_error for result in results)
        log.info("turn.gathered", turn_id=self.turn_id, calls=len(results), failed=failed)

    def write_messages(self) -> list[dict[str, Any]]:
        """Write the model's message and one answer for each call, in its provider's format.

        Raises:
            ToolferryError: As with `tell`.
        """
        return write_told(self.meta, self.tell())

    def tell(self) -> list[Told]:
        """Give what the model is told of each call, in its order.

        The first answer of a call stays its answer, whoever gave it, and whatever came of the call.

        Raises:
            ResultTimedOut: A call has not ended, and is not to be answered before its end.
            ResultUnavailable: The server lost the turn, or the dispatcher was closed.
            LedgerUnavailable: The server does not answer.
        """
        if not self._first_answers.are_possible:
            return [told_of(*one) for one in zip(self.meta.calls, self.in_order(), strict=True)]
        if self.watch.abandoned is not None:
            raise ResultUnavailable(self.turn_id, self.watch.abandoned)
        answers = self._first_answers.give(self.watch.ended)
        results = self._results_beside(answers)
        self._tell_answered(len(answers))
        return [
            told_running(call, answers[at]) if at in answers else told_of(call, results[at])
            for at, call in enumerate(self.meta.calls)
        ]

    def _tell_answered(self, running: int) -> None:
        """Tell once that the model hears of every call, and of how many that they still run."""
        if not self._is_told:
            self._is_told = True
            calls = len(self.meta.calls)
            log.info("turn.answered", turn_id=self.turn_id, calls=calls, running=running)

    def _results_beside(self, answers: Collection[int]) -> dict[int, ToolResult]:
        """Read the results of the calls that were not answered before their end."""
        known = self.read_ended()
        # One may have ended in the very moment in which it was to be answered.
        unheard = [at for at in range(len(self.meta.calls)) if at not in {*answers, *known}]
        if unheard:
            known |= read_results(self.meta, self._ledger.results(self.turn_id, unheard))
        self._require_all({*answers, *known})
        return known


class TurnHandle(GatheredTurn):
    """A dispatched turn, to be waited for by a thread."""

    def gather(
        self, timeout: float | None = None, on_timeout: OnTimeout = OnTimeout.LEAVE
    ) -> list[ToolResult]:
        """Wait for every call and give its result: exactly one each, in the model's order.

        Args:
            timeout: Seconds to wait at the most; until 15 s after the last deadline when None.
            on_timeout: What happens then to calls that are still open. With `OnTimeout.CANCEL`
                they are cancelled, and their results waited for up to 5 s more.

        Raises:
            ResultTimedOut: Some calls are still open; they can be gathered later.
            LedgerUnavailable: They were to be cancelled, and the server does not answer.
        """
        self._wait(timeout, OnTimeout(on_timeout))
        return self.in_order()

    def approvals(self) -> tuple[PendingApproval, ...]:
        """Give what is asked of people about calls of the turn now, in the model's order.

        Raises:
            LedgerUnavailable: The server does not answer.
        """
        return self.look().approvals

    def wait_approvals(self, timeout: float | None = None) -> tuple[PendingApproval, ...]:
        """Wait until every call has ended, or nothing goes on before a person has decided.

        A long call that the model may be told of while it goes on is not waited for.

        Args:
            timeout: Seconds to wait at the most; until 15 s after the last deadline when None.

        Returns:
            What is asked, in the model's order; empty when the turn is complete. When the time is
            over, what is asked by then.

        Raises:
            LedgerUnavailable: The server does not answer.
        """
        give_up_at = time.monotonic() + self.patience(timeout)
        while True:
            seen = frozenset(self.watch.ended)
            standing, left = self.look(), give_up_at - time.monotonic()
            if standing.is_still or self.watch.is_over or left <= 0:
                return standing.approvals
            self.wait_news(seen, standing.until_next_look(left))

    def cancel(self, reason: str = "") -> dict[str, Withdrawal]:
        """Cancel every call of the turn; returns at once.

        A call that has not started never will, also after all workers have restarted. One that
        runs is asked to stop, and left or killed when it has not within 2 s. Each still gets its
        one result, which says what is known of its effect; a call that ends well in spite of it
        has succeeded. Idempotent.

        Args:
            reason: Why, one sentence for model and people.

        Returns:
            By call id, in the model's order, what became of each call.

        Raises:
            LedgerUnavailable: The server does not answer; some may have been cancelled.
        """
        return self.withdraw(reason)

    def wait_news(self, seen: AbstractSet[int], patience: float) -> None:
        """Wait until a call has ended whose position was not seen, or for so many seconds."""
        self._inbox.wait(self.watch, lambda: self.has_news(seen), patience)

    def _wait(self, timeout: float | None, on_timeout: OnTimeout) -> None:
        self._wait_over(self.patience(timeout))
        if on_timeout is OnTimeout.CANCEL and not self.watch.is_over:
            self.cancel(NOBODY_WAITS)
            self._wait_over(STOP_PATIENCE)

    def _wait_over(self, patience: float) -> None:
        self._inbox.wait(self.watch, lambda: self.watch.is_over, patience)

    def __iter__(self) -> Iterator[ToolResult]:
        """Give each result as its call ends, in the order of the ends.

        Raises:
            ResultTimedOut: Some calls were still open 15 s after the last deadline.
        """
        seen: set[int] = set()
        while len(seen) < len(self.meta.calls):
            self.wait_news(seen, self.patience(None))
            fresh = self.watch.ended - seen
            known = self.read_ended()
            if not fresh or not fresh <= known.keys():
                self.in_order()
                continue
            seen |= fresh
            for position in sorted(fresh, key=lambda at: known[at].finished_at):
                yield known[position]

    def messages(
        self, timeout: float | None = None, on_timeout: OnTimeout = OnTimeout.LEAVE
    ) -> list[dict[str, Any]]:
        """Wait until something can be said of every call and write the turn for the next request.

        The assistant message as received, then exactly one answer per call, in the model's order:
        its result, or, where its `answer_within` passed before, that it still runs. That first
        answer stays the answer of its call, in every process; `gather` gives its result.

        Args:
            timeout: Seconds to wait at the most; until 15 s after the last deadline when None.
            on_timeout: What becomes of calls of which nothing can be said by then; see `gather`.

        Raises:
            ResultTimedOut: Some calls are still open, and not to be answered yet.
            LedgerUnavailable: The server does not answer, and the time is over.
        """
        return self._say(self.write_messages, timeout, OnTimeout(on_timeout))

    def told(
        self, timeout: float | None = None, on_timeout: OnTimeout = OnTimeout.LEAVE
    ) -> list[Told]:
        """Give what `messages` writes, one a call, to be written in a format of one's own."""
        return self._say(self.tell, timeout, OnTimeout(on_timeout))

    def _say(self, say: Callable[[], T], timeout: float | None, on_timeout: OnTimeout) -> T:
        give_up_at = time.monotonic() + self.patience(timeout)
        self._wait_told(give_up_at)
        if on_timeout is OnTimeout.CANCEL and not self.can_tell:
            self.cancel(NOBODY_WAITS)
            self._inbox.wait(self.watch, lambda: self.watch.is_over, STOP_PATIENCE)
        while True:
            try:
                return say()
            except LedgerUnavailable:
                if time.monotonic() + PAUSE > give_up_at:
                    raise
            time.sleep(PAUSE)

    def _wait_told(self, give_up_at: float) -> None:
        while (until := min(self.told_at, give_up_at)) > (now := time.monotonic()):
            self._inbox.wait(self.watch, self.comes_sooner(until), until - now)


def _still_open(call_ids: list[str], warnings: tuple[str, ...]) -> str:
    shown = ", ".join(call_ids[:5]) + (" …" if len(call_ids) > 5 else "")  # noqa: PLR2004 -- enough to recognise
    sentence = f"{len(call_ids)} of its calls have not ended ({shown})"
    return ". ".join((sentence, *warnings[-2:]))
