"""Media of results in Chat Completions.

A `tool` message holds text only, and nothing may stand between the results of one message. So all
media stand in one `user` message behind the last result, each under the call that it belongs to.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from toolferry_dispatcher.providers.json_data import fold
from toolferry_dispatcher.providers.told import (
    Media,
    MediaKind,
    Told,
    kind_of_media,
    without_media,
    words_of,
)
from toolferry_dispatcher.providers.tool_messages import with_results

#: Sound that the API takes, by media type.
_SOUND: Final = {"audio/wav": "wav", "audio/x-wav": "wav", "audio/mpeg": "mp3", "audio/mp3": "mp3"}
#: What it takes of each kind. Of documents one alone: "Expected a base64-encoded data URL with an
#: application/pdf MIME type"; files of text are shown as the text that they are.
_TYPES: Final[Mapping[MediaKind, Collection[str]]] = {
    MediaKind.IMAGE: frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"}),
    MediaKind.AUDIO: _SOUND,
    MediaKind.FILE: frozenset({"application/pdf"}),
}


def with_media(
    message: Mapping[str, Any], told: Sequence[Told], takes: Collection[MediaKind]
) -> list[dict[str, Any]]:
    """Give the model's message, if there is one, the results, and what they show.

    Args:
        message: The assistant message; may be empty.
        told: What the model is told of each call; may hold media.
        takes: What the server lets the model see; all else is told in words.
    """
    if not any(one.media for one in told):
        return with_results(message, told)
    shown = [without_media(one, lambda medium: not _is_taken(medium, takes)) for one in told]
    messages = with_results(message, shown)
    parts = [part for one in shown for part in _parts_of(one)]
    if not parts:
        return messages
    said = "[What the tool results above show, not written by the user]"
    return [*messages, {"role": "user", "content": [{"type": "text", "text": said}, *parts]}]


def _is_taken(medium: Media, takes: Collection[MediaKind]) -> bool:
    kind = kind_of_media(medium)
    known = _TYPES.get(kind, (medium.media_type,))
    return kind in takes and (medium.media_type in known or bool(words_of(medium).strip()))


def _parts_of(one: Told) -> Iterator[dict[str, Any]]:
    for medium in one.media:
        yield {"type": "text", "text": f"Medium {medium.number} of call {one.call_id}:"}
        yield _part_of(medium)


def _part_of(medium: Media) -> dict[str, Any]:
    url = f"data:{medium.media_type};base64,{medium.data}"
    kind = kind_of_media(medium)
    if kind is MediaKind.IMAGE:
        return {"type": "image_url", "image_url": {"url": url}}
    if kind is MediaKind.AUDIO:
        sound = {"data": medium.data, "format": _SOUND[medium.media_type]}
        return {"type": "input_audio", "input_audio": sound}
    if words := words_of(medium):
        return {"type": "text", "text": fold(words)}
    name = medium.name or f"medium-{medium.number}"
    return {"type": "file", "file": {"filename": name, "file_data": url}}
