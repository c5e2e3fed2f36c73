"""Null beside another type: how a schema takes it, and how each provider writes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolferry.restoring import admits_null
from toolferry_dispatcher.providers.schemas.kinds import ABOUT, as_type, fits, types_of
from toolferry_dispatcher.providers.schemas.loss import Change
from toolferry_dispatcher.providers.schemas.merging import ANNOTATIONS
from toolferry_dispatcher.providers.schemas.references import reference_of
from toolferry_dispatcher.providers.schemas.rules import Schema
from toolferry_dispatcher.providers.schemas.spot import Spot

__all__ = ["admits_null", "nullable_flag", "split_types", "with_null"]

_NULL: Final = {"type": "null"}


def with_null(schema: Any) -> Any:
    """Give a schema that takes what this one takes, and null.

    >>> with_null({"type": "string", "enum": ["a"]})
    {'type': ['string', 'null'], 'enum': ['a', None]}
    >>> with_null({"description": "Who.", "$ref": "#/$defs/User"})
    {'description': 'Who.', 'anyOf': [{'$ref': '#/$defs/User'}, {'type': 'null'}]}
    """
    if not isinstance(schema, Mapping):
        return schema
    if reference_of(schema) is not None or {"allOf", "not", "if"} & schema.keys():
        return _around(schema)
    if "anyOf" in schema or "oneOf" in schema:
        return _in_choice(schema)
    kinds = types_of(schema)
    widened = dict(schema)
    if kinds:
        widened["type"] = [*dict.fromkeys((*kinds, "null"))]
    if "const" in widened:
        widened["enum"] = [widened.pop("const")]
    if isinstance(widened.get("enum"), list):
        widened["enum"] = [*widened["enum"], *([] if None in widened["enum"] else [None])]
    return widened


def split_types(schema: Schema, spot: Spot) -> Schema:
    """Write several types as alternatives, each with the keywords that are about it."""
    kinds = types_of(schema)
    if isinstance(schema.get("type"), str) or not kinds:
        return schema
    if len(kinds) == 1:
        return {**schema, "type": kinds[0]}
    spot.lost("type", Change.REWRITTEN, "an anyOf of its types")
    stayed = {key: value for key, value in schema.items() if key in ANNOTATIONS}
    branches = [_of_type(schema, kind) for kind in kinds]
    return {**stayed, "anyOf": [branch for branch in branches if branch.get("enum", True)]}


def nullable_flag(schema: Schema, spot: Spot) -> Schema:
    """Write null as the flag `nullable`, wherever it stands among types or alternatives."""
    kinds = types_of(schema)
    branches = schema.get("anyOf")
    if "null" in kinds and len(kinds) > 1:
        spot.lost("type", Change.REWRITTEN, "nullable")
        others = as_type(tuple(kind for kind in kinds if kind != "null"))
        return {**schema, "type": others, "nullable": True}
    if isinstance(branches, list) and any(_is_null(branch) for branch in branches):
        spot.lost("anyOf", Change.REWRITTEN, "nullable")
        others = [branch for branch in branches if not _is_null(branch)]
        return {**schema, **({"anyOf": others} if others else _NULL), "nullable": True}
    return schema


def _is_null(schema: Any) -> bool:
    return isinstance(schema, Mapping) and schema.get("type") in ("null", ["null"])


def _around(schema: Mapping[str, Any]) -> Schema:
    outside = {key: value for key, value in schema.items() if key in ANNOTATIONS}
    inside = {key: value for key, value in schema.items() if key not in ANNOTATIONS}
    return {**outside, "anyOf": [inside, dict(_NULL)]}


def _in_choice(schema: Mapping[str, Any]) -> Schema:
    """Add null to the alternatives, when nothing beside them forbids it."""
    if schema.keys() - ANNOTATIONS - {"anyOf", "oneOf"} or {"anyOf", "oneOf"} <= schema.keys():
        return _around(schema)
    keyword = "anyOf" if "anyOf" in schema else "oneOf"
    return {**schema, keyword: [*schema[keyword], dict(_NULL)]}


def _of_type(schema: Schema, kind: str) -> Schema:
    about = {"integer": "number"}.get(kind, kind)
    kept = {
        keyword: value
        for keyword, value in schema.items()
        if keyword not in ANNOTATIONS and ABOUT.get(keyword, about) == about
    }
    if isinstance(kept.get("enum"), list):
        kept["enum"] = [value for value in kept["enum"] if fits(value, (kind,))]
    return {**kept, "type": kind}
