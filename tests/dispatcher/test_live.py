"""The live registry: what is visible can be run now; what has just gone is still known."""

from __future__ import annotations

import pytest

from toolferry import Lane, Tool
from toolferry_dispatcher.live import LINGER, LiveRegistry

READ = Tool(name="read", lane=Lane.ASYNC, category="files")
WRITE = Tool(name="write", lane=Lane.ASYNC, category="files")
NEWER = Tool(name="read", lane=Lane.ASYNC, version="2")


def registry_of(*tools: Tool) -> LiveRegistry:
    """Give a live registry to which tools were offered at time 0."""
    registry = LiveRegistry()
    registry.update({tool.name: tool for tool in tools}, now=0.0)
    return registry


def test_tools_are_sorted_by_name_whatever_the_workers_say() -> None:
    """A model's request stays the same, so that its provider can cache it."""
    assert registry_of(WRITE, READ).names() == ("read", "write")


def test_conditions_choose_among_what_is_offered() -> None:
    """As with every registry."""
    registry = registry_of(READ, WRITE)

    assert registry.visible(["write"]) == (WRITE,)
    assert registry.visible(names=["write"], categories=["web"]) == ()


def test_a_tool_whose_last_worker_has_gone_is_known_and_not_visible() -> None:
    """A model that was offered it just before may still call it."""
    registry = registry_of(READ, WRITE)

    registry.update({"write": WRITE}, now=LINGER)

    assert registry.visible() == (WRITE,)
    assert registry.get("read") is READ


def test_a_tool_that_has_been_gone_for_long_is_forgotten() -> None:
    """Its calls would wait for nobody."""
    registry = registry_of(READ, WRITE)

    registry.update({"write": WRITE}, now=LINGER + 0.1)

    assert registry.names() == ("write",)


@pytest.mark.parametrize("gone_for", [1.0, 1000.0])
def test_a_tool_that_comes_back_is_the_new_one(gone_for: float) -> None:
    """Its workers know nothing of the old one any more."""
    registry = registry_of(READ)
    registry.update({}, now=gone_for)

    registry.update({"read": NEWER}, now=gone_for)

    assert registry.visible() == (NEWER,)
