"""The calls of a Cohere message: read one by one, and written back so as to be taken."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from toolferry_dispatcher.providers.given import call_of_text, nameless_call, settle_ids
from toolferry_dispatcher.providers.json_data import fold
from toolferry_dispatcher.providers.names import fitted_name
from toolferry_dispatcher.reply import ReadCall

#: The API's reference says nothing of names; servers of its models were seen to refuse `-`.
_LEGAL: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_ILLEGAL_RUN: Final = re.compile(r"[^A-Za-z0-9_]+")


@lru_cache(maxsize=4096)
def cohere_name(name: str) -> str:
    """Give the name that goes over the wire: ASCII letters, digits and `_`, 1 to 64.

    >>> cohere_name("read_file"), cohere_name("read-file")
    ('read_file', 'read_file_a00b4bbed9')
    """
    return fitted_name(name, _LEGAL, _ILLEGAL_RUN)


def read_calls(
    items: Sequence[object], seed: Callable[[], str]
) -> list[tuple[ReadCall, dict[str, Any]]]:
    """Read the calls of one message, each with its echo for the next request.

    Args:
        items: `tool_calls` as received.
        seed: Gives what tells this response from others; missing ids are made from it.
    """
    calls = [as_object(item) for item in items]
    ids = settle_ids([call.get("id") for call in calls], seed)
    return [_read_call(call, call_id) for call, call_id in zip(calls, ids, strict=True)]


def as_object(value: object) -> Mapping[str, Any]:
    """Give an object as it is; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def _read_call(call: Mapping[str, Any], call_id: str) -> tuple[ReadCall, dict[str, Any]]:
    function = as_object(call.get("function"))
    given = function.get("name")
    name = fold(given) if isinstance(given, str) else ""
    read = call_of_text(call_id, name, function.get("arguments"))
    echo = {
        **call,
        "id": call_id,
        "type": "function",
        "function": {
            **function,
            "name": cohere_name(name),
            "arguments": _echoed(function.get("arguments"), read),
        },
    }
    return read if name.strip() else nameless_call(call_id), echo


def _echoed(raw: object, read: ReadCall) -> str:
    """Give the arguments as a string that holds one JSON object, as received where they are so."""
    if isinstance(raw, str) and read.fault is None and not read.repairs:
        return raw
    return json.dumps(read.call.arguments, ensure_ascii=False)
