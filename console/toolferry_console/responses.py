"""A response from a file or standard input, with the provider whose format it is in."""

from __future__ import annotations

import json
from typing import Any

from toolferry import ConfigurationError
from toolferry_console.errors import InputUnreadable
from toolferry_console.reading import read_text
from toolferry_dispatcher.providers import Provider, StreamingProvider
from toolferry_dispatcher.providers import provider as provider_named

#: Asks for the format to be told by what the response holds.
AUTO = "auto"


def read_response(source: str, provider: str, *, stream: bool) -> tuple[Any, Provider]:
    """Read a response, and put it together where it came in chunks.

    Args:
        source: A file, or `-` for standard input.
        provider: The name of its format, or `auto`.
        stream: Whether it came in chunks: a JSON list of them, one a line, or an event stream.

    Raises:
        InputUnreadable: There is no such file, or it holds no JSON; names the file.
        ConfigurationError: There is no such provider, or it takes no streams.
        ResponseMalformed: A chunk cannot be read, or the format is not clear.
    """
    name, text = read_text(source)
    response = _chunks(name, text) if stream else _json(name, text)
    adapter = provider_named("openai-chat" if provider == AUTO else provider)
    return (_assembled(adapter, response) if stream else response), adapter


def _assembled(provider: Provider, chunks: list[Any]) -> Any:
    if not hasattr(provider, "assembler"):
        raise ConfigurationError("provider", f"{provider.name!r} takes no chunks of a stream")
    streaming: StreamingProvider = provider  # type: ignore[assignment]  # as was asked
    assembler = streaming.assembler()
    for chunk in chunks:
        assembler.add(chunk)
    return assembler.body()


def _chunks(name: str, text: str) -> list[Any]:
    """Give the chunks of a stream as they were stored."""
    if text.lstrip()[:1] == "[":
        listed = _json(name, text)
        return listed if isinstance(listed, list) else [listed]
    return text.split("\n")


def _json(name: str, text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise InputUnreadable(name, f"is no JSON: {error.msg} at {where}") from error
    except RecursionError as error:
        raise InputUnreadable(name, "is nested too deeply") from error
