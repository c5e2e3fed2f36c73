"""Conversations in which everything happens at once, in each format."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.talks import QUESTION, Script, lead, outcome_of, says
from tests.providers import bodies
from tests.providers.bodies import Wanted
from tests.providers.test_generated import FORMATS, check
from toolferry import EffectClass, Registry, ResponseMalformed, tool
from toolferry_dispatcher import Approver, AsyncDispatcher, Dispatcher
from toolferry_dispatcher.conversation import (
    AsyncConversation,
    Conversation,
    ConversationLimits,
    EndReason,
)
from toolferry_ledger import Settings, open_spec

ANN = Approver("ann", verified=True)


@tool(answer_within=0.05)
async def export(part: int) -> str:
    """Export a part of everything."""
    return f"part {part}"


@tool
async def look_up(city: str) -> str:
    """Tell the weather of a city."""
    return city


@tool(permissions={"orders:write"})
async def cancel_order(number: int) -> None:
    """Cancel an order."""


@tool(effect=EffectClass.WRITE, confirm=True)
async def pay(amount: int) -> int:
    """Pay an amount."""
    return amount


#: One call that fails, one that goes on, one that is denied, one that a person is asked about, one
#: of no tool, one of bad arguments, and one that goes well; all under one id.
ALL = [
    Wanted("same", "look_up", {"city": "Oslo"}),
    Wanted("same", "export", {"part": 1}),
    Wanted("same", "cancel_order", {"number": 1}),
    Wanted("same", "pay", {"amount": 5}),
    Wanted("same", "fly", {}),
    Wanted("same", "look_up", {"city": 5, "town": 1}),
    Wanted("same", "look_up", {"city": "Rome"}),
]


@pytest.fixture
def dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    """Give a dispatcher that knows the tools of this file."""
    with Dispatcher(Registry([export, look_up, cancel_order, pay]), settings) as dispatcher:
        yield dispatcher


class Room:
    """What works on the calls of a conversation: the first is failed, and exports go on."""

    def __init__(self, worker: HandWorker) -> None:
        self._worker = worker
        self._has_failed = False

    def end(self, _worker: HandWorker, claims: list[Any]) -> None:
        """End what is claimed, but for exports."""
        for claim in claims:
            name = open_spec(self._worker.signer, claim).name
            if name == "look_up" and not self._has_failed:
                self._has_failed = True
                self._worker.fail(claim)
            elif name != "export":
                self._worker.succeed(claim)


class CheckedScript(Script):
    """A model that first has the rules of its format look at each request."""

    def __init__(self, name: str, *wanted: list[Wanted]) -> None:
        body = FORMATS[name].body
        super().__init__(*(body("", one, False, at) for at, one in enumerate(wanted)))  # noqa: FBT003 -- as the bodies have it
        self._name = name

    def __call__(self, messages: list[dict[str, Any]], _tools: list[dict[str, Any]]) -> Any:
        """Take a request and respond."""
        check(self._name, messages)
        return super().__call__(messages, [])


@pytest.mark.parametrize("is_approved", [True, False])
@pytest.mark.parametrize("name", FORMATS)
def test_a_round_in_which_everything_happens_is_one_that_the_api_takes(
    dispatcher: Dispatcher, worker: HandWorker, settings: Settings, name: str, *, is_approved: bool
) -> None:
    """It pauses for the person though a long call goes on, and is gone on with elsewhere."""
    room = Room(worker)
    model = CheckedScript(name, ALL, ALL[-1:])
    first = Conversation(dispatcher, model, provider=name)
    paused = outcome_of(lead(first.events([FORMATS[name].question]), worker, room.end))
    assert paused.reason is EndReason.APPROVAL
    assert (
        paused.detail == "A call waits for a person: resume the conversation once that is decided."
    )
    (wanted,) = paused.approvals
    if is_approved:
        dispatcher.approvals.approve(wanted.call_key, ANN)
    else:
        dispatcher.approvals.deny(wanted.call_key, ANN, "No")

    with Dispatcher(dispatcher.registry, settings) as elsewhere:
        second = Conversation(elsewhere, model, provider=name, limits=ConversationLimits(rounds=2))
        outcome = outcome_of(lead(second.resume_events(paused.state.to_json()), worker, room.end))

    check(name, list(outcome.messages))
    assert outcome.reason is EndReason.ROUNDS
    assert outcome.state.spent.calls == len(ALL) + 1


class MistralScript(Script):
    """A model at Mistral, which takes ids of nine letters and digits and no message in between."""

    def __call__(self, messages: list[dict[str, Any]], _tools: list[dict[str, Any]]) -> Any:
        """Take a request and respond."""
        check("openai-chat", messages)
        called = [call["id"] for one in messages for call in one.get("tool_calls") or ()]
        told = [one["tool_call_id"] for one in messages if one["role"] == "tool"]
        assert told == called
        assert all(re.fullmatch("[A-Za-z0-9]{9}", one) for one in called)
        return super().__call__(messages, [])


def _succeed_all(worker: HandWorker, claims: list[Any]) -> None:
    while claims:
        worker.succeed(*claims)
        claims = worker.take()


def test_ids_of_mistral_stay_legal_and_unique_over_several_rounds(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """Whether they come too long, twice, not at all, or again; each result finds its call."""
    ids = ["abcDEF123", "abcDEF123", "call_0", "call_0", None, "functions.look_up:0"]
    cities = ["Oslo", "Rome", "Paris", "Bern", "Wien", "Kyiv"]
    wanted = [
        [
            Wanted(one, "look_up", {"city": f"{city} {at}"})
            for one, city in zip(ids, cities, strict=True)
        ]
        for at in range(3)
    ]
    said = [bodies.chat("", calls, False, at) for at, calls in enumerate(wanted)]  # noqa: FBT003 -- as the bodies have it
    model = MistralScript(*said, says("Fine."))

    conversation = Conversation(dispatcher, model, provider="mistral")
    outcome = outcome_of(lead(conversation.events(QUESTION), worker, _succeed_all))

    messages = outcome.messages
    results = {one["tool_call_id"]: one["content"] for one in messages if one["role"] == "tool"}
    calls = [call for one in messages for call in one.get("tool_calls") or ()]
    assert outcome.text == "Fine."
    assert len(results) == len(calls) == 18
    assert all(
        json.loads(call["function"]["arguments"])["city"] in results[call["id"]] for call in calls
    )


def test_everything_at_once_is_what_mistral_takes(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """In a round of its own, and once more behind it, under the same id."""
    room = Room(worker)
    said = [bodies.chat("", ALL, False, at) for at in range(2)]  # noqa: FBT003 -- as the bodies have it
    model = MistralScript(*said, says("Fine."))
    conversation = Conversation(dispatcher, model, provider="mistral")

    paused = outcome_of(lead(conversation.events(QUESTION), worker, room.end))
    while paused.reason is EndReason.APPROVAL:
        dispatcher.approvals.deny(paused.approvals[0].call_key, ANN, "No")
        paused = outcome_of(lead(conversation.resume_events(paused.state), worker, room.end))

    assert paused.text == "Fine."
    assert paused.state.spent.calls == 2 * len(ALL)


CHUNKS = [
    {"choices": [{"index": 0, "delta": {"role": "assistant", "content": "Fi"}}]},
    {"choices": [{"index": 0, "delta": {"content": "ne."}, "finish_reason": "stop"}]},
]


@pytest.mark.parametrize(
    "given",
    [
        CHUNKS,
        tuple(CHUNKS),
        json.dumps(CHUNKS),
        "".join(f"data: {json.dumps(one)}\n\n" for one in CHUNKS) + "data: [DONE]\n\n",
        json.dumps(says("Fine.")),
        json.dumps(says("Fine.")).encode(),
    ],
    ids=["list", "tuple", "text of a list", "text of events", "text", "bytes"],
)
def test_a_model_may_give_whatever_dispatch_takes(dispatcher: Dispatcher, given: object) -> None:
    """A stream that was put aside, too."""
    assert Conversation(dispatcher, Script(given)).run(QUESTION).text == "Fine."


async def test_an_async_conversation_takes_the_same(settings: Settings) -> None:
    """Chunks in a list are a stream."""

    async def model(_messages: list[Any], _tools: list[Any]) -> Any:
        """Respond."""
        return CHUNKS

    async with AsyncDispatcher(Registry([look_up]), settings) as dispatcher:
        outcome = await AsyncConversation(dispatcher, model).run(QUESTION)

    assert outcome.text == "Fine."


@pytest.mark.parametrize("given", [None, 7, object(), "", "nonsense"])
def test_what_is_no_response_is_one_error(dispatcher: Dispatcher, given: object) -> None:
    """Nothing is sent, and nothing was stored that could not be resumed."""
    stored: list[Any] = []

    with pytest.raises(ResponseMalformed):
        Conversation(dispatcher, Script(given), store=stored.append).run(QUESTION)

    assert all(state["open_round"] is None for state in stored)
