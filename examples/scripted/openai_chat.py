"""A server of Chat Completions, and one that thinks as DeepSeek does."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from examples.scripted import openai_chat_rules as rules
from examples.scripted.refusal import Refused, need_sendable
from examples.scripted.speaking import all_back, call_id, halves, sse
from examples.scripted.turns import ScriptedTurn


class OpenAIChatSpeaker:
    """Chat Completions."""

    path = "/chat/completions"

    def check(self, request: Mapping[str, Any], sent: Sequence[Any]) -> None:
        """Refuse what breaks a rule."""
        need_sendable(request)
        rules.check(request)

    def said(self, turn: ScriptedTurn, number: int) -> dict[str, Any]:
        """Give the assistant message of a turn."""
        message: dict[str, Any] = {"role": "assistant", "content": turn.text or None}
        if turn.calls:
            message["tool_calls"] = [
                {
                    "id": call_id(call, number, at, "call_"),
                    "type": "function",
                    "function": {
                        "name": call.name,
                        "arguments": json.dumps(call.arguments, ensure_ascii=False),
                    },
                }
                for at, call in enumerate(turn.calls)
            ]
        return message

    def whole(self, said: Any, number: int) -> dict[str, Any]:
        """Give a completion."""
        choice = {"index": 0, "message": said, "finish_reason": _finish(said)}
        return {**_head(number), "object": "chat.completion", "choices": [choice]}

    def is_streamed(self, path: str, request: Mapping[str, Any]) -> bool:
        """Tell by the field `stream`."""
        return bool(request.get("stream"))

    def chunks(self, said: Any, number: int) -> Iterator[str]:
        """Give chunks: the role, then words and arguments in pieces, then the end."""
        yield self._chunk(number, {"role": "assistant", "content": ""})
        for name in ("reasoning_content", "content"):
            for piece in halves(said.get(name) or ""):
                yield self._chunk(number, {name: piece})
        for at, call in enumerate(said.get("tool_calls", ())):
            yield from self._call_chunks(number, at, call)
        yield self._chunk(number, {}, _finish(said))
        yield "data: [DONE]\n\n"

    def refusal(self, refused: Refused) -> dict[str, Any]:
        """Give an error as the API words it."""
        error = {"message": refused.message, "type": "invalid_request_error"}
        return {"error": {**error, "param": refused.param or None, "code": None}}

    def _call_chunks(self, number: int, at: int, call: Mapping[str, Any]) -> Iterator[str]:
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        head = {"index": at, "id": call["id"], "type": "function"}
        first = {**head, "function": {"name": name, "arguments": ""}}
        yield self._chunk(number, {"tool_calls": [first]})
        for piece in halves(arguments):
            more = {"index": at, "function": {"arguments": piece}}
            yield self._chunk(number, {"tool_calls": [more]})

    def _chunk(self, number: int, delta: Mapping[str, Any], finish: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return sse({**_head(number), "object": "chat.completion.chunk", "choices": [choice]})


class DeepSeekSpeaker(OpenAIChatSpeaker):
    """The same, with thoughts that have to come back."""

    path = "/deepseek/chat/completions"

    def check(self, request: Mapping[str, Any], sent: Sequence[Any]) -> None:
        """Refuse what breaks a rule, and a message with calls that was changed."""
        super().check(request, sent)
        rules.check_thoughts(request)
        back = [one for one in request["messages"] if one["role"] == "assistant"]
        with_calls = [one for one in sent if one.get("tool_calls")]
        all_back(with_calls, back, "The assistant message was changed on its way back.")

    def said(self, turn: ScriptedTurn, number: int) -> dict[str, Any]:
        """Give the assistant message of a turn, with its thoughts."""
        message = super().said(turn, number)
        # A message of calls alone has an empty text here.
        return {**message, "content": turn.text, "reasoning_content": turn.thoughts}


def _text(arguments: Mapping[str, Any]) -> str:
    return json.dumps(arguments, ensure_ascii=False)


def _head(number: int) -> dict[str, Any]:
    return {"id": f"chatcmpl-{number}", "created": 1_790_000_000, "model": "scripted"}


def _finish(said: Mapping[str, Any]) -> str:
    return "tool_calls" if said.get("tool_calls") else "stop"
