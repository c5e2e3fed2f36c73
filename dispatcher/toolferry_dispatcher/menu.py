"""The menu: the tools that a model is offered in one turn."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Unpack

from toolferry import ConfigurationError, Profile, Registry, Tool
from toolferry.choosing import Conditions, choose, find_profile
from toolferry_dispatcher.providers import (
    ExamplePlace,
    Export,
    Strictness,
    export_tools,
)
from toolferry_policies import Policy


@dataclass(frozen=True, slots=True, eq=False)
class Menu(Collection[str]):
    """Some tools: as a provider takes them, and, as their names, what `visible` takes."""

    tools: tuple[Tool, ...]

    def schemas(
        self,
        provider: str = "openai-chat",
        examples: str = ExamplePlace.NATIVE,
        strictness: str = Strictness.NEVER,
    ) -> list[dict[str, Any]]:
        """Give the tools as a request to a provider takes them; see `Dispatcher.schemas`."""
        export = self.export(provider, strictness, examples)
        if export.request and strictness == Strictness.DEMANDED:
            reason = f"of {export.provider} takes more than tools: put `request` of `export` beside"
            raise ConfigurationError("strictness", reason)
        return export.tools

    def export(
        self,
        provider: str = "openai-chat",
        strictness: str = Strictness.NEVER,
        examples: str = ExamplePlace.NATIVE,
    ) -> Export:
        """Give the tools for a request, and what got lost on the way; see `Dispatcher.export`."""
        return export_tools(provider, self.tools, strictness, examples)

    def __contains__(self, name: object) -> bool:
        return any(tool.name == name for tool in self.tools)

    def __iter__(self) -> Iterator[str]:
        return (tool.name for tool in self.tools)

    def __len__(self) -> int:
        return len(self.tools)


def menu_of(
    registry: Registry,
    policy: Policy,
    task_type: str | Profile | None = None,
    **conditions: Unpack[Conditions],
) -> Menu:
    """Choose the tools of a turn, as the policy has them.

    Raises:
        ConfigurationError: Neither the policy nor the registry has a profile of that name.
    """
    # Operators have the last word on what a profile holds.
    profile = find_profile(task_type, {**registry.profiles, **policy.profiles})
    there = registry.visible(exclude_dangerous=False)
    tools = [policy.tool(tool) for tool in there if policy.is_enabled(tool)]
    return Menu(choose(tools, profile=profile, **conditions))
