"""The tools of one request, each with its wire copy: strict where it is asked for and possible.

1. A strict copy is made of each tool that may be strict. One that would forbid what the tool takes
   is thrown away, and the tool goes with its plain copy.
2. Tools are taken as strict in their order, until the request's limits are reached.
3. Where a request is strict as a whole, one tool that cannot be makes all of them plain.
4. Where strict is demanded, what would make a tool plain is an error instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from toolferry import ConfigurationError, Tool, ToolInvalid
from toolferry_dispatcher.providers.examples import (
    ExamplePlace,
    parameters_for,
    with_examples,
)
from toolferry_dispatcher.providers.schemas.converter import WireCopy, wire_copy
from toolferry_dispatcher.providers.schemas.loss import Change, Loss
from toolferry_dispatcher.providers.schemas.measures import measure
from toolferry_dispatcher.providers.schemas.members import wire_examples
from toolferry_dispatcher.providers.schemas.rules import RequestLimits, SchemaRules, Spelling


class Strictness(StrEnum):
    """Whether a provider is asked to hold the model to the schemas."""

    #: Nothing is asked.
    NEVER = "never"
    #: Of each tool whose schema keeps its meaning; the others go as they are.
    WHERE_POSSIBLE = "where_possible"
    #: Of all tools; one that cannot be strict is an error.
    DEMANDED = "demanded"


def strictness_of(name: str) -> Strictness:
    """Read a strictness, which may be given as plain text.

    Raises:
        ConfigurationError: There is none of that name.
    """
    try:
        return Strictness(name)
    except ValueError as error:
        known = ", ".join(Strictness)
        raise ConfigurationError("strictness", f"{name!r} is none of {known}") from error


@dataclass(frozen=True, slots=True)
class WireTool:
    """What a provider is told of a tool, but for its wire name and the form around it."""

    tool: Tool
    description: str
    parameters: dict[str, Any]
    #: For a place of the API's own; empty where they go elsewhere.
    examples: tuple[dict[str, Any], ...]
    #: Whether the parameters are those of the strict mode.
    strict: bool
    losses: tuple[Loss, ...]


def wire_parameters(
    rules: SchemaRules, tool: Tool, examples: ExamplePlace = ExamplePlace.NATIVE
) -> dict[str, Any]:
    """Give the wire copy of one tool's parameters; the tool's own schema never changes.

    Raises:
        ToolInvalid: The rules have no way to say it; names the place.
    """
    return wire_copy(tool.name, parameters_for(tool, examples), rules).parameters


def wire_tools(
    spelling: Spelling,
    tools: Sequence[Tool],
    strictness: Strictness = Strictness.NEVER,
    examples: ExamplePlace = ExamplePlace.NATIVE,
) -> tuple[WireTool, ...]:
    """Give the tools of a request with their wire copies, in order.

    Raises:
        SchemaInvalid: A tool's schema is none.
        ToolInvalid: The provider has no way to say a tool's schema, or strict is demanded of one
            that cannot be; names the place.
    """
    for tool in tools:
        _ = tool.validator  # what follows takes schemas for sound; of a registered tool they are
    if strictness is Strictness.NEVER or spelling.strict is None:
        if strictness is Strictness.DEMANDED and tools:
            raise ToolInvalid(tools[0].name, "strict is demanded, and this provider has none")
        return tuple(_plain(spelling, tool, examples) for tool in tools)
    chosen = tuple(_chosen(spelling, spelling.strict, tools, examples))
    if strictness is Strictness.DEMANDED:
        _require_strict(chosen)
    other = next((one.tool.name for one in chosen if not one.strict), None)
    if spelling.limits.all_or_none and other is not None:
        return tuple(_with_the_others(spelling, one, other, examples) for one in chosen)
    return chosen


def _chosen(
    spelling: Spelling, rules: SchemaRules, tools: Sequence[Tool], examples: ExamplePlace
) -> Iterator[WireTool]:
    taken = _Taken(spelling.limits)
    for tool in tools:
        copy = wire_copy(tool.name, parameters_for(tool, examples), rules)
        obstacles = copy.obstacles or tuple(taken.refusals(tool, copy))
        if obstacles:
            yield _plain(spelling, tool, examples, obstacles)
        else:
            taken.add(copy)
            yield _with_words(tool, copy, rules, examples, strict=True)


def _plain(
    spelling: Spelling, tool: Tool, examples: ExamplePlace, obstacles: Sequence[Loss] = ()
) -> WireTool:
    copy = wire_copy(tool.name, parameters_for(tool, examples), spelling.plain)
    reasons = tuple(
        replace(one, keyword="strict", what=Change.DROPPED, detail=_reason(one))
        for one in obstacles
    )
    plain = _with_words(tool, copy, spelling.plain, examples, strict=False)
    return replace(plain, losses=(*reasons, *plain.losses))


def _with_words(
    tool: Tool, copy: WireCopy, rules: SchemaRules, place: ExamplePlace, *, strict: bool
) -> WireTool:
    """Put what is told of a tool beside its parameters, all under the same names of members."""
    examples = wire_examples(tool, rules)
    return WireTool(
        tool,
        with_examples(tool.description, examples, place),
        copy.parameters,
        examples if place is ExamplePlace.NATIVE else (),
        strict,
        copy.losses,
    )


def _reason(obstacle: Loss) -> str:
    if obstacle.keyword == "strict":
        return obstacle.detail
    return f"{obstacle.keyword}: {obstacle.detail}"


def _require_strict(chosen: Sequence[WireTool]) -> None:
    for one in chosen:
        if not one.strict:
            why = one.losses[0]
            raise ToolInvalid(one.tool.name, f"it cannot be strict, at {why.path}: {why.detail}")


def _with_the_others(
    spelling: Spelling, one: WireTool, other: str, examples: ExamplePlace
) -> WireTool:
    """Give a tool's plain copy because another tool of the request cannot be strict."""
    if not one.strict:
        return one
    reason = f"{other} cannot be strict, and here all tools are or none"
    return _plain(
        spelling, one.tool, examples, [Loss(one.tool.name, "#", "strict", Change.DROPPED, reason)]
    )


class _Taken:
    """What the strict tools of a request come to so far."""

    def __init__(self, limits: RequestLimits) -> None:
        self._limits: Mapping[str, int | None] = {
            "strict tools": limits.tools,
            "optional members": limits.optional,
            "members of several types": limits.unions,
            "members": limits.properties,
        }
        self._counted = dict.fromkeys(self._limits, 0)

    def refusals(self, tool: Tool, copy: WireCopy) -> Iterator[Loss]:
        """Say which limits one more tool would break."""
        for what, more in _counts(copy).items():
            limit = self._limits[what]
            if limit is not None and self._counted[what] + more > limit:
                reason = f"a request takes {limit} {what}, and this tool would make it more"
                yield Loss(tool.name, "#", "strict", Change.DROPPED, reason)

    def add(self, copy: WireCopy) -> None:
        """Count one more strict tool."""
        for what, more in _counts(copy).items():
            self._counted[what] += more


def _counts(copy: WireCopy) -> dict[str, int]:
    counted = measure(copy.parameters)
    return {
        "strict tools": 1,
        "optional members": counted.optional,
        "members of several types": counted.unions,
        "members": counted.properties,
    }
