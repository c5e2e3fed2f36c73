"""Real responses, turns and tool definitions, with handlers that echo; see tests/data/corpus."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from toolferry import Registry, Tool, ToolCall

SAMPLE = Path(__file__).parents[1] / "data" / "corpus"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One turn of the corpus."""

    #: Its id in the corpus.
    name: str
    #: What goes into `dispatch`: a body as received, or plain calls.
    response: dict[str, Any] | list[ToolCall]
    #: What has to be read from it.
    calls: tuple[ToolCall, ...]
    #: The keys of the definitions of the tools that it calls.
    tool_keys: tuple[str, ...]
    #: Whether every call fits the schema of its tool.
    valid: bool


async def echo(**arguments: Any) -> dict[str, Any]:
    """Give the arguments back."""
    return arguments


class Corpus:
    """The rows of a folder and the tools that they call.

    Args:
        folder: Holds `responses.jsonl`, `turns.jsonl` and `tools.jsonl`.
    """

    def __init__(self, folder: Path = SAMPLE) -> None:
        self.folder = folder

    @cached_property
    def responses(self) -> list[Row]:
        """The recorded bodies of Chat Completions, not streamed."""
        return [_response(row) for row in self._rows("responses") if _is_whole_chat(row)]

    @cached_property
    def turns(self) -> list[Row]:
        """The turns as plain calls."""
        return [_turn(row) for row in self._rows("turns")]

    @cached_property
    def definitions(self) -> dict[str, dict[str, Any]]:
        """The definitions of the tools by key."""
        return {row["key"]: row for row in self._rows("tools")}

    def registry_of(self, row: Row) -> Registry:
        """Build a registry of the tools that one row calls."""
        return _registry_of(self.definitions[key] for key in row.tool_keys)

    def registry(self) -> Registry:
        """Build one registry for all rows.

        Where definitions share a name, they become one tool that takes any object.
        """
        used = {key: None for row in (*self.responses, *self.turns) for key in row.tool_keys}
        return _registry_of(self.definitions[key] for key in used)

    def _rows(self, name: str) -> Iterator[dict[str, Any]]:
        """Give the rows of one file."""
        with (self.folder / f"{name}.jsonl").open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def _is_whole_chat(row: Mapping[str, Any]) -> bool:
    """Say whether a row is a Chat Completions body that was not streamed."""
    return row["provider"] == "openai-chat" and not row.get("stream")


def _response(row: Mapping[str, Any]) -> Row:
    """Make a row of a recorded response."""
    calls = [
        ToolCall(call["id"], call["name"], json.loads(call["raw_arguments"] or "{}"))
        for call in row["expect"]["calls"]
    ]
    return Row(
        name=row["id"],
        response=row["body"],
        calls=tuple(calls),
        tool_keys=tuple(row["tool_keys"]),
        valid=True,
    )


def _turn(row: Mapping[str, Any]) -> Row:
    """Make a row of a published turn, which has no ids."""
    calls = [
        ToolCall(f"call_{position}", call["name"], call["arguments"])
        for position, call in enumerate(row["calls"])
    ]
    return Row(
        name=row["id"],
        response=calls,
        calls=tuple(calls),
        tool_keys=tuple(row["tool_keys"]),
        valid=row["valid"],
    )


def _registry_of(definitions: Iterable[Mapping[str, Any]]) -> Registry:
    """Build a registry of these definitions, each name once."""
    by_name: dict[str, list[Mapping[str, Any]]] = {}
    for definition in definitions:
        by_name.setdefault(definition["name"], []).append(definition)
    return Registry(_tool(name, alike) for name, alike in by_name.items())


def _tool(name: str, definitions: list[Mapping[str, Any]]) -> Tool:
    """Make a tool that echoes."""
    schemas = [definition["parameters"] for definition in definitions]
    return Tool(
        name=name,
        description=definitions[0]["description"],
        parameters=schemas[0] if len(schemas) == 1 else {"type": "object"},
        handler=echo,
    )
