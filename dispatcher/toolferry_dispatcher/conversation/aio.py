"""The conversation loop, for event loops."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Mapping
from typing import Any, Unpack

from toolferry_dispatcher.aio import AsyncDispatcher, AsyncTurn
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
from toolferry_dispatcher.providers import provider as provider_named


class AsyncConversation:
    """Asks a model, has its calls run, tells it the results; see `Conversation`.

    Args:
        dispatcher: Sends the calls.
        model: A coroutine function of messages and tools, whose response may be an async iterable
            of chunks; or the async client of an SDK. A plain function has to return at once.
        **options: See `Setup`; `store` may be a coroutine function.

    Raises:
        ConfigurationError: As of `Conversation`.
    """

    def __init__(
        self, dispatcher: AsyncDispatcher, model: object, **options: Unpack[ConversationOptions]
    ) -> None:
        self._dispatcher = dispatcher
        self._setup = Setup(**options)
        self._provider = provider_named(self._setup.provider)
        # Clients of google-genai are for both, and have their async half apart.
        model = getattr(model, "aio", model)
        self._ask = model_function(model, self._provider, self._setup.request)

    async def run(
        self, messages: Iterable[Mapping[str, Any]], conversation_id: str = ""
    ) -> ConversationOutcome:
        """Lead a conversation until it ends or pauses; see `Conversation.events`."""
        return await _outcome_of(self.events(messages, conversation_id))

    def events(
        self, messages: Iterable[Mapping[str, Any]], conversation_id: str = ""
    ) -> AsyncIterator[ConversationEvent]:
        """Lead a conversation and tell what happens on the way; see `Conversation.events`."""
        return self._lead(begun(messages, self._setup, conversation_id))

    async def resume(self, state: ConversationState | Mapping[str, Any]) -> ConversationOutcome:
        """Go on from a state until it ends or pauses again; see `Conversation.resume_events`."""
        return await _outcome_of(self.resume_events(state))

    def resume_events(
        self, state: ConversationState | Mapping[str, Any]
    ) -> AsyncIterator[ConversationEvent]:
        """Go on from a state that any process left; see `Conversation.resume_events`."""
        return self._lead(left(state, self._setup))

    async def _lead(self, state: ConversationState) -> AsyncIterator[ConversationEvent]:
        moves = Machine(state, self._setup, Offer(self._dispatcher, self._setup.menu)).moves()
        brought: Any = None
        while True:
            move = moves.send(brought)
            brought = None
            if isinstance(move, Step):
                brought = await self._do(move)
                continue
            yield move
            if isinstance(move, Finished):
                return

    async def _do(self, step: Step) -> Any:
        match step:
            case Store(state):
                await _settled(self._setup.store(state.to_json()))
            case AskModel(messages, tools, beside):
                response = await _settled(self._ask(messages, tools, beside))
                if isinstance(response, AsyncIterable):
                    response = [chunk async for chunk in response]
                return whole(response, self._provider)
            case OpenTurn():
                return await self._open(step)
            case ReadLate(conversation_id):
                tenant = self._setup.context.tenant
                return await self._dispatcher.late_results(conversation_id, tenant)
            case ConfirmLate(late):
                await self._dispatcher.confirm_late(*late)
            case _:
                return await _wait(step)
        return None

    async def _open(self, step: OpenTurn) -> AsyncTurn:
        if may_dispatch(step.round, self._dispatcher.keeping, self._setup.wall()):
            options = dispatch_options(step, self._setup)
            return await self._dispatcher.dispatch(step.round.response, **options)
        return await self._dispatcher.attach(step.round.turn_id)


async def _wait(step: WaitNews | Look | WriteMessages) -> Any:
    turn: Any = step.turn
    match step:
        case WaitNews(_, seen, patience):
            await turn.wait_news(seen, patience)
            return await asyncio.to_thread(turn.read_ended)
        case Look():
            return await asyncio.to_thread(turn.look)
        case WriteMessages(_, timeout, on_timeout):
            return await turn.messages(timeout, on_timeout)


async def _settled(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


async def _outcome_of(events: AsyncIterator[ConversationEvent]) -> ConversationOutcome:
    async for event in events:
        if isinstance(event, Finished):
            return event.outcome
    raise TypeError("a conversation ended without an outcome")  # pragma: no cover -- it cannot
