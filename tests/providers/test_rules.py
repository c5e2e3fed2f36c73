"""The rules of the scripted servers: what they refuse, one broken rule at a time."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import openai
import pytest

from examples.scripted.refusal import Refused
from examples.scripted.server import SPEAKERS
from tests.providers.server import CLIENTS, ScriptedTurn, calls, serving

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}}
TURN = calls(("look_up", {"city": "Oslo"}), ("look_up", {"city": "Rome"}), text="Let me look.")
FUNCTION = {"name": "look_up", "description": "Look.", "parameters": SCHEMA}


def good(name: str) -> dict[str, Any]:
    """Give a request that breaks no rule: a question, two calls, and their results."""
    return copy.deepcopy(_REQUESTS[name])


def _said(name: str) -> Any:
    return SPEAKERS[name].said(TURN, 1)


def _chat(name: str) -> dict[str, Any]:
    said = _said(name)
    told = [
        {"role": "tool", "tool_call_id": one["id"], "content": "8"} for one in said["tool_calls"]
    ]
    messages = [{"role": "user", "content": "How?"}, said, *told]
    return {
        "model": "m",
        "messages": messages,
        "tools": [{"type": "function", "function": FUNCTION}],
    }


def _responses() -> dict[str, Any]:
    items = _said("openai-responses")
    told = [
        {"type": "function_call_output", "call_id": one["call_id"], "output": "8"}
        for one in items
        if one["type"] == "function_call"
    ]
    tools = [{"type": "function", "strict": False, **FUNCTION}]
    return {
        "model": "m",
        "input": [{"role": "user", "content": "How?"}, *items, *told],
        "tools": tools,
    }


def _anthropic() -> dict[str, Any]:
    said = _said("anthropic")
    told = [
        {"type": "tool_result", "tool_use_id": one["id"], "content": "8"}
        for one in said["content"]
        if one["type"] == "tool_use"
    ]
    messages = [{"role": "user", "content": "How?"}, said, {"role": "user", "content": told}]
    tools = [{"name": "look_up", "input_schema": SCHEMA}]
    return {"model": "m", "max_tokens": 9, "messages": messages, "tools": tools}


def _gemini() -> dict[str, Any]:
    response = {"name": "look_up", "response": {"output": "8"}}
    told = [{"functionResponse": dict(response)} for _ in TURN.calls]
    asked = {"role": "user", "parts": [{"text": "How?"}]}
    contents = [asked, _said("gemini"), {"role": "user", "parts": told}]
    return {"contents": contents, "tools": [{"functionDeclarations": [FUNCTION]}]}


def _bedrock() -> dict[str, Any]:
    said = _said("bedrock-converse")
    told = [
        {"toolResult": {"toolUseId": one["toolUse"]["toolUseId"], "content": [{"text": "8"}]}}
        for one in said["content"]
        if "toolUse" in one
    ]
    messages = [
        {"role": "user", "content": [{"text": "How?"}]},
        said,
        {"role": "user", "content": told},
    ]
    spec = {"name": "look_up", "inputSchema": {"json": SCHEMA}}
    return {"messages": messages, "toolConfig": {"tools": [{"toolSpec": spec}]}}


def _cohere() -> dict[str, Any]:
    return {**_chat("cohere-v2"), "strict_tools": True}


_REQUESTS = {
    "openai-chat": _chat("openai-chat"),
    "deepseek": _chat("deepseek"),
    "openai-responses": _responses(),
    "anthropic": _anthropic(),
    "gemini": _gemini(),
    "bedrock-converse": _bedrock(),
    "cohere-v2": _cohere(),
}


def _put(*path: Any, to: Any) -> Callable[[Any], None]:
    def change(request: Any) -> None:
        *way, last = path
        for step in way:
            request = request[step]
        request[last] = to

    return change


def _drop(*path: Any) -> Callable[[Any], None]:
    def change(request: Any) -> None:
        *way, last = path
        for step in way:
            request = request[step]
        del request[last]

    return change


def _again(*path: Any, at: int = -1) -> Callable[[Any], None]:
    def change(request: Any) -> None:
        for step in path:
            request = request[step]
        request.append(copy.deepcopy(request[at]))

    return change


CALL = ("messages", 1, "tool_calls", 0)
COHERE: list[tuple[str, str, Callable[[Any], None], str]] = [
    ("cohere-v2", "an answer is missing", _drop("messages", 3), "missing tool results"),
    ("cohere-v2", "one answer twice", _again("messages"), "not found in previous"),
    ("cohere-v2", "an answer to nothing", _put("messages", 2, "tool_call_id", to="x"), "not found"),
    ("cohere-v2", "an id twice", _put(*CALL, "id", to="look_up_0101scripted"), "there twice"),
    ("cohere-v2", "no id", _drop(*CALL, "id"), "expected a string"),
    ("cohere-v2", "an illegal name", _put(*CALL, "function", "name", to="a-b"), "match pattern"),
    ("cohere-v2", "arguments", _put(*CALL, "function", "arguments", to="[]"), "a JSON object"),
    ("cohere-v2", "no plan", _drop("messages", 1, "tool_plan"), "was changed"),
    ("cohere-v2", "an unknown field", _put("messages", 1, "id", to="x"), "unknown field"),
    ("cohere-v2", "a null", _put("messages", 1, "tool_calls", to=None), "expected an array"),
    (
        "cohere-v2",
        "nothing said",
        _put("messages", 1, to={"role": "assistant", "tool_plan": "Hm."}),
        "at least one of",
    ),
    (
        "cohere-v2",
        "a picture told",
        _put("messages", 2, "content", to=[{"type": "image_url"}]),
        "invalid content",
    ),
]
BROKEN: list[tuple[str, str, Callable[[Any], None], str]] = [
    ("openai-chat", "an answer is missing", _drop("messages", 3), "must be followed by tool mess"),
    ("openai-chat", "one answer twice", _again("messages"), "must be a response to a preceeding"),
    ("openai-chat", "an answer to nothing", _put("messages", 2, "tool_call_id", to="x"), "must be"),
    ("openai-chat", "an id twice", _put(*CALL, "id", to="call_0101scripted"), "Duplicate value"),
    ("openai-chat", "no id", _drop(*CALL, "id"), "expected a string"),
    ("openai-chat", "no type", _drop(*CALL, "type"), "Missing required parameter"),
    ("openai-chat", "an illegal name", _put(*CALL, "function", "name", to="a.b"), "match pattern"),
    ("openai-chat", "arguments as object", _put(*CALL, "function", "arguments", to={}), "a string"),
    ("openai-chat", "broken arguments", _put(*CALL, "function", "arguments", to="{"), "holds JSON"),
    ("openai-chat", "an array", _put(*CALL, "function", "arguments", to="[]"), "a JSON object"),
    (
        "openai-chat",
        "no number",
        _put(*CALL, "function", "arguments", to='{"a":NaN}'),
        "holds JSON",
    ),
    ("openai-chat", "no calls", _put("messages", 1, "tool_calls", to=[]), "empty array"),
    (
        "openai-chat",
        "a picture told",
        _put("messages", 2, "content", to=[{"type": "image_url"}]),
        "only",
    ),
    (
        "openai-chat",
        "half a character",
        _put("messages", 2, "content", to="\ud83d"),
        "could not parse",
    ),
    ("openai-chat", "a tool twice", _again("tools"), "must be unique"),
    (
        "openai-chat",
        "no object",
        _put("tools", 0, "function", "parameters", to={}),
        "type 'object'",
    ),
    (
        "openai-chat",
        "an array of nothing",
        _put("tools", 0, "function", "parameters", "properties", "city", to={"type": "array"}),
        "missing items",
    ),
    ("deepseek", "no thoughts", _drop("messages", 1, "reasoning_content"), "must be passed back"),
    ("deepseek", "other words", _put("messages", 1, "content", to="Hm."), "was changed"),
    ("openai-responses", "no output", _drop("input", -1), "No tool output found"),
    ("openai-responses", "no call", _drop("input", 3), "No tool call found"),
    ("openai-responses", "a call twice", _again("input", at=3), "Duplicate call_id"),
    ("openai-responses", "too long", _put("input", 3, "call_id", to="c" * 65), "string too long"),
    ("openai-responses", "SDK's own", _put("input", 3, "parsed_arguments", to={}), "Unknown param"),
    ("openai-responses", "no thoughts", _drop("input", 1), "reasoning item was changed"),
    (
        "openai-responses",
        "lone thoughts",
        _put("input", 2, to={"role": "user", "content": "x"}),
        "following",
    ),
    ("openai-responses", "arguments", _put("input", 3, "arguments", to={}), "expected a string"),
    ("openai-responses", "nested tool", _put("tools", 0, "function", to={}), "Unknown parameter"),
    (
        "anthropic",
        "a result is missing",
        _drop("messages", 2, "content", 0),
        "without `tool_result`",
    ),
    ("anthropic", "no results", _drop("messages", 2), "without `tool_result`"),
    ("anthropic", "a result twice", _again("messages", 2, "content"), "single result"),
    (
        "anthropic",
        "words first",
        lambda request: request["messages"][2]["content"].insert(0, {"type": "text", "text": "Hm"}),
        "must come first",
    ),
    (
        "anthropic",
        "words behind a call",
        lambda request: request["messages"][1]["content"].append({"type": "text", "text": "Hm"}),
        "nothing may follow",
    ),
    ("anthropic", "no thoughts", _drop("messages", 1, "content", 0), "cannot be modified"),
    ("anthropic", "unsigned", _drop("messages", 1, "content", 0, "signature"), "Field required"),
    (
        "anthropic",
        "arguments as text",
        _put("messages", 1, "content", 2, "input", to="{}"),
        "dictionary",
    ),
    (
        "anthropic",
        "an illegal id",
        _put("messages", 1, "content", 2, "id", to="a:b"),
        "match pattern",
    ),
    ("anthropic", "blank words", _put("messages", 1, "content", 1, "text", to=" "), "non-empty"),
    (
        "anthropic",
        "a picture of an error",
        lambda request: request["messages"][2]["content"][0].update(
            is_error=True, content=[{"type": "image"}]
        ),
        "non-empty text",
    ),
    ("anthropic", "no limit", _drop("max_tokens"), "Field required"),
    ("gemini", "a response is missing", _drop("contents", 2, "parts", 0), "number of function"),
    ("gemini", "one too many", _again("contents", 2, "parts"), "number of function response"),
    (
        "gemini",
        "another name",
        _put("contents", 2, "parts", 0, "functionResponse", "name", to="other"),
        "answers no call",
    ),
    (
        "gemini",
        "words beside",
        lambda request: request["contents"][2]["parts"].append({"text": "Hm"}),
        "function responses only",
    ),
    ("gemini", "no signature", _drop("contents", 1, "parts", 1, "thoughtSignature"), "thought_sig"),
    (
        "gemini",
        "another signature",
        _put("contents", 1, "parts", 1, "thoughtSignature", to="eHh4"),
        "thought_signature",
    ),
    (
        "gemini",
        "a bare response",
        _put("contents", 2, "parts", 0, "functionResponse", "response", to="8"),
        "an object",
    ),
    (
        "bedrock-converse",
        "a result is missing",
        _drop("messages", 2, "content", 0),
        "Expected tool",
    ),
    ("bedrock-converse", "a result twice", _again("messages", 2, "content"), "there twice"),
    (
        "bedrock-converse",
        "two of the user",
        lambda request: request["messages"].append({"role": "user", "content": [{"text": "Hm"}]}),
        "must alternate",
    ),
    ("bedrock-converse", "no tools", _drop("toolConfig"), "must be defined"),
    ("bedrock-converse", "no thoughts", _drop("messages", 1, "content", 0), "was changed"),
    (
        "bedrock-converse",
        "a picture of an error",
        lambda request: request["messages"][2]["content"][0]["toolResult"].update(
            status="error", content=[{"image": {}}]
        ),
        "text only",
    ),
]


@pytest.mark.parametrize("name", _REQUESTS)
def test_a_request_that_breaks_no_rule_is_taken(name: str) -> None:
    """A question, two calls, and their results."""
    SPEAKERS[name].check(good(name), [_said(name)])


@pytest.mark.parametrize(
    ("name", "change", "why"),
    [
        pytest.param(name, change, why, id=f"{name}-{what.replace(' ', '-')}")
        for name, what, change, why in BROKEN + COHERE
    ],
)
def test_a_broken_rule_is_refused(name: str, change: Callable[[Any], None], why: str) -> None:
    """In words that say which."""
    request = good(name)
    change(request)

    with pytest.raises(Refused, match=why):
        SPEAKERS[name].check(request, [_said(name)])


def test_a_client_sees_the_refusal_as_the_real_ones() -> None:
    """With status 400, the words of the API, and nothing said."""
    sdk = CLIENTS["openai-chat"]
    orphan: Any = [*sdk.question("How?"), {"role": "tool", "tool_call_id": "x", "content": "8"}]

    with serving([ScriptedTurn(text="Fine.")]) as script, sdk.client(script.url) as client:
        with pytest.raises(openai.BadRequestError, match="must be a response to a preceeding"):
            client.chat.completions.create(model="m", messages=orphan)

        said = client.chat.completions.create(model="m", messages=sdk.question("How?"))

    assert said.choices[0].message.content == "Fine."
    assert len(script.requests) == len(script.refusals) == 1
