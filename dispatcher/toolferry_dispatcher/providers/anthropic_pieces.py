"""One block of a streamed message: announced, then extended piece by piece."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolferry_dispatcher.providers.given import read_arguments

#: Pieces of text: the field of the piece, which is also the field of the block.
_TEXTS: Final[Mapping[str, str]] = {"text_delta": "text", "thinking_delta": "thinking"}
#: Pieces that come whole: the fields of the block that they set.
_WHOLE: Final[Mapping[str, tuple[str, ...]]] = {
    "signature_delta": ("signature",),
    "compaction_delta": ("content", "encrypted_content"),
}
_INPUT: Final = "input_json_delta"


class StreamedBlock:
    """A block as far as it has come.

    Args:
        block: As it was announced; a server that streams no input sends it here.
    """

    def __init__(self, block: Mapping[str, Any]) -> None:
        self._block = dict(block)
        self._texts: dict[str, list[str]] = {}
        self._inputs: list[str] = []
        self._citations: list[Any] = []

    def is_announced_again(self, block: Mapping[str, Any]) -> bool:
        """Tell whether an announcement is this block's own once more."""
        call_id = block.get("id")
        same = call_id is not None and call_id == self._block.get("id")
        return same and not self._inputs and block.get("name") == self._block.get("name")

    def add(self, delta: Mapping[str, Any]) -> None:
        """Take the next piece; pieces of kinds that are not known are passed over."""
        kind = delta.get("type")
        if not isinstance(kind, str):
            return
        if kind == _INPUT:
            self._add_input(delta.get("partial_json"))
        elif kind in _TEXTS:
            self._add_text(_TEXTS[kind], delta.get(_TEXTS[kind]))
        elif kind == "citations_delta":
            self._citations.append(delta.get("citation"))
        else:
            self._block.update({name: delta.get(name) for name in _WHOLE.get(kind, ())})

    def whole(self) -> dict[str, Any]:
        """Give the block so far; an input that cannot be read stays the text that came."""
        block = dict(self._block)
        for field, texts in self._texts.items():
            begun = block.get(field)
            block[field] = (begun if isinstance(begun, str) else "") + "".join(texts)
        if self._citations:
            begun = block.get("citations")
            block["citations"] = [*(begun if isinstance(begun, list) else ()), *self._citations]
        if any(text.strip() for text in self._inputs):
            text = "".join(self._inputs)
            arguments, fault = read_arguments(text)
            block["input"] = text if fault else arguments
        return block

    def _add_text(self, field: str, text: object) -> None:
        if isinstance(text, str):
            self._texts.setdefault(field, []).append(text)

    def _add_input(self, text: object) -> None:
        if isinstance(text, str):
            self._inputs.append(text)
