"""The results of calls as items of the next request, each with what its call asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from toolferry_dispatcher.providers.json_data import fold
from toolferry_dispatcher.providers.openai_responses_calls import MAX_CALL_ID
from toolferry_dispatcher.providers.openai_responses_ids import wire_id
from toolferry_dispatcher.providers.told import Media, Told

#: The pictures that the API looks at.
_IMAGES: Final = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})
#: The documents that it reads, besides all that is text.
_FILES: Final = frozenset({"application/pdf", "application/json", "application/xml"})
#: How the types of office documents begin: of Microsoft's, and of the open kind.
_OFFICE: Final = (
    "application/vnd.openxmlformats-officedocument.",
    "application/vnd.oasis.opendocument.",
    "application/msword",
    "application/vnd.ms-",
)
_ANSWERS: Final = {
    "function_call": "function_call_output",
    "custom_tool_call": "custom_tool_call_output",
}


def outputs(items: Iterable[Mapping[str, Any]], told: Sequence[Told]) -> list[dict[str, Any]]:
    """Give one output for each call, in order.

    Args:
        items: The echoes of the response, with the calls among them; those of functions when a
            call is not there.
        told: What the model is told of each call.
    """
    calls = {item["call_id"]: item for item in items if item.get("type") in _ANSWERS}
    return [_output(one, calls.get(wire_id(one.call_id, MAX_CALL_ID), {})) for one in told]


def outputs_alone(messages: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Give what goes with `previous_response_id`: of a turn's messages, the outputs alone.

    The server has the response already, and refuses a second copy of its items. What it answered
    itself stays with it, too.

    >>> outputs_alone([
    ...     {"type": "function_call", "call_id": "a", "name": "now", "arguments": "{}"},
    ...     {"type": "function_call_output", "call_id": "a", "output": "noon"},
    ... ])
    [{'type': 'function_call_output', 'call_id': 'a', 'output': 'noon'}]
    """
    ours = _ANSWERS.values()
    return [dict(one) for one in messages if one.get("type") in ours and "id" not in one]


def _output(one: Told, call: Mapping[str, Any]) -> dict[str, Any]:
    output = {
        "type": _ANSWERS[call.get("type", "function_call")],
        "call_id": wire_id(one.call_id, MAX_CALL_ID),
        "output": _content(one),
    }
    # A program that waits for the result is found by it.
    return {**output, "caller": call["caller"]} if call.get("caller") else output


def _content(one: Told) -> str | list[dict[str, Any]]:
    """Give a text, or parts when there is something to show beside it."""
    if not one.media:
        return fold(one.text)
    return [{"type": "input_text", "text": fold(one.text)}, *map(_part, one.media)]


def _part(media: Media) -> dict[str, Any]:
    url = f"data:{media.media_type};base64,{media.data}"
    if media.media_type in _IMAGES:
        return {"type": "input_image", "detail": "auto", "image_url": url}
    if _is_document(media.media_type):
        name = fold(media.name) or "result"
        return {"type": "input_file", "filename": name, "file_data": url}
    name = f" {fold(media.name)!r}" if media.name else ""
    words = f"[A file{name} of the type {media.media_type} cannot be shown to you.]"
    return {"type": "input_text", "text": words}


def _is_document(media_type: str) -> bool:
    return media_type in _FILES or media_type.startswith(("text/", *_OFFICE))
