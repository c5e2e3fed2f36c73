"""The machine of a conversation: what comes next. It waits for nothing and sends nothing.

1. No response is open: the limits are asked, late results are told, the model is asked. Its
   response is stored under the name of a turn before anything is done with it.
2. A response is open: without calls it is the answer, or of no use. Calls that the limits allow are
   dispatched under that name, so that whoever does it again, after a crash, finds them there.
3. Their turn is followed until something can be told of every call, or nothing goes on before a
   person decides. Its messages are stored, and the policy is asked about what failed.

Each step is a generator: it gives events for people and steps for its driver, and gets what a step
brought. Both drivers, for threads and for event loops, run this one.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress
from typing import Any, Final

from toolferry import ToolResult
from toolferry_dispatcher.cancelling import OnTimeout
from toolferry_dispatcher.conversation.book import Book
from toolferry_dispatcher.conversation.events import (
    ConversationEvent,
    Finished,
    ModelCalled,
    RoundEnded,
    TextSaid,
)
from toolferry_dispatcher.conversation.failing import AfterFailure, judge_failures
from toolferry_dispatcher.conversation.following import follow
from toolferry_dispatcher.conversation.limits import sentence_of, too_much, used_up
from toolferry_dispatcher.conversation.offer import Offer
from toolferry_dispatcher.conversation.outcome import ConversationOutcome
from toolferry_dispatcher.conversation.reasons import EndReason
from toolferry_dispatcher.conversation.recurring import tell_apart
from toolferry_dispatcher.conversation.responses import goes_on, json_of
from toolferry_dispatcher.conversation.setup import Setup
from toolferry_dispatcher.conversation.state import ConversationState, OpenRound
from toolferry_dispatcher.conversation.steps import (
    AskModel,
    ConfirmLate,
    OpenTurn,
    ReadLate,
    Step,
    Store,
    WaitNews,
    WriteMessages,
)
from toolferry_dispatcher.conversation.tries import useless_end
from toolferry_dispatcher.handle import GatheredTurn
from toolferry_dispatcher.providers import Dialect
from toolferry_dispatcher.providers import provider as provider_named
from toolferry_dispatcher.providers.asking_people import AsksPeople
from toolferry_dispatcher.providers.given import IdForm
from toolferry_dispatcher.reply import Reply, ReplyKind

#: What is said of a conversation in which not this system, but one of the provider asks.
_SERVER_ASKS: Final = (
    "A server of the provider waits for a person: add the answers to the state, and resume it."
)

#: What a part of the machine gives on its way; at its end, the outcome, or None to go on.
Moves = Generator[ConversationEvent | Step, Any, ConversationOutcome | None]


class Machine:
    """Leads one conversation from a state to its outcome.

    Args:
        state: Where it stands.
        setup: How it is led.
        offer: The tools that the model is offered.
    """

    def __init__(self, state: ConversationState, setup: Setup, offer: Offer) -> None:
        self._book = Book(state, setup)
        self._setup = setup
        self._offer = offer
        self._provider = provider_named(state.provider)
        self._form: IdForm = getattr(self._provider, "dialect", Dialect()).call_id

    def moves(self) -> Generator[ConversationEvent | Step, Any, None]:
        """Give events and steps until the conversation has its outcome; `Finished` is the last.

        While somebody looks at an event, no time is counted.
        """
        moves, brought = self._moves(), None
        with suppress(StopIteration):
            while True:
                move = moves.send(brought)
                self._book.count_time()
                brought = yield move
                if not isinstance(move, Step):
                    self._book.skip_time()

    def _moves(self) -> Generator[ConversationEvent | Step, Any, None]:
        outcome = None
        while outcome is None:
            opened = self._book.state.open_round
            outcome = yield from self._ask() if opened is None else self._work_on(opened)
        yield Store(outcome.state)
        yield Finished(outcome=outcome)

    @property
    def _is_asked(self) -> bool:
        """Whether a server of the provider waits for the answer of a person."""
        asking = self._provider
        return isinstance(asking, AsksPeople) and asking.asks_people(self._book.state.messages)

    def _ask(self) -> Moves:
        """Ask the model."""
        if self._is_asked:
            return self._book.end(EndReason.APPROVAL, _SERVER_ASKS)
        self._book.count_time()
        spent = self._book.state.spent
        reason = used_up(self._setup.limits, spent)
        if reason is not None:
            return self._limited(reason)
        yield from self._tell_late()
        yield ModelCalled(round=spent.rounds + 1)
        menu = self._offer.menu()
        setup = self._setup
        export = menu.export(self._provider.name, setup.strictness, setup.examples)
        given = yield AskModel(list(self._book.state.messages), export.tools, export.request)
        response = json_of(given)
        self._provider.read(response)  # what cannot be read is not stored, or nobody could resume
        self._book.begin_round(response, self._setup.price_of(given))
        yield from self._store()
        return None

    def _tell_late(self) -> Generator[Step, Any, None]:
        conversation_id = self._book.state.conversation_id
        if not conversation_id:
            return
        late = yield ReadLate(conversation_id)
        if late:
            self._book.tell_late(late)
            yield from self._store()
            yield ConfirmLate(tuple(late))

    def _work_on(self, opened: OpenRound) -> Moves:
        """Do what the open response asks for."""
        reply = self._provider.read(opened.response)
        self._book.text = reply.text
        if opened.is_sent:
            return (yield from self._follow(opened))
        if reply.text:
            yield TextSaid(text=reply.text)
        if reply.kind is ReplyKind.CALLS:
            return (yield from self._send(opened, reply))
        return (yield from self._without_calls(reply))

    def _without_calls(self, reply: Reply) -> Moves:
        is_half = goes_on(reply)
        if reply.kind is ReplyKind.FINAL or is_half:
            self._book.end_round(self._provider.results(reply.message, ()))
            yield from self._store()
            is_over = not (is_half or self._is_asked)
            return self._book.end(EndReason.FINAL) if is_over else None
        useless = self._book.drop_round()
        yield from self._store()
        if self._setup.tries.allow_another(reply.kind, useless):
            return None
        self._book.forgive()
        return self._book.end(*useless_end(reply, useless))

    def _send(self, opened: OpenRound, reply: Reply) -> Moves:
        """Dispatch the calls, if the limits allow them."""
        limits, cost = self._setup.limits, self._offer.cost_of(reply, self._provider)
        reason = too_much(limits, self._book.with_calls(len(reply.calls), cost))
        if reason is not None:
            return self._limited(reason, len(reply.calls), cost)
        turn = yield self._opening(opened)
        self._book.charge_calls(len(reply.calls), cost)
        yield from self._store()
        return (yield from self._finish(turn, reply))

    def _follow(self, opened: OpenRound) -> Moves:
        """Go on with calls that were dispatched before."""
        turn = yield self._opening(opened)
        return (yield from self._finish(turn, self._provider.read(opened.response)))

    def _opening(self, opened: OpenRound) -> OpenTurn:
        return OpenTurn(opened, self._offer.menu(), self._book.state.conversation_id)

    def _finish(self, turn: GatheredTurn, reply: Reply) -> Moves:
        """Follow the turn to its end, tell its results, and judge what failed."""
        calls = tuple(read.call for read in reply.calls)
        approvals = yield from follow(turn, calls, self._setup, self._book)
        if approvals:
            count = len(approvals)
            detail = f"{count} calls wait" if count > 1 else "A call waits"
            return self._book.end(
                EndReason.APPROVAL,
                f"{detail} for a person: resume the conversation once that is decided.",
                approvals=approvals,
            )
        return (yield from self._tell(turn))

    def _tell(self, turn: GatheredTurn) -> Moves:
        is_over = not turn.can_tell and self._book.seconds_left <= 0
        if is_over and self._setup.on_timeout is OnTimeout.LEAVE:
            return self._limited(EndReason.SECONDS)
        messages = yield WriteMessages(turn, 0.0 if is_over else None, self._setup.on_timeout)
        known = yield WaitNews(turn, turn.watch.ended, 0.0)
        results = tuple(known[at] for at in sorted(known))
        decision, failures = judge_failures(results, self._setup.on_failure)
        before = self._book.state.messages
        self._book.end_round(tell_apart(messages, before, turn.turn_id, self._form))
        yield from self._store()
        yield RoundEnded(round=self._book.state.spent.rounds, turn_id=turn.turn_id, results=results)
        return self._after(decision, failures)

    def _after(
        self, decision: AfterFailure, failures: tuple[ToolResult, ...]
    ) -> ConversationOutcome | None:
        """Say what follows the failed calls of a round whose messages are stored."""
        if decision is AfterFailure.CONTINUE:
            return None
        names = ", ".join(
            f"{one.name} ({one.error.code if one.error else '?'})" for one in failures
        )
        if decision is AfterFailure.ASK:
            detail = f"{names} failed, and a person is to look: resume the conversation to go on."
            return self._book.end(EndReason.ASK, detail, failures=failures)
        return self._book.end(EndReason.STOPPED, f"{names} failed.", failures=failures)

    def _limited(self, reason: EndReason, calls: int = 0, cost: float = 0.0) -> ConversationOutcome:
        """Give the outcome of a conversation that has come to one of its limits."""
        spent = self._book.with_calls(calls, cost)
        return self._book.end(reason, sentence_of(reason, self._setup.limits, spent))

    def _store(self) -> Generator[Step, Any, None]:
        self._book.count_time()
        yield Store(self._book.state)
