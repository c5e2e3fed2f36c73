"""Reading a response, in whatever shape and format an application has it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from toolferry import ToolCall
from toolferry_dispatcher.providers import AUTO, Provider, assemble, detect, is_stream
from toolferry_dispatcher.providers import provider as provider_named
from toolferry_dispatcher.providers.protocol import has_stream
from toolferry_dispatcher.reply import Reply

#: What can be looked at twice, to tell its format and to read it; anything else may be used up.
_KEPT: Final = (str, bytes, bytearray, list, tuple)


def read_response(response: object, provider: str) -> tuple[Provider, Reply]:
    """Read a response with its provider.

    Args:
        response: A whole response, the chunks of a streamed one, or plain `ToolCall`s, which are
            told by their type.
        provider: Whose format it is in; `auto` tells that by what the response holds.

    Raises:
        ResponseMalformed: It cannot be read, or its format cannot be told; names the field.
        ConfigurationError: There is no such provider.
    """
    if _is_plain(response):
        found = provider_named("plain")
        return found, found.read(response)
    has_chunks = is_stream(response)
    if has_chunks and isinstance(response, Iterable) and not isinstance(response, _KEPT):
        response = list(response)
    found = detect(response) if provider == AUTO else provider_named(provider)
    if has_chunks and has_stream(found):
        response = assemble(found, response)
    return found, found.read(response)


def _is_plain(response: object) -> bool:
    calls = response if isinstance(response, list | tuple) else [response]
    return bool(calls) and all(isinstance(call, ToolCall) for call in calls)
