"""Gemini: `generateContent` of the Gemini API and of Vertex AI.

Source: types.py of the `google-genai` package 3.6, which is never imported here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from toolferry import ConfigurationError, ResponseMalformed
from toolferry_dispatcher.providers.choices import tell_of_unread
from toolferry_dispatcher.providers.dialect import Dialect
from toolferry_dispatcher.providers.gemini_body import (
    Answer,
    candidates_of,
    find_answer,
    has_calls,
    is_response,
    looks_like_gemini,
)
from toolferry_dispatcher.providers.gemini_calls import is_call, read_parts, shows, text_of
from toolferry_dispatcher.providers.gemini_endings import ending_of
from toolferry_dispatcher.providers.gemini_names import gemini_name
from toolferry_dispatcher.providers.gemini_parameters import declared_parameters
from toolferry_dispatcher.providers.gemini_results import with_responses
from toolferry_dispatcher.providers.gemini_stream import GeminiAssembler
from toolferry_dispatcher.providers.json_data import as_json, fold, sendable
from toolferry_dispatcher.providers.schemas import WireTool
from toolferry_dispatcher.providers.settling import WITHOUT_CALLS, settle
from toolferry_dispatcher.providers.told import MediaKind, Told
from toolferry_dispatcher.providers.wire_provider import WireProvider
from toolferry_dispatcher.reply import Ending, Reply, ReplyKind

#: What models from Gemini 3 on look at inside a result.
GEMINI: Final = Dialect(media=frozenset({MediaKind.IMAGE, MediaKind.FILE}))
#: Those before refuse a request that has any media there.
GEMINI_2: Final = Dialect()
#: What else of a dialect can be declared for models of this format.
_DIFFERENCES: Final = frozenset({"strict", "streams", "media"})


class Gemini(WireProvider):
    """Contents in and out. One entry under `tools` declares all functions, without examples.

    Of several candidates the first is read; hand in another candidate, or its content, to go on
    with that one.

    Args:
        name: What an application asks for it by.
        dialect: In what the models differ from those of today.
    """

    base: Final = "gemini"

    def __init__(self, name: str = "gemini", dialect: Dialect = GEMINI) -> None:
        self._name = name
        self._dialect = dialect

    @property
    def name(self) -> str:
        """What an application asks for it by."""
        return self._name

    @property
    def dialect(self) -> Dialect:
        """In what the models differ from those of today."""
        return self._dialect

    def speaking(self, name: str, dialect: Dialect) -> Gemini:
        """Give the same format as other models take it.

        Raises:
            ConfigurationError: The dialect differs in what nothing in this format goes by.
        """
        for unknown in sorted(dialect.differs_in() - _DIFFERENCES):
            reason = f"is no difference that models of {self.name!r} can have"
            raise ConfigurationError(f"dialect.{unknown}", reason)
        return Gemini(name, dialect)

    def wire_name(self, name: str) -> str:
        """Give the name by which a tool goes on this wire; depends on the name alone."""
        return gemini_name(name)

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
            answer = find_answer(body)
            if is_response(body):
                tell_of_unread(self._name, candidates_of(body), has_calls)
            return _reply_of(answer)
        except RecursionError as error:
            raise ResponseMalformed("body", "is nested too deeply") from error

    def recognises(self, body: Any) -> bool:
        """Tell whether JSON data is a response, a chunk of one, or an array of chunks."""
        chunks = body if isinstance(body, list) else [body]
        return bool(chunks) and all(looks_like_gemini(chunk) for chunk in chunks)

    def results(self, message: Mapping[str, Any], told: Sequence[Told]) -> list[dict[str, Any]]:
        """Give the model's content and, right behind it, one with a part for each call."""
        return with_responses(message, told, self._dialect.media)

    def late(self, text: str) -> dict[str, Any]:
        """Give a content of the user: a call that was answered takes no second response."""
        return {"role": "user", "parts": [{"text": fold(text)}]}

    def assembler(self) -> GeminiAssembler:
        """Give what puts one streamed response together."""
        return GeminiAssembler(self._name)

    def _written(self, tools: Sequence[WireTool]) -> list[dict[str, Any]]:
        functions = [_function_of(one, self.name) for one in tools]
        return [{"function_declarations": functions}] if functions else []


def _function_of(one: WireTool, provider: str) -> dict[str, Any]:
    return {
        "name": gemini_name(one.tool.name),
        "description": one.description,
        **declared_parameters(one.parameters, provider),
    }


def _reply_of(answer: Answer) -> Reply:
    read = read_parts(answer.parts, answer.seed)
    ending = _ending_of(answer, calls=bool(read.calls))
    parts = [part for part in read.echoes if ending not in WITHOUT_CALLS or not is_call(part)]
    message = {**answer.content, "role": "model", "parts": parts}
    reply = settle(
        ending,
        read.calls,
        _text_of(answer, parts, ending),
        sendable(message) if parts else {},
        _reason_of(answer, ending),
    )
    if reply.kind is ReplyKind.DEGENERATE and any(map(shows, parts)):
        return replace(reply, kind=ReplyKind.FINAL)
    return reply


def _ending_of(answer: Answer, *, calls: bool) -> Ending:
    if answer.error:
        return Ending.FAILED
    if answer.block_reason:
        return Ending.REFUSED
    return ending_of(answer.finish_reason, calls=calls)


def _reason_of(answer: Answer, ending: Ending) -> str | None:
    if ending is Ending.UNKNOWN:
        return None
    return answer.error or answer.block_reason or answer.finish_reason or None


def _text_of(answer: Answer, parts: Sequence[Mapping[str, Any]], ending: Ending) -> str:
    """Give what the model said; of an answer that was not given, why."""
    said = fold("".join(map(text_of, parts)))
    if not said.strip() and ending in {Ending.REFUSED, Ending.FAILED}:
        return fold(answer.provider_words or answer.error)
    return said if said.strip() else ""
