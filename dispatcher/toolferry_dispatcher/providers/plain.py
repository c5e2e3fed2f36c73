"""Plain calls: for applications that read the model's response themselves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from toolferry import ResponseMalformed, Tool, ToolCall
from toolferry_dispatcher.providers.examples import (
    ExamplePlace,
    description_for,
    parameters_for,
)
from toolferry_dispatcher.providers.given import call_of_object, settle_ids
from toolferry_dispatcher.providers.json_data import as_json, kind_of
from toolferry_dispatcher.providers.told import Told
from toolferry_dispatcher.providers.tool_messages import user_message, with_results
from toolferry_dispatcher.reply import ReadCall, Reply, ReplyKind

_KEYS: Final = frozenset({"call_id", "name", "arguments"})


class Plain:
    """`ToolCall`s in, generic `tool` messages out.

    Also takes the calls as JSON data or text: an array of, or one of,
    `{"call_id": str, "name": str, "arguments": object}`, the id being optional.
    """

    name: Final = "plain"

    def wire_name(self, name: str) -> str:
        """Give the name as it is: there is no wire that could refuse it."""
        return name

    def tools(
        self, tools: Sequence[Tool], examples: ExamplePlace = ExamplePlace.NATIVE
    ) -> list[dict[str, Any]]:
        """Describe the tools: `{"name", "description", "parameters"}` each.

        Those that have examples have them as `examples`, when these go to their native place.
        """
        return [_described(tool, examples) for tool in tools]

    def read(self, response: object) -> Reply:
        """Read one call or several; no call at all is degenerate.

        Raises:
            ResponseMalformed: Something in it is no call; names its position.
        """
        calls = _calls_of(response)
        ids = settle_ids([call.call_id for call in calls], seed=str, most=math.inf)
        read = tuple(_read(call, call_id) for call, call_id in zip(calls, ids, strict=True))
        kind = ReplyKind.CALLS if read else ReplyKind.DEGENERATE
        return Reply(kind=kind, calls=read, message={})

    def recognises(self, body: Any) -> bool:
        """Tell whether JSON data is a call, or an array of calls."""
        calls = body if isinstance(body, list) else [body]
        return bool(calls) and all(
            isinstance(call, Mapping) and call.keys() <= _KEYS and "name" in call for call in calls
        )

    def results(self, message: Mapping[str, Any], told: Sequence[Told]) -> list[dict[str, Any]]:
        """Give one `tool` message for each call."""
        return with_results(message, told)

    def late(self, text: str) -> dict[str, Any]:
        """Give a `user` message: the format has none for a call that was answered before."""
        return user_message(text)


def _described(tool: Tool, examples: ExamplePlace) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": tool.name,
        "description": description_for(tool, examples),
        "parameters": parameters_for(tool, examples),
    }
    if tool.examples and examples is ExamplePlace.NATIVE:
        described["examples"] = [dict(example) for example in tool.examples]
    return described


def _read(call: ToolCall, call_id: str) -> ReadCall:
    return call_of_object(call_id, call.name, call.arguments)


def _calls_of(response: object) -> list[ToolCall]:
    if isinstance(response, ToolCall):
        return [response]
    if isinstance(response, str | bytes | Mapping):
        data = as_json(response)
        return _calls_of(data) if isinstance(data, list) else [_call_of(data, "body")]
    if not isinstance(response, Iterable):
        reason = f"must be ToolCalls, not {type(response).__name__}"
        raise ResponseMalformed("body", reason)
    return [
        item if isinstance(item, ToolCall) else _call_of(item, f"[{position}]")
        for position, item in enumerate(response)
    ]


def _call_of(item: object, where: str) -> ToolCall:
    if not isinstance(item, Mapping):
        raise ResponseMalformed(where, f"must be a call, not {kind_of(item)}")
    name = item.get("name")
    if not isinstance(name, str):
        raise ResponseMalformed(f"{where}.name", f"must be a string, not {kind_of(name)}")
    call_id = item.get("call_id")
    # Whatever came as arguments is judged with its call, so that its siblings go on.
    arguments: Any = item.get("arguments")
    return ToolCall(call_id if isinstance(call_id, str) else "", name, arguments)
