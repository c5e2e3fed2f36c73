"""Amazon Bedrock's Converse API, for every model behind it.

Source: the service model of `bedrock-runtime` in `botocore` 1.44, which is never imported here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.bedrock_blocks import is_call, read_blocks, sayable, text_of
from toolferry_dispatcher.providers.bedrock_body import EVENTS, Answer, error_of, find_answer
from toolferry_dispatcher.providers.bedrock_results import results_of
from toolferry_dispatcher.providers.bedrock_stream import BedrockAssembler
from toolferry_dispatcher.providers.json_data import as_json, fold, sendable
from toolferry_dispatcher.providers.names import wire_name
from toolferry_dispatcher.providers.protocol import Assembler
from toolferry_dispatcher.providers.schemas import WireTool
from toolferry_dispatcher.providers.settling import WITHOUT_CALLS, settle
from toolferry_dispatcher.providers.told import Told
from toolferry_dispatcher.providers.wire_provider import WireProvider
from toolferry_dispatcher.reply import Ending, Reply


class BedrockConverse(WireProvider):
    """Converse in and out. Tools go under `toolConfig.tools`; examples have no place of theirs.

    Messages are JSON data: bytes stand in them as base64 text, as on the wire. `for_boto3` gives
    them as `boto3` wants them.
    """

    name: Final = "bedrock-converse"

    def read(self, response: object) -> Reply:
        """Read a response, or its message: what `boto3` gives, other dicts, or JSON text.

        Raises:
            ResponseMalformed: The response as a whole cannot be read; names the field.
        """
        answer = find_answer(as_json(response))
        try:
            return _reply_of(answer)
        except RecursionError as error:
            raise ResponseMalformed("output.message", "is nested too deeply") from error

    def assembler(self) -> Assembler:
        """Give what puts one streamed response together."""
        return BedrockAssembler()

    def recognises(self, body: Any) -> bool:
        """Tell whether JSON data is a response, an event of a stream, or an error of this API."""
        if not isinstance(body, Mapping):
            return False
        output = body.get("output")
        is_response = isinstance(output, Mapping) and isinstance(output.get("message"), Mapping)
        # An event has one member; `metadata` is in the responses of other APIs, too.
        is_event = len(body) == 1 and bool(EVENTS & body.keys())
        return is_response or is_event or bool(error_of(body))

    def results(self, message: Mapping[str, Any], told: Sequence[Told]) -> list[dict[str, Any]]:
        """Give the model's message and, right behind it, one user message with all results."""
        return results_of(message, told)

    def late(self, text: str) -> dict[str, Any]:
        """Give a `user` message: the format has none for a call that was answered before."""
        return {"role": "user", "content": [{"text": fold(text)}]}

    def _written(self, tools: Sequence[WireTool]) -> list[dict[str, Any]]:
        return [{"toolSpec": _spec_of(one)} for one in tools]


def _spec_of(one: WireTool) -> dict[str, Any]:
    spec: dict[str, Any] = {"name": wire_name(one.tool.name)}
    if one.description:
        spec["description"] = one.description
    spec["inputSchema"] = {"json": one.parameters}
    if one.strict:
        spec["strict"] = True
    return spec


def _reply_of(answer: Answer) -> Reply:
    if answer.error:
        return settle(Ending.FAILED, (), answer.error, {})
    calls, echoes = read_blocks(answer.blocks, lambda: json.dumps(answer.blocks, sort_keys=True))
    ending = answer.ending(has_calls=bool(calls))
    if ending in WITHOUT_CALLS:
        calls, echoes = [], [echo for echo in echoes if not is_call(echo)]
    text = text_of(answer.blocks)
    content = sayable(echoes)
    message = sendable({"role": "assistant", "content": content}) if content else {}
    return settle(ending, calls, text if text.strip() else "", message, answer.stop_reason)
