"""The results of calls as items of the next request, each with what its call asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from toolferry_dispatcher.providers.json_data import fold
from toolferry_dispatcher.providers.openai_responses_calls import CALL_ID
from toolferry_dispatcher.providers.told import Media, Told, without_media
from toolferry_dispatcher.providers.wire_ids import wire_id

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
    """Give one output for each call, in order; none for one that still runs and may stay open.

    Args:
        items: The echoes of the response, with the calls among them; those of functions when a
            call is not there.
        told: What the model is told of each call.
    """
    calls = _by_id(items)
    pairs = [(one, calls.get(wire_id(one.call_id, CALL_ID), {})) for one in told]
    return [_output(*pair) for pair in pairs if not _stays_open(*pair)]


def late_output(items: Iterable[Mapping[str, Any]], told: Told) -> dict[str, Any] | None:
    """Give the output of a call that was left open while it ran; None when it was not."""
    call = _by_id(items).get(wire_id(told.call_id, CALL_ID), {})
    return _output(told, call) if _may_stay_open(call) else None


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


def _by_id(items: Iterable[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    return {item["call_id"]: item for item in items if item.get("type") in _ANSWERS}


def _stays_open(one: Told, call: Mapping[str, Any]) -> bool:
    return one.is_running and _may_stay_open(call)


def _may_stay_open(call: Mapping[str, Any]) -> bool:
    """Tell whether the API takes the output of a call in any later request, not in the next one."""
    return call.get("async") is True


def _output(one: Told, call: Mapping[str, Any]) -> dict[str, Any]:
    output = {
        "type": _ANSWERS[call.get("type", "function_call")],
        "call_id": wire_id(one.call_id, CALL_ID),
        "output": _content(one),
    }
    # A program that waits for the result is found by it.
    return {**output, "caller": call["caller"]} if call.get("caller") else output


def _content(one: Told) -> str | list[dict[str, Any]]:
    """Give a text, or parts when there is something to show beside it."""
    shown = without_media(one, _is_left_out)
    if not shown.media:
        return fold(shown.text)
    return [{"type": "input_text", "text": fold(shown.text)}, *map(_part, shown.media)]


def _part(medium: Media) -> dict[str, Any]:
    url = f"data:{medium.media_type};base64,{medium.data}"
    if medium.media_type in _IMAGES:
        return {"type": "input_image", "detail": "auto", "image_url": url}
    name = fold(medium.name) or f"medium-{medium.number}"
    return {"type": "input_file", "filename": name, "file_data": url}


def _is_left_out(medium: Media) -> bool:
    is_known = medium.media_type in _IMAGES | _FILES
    return not is_known and not medium.media_type.startswith(("text/", *_OFFICE))
