"""Checking a policy against the tools there are: what it names that is not there, or does nothing.

A name that no tool has is told first: an operator who mistypes it restricts nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import Any, Final

from toolferry import Tool, ToolInvalid
from toolferry.template import unknown_places
from toolferry_policies.declared.declaration import EVERY, Condition, Overrides
from toolferry_policies.declared.faults import PolicyFault
from toolferry_policies.declared.lines import Path, dotted, line_of
from toolferry_policies.declared.outcome import own_value
from toolferry_policies.declared.policy import Policy

#: Faults that are told at the most: finding the line of each takes its time.
MAX_TOLD: Final = 100
#: What an argument must be to be compared so, as JSON Schema names it.
_KINDS: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("above", "at_least", "below", "at_most"), frozenset({"number", "integer"})),
    **dict.fromkeys(("starts_with", "ends_with"), frozenset({"string"})),
    "longer_than": frozenset({"string", "array"}),
    **dict.fromkeys(
        ("one_of", "none_of"), frozenset({"string", "number", "integer", "boolean", "null"})
    ),
}


def check_policy(policy: Policy, tools: Sequence[Tool]) -> list[PolicyFault]:
    """Give what is wrong with a policy that can be read, in the order of the file: up to 100.

    Args:
        policy: The policy.
        tools: All tools that it may name, as their code has them.
    """
    found = [
        PolicyFault(policy.source, line_of(policy.text, path), dotted(path), reason, harmless)
        for path, reason, harmless in islice(_faults(policy, tools), MAX_TOLD)
    ]
    return sorted(found, key=lambda fault: fault.line)


#: The way to what is wrong, why it is, and whether the file can be used all the same.
_Found = tuple[Path, str, bool]


def _faults(policy: Policy, tools: Sequence[Tool]) -> Iterator[_Found]:
    names = [tool.name for tool in tools]
    groups = {
        "tools": names,
        "categories": sorted({tool.category for tool in tools if tool.category}),
        "tags": sorted({tag for tool in tools for tag in tool.tags}),
    }
    for path, entry in policy.entries():
        concerned = [tool for tool in tools if path in dict(policy.levels(tool))]
        if not concerned and path != ("tools", EVERY):
            kind, name = str(path[0]), str(path[1])
            yield path, _missing(kind, name, groups[kind]), False
        else:
            yield from _idle(policy, path, entry, concerned)
            yield from _misdirected(path, entry, concerned)
    for tool in tools:
        yield from _unfit(policy, tool)
        yield from _at_odds(policy, tool)
    yield from _profiles(policy, tools, groups)


def _missing(kind: str, name: str, there: Collection[str]) -> str:
    words = {"tools": "has this name", "categories": "is of this category", "tags": "has this tag"}
    close = get_close_matches(name, there, n=1)
    meant = f"; did you mean {close[0]}?" if close else ""
    return f"no tool {words[kind]}{meant}"


def _idle(
    policy: Policy, path: Path, entry: Overrides, concerned: Sequence[Tool]
) -> Iterator[_Found]:
    """Tell of values that change no tool: each has it already, or a more specific entry wins."""
    for key, value in entry.said().items():
        if all(_is_without_effect(policy, path, key, value, tool) for tool in concerned):
            yield (*path, key), "it does nothing: no tool is changed by it", True


def _is_without_effect(policy: Policy, path: Path, key: str, value: Any, tool: Tool) -> bool:
    saying = [(other, entry) for other, entry in policy.levels(tool) if key in entry.said()]
    winner, _ = saying[-1]
    if winner != path:
        return True
    without = saying[-2][1].said()[key] if len(saying) > 1 else own_value(tool, key)
    return bool(without == value)


def _misdirected(path: Path, entry: Overrides, concerned: Sequence[Tool]) -> Iterator[_Found]:
    """Tell of rules over arguments that no tool has, or that cannot be compared so."""
    for index, rule in enumerate(entry.rules):
        for word in ("when", "unless"):
            condition: Condition | None = getattr(rule, word)
            for argument, comparison in (condition.arguments if condition else {}).items():
                place = (*path, "rules", index, word, "arguments", argument)
                having = [tool for tool in concerned if _has(tool, argument)]
                if not having:
                    yield place, _no_argument(argument, concerned), False
                for name in sorted(comparison.model_fields_set):
                    for tool in having:
                        yield from _incomparable((*place, name), tool, argument, name)


def _has(tool: Tool, argument: str) -> bool:
    return not unknown_places(f"{{{argument}}}", tool.parameters)


def _no_argument(argument: str, concerned: Sequence[Tool]) -> str:
    there = {name for tool in concerned for name in tool.parameters.get("properties", {})}
    close = get_close_matches(argument, there, n=1)
    meant = f"; did you mean {close[0]}?" if close else ""
    return f"no tool that the rule is for has this argument{meant}"


def _incomparable(place: Path, tool: Tool, argument: str, comparison: str) -> Iterator[_Found]:
    schema: Any = tool.parameters
    for key in argument.split("."):
        schema = schema.get("properties", {}).get(key, {}) if isinstance(schema, Mapping) else {}
    kinds = schema.get("type") if isinstance(schema, Mapping) else None
    listed = {kinds} if isinstance(kinds, str) else set(kinds or ())
    wanted = _KINDS.get(comparison)
    if wanted and listed and listed.isdisjoint(wanted):
        is_of = " or ".join(sorted(listed))
        reason = f"{argument} of {tool.name} is of type {is_of}, so every such call would be denied"
        yield place, reason, False


def _unfit(policy: Policy, tool: Tool) -> Iterator[_Found]:
    try:
        policy.apply(tool)
    except ToolInvalid as error:
        *_, (path, _) = policy.levels(tool)
        yield path, f"it does not fit the tool {error}; every call of it would be denied", False


def _at_odds(policy: Policy, tool: Tool) -> Iterator[_Found]:
    """Tell of tags of one tool that say different things, where nothing more specific decides."""
    said: dict[str, tuple[Path, Any]] = {}
    own = policy.declaration.tools.get(tool.name)
    for path, entry in policy.levels(tool):
        if path[0] != "tags":
            continue
        for key, value in entry.said().items():
            before, other = said.get(key, (path, value))
            if other != value and not (own and key in own.said()):
                reason = f"{tool.name} has the tag {before[1]} too, which says otherwise; this wins"
                yield (*path, key), f"{reason}: say it in tools.{tool.name}", True
            said[key] = path, value


def _profiles(
    policy: Policy, tools: Sequence[Tool], groups: Mapping[str, Collection[str]]
) -> Iterator[_Found]:
    for name, profile in policy.profiles.items():
        path = ("profiles", name)
        for kind in ("categories", "tags", "tools"):
            for missing in sorted(getattr(profile, kind) - set(groups[kind])):
                yield (*path, kind), f"{missing}: {_missing(kind, missing, groups[kind])}", False
        if not any(profile.has(policy.tool(tool)) for tool in tools):
            yield path, "no tool is in it", True
