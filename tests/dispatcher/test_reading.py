"""Responses are dispatched in whatever shape an application has them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.dispatcher.hand_worker import HandWorker
from tests.dispatcher.samples import make_registry, response
from tests.providers.openai_chunks import a_chunk, a_piece
from toolferry import ConfigurationError, ResponseMalformed
from toolferry_dispatcher import AsyncDispatcher, Dispatcher
from toolferry_dispatcher.providers import assemble, provider
from toolferry_ledger import Settings

CHUNKS = [
    a_chunk(tool_calls=[a_piece("look_up", '{"city":', index=0, id="a")]),
    a_chunk(tool_calls=[a_piece(None, ' "Oslo"}', index=0)]),
    a_chunk("tool_calls"),
]


@pytest.mark.parametrize("name", ["openai-chat", "auto"])
def test_a_stream_is_dispatched_as_it_comes(
    dispatcher: Dispatcher, worker: HandWorker, name: str
) -> None:
    """As an iterator, such as an SDK's stream is."""
    turn = dispatcher.dispatch(iter(CHUNKS), provider=name)
    worker.succeed(*worker.take())

    assert [result.content["city"] for result in turn.gather(timeout=5)] == ["Oslo"]
    assert [message["role"] for message in turn.messages()] == ["assistant", "tool"]


async def test_an_asynchronous_stream_is_dispatched_on_a_loop(
    settings: Settings, worker: HandWorker
) -> None:
    """Such as an asynchronous SDK's."""

    async def chunks() -> AsyncIterator[dict[str, Any]]:
        """Give one after another."""
        for chunk in CHUNKS:
            yield chunk

    async with AsyncDispatcher(make_registry(), settings) as dispatcher:
        turn = await dispatcher.dispatch(chunks())
        worker.succeed(*worker.take())

        assert [result.call_id for result in await turn.gather(timeout=5)] == ["a"]


def test_a_turn_of_a_dialect_is_written_in_it_by_every_process(
    dispatcher: Dispatcher, settings: Settings, worker: HandWorker
) -> None:
    """Its name is kept with the turn."""
    turn = dispatcher.dispatch(response(("look_up", {"city": "Oslo"})), provider="mistral")
    worker.succeed(*worker.take())

    with Dispatcher(make_registry(), settings) as other:
        messages = other.attach(turn.turn_id).messages(timeout=5)

    assert messages == turn.messages(timeout=5)
    assert len(messages[-1]["tool_call_id"]) == 9


@pytest.mark.parametrize(
    ("body", "state", "messages"),
    [
        (response(finish="stop", refusal="I cannot."), "refused", 1),
        ({"error": {"message": "overloaded"}}, "provider_error", 0),
        ([CHUNKS[0]], "incomplete", 1),
    ],
    ids=["refusal", "error", "stream that just ends"],
)
def test_a_response_that_asks_for_nothing_ends_its_turn(
    dispatcher: Dispatcher, body: object, state: str, messages: int
) -> None:
    """There is nothing to wait for."""
    turn = dispatcher.dispatch(body)

    assert (turn.state, turn.gather(timeout=5)) == (state, [])
    assert len(turn.messages()) == messages


def test_a_response_whose_format_cannot_be_told_is_refused(dispatcher: Dispatcher) -> None:
    """Nothing of it is written down."""
    with pytest.raises(ResponseMalformed, match="name its provider"):
        dispatcher.dispatch({"answer": 42}, provider="auto")


def test_chunks_for_a_provider_without_streams_are_refused() -> None:
    """One sentence says so."""
    with pytest.raises(ConfigurationError, match="'plain' takes no chunks of a stream"):
        assemble(provider("plain"), CHUNKS)
