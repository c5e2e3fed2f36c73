"""The places for a tool's examples in a request, the same for every provider but one of them.

What an API itself has for examples is its provider's business (`NATIVE`). The other places exist on
every wire: a description is text everywhere, and a schema takes JSON Schema's own `examples`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from toolferry import ConfigurationError, Tool
from toolferry.wording import json_text


class ExamplePlace(StrEnum):
    """Where the examples of tools go."""

    #: Where the provider's API has a place of its own; nowhere when it has none.
    NATIVE = "native"
    #: Behind the description, as text.
    DESCRIPTION = "description"
    #: Into the schema: each parameter gets the values that it has in the examples.
    SCHEMA = "schema"
    #: Nowhere: they cost tokens in every request.
    NOWHERE = "nowhere"


def example_place(word: str) -> ExamplePlace:
    """Read a place.

    Raises:
        ConfigurationError: There is no such place; the reason lists those there are.
    """
    try:
        return ExamplePlace(word)
    except ValueError as error:
        known = ", ".join(ExamplePlace)
        reason = f"{word!r} is no place for them; the places are {known}"
        raise ConfigurationError("examples", reason) from error


def description_for(tool: Tool, place: ExamplePlace) -> str:
    r"""Give a tool's description, with its examples behind it where they go there.

    >>> adder = Tool(name="add", description="Add.", examples=({"a": 1},))
    >>> description_for(adder, ExamplePlace.DESCRIPTION)
    'Add.\n\nExamples of arguments:\n{"a":1}'
    """
    return with_examples(tool.description, tool.examples, place)


def with_examples(
    description: str, examples: Sequence[Mapping[str, Any]], place: ExamplePlace
) -> str:
    """Give a description, with examples behind it where they go there."""
    if place is not ExamplePlace.DESCRIPTION or not examples:
        return description
    lines = ("Examples of arguments:", *map(json_text, examples))
    return "\n\n".join(filter(None, (description, "\n".join(lines))))


def parameters_for(tool: Tool, place: ExamplePlace) -> dict[str, Any]:
    """Give a tool's parameters, with its examples in them where they go there.

    The tool's own schema never changes.
    """
    if place is not ExamplePlace.SCHEMA or not tool.examples:
        return tool.parameters
    properties: Mapping[str, Any] = tool.parameters.get("properties", {})
    taught = {name: _taught(name, child, tool.examples) for name, child in properties.items()}
    return {**tool.parameters, "properties": taught}


def _taught(name: str, schema: Any, examples: Sequence[Mapping[str, Any]]) -> Any:
    """Give a parameter's schema with its values in the examples, its own examples first.

    A bare `true` or a reference stays as it is: servers refuse what stands beside a `$ref`.
    """
    if not isinstance(schema, Mapping) or "$ref" in schema:
        return schema
    values = [*schema.get("examples", ()), *(one[name] for one in examples if name in one)]
    different = {json_text(value): value for value in values}
    return {**schema, "examples": list(different.values())} if different else schema
