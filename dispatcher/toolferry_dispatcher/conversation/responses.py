"""Responses as a conversation keeps them: JSON data that any process can read again."""

from __future__ import annotations

from typing import Any, Final

from toolferry import ConfigurationError, ResponseMalformed
from toolferry_dispatcher.providers import Assembler, Provider
from toolferry_dispatcher.providers import is_stream as is_told_in_chunks
from toolferry_dispatcher.providers.json_data import as_json, kind_of
from toolferry_dispatcher.reply import Reply

#: Finish reasons of a response that is to be sent back as it is, for the model to go on with.
_GOES_ON: Final = frozenset({"pause_turn", "compaction"})


def json_of(response: object) -> dict[str, Any]:
    """Give a response as JSON data.

    Raises:
        ResponseMalformed: It is no object.
    """
    data = as_json(response)
    if not isinstance(data, dict):
        raise ResponseMalformed("body", f"must be an object, not {kind_of(data)}")
    return data


def goes_on(reply: Reply) -> bool:
    """Tell whether a response without calls asks to be sent back, so that the model goes on."""
    return reply.finish_reason in _GOES_ON and not reply.calls


def is_stream(response: object) -> bool:
    """Tell a stream of chunks from a whole response; many of these can be iterated too."""
    return hasattr(response, "__aiter__") or is_told_in_chunks(response)


def chunks_of(response: object) -> Any:
    """Give the chunks of a stream; a text of events is taken as one."""
    return (response,) if isinstance(response, str | bytes | bytearray) else response


def assembler_for(provider: Provider) -> Assembler:
    """Give what puts a streamed response together.

    Raises:
        ConfigurationError: The provider's responses do not come in chunks.
    """
    make = getattr(provider, "assembler", None)
    if make is None:
        raise ConfigurationError(
            "provider", f"{provider.name!r} has no streams: have the model give whole responses"
        )
    assembler: Assembler = make()
    return assembler
