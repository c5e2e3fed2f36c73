"""All recorded responses: what they ask for is read, and the next request is one that is taken.

The sample lies in tests/data/corpus; `TOOLFERRY_CORPUS` names a folder with the whole corpus.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from examples.scripted import (
    anthropic_rules,
    bedrock_rules,
    cohere_rules,
    gemini_rules,
    openai_chat_rules,
    openai_responses_rules,
)
from tests.providers import (
    cohere_types,
    converse_types,
    gemini_types,
    messages_types,
    responses_types,
    wire_types,
)
from tests.providers.corpus import SAMPLE
from tests.providers.exports import TYPES
from tests.providers.test_openai_responses_corpus import without_unknown_sources
from toolferry import Tool
from toolferry_dispatcher.providers import Told, assemble, provider
from toolferry_dispatcher.reply import Reply

WHOLE = Path(os.environ.get("TOOLFERRY_CORPUS", SAMPLE))
#: How many responses of each format there are.
ROWS = {
    "openai-chat": 63,
    "openai-responses": 43,
    "anthropic": 51,
    "gemini": 43,
    "bedrock-converse": 18,
    "cohere-v2": 4,
}
#: Those whose files do not name them.
NAMES = {"anthropic": "anthropic", "bedrock": "bedrock-converse"}
#: A signature that was trimmed when the corpus was made: what is left is base64.
TRIMMED = re.compile(r"([A-Za-z0-9+/=_-]{24})\.\.\.trimmed")
#: Its arguments were trimmed in the corpus; the sample has them whole.
TRIMMED_ROW = "wire-0255"
by_provider = pytest.mark.parametrize("name", ROWS)
#: What a request is made of: messages, and tools as the provider takes them.
Make = Callable[[list[Any], list[Any]], dict[str, Any]]


@dataclass(frozen=True)
class Format:
    """How the requests of a format are judged."""

    #: By the types of the SDK: the model's message with the results behind it.
    require: Callable[[Any], None]
    #: By the rules of the server.
    check: Callable[[Mapping[str, Any]], None]
    make: Make
    question: Mapping[str, Any]


def chat(messages: list[Any], tools: list[Any]) -> dict[str, Any]:
    """Make a request in the form that most APIs have."""
    beside = {"tools": tools} if tools else {}
    return {"model": "m", "max_tokens": 9, "messages": messages, **beside}


def _input(items: list[Any]) -> None:
    responses_types.require_input([without_unknown_sources(item) for item in items])


ASKED = {"role": "user", "content": "How?"}
FORMATS = {
    "openai-chat": Format(wire_types.require_messages, openai_chat_rules.check, chat, ASKED),
    "openai-responses": Format(
        _input,
        openai_responses_rules.check,
        lambda messages, tools: {"model": "m", "input": messages, "tools": tools},
        ASKED,
    ),
    "anthropic": Format(messages_types.require_messages, anthropic_rules.check, chat, ASKED),
    "gemini": Format(
        gemini_types.require_contents,
        gemini_rules.check,
        lambda messages, _tools: {"contents": messages},
        {"role": "user", "parts": [{"text": "How?"}]},
    ),
    "bedrock-converse": Format(
        converse_types.require_messages,
        bedrock_rules.check,
        lambda messages, tools: {"messages": messages, "toolConfig": {"tools": tools}},
        {"role": "user", "content": [{"text": "How?"}]},
    ),
    "cohere-v2": Format(cohere_types.require_messages, cohere_rules.check, chat, ASKED),
}


@cache
def rows_in(folder: Path) -> list[dict[str, Any]]:
    """Give all recorded responses of a folder, whatever files they are in."""
    rows = []
    for path in sorted(folder.glob("*.jsonl")):
        text = TRIMMED.sub(r"\1", path.read_text(encoding="utf-8"))
        beside = {"provider": NAMES.get(path.stem), "stream": False}
        rows += [{**beside, **json.loads(line)} for line in text.splitlines()]
    return [row for row in rows if "body" in row]


def body_of(row: Mapping[str, Any]) -> Any:
    """Give the response in the form of a whole one."""
    return assemble(provider(row["provider"]), row["body"]) if row["stream"] else row["body"]


def expected(row: Mapping[str, Any]) -> Iterator[tuple[str | None, str, Any]]:
    """Give the calls that a row is said to hold."""
    for call in row["expect"]["calls"]:
        raw = call["raw_arguments"] or {}
        yield call["id"], call["name"], json.loads(raw) if isinstance(raw, str) else raw


def require_calls(reply: Reply, row: Mapping[str, Any]) -> None:
    """Require the calls of a row, and no fault; those without an id have got one."""
    read = [one.call for one in reply.calls]
    wanted = list(expected(row))
    given = [
        (call.call_id if call_id else None, call.name, call.arguments)
        for call, (call_id, _, _) in zip(read, wanted, strict=True)
    ]
    assert given == [(call_id or None, name, arguments) for call_id, name, arguments in wanted]
    assert [one.fault for one in reply.calls] == [None] * len(read)


def require_request(row: Mapping[str, Any], reply: Reply) -> None:
    """Require that the next request is taken, with a result for every call."""
    name, form = row["provider"], FORMATS[row["provider"]]
    found = provider(name)
    told = [Told(one.call.call_id, one.call.name, "done") for one in reply.calls]
    messages = found.results(reply.message, told)
    tools = found.tools([Tool(name=one) for one in dict.fromkeys(names_of(reply, messages))])

    form.require(messages)
    TYPES[name](tools)
    if name == "openai-responses" or not row["expect"]["server_side"]:
        # The other scripted servers run nothing by themselves, and know no such blocks.
        form.check(form.make([form.question, *sent(messages)], tools))


def names_of(reply: Reply, messages: Sequence[Mapping[str, Any]]) -> list[str]:
    """Give the names of the tools that a conversation speaks of: at least one."""
    called = [one.call.name for one in reply.calls]
    return called or ["look"] if messages else []


def sent(messages: Sequence[Mapping[str, Any]]) -> list[Any]:
    """Give messages as they go over the wire."""
    return json.loads(json.dumps(messages, allow_nan=False))  # type: ignore[no-any-return]  # it is a list


def require_all(rows: Sequence[Mapping[str, Any]], name: str) -> None:
    """Require all of it of the responses of one provider."""
    its = [row for row in rows if row["provider"] == name]
    for row in its:
        reply = provider(name).read(body_of(row))
        require_calls(reply, row)
        require_request(row, reply)
    assert len(its) == ROWS[name]


@by_provider
def test_recorded_responses_are_read_and_followed_by_requests_that_are_taken(name: str) -> None:
    """By the official types, and by the rules of the scripted servers."""
    require_all(rows_in(SAMPLE), name)


def test_the_sample_has_all_recorded_responses_once() -> None:
    """222 of them."""
    ids = Counter(row["id"] for row in rows_in(SAMPLE))

    assert len(ids) == sum(ROWS.values()) == 222
    assert set(ids.values()) == {1}


@pytest.mark.slow
@by_provider
def test_all_recorded_responses_are_followed_by_requests_that_are_taken(name: str) -> None:
    """Those of the whole corpus, where it is at hand, as they were published."""
    rows = [row for row in rows_in(WHOLE) if row["id"] != TRIMMED_ROW]

    require_all([*rows, *(row for row in rows_in(SAMPLE) if row["id"] == TRIMMED_ROW)], name)
