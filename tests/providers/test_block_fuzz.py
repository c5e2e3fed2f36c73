"""Whatever comes as a message of blocks is read, or refused in words; what goes back is fit.

Messages of Anthropic and of Bedrock Converse, whole and streamed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.providers import converse_types, messages_types
from tests.providers.recorded import told_of
from toolferry import ResponseMalformed
from toolferry_dispatcher.providers import Anthropic, BedrockConverse, StreamingProvider
from toolferry_dispatcher.reply import Reply

#: Examples of what takes long to draw.
FEW = 20
ANTHROPIC = Anthropic()
BEDROCK = BedrockConverse()
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
INPUTS = st.sampled_from(['{"a": 1}', '{"a', "", "null", "\ud800"]) | JSON
IDS = st.sampled_from(["a", "b", "c:d", "e" * 70]) | JSON
NAMES = st.sampled_from(["now", "no.good", ""]) | JSON


def objects(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Draw objects that have some of these fields."""
    return st.fixed_dictionaries({}, optional=fields)


#: Calls with every field right, wrong or missing, among texts.
ANTHROPIC_BLOCKS = st.lists(
    st.fixed_dictionaries(
        {"type": st.just("tool_use")}, optional={"id": IDS, "name": NAMES, "input": INPUTS}
    )
    | st.fixed_dictionaries({"type": st.just("text"), "text": st.text(max_size=3)}),
    max_size=5,
)
BEDROCK_BLOCKS = st.lists(
    st.fixed_dictionaries({"toolUse": objects(toolUseId=IDS, name=NAMES, input=INPUTS)})
    | st.fixed_dictionaries({"text": st.text(max_size=3)}),
    max_size=5,
)
#: Bodies and events that are nearly right.
KINDS = st.sampled_from(
    ["message", "error", "tool_use", "text", "thinking", "message_start", "content_block_start"]
)
DELTAS = st.sampled_from(
    ["text_delta", "input_json_delta", "thinking_delta", "signature_delta", "citations_delta"]
)
ANTHROPIC_EVENTS = st.lists(
    JSON
    | st.fixed_dictionaries(
        {"type": KINDS | st.sampled_from(["content_block_delta", "message_delta"])},
        optional={
            "index": st.integers(0, 2) | JSON,
            "message": objects(content=JSON | ANTHROPIC_BLOCKS, id=JSON),
            "content_block": objects(type=KINDS, id=IDS, name=NAMES, input=INPUTS, text=JSON),
            "delta": objects(type=DELTAS, text=JSON, partial_json=INPUTS, stop_reason=JSON) | JSON,
            "usage": JSON,
            "error": JSON,
        },
    ),
    max_size=8,
)
BEDROCK_EVENTS = st.lists(
    JSON
    | objects(
        messageStart=JSON | objects(role=JSON),
        contentBlockStart=JSON
        | objects(
            contentBlockIndex=st.integers(0, 2) | JSON,
            start=JSON | objects(toolUse=JSON | objects(toolUseId=IDS, name=NAMES)),
        ),
        contentBlockDelta=JSON
        | objects(
            contentBlockIndex=st.integers(0, 2) | JSON,
            delta=JSON
            | objects(
                text=JSON,
                toolUse=JSON | objects(input=INPUTS),
                reasoningContent=JSON | objects(text=JSON, signature=JSON, redactedContent=JSON),
                toolResult=JSON,
                citation=JSON,
                image=JSON,
            ),
        ),
        messageStop=JSON | objects(stopReason=JSON),
        metadata=JSON,
        throttlingException=JSON,
    ),
    max_size=8,
)


def read(provider: StreamingProvider, body: object) -> Reply | None:
    """Read a body; None when it is refused in words."""
    try:
        reply = provider.read(body)
    except ResponseMalformed:
        return None
    messages = provider.results(reply.message, told_of(reply))
    json.dumps([messages, reply.text], ensure_ascii=False, allow_nan=False).encode()
    assert len({one.call.call_id for one in reply.calls}) == len(reply.calls)
    assert provider.read(body) == reply
    return reply


def assembled(provider: StreamingProvider, events: Iterable[object]) -> dict[str, Any]:
    """Put a stream together, past the events that are refused in words."""
    assembler = provider.assembler()
    for event in events:
        with suppress(ResponseMalformed):
            assembler.add(event)
    return assembler.body()


@settings(max_examples=2 * FEW)
@given(ANTHROPIC_BLOCKS)
def test_whatever_calls_come_the_messages_api_takes_what_goes_back(blocks: list[Any]) -> None:
    """Legal names and ids, inputs that are objects, one result for each call, in order."""
    reply = read(ANTHROPIC, {"content": blocks})

    assert reply is not None
    assert len(reply.calls) == sum(block["type"] == "tool_use" for block in blocks)
    messages_types.require_messages(ANTHROPIC.results(reply.message, told_of(reply)))


@settings(max_examples=2 * FEW)
@given(BEDROCK_BLOCKS)
def test_whatever_calls_come_converse_takes_what_goes_back(blocks: list[Any]) -> None:
    """As above."""
    reply = read(BEDROCK, {"content": blocks})

    assert reply is not None
    assert len(reply.calls) == sum("toolUse" in block for block in blocks)
    converse_types.require_messages(BEDROCK.results(reply.message, told_of(reply)))


@pytest.mark.parametrize("provider", [ANTHROPIC, BEDROCK], ids=lambda one: one.name)
@settings(max_examples=2 * FEW)
@given(
    body=JSON
    | objects(
        type=KINDS,
        content=JSON | st.lists(objects(type=KINDS, text=JSON)),
        output=JSON | objects(message=JSON),
        stop_reason=JSON,
        stopReason=JSON,
        stop_details=JSON,
        role=JSON,
        error=JSON,
        Error=JSON,
    )
)
def test_any_body_is_read_or_refused_in_words(provider: StreamingProvider, body: Any) -> None:
    """As data and as text."""
    read(provider, body)
    provider.recognises(body)


@settings(max_examples=FEW)
@given(ANTHROPIC_EVENTS)
def test_any_events_of_the_messages_api_are_put_together_or_refused(events: list[Any]) -> None:
    """And what they make is a body like any other."""
    read(ANTHROPIC, assembled(ANTHROPIC, events))


@settings(max_examples=FEW)
@given(BEDROCK_EVENTS)
def test_any_events_of_converse_are_put_together_or_refused(events: list[Any]) -> None:
    """As above."""
    read(BEDROCK, assembled(BEDROCK, events))


@pytest.mark.parametrize("provider", [ANTHROPIC, BEDROCK], ids=lambda one: one.name)
@given(text=st.text() | st.binary())
def test_any_text_is_read_or_refused_in_words(provider: StreamingProvider, text: str) -> None:
    """Whole, and as a line of a stream."""
    read(provider, text)
    assembled(provider, [text])
