"""Real responses of a dozen servers that speak Chat Completions, whole and streamed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.providers.corpus import SAMPLE
from tests.providers.wire_types import require_messages
from toolferry_dispatcher import detect
from toolferry_dispatcher.providers import OpenAIChat, Told, assemble, provider
from toolferry_dispatcher.reply import ReplyKind

#: The dialect of each server that has one.
DIALECTS = {
    "api.openai.com": "openai-chat",
    "api.cerebras.ai": "cerebras",
    "api.deepseek.com": "deepseek",
    "api.groq.com": "groq",
    "api.mistral.ai": "mistral",
    "ollama.com": "ollama",
    "openrouter.ai": "openrouter",
    "router.huggingface.co": "huggingface",
}
ROWS = [
    row
    for name in ("responses", "openai_chat")
    for row in map(json.loads, (SAMPLE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines())
]
by_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])


def body_of(row: Mapping[str, Any]) -> Any:
    """The response in the form of a whole one."""
    return assemble(OpenAIChat(), row["body"]) if row.get("stream") else row["body"]


@by_row
def test_every_call_of_a_recorded_response_is_read(row: Mapping[str, Any]) -> None:
    """Under its id, in order, with its name and its arguments to the letter."""
    reply = OpenAIChat().read(body_of(row))

    assert reply.kind is ReplyKind.CALLS
    assert [
        (read.call.call_id, read.call.name, echo["function"]["arguments"])
        for read, echo in zip(reply.calls, reply.message["tool_calls"], strict=True)
    ] == [
        (call["id"], call["name"], call["raw_arguments"] or "{}") for call in row["expect"]["calls"]
    ]
    assert [read.call.arguments for read in reply.calls] == [
        json.loads(call["raw_arguments"] or "{}") for call in row["expect"]["calls"]
    ]
    assert reply.finish_reason == (row["expect"]["finish"] or None)


@by_row
def test_the_format_of_a_recorded_response_is_recognised(row: Mapping[str, Any]) -> None:
    """Whole or streamed, of whichever server."""
    assert detect(row["body"]).name == "openai-chat"


@by_row
def test_a_recorded_response_is_followed_by_a_request_that_its_server_takes(
    row: Mapping[str, Any],
) -> None:
    """Every id is kept and answered, and every field that its server wants back is there."""
    spoken = provider(DIALECTS.get(row["server"], "openai-chat"))
    reply = spoken.read(body_of(row))
    told = [Told(read.call.call_id, read.call.name, "done") for read in reply.calls]

    message, *results = spoken.results(reply.message, told)

    require_messages([message, *results])
    ids = [call["id"] for call in row["expect"]["calls"]]
    assert [call["id"] for call in message["tool_calls"]] == ids
    assert [result["tool_call_id"] for result in results] == ids
    json.dumps([message, *results], allow_nan=False).encode()


def test_the_thoughts_of_a_recorded_deepseek_response_go_back() -> None:
    """Its server refuses the next request without them."""
    [row] = [row for row in ROWS if row["server"] == "api.deepseek.com"]
    received = row["body"]["choices"][0]["message"]

    echo = provider("deepseek").read(row["body"]).message

    assert echo["reasoning_content"] == received["reasoning_content"] != ""
