"""Recorded responses of Bedrock Converse, whole and as their streams would be."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from botocore.parsers import create_parser  # type: ignore[import-untyped]  # it has no types

from tests.providers.converse_types import operation, require_messages
from tests.providers.recorded import Recorded, calls_of, recorded, told_of
from toolferry_dispatcher.providers import BedrockConverse
from toolferry_dispatcher.reply import ReplyKind

BEDROCK = BedrockConverse()
ROWS = recorded("bedrock")
by_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)


def events_of(body: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Give the events in which a body would have come; texts in pieces of ten characters."""
    yield {"messageStart": {"role": "assistant"}}
    for at, block in enumerate(body["output"]["message"]["content"]):
        start, deltas = pieces_of(block)
        if start:
            yield {"contentBlockStart": {"start": start, "contentBlockIndex": at}}
        for delta in deltas:
            yield {"contentBlockDelta": {"delta": delta, "contentBlockIndex": at}}
        yield {"contentBlockStop": {"contentBlockIndex": at}}
    yield {"messageStop": {"stopReason": body["stopReason"]}}
    yield {"metadata": {"usage": body["usage"], "metrics": body["metrics"]}}


def pieces_of(block: Mapping[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Give how a block is announced, and its pieces."""
    if "toolUse" in block:
        start = {key: value for key, value in block["toolUse"].items() if key != "input"}
        text = json.dumps(block["toolUse"]["input"])
        return {"toolUse": start}, [{"toolUse": {"input": piece}} for piece in tens(text)]
    if "toolResult" in block:
        start = {key: value for key, value in block["toolResult"].items() if key != "content"}
        return {"toolResult": start}, [{"toolResult": block["toolResult"]["content"]}]
    if "reasoningContent" in block:
        thought = block["reasoningContent"]["reasoningText"]
        deltas = [{"text": piece} for piece in tens(thought["text"])]
        deltas += [{"signature": thought["signature"]}] if "signature" in thought else []
        return {}, [{"reasoningContent": delta} for delta in deltas]
    return {}, [{"text": piece} for piece in tens(block["text"])]


def tens(text: str) -> list[str]:
    """Cut a text into pieces of ten characters."""
    return [text[at : at + 10] for at in range(0, len(text), 10)]


@by_row
def test_a_recorded_response_is_read_whole(row: Recorded) -> None:
    """Every call under its id, in order, with its arguments; none that the service has run."""
    reply = BEDROCK.read(row.body)

    assert calls_of(reply) == row.calls
    assert reply.kind is ReplyKind.CALLS
    assert reply.finish_reason == row.finish_reason


@by_row
def test_a_recorded_response_goes_back_as_it_came_and_is_taken(row: Recorded) -> None:
    """Only a mark that the service sends and does not know is left out."""
    reply = BEDROCK.read(row.body)

    messages = BEDROCK.results(reply.message, told_of(reply))

    require_messages(messages)
    received = json.dumps(row.body["output"]["message"], sort_keys=True)
    unmarked = received.replace(', "type": "tool_use"', "")
    assert json.dumps(messages[0], sort_keys=True) == unmarked


@by_row
def test_what_boto3_gives_is_read_like_the_body(row: Recorded) -> None:
    """The client parses a body by its model, and hands on more than the body."""
    answer = {"status_code": 200, "headers": {}, "body": json.dumps(row.body).encode()}
    shape = operation("Converse").output_shape

    response = create_parser("rest-json").parse(answer, shape)

    assert "ResponseMetadata" in response
    assert calls_of(BEDROCK.read(response)) == row.calls


@by_row
@pytest.mark.parametrize(
    "write",
    [dict, json.dumps, lambda event: f"data: {json.dumps(event)}"],
    ids=["dict", "json", "line"],
)
def test_a_recorded_response_is_the_same_as_a_stream(row: Recorded, write: Any) -> None:
    """Put together from dicts, JSON text, or lines of an event stream."""
    assembler = BEDROCK.assembler()

    for event in events_of(row.body):
        assembler.add(write(event))

    assert BEDROCK.read(assembler.body()) == BEDROCK.read(row.body)


@by_row
def test_a_stream_that_just_ends_is_incomplete_wherever_it_ends(row: Recorded) -> None:
    """Nothing runs, and what had come is still a message that the API takes."""
    assembler = BEDROCK.assembler()

    for event in events_of(row.body):
        if "messageStop" in event:
            break
        assembler.add(event)
        reply = BEDROCK.read(assembler.body())
        assert reply.kind is ReplyKind.INCOMPLETE
        assert reply.calls == ()
        if reply.message:
            require_messages([reply.message])


def test_the_sample_has_all_rows_and_their_licence() -> None:
    """18 bodies of several models, whose licence lies beside them."""
    assert len(ROWS) == 18
    assert {row.licence for row in ROWS} == {"MIT"}
