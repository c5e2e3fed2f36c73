"""The plan: which calls of a turn wait for which earlier ones. Pure.

Calls run at the same time unless they conflict; those that do run in the model's order.

1. Two calls on the same resource conflict when one of them writes. The resource is the tool's
   template filled with the call's arguments, and compared as text: `a.txt` and `./a.txt` are two.
   The ledger keeps the same order between turns.
2. An exclusive call conflicts with every other call: it is a barrier.
3. A call whose resource cannot be named, because an argument in the template is missing, may
   touch any resource. It is treated as exclusive in its turn: slower, never wrong.
4. A call that will not run, because it was refused, waits for nothing and holds up nothing.

A call names only the calls it must see ended itself; what those wait for is implied. So the plan
of n calls has at most 2n entries.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from toolferry import Concurrency, Context, EffectClass, Rate, Tool, ToolCall
from toolferry.defaults import fill_defaults
from toolferry.record import record
from toolferry.sharing import with_caller
from toolferry.template import find, places

#: Characters of a filled template that are kept as they are; the model may write long arguments.
MAX_RESOURCE: Final = 200


@record(frozen=True, slots=True, kw_only=True)
class Need:
    """What a call needs to have to itself while it runs."""

    #: The resource it touches, by its whole name; None when it touches none that another call may.
    resource: str | None = None
    #: Whether it may change the resource.
    writes: bool = False
    #: Whether no other call of the turn may run beside it.
    exclusive: bool = False


def limit_of(call: ToolCall, tool: Tool, context: Context) -> Concurrency | None:
    """Give the limit that a call of this tool runs under, its key filled, however long that is.

    Calls in which an argument of the key is missing share one limit.
    """
    limit = tool.concurrency
    return limit and Concurrency(limit.limit, _key_of(limit.key, call, tool, context))


def rate_of(call: ToolCall, tool: Tool, context: Context) -> Rate | None:
    """Give the rate at which calls like this one start; as `limit_of`."""
    rate = tool.rate
    return rate and Rate(rate.limit, rate.per, _key_of(rate.key, call, tool, context))


def _key_of(template: str, call: ToolCall, tool: Tool, context: Context) -> str:
    if not template:
        return tool.name
    arguments = fill_defaults(tool.parameters, call.arguments)
    return name_resource(template, with_caller(template, arguments, context)) or template


def needs_of(calls: Sequence[tuple[ToolCall, Tool | None]]) -> list[Need | None]:
    """Say what each call needs to have to itself; None for one that will not run.

    Args:
        calls: The calls in the model's order, each with its tool, or with None when it was
            refused.
    """
    return [None if tool is None else need_of(call, tool) for call, tool in calls]


def need_of(call: ToolCall, tool: Tool) -> Need:
    """Say what a call of this tool needs to have to itself."""
    writes = tool.effect is not EffectClass.READ
    if tool.resource is None:
        return Need(writes=writes, exclusive=tool.exclusive)
    resource = name_resource(tool.resource, fill_defaults(tool.parameters, call.arguments))
    return Need(
        resource=resource,
        writes=writes,
        exclusive=tool.exclusive or resource is None,
    )


def name_resource(template: str, arguments: Mapping[str, Any]) -> str | None:
    """Fill a resource template; None when an argument that it names is missing or null.

    >>> name_resource("file:{path}", {"path": "a.txt"})
    'file:a.txt'
    >>> name_resource("row:{where.table}/{id}", {"where": {"table": "users"}, "id": 7.0})
    'row:users/7'
    >>> name_resource("file:{path}", {}) is None
    True
    """
    values = {f"{{{place}}}": find(arguments, place) for place in places(template)}
    if any(value is None for value in values.values()):
        return None
    if not values:
        return template
    pattern = "|".join(map(re.escape, values))
    return re.sub(pattern, lambda place: _as_text(values[place[0]]), template)


def bounded(name: str) -> str:
    """Keep a name short that becomes part of a key; different names stay different."""
    if len(name) <= MAX_RESOURCE:
        return name
    return f"{name[:MAX_RESOURCE]}…{hashlib.sha256(name.encode(errors='replace')).hexdigest()}"


def _as_text(value: Any) -> str:
    """Give the text by which two argument values are compared; JSON knows no 7 besides 7.0."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def order(needs: Sequence[Need | None]) -> tuple[tuple[int, ...], ...]:
    """Say for each need which earlier ones have to end before it; None needs nothing.

    Returns:
        For each the positions of earlier ones, ascending; empty when it may start at once.

    >>> order([Need(resource="a"), Need(resource="a"), Need(resource="a", writes=True), Need()])
    ((), (), (0, 1), ())
    >>> order([Need(), Need(exclusive=True), Need()])
    ((), (0,), (1,))
    """
    so_far = _SoFar()
    return tuple(
        () if need is None else so_far.place(index, need) for index, need in enumerate(needs)
    )


@dataclass(slots=True)
class _SoFar:
    """The calls placed so far, as far as a later call can still have to wait for them."""

    barrier: tuple[int, ...] = ()
    #: The calls that no later one follows yet, in order; every other call ends before one of them.
    last: dict[int, None] = field(default_factory=dict)
    #: By resource, since the barrier: the last call that writes it.
    writers: dict[str, int] = field(default_factory=dict)
    #: By resource, since its last writer: the calls that read it.
    readers: dict[str, list[int]] = field(default_factory=dict)

    def place(self, index: int, need: Need) -> tuple[int, ...]:
        """Give the calls that this one follows, and remember it."""
        after = tuple(self.last) if need.exclusive else self._before(need)
        for earlier in after:
            self.last.pop(earlier, None)
        self.last[index] = None
        self._remember(index, need)
        return after

    def _before(self, need: Need) -> tuple[int, ...]:
        if need.resource is None:
            return self.barrier
        if need.writes and need.resource in self.readers:
            return tuple(self.readers[need.resource])
        writer = self.writers.get(need.resource)
        return self.barrier if writer is None else (writer,)

    def _remember(self, index: int, need: Need) -> None:
        if need.exclusive:
            self.barrier = (index,)
            self.writers.clear()
            self.readers.clear()
        elif need.resource is not None and need.writes:
            self.writers[need.resource] = index
            self.readers.pop(need.resource, None)
        elif need.resource is not None:
            self.readers.setdefault(need.resource, []).append(index)
