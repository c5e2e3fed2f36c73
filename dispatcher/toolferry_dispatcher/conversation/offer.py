"""The offer: the tools of a conversation, and what calls of them cost."""

from __future__ import annotations

from dataclasses import dataclass

from toolferry_dispatcher.base import BaseDispatcher
from toolferry_dispatcher.menu import Menu
from toolferry_dispatcher.providers import Provider, find_name
from toolferry_dispatcher.reply import Reply


@dataclass(frozen=True, slots=True)
class Offer:
    """The tools that a model is offered, as they are when it is asked.

    Args:
        dispatcher: Knows the tools.
        chosen: Those that the application chose; None for what is on the menu at the time.
    """

    dispatcher: BaseDispatcher
    chosen: Menu | None = None

    def menu(self) -> Menu:
        """Give them."""
        return self.dispatcher.menu() if self.chosen is None else self.chosen

    def cost_of(self, reply: Reply, provider: Provider) -> float:
        """Add up what the tools of a reply's calls declare; an unknown tool costs nothing."""
        registry, policy = self.dispatcher.registry, self.dispatcher.policy
        known = frozenset(registry.names())
        names = (find_name(read.call.name, known, provider.wire_name) for read in reply.calls)
        tools = (policy.of(registry, name) for name in names if name is not None)
        return sum(tool.cost for tool in tools if tool is not None)
