"""The kinds of values that a schema allows, as far as its types, enumerations and parts tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any, Final

from toolferry.references import resolve

#: All kinds; what is a number and whole is both.
EVERY_KIND: Final = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_NUMBER: Final = frozenset({"integer", "number"})
#: How far references and alternatives are followed; deeper, everything counts as allowed.
_MAX_LEVELS: Final = 8


def kinds_of(root: Mapping[str, Any], schema: Any, levels: int = _MAX_LEVELS) -> frozenset[str]:
    """Give the kinds that a schema may allow: none that it allows is left out.

    Args:
        root: The document in which references are looked up.
        schema: One of its schemas, or a boolean one.
        levels: How far references and alternatives are followed.

    >>> sorted(kinds_of({}, {"anyOf": [{"type": "integer"}, {"type": "null"}]}))
    ['integer', 'null']
    """
    if not isinstance(schema, Mapping):
        return EVERY_KIND if schema else frozenset()
    if levels == 0:
        return EVERY_KIND
    told = [_named(schema), *_parts(root, schema, levels - 1)]
    return reduce(frozenset.intersection, told, EVERY_KIND)


def members_of(root: Mapping[str, Any], schema: Any, levels: int = _MAX_LEVELS) -> list[Any] | None:
    """Give the values that a schema lists, if it lists all that it allows; None when it does not.

    Args:
        root: The document in which references are looked up.
        schema: One of its schemas, or a boolean one.
        levels: How far references and alternatives are followed.

    >>> members_of({}, {"anyOf": [{"const": 1}, {"enum": ["a"]}]})
    [1, 'a']
    """
    if not isinstance(schema, Mapping) or levels == 0:
        return None
    if "const" in schema:
        return [schema["const"]]
    if "enum" in schema:
        return list(schema["enum"])
    if "$ref" in schema:
        return members_of(root, resolve(root, schema["$ref"]), levels - 1)
    branches = schema.get("anyOf") or schema.get("oneOf") or [{}]
    listed = [members_of(root, branch, levels - 1) for branch in branches]
    closed = [one for one in listed if one is not None]
    return [member for one in closed for member in one] if len(closed) == len(listed) else None


def _named(schema: Mapping[str, Any]) -> frozenset[str]:
    if "const" in schema:
        return _kinds_of_value(schema["const"])
    if "enum" in schema:
        return _union(map(_kinds_of_value, schema["enum"]))
    declared = schema.get("type")
    if declared is None:
        return EVERY_KIND
    names = [declared] if isinstance(declared, str) else declared
    return _union(_NUMBER if name == "number" else frozenset({name}) for name in names)


def _parts(root: Mapping[str, Any], schema: Mapping[str, Any], levels: int) -> list[frozenset[str]]:
    told = [kinds_of(root, part, levels) for part in schema.get("allOf", ())]
    told += [
        _union(kinds_of(root, part, levels) for part in schema[keyword])
        for keyword in ("anyOf", "oneOf")
        if keyword in schema
    ]
    if "$ref" in schema:
        told.append(kinds_of(root, resolve(root, schema["$ref"]), levels))
    return told


def _union(kinds: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*kinds)


def _kinds_of_value(value: Any) -> frozenset[str]:
    match value:
        case bool():
            return frozenset({"boolean"})
        case int() | float():
            return _NUMBER if value == int(value) else frozenset({"number"})
        case None:
            return frozenset({"null"})
        case str():
            return frozenset({"string"})
        case _:
            return frozenset({"array" if isinstance(value, list) else "object"})
