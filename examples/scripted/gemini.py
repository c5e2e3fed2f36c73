"""A server of Gemini's `generateContent`."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from examples.scripted import gemini_rules as rules
from examples.scripted.refusal import Refused, need_sendable
from examples.scripted.speaking import all_back, sse
from examples.scripted.turns import ScriptedTurn


class GeminiSpeaker:
    """Gemini, with a model that thinks and gives its calls no ids."""

    path = "Content"

    def check(self, request: Mapping[str, Any], sent: Sequence[Any]) -> None:
        """Refuse what breaks a rule, and signatures that are missing or changed."""
        need_sendable(request)
        rules.check(request)
        rules.check_signatures(request["contents"])
        back = [_signatures(one) for one in request["contents"] if one.get("role") == "model"]
        all_back(
            [_signatures(one) for one in sent],
            back,
            "Function call is missing a thought_signature in functionCall parts.",
        )

    def said(self, turn: ScriptedTurn, number: int) -> dict[str, Any]:
        """Give the content of a turn; the first call alone is signed."""
        parts: list[dict[str, Any]] = [{"text": turn.text}] if turn.text else []
        signature = base64.b64encode(f"signed {number}?>".encode()).decode()
        for at, call in enumerate(turn.calls):
            asked: dict[str, Any] = {"name": call.name, "args": dict(call.arguments)}
            if call.call_id:
                asked["id"] = call.call_id
            signed = {} if at else {"thoughtSignature": signature}
            parts.append({"functionCall": asked, **signed})
        return {"role": "model", "parts": parts}

    def whole(self, said: Any, number: int) -> dict[str, Any]:
        """Give a response."""
        return _response(number, said["parts"], "STOP")

    def is_streamed(self, path: str, request: Mapping[str, Any]) -> bool:
        """Tell by the method."""
        return "stream" in path

    def chunks(self, said: Any, number: int) -> Iterator[str]:
        """Give a chunk a part."""
        *first, last = said["parts"]
        for part in first:
            yield sse(_response(number, [part], None))
        yield sse(_response(number, [last], "STOP"))

    def refusal(self, refused: Refused) -> dict[str, Any]:
        """Give an error as the API words it."""
        error = {"code": 400, "message": refused.message, "status": "INVALID_ARGUMENT"}
        return {"error": error}


def _response(number: int, parts: Sequence[Any], finish: str | None) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": list(parts)}, "index": 0}
    if finish:
        candidate["finishReason"] = finish
    return {
        "candidates": [candidate],
        "modelVersion": "scripted",
        "responseId": f"response-{number}",
    }


def _signatures(content: Mapping[str, Any]) -> list[tuple[int, bytes]]:
    """Give where signatures are, and which; URLs spell base64 otherwise."""
    return [
        (at, base64.b64decode(part["thoughtSignature"].replace("-", "+").replace("_", "/")))
        for at, part in enumerate(content["parts"])
        if "thoughtSignature" in part
    ]
