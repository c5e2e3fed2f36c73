"""Whatever a model does and however calls end: the next request is one that its API takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from examples.scripted import (
    anthropic_rules,
    bedrock_rules,
    cohere_rules,
    gemini_rules,
    openai_chat_rules,
    openai_responses_rules,
)
from examples.scripted.refusal import need_sendable
from tests.providers import bodies
from tests.providers.generated import Fate, Round, conversations, odd_tools
from toolferry_dispatcher.conversation.joining import joined
from toolferry_dispatcher.conversation.recurring import tell_apart
from toolferry_dispatcher.providers import Told, provider
from toolferry_dispatcher.reply import Reply, ReplyKind

TOOLS = odd_tools().visible()


@dataclass(frozen=True)
class Format:
    """How a format is written and checked."""

    body: bodies.Body
    check: Callable[[Mapping[str, Any]], None]
    question: dict[str, Any]
    #: Makes a request of messages and tools.
    request: Callable[[list[Any], list[Any]], dict[str, Any]]


def _plain(messages: list[Any], tools: list[Any]) -> dict[str, Any]:
    return {"model": "m", "max_tokens": 9, "messages": messages, "tools": tools}


SAID = {"role": "user", "content": "How?"}
FORMATS = {
    "openai-chat": Format(bodies.chat, openai_chat_rules.check, SAID, _plain),
    "openai-responses": Format(
        bodies.responses,
        openai_responses_rules.check,
        SAID,
        lambda messages, tools: {"model": "m", "input": messages, "tools": tools},
    ),
    "anthropic": Format(bodies.anthropic, anthropic_rules.check, SAID, _plain),
    "gemini": Format(
        bodies.gemini,
        gemini_rules.check,
        {"role": "user", "parts": [{"text": "How?"}]},
        lambda messages, tools: {
            "contents": messages,
            "tools": [
                {"functionDeclarations": [_camel(one) for one in tool["function_declarations"]]}
                for tool in tools
            ],
        },
    ),
    "bedrock-converse": Format(
        bodies.bedrock,
        bedrock_rules.check,
        {"role": "user", "content": [{"text": "How?"}]},
        lambda messages, tools: {"messages": messages, "toolConfig": {"tools": tools}},
    ),
    "cohere-v2": Format(bodies.cohere, cohere_rules.check, SAID, _plain),
}


def _camel(function: Mapping[str, Any]) -> dict[str, Any]:
    """Give a declaration as the SDK writes it."""
    named = {"parameters_json_schema": "parametersJsonSchema"}
    return {named.get(key, key): value for key, value in function.items()}


def told(reply: Reply, fates: tuple[Fate, ...]) -> list[Told]:
    """Tell how the calls of a reply ended."""
    return [
        Told(
            read.call.call_id, read.call.name, fate.text, fate.is_error, fate.media, fate.is_running
        )
        for read, fate in zip(reply.calls, fates, strict=False)
    ]


def render(name: str, conversation: list[Round]) -> list[dict[str, Any]]:
    """Lead a conversation as the loop does, and check each request on its way."""
    form, adapter = FORMATS[name], provider(name)
    messages: list[dict[str, Any]] = [dict(form.question)]
    for number, one in enumerate(conversation):
        reply = adapter.read(form.body(one.text, one.calls, one.is_cut, number))
        if reply.kind not in {ReplyKind.CALLS, ReplyKind.FINAL}:
            continue
        turn = adapter.results(reply.message, told(reply, one.fates))
        messages += tell_apart(turn, messages, f"turn-{number}")
        if one.late:
            messages = joined(messages, [adapter.late(one.late)])
        check(name, messages)
        if reply.kind is ReplyKind.FINAL:
            messages = joined(messages, [form.question])
    return messages


def check(name: str, messages: list[dict[str, Any]]) -> None:
    """Have the rules of a format look at a request."""
    request = FORMATS[name].request(messages, provider(name).tools(TOOLS))
    need_sendable(request)
    FORMATS[name].check(request)


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(conversation=conversations)
def test_every_request_is_taken(name: str, conversation: list[Round]) -> None:
    """Forty conversations in each format."""
    render(name, conversation)


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=2000, suppress_health_check=[HealthCheck.too_slow])
@given(conversation=conversations)
def test_every_request_of_thousands_is_taken(name: str, conversation: list[Round]) -> None:
    """Two thousand conversations in each format."""
    render(name, conversation)
