"""Transcripts of formats whose messages are lists of blocks: Anthropic, Bedrock, Gemini.

Calls stand in a message of the model, results together in the next one of the user.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from toolferry.wording import json_text
from toolferry_dispatcher.providers import anthropic_blocks, bedrock_blocks
from toolferry_dispatcher.providers.gemini_fields import value_of
from toolferry_dispatcher.transcripts.parts import Entry, Key, Message, Part

Block = Mapping[str, Any]


class BlockShape(ABC):
    """What these formats share; each says how its blocks look."""

    #: What holds the blocks of a message.
    blocks: ClassVar[str] = "content"

    @abstractmethod
    def call_of(self, block: Block) -> Key | None:
        """Give the key of a call; None when the block is none of the caller's own."""

    @abstractmethod
    def result_of(self, block: Block) -> Key | None:
        """Give what a result names its call by; None when the block is no result."""

    @abstractmethod
    def named(self, block: Block, call_id: str) -> dict[str, Any]:
        """Give a call another id."""

    @abstractmethod
    def answer(self, part: Part, call: Key) -> Mapping[str, Any]:
        """Give a result that names its call."""

    @abstractmethod
    def text_of(self, block: Block) -> str:
        """Give what a result says."""

    @abstractmethod
    def text_block(self, text: str) -> dict[str, Any]:
        """Give a block of text."""

    def split(self, messages: Sequence[Message]) -> list[Entry]:
        """Take a conversation apart, a message an entry."""
        return [self._entry(place, message) for place, message in enumerate(messages)]

    def said(self, entry: Entry) -> object:
        """Give the model's message, without what a stored response has beside it."""
        message = entry.raw[0]
        return {"role": message.get("role"), self.blocks: message[self.blocks]}

    def spoken(self, message: Mapping[str, Any]) -> list[Message]:
        """Give the model's message."""
        return [dict(message)]

    def rename(self, said: Sequence[Message], at: int, call_id: str) -> list[Message]:
        """Give one of the calls another id."""
        blocks = list(said[0][self.blocks])
        calls = [where for where, block in enumerate(blocks) if self._call(block)]
        blocks[calls[at]] = self.named(blocks[calls[at]], call_id)
        return [{**said[0], self.blocks: blocks}]

    def join(self, results: Sequence[Mapping[str, Any]], rest: Sequence[Message]) -> list[Message]:
        """Write one message of the user: results first."""
        if not results:
            return list(rest)
        message = rest[0] if rest else {"role": "user"}
        return [{**message, self.blocks: [*results, *message.get(self.blocks, ())]}, *rest[1:]]

    def note(self, text: str) -> Message:
        """Give a message of the user."""
        return {"role": "user", self.blocks: [self.text_block(text)]}

    def tidy(self, messages: list[Message]) -> list[Message]:
        """Give the messages as they are: two of one role may stand side by side."""
        return messages

    def _entry(self, place: int, message: Message) -> Entry:
        blocks = message.get(self.blocks)
        if not isinstance(blocks, list):
            return Entry(place=place, raw=[message])
        if message.get("role") in ("assistant", "model"):  # a tuple: a role may be anything
            calls = tuple(key for block in blocks if (key := self._call(block)))
            return Entry(place=place, raw=[message], calls=calls)
        parts = tuple(part for block in blocks if (part := self._part(block)))
        others = [block for block in blocks if self._part(block) is None]
        rest = [{**message, self.blocks: others}] if others else []
        return Entry(place=place, raw=[message], results=parts, rest=rest)

    def _call(self, block: object) -> Key | None:
        return self.call_of(block) if isinstance(block, Mapping) else None

    def _part(self, block: object) -> Part | None:
        if not isinstance(block, Mapping):
            return None
        key = self.result_of(block)
        return None if key is None else Part(key, block, self.text_of(block))


class AnthropicShape(BlockShape):
    """`tool_use` and `tool_result` blocks; those of servers are nobody's business here."""

    def call_of(self, block: Block) -> Key | None:
        """Give the id of a `tool_use`."""
        return Key(_text(block.get("id"))) if anthropic_blocks.is_call(block) else None

    def result_of(self, block: Block) -> Key | None:
        """Give the id that a `tool_result` names."""
        is_result = block.get("type") == "tool_result"
        return Key(_text(block.get("tool_use_id"))) if is_result else None

    def named(self, block: Block, call_id: str) -> dict[str, Any]:
        """Give a `tool_use` another id."""
        return {**block, "id": call_id}

    def answer(self, part: Part, call: Key) -> Mapping[str, Any]:
        """Give a `tool_result` that names its call."""
        return {**part.raw, "tool_use_id": call.id}

    def text_of(self, block: Block) -> str:
        """Give the content of a `tool_result`; all of one that says more."""
        return _words(block.get("content") if block.keys() <= _OF_A_RESULT else block)

    def text_block(self, text: str) -> dict[str, Any]:
        """Give a block of text."""
        return {"type": "text", "text": text}


class BedrockShape(BlockShape):
    """Blocks with one member: `toolUse`, `toolResult`, `text`."""

    def call_of(self, block: Block) -> Key | None:
        """Give the id of a `toolUse`."""
        if not bedrock_blocks.is_call(block):
            return None
        use = block["toolUse"]
        return Key(_text(use.get("toolUseId")) if isinstance(use, Mapping) else "")

    def result_of(self, block: Block) -> Key | None:
        """Give the id that a `toolResult` names."""
        result = block.get("toolResult")
        return Key(_text(result.get("toolUseId"))) if isinstance(result, Mapping) else None

    def named(self, block: Block, call_id: str) -> dict[str, Any]:
        """Give a `toolUse` another id."""
        return {**block, "toolUse": {**block["toolUse"], "toolUseId": call_id}}

    def answer(self, part: Part, call: Key) -> Mapping[str, Any]:
        """Give a `toolResult` that names its call."""
        return {**part.raw, "toolResult": {**part.raw["toolResult"], "toolUseId": call.id}}

    def text_of(self, block: Block) -> str:
        """Give the content of a `toolResult`."""
        return _words(block["toolResult"].get("content"))

    def tidy(self, messages: list[Message]) -> list[Message]:
        """Put messages of one role together: roles have to alternate."""
        together: list[Message] = []
        for message in messages:
            if together and _are_one(together[-1], message):
                blocks = [*together[-1]["content"], *message["content"]]
                together[-1] = {**together[-1], "content": blocks}
            else:
                together.append(message)
        return together

    def text_block(self, text: str) -> dict[str, Any]:
        """Give a block of text."""
        return {"text": text}


class GeminiShape(BlockShape):
    """`functionCall` and `functionResponse` parts, in either spelling; ids may be absent."""

    blocks = "parts"

    def call_of(self, block: Block) -> Key | None:
        """Give the id and the name of a call."""
        call = value_of(block, "functionCall")
        return None if call is None else _gemini_key(call) or Key("")

    def result_of(self, block: Block) -> Key | None:
        """Give the id and the name that a response has."""
        return _gemini_key(value_of(block, "functionResponse"))

    def named(self, block: Block, call_id: str) -> dict[str, Any]:
        """Give a call another id."""
        spelling = "functionCall" if "functionCall" in block else "function_call"
        return {**block, spelling: {**block[spelling], "id": call_id}}

    def answer(self, part: Part, call: Key) -> Mapping[str, Any]:
        """Give a response with the name of its call, and with its id where it has one."""
        spelling = next(one for one in _RESPONSE if part.raw.get(one) is not None)
        response = {key: value for key, value in part.raw[spelling].items() if key != "id"}
        named = {**({"id": call.id} if call.id else {}), **response, "name": call.name}
        return {**part.raw, spelling: named}

    def text_of(self, block: Block) -> str:
        """Give what a response says."""
        response = value_of(block, "functionResponse")
        return _words(response.get("response") if isinstance(response, Mapping) else None)

    def text_block(self, text: str) -> dict[str, Any]:
        """Give a part of text."""
        return {"text": text}


_OF_A_RESULT = frozenset({"type", "tool_use_id", "content", "is_error", "cache_control"})
_RESPONSE = ("functionResponse", "function_response")


def _gemini_key(call: object) -> Key | None:
    if not isinstance(call, Mapping):
        return None
    return Key(_text(call.get("id")), _text(call.get("name")))


def _are_one(message: Message, following: Message) -> bool:
    is_one = message.get("role") == following.get("role")
    return is_one and all(isinstance(one.get("content"), list) for one in (message, following))


def _words(content: object) -> str:
    return content if isinstance(content, str) else json_text(content)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
