"""Where the content stands in what an application calls a response of the Messages API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.block_endings import ERROR_LENGTH, ending_of
from toolferry_dispatcher.providers.json_data import fold, kind_of
from toolferry_dispatcher.reply import Ending

#: What the stop reasons mean that Converse does not have.
#: Source: types/stop_reason.py and types/beta/beta_stop_reason.py of the `anthropic` package 2.14.
_OWN_ENDINGS: Final[Mapping[str, Ending]] = {
    "refusal": Ending.REFUSED,
    # The message goes back as it is, and the model goes on.
    "pause_turn": Ending.BROKEN,
    "compaction": Ending.BROKEN,
}
#: The events of a stream; see `AnthropicAssembler`.
EVENTS: Final = frozenset(
    {
        "message_start",
        "message_delta",
        "message_stop",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "ping",
    }
)
#: Parts of other APIs' messages: their calls would be passed over here without a word.
_FOREIGN_PARTS: Final = frozenset({"function_call", "tool_call", "output_text"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a response of the Messages API says."""

    #: The blocks of the content, in order; each has a `type`.
    blocks: tuple[Mapping[str, Any], ...] = ()
    stop_reason: str | None = None
    #: Whether the response has a stop reason, be it null: null is that of a stream that goes on.
    has_stop_reason: bool = False
    #: The provider's id of the response; empty when it gave none.
    response_id: str = ""
    #: What it said of its refusal; empty when it said nothing.
    explanation: str = ""
    #: What it said of its error; empty when there was none.
    error: str = ""

    def ending(self, *, has_calls: bool) -> Ending:
        """Say what the stop reason means beside calls, or without them."""
        if self.stop_reason is None:
            return Ending.UNKNOWN if self.has_stop_reason else Ending.WHOLE
        return ending_of(self.stop_reason, _OWN_ENDINGS, has_calls=has_calls)


def find_answer(body: Any) -> Answer:
    """Find the content in a response, in an error, or in a bare assistant message.

    Raises:
        ResponseMalformed: The body is none of these; names the field that is missing or wrong.
    """
    if not isinstance(body, Mapping):
        raise ResponseMalformed("body", f"must be an object, not {kind_of(body)}")
    if body.get("type") == "error" or ("error" in body and "content" not in body):
        return Answer(error=_error_of(body))
    if isinstance(body.get("type"), str) and body["type"] in EVENTS:
        raise ResponseMalformed("type", "is that of one event of a stream, not of a response")
    role = body.get("role") or "assistant"
    if role != "assistant":
        raise ResponseMalformed("role", f"must be 'assistant', not {role!r:.80}")
    return Answer(
        blocks=_blocks_of(body),
        stop_reason=_text(body.get("stop_reason")) or None,
        has_stop_reason="stop_reason" in body,
        response_id=_text(body.get("id")),
        explanation=_explanation_of(body),
    )


def _blocks_of(body: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    if "content" not in body:
        raise ResponseMalformed("content", "is missing: this is no response of the Messages API")
    content = body["content"]
    if isinstance(content, str):
        return ({"type": "text", "text": content},)
    if not isinstance(content, list):
        reason = f"must be an array of blocks or a string, not {kind_of(content)}"
        raise ResponseMalformed("content", reason)
    return tuple(_block_of(block, f"content[{at}]") for at, block in enumerate(content))


def _block_of(block: object, where: str) -> Mapping[str, Any]:
    if not isinstance(block, Mapping):
        raise ResponseMalformed(where, f"must be an object, not {kind_of(block)}")
    kind = block.get("type")
    if not isinstance(kind, str):
        raise ResponseMalformed(f"{where}.type", f"must be a string, not {kind_of(kind)}")
    if kind in _FOREIGN_PARTS:
        reason = f"{kind!r} is no block of the Messages API: name its provider"
        raise ResponseMalformed(f"{where}.type", reason)
    return block


def _explanation_of(body: Mapping[str, Any]) -> str:
    details = body.get("stop_details")
    return _text(details.get("explanation")) if isinstance(details, Mapping) else ""


def _error_of(body: Mapping[str, Any]) -> str:
    error = body.get("error")
    if isinstance(error, Mapping):
        words = (_text(error.get("type")), _text(error.get("message")))
        error = ": ".join(filter(None, words))
    return _text(error)[:ERROR_LENGTH] or "the provider sent an error without a word"


def _text(value: object) -> str:
    return fold(value) if isinstance(value, str) else ""
