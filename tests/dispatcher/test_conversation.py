"""The conversation loop: ask, dispatch, gather, append, until the model answers."""

from __future__ import annotations

import json
import re
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
    kinds,
    lead,
    outcome_of,
    says,
    talk_tools,
)
from toolferry import ConfigurationError, ResponseMalformed
from toolferry_dispatcher import Dispatcher
from toolferry_dispatcher.conversation import (
    CallEnded,
    Conversation,
    EndReason,
    RoundEnded,
    ask_on,
    stop_on,
)
from toolferry_ledger import Settings


@pytest.fixture
def dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    """Give a dispatcher that knows the tools of the conversations."""
    with Dispatcher(talk_tools(), settings) as dispatcher:
        yield dispatcher


def test_a_conversation_goes_on_until_the_model_answers(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """Each request holds what was said before, and one answer for each call."""
    model = Script(response(OSLO, ROME), response(OSLO), says("Fine."))
    conversation = Conversation(dispatcher, model)

    events = lead(conversation.events(QUESTION), worker)

    outcome = outcome_of(events)
    assert (outcome.reason, outcome.text, outcome.detail) == (EndReason.FINAL, "Fine.", "")
    assert [len(asked) for asked in model.asked] == [1, 4, 6]
    assert model.asked[0] == QUESTION
    assert outcome.messages[:-1] == model.asked[-1]
    assert outcome.messages[-1] == {"role": "assistant", "content": "Fine."}
    assert outcome.state.spent.rounds == 3
    assert outcome.state.spent.calls == 3


def test_its_events_tell_people_what_happens(dispatcher: Dispatcher, worker: HandWorker) -> None:
    """In the order in which it happens; the last one is the outcome."""
    model = Script(response(OSLO, content="Let me look."), says("Fine."))

    events = lead(Conversation(dispatcher, model).events(QUESTION), worker)

    assert kinds(events) == [
        *("ModelCalled", "TextSaid", "CallsAsked", "CallEnded", "RoundEnded"),
        *("ModelCalled", "TextSaid", "Finished"),
    ]


def test_ends_are_told_as_they_come_and_results_in_the_models_order(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """The later call ends first."""
    model = Script(response(OSLO, ROME), says("Fine."))
    events = Conversation(dispatcher, model).events(QUESTION)
    heard: list[Any] = [next(events), next(events)]

    first, second = worker.take()
    worker.succeed(second)
    heard.append(next(events))
    worker.succeed(first)
    heard += events

    ended = [event.result.call_id for event in heard if isinstance(event, CallEnded)]
    (told,) = [event for event in heard if isinstance(event, RoundEnded)]
    assert ended == ["call_1", "call_0"]
    assert [result.call_id for result in told.results] == ["call_0", "call_1"]


def test_ids_that_recur_are_told_apart(dispatcher: Dispatcher, worker: HandWorker) -> None:
    """Each response numbers its calls from 0; in the messages no id is there twice."""
    model = Script(response(OSLO, ROME), response(ROME), says("Fine."))

    events = lead(Conversation(dispatcher, model).events(QUESTION), worker)

    messages = outcome_of(events).messages
    asked = [one["id"] for said in messages for one in said.get("tool_calls", ())]
    assert asked == answers(messages)
    assert len(set(asked)) == 3
    assert asked[:2] == ["call_0", "call_1"]


def test_ids_are_told_apart_in_the_form_that_a_server_takes(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """Mistral's have nine letters and digits."""
    model = Script(response(OSLO), response(ROME), says("Fine."))
    conversation = Conversation(dispatcher, model, provider="mistral")

    events = lead(conversation.events(QUESTION), worker)

    first, second = answers(outcome_of(events).messages)
    assert first != second
    assert all(re.fullmatch("[A-Za-z0-9]{9}", one) for one in (first, second))


def test_an_argument_that_looks_like_an_id_stays(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """Only the ids of calls are written otherwise."""
    odd = response(("look_up", {"city": "call_0"}), content="about call_0")
    model = Script(response(OSLO), odd, says("Fine."))

    events = lead(Conversation(dispatcher, model).events(QUESTION), worker)

    said = outcome_of(events).messages[3]
    assert said["content"] == "about call_0"
    assert json.loads(said["tool_calls"][0]["function"]["arguments"]) == {"city": "call_0"}


def test_a_failure_is_told_to_the_model(dispatcher: Dispatcher, worker: HandWorker) -> None:
    """Which goes on with it: the default."""
    model = Script(response(OSLO), says("It broke."))

    events = lead(
        Conversation(dispatcher, model).events(QUESTION),
        worker,
        lambda worker, claims: worker.fail(*claims),
    )

    assert outcome_of(events).is_final
    assert '"error_code":"execution_failed"' in model.asked[1][-1]["content"]


@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        (stop_on("execution_failed"), EndReason.STOPPED),
        (ask_on("execution_failed"), EndReason.ASK),
    ],
)
def test_a_policy_stops_at_a_failure_or_asks_a_person(
    dispatcher: Dispatcher, worker: HandWorker, policy: Any, reason: EndReason
) -> None:
    """The messages are whole: the model's next request may follow."""
    conversation = Conversation(
        dispatcher, Script(response(OSLO, ROME), says("I see.")), on_failure=policy
    )

    events = lead(
        conversation.events(QUESTION), worker, lambda worker, claims: worker.fail(*claims)
    )
    outcome = outcome_of(events)

    assert outcome.reason is reason
    assert [one.call_id for one in outcome.failures] == ["call_0", "call_1"]
    assert "look_up (execution_failed)" in outcome.detail
    assert answers(outcome.messages) == ["call_0", "call_1"]
    assert conversation.resume(outcome.state).text == "I see."


def test_a_policy_that_gives_no_answer_is_told_so(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """Such as one that forgot to return; the state that was stored can still be resumed."""
    kept: list[dict[str, Any]] = []
    forgetful: Any = lambda _result: None  # noqa: E731 -- a function of no use
    conversation = Conversation(
        dispatcher, Script(response(OSLO)), on_failure=forgetful, store=kept.append
    )

    with pytest.raises(ConfigurationError, match="on_failure: gave None, which is none of"):
        lead(conversation.events(QUESTION), worker, lambda worker, claims: worker.fail(*claims))

    assert Conversation(dispatcher, Script(says("Fine."))).resume(kept[-1]).text == "Fine."


def test_a_response_of_no_use_is_dropped_and_asked_for_again(dispatcher: Dispatcher) -> None:
    """It never gets into the messages."""
    model = Script(says(""), says(""), says("Fine."))

    outcome = Conversation(dispatcher, model).run(QUESTION)

    assert outcome.text == "Fine."
    assert model.asked == [QUESTION] * 3


def test_a_conversation_ends_after_so_many_responses_of_no_use(dispatcher: Dispatcher) -> None:
    """Three by default; it may be resumed to try anew."""
    model = Script(*[says("")] * 3, says("Fine."))
    conversation = Conversation(dispatcher, model)

    outcome = conversation.run(QUESTION)

    assert outcome.reason is EndReason.DEGENERATE
    assert "3 times in a row" in outcome.detail
    assert conversation.resume(outcome.state).text == "Fine."


def test_a_response_that_broke_off_ends_the_conversation(dispatcher: Dispatcher) -> None:
    """What there is of it is told in the outcome, and not in the messages."""
    outcome = Conversation(dispatcher, Script(says("Fi", "length"))).run(QUESTION)

    assert (outcome.reason, outcome.text) == (EndReason.INCOMPLETE, "Fi")
    assert outcome.messages == QUESTION


def test_a_response_that_cannot_be_read_is_not_stored(dispatcher: Dispatcher) -> None:
    """Whoever resumes asks the model again."""
    stored: list[dict[str, Any]] = []
    model = Script({"odd": 1}, says("Fine."))
    conversation = Conversation(dispatcher, model, store=stored.append)

    with pytest.raises(ResponseMalformed, match="choices"):
        conversation.run(QUESTION)

    assert stored == []


def test_only_the_tools_that_were_chosen_are_offered(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """A call of another one is denied."""
    model = Script(response(OSLO, PAY), says("Fine."))
    menu = dispatcher.menu(names=["look_up"])
    conversation = Conversation(dispatcher, model, menu=menu)

    events = lead(conversation.events(QUESTION), worker)

    told = outcome_of(events).messages[3]["content"]
    assert model.offered == ["look_up"]
    assert '"ok":false' in told


def test_a_model_has_to_be_a_function_or_a_client(dispatcher: Dispatcher) -> None:
    """One sentence says so."""
    with pytest.raises(ConfigurationError, match="speaks 'openai-chat'; a int is neither"):
        Conversation(dispatcher, 7)
    with pytest.raises(ConfigurationError, match="is for clients"):
        Conversation(dispatcher, Script(), request={"model": "m"})
