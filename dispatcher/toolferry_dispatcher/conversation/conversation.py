"""The conversation loop, for threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Unpack

from toolferry_dispatcher.conversation.events import ConversationEvent, Finished
from toolferry_dispatcher.conversation.machine import Machine
from toolferry_dispatcher.conversation.models import model_function
from toolferry_dispatcher.conversation.offer import Offer
from toolferry_dispatcher.conversation.opening import begun, dispatch_options, left, may_dispatch
from toolferry_dispatcher.conversation.outcome import ConversationOutcome
from toolferry_dispatcher.conversation.responses import whole
from toolferry_dispatcher.conversation.setup import ConversationOptions, Setup
from toolferry_dispatcher.conversation.state import ConversationState
from toolferry_dispatcher.conversation.steps import (
    AskModel,
    ConfirmLate,
    Look,
    OpenTurn,
    ReadLate,
    Step,
    Store,
    WaitNews,
    WriteMessages,
)
from toolferry_dispatcher.dispatcher import Dispatcher
from toolferry_dispatcher.handle import TurnHandle
from toolferry_dispatcher.providers import provider as provider_named


class Conversation:
    """Asks a model, has its calls run, tells it the results, until it answers.

    Keeps nothing between two conversations; thread-safe as far as the model is.

    Args:
        dispatcher: Sends the calls.
        model: A function of messages and tools that gives a response, whole or as an iterable of
            chunks; or the client of an SDK.
        **options: See `Setup`.

    Raises:
        ConfigurationError: An option is wrong, there is no such provider, or the model is no
            function and no client of that format.
    """

    def __init__(
        self, dispatcher: Dispatcher, model: object, **options: Unpack[ConversationOptions]
    ) -> None:
        self._dispatcher = dispatcher
        self._setup = Setup(**options)
        self._provider = provider_named(self._setup.provider)
        self._ask = model_function(model, self._provider, self._setup.request)

    def run(
        self, messages: Iterable[Mapping[str, Any]], conversation_id: str = ""
    ) -> ConversationOutcome:
        """Lead a conversation until it ends or pauses; see `events`."""
        return _outcome_of(self.events(messages, conversation_id))

    def events(
        self, messages: Iterable[Mapping[str, Any]], conversation_id: str = ""
    ) -> Iterator[ConversationEvent]:
        """Lead a conversation and tell what happens on the way; the last event is `Finished`.

        Nothing goes on here before an event was taken; calls that were sent do.

        Args:
            messages: In the provider's format; the last is what the model is to answer.
            conversation_id: Whose turns these are; with one, late results of the conversation are
                put behind the messages before each request.

        Raises:
            ResponseMalformed: A response cannot be read.
            ResultTimedOut: Some calls were still open 15 s after the last deadline.
            LedgerUnavailable: The server does not answer. As after every error, the state that
                was stored last can be resumed.
        """
        return self._lead(begun(messages, self._setup, conversation_id))

    def resume(self, state: ConversationState | Mapping[str, Any]) -> ConversationOutcome:
        """Go on from a state until it ends or pauses again; see `resume_events`."""
        return _outcome_of(self.resume_events(state))

    def resume_events(
        self, state: ConversationState | Mapping[str, Any]
    ) -> Iterator[ConversationEvent]:
        """Go on from a state, or its JSON form, that any process left: at a pause or by a crash.

        A response that was being worked on is gone on with under the same turn: no call of it
        runs twice, whatever was lost in between.

        Raises:
            ConfigurationError: It is no state, or one of another provider.
            TurnUnknown: The turn is not in the ledger any more, so nobody knows what its calls
                did; see `ConversationState.without_open_round`.
        """
        return self._lead(left(state, self._setup))

    def _lead(self, state: ConversationState) -> Iterator[ConversationEvent]:
        moves = Machine(state, self._setup, Offer(self._dispatcher, self._setup.menu)).moves()
        brought: Any = None
        while True:
            move = moves.send(brought)
            brought = None
            if isinstance(move, Step):
                brought = self._do(move)
                continue
            yield move
            if isinstance(move, Finished):
                return

    def _do(self, step: Step) -> Any:
        match step:
            case Store(state):
                self._setup.store(state.to_json())
            case AskModel(messages, tools, beside):
                return whole(self._ask(messages, tools, beside), self._provider)
            case OpenTurn():
                return self._open(step)
            case ReadLate(conversation_id):
                tenant = self._setup.context.tenant
                return self._dispatcher.late_results(conversation_id, tenant)
            case ConfirmLate(late):
                self._dispatcher.confirm_late(*late)
            case _:
                return _wait(step)
        return None

    def _open(self, step: OpenTurn) -> TurnHandle:
        if may_dispatch(step.round, self._dispatcher.keeping, self._setup.wall()):
            options = dispatch_options(step, self._setup)
            return self._dispatcher.dispatch(step.round.response, **options)
        return self._dispatcher.attach(step.round.turn_id)


def _wait(step: WaitNews | Look | WriteMessages) -> Any:
    turn: Any = step.turn
    match step:
        case WaitNews(_, seen, patience):
            turn.wait_news(seen, patience)
            return turn.read_ended()
        case Look():
            return turn.look()
        case WriteMessages(_, timeout, on_timeout):
            return turn.messages(timeout, on_timeout)


def _outcome_of(events: Iterator[ConversationEvent]) -> ConversationOutcome:
    (last,) = deque(events, maxlen=1)
    if not isinstance(last, Finished):
        raise TypeError(f"a conversation ended with {last!r}")  # pragma: no cover -- it cannot
    return last.outcome
