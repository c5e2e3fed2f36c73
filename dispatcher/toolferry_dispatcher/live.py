"""The live registry: the tools of a dispatcher that has none of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from toolferry import Registry, Tool

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

    def update(self, offered: Mapping[str, Tool], now: float) -> None:
        """Take over what is offered.

        Args:
            offered: The tools by name, in the order in which models shall see them.
            now: Seconds on any clock that only goes on.
        """
        with self._lock:
            offered = {**offered, **self._own}
            seen = {**self._last_seen, **dict.fromkeys(offered, now)}
            known = {**self._tools, **offered}
            self._last_seen = {name: at for name, at in seen.items() if now - at <= LINGER}
            self._tools = {name: known[name] for name in sorted(self._last_seen)}
            self._offered = frozenset(offered)

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
