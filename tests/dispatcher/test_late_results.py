"""Late results as a conversation is told of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.long_turns import EXPORTS, slow_registry
from tests.dispatcher.samples import response
from toolferry import ConfigurationError, Context, Outcome, ToolCall
from toolferry_dispatcher import AsyncDispatcher, Dispatcher, TurnHandle
from toolferry_ledger import Settings


@pytest.fixture
def dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    """Give a dispatcher that knows the slow tools."""
    with Dispatcher(slow_registry(), settings) as dispatcher:
        yield dispatcher


@pytest.fixture
def turn(dispatcher: Dispatcher, worker: HandWorker) -> TurnHandle:
    """Give a turn of a chat of which one call ended in time and one late."""
    turn = dispatcher.dispatch(EXPORTS, conversation_id="chat", turn_id="t")
    first, second = worker.take()
    worker.succeed(first)
    turn.messages()
    worker.succeed(second)
    return turn


@pytest.mark.usefixtures("turn")
def test_a_late_result_is_told_in_a_message_of_its_own(dispatcher: Dispatcher) -> None:
    """Which names call and handle, and says that no person wrote it."""
    (late,) = dispatcher.late_results("chat")

    message = late.message()

    assert (late.handle, late.call_id, late.name) == ("t:1", "call_1", "export")
    assert late.result.outcome is Outcome.SUCCEEDED
    assert message["role"] == "user"
    first, envelope = message["content"].split("\n")
    assert "not written by the user" in first
    assert "export (call call_1, handle t:1)" in first
    assert json.loads(envelope) == {"ok": True, "content": {"part": 2}}


def test_a_confirmed_one_never_comes_again(dispatcher: Dispatcher, turn: TurnHandle) -> None:
    """One that is not comes every time; the messages of its turn stay as they were."""
    (late,) = dispatcher.late_results("chat")
    again = dispatcher.late_results("chat")

    confirmed = dispatcher.confirm_late(late)

    assert again == confirmed == [late]
    assert dispatcher.late_results("chat") == []
    assert dispatcher.confirm_late(late) == []
    assert len(turn.messages()) == 3


def test_a_call_that_failed_late_is_told_too(dispatcher: Dispatcher, worker: HandWorker) -> None:
    """Whatever became of it."""
    dispatcher.dispatch(response(("export", {"part": 1})), conversation_id="chat").messages()
    worker.fail(*worker.take())

    (late,) = dispatcher.late_results("chat")

    assert '"error_code":"execution_failed"' in late.message()["content"]


@pytest.mark.parametrize("name", ["chat", 'a "quoted" one', "Gespräch\\", "two words"])
def test_a_conversation_may_have_any_name(
    dispatcher: Dispatcher, worker: HandWorker, name: str
) -> None:
    """Also beside labels and words that look like it."""
    dispatcher.dispatch(
        response(("export", {"part": 1}), content='"conversation_id":"no"'),
        conversation_id=name,
        labels={"conversation_id": "no"},
    ).messages()

    worker.succeed(*worker.take())

    assert len(dispatcher.late_results(name)) == 1
    assert dispatcher.late_results("no") == []


def test_half_characters_in_a_models_words_lose_no_late_result(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """Servers send them, and not every reader of JSON takes them."""
    turn = dispatcher.dispatch(
        response(("export", {"part": 1}), content="\ud83d"), conversation_id="chat"
    )
    turn.messages()

    worker.succeed(*worker.take())

    assert len(dispatcher.late_results("chat")) == 1


def test_half_characters_beside_a_strange_name_lose_no_late_result(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """The name is read alone, whatever letters it has."""
    turn = dispatcher.dispatch(
        response(("export", {"part": 1})), conversation_id='é"\\', labels={"who": "\ud83d"}
    )
    turn.messages()
    worker.succeed(*worker.take())

    assert len(dispatcher.late_results('é"\\')) == 1


@pytest.mark.parametrize("name", ["\ud83d", 7], ids=["half a character", "number"])
def test_a_conversation_that_no_key_can_hold_is_refused(dispatcher: Dispatcher, name: Any) -> None:
    """Before anything runs of which it could not be told."""
    with pytest.raises(ConfigurationError, match="conversation_id"):
        dispatcher.dispatch(EXPORTS, conversation_id=name)


def test_a_tenant_that_no_key_can_hold_is_refused(dispatcher: Dispatcher) -> None:
    """In one sentence, without a traceback of the encoder."""
    with pytest.raises(ConfigurationError, match=r"context\.tenant"):
        dispatcher.dispatch(EXPORTS, context=Context(tenant="\ud83d"))


def test_calls_without_a_provider_are_told_of_in_plain_messages(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """As their results are."""
    call = ToolCall("c1", "write_book", {"title": "Ferries"})
    dispatcher.dispatch([call], conversation_id="chat").messages()
    worker.succeed(*worker.take())

    (late,) = dispatcher.late_results("chat")

    assert late.message()["content"].endswith('has ended:\n{"title":"Ferries"}')


def test_a_conversation_without_a_name_has_no_late_results(dispatcher: Dispatcher) -> None:
    """There would be no telling whose they are."""
    with pytest.raises(ConfigurationError, match="conversation_id"):
        dispatcher.late_results("")


@pytest.mark.usefixtures("turn")
async def test_an_event_loop_reads_and_confirms_them_too(settings: Settings) -> None:
    """The same ones."""
    async with AsyncDispatcher(slow_registry(), settings) as dispatcher:
        (late,) = await dispatcher.late_results("chat")

        assert await dispatcher.confirm_late(late) == [late]
        assert await dispatcher.late_results("chat") == []
