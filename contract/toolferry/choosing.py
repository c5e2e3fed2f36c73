"""Choosing the tools of one turn: a model that is shown few chooses better, and can harm less."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from toolferry.errors import ConfigurationError
from toolferry.states import EffectClass, Risk

if TYPE_CHECKING:
    from toolferry.tool import Tool


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The tools for one kind of task: those of a category, with a tag, or by name.

    Raises:
        ValueError: It names nothing, so that no tool could belong to it.
    """

    categories: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    #: Names of single tools; dangerous ones are offered when they are named here.
    tools: frozenset[str] = frozenset()
    #: What a call may cost at the most; None for any cost.
    max_cost: float | None = None
    #: Whether dangerous tools that are not named are left out.
    exclude_dangerous: bool = True

    def __post_init__(self) -> None:
        for word in ("categories", "tags", "tools"):
            object.__setattr__(self, word, frozenset(getattr(self, word)))
        if not (self.categories or self.tags or self.tools):
            raise ValueError("a profile needs categories, tags or tools")

    def has(self, tool: Tool) -> bool:
        """Tell whether a tool is for this kind of task."""
        if tool.name in self.tools:
            return True
        if self.exclude_dangerous and is_dangerous(tool):
            return False
        costs_too_much = self.max_cost is not None and tool.cost > self.max_cost
        belongs = tool.category in self.categories or not self.tags.isdisjoint(tool.tags)
        return belongs and not costs_too_much


class Conditions(TypedDict, total=False):
    """What tools can be chosen by; each condition that is given must hold."""

    names: Collection[str] | None
    categories: Collection[str] | None
    tags: Collection[str] | None
    effects: Collection[EffectClass] | None
    max_cost: float | None
    exclude_dangerous: bool


class Choice(Conditions, total=False):
    """Which tools; see `Registry.visible`."""

    task_type: str | Profile | None


def is_dangerous(tool: Tool) -> bool:
    """Tell whether a tool is offered only when it is asked for: destructive, or of high risk."""
    return tool.effect is EffectClass.DESTRUCTIVE or tool.risk is Risk.HIGH


def choose(  # noqa: PLR0913 -- each is a condition of its own, and all have a default
    tools: Iterable[Tool],
    *,
    names: Collection[str] | None = None,
    categories: Collection[str] | None = None,
    tags: Collection[str] | None = None,
    effects: Collection[EffectClass] | None = None,
    max_cost: float | None = None,
    exclude_dangerous: bool = True,
    profile: Profile | None = None,
) -> tuple[Tool, ...]:
    """Choose tools, in their order; see `Registry.visible`."""

    def is_asked_for(tool: Tool) -> bool:
        """Tell whether a dangerous tool is asked for."""
        by_name = names is not None and tool.name in names
        by_effect = effects is not None and tool.effect is EffectClass.DESTRUCTIVE
        return not exclude_dangerous or by_name or by_effect or profile is not None

    return tuple(
        tool
        for tool in tools
        if (names is None or tool.name in names)
        and (categories is None or tool.category in categories)
        and (tags is None or not tool.tags.isdisjoint(tags))
        and (effects is None or tool.effect in effects)
        and (max_cost is None or tool.cost <= max_cost)
        and (profile is None or profile.has(tool))
        and (not is_dangerous(tool) or is_asked_for(tool))
    )


def find_profile(
    task_type: str | Profile | None, profiles: Mapping[str, Profile]
) -> Profile | None:
    """Give the profile that is meant; None when none is.

    Raises:
        ConfigurationError: There is none of that name; the reason lists those there are.
    """
    if not isinstance(task_type, str):
        return task_type
    if task_type not in profiles:
        known = ", ".join(sorted(profiles)) or "none at all"
        raise ConfigurationError(
            "task_type", f"there is no profile {task_type!r}; there are: {known}"
        )
    return profiles[task_type]
