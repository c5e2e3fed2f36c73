"""Choosing the tools of a turn."""

from __future__ import annotations

from typing import Any

import pytest

from toolferry import ConfigurationError, EffectClass, Profile, Registry, Risk, Tool


def act() -> None:
    """Do nothing."""


def tool_of(name: str, **fields: Any) -> Tool:
    """Give a tool that does nothing."""
    return Tool(name=name, handler=act, **fields)


FIND = tool_of("find", category="search", tags={"quick"})
FETCH = tool_of("fetch", category="web", cost=5)
WRITE = tool_of("write", category="file", effect=EffectClass.WRITE)
WIPE = tool_of("wipe", category="file", effect=EffectClass.DESTRUCTIVE)
PAY = tool_of("pay", category="bank", effect=EffectClass.WRITE, risk=Risk.HIGH)
REGISTRY = Registry([FIND, FETCH, WRITE, WIPE, PAY])


def test_dangerous_tools_are_offered_only_when_they_are_asked_for() -> None:
    """By name, by their effect class, or all of them."""
    assert REGISTRY.visible() == (FIND, FETCH, WRITE)
    assert REGISTRY.visible(categories=["file"]) == (WRITE,)
    assert REGISTRY.visible(["wipe", "pay"]) == (WIPE, PAY)
    assert REGISTRY.visible(effects=[EffectClass.DESTRUCTIVE]) == (WIPE,)
    assert REGISTRY.visible(exclude_dangerous=False) == tuple(REGISTRY)


def test_a_turn_may_be_kept_cheap() -> None:
    """A tool that costs more is left out."""
    assert REGISTRY.visible(max_cost=4, tags=["quick"]) == (FIND,)
    assert FETCH not in REGISTRY.visible(max_cost=4)


@pytest.mark.parametrize(
    ("profile", "chosen"),
    [
        (Profile(categories=frozenset({"search", "web"})), (FIND, FETCH)),
        (Profile(categories=frozenset({"search", "web"}), max_cost=4), (FIND,)),
        (Profile(tags=frozenset({"quick"}), tools=frozenset({"write"})), (FIND, WRITE)),
        (Profile(categories=frozenset({"file"})), (WRITE,)),
        (Profile(categories=frozenset({"file"}), exclude_dangerous=False), (WRITE, WIPE)),
        (Profile(tools=frozenset({"wipe", "fetch"}), max_cost=1), (FETCH, WIPE)),
    ],
)
def test_a_profile_has_the_tools_of_its_categories_tags_and_names(
    profile: Profile, chosen: tuple[Tool, ...]
) -> None:
    """What is named is meant, whatever it costs and does."""
    assert REGISTRY.visible(task_type=profile) == chosen


def test_other_conditions_narrow_a_profile() -> None:
    """They never add to it."""
    registry = Registry(REGISTRY)
    registry.add_profile("research", Profile(categories=frozenset({"search", "web"})))

    assert registry.visible(["fetch", "write"], task_type="research") == (FETCH,)


def test_a_profile_that_is_not_there_is_refused_with_those_that_are() -> None:
    """No turn is offered everything by a slip."""
    registry = Registry(REGISTRY)
    registry.add_profile("research", Profile(tags=frozenset({"quick"})))

    with pytest.raises(ConfigurationError, match="no profile 'reserch'; there are: research"):
        registry.visible(task_type="reserch")


def test_a_profile_names_something() -> None:
    """An empty one would offer nothing, which nobody means."""
    with pytest.raises(ValueError, match="a profile needs categories, tags or tools"):
        Profile(max_cost=1)
