"""OpenAI Responses: a response is a list of items, and so is what goes back.

Source: types/responses of the `openai` package 3.57, which is never imported here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolferry import ResponseMalformed, Tool, ToolInvalid
from toolferry_dispatcher.providers.examples import (
    ExamplePlace,
    description_for,
    parameters_for,
)
from toolferry_dispatcher.providers.json_data import as_json, fold, sendable
from toolferry_dispatcher.providers.names import wire_name
from toolferry_dispatcher.providers.openai_responses_body import Output, find_output, is_event
from toolferry_dispatcher.providers.openai_responses_calls import call_positions, read_calls
from toolferry_dispatcher.providers.openai_responses_items import (
    echo_item,
    is_silent,
    without_loose_end,
    words_of,
)
from toolferry_dispatcher.providers.openai_responses_kinds import (
    finish_reason,
    held_by,
    stopped_by,
)
from toolferry_dispatcher.providers.openai_responses_outputs import outputs
from toolferry_dispatcher.providers.openai_responses_stream import ResponsesAssembler
from toolferry_dispatcher.providers.told import Told
from toolferry_dispatcher.providers.tool_messages import user_message
from toolferry_dispatcher.providers.wire_schema import complete_parameters
from toolferry_dispatcher.reply import Reply, ReplyKind


class OpenAIResponses:
    """The Responses API in and out.

    Only `function_call` and `custom_tool_call` items are calls. What the server runs itself, and
    what it wants from the application's own hands (approvals, the shell, the computer), is neither
    run nor answered; it goes back untouched and in its place.
    """

    name: Final = "openai-responses"

    def wire_name(self, name: str) -> str:
        """Give the name by which a tool goes on this wire; depends on the name alone."""
        return wire_name(name)

    def tools(
        self, tools: Sequence[Tool], examples: ExamplePlace = ExamplePlace.NATIVE
    ) -> list[dict[str, Any]]:
        """Give what goes under `tools` into a request. This API has no place for examples.

        Raises:
            ToolInvalid: Two of the tools would go by one name on the wire.
        """
        _refuse_same_names(tools)
        return [_function_of(tool, examples) for tool in tools]

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
        """Give the items of the response and, right behind them, one output for each call."""
        items = message.get("output", ())
        return [*map(dict, items), *outputs(items, told)]

    def late(self, text: str) -> dict[str, Any]:
        """Give a message of the user's: a call that has its output takes no second one."""
        return user_message(text)

    def assembler(self) -> ResponsesAssembler:
        """Give what puts one streamed response together."""
        return ResponsesAssembler()


def _reply_of(output: Output) -> Reply:
    ours = call_positions(output.items)
    calls, echoes = read_calls([output.items[at] for at in ours], lambda: _seed_of(output))
    by_position = dict(zip(ours, echoes, strict=True))
    items = [by_position.get(at) or echo_item(one) for at, one in enumerate(output.items)]
    return Reply(
        kind=_kind_of(output, has_calls=bool(calls)),
        calls=tuple(calls),
        text=_text_of(output),
        message=_message_of(output, items),
        finish_reason=finish_reason(output),
    )


def _kind_of(output: Output, *, has_calls: bool) -> ReplyKind:
    refusal = words_of(output.items, "refusal", "refusal")
    says = bool(_text_of(output)) or not is_silent(output.items)
    held = held_by(calls=has_calls, refusal=bool(refusal), says=says)
    return stopped_by(output) or held


def _text_of(output: Output) -> str:
    """Give what the model said, else why it declines, else what the provider says it could not."""
    said = words_of(output.items, "output_text", "text")
    if said.strip():
        return fold(said)
    refusal = words_of(output.items, "refusal", "refusal")
    return fold(refusal) if refusal.strip() else output.error_message


def _message_of(output: Output, items: Sequence[dict[str, Any]]) -> dict[str, Any]:
    message: dict[str, Any] = {"output": without_loose_end(items)}
    if output.response_id:
        message["id"] = output.response_id
    return sendable(message)


def _seed_of(output: Output) -> str:
    return output.response_id or json.dumps(output.items, sort_keys=True)


def _function_of(tool: Tool, examples: ExamplePlace) -> dict[str, Any]:
    return {
        "type": "function",
        "name": wire_name(tool.name),
        "description": description_for(tool, examples),
        "parameters": complete_parameters(parameters_for(tool, examples)),
        # Left out, the API would rewrite a schema that it finds fit for strict mode.
        "strict": False,
    }


def _refuse_same_names(tools: Sequence[Tool]) -> None:
    owners: dict[str, str] = {}
    for tool in tools:
        owner = owners.setdefault(wire_name(tool.name), tool.name)
        if owner != tool.name:
            raise ToolInvalid(tool.name, f"it goes by the same name on the wire as {owner!r}")
