"""A streamed Chat Completions response, put together into the form of a whole one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.choices import UnreadChoices
from toolferry_dispatcher.providers.json_data import kind_of
from toolferry_dispatcher.providers.openai_body import has_calls
from toolferry_dispatcher.providers.openai_endings import UNFINISHED
from toolferry_dispatcher.providers.openai_pieces import add_delta, joined
from toolferry_dispatcher.providers.openai_stream_calls import StreamedCalls
from toolferry_dispatcher.providers.sse import chunks_in

#: What at least one of is in every chunk.
_CHUNK_FIELDS: Final = frozenset({"choices", "error", "usage", "object"})


class ChatAssembler:
    """Puts one streamed response together. Of several choices the first is read.

    Args:
        provider: Whose stream it is.
    """

    def __init__(self, provider: str = "openai-chat") -> None:
        self._unread = UnreadChoices(provider)
        self._fields: dict[str, Any] = {}
        self._message: dict[str, Any] = {}
        self._calls = StreamedCalls()
        self._finish_reason = ""
        self._error: Any = None

    def add(self, chunk: object) -> None:
        """Take the next chunk: an SDK's object, a dict, JSON text, or a line of an event stream.

        Raises:
            ResponseMalformed: It is no chunk of this format; names the field.
        """
        for data in chunks_in(chunk):
            self._add(data)

    def body(self) -> dict[str, Any]:
        """Give the response so far in the form of a whole one.

        One whose end has not come has the finish reason `unfinished`.

        Raises:
            ResponseMalformed: Its parts are nested too deeply.
        """
        message = {"role": "assistant", "content": None, **self._said()}
        calls = self._calls.items()
        if calls:
            message["tool_calls"] = calls
        choice = {
            "index": 0,
            "finish_reason": self._finish_reason or UNFINISHED,
            "message": message,
        }
        error = {"error": self._error} if self._error else {}
        return {**self._fields, "object": "chat.completion", "choices": [choice], **error}

    def _said(self) -> dict[str, Any]:
        try:
            return joined(self._message)
        except RecursionError as error:
            raise ResponseMalformed("choices[0].delta", "is nested too deeply") from error

    def _add(self, chunk: Any) -> None:
        if not isinstance(chunk, Mapping) or not chunk.keys() & _CHUNK_FIELDS:
            what = kind_of(chunk) if not isinstance(chunk, Mapping) else "an object without choices"
            raise ResponseMalformed("chunk", f"must be a chunk of a chat completion, not {what}")
        self._error = self._error or chunk.get("error")
        for name, value in chunk.items():
            if name not in {"choices", "error", "object"} and value is not None:
                self._fields[name] = value
        for choice in _choices_of(chunk):
            if choice.get("index") in (0, None):
                self._add_choice(choice)
            else:
                self._unread.add(choice, has_calls)

    def _add_choice(self, choice: Mapping[str, Any]) -> None:
        reason = choice.get("finish_reason")
        if isinstance(reason, str) and reason:
            self._finish_reason = reason
        self._error = self._error or choice.get("error")
        delta = choice.get("delta")
        if delta is None and not self._message:
            # Some servers answer a request for a stream with a whole message.
            delta = choice.get("message")
        if delta is None:
            return
        if not isinstance(delta, Mapping):
            raise ResponseMalformed("choices[0].delta", f"must be an object, not {kind_of(delta)}")
        add_delta(self._message, delta)
        if delta.get("tool_calls") is not None:
            self._calls.add(delta["tool_calls"])


def _choices_of(chunk: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    choices = chunk.get("choices")
    if choices is None:
        return []
    if not isinstance(choices, list):
        raise ResponseMalformed("choices", f"must be an array, not {kind_of(choices)}")
    for position, choice in enumerate(choices):
        if not isinstance(choice, Mapping):
            reason = f"must be an object, not {kind_of(choice)}"
            raise ResponseMalformed(f"choices[{position}]", reason)
    return choices
