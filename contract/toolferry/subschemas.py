"""The places of a JSON Schema (2020-12) that hold schemas, and walks over them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

#: Keywords whose value is a schema for each name.
BY_NAME: Final = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
)
#: Keywords whose value is one schema.
SINGLE: Final = frozenset(
    {
        "items",
        "additionalProperties",
        "contains",
        "not",
        "if",
        "then",
        "else",
        "propertyNames",
        "unevaluatedItems",
        "unevaluatedProperties",
        "contentSchema",
    }
)
#: Keywords whose value is a list of schemas.
LISTS: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
#: Keywords whose schemas judge the same value as the schema that holds them.
IN_PLACE: Final = frozenset(
    {"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"}
)

#: Where a schema stands in its document, as the keys that lead to it.
Place = tuple[str | int, ...]


def children(schema: Mapping[str, Any]) -> Iterator[tuple[Place, Any]]:
    """Give the schemas directly inside a schema, each with the keys that lead to it."""
    for keyword, value in schema.items():
        if keyword in BY_NAME and isinstance(value, Mapping):
            for name, child in value.items():
                yield (keyword, name), child
        elif keyword in LISTS and isinstance(value, list):
            for index, child in enumerate(value):
                yield (keyword, index), child
        elif keyword in SINGLE:
            yield (keyword,), value


def walk(schema: Any) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Give every object schema of a document, the document itself first."""
    todo: list[tuple[Place, Any]] = [((), schema)]
    while todo:
        place, current = todo.pop()
        if isinstance(current, dict):
            yield place, current
            todo += reversed([((*place, *key), child) for key, child in children(current)])


def pointer(place: Place) -> str:
    """Write a place as a JSON pointer in a fragment.

    >>> pointer(("properties", "a/b", "items"))
    '#/properties/a~1b/items'
    """
    steps = (str(step).replace("~", "~0").replace("/", "~1") for step in place)
    return "#" + "".join(f"/{step}" for step in steps)


def without_titles(schema: Any) -> Any:
    """Give a copy without `title` keywords; properties that are named so are kept.

    >>> without_titles({"title": "A", "properties": {"title": {"title": "T", "type": "string"}}})
    {'properties': {'title': {'type': 'string'}}}
    """
    if not isinstance(schema, Mapping):
        return schema
    return {key: _strip(key, value) for key, value in schema.items() if key != "title"}


def _strip(keyword: str, value: Any) -> Any:
    if keyword in BY_NAME and isinstance(value, Mapping):
        return {name: without_titles(child) for name, child in value.items()}
    if keyword in LISTS and isinstance(value, list):
        return [without_titles(child) for child in value]
    return without_titles(value) if keyword in SINGLE else value
