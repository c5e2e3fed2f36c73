"""Extending: what a dispatcher does with extensions. Without any, nothing, and at no cost."""

from __future__ import annotations

from toolferry import Extensions, Registry
from toolferry_dispatcher.meta import TurnMeta
from toolferry_dispatcher.observing import Observing, TurnObserver
from toolferry_ledger import Asker, Consulting


class Extending:
    """Knows the extensions of a dispatcher: its own, after those of its registry.

    Args:
        registry: Asked at each turn, for it may be extended at any time.
        own: What the dispatcher was given besides.
    """

    def __init__(self, registry: Registry, own: Extensions) -> None:
        self._registry = registry
        self._own = own
        self._asker = Asker()
        self._observing = Observing(self._asker)
        _ = self.extensions  # two providers of one name are a fault of whoever makes a dispatcher

    @property
    def extensions(self) -> Extensions:
        """All of them, in the order in which they are asked."""
        found = self._registry.extensions
        return found + self._own if found and self._own else found or self._own

    def consult(self) -> Consulting | None:
        """Give what judges the calls of one turn; None when the checks alone do."""
        extensions = self.extensions
        return Consulting(extensions, self._asker) if extensions else None

    def observer(self, meta: TurnMeta, consulted: Consulting | None = None) -> TurnObserver | None:
        """Give what hears of the results of one turn; None when nobody does.

        Args:
            meta: The turn.
            consulted: What its calls were judged with; None when another process has done it.
        """
        extensions = self.extensions
        if not (extensions.hooks or extensions.interceptors):
            return None
        entered = consulted.entered if consulted else {}
        return TurnObserver(meta, extensions, entered, self._observing.tell)

    def close(self) -> None:
        """Tell observers what is left, and let go of threads."""
        self._observing.close()
        self._asker.close()
