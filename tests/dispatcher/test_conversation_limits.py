"""The limits of conversations: each ends one with its reason, and raising it goes on."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, cast

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
    lead,
    outcome_of,
    says,
    talk_tools,
)
from toolferry import ConfigurationError
from toolferry_dispatcher import Dispatcher, OnTimeout
from toolferry_dispatcher.conversation import (
    Conversation,
    ConversationLimits,
    EndReason,
    Tries,
)
from toolferry_ledger import Settings


@pytest.fixture
def dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    """Give a dispatcher that knows the tools of the conversations."""
    with Dispatcher(talk_tools(), settings) as dispatcher:
        yield dispatcher


def test_rounds_are_limited(dispatcher: Dispatcher, worker: HandWorker) -> None:
    """The results of the last round are told; the model is not asked again."""
    model = Script(response(OSLO), response(ROME), says("Fine."))
    limits = ConversationLimits(rounds=2)

    events = lead(Conversation(dispatcher, model, limits=limits).events(QUESTION), worker)
    outcome = outcome_of(events)
    more = Conversation(dispatcher, model, limits=ConversationLimits(rounds=3))

    assert outcome.reason is EndReason.ROUNDS
    assert "may come to 2 responses of the model and has come to 2" in outcome.detail
    assert len(answers(outcome.messages)) == 2
    assert more.resume(outcome.state).text == "Fine."


def test_calls_are_limited_before_they_are_sent(dispatcher: Dispatcher, worker: HandWorker) -> None:
    """A response that asks for too many runs none; with a higher limit they are sent."""
    model = Script(response(OSLO), response(OSLO, ROME), says("Fine."))
    limits = ConversationLimits(calls=2)

    events = lead(Conversation(dispatcher, model, limits=limits).events(QUESTION), worker)
    outcome = outcome_of(events)
    more = Conversation(dispatcher, model, limits=ConversationLimits(calls=3))
    again = lead(more.resume_events(outcome.state), worker)

    assert outcome.reason is EndReason.CALLS
    assert "may come to 2 calls and has come to 3 with the calls" in outcome.detail
    assert len(answers(outcome.messages)) == 1
    assert outcome.state.spent.calls == 1
    assert outcome_of(again).text == "Fine."
    assert outcome_of(again).state.spent.calls == 3


def test_cost_is_what_tools_declare_and_responses_cost(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """`pay` costs 10 and each response 3: asked once more it would be 26."""
    model = Script(response(OSLO), response(PAY))
    conversation = Conversation(
        dispatcher, model, limits=ConversationLimits(cost=16), price=lambda _response: 3.0
    )

    outcome = outcome_of(lead(conversation.events(QUESTION), worker))

    assert outcome.reason is EndReason.COST
    assert outcome.state.spent.cost == 7
    assert "has come to 17" in outcome.detail


@pytest.mark.parametrize("price", [float("nan"), None, "3 euros", -1])
def test_a_price_has_to_be_a_number_that_can_be_counted(dispatcher: Dispatcher, price: Any) -> None:
    """Else no limit would hold."""
    conversation = Conversation(dispatcher, Script(says("Fine.")), price=lambda _: price)

    with pytest.raises(ConfigurationError, match=f"price: gave {price!r}"):
        conversation.run(QUESTION)


def test_a_price_may_be_a_decimal(dispatcher: Dispatcher) -> None:
    """As prices are."""
    conversation = Conversation(
        dispatcher, Script(says("Fine.")), price=lambda _: cast("float", Decimal("0.25"))
    )

    assert conversation.run(QUESTION).state.spent.cost == 0.25


def test_words_may_be_given_as_plain_text(dispatcher: Dispatcher, worker: HandWorker) -> None:
    """As everywhere; one that is not known is told when the conversation is made."""
    leave: Any = "leave"
    conversation = Conversation(
        dispatcher,
        Script(response(OSLO)),
        limits=ConversationLimits(seconds=0.2),
        on_timeout=leave,
    )

    outcome = conversation.run(QUESTION)

    assert outcome.reason is EndReason.SECONDS
    assert outcome.state.open_round is not None
    worker.succeed(*worker.take())
    with pytest.raises(ConfigurationError, match="on_approval: 'ask' is none of pause, wait"):
        Conversation(dispatcher, Script(), on_approval=cast("Any", "ask"))


@pytest.mark.parametrize("messages", ["How is it?", [1], [["role", "user"], "x"], 7])
def test_messages_are_objects(dispatcher: Dispatcher, messages: Any) -> None:
    """A text alone is in no provider's format."""
    with pytest.raises(ConfigurationError, match="messages: must be a list of objects in the"):
        Conversation(dispatcher, Script()).run(messages)


@pytest.mark.parametrize("limit", [-1, float("nan"), "25"])
def test_a_limit_is_a_number(limit: Any) -> None:
    """A wrong one is told where it is given."""
    with pytest.raises(ConfigurationError, match=r"limits\.rounds: must be 0 or more"):
        ConversationLimits(rounds=limit)


def test_when_the_time_is_over_open_calls_go_on(dispatcher: Dispatcher, worker: HandWorker) -> None:
    """Their results are told when the conversation is resumed with more time."""
    model = Script(response(OSLO), says("Fine."))
    limits = ConversationLimits(seconds=0.2)

    outcome = Conversation(dispatcher, model, limits=limits).run(QUESTION)
    worker.succeed(*worker.take())
    again = Conversation(dispatcher, model).resume(outcome.state)

    assert outcome.reason is EndReason.SECONDS
    assert outcome.messages == QUESTION
    assert again.text == "Fine."
    assert answers(again.messages) == ["call_0"]


def test_when_the_time_is_over_open_calls_may_be_cancelled(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """Then the messages are whole."""
    conversation = Conversation(
        dispatcher,
        Script(response(OSLO)),
        limits=ConversationLimits(seconds=0.1),
        on_timeout=OnTimeout.CANCEL,
    )

    outcome = conversation.run(QUESTION)

    assert outcome.reason is EndReason.SECONDS
    assert answers(outcome.messages) == ["call_0"]
    assert "cancelled" in outcome.messages[-1]["content"]
    assert worker.take() == []


@pytest.mark.parametrize("name", ["rounds", "calls", "seconds", "cost"])
def test_a_limit_is_a_number_of_zero_or_more(name: str) -> None:
    """Anything else is refused, with its name."""
    for value in (-1, float("nan")):
        with pytest.raises(ConfigurationError, match=f"limits.{name}"):
            ConversationLimits(**cast("Any", {name: value}))


def test_at_least_one_response_is_taken() -> None:
    """Zero tries would be no conversation."""
    with pytest.raises(ConfigurationError, match=r"tries\.refused"):
        Tries(refused=0)
