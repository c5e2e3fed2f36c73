"""The live registry: the tools of a dispatcher that has none of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final
from weakref import WeakKeyDictionary

from toolferry import Registry, Tool
from toolferry.deciders import deciders_of
from toolferry_dispatcher.unasked import with_deciders

#: Seconds for which a call of a tool is still taken after its last worker has gone: a model may
#: have been offered it just before, and a worker that is replaced is back by then.
LINGER: Final = 60.0


class LiveRegistry(Registry):
    """The tools that live or declared workers can run, as the catalog had them last.

    What is visible is what can be run now. A tool whose last worker has gone is still known for a
    minute, so that the calls of a model that was offered it wait for the next worker. What the
    application registers itself, such as the call tools, stays.
    """

    def __init__(self) -> None:
        super().__init__()
        self._last_seen: dict[str, float] = {}
        self._offered: frozenset[str] = frozenset()
        self._own: dict[str, Tool] = {}
        self._held_tools: WeakKeyDictionary[Tool, Tool] = WeakKeyDictionary()
        #: Names who decides about a tool's calls in this dispatcher.
        self.deciders: Callable[[str], frozenset[str]] = self._own_deciders

    def update(self, offered: Mapping[str, Tool], now: float) -> None:
        """Take over what is offered.

        Args:
            offered: The tools by name, in the order in which models shall see them.
            now: Seconds on any clock that only goes on.
        """
        with self._lock:
            offered = {name: self._held(tool) for name, tool in offered.items()} | self._own
            seen = {**self._last_seen, **dict.fromkeys(offered, now)}
            known = {**self._tools, **offered}
            self._last_seen = {name: at for name, at in seen.items() if now - at <= LINGER}
            self._tools = {name: known[name] for name in sorted(self._last_seen)}
            self._offered = frozenset(offered)

    def _own_deciders(self, tool: str) -> frozenset[str]:
        return deciders_of(self.extensions, tool)

    def _known(self, tool: str) -> frozenset[str]:
        return self.deciders(tool)  # as it is when a call is judged

    def _held(self, tool: Tool) -> Tool:
        """Give a tool that nobody calls here who does not ask whom its workers want to be asked."""
        if not tool.deciders:
            return tool
        if tool not in self._held_tools:
            self._held_tools[tool] = with_deciders(tool, self._known)
        return self._held_tools[tool]

    def visible(self, *conditions: Any, **more: Any) -> tuple[Tool, ...]:
        """Choose tools that can be run now; see `Registry.visible`."""
        offered = self._offered
        return tuple(tool for tool in super().visible(*conditions, **more) if tool.name in offered)

    def _add(self, tool: Tool) -> Tool:
        added = super()._add(tool)
        with self._lock:
            self._own = {**self._own, tool.name: tool}
            self._offered |= {tool.name}
        return added
