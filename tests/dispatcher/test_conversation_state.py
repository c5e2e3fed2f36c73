"""Conversations that pause or crash, and what goes on from their state, also elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.long_turns import EXPORTS, slow_registry
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
from toolferry import ConfigurationError, TurnUnknown
from toolferry_dispatcher import Approver, Dispatcher
from toolferry_dispatcher.conversation import (
    ApprovalWanted,
    CallsAsked,
    Conversation,
    ConversationState,
    EndReason,
    OnApproval,
)
from toolferry_ledger import Settings

ANN = Approver("ann", verified=True)


@pytest.fixture
def dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    """Give a dispatcher that knows the tools of the conversations."""
    with Dispatcher(talk_tools(), settings) as dispatcher:
        yield dispatcher


@pytest.fixture
def elsewhere(settings: Settings) -> Iterator[Dispatcher]:
    """Give another dispatcher of the same system, as another process has it."""
    with Dispatcher(talk_tools(), settings) as dispatcher:
        yield dispatcher


class Crash(Exception):
    """The process dies."""


class Storage:
    """What an application stores; may die in the moment after a given store.

    Args:
        dies_after: After how many.
    """

    def __init__(self, dies_after: int = 99) -> None:
        self.states: list[str] = []
        self._left = dies_after

    def __call__(self, state: dict[str, Any]) -> None:
        """Keep a state as text."""
        self.states.append(json.dumps(state))
        self._left -= 1
        if not self._left:
            raise Crash

    @property
    def newest(self) -> dict[str, Any]:
        """What was stored last."""
        read: dict[str, Any] = json.loads(self.states[-1])
        return read


def test_a_conversation_pauses_for_a_person_and_goes_on_elsewhere(
    dispatcher: Dispatcher, elsewhere: Dispatcher, worker: HandWorker
) -> None:
    """What was decided meanwhile is done once; the stored text is all that is needed."""
    events = lead(Conversation(dispatcher, Script(response(OSLO, PAY))).events(QUESTION), worker)
    paused = outcome_of(events)
    stored = json.dumps(paused.state.to_json())
    dispatcher.approvals.approve(paused.approvals[0].call_key, ANN)

    model = Script(says("Paid."))
    again = lead(Conversation(elsewhere, model).resume_events(json.loads(stored)), worker)

    assert paused.reason is EndReason.APPROVAL
    assert [one.preview for one in paused.approvals] == ["Pay 5"]
    assert outcome_of(again).text == "Paid."
    assert answers(model.asked[0]) == ["call_0", "call_1"]
    assert model.asked[0][-1]["content"].startswith('{"ok":true,"content":{"amount":5}')


def test_a_state_without_a_decision_pauses_again(dispatcher: Dispatcher) -> None:
    """As often as it is resumed."""
    conversation = Conversation(dispatcher, Script(response(PAY)))
    outcome = conversation.run(QUESTION)

    again = conversation.resume(outcome.state)

    assert again.reason is EndReason.APPROVAL
    assert again.state.spent.calls == outcome.state.spent.calls == 1


def test_who_decides_at_once_is_not_paused_for(dispatcher: Dispatcher, worker: HandWorker) -> None:
    """A user interface decides before it takes the next event."""
    heard = []

    for event in Conversation(dispatcher, Script(response(PAY), says("Paid."))).events(QUESTION):
        heard.append(event)
        if isinstance(event, ApprovalWanted):
            dispatcher.approvals.approve(event.approval.call_key, ANN)
            worker.succeed(*worker.take())

    assert outcome_of(heard).text == "Paid."


def test_a_conversation_may_wait_for_the_decision(dispatcher: Dispatcher) -> None:
    """A denial is one: the model is told."""
    model = Script(response(PAY), says("Then not."))
    conversation = Conversation(dispatcher, model, on_approval=OnApproval.WAIT)
    heard = []

    for event in conversation.events(QUESTION):
        heard.append(event)
        if isinstance(event, ApprovalWanted):
            dispatcher.approvals.deny(event.approval.call_key, ANN, "Too much")

    assert outcome_of(heard).text == "Then not."
    assert "Too much" in model.asked[1][-1]["content"]


@pytest.mark.parametrize("dies_after", range(1, 7))
def test_a_crash_at_any_store_runs_nothing_twice(
    dispatcher: Dispatcher, elsewhere: Dispatcher, worker: HandWorker, dies_after: int
) -> None:
    """Whatever was stored last, every call is claimed once, and the model's last word is there."""
    responses = [response(OSLO, ROME), response(ROME), says("Fine.")]
    storage, claimed = Storage(dies_after), []

    def end(worker: HandWorker, claims: list[Any]) -> None:
        claimed.extend(claims)
        worker.succeed(*claims)

    with pytest.raises(Crash):
        lead(
            Conversation(dispatcher, Script(*responses), store=storage).events(QUESTION),
            worker,
            end,
        )
    left = storage.newest
    rest = responses[left["spent"]["rounds"] :]
    events = lead(Conversation(elsewhere, Script(*rest)).resume_events(left), worker, end)

    outcome = outcome_of(events)
    assert outcome.text == "Fine."
    assert len(answers(outcome.messages)) == len(claimed) == 3


def test_a_crash_before_the_calls_were_marked_as_sent_finds_them(
    dispatcher: Dispatcher, elsewhere: Dispatcher, worker: HandWorker
) -> None:
    """They were dispatched, and the state does not say so: the turn's name was there before."""
    storage, claimed = Storage(), []
    events = Conversation(dispatcher, Script(response(OSLO)), store=storage).events(QUESTION)
    for event in events:
        if isinstance(event, CallsAsked):
            break
    claimed += worker.take()
    worker.succeed(*claimed)
    before_it_was_sent = json.loads(storage.states[0])

    model = Script(says("Fine."))
    again = list(Conversation(elsewhere, model).resume_events(before_it_was_sent))

    assert not before_it_was_sent["open_round"]["is_sent"]
    assert outcome_of(again).text == "Fine."
    assert worker.take() == []
    assert kinds(again).count("CallEnded") == 1


def test_a_turn_that_may_be_forgotten_is_not_sent_again(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """After the records' time it could run twice: it is attached to, or nothing is done."""
    storage = Storage(1)
    with pytest.raises(Crash):
        Conversation(dispatcher, Script(response(OSLO)), store=storage).run(QUESTION)
    old = storage.newest
    old["open_round"]["since"] -= dispatcher.keeping.succeeded + 1
    model = Script(says("Fine."))
    conversation = Conversation(dispatcher, model)

    with pytest.raises(TurnUnknown):
        conversation.resume(old)

    state = ConversationState.from_json(old).without_open_round()
    assert worker.take() == []
    assert conversation.resume(state).text == "Fine."
    assert model.asked == [QUESTION]


def test_late_results_are_told_before_the_next_request(
    settings: Settings, worker: HandWorker
) -> None:
    """Once, also when the process dies between storing and confirming them."""
    storage = Storage(1)
    with Dispatcher(slow_registry(), settings) as dispatcher:
        conversation = Conversation(dispatcher, Script(EXPORTS, says("Wait.")))
        first = conversation.run(QUESTION, "chat")
        worker.succeed(*worker.take())
        dying = Conversation(dispatcher, Script(), store=storage)
        with pytest.raises(Crash):
            dying.resume(first.state.adding({"role": "user", "content": "And?"}))

        model = Script(says("Ready."))
        outcome = Conversation(dispatcher, model).resume(storage.newest)
        nothing_more = dispatcher.late_results("chat")

    late = [one for one in outcome.messages if str(one["content"]).startswith("[Late")]
    assert outcome.text == "Ready."
    assert len(late) == 2
    assert nothing_more == []


def test_nothing_is_added_while_calls_are_open(dispatcher: Dispatcher) -> None:
    """Their results come first on every wire."""
    outcome = Conversation(dispatcher, Script(response(PAY))).run(QUESTION)

    with pytest.raises(ConfigurationError, match="while calls are open"):
        outcome.state.adding({"role": "user", "content": "Hurry."})


def test_a_state_of_another_provider_is_refused(dispatcher: Dispatcher) -> None:
    """And what is no state at all."""
    conversation = Conversation(dispatcher, Script())
    plain = ConversationState(messages=(), provider="plain")

    with pytest.raises(ConfigurationError, match="'plain', not with 'openai-chat'"):
        conversation.resume(plain)
    with pytest.raises(ConfigurationError, match="is no state of a conversation"):
        conversation.resume({"messages": []})
