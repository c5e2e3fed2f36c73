"""A model of the OpenAI Agents SDK that does what a test wrote down."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

from agents import Model, ModelResponse, Tool, Usage
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)


class Script(Model):
    """A model that makes the calls that it is told to in its first response, and then ends.

    Args:
        calls: Names, and arguments as JSON data or as text.
    """

    def __init__(self, *calls: tuple[str, Any]) -> None:
        self._calls: Sequence[tuple[str, Any]] = calls
        self.answers: list[Any] = []
        self.offered: list[Tool] = []

    async def get_response(self, *_: Any, **request: Any) -> ModelResponse:
        """Make the calls, or say that all is done."""
        items, self.offered = request["input"], request["tools"]
        kept = [one for one in items if isinstance(one, dict)]
        told = [one for one in kept if one.get("type") == "function_call_output"]
        self.answers = [one["output"] for one in told]
        output: list[Any] = [_end()] if told else [*map(_call, enumerate(self._calls))]
        return ModelResponse(output=output, usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **request: Any) -> AsyncIterator[Any]:
        """Say that nothing is streamed here."""
        raise NotImplementedError


def _call(numbered: tuple[int, tuple[str, Any]]) -> ResponseFunctionToolCall:
    at, (name, given) = numbered
    arguments = given if isinstance(given, str) else json.dumps(given)
    return ResponseFunctionToolCall(
        type="function_call", call_id=f"c{at}", name=name, arguments=arguments
    )


def _end() -> ResponseOutputMessage:
    said = ResponseOutputText(type="output_text", text="Done.", annotations=[])
    return ResponseOutputMessage(
        id="m", type="message", role="assistant", status="completed", content=[said]
    )
