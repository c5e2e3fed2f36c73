"""The policy: a policy file that was read, and what its tools come to."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any, Final
from weakref import WeakKeyDictionary

from toolferry import Concurrency, Profile, Rate, Registry, Risk, Tool, ToolInvalid
from toolferry.registry import check_definition
from toolferry_policies.counting import Limits
from toolferry_policies.declared.counted import limits_with
from toolferry_policies.declared.declaration import (
    EVERY,
    Declaration,
    Limit,
    Overrides,
    ProfileEntry,
    RateEntry,
)
from toolferry_policies.declared.lines import Path
from toolferry_policies.declared.rules import DeclaredRule
from toolferry_policies.facts import Facts
from toolferry_policies.verdict import Verdict


class Policy:
    """What operators declare about tools; immutable, and safe to share between threads.

    Args:
        declaration: What the file says.
        fingerprint: Equal for equal files only; empty when there is no file.
        source: The name of the file.
        text: What stands in it.
    """

    def __init__(
        self, declaration: Declaration, fingerprint: str = "", source: str = "", text: str = ""
    ) -> None:
        self.declaration = declaration
        self.text = text
        self.hash = fingerprint
        self.source = source
        #: The tools for each kind of task, by its name.
        self.profiles = {name: _profile(one) for name, one in declaration.profiles.items()}
        # A registry may replace its tools all the time; what is made of them goes with them, so it
        # must not hold them: None stands for a tool that stays as it is.
        self._applied: WeakKeyDictionary[Tool, Tool | None] = WeakKeyDictionary()
        self._enabled: WeakKeyDictionary[Tool, bool] = WeakKeyDictionary()
        entries = [entry for _, entry in self.entries()]
        self._says_nothing = not entries
        #: Whether it says of some tools how large their results may be.
        self.limits_results = any(entry.max_result_bytes is not None for entry in entries)
        self._switches = any(entry.enabled is not None for entry in entries)

    def current(self) -> Policy:
        """Give the policy that holds now: this one, always."""
        return self

    def tool(self, tool: Tool) -> Tool:
        """Give the tool as the policy has it; what it is run by, its digest, stays.

        Of a tool that what is declared does not fit, no call is permitted.
        """
        if self._says_nothing:
            return tool
        try:
            known = self._applied[tool]
        except KeyError:
            known = self._applied[tool] = self._apply_closed(tool)
        return tool if known is None else known

    def apply(self, tool: Tool) -> Tool:
        """Make the tool that the policy wants of a tool.

        Raises:
            ToolInvalid: What is declared does not fit the tool; says what.
        """
        changes = _fields(tool, self.said(tool))
        rules = tuple(DeclaredRule(one) for _, entry in self.levels(tool) for one in entry.rules)
        if not changes and not rules:
            return tool
        applied = replace(tool, **changes, rules=(*rules, *tool.rules))
        check_definition(applied)
        return applied

    def said(self, tool: Tool) -> dict[str, Any]:
        """Give what the file says of a tool, by key; of several entries the most specific wins."""
        return {key: value for _, entry in self.levels(tool) for key, value in entry.said().items()}

    def levels(self, tool: Tool) -> Iterator[tuple[Path, Overrides]]:
        """Give the entries that are for a tool with the way to each, the most specific last.

        `*`, then its category, then its tags in the order of the file, then its name.
        """
        declared = self.declaration
        if EVERY in declared.tools:
            yield ("tools", EVERY), declared.tools[EVERY]
        if tool.category in declared.categories:
            yield ("categories", tool.category), declared.categories[tool.category]
        for tag, entry in declared.tags.items():
            if tag in tool.tags:
                yield ("tags", tag), entry
        if tool.name in declared.tools and tool.name != EVERY:
            yield ("tools", tool.name), declared.tools[tool.name]

    def entries(self) -> Iterator[tuple[Path, Overrides]]:
        """Give all entries with the way to each, the least specific first."""
        declared = self.declaration
        for kind in ("categories", "tags", "tools"):
            for name, entry in getattr(declared, kind).items():
                yield (kind, name), entry

    def limits(self, own: Limits) -> Limits:
        """Give what calls are counted against: what the file says, and else what the code does.

        Args:
            own: What a dispatcher was given in code.
        """
        return limits_with(self.declaration.budgets, self.declaration.loop_guard, own)

    def is_enabled(self, tool: Tool) -> bool:
        """Tell whether a tool may be offered and called at all."""
        if not self._switches:
            return True
        known = self._enabled.get(tool)
        if known is None:
            known = self._enabled[tool] = bool(self.said(tool).get("enabled", True))
        return known

    def of(self, registry: Registry, name: str) -> Tool | None:
        """Give the tool of a name as the policy has it; None when there is none."""
        tool = registry.get(name)
        return tool and self.tool(tool)

    def shown(self, registry: Registry, visible: Collection[str] | None) -> frozenset[str] | None:
        """Give the names that were on offer, without those that are not enabled.

        Args:
            registry: The tools there are.
            visible: The names that the application offered; None for all.

        Returns:
            None when all tools there are were on offer.
        """
        if not self._switches:
            return None if visible is None else frozenset(visible)
        enabled = frozenset(tool.name for tool in registry if self.is_enabled(tool))
        return enabled if visible is None else enabled.intersection(visible)

    def _apply_closed(self, tool: Tool) -> Tool | None:
        try:
            applied = self.apply(tool)
        except ToolInvalid as error:
            return replace(tool, rules=(_Unfit(tool.name, error.reason),))
        return None if applied is tool else applied


class _Unfit:
    """The rule of a tool that cannot be made what the policy wants: the pipeline denies."""

    def __init__(self, tool: str, reason: str) -> None:
        self._tool = tool
        self._reason = reason

    def __call__(self, facts: Facts) -> Verdict:
        raise ToolInvalid(self._tool, self._reason)


def _fields(tool: Tool, said: dict[str, Any]) -> dict[str, Any]:
    """Turn what is said of a tool into its fields."""
    fields = {key: value for key, value in said.items() if key != "enabled"}
    if "timeout" in fields:
        fields["deadline"] = max(tool.deadline, fields["timeout"])
    if "confirm" in fields:
        fields["confirm"] = fields["confirm"] == "always"
    elif fields.get("risk") == Risk.HIGH != tool.risk:
        # As the code would have it of such a tool; a predicate of its own goes on to say for each.
        fields["confirm"] = tool.confirm or True
    limit = fields.get("concurrency")
    if isinstance(limit, Limit):
        fields["concurrency"] = Concurrency(limit.limit, limit.key)
    rate = fields.get("rate")
    if isinstance(rate, RateEntry):
        fields["rate"] = Rate(rate.limit, rate.per, rate.key)
    return fields


def _profile(entry: ProfileEntry) -> Profile:
    return Profile(
        categories=entry.categories,
        tags=entry.tags,
        tools=entry.tools,
        max_cost=entry.max_cost,
        exclude_dangerous=entry.exclude_dangerous,
    )


#: What holds where no operator declares anything; made without having the forms built.
NO_POLICY: Final = Policy(Declaration.model_construct())
