"""OpenAI Responses: a response is a list of items, and so is what goes back.

Source: types/responses of the `openai` package 3.57, which is never imported here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.free_text import free_form
from toolferry_dispatcher.providers.json_data import as_json, fold, sendable
from toolferry_dispatcher.providers.names import wire_name
from toolferry_dispatcher.providers.openai_responses_approvals import McpApproval, open_approvals
from toolferry_dispatcher.providers.openai_responses_body import Output, find_output, is_event
from toolferry_dispatcher.providers.openai_responses_calls import call_positions, read_calls
from toolferry_dispatcher.providers.openai_responses_endings import ending_of, finish_reason
from toolferry_dispatcher.providers.openai_responses_forms import (
    answered_later,
    in_namespace,
)
from toolferry_dispatcher.providers.openai_responses_items import (
    echo_item,
    is_silent,
    without_calls,
    without_loose_end,
    words_of,
)
from toolferry_dispatcher.providers.openai_responses_outputs import (
    late_output,
    outputs,
    outputs_alone,
)
from toolferry_dispatcher.providers.openai_responses_stream import ResponsesAssembler
from toolferry_dispatcher.providers.schemas import WireTool
from toolferry_dispatcher.providers.settling import WITHOUT_CALLS, settle
from toolferry_dispatcher.providers.told import Told
from toolferry_dispatcher.providers.tool_messages import user_message
from toolferry_dispatcher.providers.wire_provider import WireProvider
from toolferry_dispatcher.reply import Ending, Reply, ReplyKind

__all__ = [
    "McpApproval",
    "OpenAIResponses",
    "answered_later",
    "free_form",
    "in_namespace",
    "open_approvals",
    "outputs_alone",
]


class OpenAIResponses(WireProvider):
    """The Responses API in and out. It has no place for examples.

    Only `function_call` and `custom_tool_call` items are calls. What the server runs itself, and
    what it wants from the application's own hands (approvals, the shell, the computer), is neither
    run nor answered; it goes back untouched and in its place.
    """

    name: Final = "openai-responses"
    #: Whether a strict mode makes models send null for what they would leave out.
    forces_nulls: Final = True

    def read(self, response: object) -> Reply:
        """Read a response, its list of items, or the event that ends its stream.

        Raises:
            ResponseMalformed: The response as a whole cannot be read; names the field.
        """
        output = find_output(as_json(response))
        try:
            return _reply_of(output)
        except RecursionError as error:
            raise ResponseMalformed("output", "is nested too deeply") from error

    def recognises(self, body: Any) -> bool:
        """Tell whether JSON data is a response, or an event of a streamed one."""
        if not isinstance(body, Mapping):
            return False
        if is_event(body):
            return body["type"] != "error" or "sequence_number" in body
        return body.get("object") == "response" or isinstance(body.get("output"), list)

    def results(self, message: Mapping[str, Any], told: Sequence[Told]) -> list[dict[str, Any]]:
        """Give the items of the response and, right behind them, one output for each call.

        Only an `async` call that still runs has none yet; see `late_output`.
        """
        items = message.get("output", ())
        return [*map(dict, items), *outputs(items, told)]

    def late(self, text: str) -> dict[str, Any]:
        """Give a message of the user's: a call that has its output takes no second one."""
        return user_message(text)

    def late_output(self, message: Mapping[str, Any], told: Told) -> dict[str, Any] | None:
        """Give the output of an `async` call, which stayed open while it ran; None for another."""
        return late_output(message.get("output", ()), told)

    def asks_people(self, messages: Sequence[Mapping[str, Any]]) -> bool:
        """Tell whether an MCP server waits for an approval; see `open_approvals`."""
        return bool(open_approvals(messages))

    def assembler(self) -> ResponsesAssembler:
        """Give what puts one streamed response together."""
        return ResponsesAssembler()

    def _written(self, tools: Sequence[WireTool]) -> list[dict[str, Any]]:
        return [_function_of(one) for one in tools]


def _reply_of(output: Output) -> Reply:
    ending = ending_of(output)
    is_kept = ending not in WITHOUT_CALLS and not output.has_failed
    ours = call_positions(output.items)
    calls, echoes = read_calls([output.items[at] for at in ours], lambda: _seed_of(output))
    by_position = dict(zip(ours, echoes, strict=True))
    items = [by_position.get(at) or echo_item(one) for at, one in enumerate(output.items)]
    if _declines(output) and not calls and ending is Ending.WHOLE:
        ending = Ending.REFUSED
    reply = settle(
        ending,
        calls if is_kept else (),
        _text_of(output),
        _message_of(output, without_loose_end(items) if is_kept else without_calls(items)),
        finish_reason(output),
    )
    return reply if is_silent(output.items) else _not_degenerate(reply)


def _not_degenerate(reply: Reply) -> Reply:
    """Give a reply that holds more than words and thoughts: a picture, a request for approval."""
    if reply.kind is ReplyKind.DEGENERATE:
        return replace(reply, kind=ReplyKind.FINAL)
    return reply


def _declines(output: Output) -> bool:
    return bool(words_of(output.items, "refusal", "refusal"))


def _text_of(output: Output) -> str:
    """Give what the model said, else why it declines, else what the provider says it could not."""
    said = words_of(output.items, "output_text", "text")
    if said.strip():
        return fold(said)
    refusal = words_of(output.items, "refusal", "refusal")
    return fold(refusal) if refusal.strip() else output.error_message


def _message_of(output: Output, items: list[dict[str, Any]]) -> dict[str, Any]:
    message: dict[str, Any] = {"output": items}
    if output.response_id:
        message["id"] = output.response_id
    return sendable(message)


def _seed_of(output: Output) -> str:
    return output.response_id or json.dumps(output.items, sort_keys=True)


def _function_of(one: WireTool) -> dict[str, Any]:
    return {
        "type": "function",
        "name": wire_name(one.tool.name),
        "description": one.description,
        "parameters": one.parameters,
        # Left out, the API would rewrite a schema that it finds fit for strict mode.
        "strict": one.strict,
    }
