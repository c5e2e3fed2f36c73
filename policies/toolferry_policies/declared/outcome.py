"""What a tool comes to under a policy, and which entry of the file said so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from toolferry import Tool
from toolferry_policies.declared.declaration import Limit, Overrides, RateEntry
from toolferry_policies.declared.lines import dotted, line_of
from toolferry_policies.declared.policy import Policy

#: The keys that a policy file may say of a tool, but for its rules.
KEYS: Final = tuple(name for name in Overrides.model_fields if name != "rules")


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that holds for a tool."""

    #: As the policy file calls it.
    key: str
    #: As JSON data.
    value: Any
    #: The entry of the file that says it, dotted; empty when the tool's code does.
    by: str = ""
    #: The line of the file; 0 when the tool's code says it.
    line: int = 0

    def to_json(self) -> dict[str, Any]:
        """Give the JSON form."""
        return {"key": self.key, "value": self.value, "by": self.by or None, "line": self.line}


def outcome(policy: Policy, tool: Tool) -> tuple[Said, ...]:
    """Give all that holds for a tool: one of each key, then the rules of the file."""
    levels, applied = list(policy.levels(tool)), policy.tool(tool)
    found = []
    for key in KEYS:
        saying = [(path, entry) for path, entry in levels if key in entry.said()]
        if saying:
            path, entry = saying[-1]
            line = line_of(policy.text, (*path, key))
            found.append(Said(key, _data(entry.said()[key]), dotted(path), line))
        else:
            # A risk that is said has a person asked, too.
            found.append(Said(key, _data(own_value(applied, key))))
    for path, entry in levels:
        for index, rule in enumerate(entry.rules):
            place = (*path, "rules", index)
            told = rule.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
            found.append(Said("rule", _data(told), dotted(place), line_of(policy.text, place)))
    return tuple(found)


def counted_outcome(policy: Policy) -> tuple[Said, ...]:
    """Give what the file says of budgets and the loop guard, which is said of no single tool."""
    declared, found = policy.declaration, []
    for scope, at, entry in declared.budgets.entries() if declared.budgets else ():
        line = line_of(policy.text, ("budgets", scope, at))
        said = _data(entry.model_dump(exclude_none=True))
        found.append(Said(f"budgets.{scope}", said, f"budgets.{scope}", line))
    if declared.loop_guard:
        said = _data(declared.loop_guard.model_dump(exclude_none=True))
        line = line_of(policy.text, ("loop_guard",))
        found.append(Said("loop_guard", said, "loop_guard", line))
    return tuple(found)


def own_value(tool: Tool, key: str) -> Any:
    """Give what a tool's code says of a key of the policy file, in the file's words."""
    if key == "enabled":
        return True
    if key == "confirm":
        return "always" if tool.confirm else "never"
    if key == "concurrency":
        limit = tool.concurrency
        return limit and Limit(limit=limit.limit, key=limit.key)
    if key == "rate":
        rate = tool.rate
        return rate and RateEntry(limit=rate.limit, per=rate.per, key=rate.key)
    return getattr(tool, key)


def _data(value: Any) -> Any:
    """Give JSON data as an operator would write it; equal sets give equal lists."""
    if isinstance(value, Limit | RateEntry):
        return _data(value.model_dump(exclude_defaults=True))
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, dict):
        return {key: _data(one) for key, one in value.items()}
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
