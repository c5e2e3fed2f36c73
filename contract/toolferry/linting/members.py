"""The members of a schema: its parameters at every level, as the rules look at them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from toolferry.linting.words import name_words
from toolferry.references import resolve
from toolferry.subschemas import Place, children
from toolferry.wording import path_text

#: The types of JSON Schema.
TYPES: Final = frozenset({"string", "number", "integer", "boolean", "array", "object", "null"})
#: Keywords whose schemas say of a value what it can be.
_BRANCHES: Final = ("anyOf", "oneOf", "allOf")
#: Keywords whose schemas are conditions: they name members again, and describe none.
_CONDITIONS: Final = frozenset({"not", "if", "then", "else", "dependentSchemas"})
#: Schemas that are looked at for one member; real ones stay below ten.
_MOST_FACETS: Final = 32
#: Keywords by which a schema says what a value is without a type.
_TELLING: Final = {"properties": "object", "items": "array", "prefixItems": "array"}
_KIND_OF: Final = {
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
    type(None): "null",
}


@dataclass(frozen=True, slots=True)
class Member:
    """One parameter, or one member of a parameter."""

    name: str
    words: tuple[str, ...]
    #: Where its schema stands, as the keys that lead to it.
    at: Place
    #: Its own schema; empty when that is `true` or `false`.
    schema: Mapping[str, Any]
    #: Its schema and those that judge the same value: alternatives, and what it refers to.
    facets: tuple[Mapping[str, Any], ...]
    #: What the facets say of the type; also words that are no types of JSON Schema.
    kinds: frozenset[str]
    #: The first description among the facets; empty when there is none.
    description: str

    @property
    def place(self) -> str:
        """Where in the definition it stands, for people: `parameters.properties.path`."""
        return path_text(("parameters", *self.at))

    def has(self, *keywords: str) -> bool:
        """Say whether a facet has one of these keywords."""
        return any(keyword in facet for facet in self.facets for keyword in keywords)

    def says(self, keyword: str) -> Any:
        """Give what the first facet says that has the keyword; None when none has it."""
        return next((facet[keyword] for facet in self.facets if keyword in facet), None)

    def is_a(self, *kinds: str) -> bool:
        """Say whether it has one of these types and, but for null, no other."""
        real = self.kinds - {"null"}
        return bool(real) and real <= set(kinds)


def members_of(schema: Mapping[str, Any]) -> tuple[Member, ...]:
    """Give all members of a schema document, those of the top level first."""
    return tuple(
        _member(schema, (*place, "properties", str(name)), child)
        for place, holder in _holders(schema)
        for name, child in holder["properties"].items()
    )


def kind_names(value: Any) -> frozenset[str]:
    """Name the JSON Schema types that a value has.

    >>> sorted(kind_names(2)), sorted(kind_names(2.0)), sorted(kind_names(True))
    (['integer', 'number'], ['integer', 'number'], ['boolean'])
    """
    kind = _KIND_OF.get(type(value), "")
    if kind == "integer" or (isinstance(value, float) and value.is_integer()):
        return frozenset({"integer", "number"})
    return frozenset({kind})


def _holders(schema: Mapping[str, Any]) -> Iterator[tuple[Place, Mapping[str, Any]]]:
    """Give the schemas that have members, breadth first."""
    level: list[tuple[Place, Any]] = [((), schema)]
    while level:
        for place, one in level:
            if isinstance(one.get("properties"), dict):
                yield place, one
        level = [
            ((*place, *key), child)
            for place, one in level
            for key, child in children(one)
            if isinstance(child, dict) and key[0] not in _CONDITIONS
        ]


def _member(root: Mapping[str, Any], at: Place, child: Any) -> Member:
    facets = tuple(_facets(root, child)) if isinstance(child, dict) else ({},)
    name = str(at[-1])
    return Member(
        name=name,
        words=name_words(name),
        at=at,
        schema=facets[0],
        facets=facets,
        kinds=frozenset(kind for facet in facets for kind in _kinds(facet)),
        description=next(filter(None, map(_description, facets)), ""),
    )


def _facets(root: Mapping[str, Any], schema: dict[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Give a schema and those that judge the same value; ends also when they refer in a circle."""
    todo: list[Any] = [schema]
    seen: set[int] = set()
    while todo and len(seen) < _MOST_FACETS:
        one = todo.pop(0)
        if isinstance(one, dict) and id(one) not in seen:
            seen.add(id(one))
            yield one
            todo += _beside(root, one)


def _beside(root: Mapping[str, Any], schema: Mapping[str, Any]) -> Iterator[Any]:
    for keyword in _BRANCHES:
        if isinstance(schema.get(keyword), list):
            yield from schema[keyword]
    if isinstance(schema.get("$ref"), str):
        try:
            yield resolve(root, schema["$ref"])
        except (LookupError, ValueError):  # registering says what is wrong with a reference
            return


def _kinds(facet: Mapping[str, Any]) -> Iterator[str]:
    told = facet.get("type")
    if isinstance(told, str | list):
        yield from [told] if isinstance(told, str) else filter(_is_text, told)
    elif isinstance(facet.get("enum"), list):
        for value in facet["enum"]:
            yield from kind_names(value)
    elif "const" in facet:
        yield from kind_names(facet["const"])
    else:
        yield from (kind for keyword, kind in _TELLING.items() if keyword in facet)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _description(facet: Mapping[str, Any]) -> str:
    text = facet.get("description")
    return text.strip() if isinstance(text, str) else ""
