"""Recorded responses of Gemini are read as they were meant, and go back whole."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from google.genai import types

from tests.providers.corpus import SAMPLE
from tests.providers.gemini_types import require_contents
from toolferry_dispatcher.providers import Gemini, Told, detect
from toolferry_dispatcher.reply import Reply, ReplyKind

GEMINI = Gemini()
ROWS = [
    json.loads(line) for line in (SAMPLE / "gemini.jsonl").read_text(encoding="utf-8").splitlines()
]
by_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
by_stream = pytest.mark.parametrize(
    "row", [row for row in ROWS if row["stream"]], ids=lambda row: row["id"]
)


def assembled(chunks: list[Any]) -> dict[str, Any]:
    """Put a stream together."""
    assembler = GEMINI.assembler()
    for chunk in chunks:
        assembler.add(chunk)
    return assembler.body()


def body_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """The response of a row, whole."""
    return assembled(row["body"]) if row["stream"] else dict(row["body"])


def parts_of(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The parts as they came, but for those of an empty text alone."""
    chunks = row["body"] if row["stream"] else [row["body"]]
    parts = [part for chunk in chunks for part in chunk["candidates"][0]["content"]["parts"]]
    return [part for part in parts if part != {"text": ""}]


def as_sdk(body: Mapping[str, Any]) -> types.GenerateContentResponse:
    """Give a response as the SDK does, which drops what it does not know."""
    usage = {key: value for key, value in body["usageMetadata"].items() if key != "serviceTier"}
    return types.GenerateContentResponse.model_validate({**body, "usageMetadata": usage})


def follow_up(reply: Reply) -> list[dict[str, Any]]:
    """What follows a reply."""
    return GEMINI.results(
        reply.message, [Told(one.call.call_id, one.call.name, "done") for one in reply.calls]
    )


@by_row
def test_a_recorded_response_is_read_whole(row: Mapping[str, Any]) -> None:
    """Every call in order, with its name and its arguments, under its id if it had one."""
    reply = GEMINI.read(body_of(row))

    calls = [one.call for one in reply.calls]
    expected = row["expect"]["calls"]
    assert [one.fault for one in reply.calls] == [None] * len(expected)
    assert [(call.name, call.arguments) for call in calls] == [
        (call["name"], call["raw_arguments"]) for call in expected
    ]
    assert all(
        call.call_id == given["id"] if given["id"] else call.call_id.startswith("call_")
        for call, given in zip(calls, expected, strict=True)
    )
    assert reply.kind is (ReplyKind.CALLS if calls else ReplyKind.FINAL)
    assert reply.finish_reason == row["expect"]["finish"]


@by_row
def test_a_recorded_response_is_read_alike_in_every_form(row: Mapping[str, Any]) -> None:
    """As JSON, as the SDK's object, and as what that dumps, with all its nulls."""
    body = body_of(row)
    sdk = as_sdk(body)

    forms = [json.dumps(body), sdk, sdk.model_dump(), sdk.model_dump(mode="json", by_alias=True)]

    calls = GEMINI.read(body).calls
    assert all(GEMINI.read(form).calls == calls for form in forms)
    for form in forms:
        require_contents(follow_up(GEMINI.read(form)))


@by_row
def test_the_format_of_a_recorded_response_is_told(row: Mapping[str, Any]) -> None:
    """Whole and streamed, by what it holds."""
    assert detect(row["body"]).name == "gemini"


@by_row
def test_what_follows_a_recorded_response_is_what_the_api_takes(row: Mapping[str, Any]) -> None:
    """The parts as they came, signatures in their places, and one result for each call."""
    messages = follow_up(GEMINI.read(body_of(row)))

    require_contents(messages)
    if not row["stream"]:
        assert messages[0]["parts"] == parts_of(row)


@by_row
def test_what_the_server_ran_itself_is_not_answered(row: Mapping[str, Any]) -> None:
    """Its parts go back in their places; none of them becomes a call."""
    parts = GEMINI.read(body_of(row)).message["parts"]

    kinds = [kind for part in parts for kind in row["expect"]["server_side"][:1] if kind in part]
    ran = [kind for part in parts for kind in part if kind in set(row["expect"]["server_side"])]
    assert ran == row["expect"]["server_side"]
    assert bool(kinds) is bool(ran)


@by_stream
def test_no_signature_of_a_stream_is_lost_or_moved(row: Mapping[str, Any]) -> None:
    """Each stays on the part that brought it; only texts without one become one."""
    parts = GEMINI.read(body_of(row)).message["parts"]

    signed = [part for part in parts if "thoughtSignature" in part]
    assert signed == [part for part in parts_of(row) if "thoughtSignature" in part]
    texts = ["".join(part.get("text", "") for part in some) for some in (parts, parts_of(row))]
    assert texts[0] == texts[1]


@by_stream
def test_a_stream_is_put_together_alike_from_every_form(row: Mapping[str, Any]) -> None:
    """Objects of the SDK, lines of an event stream, and the array that comes without them."""
    chunks = row["body"]

    forms = [
        assembled([f"data: {json.dumps(chunk)}\r\n\r\n" for chunk in chunks]),
        assembled([as_sdk(chunk) for chunk in chunks]),
        assembled([json.dumps(chunks)]),
    ]

    reply = GEMINI.read(assembled(chunks))
    assert [GEMINI.read(form).message for form in forms] == [reply.message] * 3
    assert GEMINI.read(chunks) == reply


@by_stream
def test_a_stream_that_just_ends_runs_nothing(row: Mapping[str, Any]) -> None:
    """Its last chunk has the finish reason; without it nobody knows whether more was to come."""
    *before, last = row["body"]
    candidate = {
        key: value for key, value in last["candidates"][0].items() if key != "finishReason"
    }

    reply = GEMINI.read(assembled([*before, {**last, "candidates": [candidate]}]))

    assert (reply.kind, reply.calls, reply.finish_reason) == (ReplyKind.INCOMPLETE, (), None)
