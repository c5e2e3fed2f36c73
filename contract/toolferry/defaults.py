"""Filling in the defaults that a JSON Schema declares."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any, Final

from toolferry.references import resolve

#: Schemas that always apply to the same value, so that their defaults do too.
_ALWAYS: Final = "allOf"


def fill_defaults(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Give a copy of valid arguments in which every missing member with a default has it.

    Follows `properties`, `items`, `prefixItems`, `allOf` and local references at every depth.
    Looks into no alternatives (`anyOf`, `oneOf`, `if`): which one is meant would be a guess. A
    default is taken as it stands; nothing is filled into it.

    >>> fill_defaults({"properties": {"limit": {"type": "integer", "default": 10}}}, {"q": "x"})
    {'q': 'x', 'limit': 10}
    """
    filled: dict[str, Any] = _filled(schema, schema, arguments)
    return filled


def _filled(root: Mapping[str, Any], schema: Any, value: Any) -> Any:
    for one in _applying(root, schema):
        if isinstance(value, Mapping):
            value = _object(root, one, value)
        elif isinstance(value, list):
            value = _list(root, one, value)
    return value


def _applying(root: Mapping[str, Any], schema: Any) -> list[Mapping[str, Any]]:
    """Give a schema and those that always apply with it, each once."""
    found: list[Mapping[str, Any]] = []
    todo = [schema]
    while todo:
        one = todo.pop(0)
        if not isinstance(one, Mapping) or any(one is other for other in found):
            continue
        found.append(one)
        todo += one.get(_ALWAYS, ())
        if "$ref" in one:
            todo.append(resolve(root, one["$ref"]))
    return found


def _object(
    root: Mapping[str, Any], schema: Mapping[str, Any], value: Mapping[str, Any]
) -> dict[str, Any]:
    filled = dict(value)
    for name, child in schema.get("properties", {}).items():
        if name in filled:
            filled[name] = _filled(root, child, filled[name])
        elif isinstance(child, Mapping) and "default" in child:
            filled[name] = deepcopy(child["default"])
    return filled


def _list(root: Mapping[str, Any], schema: Mapping[str, Any], value: list[Any]) -> list[Any]:
    first = schema.get("prefixItems", ())
    rest = schema.get("items", True)
    return [
        _filled(root, first[index] if index < len(first) else rest, element)
        for index, element in enumerate(value)
    ]
