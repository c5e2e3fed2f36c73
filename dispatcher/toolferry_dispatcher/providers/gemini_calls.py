"""The parts of a Gemini content: its calls read one by one, and all parts as they go back.

The next request repeats the content. A signature counts only on the part that brought it, so parts
go back as they came and where they stood. Only what the API would refuse is put right: a name
that is not legal, an id that is there twice, arguments that are no object, a text without a
character.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toolferry import ToolCall
from toolferry.errors import ArgumentFault
from toolferry_dispatcher.providers.gemini_fields import set_fields, snake, value_of, words
from toolferry_dispatcher.providers.gemini_names import gemini_name
from toolferry_dispatcher.providers.gemini_partial import cut_short, put_together
from toolferry_dispatcher.providers.given import call_of_object, nameless_call, settle_ids
from toolferry_dispatcher.providers.json_data import fold
from toolferry_dispatcher.reply import ReadCall


@dataclass(frozen=True, slots=True)
class ReadParts:
    """What the parts of one content hold."""

    calls: tuple[ReadCall, ...]
    #: The parts for the next request.
    echoes: list[dict[str, Any]]


def read_parts(parts: Sequence[object], seed: Callable[[], str]) -> ReadParts:
    """Read the parts of a content.

    Args:
        parts: As received; what is no object is no part.
        seed: Gives what tells this response from others; missing ids are made from it.
    """
    sound = [set_fields(part) for part in parts if isinstance(part, Mapping)]
    asking = [part for part in sound if is_call(part)]
    ids = iter(settle_ids([_call_of(part).get("id") for part in asking], seed))
    calls: list[ReadCall] = []
    echoes: list[dict[str, Any]] = []
    for part in sound:
        if is_call(part):
            call, echo = _read_call(_call_of(part), next(ids))
            calls.append(call)
            echoes.append({**part, _key_of(part): echo})
        elif _holds_something(part):
            echoes.append(part)
    return ReadParts(tuple(calls), echoes)


def is_call(part: Mapping[str, Any]) -> bool:
    """Tell whether a part is a call of ours; the calls of server-side tools are `toolCall`s."""
    return value_of(part, "functionCall") is not None


def text_of(part: Mapping[str, Any]) -> str:
    """Give what a part says; thoughts are not said."""
    return "" if part.get("thought") is True else words(part.get("text"))


def shows(part: Mapping[str, Any]) -> bool:
    """Tell whether a part says or shows something."""
    media = (value_of(part, "inlineData"), value_of(part, "fileData"))
    return bool(text_of(part).strip()) or (part.get("thought") is not True and any(media))


def _holds_something(part: Mapping[str, Any]) -> bool:
    """Tell whether a part may go back: one of an empty text alone is refused."""
    return bool(part.keys() - {"text", "thought"} or words(part.get("text")))


def _key_of(part: Mapping[str, Any]) -> str:
    return "functionCall" if "functionCall" in part else snake("functionCall")


def _call_of(part: Mapping[str, Any]) -> Mapping[str, Any]:
    call = value_of(part, "functionCall")
    return call if isinstance(call, Mapping) else {}


def _read_call(call: Mapping[str, Any], call_id: str) -> tuple[ReadCall, dict[str, Any]]:
    name = fold(words(call.get("name")))
    read = _read_arguments(call, call_id, name)
    echo = set_fields(call, "partialArgs", "willContinue")
    echo["name"] = gemini_name(name)
    echo.pop("id", None)
    if call.get("id"):
        echo["id"] = call_id
    if read.fault or read.repairs or _is_partial(call):
        echo["args"] = read.call.arguments
    return read if name.strip() else nameless_call(call_id), echo


def _is_partial(call: Mapping[str, Any]) -> bool:
    return bool(value_of(call, "partialArgs"))


def _read_arguments(call: Mapping[str, Any], call_id: str, name: str) -> ReadCall:
    """Read the arguments, whole or in pieces; empty ones and the error when that cannot be."""
    if value_of(call, "willContinue") is True:
        return _faulty(call_id, name, cut_short())
    # A call without arguments is written without them, or with null in the dumps of SDKs.
    args = call.get("args")
    read = call_of_object(call_id, name, {} if args is None else args)
    if read.fault is not None or not _is_partial(call):
        return read
    try:
        pieces = put_together(_as_list(value_of(call, "partialArgs")))
    except ArgumentFault as fault:
        return _faulty(call_id, name, fault)
    return call_of_object(call_id, name, {**read.call.arguments, **pieces})


def _faulty(call_id: str, name: str, fault: ArgumentFault) -> ReadCall:
    return ReadCall(ToolCall(call_id, name, {}), fault.error())


def _as_list(value: object) -> list[Any]:
    return value if isinstance(value, list) else [value]
