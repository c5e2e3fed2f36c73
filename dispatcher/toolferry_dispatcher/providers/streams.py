"""Streamed responses of any provider: told from whole ones, and put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from toolferry import ConfigurationError
from toolferry_dispatcher.providers.protocol import Provider, has_stream


def is_stream(response: object) -> bool:
    """Tell whether a response comes in chunks: an iterable of them, or the text of events.

    >>> is_stream('data: {"choices": []}'), is_stream('{"choices": []}'), is_stream([{}])
    (True, False, True)
    """
    if isinstance(response, Mapping) or hasattr(response, "model_dump"):
        return False
    if isinstance(response, bytes | bytearray):
        response = response.decode(errors="replace")
    if isinstance(response, str):
        start = response.lstrip("\ufeff \t\r\n")
        return start[:1] != "{" and (start[:1] == "[" or "data:" in start)
    return isinstance(response, Iterable)


def assemble(provider: Provider, chunks: object) -> dict[str, Any]:
    """Put a streamed response together into the form of a whole one.

    Args:
        provider: Whose format it is in.
        chunks: Its chunks in order: SDK objects, dicts, or the lines or the text of its events.

    Raises:
        ConfigurationError: Responses of this provider do not come in chunks.
        ResponseMalformed: One is no chunk of this format; names the field.
    """
    if not has_stream(provider):
        raise ConfigurationError("provider", f"{provider.name!r} takes no chunks of a stream")
    assembler = provider.assembler()
    for chunk in _each(chunks):
        assembler.add(chunk)
    return assembler.body()


def _each(chunks: object) -> Iterable[object]:
    if isinstance(chunks, str | bytes | bytearray) or not isinstance(chunks, Iterable):
        return (chunks,)
    return chunks
