"""Anthropic's Messages API, and the servers that speak it.

Source: types of the `anthropic` package 2.14, which is never imported here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.anthropic_blocks import is_call, read_blocks, sayable, text_of
from toolferry_dispatcher.providers.anthropic_body import EVENTS, Answer, find_answer
from toolferry_dispatcher.providers.anthropic_results import results_of
from toolferry_dispatcher.providers.anthropic_stream import AnthropicAssembler
from toolferry_dispatcher.providers.json_data import as_json, sendable
from toolferry_dispatcher.providers.names import wire_name
from toolferry_dispatcher.providers.protocol import Assembler
from toolferry_dispatcher.providers.schemas import WireTool
from toolferry_dispatcher.providers.settling import WITHOUT_CALLS, settle
from toolferry_dispatcher.providers.told import Told
from toolferry_dispatcher.providers.tool_messages import user_message
from toolferry_dispatcher.providers.wire_provider import WireProvider
from toolferry_dispatcher.reply import Ending, Reply


class Anthropic(WireProvider):
    """The Messages API in and out. Examples have a place: `input_examples`.

    A call for a member of a toolset, such as `left_click` of `computer`, is one for the tool
    `computer.left_click`.
    """

    name: Final = "anthropic"

    def read(self, response: object) -> Reply:
        """Read a response or a bare assistant message: an SDK's object, a dict, or JSON text.

        Raises:
            ResponseMalformed: The response as a whole cannot be read; names the field.
        """
        answer = find_answer(as_json(response))
        try:
            return _reply_of(answer)
        except RecursionError as error:
            raise ResponseMalformed("content", "is nested too deeply") from error

    def assembler(self) -> Assembler:
        """Give what puts one streamed response together."""
        return AnthropicAssembler()

    def recognises(self, body: Any) -> bool:
        """Tell whether JSON data is a response, an event of a stream, or an error of this API."""
        if not isinstance(body, Mapping):
            return False
        kind = body.get("type")
        if kind == "message":
            return "stop_reason" in body and isinstance(body.get("content"), list)
        is_error = kind == "error" and isinstance(body.get("error"), Mapping)
        return is_error or (isinstance(kind, str) and kind in EVENTS)

    def results(self, message: Mapping[str, Any], told: Sequence[Told]) -> list[dict[str, Any]]:
        """Give the model's message and, right behind it, one user message with all results."""
        return results_of(message, told)

    def late(self, text: str) -> dict[str, Any]:
        """Give a `user` message: the format has none for a call that was answered before."""
        return user_message(text)

    def _written(self, tools: Sequence[WireTool]) -> list[dict[str, Any]]:
        return [_described(one) for one in tools]


def _described(one: WireTool) -> dict[str, Any]:
    described: dict[str, Any] = {"name": wire_name(one.tool.name)}
    if one.description:
        described["description"] = one.description
    described["input_schema"] = one.parameters
    if one.examples:
        described["input_examples"] = list(one.examples)
    if one.strict:
        described["strict"] = True
    return described


def _reply_of(answer: Answer) -> Reply:
    if answer.error:
        return settle(Ending.FAILED, (), answer.error, {})
    calls, echoes = read_blocks(
        answer.blocks, lambda: answer.response_id or json.dumps(answer.blocks, sort_keys=True)
    )
    ending = answer.ending(has_calls=bool(calls))
    if ending in WITHOUT_CALLS:
        calls, echoes = [], [echo for echo in echoes if not is_call(echo)]
    text = text_of(answer.blocks)
    content = sayable(echoes, was_cut=ending is not Ending.WHOLE)
    message = sendable({"role": "assistant", "content": content}) if content else {}
    said = text if text.strip() else answer.explanation
    return settle(ending, calls, said, message, answer.stop_reason)
