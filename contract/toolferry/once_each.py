"""What is worked out once for each tool, or for each part of its schema, however often it is asked.

A model may break one schema with each of its calls, and a hundred times in one. Nothing is kept
for longer than what it is about.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from toolferry.tool import Tool

_Owner = TypeVar("_Owner")
_Found = TypeVar("_Found")


def once_each(work: Callable[[_Owner], _Found]) -> Callable[[_Owner], _Found]:
    """Give a function that does some work once for each owner that lives.

    Args:
        work: What it does; its result must not hold the owner.
    """
    known: WeakKeyDictionary[_Owner, _Found] = WeakKeyDictionary()

    def found(owner: _Owner) -> _Found:
        if owner not in known:
            known[owner] = work(owner)
        return known[owner]

    return found


def once_per_part(work: Callable[[Tool, Any], _Found]) -> Callable[[Tool, Any], _Found]:
    """Give a function that does some work once for each part of a tool's schema.

    Args:
        work: What it does with the tool and that part, which lives as long as its tool.
    """
    known: WeakKeyDictionary[Tool, dict[int, _Found]] = WeakKeyDictionary()

    def found(tool: Tool, part: Any) -> _Found:
        of_tool = known.setdefault(tool, {})
        if id(part) not in of_tool:
            of_tool[id(part)] = work(tool, part)
        return of_tool[id(part)]

    return found
