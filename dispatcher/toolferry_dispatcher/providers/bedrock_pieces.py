"""One block of a streamed Converse message: announced, or not, then extended piece by piece."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolferry_dispatcher.providers.given import read_arguments


class StreamedBlock:
    """A block as far as it has come; what it is, its pieces tell.

    Args:
        start: What was announced of it: a call, a result or a picture. Empty for all others.
    """

    def __init__(self, start: Mapping[str, Any]) -> None:
        self._start = dict(start)
        self._texts: list[str] = []
        self._inputs: list[str] = []
        self._results: list[Any] = []
        self._citations: list[Any] = []
        self._thoughts: list[str] = []
        self._signature: list[str] = []
        self._redacted: list[str] = []
        self._image: dict[str, Any] = {}

    def is_announced_again(self, start: Mapping[str, Any]) -> bool:
        """Tell whether an announcement is this block's own once more."""
        return bool(start) and start == self._start and not self._inputs

    def add(self, delta: Mapping[str, Any]) -> None:
        """Take the next piece; pieces of kinds that are not known are passed over."""
        _add_text(self._texts, delta.get("text"))
        _add_text(self._inputs, _member(delta, "toolUse").get("input"))
        thought = _member(delta, "reasoningContent")
        _add_text(self._thoughts, thought.get("text"))
        _add_text(self._signature, thought.get("signature"))
        _add_text(self._redacted, thought.get("redactedContent"))
        results = delta.get("toolResult")
        self._results += results if isinstance(results, list) else []
        if isinstance(delta.get("citation"), Mapping):
            self._citations.append(delta["citation"])
        self._image |= _member(delta, "image")

    def whole(self) -> dict[str, Any]:
        """Give the block so far; an input that cannot be read stays the text that came."""
        if "toolUse" in self._start:
            return {"toolUse": {**_member(self._start, "toolUse"), "input": self._input()}}
        if "toolResult" in self._start:
            result = _member(self._start, "toolResult")
            return {"toolResult": {**result, "content": self._results}}
        if "image" in self._start:
            return {"image": {**_member(self._start, "image"), **self._image}}
        return self._thought() or self._words()

    def _input(self) -> Any:
        text = "".join(self._inputs)
        if not text.strip():
            return _member(self._start, "toolUse").get("input", {})
        arguments, fault = read_arguments(text)
        return text if fault else arguments

    def _thought(self) -> dict[str, Any]:
        if self._redacted:
            return {"reasoningContent": {"redactedContent": "".join(self._redacted)}}
        if not self._thoughts and not self._signature:
            return {}
        thought = {"text": "".join(self._thoughts)}
        if self._signature:
            thought["signature"] = "".join(self._signature)
        return {"reasoningContent": {"reasoningText": thought}}

    def _words(self) -> dict[str, Any]:
        text = "".join(self._texts)
        if not self._citations:
            return {"text": text}
        return {"citationsContent": {"content": [{"text": text}], "citations": self._citations}}


def _member(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    member = value.get(name)
    return member if isinstance(member, Mapping) else {}


def _add_text(texts: list[str], text: object) -> None:
    if isinstance(text, str):
        texts.append(text)
