"""The places of a JSON Schema (2020-12) that hold schemas, and walks over them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
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


def without(schema: Any, keywords: Collection[str]) -> Any:
    """Give a copy without some keywords; properties that are named so are kept.

    >>> titled = {"title": "A", "properties": {"title": {"title": "T", "type": "string"}}}
    >>> without(titled, {"title"})
    {'properties': {'title': {'type': 'string'}}}
    """
    if not isinstance(schema, Mapping):
        return schema
    kept = ((key, value) for key, value in schema.items() if key not in keywords)
    return {key: _strip(key, value, keywords) for key, value in kept}


def _strip(keyword: str, value: Any, keywords: Collection[str]) -> Any:
    if keyword in BY_NAME and isinstance(value, Mapping):
        return {name: without(child, keywords) for name, child in value.items()}
    if keyword in LISTS and isinstance(value, list):
        return [without(child, keywords) for child in value]
    return without(value, keywords) if keyword in SINGLE else value
