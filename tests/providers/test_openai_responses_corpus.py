"""Recorded responses of the Responses API are read as they were meant, and go back whole."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.providers.corpus import SAMPLE
from tests.providers.responses_types import require_input
from toolferry import ToolCall
from toolferry_dispatcher.providers import OpenAIResponses, Told
from toolferry_dispatcher.reply import Reply, ReplyKind

RESPONSES = OpenAIResponses()
ROWS = [
    json.loads(line)
    for line in (SAMPLE / "openai-responses.jsonl").read_text(encoding="utf-8").splitlines()
]
by_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
by_stream = pytest.mark.parametrize(
    "row", [row for row in ROWS if row["stream"]], ids=lambda row: row["id"]
)


def assembled(events: list[Any]) -> dict[str, Any]:
    """Put a stream together."""
    assembler = RESPONSES.assembler()
    for event in events:
        assembler.add(event)
    return assembler.body()


def read(row: Mapping[str, Any]) -> Reply:
    """Read the response of a row, streamed or not."""
    return RESPONSES.read(assembled(row["body"]) if row["stream"] else row["body"])


def without_unknown_sources(item: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what the server sends and the types do not know: sources that are no pages."""
    action = item.get("action", {})
    if item["type"] != "web_search_call" or "sources" not in action:
        return dict(item)
    pages = [one for one in action["sources"] if one["type"] == "url"]
    return {**item, "action": {**action, "sources": pages}}


@by_row
def test_a_recorded_response_is_read_whole(row: Mapping[str, Any]) -> None:
    """Every call under its id, in order, with its name and its arguments."""
    reply = read(row)

    assert [one.fault for one in reply.calls] == [None] * len(row["expect"]["calls"])
    assert [one.call for one in reply.calls] == [
        ToolCall(call["id"], call["name"], json.loads(call["raw_arguments"] or "{}"))
        for call in row["expect"]["calls"]
    ]
    assert reply.kind is (ReplyKind.CALLS if reply.calls else ReplyKind.FINAL)
    assert reply.finish_reason == row["expect"]["finish"]


@by_row
def test_what_follows_a_recorded_response_is_what_the_api_takes(row: Mapping[str, Any]) -> None:
    """The items as they came, and one output for each call."""
    reply = read(row)
    body = row["body"][-1]["response"] if row["stream"] else row["body"]

    items = RESPONSES.results(
        reply.message, [Told(one.call.call_id, one.call.name, "done") for one in reply.calls]
    )

    require_input([without_unknown_sources(item) for item in items])
    received = [{k: v for k, v in one.items() if v is not None} for one in body["output"]]
    sent = [{k: v for k, v in one.items() if v is not None} for one in items]
    assert sent[: len(received)] == received
    assert len(items) == len(received) + len(reply.calls)


@by_row
def test_what_the_server_ran_itself_is_not_answered(row: Mapping[str, Any]) -> None:
    """Its items go back in their places; none of them becomes a call."""
    items = RESPONSES.results(read(row).message, [])

    kinds = [item["type"] for item in items]
    assert [kind for kind in kinds if kind in set(row["expect"]["server_side"])] == row["expect"][
        "server_side"
    ]


@by_stream
def test_a_stream_without_its_end_is_put_together_from_its_events(row: Mapping[str, Any]) -> None:
    """What was said is all there, calls as well, but nothing of it is asked for."""
    whole = RESPONSES.read(assembled(row["body"]))
    broken = assembled(row["body"][:-1])

    reply = RESPONSES.read(broken)

    assert (reply.kind, reply.calls, reply.finish_reason) == (ReplyKind.INCOMPLETE, (), None)
    assert reply.text == whole.text
    assert RESPONSES.read({**broken, "status": "completed"}).calls == whole.calls


@by_stream
def test_a_stream_of_lines_is_put_together_like_one_of_events(row: Mapping[str, Any]) -> None:
    """As the server sends it: a name, the data, a blank line."""
    lines = [
        line
        for event in row["body"]
        for line in (f"event: {event['type']}", f"data: {json.dumps(event)}", "")
    ]

    assert assembled(lines) == assembled(row["body"])
