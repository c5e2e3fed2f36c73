"""Streams that are another API's: refused by name, and never passed over to their end."""

from __future__ import annotations

from typing import Any

import pytest

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers import assemble, provider
from toolferry_dispatcher.providers.protocol import has_stream

CALL: dict[str, Any] = {"name": "look", "arguments": "{}"}
#: How the streams of each API begin.
STREAMS: dict[str, list[dict[str, Any]]] = {
    "openai-chat": [
        {"id": "r1", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}}]},
    ],
    "openai-responses": [
        {"type": "response.created", "response": {"id": "r1", "output": []}},
        {"type": "response.output_item.added", "item": {"type": "function_call", **CALL}},
    ],
    "anthropic": [
        {"type": "message_start", "message": {"role": "assistant", "content": []}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use"}},
    ],
    "gemini": [{"candidates": [{"content": {"parts": [{"text": "Hm."}]}}], "responseId": "r1"}],
    "bedrock-converse": [
        {"messageStart": {"role": "assistant"}},
        {"contentBlockStart": {"contentBlockIndex": 0, "start": {"toolUse": {"name": "look"}}}},
    ],
    "cohere-v2": [
        {"type": "message-start", "id": "r1", "delta": {"message": {"role": "assistant"}}},
        {"type": "tool-call-start", "index": 0, "delta": {"message": {"tool_calls": {}}}},
    ],
}
PAIRS = [(name, other) for name in STREAMS for other in STREAMS if name != other]


@pytest.mark.parametrize(("name", "other"), PAIRS)
def test_the_stream_of_another_api_is_refused(name: str, other: str) -> None:
    """At its first event, and at every other one; else its calls would be lost without a word."""
    for event in STREAMS[other]:
        with pytest.raises(ResponseMalformed, match=r"chunk|event\.type"):
            assemble(provider(name), [event])


@pytest.mark.parametrize("name", STREAMS)
def test_the_own_stream_is_taken(name: str) -> None:
    """Of every API."""
    assert assemble(provider(name), STREAMS[name])


@pytest.mark.parametrize(
    ("name", "event"),
    [
        ("openai-responses", {"type": "keepalive"}),
        ("openai-responses", {"type": "response.new_thing.delta", "delta": "x"}),
        ("anthropic", {"type": "ping"}),
        ("anthropic", {"type": "content_block_new", "index": 0}),
        ("bedrock-converse", {"newEvent": {"contentBlockIndex": 0}}),
        ("bedrock-converse", {"SDK_UNKNOWN_MEMBER": {"name": "newEvent"}}),
        ("cohere-v2", {"type": "debug", "prompt": "x"}),
        ("cohere-v2", {"type": "tool-call-new"}),
    ],
)
def test_events_that_nobody_knows_yet_are_passed_over(name: str, event: dict[str, Any]) -> None:
    """An API may get new ones."""
    found = provider(name)
    assert has_stream(found)
    assembler = found.assembler()
    before = assembler.body()

    assembler.add(event)

    assert assembler.body() == before


@pytest.mark.parametrize(
    "event",
    [
        {"error": {"message": "overloaded"}},
        {"usageMetadata": {"totalTokenCount": 3}},
        {"chunk": {"bytes": "e30="}},
        {"choices": []},
        {"newEvent": "no object"},
        {"newEvent": {}, "other": {}},
    ],
)
def test_converse_refuses_what_cannot_be_an_event_of_its_own(event: dict[str, Any]) -> None:
    """The sentence says what the chunk holds, and what to do."""
    with pytest.raises(ResponseMalformed, match="is no event of a Converse stream: name its"):
        assemble(provider("bedrock-converse"), [event])
