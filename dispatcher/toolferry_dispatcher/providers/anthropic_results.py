"""Results for the Messages API: one user message, one block a call, in the order of the calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolferry import NOT_EXECUTED, ErrorCode
from toolferry_dispatcher.providers.anthropic_blocks import CALL_ID, is_call
from toolferry_dispatcher.providers.json_data import fold
from toolferry_dispatcher.providers.told import Media, Told, without_media, words_of
from toolferry_dispatcher.providers.wire_ids import wire_id

#: The pictures that the API takes. Source: types/base64_image_source_param.py.
_IMAGES: Final = frozenset({"image/jpeg", "image/png", "image/gif", "image/webp"})
_PDF: Final = "application/pdf"
#: What an error says that says nothing.
_FAILED: Final = "The call failed without a word."
#: What is said of a toolset's member that was not run, where it has words of its own.
_HALTED: Final = {"computer": "Not executed: an earlier computer action in this turn failed."}


def results_of(message: Mapping[str, Any], told: Sequence[Told]) -> list[dict[str, Any]]:
    """Give the model's message, if there is one, and right behind it the message with all results.

    Args:
        message: The assistant message; may be empty.
        told: What the model is told of each call.

    >>> results_of({}, [Told("toolu_1", "weather", "sunny")])[0]["content"]
    [{'type': 'tool_result', 'tool_use_id': 'toolu_1', 'content': 'sunny'}]
    """
    toolsets = _toolsets_of(message)
    blocks = [_block_of(one, toolsets) for one in told]
    answers = [{"role": "user", "content": blocks}] if blocks else []
    return [dict(message), *answers] if message else answers


def _block_of(one: Told, toolsets: Mapping[str, str]) -> dict[str, Any]:
    call_id = wire_id(one.call_id, CALL_ID)
    # An error may hold nothing but text: a picture in it is answered with 400.
    one = without_media(one, lambda medium: one.is_error or not _is_taken(medium))
    block: dict[str, Any] = {
        "type": "tool_result",
        "tool_use_id": call_id,
        "content": _content_of(one),
    }
    if one.is_error:
        block["is_error"] = True
    if call_id in toolsets:
        block["toolset_name"] = toolsets[call_id]
        if one.code == ErrorCode.NOT_EXECUTED:
            block["content"] = _HALTED.get(toolsets[call_id], NOT_EXECUTED)
    return block


def _content_of(one: Told) -> str | list[dict[str, Any]]:
    """Give the content; a text without ink is refused as a block, and in an error."""
    text = fold(one.text)
    if not one.media:
        return _FAILED if one.is_error and not text.strip() else text
    said = [{"type": "text", "text": text}] if text.strip() else []
    return [*said, *map(_medium_of, one.media)]


def _medium_of(medium: Media) -> dict[str, Any]:
    if medium.media_type in _IMAGES:
        source = {"type": "base64", "media_type": medium.media_type, "data": medium.data}
        return {"type": "image", "source": source}
    title = {"title": fold(medium.name)} if medium.name else {}
    return {"type": "document", "source": _document_source(medium), **title}


def _document_source(medium: Media) -> dict[str, Any]:
    if medium.media_type == _PDF:
        return {"type": "base64", "media_type": _PDF, "data": medium.data}
    return {"type": "text", "media_type": "text/plain", "data": words_of(medium)}


def _is_taken(medium: Media) -> bool:
    return (
        medium.media_type in _IMAGES or medium.media_type == _PDF or bool(words_of(medium).strip())
    )


def _toolsets_of(message: Mapping[str, Any]) -> dict[str, str]:
    """Give the toolsets of the calls that are for a member of one: their results must name it."""
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    return {
        block["id"]: block["toolset_name"]
        for block in blocks
        if is_call(block) and block.get("toolset_name")
    }
