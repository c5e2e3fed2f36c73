"""The one walk over a schema that makes its wire copy; what is done at each place are leaves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from toolferry.subschemas import BY_NAME, LISTS, SINGLE, Place
from toolferry_dispatcher.providers.schemas.loss import Loss
from toolferry_dispatcher.providers.schemas.measures import obstacles_of
from toolferry_dispatcher.providers.schemas.rules import Schema, SchemaRules
from toolferry_dispatcher.providers.schemas.spot import Draft, Spot


@dataclass(frozen=True, slots=True)
class WireCopy:
    """A tool's parameters as one provider takes them."""

    parameters: Schema
    losses: tuple[Loss, ...]
    #: Why the copy must not be strict: it would forbid what the tool takes, or break a limit.
    obstacles: tuple[Loss, ...]


def wire_copy(tool: str, schema: Mapping[str, Any], rules: SchemaRules) -> WireCopy:
    """Make the wire copy of a schema. The original is never changed, and shares nothing with it.

    1. The root goes through the rewritings, in order; then each schema that it now holds.
    2. What is referred to follows in the same way, once each, and ends up under `$defs`.
    3. The whole is measured.

    Raises:
        ToolInvalid: The provider has no way to say it; names the place.
    """
    draft = Draft(tool, schema, rules)
    parameters = _rewritten(schema, Spot(draft, (), ()))
    definitions: dict[str, Any] = {}
    while draft.wanted:
        name = next(iter(draft.wanted))
        place = ("$defs", name)
        definitions[name] = _rewritten(draft.wanted.pop(name), Spot(draft, place, ()))
    if definitions:
        parameters["$defs"] = definitions
    obstacles = (*draft.obstacles, *obstacles_of(tool, parameters, rules))
    return WireCopy(parameters, tuple(draft.losses), obstacles)


def _rewritten(schema: Any, spot: Spot) -> Any:
    if schema is True and spot.rules.keywords is not None:
        schema = {}
    if not isinstance(schema, Mapping):
        return schema
    spot.draft.count_part()
    current: Schema = _left_open(schema, spot) if spot.draft.is_full else dict(schema)
    for rewriting in spot.rules.rewritings:
        current = rewriting(current, spot)
    current = {keyword: _value(keyword, value, spot) for keyword, value in current.items()}
    for finishing in spot.rules.finishings:
        current = finishing(current, spot)
    return current


def _left_open(schema: Mapping[str, Any], spot: Spot) -> Schema:
    """Give nothing but the type of a schema: the copy has grown too large."""
    spot.narrowed("type", "the copy grows too large: the inside is left open here")
    return {"type": schema["type"]} if isinstance(schema.get("type"), str) else {}


def _value(keyword: str, value: Any, spot: Spot) -> Any:
    if keyword in BY_NAME and isinstance(value, Mapping):
        return {name: _child(child, spot, keyword, name) for name, child in value.items()}
    if keyword in LISTS and isinstance(value, list):
        return [_child(child, spot, keyword, index) for index, child in enumerate(value)]
    if keyword in SINGLE and isinstance(value, Mapping):
        return _child(value, spot, keyword)
    return _copied(value)


def _child(schema: Any, spot: Spot, *keys: str | int) -> Any:
    place: Place = (*spot.place, *keys)
    return _rewritten(schema, Spot(spot.draft, place, spot.followed))


def _copied(value: Any) -> Any:
    """Give a copy of JSON data, so that nothing of the original is handed out."""
    if isinstance(value, Mapping):
        return {key: _copied(child) for key, child in value.items()}
    return [_copied(child) for child in value] if isinstance(value, list | tuple) else value
