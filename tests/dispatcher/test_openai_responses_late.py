"""Async calls of the Responses API, which stay open until their results are there."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.long_turns import slow_registry
from tests.providers.responses_samples import call, reasoning, response
from tests.providers.responses_types import require_input
from toolferry_dispatcher import Dispatcher, TurnHandle
from toolferry_dispatcher.providers.openai_responses_outputs import outputs_alone
from toolferry_ledger import Settings

#: A call that may stay open, and one that may not; both take long.
BODY = response(
    reasoning(),
    {**call("export", '{"part": 1}', call_id="open"), "async": True},
    call("export", '{"part": 2}', call_id="shut"),
)


@pytest.fixture
def dispatcher(settings: Settings) -> Iterator[Dispatcher]:
    """Give a dispatcher that knows the slow tools."""
    with Dispatcher(slow_registry(), settings) as dispatcher:
        yield dispatcher


@pytest.fixture
def turn(dispatcher: Dispatcher) -> TurnHandle:
    """Give a turn of a chat whose calls both still run."""
    return dispatcher.dispatch(
        BODY, provider="openai-responses", conversation_id="chat", turn_id="t"
    )


def test_the_result_of_an_async_call_is_its_one_output(
    dispatcher: Dispatcher, turn: TurnHandle, worker: HandWorker
) -> None:
    """In a later request; the other call is told of in words, since it was answered."""
    history = turn.messages()
    worker.succeed(*worker.take())

    late = {one.call_id: one.message() for one in dispatcher.late_results("chat")}

    assert [one["call_id"] for one in outputs_alone(history)] == ["shut"]
    assert late["open"]["type"] == "function_call_output"
    assert json.loads(late["open"]["output"]) == {"ok": True, "content": {"part": 1}}
    assert late["shut"]["role"] == "user"
    require_input([*history[:-1], late["open"], history[-1], late["shut"]])


def test_a_call_that_stayed_open_stays_open_when_its_messages_are_written_again(
    turn: TurnHandle, worker: HandWorker
) -> None:
    """The late result brings its output, and nothing else may."""
    before = turn.messages()
    worker.succeed(*worker.take())

    assert turn.messages() == before


def test_an_async_call_that_ends_in_time_is_answered_at_once(
    dispatcher: Dispatcher, worker: HandWorker
) -> None:
    """Nothing is late then."""
    turn = dispatcher.dispatch(
        BODY, provider="openai-responses", conversation_id="chat", answer_within=60
    )
    worker.succeed(*worker.take())

    require_input(turn.messages())

    assert dispatcher.late_results("chat") == []
