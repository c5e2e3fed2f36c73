"""The chunks of streamed responses, in every shape in which applications hold them.

A server sends events as lines (`data: {…}`); SDKs give objects; stored streams are JSON. What
stands between the chunks says nothing: blank lines, comments, names of events, `[DONE]`.
Source: HTML Standard, section 9.2, server-sent events.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.json_data import as_json

#: What OpenAI, and those that speak like it, send behind the last chunk.
_DONE: Final = "[DONE]"
#: The fields of an event besides its data; a line of its own is a comment when none is named.
_FIELDS: Final = ("event", "id", "retry")


def chunks_in(chunk: object) -> Iterator[Any]:
    r"""Give the JSON data of what is handed in as a chunk: usually one, none for a blank line.

    Args:
        chunk: An SDK's object, a dict, JSON text of one or of an array of them, or lines of
            server-sent events, as text or UTF-8 bytes.

    Raises:
        ResponseMalformed: It is none of these, or its text is not JSON.

    >>> list(chunks_in('event: ping\ndata: {"type": "ping"}\n\ndata: [DONE]\n'))
    [{'type': 'ping'}]
    """
    text = _text_of(chunk)
    if text is None:
        yield as_json(chunk)
    elif text.lstrip("\ufeff \t\r\n")[:1] in {"{", "["} and text.strip() != _DONE:
        data = as_json(text)
        yield from data if isinstance(data, list) else (data,)
    else:
        yield from map(as_json, _data_of(text))


def _text_of(chunk: object) -> str | None:
    if isinstance(chunk, bytes | bytearray):
        try:
            return bytes(chunk).decode()
        except UnicodeDecodeError as error:
            raise ResponseMalformed("chunk", f"is not UTF-8 text: byte {error.start}") from error
    return chunk if isinstance(chunk, str) else None


def _data_of(text: str) -> Iterator[str]:
    """Give the data of each line that has some; no provider spreads a chunk over lines."""
    # Not `splitlines`: a chunk may hold U+2028 and its kind, which end no line here.
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        field, colon, value = line.removeprefix("\ufeff").partition(":")
        if field == "data" and colon:
            if value.strip() not in {"", _DONE}:
                yield value
        elif line.strip() not in {"", _DONE} and field not in {"", *_FIELDS}:
            raise ResponseMalformed("chunk", "is neither JSON nor a line of server-sent events")
