"""OpenAI Chat Completions, and the many servers that speak it.

Source: types/chat of the `openai` package 3.57, which is never imported here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolferry import ResponseMalformed, Tool, ToolInvalid
from toolferry_dispatcher.providers.examples import ExamplePlace
from toolferry_dispatcher.providers.exporting import Export, exported
from toolferry_dispatcher.providers.json_data import as_json, fold, kind_of, sendable
from toolferry_dispatcher.providers.names import wire_name
from toolferry_dispatcher.providers.openai_body import Answer, find_answer
from toolferry_dispatcher.providers.openai_calls import read_calls
from toolferry_dispatcher.providers.schemas import Strictness, WireTool, dialect, wire_tools
from toolferry_dispatcher.providers.told import Told
from toolferry_dispatcher.providers.tool_messages import user_message, with_results
from toolferry_dispatcher.reply import ReadCall, Reply, ReplyKind

#: Finish reasons that say that the response is not what the model meant to send. All others,
#: known or not, say nothing: servers send `stop` with calls and `tool_calls` without.
_BROKEN_OFF: Final = frozenset(
    {
        "length",
        "content_filter",
        "error",  # OpenRouter
        "insufficient_system_resource",  # DeepSeek
        "malformed_function_call",  # Gemini behind a gateway
        "max_tokens",  # Anthropic behind a gateway
        "model_length",  # Mistral
    }
)
#: What SDKs add to a message that they parse; it was not received and is not taken back.
_ADDED: Final = frozenset({"parsed"})


class OpenAIChat:
    """Chat Completions in and out.

    Of several choices the first is read; hand in another choice, or its message, to go on with
    that one.
    """

    name: Final = "openai-chat"

    def wire_name(self, name: str) -> str:
        """Give the name by which a tool goes on this wire; depends on the name alone."""
        return wire_name(name)

    def tools(
        self, tools: Sequence[Tool], examples: ExamplePlace = ExamplePlace.NATIVE
    ) -> list[dict[str, Any]]:
        """Give what goes under `tools` into a request. This API has no place for examples.

        Raises:
            ToolInvalid: Two of the tools would go by one name on the wire.
        """
        return self.export(tools, examples=examples).tools

    def export(
        self,
        tools: Sequence[Tool],
        strictness: Strictness = Strictness.NEVER,
        examples: ExamplePlace = ExamplePlace.NATIVE,
    ) -> Export:
        """Give what goes under `tools` into a request, and what got lost on the way.

        Raises:
            ToolInvalid: Two of the tools would go by one name on the wire, one has a schema that
                cannot be said, or strict is demanded of one that cannot be.
        """
        _refuse_same_names(tools)
        wired = wire_tools(dialect(self.name), tools, strictness, examples)
        return exported(self.name, wired, [_function_of(one) for one in wired])

    def read(self, response: object) -> Reply:
        """Read a completion, a choice or a message: an SDK's object, a dict, or JSON text.

        Raises:
            ResponseMalformed: The response as a whole cannot be read; names the field.
        """
        answer = find_answer(as_json(response))
        try:
            return _reply_of(answer)
        except RecursionError as error:
            raise ResponseMalformed(answer.path or "body", "is nested too deeply") from error

    def recognises(self, body: Any) -> bool:
        """Tell whether JSON data is a completion, or a chunk of one."""
        return isinstance(body, Mapping) and isinstance(body.get("choices"), list)

    def results(self, message: Mapping[str, Any], told: Sequence[Told]) -> list[dict[str, Any]]:
        """Give the model's message and, right behind it, one `tool` message for each call."""
        return with_results(message, told)

    def late(self, text: str) -> dict[str, Any]:
        """Give a `user` message: the format has none for a call that was answered before."""
        return user_message(text)


def _reply_of(answer: Answer) -> Reply:
    calls, echoes = read_calls(_items_of(answer), lambda: _seed_of(answer))
    text = _text_of(answer)
    return Reply(
        kind=_kind_of(answer, calls, text),
        calls=tuple(calls),
        text=text,
        message=_echo_of(answer, echoes),
        finish_reason=answer.finish_reason,
    )


def _function_of(one: WireTool) -> dict[str, Any]:
    function: dict[str, Any] = {
        "name": wire_name(one.tool.name),
        "description": one.description,
        "parameters": one.parameters,
    }
    if one.strict:
        function["strict"] = True
    return {"type": "function", "function": function}


def _refuse_same_names(tools: Sequence[Tool]) -> None:
    owners: dict[str, str] = {}
    for tool in tools:
        owner = owners.setdefault(wire_name(tool.name), tool.name)
        if owner != tool.name:
            raise ToolInvalid(tool.name, f"it goes by the same name on the wire as {owner!r}")


def _items_of(answer: Answer) -> list[Any]:
    items = answer.message.get("tool_calls")
    if items is None:
        return _no_items(answer)
    if not isinstance(items, list):
        reason = f"must be an array or null, not {kind_of(items)}"
        raise ResponseMalformed(answer.field("tool_calls"), reason)
    return items or _no_items(answer)


def _no_items(answer: Answer) -> list[Any]:
    """Give no calls, unless there is one in the form that came before `tool_calls`."""
    old = answer.message.get("function_call")
    if isinstance(old, Mapping) and old.get("name"):
        raise ResponseMalformed(
            answer.field("function_call"),
            "is the form of old that cannot be answered by id: send `tools`, not `functions`",
        )
    return []


def _seed_of(answer: Answer) -> str:
    return answer.response_id or json.dumps(answer.message, sort_keys=True)


def _text_of(answer: Answer) -> str:
    """Give what the model said: its content, else its refusal, else the words of its audio."""
    audio = answer.message.get("audio")
    transcript = audio.get("transcript") if isinstance(audio, Mapping) else None
    said = (_content_of(answer), answer.message.get("refusal"), transcript)
    return fold(next((text for text in said if isinstance(text, str) and text.strip()), ""))


def _content_of(answer: Answer) -> str:
    content = answer.message.get("content")
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        reason = f"must be a string, an array of parts or null, not {kind_of(content)}"
        raise ResponseMalformed(answer.field("content"), reason)
    return "".join(_words_of(part) for part in content)


def _words_of(part: object) -> str:
    """Give the words of one part; thoughts, images and the like have none to show."""
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping) or part.get("type") not in {"text", "refusal"}:
        return ""
    words = part.get(part["type"])
    return words if isinstance(words, str) else ""


def _kind_of(answer: Answer, calls: Sequence[ReadCall], text: str) -> ReplyKind:
    if answer.finish_reason in _BROKEN_OFF:
        return ReplyKind.INCOMPLETE
    if calls:
        return ReplyKind.CALLS
    return ReplyKind.FINAL if text else ReplyKind.DEGENERATE


def _echo_of(answer: Answer, calls: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Give the message for the next request: as received, but for what would be refused there."""
    received = answer.message
    put_right = {"tool_calls", "audio", "function_call", *_ADDED}
    echo = {key: value for key, value in received.items() if key not in put_right}
    echo["role"] = "assistant"
    if calls:
        echo["tool_calls"] = list(calls)
    elif echo.get("content") is None:
        echo["content"] = ""
    audio = received.get("audio")
    if isinstance(audio, Mapping) and audio.get("id"):
        echo["audio"] = {"id": audio["id"]}
    return sendable(echo)
