"""Results for Bedrock Converse: one user message, one block a call, in the order of the calls."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolferry_dispatcher.providers.bedrock_blocks import CALL_ID
from toolferry_dispatcher.providers.json_data import fold
from toolferry_dispatcher.providers.told import Media, Told, without_media
from toolferry_dispatcher.providers.wire_ids import wire_id

#: What a result may show: the member of its content, and the format, by media type.
#: Source: the service model of `bedrock-runtime`, ImageFormat, DocumentFormat, VideoFormat.
_OFFICE: Final = "application/vnd.openxmlformats-officedocument"
_FORMATS: Final[Mapping[str, tuple[str, str]]] = {
    "image/png": ("image", "png"),
    "image/jpeg": ("image", "jpeg"),
    "image/gif": ("image", "gif"),
    "image/webp": ("image", "webp"),
    "application/pdf": ("document", "pdf"),
    "application/msword": ("document", "doc"),
    "application/vnd.ms-excel": ("document", "xls"),
    f"{_OFFICE}.wordprocessingml.document": ("document", "docx"),
    f"{_OFFICE}.spreadsheetml.sheet": ("document", "xlsx"),
    "text/csv": ("document", "csv"),
    "text/html": ("document", "html"),
    "text/markdown": ("document", "md"),
    "text/plain": ("document", "txt"),
    "video/mp4": ("video", "mp4"),
    "video/mpeg": ("video", "mpeg"),
    "video/quicktime": ("video", "mov"),
    "video/webm": ("video", "webm"),
    "video/x-flv": ("video", "flv"),
    "video/x-matroska": ("video", "mkv"),
    "video/x-ms-wmv": ("video", "wmv"),
    "video/3gpp": ("video", "three_gp"),
}
#: What the name of a document may not hold; two blanks in a row neither.
_ILLEGAL_RUN: Final = re.compile(r"[^A-Za-z0-9()\[\]-]+")
#: The most characters of a document's own name: with what tells it from others it may have 200.
_NAME_LENGTH: Final = 100


def results_of(message: Mapping[str, Any], told: Sequence[Told]) -> list[dict[str, Any]]:
    """Give the model's message, if there is one, and right behind it the message with all results.

    Args:
        message: The assistant message; may be empty.
        told: What the model is told of each call.

    >>> [answer] = results_of({}, [Told("tooluse_1", "weather", "sunny")])
    >>> answer["content"][0]["toolResult"]
    {'toolUseId': 'tooluse_1', 'content': [{'text': 'sunny'}], 'status': 'success'}
    """
    blocks = [{"toolResult": _result_of(one)} for one in told]
    answers = [{"role": "user", "content": blocks}] if blocks else []
    return [dict(message), *answers] if message else answers


def _result_of(one: Told) -> dict[str, Any]:
    # Models of Anthropic take nothing but text for an error.
    one = without_media(one, lambda medium: one.is_error or medium.media_type not in _FORMATS)
    return {
        "toolUseId": wire_id(one.call_id, CALL_ID),
        "content": [{"text": fold(one.text)}, *(_medium_of(medium, one) for medium in one.media)],
        "status": "error" if one.is_error else "success",
    }


def _medium_of(medium: Media, one: Told) -> dict[str, Any]:
    member, form = _FORMATS[medium.media_type]
    shown: dict[str, Any] = {"format": form, "source": {"bytes": medium.data}}
    if member == "document":
        shown["name"] = _name_of(medium, one)
    return {member: shown}


def _name_of(medium: Media, one: Told) -> str:
    """Give a document a legal name that no other one of its conversation has."""
    stem = _ILLEGAL_RUN.sub(" ", medium.name).strip()[:_NAME_LENGTH] or "document"
    place = f"{one.call_id}\n{medium.number}".encode(errors="replace")
    return f"{stem} {hashlib.sha256(place).hexdigest()[:10]}"
