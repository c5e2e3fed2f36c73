"""A streamed Gemini response, put together into the form of a whole one.

Each chunk is a response of its own, with the next parts. The texts of parts that hold nothing else
become one; a signature stays on the part that brought it. Where arguments are streamed too, a call
without a name continues the one before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolferry import ResponseMalformed
from toolferry_dispatcher.providers.choices import UnreadChoices
from toolferry_dispatcher.providers.gemini_body import (
    candidates_of,
    content_of,
    error_of,
    has_calls,
    is_response,
)
from toolferry_dispatcher.providers.gemini_endings import UNFINISHED
from toolferry_dispatcher.providers.gemini_fields import set_fields, value_of, words
from toolferry_dispatcher.providers.json_data import kind_of
from toolferry_dispatcher.providers.sse import chunks_in


class GeminiAssembler:
    """Puts one streamed response together. Of several candidates the first is read.

    Args:
        provider: Whose stream it is.
    """

    def __init__(self, provider: str = "gemini") -> None:
        self._unread = UnreadChoices(provider)
        self._fields: dict[str, Any] = {}
        self._candidate: dict[str, Any] = {}
        self._role = "model"
        self._parts: list[dict[str, Any]] = []
        #: The pieces of the text of the last part; it is empty itself while there are some.
        self._text: list[str] = []
        self._open: list[_Begun] = []

    def add(self, chunk: object) -> None:
        """Take the next chunk: an SDK's object, a dict, JSON text, or lines of an event stream.

        An array of chunks, as the API sends them without `alt=sse`, counts as all of them.

        Raises:
            ResponseMalformed: It is no chunk of this format; names the field.
        """
        for data in chunks_in(chunk):
            for one in data if isinstance(data, list) else [data]:
                self._add(one)

    def body(self) -> dict[str, Any]:
        """Give the response so far in the form of a whole one.

        One whose end has not come has the finish reason `unfinished`.
        """
        if not self._candidate and not self._parts and self._is_unanswered():
            return dict(self._fields)
        parts = [_copied(part) for part in self._parts]
        if self._text:
            parts[-1]["text"] = "".join(self._text)
        candidate = {
            **self._candidate,
            "content": {"role": self._role, "parts": parts},
            "finishReason": words(self._candidate.get("finishReason")) or UNFINISHED,
        }
        return {**self._fields, "candidates": [candidate]}

    def _is_unanswered(self) -> bool:
        """Tell whether a block of the prompt, or an error, came in place of an answer."""
        return bool(error_of(self._fields) or value_of(self._fields, "promptFeedback"))

    def _add(self, chunk: Any) -> None:
        if not isinstance(chunk, Mapping) or not is_response(chunk):
            what = "an object without candidates" if isinstance(chunk, dict) else kind_of(chunk)
            raise ResponseMalformed("chunk", f"must be a response of Gemini, not {what}")
        self._fields |= set_fields(chunk, "candidates")
        for candidate in candidates_of(chunk):
            if candidate.get("index") in (0, None):
                self._add_candidate(candidate)
            else:
                self._unread.add(candidate, has_calls)

    def _add_candidate(self, candidate: Mapping[str, Any]) -> None:
        self._candidate |= set_fields(candidate, "content", "finishReason")
        if reason := words(value_of(candidate, "finishReason")):
            self._candidate["finishReason"] = reason
        content = content_of(candidate, "candidates[0].content")
        self._role = words(content.get("role")) or self._role
        parts = content.get("parts")
        if parts is not None and not isinstance(parts, list):
            reason = f"must be an array, not {kind_of(parts)}"
            raise ResponseMalformed("candidates[0].content.parts", reason)
        for part in parts or ():
            if isinstance(part, Mapping):
                self._add_part(set_fields(part))

    def _add_part(self, part: dict[str, Any]) -> None:
        call = value_of(part, "functionCall")
        if isinstance(call, Mapping):
            self._add_call(part, call)
        elif self._text and _is_bare_text(part) and _is_same_voice(part, self._parts[-1]):
            self._text.append(part["text"])
        else:
            self._append(part)
            self._text = [part["text"]] if _is_bare_text(part) else []

    def _append(self, part: dict[str, Any]) -> None:
        """Begin a part; the text of the one before it is complete."""
        if self._text:
            self._parts[-1]["text"] = "".join(self._text)
            self._text = []
        self._parts.append(part)

    def _add_call(self, part: dict[str, Any], call: Mapping[str, Any]) -> None:
        begun = self._continued_by(call)
        if begun is None:
            begun = _Begun(set_fields(part, "functionCall"), {})
            self._append(begun.part)
            begun.part["functionCall"] = begun.call
        begun.extend(part, call)
        self._open = [one for one in self._open if one is not begun]
        if begun.call.get("willContinue"):
            self._open.append(begun)

    def _continued_by(self, call: Mapping[str, Any]) -> _Begun | None:
        """Find the call that this one continues: by its id, else the last one still open."""
        continued = (one for one in reversed(self._open) if one.is_continued_by(call))
        return next(continued, None)


@dataclass(frozen=True, slots=True)
class _Begun:
    """A call of which more may come."""

    part: dict[str, Any]
    #: What the part holds as its call.
    call: dict[str, Any]

    def is_continued_by(self, more: Mapping[str, Any]) -> bool:
        ids, names = (
            (self.call.get("id"), more.get("id")),
            (self.call.get("name"), more.get("name")),
        )
        if all(ids):
            return ids[0] == ids[1]
        return not all(names) or names[0] == names[1]

    def extend(self, part: Mapping[str, Any], more: Mapping[str, Any]) -> None:
        """Add what has come: pieces behind pieces, all else unless it is there."""
        pieces = value_of(more, "partialArgs")
        if pieces is not None:
            begun = self.call.setdefault("partialArgs", [])
            begun += pieces if isinstance(pieces, list) else [pieces]
        for name, value in set_fields(more, "partialArgs", "willContinue").items():
            self.call[name] = self.call.get(name) or value
        self.call.pop("willContinue", None)
        if value_of(more, "willContinue") is True:
            self.call["willContinue"] = True
        for name, value in set_fields(part, "functionCall").items():
            self.part.setdefault(name, value)


def _copied(part: Mapping[str, Any]) -> dict[str, Any]:
    """Give a part that does not change when more comes."""
    call = part.get("functionCall")
    if not isinstance(call, dict):
        return dict(part)
    pieces = {"partialArgs": [*call["partialArgs"]]} if "partialArgs" in call else {}
    return {**part, "functionCall": {**call, **pieces}}


def _is_bare_text(part: Mapping[str, Any]) -> bool:
    return isinstance(part.get("text"), str) and part.keys() <= {"text", "thought"}


def _is_same_voice(part: Mapping[str, Any], before: Mapping[str, Any]) -> bool:
    """Tell whether both are thoughts, or both are said."""
    return bool(part.get("thought")) is bool(before.get("thought"))
