"""What a wire copy comes to: its members, its depth, and what a provider counts of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from toolferry.subschemas import children, walk
from toolferry_dispatcher.providers.schemas.kinds import types_of
from toolferry_dispatcher.providers.schemas.loss import Change, Loss
from toolferry_dispatcher.providers.schemas.rules import SchemaRules


@dataclass(frozen=True, slots=True)
class Measure:
    """What is counted of a wire copy, definitions included."""

    #: Members of all objects.
    properties: int
    #: Members that are not required.
    optional: int
    #: Schemas of several types or alternatives.
    unions: int


def measure(parameters: Mapping[str, Any]) -> Measure:
    """Count what a request's limits are about.

    >>> measure({"properties": {"a": {"type": ["string", "null"]}}, "required": ["a"]})
    Measure(properties=1, optional=0, unions=1)
    """
    schemas = [schema for _, schema in walk(parameters)]
    members = [(schema.get("properties", {}), schema.get("required", ())) for schema in schemas]
    return Measure(
        properties=sum(len(properties) for properties, _ in members),
        optional=sum(name not in required for some, required in members for name in some),
        unions=sum("anyOf" in schema or len(types_of(schema)) > 1 for schema in schemas),
    )


def obstacles_of(tool: str, parameters: Mapping[str, Any], rules: SchemaRules) -> Iterator[Loss]:
    """Say which limits of its own a wire copy breaks."""
    for reason in _reasons(parameters, rules):
        yield Loss(tool, "#", "strict", Change.DROPPED, reason)


def _reasons(parameters: Mapping[str, Any], rules: SchemaRules) -> Iterator[str]:
    counted = measure(parameters)
    if rules.properties is not None and counted.properties > rules.properties:
        yield f"it has {counted.properties} members, and {rules.properties} are taken"
    values = sum(len(schema.get("enum", ())) for _, schema in walk(parameters))
    if rules.enum_values is not None and values > rules.enum_values:
        yield f"its enums have {values} values, and {rules.enum_values} are taken"
    if rules.depth is not None and _depth(parameters) > rules.depth:
        yield f"its objects are {_depth(parameters)} deep, and {rules.depth} are taken"
    if not rules.recursion and _recurs(parameters):
        yield "it refers to itself"
    if rules.needs_required and not parameters.get("required"):
        yield "no member is required, and one has to be"


def _depth(schema: Any, above: int = 0) -> int:
    """Count how many objects stand inside of each other; what is referred to counts by itself."""
    if not isinstance(schema, Mapping):
        return above
    here = above + ("object" in types_of(schema))
    return max((_depth(child, here) for _, child in children(schema)), default=here)


def _recurs(parameters: Mapping[str, Any]) -> bool:
    """Say whether following references from somewhere leads back there."""
    definitions: Mapping[str, Any] = parameters.get("$defs", {})
    follow = {f"#/$defs/{name}": _references(schema) for name, schema in definitions.items()}
    follow["#"] = _references({key: one for key, one in parameters.items() if key != "$defs"})
    return any(start in _reached(follow, start) for start in follow)


def _references(schema: Any) -> set[str]:
    return {part["$ref"] for _, part in walk(schema) if isinstance(part.get("$ref"), str)}


def _reached(follow: Mapping[str, set[str]], start: str) -> set[str]:
    reached: set[str] = set()
    todo = set(follow[start])
    while todo:
        one = todo.pop()
        reached.add(one)
        todo |= follow.get(one, set()) - reached
    return reached
