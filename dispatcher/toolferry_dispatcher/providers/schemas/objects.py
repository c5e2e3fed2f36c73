"""Objects: closed, with every member required, as strict modes want them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolferry_dispatcher.providers.schemas.kinds import types_of
from toolferry_dispatcher.providers.schemas.loss import Change
from toolferry_dispatcher.providers.schemas.null import admits_null, with_null
from toolferry_dispatcher.providers.schemas.rules import Schema
from toolferry_dispatcher.providers.schemas.spot import Spot


def complete_properties(schema: Schema, _spot: Spot) -> Schema:
    """Write out that an object has no members of its own: objects without any are refused."""
    if "object" not in types_of(schema) or "properties" in schema:
        return schema
    return {**schema, "properties": {}}


def possible_members(schema: Schema, spot: Spot) -> Schema:
    """Leave out the members that must not be there, and say of no unknown one that it must."""
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return schema
    possible = {name: child for name, child in properties.items() if child is not False}
    for name in properties.keys() - possible.keys():
        spot.lost("properties", Change.DROPPED, "it must not be there", "properties", name)
    unknown = [name for name in schema.get("required", ()) if name not in possible]
    for name in unknown:
        spot.narrowed("required", f"{name} is required, and nothing is said about it")
    required = [name for name in schema.get("required", ()) if name in possible]
    others = {key: value for key, value in schema.items() if key not in {"required", "properties"}}
    return {**others, "properties": possible, **({"required": required} if required else {})}


def close(schema: Schema, spot: Spot) -> Schema:
    """Forbid members that the schema does not name, as long as it wants none of them."""
    if "object" not in types_of(schema):
        return schema
    for keyword in ("patternProperties", "unevaluatedProperties"):
        if schema.get(keyword, False):
            spot.narrowed(keyword, "members of other names could not be sent")
    declared = schema.get("additionalProperties")
    if declared is None and not schema.get("properties") and not spot.is_root:
        spot.narrowed("properties", "none are named, so that none could be sent")
    elif declared is None:
        spot.lost("additionalProperties", Change.REWRITTEN, "false: only the named members")
    elif declared is not False:
        spot.narrowed("additionalProperties", "members of other names could not be sent")
    return {**schema, "additionalProperties": False}


def only_named(schema: Schema, spot: Spot) -> Schema:
    """Drop what is said of members of other names: there is no place for it."""
    if "object" not in types_of(schema):
        return schema
    others = schema.get("additionalProperties", not schema.get("properties"))
    if others is not False and not (others is True and spot.is_root):
        spot.narrowed("additionalProperties", "members of other names cannot be described")
    elif "additionalProperties" in schema:
        spot.lost("additionalProperties", Change.DROPPED, "it is not understood")
    return {key: value for key, value in schema.items() if key != "additionalProperties"}


def filled(schema: Schema, spot: Spot) -> Schema:
    """Take no object without members, but for the arguments of a tool that has none."""
    if "object" in types_of(schema) and not schema.get("properties") and not spot.is_root:
        spot.narrowed("properties", "an object without members is not taken")
    return schema


def require_all(schema: Schema, spot: Spot) -> Schema:
    """Require every member; one that may be left out may be null instead."""
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return schema
    required = schema.get("required", ())
    members = {
        name: child if name in required else _optional(name, child, spot)
        for name, child in properties.items()
    }
    return {**schema, "properties": members, "required": list(properties)}


def _optional(name: str, child: Any, spot: Spot) -> Any:
    inner = ("properties", name)
    if admits_null(spot.draft.root, child):
        spot.lost("required", Change.REWRITTEN, "always sent, null where nothing is meant", *inner)
        return child
    spot.lost("required", Change.REWRITTEN, "null stands for leaving it out", *inner)
    return with_null(child)
