"""Cohere's Chat API, version 2.

Source: types of the `cohere` package 7.3, which is never imported here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.cohere_body import Answer, find_answer
from toolferry_dispatcher.providers.cohere_calls import cohere_name, read_calls
from toolferry_dispatcher.providers.cohere_stream import EVENTS, CohereAssembler
from toolferry_dispatcher.providers.json_data import as_json, fold, kind_of, sendable
from toolferry_dispatcher.providers.schemas import WireTool
from toolferry_dispatcher.providers.settling import WITHOUT_CALLS, settle
from toolferry_dispatcher.providers.told import Told, without_media
from toolferry_dispatcher.providers.tool_messages import user_message, with_results
from toolferry_dispatcher.providers.wire_provider import WireProvider
from toolferry_dispatcher.reply import Ending, Reply


class Cohere(WireProvider):
    """Chat messages in and out; the model's plan goes back with its calls.

    The API has no place for examples.
    """

    name: Final = "cohere-v2"

    def wire_name(self, name: str) -> str:
        """Give the name by which a tool goes on this wire; depends on the name alone."""
        return cohere_name(name)

    def read(self, response: object) -> Reply:
        """Read a response or a message: an SDK's object, a dict, or JSON text.

        Raises:
            ResponseMalformed: The response as a whole cannot be read; names the field.
        """
        body = as_json(response)
        try:
            return _reply_of(find_answer(body))
        except RecursionError as error:
            raise ResponseMalformed("message", "is nested too deeply") from error

    def recognises(self, body: Any) -> bool:
        """Tell whether JSON data is a response, or an event of a streamed one.

        Tells them by their capitals from the choices of Chat Completions, which look alike.
        """
        if not isinstance(body, Mapping):
            return False
        reason, kind = body.get("finish_reason"), body.get("type")
        is_event = isinstance(kind, str) and kind in EVENTS
        is_whole = isinstance(reason, str) and reason.isupper()
        return is_event or (is_whole and isinstance(body.get("message"), Mapping))

    def results(self, message: Mapping[str, Any], told: Sequence[Told]) -> list[dict[str, Any]]:
        """Give the model's message and, right behind it, one `tool` message for each call.

        They hold text and documents: of media the model is told in words.
        """
        return with_results(message, [without_media(one, lambda _medium: True) for one in told])

    def late(self, text: str) -> dict[str, Any]:
        """Give a `user` message: a call that was answered takes no second result."""
        return user_message(text)

    def assembler(self) -> CohereAssembler:
        """Give what puts one streamed response together."""
        return CohereAssembler()

    def _written(self, tools: Sequence[WireTool]) -> list[dict[str, Any]]:
        return [_function_of(one) for one in tools]


def _function_of(one: WireTool) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": cohere_name(one.tool.name),
            "description": one.description,
            "parameters": one.parameters,
        },
    }


def _reply_of(answer: Answer) -> Reply:
    ending = answer.ending()
    items = _list_of(answer, "tool_calls")
    read = read_calls([] if ending in WITHOUT_CALLS else items, answer.seed)
    return settle(
        ending,
        [call for call, _ in read],
        _text_of(answer, planned=bool(read)),
        _echo_of(answer, [echo for _, echo in read]),
        None if ending is Ending.UNKNOWN else answer.finish_reason or None,
    )


def _text_of(answer: Answer, *, planned: bool) -> str:
    """Give what the model said, else what it plans to do with its calls, else the error."""
    plan = answer.message.get("tool_plan")
    planned_words = plan if planned and isinstance(plan, str) else ""
    return fold(_said(answer) or planned_words or answer.error)


def _list_of(answer: Answer, name: str) -> list[Any]:
    value = answer.message.get(name)
    if value is not None and not isinstance(value, list):
        reason = f"must be an array or null, not {kind_of(value)}"
        raise ResponseMalformed(answer.field(name), reason)
    return value or []


def _said(answer: Answer) -> str:
    """Give what the model said; thoughts are not said."""
    content = answer.message.get("content")
    if isinstance(content, str):
        return content if content.strip() else ""
    blocks = [block for block in _list_of(answer, "content") if isinstance(block, Mapping)]
    texts = [block.get("text") for block in blocks if block.get("type") == "text"]
    text = "".join(text for text in texts if isinstance(text, str))
    return text if text.strip() else ""


def _echo_of(answer: Answer, calls: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Give the message for the next request: nothing where it would hold nothing."""
    # What is no number goes as null, so that it is dropped as other nulls are.
    said = sendable(dict(answer.message))
    echo = {name: value for name, value in said.items() if value is not None}
    echo.pop("tool_calls", None)
    if not calls and not echo.get("content"):
        return {}
    echo["role"] = "assistant"
    return {**echo, **sendable({"tool_calls": list(calls)})} if calls else echo
