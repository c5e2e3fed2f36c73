"""The names of members: others where theirs are refused, in schemas and in values alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolferry import Tool
from toolferry.restoring import wire_members, wire_value
from toolferry_dispatcher.providers.schemas.loss import Change
from toolferry_dispatcher.providers.schemas.rules import Schema, SchemaRules
from toolferry_dispatcher.providers.schemas.spot import Spot


def legal_members(schema: Schema, spot: Spot) -> Schema:
    """Give members other names where theirs are refused; what comes back is renamed again."""
    properties, legal = schema.get("properties"), spot.rules.members
    if legal is None or not isinstance(properties, Mapping):
        return schema
    wire = wire_members(properties)
    names = {name: name if legal.fullmatch(name) else wire[name] for name in properties}
    for name, new in names.items():
        if name != new:
            spot.lost("properties", Change.REWRITTEN, f"goes as {new}", "properties", name)
    renamed = {names[name]: child for name, child in properties.items()}
    required = [names.get(name, name) for name in schema.get("required", ())]
    return {**schema, "properties": renamed, **({"required": required} if required else {})}


def legal_values(schema: Schema, spot: Spot) -> Schema:
    """Show values with the names that their members go by.

    References have to be as they were. Values of enums stay: what comes back is compared with them.
    """
    legal = spot.rules.members
    if legal is None:
        return schema
    root = spot.draft.root
    shown = dict(schema)
    for keyword in schema.keys() & {"default", "example"}:
        shown[keyword] = wire_value(root, [schema], schema[keyword], legal)
    if isinstance(schema.get("examples"), list):
        shown["examples"] = [wire_value(root, [schema], one, legal) for one in schema["examples"]]
    return shown


def wire_examples(tool: Tool, rules: SchemaRules) -> tuple[dict[str, Any], ...]:
    """Give the examples of a tool under the names that the members go by."""
    if rules.members is None:
        return tuple(map(dict, tool.examples))
    root = tool.parameters
    return tuple(wire_value(root, [root], one, rules.members) for one in tool.examples)
