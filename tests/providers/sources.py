"""The definitions of a corpus as registries: one for each source, with all its definitions.

A source publishes several definitions under one name. The first keeps the name; each of the others
gets the first suffix, `_2`, `_3` and so on, that no definition of its source is called by.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from toolferry import Registry, Tool, ToolInvalid


@dataclass(slots=True)
class Source:
    """What one source publishes."""

    name: str
    registry: Registry = field(default_factory=Registry)
    #: How many of the tools go under a suffix.
    suffixed: int = 0
    #: Why a definition could not be registered, by its key.
    refused: dict[str, str] = field(default_factory=dict)

    @property
    def definitions(self) -> int:
        """How many definitions there are, those that were refused included."""
        return len(self.registry.names()) + len(self.refused)

    @property
    def tools(self) -> tuple[Tool, ...]:
        """All tools of the registry, in the order of the corpus."""
        return self.registry.visible(exclude_dangerous=False)


def sources_of(definitions: Iterable[Mapping[str, Any]]) -> list[Source]:
    """Make one registry for each source, in the order in which the sources turn up."""
    by_source: dict[str, list[Mapping[str, Any]]] = {}
    for definition in definitions:
        by_source.setdefault(definition["source"]["corpus"], []).append(definition)
    return [_source_of(name, its) for name, its in by_source.items()]


def _source_of(name: str, definitions: list[Mapping[str, Any]]) -> Source:
    source = Source(name)
    for definition, own_name in zip(definitions, _own_names(definitions), strict=True):
        try:
            source.registry.declare(_tool_of(definition, own_name))
        except ToolInvalid as error:
            source.refused[definition["key"]] = str(error)
        else:
            source.suffixed += own_name != definition["name"]
    return source


def _own_names(definitions: list[Mapping[str, Any]]) -> Iterator[str]:
    """Give a name for each definition that no other one has."""
    published = {definition["name"] for definition in definitions}
    given: set[str] = set()
    for definition in definitions:
        name = definition["name"]
        if name in given:
            suffixed = (f"{name}_{number}" for number in count(2))
            name = next(one for one in suffixed if one not in given and one not in published)
        given.add(name)
        yield name


def _tool_of(definition: Mapping[str, Any], name: str) -> Tool:
    return Tool(
        name=name, description=definition["description"], parameters=definition["parameters"]
    )
