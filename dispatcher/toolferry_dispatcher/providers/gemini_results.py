"""The results of a turn as Gemini takes them: one content behind the model's, a part a call."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import chain, repeat
from typing import Any

from toolferry_dispatcher.providers.gemini_calls import is_call
from toolferry_dispatcher.providers.gemini_fields import value_of
from toolferry_dispatcher.providers.gemini_names import gemini_name
from toolferry_dispatcher.providers.json_data import fold
from toolferry_dispatcher.providers.told import Media, Told


def with_responses(
    message: Mapping[str, Any], told: Sequence[Told], shown: Collection[str]
) -> list[dict[str, Any]]:
    """Give the model's content, if there is one, and right behind it its results.

    Args:
        message: The content as it goes back; may be empty.
        told: What the model is told of each of its calls, in their order.
        shown: The types of media that the model can look at.
    """
    parts = [part for part in message.get("parts") or () if is_call(part)]
    calls = chain((value_of(part, "functionCall") for part in parts), repeat({}))
    answers = [_answer(call, one, shown) for call, one in zip(calls, told, strict=False)]
    results = [{"role": "user", "parts": answers}] if answers else []
    return [dict(message), *results] if message else results


def _answer(call: Mapping[str, Any], told: Told, shown: Collection[str]) -> dict[str, Any]:
    """Give one result, under the name and the id that the call goes by in the model's content."""
    response: dict[str, Any] = {"id": call["id"]} if call.get("id") else {}
    response["name"] = call.get("name") or gemini_name(told.name)
    response["response"] = {"error" if told.is_error else "output": _text(told, shown)}
    media = [_medium(one) for one in told.media if one.media_type in shown]
    return {"functionResponse": {**response, "parts": media} if media else response}


def _text(told: Told, shown: Collection[str]) -> str:
    """Give the text of a result; it says of which media the model sees nothing."""
    unseen = [one.media_type for one in told.media if one.media_type not in shown]
    note = f"\n\nNot shown, as you cannot look at it here: {', '.join(unseen)}." if unseen else ""
    return fold(f"{told.text}{note}")


def _medium(medium: Media) -> dict[str, Any]:
    return {"inlineData": {"mimeType": medium.media_type, "data": medium.data}}
