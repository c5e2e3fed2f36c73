"""Several schemas made one: those that all hold for a value, or of which one holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from toolferry.wording import json_text
from toolferry_dispatcher.providers.schemas.rules import Schema

#: What says nothing about a value: the first one that says it is heard.
ANNOTATIONS: Final = frozenset(
    {
        "$comment",
        "$id",
        "$schema",
        "default",
        "deprecated",
        "description",
        "example",
        "examples",
        "readOnly",
        "title",
        "writeOnly",
    }
)
_LOWER: Final = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
_UPPER: Final = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")


def merge_all(schemas: Sequence[Mapping[str, Any]]) -> tuple[Schema, tuple[str, ...]]:
    """Make one schema of those that all hold for a value.

    Returns:
        The schema, and the keywords of which it could keep only the first value.

    >>> merge_all([{"minimum": 1, "type": "integer"}, {"minimum": 3, "pattern": "a"}])
    ({'minimum': 3, 'type': 'integer', 'pattern': 'a'}, ())
    """
    merged: Schema = {}
    differing: dict[str, None] = {}
    for schema in schemas:
        for keyword, value in schema.items():
            if keyword not in merged:
                merged[keyword] = value
            elif keyword in _MERGES:
                merged[keyword] = _MERGES[keyword](merged[keyword], value)
            elif keyword not in ANNOTATIONS and merged[keyword] != value:
                differing[keyword] = None
    return merged, tuple(differing)


def merge_branches(base: Mapping[str, Any], branches: Sequence[Mapping[str, Any]]) -> Schema:
    """Make one object schema of a common part and of alternatives, of which one holds.

    It takes all that the alternatives take, and more: a member is required only where it always
    is; the values of one that is fixed in each alternative become an enum.

    >>> create = {"properties": {"op": {"const": "create"}}, "required": ["op"]}
    >>> delete = {"properties": {"op": {"const": "delete"}}, "required": ["op"]}
    >>> merge_branches({}, [create, delete])
    {'properties': {'op': {'enum': ['create', 'delete']}}, 'required': ['op']}
    """
    merged = dict(base)
    found: dict[str, list[Any]] = {}
    for branch in branches:
        for name, schema in branch.get("properties", {}).items():
            found.setdefault(name, []).append(schema)
    properties = {name: _either(schemas) for name, schemas in found.items()}
    if properties:
        own: Mapping[str, Any] = base.get("properties", {})
        merged["properties"] = {**own, **_both(own, properties)}
    required = _required_anyway(base, branches)
    if required:
        merged["required"] = required
    if branches and all(branch.get("additionalProperties") is False for branch in branches):
        merged["additionalProperties"] = False
    return merged


def _required_anyway(base: Mapping[str, Any], branches: Sequence[Mapping[str, Any]]) -> list[str]:
    own = list(base.get("required", ()))
    first = branches[0].get("required", ()) if branches else ()
    shared = [name for name in first if all(name in one.get("required", ()) for one in branches)]
    return list(dict.fromkeys((*own, *shared)))


def _either(schemas: Sequence[Any]) -> Any:
    """Give the schema of a member that has one in each of several alternatives."""
    values = [_values_of(schema) for schema in schemas]
    different = {json_text(schema): schema for schema in schemas}
    if len(different) == 1:
        return schemas[0]
    if all(value is not None for value in values):
        enum = {json_text(one): one for value in values for one in value or ()}
        described = schemas[0].get("type")
        kept = {"type": described} if all(s.get("type") == described for s in schemas) else {}
        return {**({} if described is None else kept), "enum": list(enum.values())}
    return {"anyOf": list(different.values())}


def _values_of(schema: Any) -> Sequence[Any] | None:
    if not isinstance(schema, Mapping):
        return None
    if "const" in schema:
        return [schema["const"]]
    values = schema.get("enum")
    return values if isinstance(values, list) else None


def _both(first: Mapping[str, Any], second: Mapping[str, Any]) -> Schema:
    """Give the schemas of members of two objects that both hold."""
    return {**first, **{name: _and(first, name, schema) for name, schema in second.items()}}


def _and(first: Mapping[str, Any], name: str, schema: Any) -> Any:
    own = first.get(name, True)
    if own in (True, {}, schema):
        return schema
    if schema in (True, {}):
        return own
    return {"allOf": [own, schema]}


def _types(first: Any, second: Any) -> Any:
    mine = [first] if isinstance(first, str) else list(first)
    other = [second] if isinstance(second, str) else list(second)
    shared = [kind for kind in mine if kind in other or (kind == "integer" and "number" in other)]
    if "number" in mine and "integer" in other and "integer" not in shared:
        shared.append("integer")
    return (shared[0] if len(shared) == 1 else shared) if shared else first


def _values(first: Any, second: Any) -> Any:
    other = {json_text(value) for value in second}
    return [value for value in first if json_text(value) in other] or first


def _members(first: Any, second: Any) -> Any:
    if first is False or second is False:
        return False
    return second if first is True else first


_MERGES: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    **dict.fromkeys(_LOWER, max),
    **dict.fromkeys(_UPPER, min),
    "properties": _both,
    "required": lambda first, second: list(dict.fromkeys((*first, *second))),
    "type": _types,
    "enum": _values,
    "additionalProperties": _members,
    "allOf": lambda first, second: [*first, *second],
}
