"""Recorded responses of one provider; see tests/data/corpus/ORIGIN.md."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.providers.corpus import SAMPLE
from toolferry import ToolCall
from toolferry_dispatcher.providers import StreamingProvider, Told
from toolferry_dispatcher.reply import Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One response as it came."""

    #: Its id in the corpus.
    name: str
    #: The body; of a stream, its events.
    body: Any
    is_stream: bool
    #: What has to be read from it.
    calls: tuple[ToolCall, ...]
    #: The provider's word for why the model stopped.
    finish_reason: str
    #: The kinds of the blocks that the server itself has run.
    server_side: tuple[str, ...]
    licence: str

    def whole(self, provider: StreamingProvider) -> Any:
        """Give the body, put together where it is a stream."""
        if not self.is_stream:
            return self.body
        assembler = provider.assembler()
        for event in self.body:
            assembler.add(event)
        return assembler.body()


def recorded(provider: str) -> list[Recorded]:
    """Read the sample of a provider."""
    lines = (SAMPLE / f"{provider}.jsonl").read_text(encoding="utf-8").splitlines()
    return [_recorded(json.loads(line)) for line in lines]


def told_of(reply: Reply, text: str = "done") -> list[Told]:
    """Tell the model of every call of a reply that it is done."""
    return [Told(read.call.call_id, read.call.name, text) for read in reply.calls]


def calls_of(reply: Reply) -> tuple[ToolCall, ...]:
    """Give the calls of a reply, none of which may have a fault."""
    assert all(read.fault is None for read in reply.calls)
    return tuple(read.call for read in reply.calls)


def fields_of(blocks: Sequence[dict[str, Any]], name: str) -> list[Any]:
    """Give one field of all blocks that have it."""
    return [block[name] for block in blocks if name in block]


def _recorded(row: dict[str, Any]) -> Recorded:
    expect = row["expect"]
    return Recorded(
        name=row["id"],
        body=row["body"],
        is_stream=row["stream"],
        calls=tuple(
            ToolCall(call["id"], call["name"], call["raw_arguments"]) for call in expect["calls"]
        ),
        finish_reason=expect["finish"],
        server_side=tuple(expect["server_side"]),
        licence=row["source"]["licence"],
    )
