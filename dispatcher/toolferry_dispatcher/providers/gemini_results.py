"""The results of a turn as Gemini takes them: one content behind the model's, a part a call."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import chain, repeat
from typing import Any, Final

from toolferry_dispatcher.providers.gemini_calls import is_call
from toolferry_dispatcher.providers.gemini_fields import value_of
from toolferry_dispatcher.providers.gemini_names import gemini_name
from toolferry_dispatcher.providers.json_data import fold
from toolferry_dispatcher.providers.told import (
    Media,
    MediaKind,
    Told,
    kind_of_media,
    without_media,
)

#: The media that a result may hold, by media type. Source: Gemini API, Function calling,
#: multimodal function responses.
_TYPES: Final = frozenset(
    {"image/png", "image/jpeg", "image/webp", "application/pdf", "text/plain"}
)


def with_responses(
    message: Mapping[str, Any], told: Sequence[Told], takes: Collection[MediaKind]
) -> list[dict[str, Any]]:
    """Give the model's content, if there is one, and right behind it its results.

    Args:
        message: The content as it goes back; may be empty.
        told: What the model is told of each of its calls, in their order.
        takes: What the model can look at; all else is told in words.
    """
    parts = [part for part in message.get("parts") or () if is_call(part)]
    calls = chain((value_of(part, "functionCall") for part in parts), repeat({}))
    answers = [_answer(call, one, takes) for call, one in zip(calls, told, strict=False)]
    results = [{"role": "user", "parts": answers}] if answers else []
    return [dict(message), *results] if message else results


def _answer(call: Mapping[str, Any], told: Told, takes: Collection[MediaKind]) -> dict[str, Any]:
    """Give one result, under the name and the id that the call goes by in the model's content."""
    shown = without_media(told, lambda medium: not _is_taken(medium, takes))
    response: dict[str, Any] = {"id": call["id"]} if call.get("id") else {}
    response["name"] = call.get("name") or gemini_name(told.name)
    response["response"] = {"error" if told.is_error else "output": fold(shown.text)}
    if shown.media:
        response["parts"] = [_medium(medium) for medium in shown.media]
    return {"functionResponse": response}


def _is_taken(medium: Media, takes: Collection[MediaKind]) -> bool:
    return kind_of_media(medium) in takes and medium.media_type in _TYPES


def _medium(medium: Media) -> dict[str, Any]:
    return {"inlineData": {"mimeType": medium.media_type, "data": medium.data}}
