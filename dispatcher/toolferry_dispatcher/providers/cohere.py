"""Cohere's Chat API, version 2.

Source: types of the `cohere` package 7.3, which is never imported here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolferry import ResponseMalformed, Tool
from toolferry_dispatcher.providers.cohere_body import Answer, find_answer
from toolferry_dispatcher.providers.cohere_calls import cohere_name, read_calls
from toolferry_dispatcher.providers.cohere_stream import EVENTS, CohereAssembler
from toolferry_dispatcher.providers.examples import (
    ExamplePlace,
    description_for,
    parameters_for,
)
from toolferry_dispatcher.providers.json_data import as_json, fold, kind_of, sendable
from toolferry_dispatcher.providers.names import refuse_same_names
from toolferry_dispatcher.providers.told import Told
from toolferry_dispatcher.providers.tool_messages import user_message, with_results
from toolferry_dispatcher.providers.wire_schema import complete_parameters
from toolferry_dispatcher.reply import Reply, ReplyKind


class Cohere:
    """Chat messages in and out; the model's plan goes back with its calls."""

    name: Final = "cohere-v2"

    def wire_name(self, name: str) -> str:
        """Give the name by which a tool goes on this wire; depends on the name alone."""
        return cohere_name(name)

    def tools(
        self, tools: Sequence[Tool], examples: ExamplePlace = ExamplePlace.NATIVE
    ) -> list[dict[str, Any]]:
        """Give what goes under `tools` into a request. This API has no place for examples.

        Raises:
            ToolInvalid: Two of the tools would go by one name on the wire.
        """
        refuse_same_names(tools, cohere_name)
        return [_function_of(tool, examples) for tool in tools]

    def read(self, response: object) -> Reply:
        """Read a response or a message: an SDK's object, a dict, or JSON text.

        Raises:
            ResponseMalformed: The response as a whole cannot be read; names the field.
        """
        body = as_json(response)
        try:
            return _reply_of(find_answer(body))
        except RecursionError as error:
            raise ResponseMalformed("message", "is nested too deeply") from error

    def recognises(self, body: Any) -> bool:
        """Tell whether JSON data is a response, or an event of a streamed one.

        Tells them by their capitals from the choices of Chat Completions, which look alike.
        """
        if not isinstance(body, Mapping):
            return False
        reason, kind = body.get("finish_reason"), body.get("type")
        whole = isinstance(body.get("message"), Mapping) and isinstance(reason, str)
        return (whole and reason.isupper()) or (isinstance(kind, str) and kind in EVENTS)

    def results(self, message: Mapping[str, Any], told: Sequence[Told]) -> list[dict[str, Any]]:
        """Give the model's message and, right behind it, one `tool` message for each call."""
        return with_results(message, told)

    def late(self, text: str) -> dict[str, Any]:
        """Give a `user` message: a call that was answered takes no second result."""
        return user_message(text)

    def assembler(self) -> CohereAssembler:
        """Give what puts one streamed response together."""
        return CohereAssembler()


def _function_of(tool: Tool, examples: ExamplePlace) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": cohere_name(tool.name),
            "description": description_for(tool, examples),
            "parameters": complete_parameters(parameters_for(tool, examples)),
        },
    }


def _reply_of(answer: Answer) -> Reply:
    read = read_calls(_list_of(answer, "tool_calls"), answer.seed)
    said = _said(answer)
    plan = answer.message.get("tool_plan")
    text = said or (plan if read and isinstance(plan, str) else "") or answer.error
    return Reply(
        kind=answer.kind(calls=bool(read), says=bool(said)),
        calls=tuple(call for call, _ in read),
        text=fold(text),
        message=_echo_of(answer, [echo for _, echo in read]),
        finish_reason=answer.finish_reason or None,
    )


def _list_of(answer: Answer, name: str) -> list[Any]:
    value = answer.message.get(name)
    if value is not None and not isinstance(value, list):
        reason = f"must be an array or null, not {kind_of(value)}"
        raise ResponseMalformed(answer.field(name), reason)
    return value or []


def _said(answer: Answer) -> str:
    """Give what the model said; thoughts are not said."""
    content = answer.message.get("content")
    if isinstance(content, str):
        return content if content.strip() else ""
    blocks = [block for block in _list_of(answer, "content") if isinstance(block, Mapping)]
    texts = [block.get("text") for block in blocks if block.get("type") == "text"]
    text = "".join(text for text in texts if isinstance(text, str))
    return text if text.strip() else ""


def _echo_of(answer: Answer, calls: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Give the message for the next request: nothing where it would hold nothing."""
    echo = {name: value for name, value in answer.message.items() if value is not None}
    echo.pop("tool_calls", None)
    if not calls and not echo.get("content"):
        return {}
    echo["role"] = "assistant"
    return sendable({**echo, "tool_calls": list(calls)} if calls else echo)
