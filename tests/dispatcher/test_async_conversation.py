"""The conversation loop on an event loop: the same machine, and never a blocked loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.samples import response
from tests.dispatcher.talks import (
    OSLO,
    PAY,
    QUESTION,
    ROME,
    Script,
    answers,
    kinds,
    outcome_of,
    says,
    talk_tools,
)
from toolferry_dispatcher import Approver, AsyncDispatcher
from toolferry_dispatcher.conversation import (
    ApprovalWanted,
    AsyncConversation,
    CallsAsked,
    ConversationLimits,
    EndReason,
    OnApproval,
)
from toolferry_ledger import Settings


@pytest.fixture
async def dispatcher(settings: Settings) -> AsyncIterator[AsyncDispatcher]:
    """Give an asyncio dispatcher that knows the tools of the conversations."""
    async with AsyncDispatcher(talk_tools(), settings) as dispatcher:
        yield dispatcher


async def lead(events: AsyncIterator[Any], worker: HandWorker) -> list[Any]:
    """Take the events of a conversation; its calls end as soon as they are asked for."""
    heard = []
    async for event in events:
        heard.append(event)
        if isinstance(event, CallsAsked):
            await asyncio.to_thread(lambda: worker.succeed(*worker.take()))
    return heard


async def test_a_conversation_goes_on_until_the_model_answers(
    dispatcher: AsyncDispatcher, worker: HandWorker
) -> None:
    """With a model and a store that have to be awaited."""
    script, states = Script(response(OSLO, ROME), says("Fine.")), []

    async def model(messages: list[Any], tools: list[Any]) -> Any:
        """Respond."""
        return script(messages, tools)

    async def store(state: dict[str, Any]) -> None:
        """Keep the state."""
        states.append(state)

    events = await lead(
        AsyncConversation(dispatcher, model, store=store).events(QUESTION, "chat"), worker
    )

    assert outcome_of(events).text == "Fine."
    assert kinds(events)[:2] == ["ModelCalled", "CallsAsked"]
    assert answers(outcome_of(events).messages) == ["call_0", "call_1"]
    assert states[-1] == outcome_of(events).state.to_json()


async def test_a_conversation_pauses_for_a_person(
    dispatcher: AsyncDispatcher, worker: HandWorker
) -> None:
    """And goes on from its state."""
    conversation = AsyncConversation(dispatcher, Script(response(PAY), says("Paid.")))
    paused = await conversation.run(QUESTION)
    await asyncio.to_thread(
        dispatcher.approvals.approve, paused.approvals[0].call_key, Approver("ann", verified=True)
    )

    events = await lead(conversation.resume_events(paused.state.to_json()), worker)

    assert paused.reason is EndReason.APPROVAL
    assert outcome_of(events).text == "Paid."


async def test_a_conversation_may_wait_for_a_person(dispatcher: AsyncDispatcher) -> None:
    """The loop goes on meanwhile."""
    conversation = AsyncConversation(
        dispatcher, Script(response(PAY), says("Then not.")), on_approval=OnApproval.WAIT
    )
    heard: list[Any] = []
    tasks = set()

    async for event in conversation.events(QUESTION):
        heard.append(event)
        if isinstance(event, ApprovalWanted):
            deny = asyncio.to_thread(
                dispatcher.approvals.deny, event.approval.call_key, Approver("ann", verified=True)
            )
            tasks.add(asyncio.ensure_future(deny))

    await asyncio.gather(*tasks)
    assert outcome_of(heard).text == "Then not."


async def test_time_is_limited(dispatcher: AsyncDispatcher, worker: HandWorker) -> None:
    """Open calls go on, and are told by whoever resumes."""
    model = Script(response(OSLO), says("Fine."))
    limits = ConversationLimits(seconds=0.1)

    outcome = await AsyncConversation(dispatcher, model, limits=limits).run(QUESTION)
    await asyncio.to_thread(lambda: worker.succeed(*worker.take()))
    again = await AsyncConversation(dispatcher, model).resume(outcome.state)

    assert outcome.reason is EndReason.SECONDS
    assert again.text == "Fine."
