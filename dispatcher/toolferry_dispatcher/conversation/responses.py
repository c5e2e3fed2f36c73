"""Responses as a conversation keeps them: JSON data that any process can read again."""

from __future__ import annotations

from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers import Provider, assemble, is_stream
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


def whole(response: object, provider: Provider) -> object:
    """Put a response together that comes in chunks; any other one is given as it is.

    Raises:
        ConfigurationError: The provider's responses do not come in chunks.
        ResponseMalformed: A chunk cannot be read; names the field.
    """
    return assemble(provider, response) if is_stream(response) else response


def goes_on(reply: Reply) -> bool:
    """Tell whether a response without calls asks to be sent back, so that the model goes on."""
    return reply.finish_reason in _GOES_ON and not reply.calls
