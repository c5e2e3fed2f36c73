"""Where the content stands in what an application calls a response of Bedrock Converse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.block_endings import ERROR_LENGTH, ending_of
from toolferry_dispatcher.providers.json_data import fold, kind_of
from toolferry_dispatcher.reply import Ending

#: What the stop reasons mean that the Messages API does not have.
#: Source: the service model of `bedrock-runtime` in `botocore` 1.44, StopReason.
_OWN_ENDINGS: Final[Mapping[str, Ending]] = {
    "guardrail_intervened": Ending.REFUSED,
    "content_filtered": Ending.REFUSED,
    "malformed_model_output": Ending.BROKEN,
    "malformed_tool_use": Ending.BROKEN,
}
#: The events of a stream; see `BedrockAssembler`.
EVENTS: Final = frozenset(
    {
        "messageStart",
        "messageStop",
        "contentBlockStart",
        "contentBlockDelta",
        "contentBlockStop",
        "metadata",
    }
)
#: How the names of the events end that end a stream with an error.
_EXCEPTION: Final = "Exception"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a response of Converse says."""

    #: The blocks of the content, in order.
    blocks: tuple[Mapping[str, Any], ...] = ()
    stop_reason: str | None = None
    #: Whether all of a response is there, and not just its message: that has no stop reason.
    is_whole_body: bool = False
    #: What the service said of its error; empty when there was none.
    error: str = ""

    def ending(self, *, has_calls: bool) -> Ending:
        """Say what the stop reason means beside calls, or without them."""
        if self.stop_reason is None:
            return Ending.UNKNOWN if self.is_whole_body else Ending.WHOLE
        return ending_of(self.stop_reason, _OWN_ENDINGS, has_calls=has_calls)


def find_answer(body: Any) -> Answer:
    """Find the content in a response, in its `output`, or in a bare assistant message.

    Raises:
        ResponseMalformed: The body is none of these; names the field that is missing or wrong.
    """
    if not isinstance(body, Mapping):
        raise ResponseMalformed("body", f"must be an object, not {kind_of(body)}")
    if error := error_of(body):
        return Answer(error=error)
    if EVENTS & body.keys():
        raise ResponseMalformed("body", "is one event of a stream, not a response")
    output = body.get("output", body)
    message = output.get("message", body) if isinstance(output, Mapping) else output
    path = "output.message." if message is not body else ""
    if not isinstance(message, Mapping):
        raise ResponseMalformed("output.message", f"must be an object, not {kind_of(message)}")
    role = message.get("role") or "assistant"
    if role != "assistant":
        raise ResponseMalformed(f"{path}role", f"must be 'assistant', not {role!r:.80}")
    reason = body.get("stopReason")
    return Answer(
        blocks=_blocks_of(message, f"{path}content"),
        stop_reason=reason if isinstance(reason, str) and reason else None,
        is_whole_body="output" in body or "stopReason" in body,
    )


def error_of(body: Mapping[str, Any]) -> str:
    """Give what an error says, by name and word; empty when a body is none."""
    for name, value in body.items():
        if name.endswith(_EXCEPTION):
            return _words_of(name, value)
    # `boto3` tells errors so in what it raises.
    error = body.get("Error")
    if isinstance(error, Mapping) and "output" not in body:
        return _words_of(str(error.get("Code") or "error"), error)
    return ""


def _words_of(name: str, value: object) -> str:
    said = value.get("message") or value.get("Message") if isinstance(value, Mapping) else value
    text = f"{name}: {said}" if isinstance(said, str) and said else name
    return fold(text)[:ERROR_LENGTH]


def _blocks_of(message: Mapping[str, Any], where: str) -> tuple[Mapping[str, Any], ...]:
    if "content" not in message:
        raise ResponseMalformed(where, "is missing: this is no response of Converse")
    content = message["content"]
    if not isinstance(content, list):
        raise ResponseMalformed(where, f"must be an array of blocks, not {kind_of(content)}")
    return tuple(_block_of(block, f"{where}[{at}]") for at, block in enumerate(content))


def _block_of(block: object, where: str) -> Mapping[str, Any]:
    if not isinstance(block, Mapping):
        raise ResponseMalformed(where, f"must be an object, not {kind_of(block)}")
    if isinstance(block.get("type"), str):
        reason = "is that of another API's block: name its provider"
        raise ResponseMalformed(f"{where}.type", reason)
    return block
