"""The wire copy of a tool's schema: what providers want spelt out. The original never changes.

Providers refuse a whole list of tools for one array without `items` or one object without
`properties`, though JSON Schema lets both be left out. The copy says the same with them in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolferry.subschemas import BY_NAME, LISTS, SINGLE


def complete_parameters(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Give the wire copy of a tool's parameters: an object, complete at every depth.

    >>> complete_parameters({})
    {'type': 'object', 'properties': {}}
    >>> complete_parameters({"type": "object", "properties": {"ids": {"type": "array"}}})
    {'type': 'object', 'properties': {'ids': {'type': 'array', 'items': {}}}}
    """
    return _complete_object({"type": "object", **schema})


def _complete(schema: Any) -> Any:
    """Give a copy of a schema; of `true` and `false`, which are schemas too, the same."""
    return _complete_object(schema) if isinstance(schema, Mapping) else schema


def _complete_object(schema: Mapping[str, Any]) -> dict[str, Any]:
    copy = {keyword: _complete_value(keyword, value) for keyword, value in schema.items()}
    if _allows(copy, "array") and not isinstance(copy.get("items"), Mapping):
        copy["items"] = {}
    if _allows(copy, "object"):
        copy.setdefault("properties", {})
    return copy


def _complete_value(keyword: str, value: Any) -> Any:
    if keyword in BY_NAME and isinstance(value, Mapping):
        return {name: _complete(schema) for name, schema in value.items()}
    if keyword in LISTS and isinstance(value, list):
        return [_complete(schema) for schema in value]
    return _complete(value) if keyword in SINGLE else value


def _allows(schema: Mapping[str, Any], kind: str) -> bool:
    declared = schema.get("type")
    return declared == kind or (isinstance(declared, list) and kind in declared)
