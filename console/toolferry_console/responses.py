"""A response from a file or standard input, with the provider whose format it is in."""

from __future__ import annotations

from typing import Any

from toolferry_console.reading import json_of, read_text
from toolferry_dispatcher.providers import AUTO, Provider, assemble, detect
from toolferry_dispatcher.providers import provider as provider_named


def read_response(source: str, provider: str, *, stream: bool) -> tuple[Any, Provider]:
    """Read a response, and put it together where it came in chunks.

    Args:
        source: A file, or `-` for standard input.
        provider: The name of its format, or `auto` to tell it by what the response holds.
        stream: Whether it came in chunks: a JSON list of them, one a line, or an event stream.

    Raises:
        InputUnreadable: There is no such file, or it holds no JSON; names the file.
        ConfigurationError: There is no such provider, or it takes no streams.
        ResponseMalformed: A chunk cannot be read, or the format is not clear.
    """
    name, text = read_text(source)
    response = _chunks(name, text) if stream else json_of(name, text)
    adapter = detect(response) if provider == AUTO else provider_named(provider)
    return (assemble(adapter, response) if stream else response), adapter


def _chunks(name: str, text: str) -> list[Any]:
    """Give the chunks of a stream as they were stored; those in lines are read one by one."""
    if text.lstrip()[:1] != "[":
        return [line for line in text.split("\n") if line.strip()]
    chunks = json_of(name, text)
    return chunks if isinstance(chunks, list) else [chunks]
