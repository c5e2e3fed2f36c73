"""The calls of a Chat Completions message: read one by one, and written back so as to be taken.

The next request repeats the model's calls. The API, and stricter ones that speak its language,
refuse that request for one call without an id, with a name that is not legal, or with arguments
that are no JSON object in a string. So each call is read together with its echo: the call as
received, with just those parts put right.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from toolferry import ToolCall
from toolferry_dispatcher.providers.dialect import Dialect
from toolferry_dispatcher.providers.free_text import FREE_TEXT
from toolferry_dispatcher.providers.given import call_of_text, nameless_call, settle_ids
from toolferry_dispatcher.providers.json_data import fold
from toolferry_dispatcher.providers.names import wire_name
from toolferry_dispatcher.reply import ReadCall

#: What SDKs add to the calls that they parse; it was not received and is not taken back.
_ADDED: Final = frozenset({"parsed_arguments"})


def read_calls(
    items: Sequence[object], seed: Callable[[], str], dialect: Dialect
) -> tuple[list[ReadCall], list[dict[str, Any]]]:
    """Read the calls of one message.

    Args:
        items: `tool_calls` as received.
        seed: Gives what tells this response from others; missing ids are made from it.
        dialect: Which ids the server takes back, and how it takes arguments.

    Returns:
        The calls, and their echoes for the next request; one of each for every item.
    """
    parts = [_as_object(item) for item in items]
    ids = settle_ids([part.get("id") for part in parts], seed, dialect.call_id)
    pairs = [_read_call(part, call_id, dialect) for part, call_id in zip(parts, ids, strict=True)]
    return [call for call, _ in pairs], [echo for _, echo in pairs]


def _read_call(
    item: Mapping[str, Any], call_id: str, dialect: Dialect
) -> tuple[ReadCall, dict[str, Any]]:
    kept = {key: value for key, value in item.items() if key not in {"function", "custom"}}
    if _is_custom(item):
        return _read_custom(_as_object(item["custom"]), call_id, kept)
    call, echo = _read_function(_as_object(item.get("function")), call_id, kept)
    if not dialect.arguments_as_text:
        function = echo["function"]
        echo["function"] = {**function, "arguments": json.loads(function["arguments"])}
    return call, echo


def _read_function(
    function: Mapping[str, Any], call_id: str, kept: Mapping[str, Any]
) -> tuple[ReadCall, dict[str, Any]]:
    name = _text(function.get("name"))
    call = call_of_text(call_id, name, function.get("arguments"))
    echo = {key: value for key, value in function.items() if key not in _ADDED}
    echo |= {"name": wire_name(name), "arguments": _echo_arguments(function, call)}
    if not name.strip():
        call = nameless_call(call_id)
    return call, {**kept, "id": call_id, "type": "function", "function": echo}


def _read_custom(
    custom: Mapping[str, Any], call_id: str, kept: Mapping[str, Any]
) -> tuple[ReadCall, dict[str, Any]]:
    name = _text(custom.get("name"))
    echo = {**custom, "name": wire_name(name), "input": _text(custom.get("input"))}
    call = ReadCall(ToolCall(call_id, name, {FREE_TEXT: echo["input"]}))
    if not name.strip():
        call = nameless_call(call_id)
    return call, {**kept, "id": call_id, "type": "custom", "custom": echo}


def _is_custom(item: Mapping[str, Any]) -> bool:
    """Tell by what is filled in: some servers send both forms, one of them empty."""
    if not _as_object(item.get("custom")).get("name"):
        return False
    return not _as_object(item.get("function")).get("name")


def _echo_arguments(function: Mapping[str, Any], read: ReadCall) -> str:
    """Give the arguments as a string that holds one JSON object, as received where they are so."""
    raw = function.get("arguments")
    if read.fault is not None:
        return "{}"
    if isinstance(raw, str) and not read.repairs:
        return raw
    return json.dumps(read.call.arguments, ensure_ascii=False)


def _as_object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return fold(value) if isinstance(value, str) else ""
