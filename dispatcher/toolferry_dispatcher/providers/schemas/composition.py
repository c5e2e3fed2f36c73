"""`allOf`, `anyOf` and `oneOf`: merged where they must not stand, or made `anyOf`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from toolferry_dispatcher.providers.schemas.kinds import types_of
from toolferry_dispatcher.providers.schemas.loss import Change
from toolferry_dispatcher.providers.schemas.merging import (
    ANNOTATIONS,
    merge_all,
    merge_branches,
)
from toolferry_dispatcher.providers.schemas.references import beside, reference_of
from toolferry_dispatcher.providers.schemas.rules import Schema
from toolferry_dispatcher.providers.schemas.spot import Spot

_CHOICES: Final = ("anyOf", "oneOf")
#: Refused at the root beside alternatives, by the message of OpenAI's API.
_REFUSED_AT_ROOT: Final = ("enum", "const", "not")
#: Sets of members that a description lists; more would be no help.
_MOST_LISTED: Final = 8


def plain_root(schema: Schema, spot: Spot) -> Schema:
    """Make the root one plain object, its parts and its alternatives merged."""
    if not spot.is_root:
        return schema
    if reference_of(schema) is not None:
        reference = reference_of(schema) or ""
        schema = {**beside(schema), "allOf": [{"$ref": reference}, *schema.get("allOf", ())]}
    merged = merge_alternatives(merge_parts({**schema, "type": "object"}, spot), spot)
    for keyword in _REFUSED_AT_ROOT:
        if merged.pop(keyword, None) is not None:
            spot.lost(keyword, Change.DROPPED, "it must not stand at the root")
    return {**merged, "type": "object"}


def unwrap_single(schema: Schema, _spot: Spot) -> Schema:
    """Take an `allOf` of one part for that part, so that a reference in it stays a reference."""
    parts = schema.get("allOf")
    if not isinstance(parts, list) or len(parts) != 1 or not isinstance(parts[0], Mapping):
        return schema
    others = {keyword: value for keyword, value in schema.items() if keyword != "allOf"}
    if others.keys() & parts[0].keys() - ANNOTATIONS:
        return schema
    return {**parts[0], **others}


def merge_parts(schema: Schema, spot: Spot) -> Schema:
    """Make one schema of an `allOf` and what stands beside it."""
    parts = schema.get("allOf")
    if not isinstance(parts, list):
        return schema
    others = {keyword: value for keyword, value in schema.items() if keyword != "allOf"}
    merged, differing = merge_all([others, *_expanded(parts, spot)])
    spot.lost("allOf", Change.REWRITTEN, "its parts are made one")
    for keyword in differing:
        spot.lost(keyword, Change.DROPPED, "two parts of an allOf have different ones")
    return merged


def merge_alternatives(schema: Schema, spot: Spot) -> Schema:
    """Make one object of an object schema and its alternatives."""
    for keyword in _CHOICES:
        branches = schema.get(keyword)
        if isinstance(branches, list) and "object" in types_of(schema):
            others = {key: value for key, value in schema.items() if key != keyword}
            schema = _merged(others, branches, spot)
            spot.lost(keyword, Change.REWRITTEN, "its alternatives are made one object")
    return schema


def one_of_as_any_of(schema: Schema, spot: Spot) -> Schema:
    """Ask for at least one alternative instead of exactly one."""
    if "oneOf" not in schema:
        return schema
    others = {keyword: value for keyword, value in schema.items() if keyword != "oneOf"}
    if "anyOf" in others:
        spot.lost("oneOf", Change.DROPPED, "there is an anyOf too")
        return others
    spot.lost("oneOf", Change.REWRITTEN, "anyOf: at least one instead of exactly one")
    return {**others, "anyOf": schema["oneOf"]}


def spread(schema: Schema, spot: Spot) -> Schema:
    """Put what restricts a value beside an `anyOf` into each of its alternatives."""
    return _spread(schema, spot, ANNOTATIONS)


def spread_all(schema: Schema, spot: Spot) -> Schema:
    """Leave nothing beside an `anyOf`: it all goes into each of its alternatives."""
    return _spread(schema, spot, frozenset())


def possible_choices(schema: Schema, spot: Spot) -> Schema:
    """Leave out alternatives that nothing fits."""
    branches = schema.get("anyOf")
    if not isinstance(branches, list) or False not in branches:
        return schema
    possible = [branch for branch in branches if branch is not False]
    if possible:
        return {**schema, "anyOf": possible}
    spot.lost("anyOf", Change.DROPPED, "nothing fits any of its alternatives")
    return {keyword: value for keyword, value in schema.items() if keyword != "anyOf"}


def plain_choice(schema: Schema, _spot: Spot) -> Schema:
    """Take a single alternative for what it says, when the rewritings behind this one do for it."""
    branches = schema.get("anyOf")
    if not isinstance(branches, list) or len(branches) != 1 or not isinstance(branches[0], dict):
        return schema
    is_plain = reference_of(branches[0]) is None and not {"allOf", "oneOf"} & branches[0].keys()
    return _single(schema) if is_plain else schema


def without_single_choice(schema: Schema, _spot: Spot) -> Schema:
    """Take an `anyOf` of one alternative that is done for that alternative."""
    branches = schema.get("anyOf")
    return _single(schema) if isinstance(branches, list) and len(branches) == 1 else schema


def _single(schema: Schema) -> Schema:
    others = {keyword: value for keyword, value in schema.items() if keyword != "anyOf"}
    return merge_all([others, schema["anyOf"][0]])[0]


def _spread(schema: Schema, spot: Spot, staying: frozenset[str]) -> Schema:
    branches = schema.get("anyOf")
    moving = schema.keys() - staying - {"anyOf", "nullable"}
    if not isinstance(branches, list) or not moving:
        return schema
    moved = {keyword: value for keyword, value in schema.items() if keyword in moving}
    stayed = {keyword: value for keyword, value in schema.items() if keyword not in moving}
    if moving - ANNOTATIONS:
        spot.lost("anyOf", Change.REWRITTEN, "what stands beside it goes into each alternative")
    return {**stayed, "anyOf": [_with(branch, moved) for branch in branches]}


def _with(branch: Any, moved: Schema) -> Any:
    if not isinstance(branch, Mapping):
        return branch
    if reference_of(branch) is not None:
        return {"allOf": [branch, moved]}
    return merge_all([branch, moved])[0]


def _merged(base: Schema, branches: Sequence[Any], spot: Spot) -> Schema:
    possible = [branch for branch in branches if branch is not False]
    objects = [_merged_inside(branch, spot) for branch in _expanded(possible, spot)]
    merged = merge_branches(base, objects)
    listed = _listed([_needs(base, branch) for branch in objects])
    if listed:
        words = (merged.get("description"), listed)
        merged["description"] = "\n\n".join(word for word in words if isinstance(word, str))
    return merged


def _merged_inside(branch: Schema, spot: Spot) -> Schema:
    """Make an alternative one object too, where it has parts or alternatives of its own."""
    return merge_alternatives(merge_parts({"type": "object", **branch}, spot), spot)


def _needs(base: Schema, branch: Schema) -> tuple[str, ...]:
    own = base.get("required", ())
    return tuple(name for name in branch.get("required", ()) if name not in own)


def _listed(needs: Sequence[tuple[str, ...]]) -> str:
    """Say which members go together, unless all alternatives need the same."""
    different = dict.fromkeys(needs)
    if not 1 < len(different) <= _MOST_LISTED:
        return ""
    sets = (", ".join(names) if names else "none of these" for names in different)
    return f"Give one of these sets of members: {' | '.join(sets)}."


def _expanded(parts: Sequence[Any], spot: Spot) -> Iterator[Schema]:
    """Give the parts of a composition, with what they refer to in place of references."""
    for part in parts:
        spot.draft.count_part()
        schema = dict(part) if isinstance(part, Mapping) and not spot.draft.is_full else {}
        while (reference := reference_of(schema)) is not None:
            if not spot.may_follow(reference):
                spot.narrowed("$ref", f"{reference} leads to itself inside of a composition")
                schema = {}
                break
            schema = merge_all([beside(schema), spot.follow(reference)])[0]
        inner = schema.pop("allOf", None)
        yield schema
        if isinstance(inner, list):
            yield from _expanded(inner, spot)
