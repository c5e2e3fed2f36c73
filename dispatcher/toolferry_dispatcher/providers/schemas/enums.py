"""`enum` and `const`: fixed values, where a provider takes fewer kinds of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolferry.restoring import enum_text
from toolferry.wording import json_text
from toolferry_dispatcher.providers.schemas.kinds import as_type, fits, type_of, types_of
from toolferry_dispatcher.providers.schemas.loss import Change
from toolferry_dispatcher.providers.schemas.rules import Schema
from toolferry_dispatcher.providers.schemas.spot import Spot


def const_as_enum(schema: Schema, spot: Spot) -> Schema:
    """Write one fixed value as an enum of one value."""
    if "const" not in schema:
        return schema
    others = {keyword: value for keyword, value in schema.items() if keyword != "const"}
    spot.lost("const", Change.REWRITTEN, "an enum of one value")
    return {**others, "enum": [schema["const"]]}


def fitting_enum(schema: Schema, spot: Spot) -> Schema:
    """Leave out the fixed values that a schema's type forbids: none of them was ever valid."""
    kinds = types_of(schema)
    if "const" in schema and not fits(schema["const"], kinds):
        spot.narrowed("const", "its type forbids it")
        schema = {keyword: value for keyword, value in schema.items() if keyword != "const"}
    values = schema.get("enum")
    if not isinstance(values, list) or all(fits(value, kinds) for value in values):
        return schema
    fitting = [value for value in values if fits(value, kinds)]
    if fitting:
        spot.lost("enum", Change.REWRITTEN, "without the values that its type forbids")
        return {**schema, "enum": fitting}
    spot.narrowed("enum", "its type forbids all of its values")
    return {keyword: value for keyword, value in schema.items() if keyword != "enum"}


def simple_enum(schema: Schema, spot: Spot) -> Schema:
    """Drop an enum that holds objects or arrays."""
    values = schema.get("enum")
    if not isinstance(values, list) or not any(isinstance(one, dict | list) for one in values):
        return schema
    spot.lost("enum", Change.DROPPED, "its values are objects or arrays")
    return {keyword: value for keyword, value in schema.items() if keyword != "enum"}


def countable_enum(schema: Schema, spot: Spot) -> Schema:
    """Keep texts and numbers in an enum; null becomes an alternative, booleans just booleans."""
    values = schema.get("enum")
    if not isinstance(values, list):
        return schema
    others = {keyword: value for keyword, value in schema.items() if keyword != "enum"}
    if any(isinstance(value, bool) for value in values):
        spot.lost("enum", Change.DROPPED, "it holds booleans")
        return others
    if None not in values:
        return schema
    spot.lost("enum", Change.REWRITTEN, "null as an alternative")
    rest = [value for value in values if value is not None]
    kinds = tuple(kind for kind in types_of(schema) if kind != "null")
    fixed = {"type": as_type(kinds), "enum": rest} if rest and kinds else None
    others.pop("type", None)
    return {**others, "anyOf": [*([fixed] if fixed else []), {"type": "null"}]}


def typed_enum(schema: Schema, spot: Spot) -> Schema:
    """Name the types of the values of an enum that names none."""
    values = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if not isinstance(values, list) or not values or "type" in schema:
        return schema
    spot.lost("type", Change.REWRITTEN, "named after the fixed values")
    return {"type": as_type(tuple(dict.fromkeys(map(type_of, values)))), **schema}


def text_enum(schema: Schema, spot: Spot) -> Schema:
    """Write the values of an enum as texts; what comes back is made a value again.

    Raises:
        ToolInvalid: Two values have the same text.
    """
    values = schema.get("enum")
    if not isinstance(values, list):
        return schema
    others = {keyword: value for keyword, value in schema.items() if keyword != "enum"}
    if others.get("default") is not None:
        others["default"] = enum_text(others["default"])
    texts = _texts(values, spot)
    nullable = {"nullable": True} if None in values else {}
    if not texts:
        return {**others, **nullable}
    if texts != values:
        spot.lost("enum", Change.REWRITTEN, "its values as texts")
    return {**others, "type": "string", "enum": texts, **nullable}


def distinct_choices(schema: Schema, spot: Spot) -> Schema:
    """Require that the fixed values of alternatives stay apart when they are texts.

    Raises:
        ToolInvalid: Two values have the same text.
    """
    parts = [part for part in schema.get("anyOf", ()) if isinstance(part, Mapping)]
    fixed = [part.get("enum", [part["const"]] if "const" in part else []) for part in parts]
    _owners([value for values in fixed for value in values if _is_simple(value)], spot)
    return schema


def _is_simple(value: object) -> bool:
    return not isinstance(value, dict | list)


def _owners(values: Sequence[Any], spot: Spot) -> dict[str, Any]:
    """Give the value of each text."""
    owners: dict[str, Any] = {}
    for value in values:
        text = enum_text(value)
        if text in owners and json_text(owners[text]) != json_text(value):
            raise spot.invalid(
                f"has two values that are the same text {text!r}, as it must be here"
            )
        owners[text] = value
    return owners


def _texts(values: Sequence[Any], spot: Spot) -> list[str]:
    owners = _owners(values, spot)
    if "" in owners:
        spot.narrowed("enum", "without the empty text, which is refused")
    return [text for text, value in owners.items() if text and value is not None]
