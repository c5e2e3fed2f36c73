"""Media in the content of a result: taken out of the text, to be shown to the model beside it.

A handler that returns bytes, or the object that they become, gives the model a picture, a sound or
a file. As base64 in a text it would cost thousands of tokens and say nothing.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any, Final

from toolferry_dispatcher.providers import Media

#: The mark of such an object in JSON text: content without it is not walked.
_MARK: Final = '"base64"'
#: What bytes are when nobody says more.
_BYTES: Final = "application/octet-stream"
#: How files begin whose kind a model can look at.
_BEGINNINGS: Final[tuple[tuple[bytes, str], ...]] = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"%PDF-", "application/pdf"),
)


def may_hold_media(text: str) -> bool:
    """Tell whether a result can hold media, by its text; cheap, and often wrong about a yes."""
    return _MARK in text


def take_media(content: Any) -> tuple[Any, tuple[Media, ...]]:
    """Give a content with a short word in place of each medium, and the media in their order.

    A medium is an object `{"type": "base64", "media_type": str, "data": str}`, with an optional
    `name`. Bytes of no known kind stay as they are: the model can still read them.

    >>> content, media = take_media({"chart": {
    ...     "type": "base64", "media_type": "image/png", "bytes": 3, "data": "AAAA"}})
    >>> content, media[0].media_type
    ({'chart': '[medium 1: image/png, 3 bytes]'}, 'image/png')
    """
    found: list[Media] = []
    return _without(content, found), tuple(found)


def _without(value: Any, found: list[Media]) -> Any:
    if isinstance(value, list):
        return [_without(child, found) for child in value]
    if not isinstance(value, Mapping):
        return value
    medium = _medium_of(value, len(found) + 1)
    if medium is None:
        return {name: _without(child, found) for name, child in value.items()}
    found.append(medium)
    size = len(medium.data) // 4 * 3 - medium.data[-2:].count("=")
    name = f" {medium.name!r}" if medium.name else ""
    return f"[medium {medium.number}{name}: {medium.media_type}, {size} bytes]"


def _medium_of(value: Mapping[str, Any], number: int) -> Media | None:
    media_type, data = value.get("media_type"), value.get("data")
    if value.get("type") != "base64" or not isinstance(media_type, str):
        return None
    if not isinstance(data, str) or not data or not _is_base64(data):
        return None
    kind = _kind_of(data) if media_type == _BYTES else media_type.strip().lower()
    name = value.get("name")
    return Media(kind, data, name if isinstance(name, str) else "", number) if kind else None


def _is_base64(data: str) -> bool:
    try:
        base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return False
    return True


def _kind_of(data: str) -> str:
    """Tell by its beginning what bytes are; empty when that is not known."""
    head = base64.b64decode(data[:24])
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    if head[:4] == b"RIFF" and head[8:12] == b"WAVE":
        return "audio/wav"
    return next((kind for start, kind in _BEGINNINGS if head.startswith(start)), "")
