"""Gemini: `generateContent` of the Gemini API and of Vertex AI.

Source: types.py of the `google-genai` package 3.6, which is never imported here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from toolferry import ResponseMalformed, Tool
from toolferry_dispatcher.providers.examples import ExamplePlace, description_for
from toolferry_dispatcher.providers.gemini_body import Answer, find_answer, is_response
from toolferry_dispatcher.providers.gemini_calls import read_parts, shows, text_of
from toolferry_dispatcher.providers.gemini_names import gemini_name
from toolferry_dispatcher.providers.gemini_parameters import declared_parameters
from toolferry_dispatcher.providers.gemini_reasons import kind_of_reply
from toolferry_dispatcher.providers.gemini_results import with_responses
from toolferry_dispatcher.providers.gemini_stream import GeminiAssembler
from toolferry_dispatcher.providers.json_data import as_json, fold, sendable
from toolferry_dispatcher.providers.names import refuse_same_names
from toolferry_dispatcher.providers.told import Told
from toolferry_dispatcher.reply import Reply, ReplyKind

#: What a model from Gemini 3 on looks at inside a result. Source: Gemini API, Function calling,
#: multimodal function responses.
SHOWN: Final = frozenset({"image/png", "image/jpeg", "image/webp", "application/pdf", "text/plain"})


class Gemini:
    """Contents in and out.

    Of several candidates the first is read; hand in another candidate, or its content, to go on
    with that one.

    Args:
        name: What the provider is asked for by.
        shown: The types of media that its models look at inside a result; those before Gemini 3
            refuse a request that has any.
    """

    def __init__(self, name: str = "gemini", shown: Collection[str] = SHOWN) -> None:
        self.name: Final = name
        self._shown = shown

    def wire_name(self, name: str) -> str:
        """Give the name by which a tool goes on this wire; depends on the name alone."""
        return gemini_name(name)

    def tools(
        self, tools: Sequence[Tool], examples: ExamplePlace = ExamplePlace.NATIVE
    ) -> list[dict[str, Any]]:
        """Give what goes under `tools` into a request: one entry that declares all functions.

        This API has no place for examples.

        Raises:
            ToolInvalid: Two of the tools would go by one name on the wire.
        """
        refuse_same_names(tools, self.wire_name)
        functions = [_function_of(tool, examples) for tool in tools]
        return [{"function_declarations": functions}] if functions else []

    def read(self, response: object) -> Reply:
        """Read a response, a candidate or a content: an SDK's object, a dict, or JSON text.

        An array of responses is read as a stream.

        Raises:
            ResponseMalformed: The response as a whole cannot be read; names the field.
        """
        body = as_json(response)
        try:
            if isinstance(body, list):
                assembler = self.assembler()
                assembler.add(body)
                body = assembler.body()
            return _reply_of(find_answer(body))
        except RecursionError as error:
            raise ResponseMalformed("body", "is nested too deeply") from error

    def recognises(self, body: Any) -> bool:
        """Tell whether JSON data is a response, a chunk of one, or an array of chunks."""
        chunks = body if isinstance(body, list) else [body]
        return bool(chunks) and all(_is_ours(chunk) for chunk in chunks)

    def results(self, message: Mapping[str, Any], told: Sequence[Told]) -> list[dict[str, Any]]:
        """Give the model's content and, right behind it, one with a part for each call."""
        return with_responses(message, told, self._shown)

    def late(self, text: str) -> dict[str, Any]:
        """Give a content of the user: a call that was answered takes no second response."""
        return {"role": "user", "parts": [{"text": fold(text)}]}

    def assembler(self) -> GeminiAssembler:
        """Give what puts one streamed response together."""
        return GeminiAssembler()


def _is_ours(body: Any) -> bool:
    if not isinstance(body, Mapping):
        return False
    known = {"candidates", "promptFeedback", "prompt_feedback", "usageMetadata", "usage_metadata"}
    return bool(body.keys() & known) and is_response(body)


def _function_of(tool: Tool, examples: ExamplePlace) -> dict[str, Any]:
    return {
        "name": gemini_name(tool.name),
        "description": description_for(tool, examples),
        **declared_parameters(tool, examples),
    }


def _reply_of(answer: Answer) -> Reply:
    read = read_parts(answer.parts, answer.seed)
    kind = _kind_of(answer, calls=bool(read.calls), says=any(map(shows, read.echoes)))
    message = {**answer.content, "role": "model", "parts": read.echoes}
    return Reply(
        kind=kind,
        calls=read.calls,
        text=_text_of(answer, read.echoes, kind),
        message=sendable(message) if read.echoes else {},
        finish_reason=answer.block_reason or answer.error or answer.finish_reason or None,
    )


def _kind_of(answer: Answer, *, calls: bool, says: bool) -> ReplyKind:
    if not answer.error and not answer.block_reason:
        return kind_of_reply(answer.finish_reason, calls=calls, says=says)
    if calls:
        return ReplyKind.INCOMPLETE
    return ReplyKind.PROVIDER_ERROR if answer.error else ReplyKind.REFUSED


def _text_of(answer: Answer, parts: Sequence[Mapping[str, Any]], kind: ReplyKind) -> str:
    """Give what the model said; of an answer that was not given, why."""
    said = fold("".join(map(text_of, parts)))
    if not said.strip() and kind in {ReplyKind.REFUSED, ReplyKind.PROVIDER_ERROR}:
        return fold(answer.provider_words)
    return said if said.strip() else ""
