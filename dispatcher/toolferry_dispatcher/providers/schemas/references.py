"""References: kept where a provider understands them, written out where it does not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolferry_dispatcher.providers.schemas.loss import Change
from toolferry_dispatcher.providers.schemas.merging import ANNOTATIONS, merge_all
from toolferry_dispatcher.providers.schemas.rules import Schema
from toolferry_dispatcher.providers.schemas.spot import Spot

#: Where definitions lie. They go to `$defs` of the copy when something refers to them.
_SHELVES: Final = frozenset({"$defs", "definitions"})
_POINTERS: Final = ("$ref", "$dynamicRef")
_ANCHORS: Final = frozenset({"$anchor", "$dynamicAnchor"})


def reference_of(schema: Mapping[str, Any]) -> str | None:
    """Give what a schema refers to; None when it does not."""
    found = (schema[key] for key in _POINTERS if isinstance(schema.get(key), str))
    return next(found, None)


def beside(schema: Mapping[str, Any]) -> Schema:
    """Give what stands beside a reference."""
    return {keyword: value for keyword, value in schema.items() if keyword not in _POINTERS}


def keep_references(schema: Schema, spot: Spot) -> Schema:
    """Let a reference point to `$defs` of the copy, with whatever stands beside it."""
    schema = _without_shelves(schema)
    reference = reference_of(schema)
    if reference is None:
        return schema
    return {"$ref": _target(reference, spot), **beside(schema)}


def keep_bare_references(schema: Schema, spot: Spot) -> Schema:
    """Let a reference point to `$defs` of the copy, with nothing beside it.

    What stands there describes, and then goes around the reference, or restricts, and then is
    merged with what is referred to.
    """
    schema = _without_shelves(schema)
    reference = reference_of(schema)
    if reference is None:
        return schema
    others = beside(schema)
    if others.keys() - ANNOTATIONS:
        return {**others, "allOf": [{"$ref": reference}, *others.get("allOf", ())]}
    if others:
        return {**others, "anyOf": [{"$ref": reference}]}
    return {"$ref": _target(reference, spot)}


def write_out(schema: Schema, spot: Spot) -> Schema:
    """Put what a reference points to in its place, a few times inside of itself, then no more."""
    schema = _without_shelves(schema)
    while (reference := reference_of(schema)) is not None:
        if not spot.may_follow(reference):
            return _cut_off(schema, reference, spot)
        spot.lost("$ref", Change.REWRITTEN, f"{reference} is written out")
        others = beside(schema)
        target = _without_shelves(spot.follow(reference))
        schema, differing = merge_all([others, target])
        for keyword in differing:
            spot.lost(keyword, Change.DROPPED, f"{reference} has another value")
    return schema


def _cut_off(schema: Schema, reference: str, spot: Spot) -> Schema:
    spot.narrowed("$ref", f"{reference} leads to itself, or grows: its inside is left open here")
    target = spot.draft.resolve(reference)
    kind = target.get("type") if isinstance(target, Mapping) else None
    return {**beside(schema), **({} if kind is None else {"type": kind})}


def _target(reference: str, spot: Spot) -> str:
    return "#" if reference == "#" else f"#/$defs/{spot.draft.name_of(reference)}"


def _without_shelves(schema: Mapping[str, Any]) -> Schema:
    return {key: value for key, value in schema.items() if key not in _SHELVES | _ANCHORS}
