"""Troubles that meet: providers that fail in the middle, policies on failures, and limits."""

from __future__ import annotations

from collections.abc import Iterator
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
    lead,
    outcome_of,
    says,
    talk_tools,
)
from tests.providers.bodies import Wanted
from tests.providers.test_generated import FORMATS, check
from toolferry_dispatcher import Approver, Dispatcher, OnTimeout
from toolferry_dispatcher.conversation import (
    Conversation,
    ConversationLimits,
    EndReason,
    Tries,
    ask_on,
    stop_on,
)
from toolferry_ledger import Settings

#: What each API sends in place of a response when it cannot give one.
ERRORS: dict[str, dict[str, Any]] = {
    "openai-chat": {"error": {"message": "overloaded", "type": "server_error", "code": None}},
    "openai-responses": {
        "id": "resp_1",
        "object": "response",
        "status": "failed",
        "error": {"code": "server_error", "message": "overloaded"},
        "output": [],
    },
    "anthropic": {"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}},
    "gemini": {"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}},
    "bedrock-converse": {"modelStreamErrorException": {"message": "overloaded"}},
    "cohere-v2": {"id": "r", "message": "overloaded"},
}


@pytest.fixture
def dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    """Give a dispatcher that knows the tools of the conversations."""
    with Dispatcher(talk_tools(), settings) as dispatcher:
        yield dispatcher


class Failing(Script):
    """A model that asks for a tool, fails, asks again and answers; each request is checked."""

    def __init__(self, name: str) -> None:
        said = [[Wanted("a", "look_up", {"city": city})] for city in ("Oslo", "Rome")]
        body = FORMATS[name].body
        first, second = (body("", calls, False, at) for at, calls in enumerate(said))  # noqa: FBT003 -- as the bodies have it
        super().__init__(first, ERRORS[name], second, body("Fine.", [], False, 2))  # noqa: FBT003 -- as above
        self._name = name

    def __call__(self, messages: list[dict[str, Any]], _tools: list[dict[str, Any]]) -> Any:
        """Take a request and respond."""
        check(self._name, messages)
        return super().__call__(messages, [])


@pytest.mark.parametrize("name", FORMATS)
def test_a_provider_that_fails_in_the_middle_costs_nothing_that_was_done(
    dispatcher: Dispatcher, worker: HandWorker, name: str
) -> None:
    """The conversation ends with whole messages, and is resumed where it stood."""
    conversation = Conversation(dispatcher, Failing(name), provider=name)

    broken = outcome_of(lead(conversation.events([FORMATS[name].question]), worker))
    check(name, list(broken.messages))
    outcome = outcome_of(lead(conversation.resume_events(broken.state.to_json()), worker))

    assert broken.reason is EndReason.PROVIDER_ERROR
    assert broken.state.spent.calls == 1
    assert (outcome.reason, outcome.text) == (EndReason.FINAL, "Fine.")
    assert (outcome.state.spent.calls, outcome.state.spent.rounds) == (2, 4)


@pytest.mark.parametrize("name", ["openai-responses", "gemini"])
def test_a_provider_that_fails_once_is_asked_again(
    dispatcher: Dispatcher, worker: HandWorker, name: str
) -> None:
    """Where that is allowed; nothing of the failure gets into the messages."""
    tries = Tries(provider_error=2)
    conversation = Conversation(dispatcher, Failing(name), provider=name, tries=tries)

    outcome = outcome_of(lead(conversation.events([FORMATS[name].question]), worker))

    check(name, list(outcome.messages))
    assert outcome.reason is EndReason.FINAL
    assert "overloaded" not in str(outcome.messages)


def failing(worker: HandWorker, claims: list[Any]) -> None:
    """End calls badly."""
    worker.fail(*claims)


def test_a_failure_that_stops_comes_before_the_limit_of_rounds(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """Resumed, the limit holds: the model is not asked."""
    model = Script(response(OSLO))
    limits = ConversationLimits(rounds=1)
    policy = stop_on("execution_failed")
    conversation = Conversation(dispatcher, model, limits=limits, on_failure=policy)

    stopped = outcome_of(lead(conversation.events(QUESTION), worker, failing))
    again = conversation.resume(stopped.state)

    assert stopped.reason is EndReason.STOPPED
    assert [one.name for one in stopped.failures] == ["look_up"]
    assert answers(stopped.messages) == ["call_0"]
    assert again.reason is EndReason.ROUNDS
    assert len(model.asked) == 1


def test_calls_over_the_limit_do_not_run_and_so_do_not_fail(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """With a higher limit they do, the policy asks, and a person lets the model go on."""
    model = Script(response(OSLO, ROME), says("Fine."))
    policy = ask_on("execution_failed")
    tight = Conversation(dispatcher, model, limits=ConversationLimits(calls=1), on_failure=policy)
    wide = Conversation(dispatcher, model, limits=ConversationLimits(calls=2), on_failure=policy)

    limited = outcome_of(lead(tight.events(QUESTION), worker, failing))
    asked = outcome_of(lead(wide.resume_events(limited.state), worker, failing))
    outcome = wide.resume(asked.state)

    assert (limited.reason, limited.failures) == (EndReason.CALLS, ())
    assert (asked.reason, len(asked.failures)) == (EndReason.ASK, 2)
    assert (outcome.reason, outcome.state.spent.calls) == (EndReason.FINAL, 2)


def test_the_cost_of_calls_that_failed_counts(dispatcher: Dispatcher, worker: HandWorker) -> None:
    """They may have been paid for; what would go over the limit is not sent."""
    model = Script(response(OSLO, PAY), response(PAY))
    conversation = Conversation(dispatcher, model, limits=ConversationLimits(cost=15))

    paused = outcome_of(lead(conversation.events(QUESTION), worker, failing))
    dispatcher.approvals.deny(paused.approvals[0].call_key, Approver("ann", verified=True), "No")
    outcome = outcome_of(lead(conversation.resume_events(paused.state), worker, failing))

    assert paused.reason is EndReason.APPROVAL
    assert (outcome.reason, outcome.state.spent.cost) == (EndReason.COST, 11)
    assert answers(outcome.messages) == ["call_0", "call_1"]


@pytest.mark.parametrize(
    ("codes", "reason"), [(["cancelled"], EndReason.STOPPED), ([], EndReason.SECONDS)]
)
def test_calls_that_are_cancelled_when_the_time_is_over_have_failed(
    dispatcher: Dispatcher, worker: HandWorker, codes: list[str], reason: EndReason
) -> None:
    """The policy is asked about them; when it says nothing, the limit ends the conversation."""
    conversation = Conversation(
        dispatcher,
        Script(response(OSLO)),
        limits=ConversationLimits(seconds=0.1),
        on_timeout=OnTimeout.CANCEL,
        on_failure=stop_on(*codes),
    )

    outcome = conversation.run(QUESTION)

    assert outcome.reason is reason
    assert answers(outcome.messages) == ["call_0"]
    assert worker.take() == []
