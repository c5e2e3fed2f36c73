"""Arrays: tuples as lists, and `items` where they are left out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolferry.wording import json_text
from toolferry_dispatcher.providers.schemas.kinds import types_of
from toolferry_dispatcher.providers.schemas.loss import Change
from toolferry_dispatcher.providers.schemas.rules import Schema
from toolferry_dispatcher.providers.schemas.spot import Spot

_TEXT: Final = {"type": "string"}


def tuple_as_list(schema: Schema, spot: Spot) -> Schema:
    """Describe the elements of a tuple together, as those of a list with its length."""
    first = schema.get("prefixItems")
    if not isinstance(first, list):
        return schema
    rest = schema.get("items", True)
    others = {keyword: value for keyword, value in schema.items() if keyword != "prefixItems"}
    different = {json_text(one): one for one in (*first, *_rest(rest))}
    if rest is False:
        others["maxItems"] = min(len(first), schema.get("maxItems", len(first)))
    spot.lost("prefixItems", Change.REWRITTEN, "items of any of its types, in any order")
    items = list(different.values())
    return {**others, "items": items[0] if len(items) == 1 else {"anyOf": items}}


def complete_items(schema: Schema, _spot: Spot) -> Schema:
    """Write out that the elements of an array may be anything, for those who refuse it unsaid."""
    if "array" not in types_of(schema) or isinstance(schema.get("items"), Mapping):
        return schema
    return {**schema, "items": {}}


def text_items(schema: Schema, spot: Spot) -> Schema:
    """Ask for texts where the elements of an array may be anything."""
    if "array" not in types_of(schema):
        return schema
    items = schema.get("items", True)
    if isinstance(items, Mapping) and items:
        return schema
    spot.narrowed("items", "nothing is said about the elements: they are asked for as texts")
    return {**schema, "items": dict(_TEXT)}


def few_items(schema: Schema, spot: Spot) -> Schema:
    """Keep a least number of elements only where it is 0 or 1."""
    least = schema.get("minItems")
    if least is None or least in (0, 1):
        return schema
    spot.lost("minItems", Change.REWRITTEN, f"1 instead of {least}")
    words = (schema.get("description"), f"At least {least} elements.")
    described = " ".join(word for word in words if isinstance(word, str))
    return {**schema, "minItems": 1, "description": described}


def _rest(rest: Any) -> list[Any]:
    return [rest] if isinstance(rest, Mapping) and rest else []
