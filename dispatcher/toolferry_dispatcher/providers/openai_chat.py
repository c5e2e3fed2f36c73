"""OpenAI Chat Completions, and the many servers that speak it.

Source: types/chat of the `openai` package 3.57, which is never imported here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.choices import tell_of_unread
from toolferry_dispatcher.providers.dialect import Dialect, StrictTools
from toolferry_dispatcher.providers.json_data import as_json
from toolferry_dispatcher.providers.names import wire_name
from toolferry_dispatcher.providers.openai_body import (
    Answer,
    choices_of,
    error_of,
    find_answer,
    has_calls,
)
from toolferry_dispatcher.providers.openai_calls import read_calls
from toolferry_dispatcher.providers.openai_endings import ending_of
from toolferry_dispatcher.providers.openai_media import with_media
from toolferry_dispatcher.providers.openai_message import (
    echo_of,
    items_of,
    refusal_of,
    seed_of,
    text_of,
)
from toolferry_dispatcher.providers.openai_stream import ChatAssembler
from toolferry_dispatcher.providers.protocol import Assembler
from toolferry_dispatcher.providers.schemas import WireTool
from toolferry_dispatcher.providers.settling import WITHOUT_CALLS, settle
from toolferry_dispatcher.providers.told import MediaKind, Told
from toolferry_dispatcher.providers.tool_messages import user_message
from toolferry_dispatcher.providers.wire_provider import WireProvider
from toolferry_dispatcher.reply import Ending, Reply

#: What OpenAI's own API takes. Sound only models for sound take: who uses one declares an alias.
OPENAI: Final = Dialect(media=frozenset({MediaKind.IMAGE, MediaKind.FILE}))


class OpenAIChat(WireProvider):
    """Chat Completions in and out. The API has no place for examples.

    Of several choices the first is read, and calls in the others are logged and never run; hand in
    another choice, or its message, to go on with that one.

    Args:
        name: What an application asks for it by.
        dialect: In what the server differs from OpenAI's own.
    """

    base: Final = "openai-chat"

    def __init__(self, name: str = "openai-chat", dialect: Dialect = OPENAI) -> None:
        self._name = name
        self._dialect = dialect

    @property
    def name(self) -> str:
        """What an application asks for it by."""
        return self._name

    @property
    def dialect(self) -> Dialect:
        """In what the server differs from OpenAI's own."""
        return self._dialect

    @property
    def forces_nulls(self) -> bool:
        """Whether a strict mode makes models send null for what they would leave out."""
        return self._dialect.strict is not StrictTools.NONE

    def speaking(self, name: str, dialect: Dialect) -> OpenAIChat:
        """Give the same format as another server speaks it."""
        return OpenAIChat(name, dialect)

    def read(self, response: object) -> Reply:
        """Read a completion, a choice or a message: an SDK's object, a dict, or JSON text.

        An error that a provider sent in place of one is a reply, too.

        Raises:
            ResponseMalformed: The response as a whole cannot be read; names the field.
        """
        body = as_json(response)
        answer = find_answer(body)
        tell_of_unread(self._name, choices_of(body), has_calls)
        try:
            return _reply_of(answer, self._dialect)
        except RecursionError as error:
            raise ResponseMalformed(answer.path or "body", "is nested too deeply") from error

    def assembler(self) -> Assembler:
        """Give what puts one streamed response together."""
        return ChatAssembler(self._name)

    def recognises(self, body: Any) -> bool:
        """Tell whether JSON data is a completion, a chunk of one, or an error of this API."""
        if not isinstance(body, Mapping):
            return False
        error = body.get("error")
        is_error = isinstance(error, Mapping) and {"message", "type"} <= error.keys()
        return isinstance(body.get("choices"), list) or (
            is_error and "type" not in body and bool(error_of(body))
        )

    def results(self, message: Mapping[str, Any], told: Sequence[Told]) -> list[dict[str, Any]]:
        """Give the model's message and, right behind it, one `tool` message for each call.

        Media stand in one `user` message behind all of them, where the server takes it.
        """
        return with_media(message, told, self._dialect.media)

    def late(self, text: str) -> dict[str, Any]:
        """Give a `user` message: the format has none for a call that was answered before."""
        return user_message(text)

    def _written(self, tools: Sequence[WireTool]) -> list[dict[str, Any]]:
        return [_function_of(one) for one in tools]


def _reply_of(answer: Answer, dialect: Dialect) -> Reply:
    if answer.error:
        return settle(Ending.FAILED, (), answer.error, {}, answer.finish_reason)
    ending = ending_of(answer.finish_reason)
    calls, echoes = read_calls(items_of(answer), lambda: seed_of(answer), dialect)
    if ending in WITHOUT_CALLS:
        calls, echoes = [], []
    if not calls and ending is Ending.WHOLE and refusal_of(answer):
        ending = Ending.REFUSED
    reason = None if ending is Ending.UNKNOWN else answer.finish_reason
    return settle(ending, calls, text_of(answer), echo_of(answer, echoes, dialect), reason)


def _function_of(one: WireTool) -> dict[str, Any]:
    function: dict[str, Any] = {
        "name": wire_name(one.tool.name),
        "description": one.description,
        "parameters": one.parameters,
    }
    if one.strict:
        function["strict"] = True
    return {"type": "function", "function": function}
