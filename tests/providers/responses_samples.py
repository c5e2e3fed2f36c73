"""Items and events of the Responses API for tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from toolferry_dispatcher.providers import OpenAIResponses, Told
from toolferry_dispatcher.reply import Reply

RESPONSES = OpenAIResponses()


def call(name: str = "now", arguments: Any = "{}", **more: Any) -> dict[str, Any]:
    """A call of a function."""
    given = {"type": "function_call", "call_id": "call_1", "name": name, "arguments": arguments}
    return {**given, **more}


def custom(text: Any = "SELECT 1", **more: Any) -> dict[str, Any]:
    """A call with free text."""
    given = {"type": "custom_tool_call", "call_id": "call_1", "name": "query", "input": text}
    return {**given, **more}


def message(*parts: Mapping[str, Any]) -> dict[str, Any]:
    """What the model says."""
    said = {"id": "msg_1", "type": "message", "role": "assistant", "status": "completed"}
    return {**said, "content": list(parts)}


def text(words: str) -> dict[str, Any]:
    """A part of what it says."""
    return {"type": "output_text", "text": words, "annotations": []}


def reasoning(item_id: str = "rs_1") -> dict[str, Any]:
    """What it thought."""
    return {"id": item_id, "type": "reasoning", "summary": [], "encrypted_content": "gAAAA"}


def response(*items: Mapping[str, Any], status: str = "completed", **more: Any) -> dict[str, Any]:
    """A response with these items."""
    body = {"id": "resp_1", "object": "response", "status": status, "output": list(items)}
    return {**body, **more}


def read(*items: Mapping[str, Any], **more: Any) -> Reply:
    """Read a response with these items."""
    return RESPONSES.read(response(*items, **more))


def follow_up(reply: Reply, **more: Any) -> list[dict[str, Any]]:
    """The items that go back when every call of a reply is answered with `done`."""
    told = [Told(one.call.call_id, one.call.name, "done", **more) for one in reply.calls]
    return RESPONSES.results(reply.message, told)


def assembled(events: Iterable[Any]) -> dict[str, Any]:
    """Put a stream together."""
    assembler = RESPONSES.assembler()
    for event in events:
        assembler.add(event)
    return assembler.body()
