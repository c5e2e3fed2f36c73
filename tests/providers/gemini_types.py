"""The official types of Gemini as a judge of what we send: they forbid what they do not know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from google.genai import types


def require_contents(contents: Sequence[Mapping[str, Any]]) -> None:
    """Require what the API takes: parts, roles, and as many results as calls, in their order.

    Raises:
        pydantic.ValidationError: A content is not what the API takes.
        AssertionError: The results do not answer the calls.
    """
    for content in contents:
        parts = types.Content.model_validate(content).parts
        assert parts
        assert all(part.model_dump(exclude_none=True) for part in parts)
    asked = _parts(contents[:1], "functionCall", "function_call")
    answered = _parts(contents[1:], "functionResponse", "function_response")
    assert [(one["name"], one.get("id")) for one in asked] == [
        (one["name"], one.get("id")) for one in answered
    ]
    assert all(isinstance(one["response"], dict) for one in answered)
    assert [content["role"] for content in contents] == ["model", "user"][: len(contents)]


def require_tools(tools: Sequence[Mapping[str, Any]]) -> list[types.FunctionDeclaration]:
    """Require tools that the API takes, and give what they declare.

    Raises:
        pydantic.ValidationError: One is not.
    """
    read = [types.Tool.model_validate(tool) for tool in tools]
    return [function for tool in read for function in tool.function_declarations or ()]


def _parts(contents: Sequence[Mapping[str, Any]], *names: str) -> list[dict[str, Any]]:
    return [
        part[name]
        for content in contents
        for part in content["parts"]
        for name in names
        if part.get(name) is not None
    ]
